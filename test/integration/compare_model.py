#!/usr/bin/env python3
"""One network of the zoo, compiled once and compared with a reference: the naive path, or ONNX Runtime on one thread and two.
A network whose sizes the run knows is compared at several of them.

usage: compare_model.py CAMEO MODEL.onnx WORK_FOLDER naive|onnxruntime

Exits 0 when all agree, 1 when not, 77 (skipped) when there is no ONNX Runtime.
"""

import json
import pathlib
import subprocess
import sys

RUN_OPTIONS = json.loads((pathlib.Path(__file__).parents[2] / "utils/zoo/run_options.json").read_text())
SIZES = {"gpt2_decode": [["--dim=past_length=5"], ["--dim=past_length=8"]]}
BATCHES = [["--dim=batch=1"], ["--dim=batch=3"]]
SKIPPED = 77


def call(*command):
    print("$ " + " ".join(map(str, command)), flush=True)
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def main():
    cameo, model, work, against = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]
    work.mkdir(parents=True, exist_ok=True)
    name = model.stem.removesuffix("_batch")
    library = work / f"{model.stem}-{against}.so"
    sizes = BATCHES if model.stem != name else SIZES.get(name, [[]])
    compiled = call(cameo, "compile", model, "--emit=lib", "-o", library, "--threads=2")
    print(compiled.stdout)
    if compiled.returncode != 0:
        return 1

    options = RUN_OPTIONS.get(name, {})
    bound = ["--rtol", options["rtol"]] if "rtol" in options else []
    # The naive path is slow, so once; the other has three seeds on one thread and on two.
    runs = [["--rounds=1"]] if against == "naive" else [["--rounds=3", f"--threads={threads}"] for threads in (1, 2)]
    failed = 0
    for run in [run + size for size in sizes for run in runs]:
        result = call(cameo, "verify", model, "--library", library, "--against", against, *run, *bound)
        print(result.stdout)
        if "ONNX Runtime was not found" in result.stdout:
            print("skipped: ONNX Runtime was not found")
            return SKIPPED
        failed |= result.returncode != 0
    library.unlink()
    return failed


if __name__ == "__main__":
    sys.exit(main())
