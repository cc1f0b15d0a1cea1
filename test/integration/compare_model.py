#!/usr/bin/env python3
"""One network of the zoo, compiled once and compared with the naive path and with ONNX Runtime, on one thread and on two.

usage: compare_model.py CAMEO MODEL.onnx WORK_FOLDER

Exits 0 when all agree, 1 when not, 77 (skipped, with the reason) when the network needs what is not built yet.
"""

import os
import pathlib
import subprocess
import sys

# Transformers add up longer sums; everything else keeps the default bound of float32.
LOOSER = {"bert_base": "1e-4", "bert_base_opset17": "1e-4", "vit_b16": "1e-4", "gpt2_decode": "1e-4"}
# Operators and shapes of later work: these may fail to compile, and then say why. What compiles must be right.
MAY_BE_UNSUPPORTED = {"gpt2_decode", "lstm_text", "resnet18_qdq"}
SKIPPED = 77


def call(*command):
    print("$ " + " ".join(map(str, command)), flush=True)
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def main():
    cameo, model, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    library = work / f"{model.stem}.so"
    compiled = call(cameo, "compile", model, "--emit=lib", "-o", library, "--threads=2")
    if compiled.returncode != 0:
        print(compiled.stdout)
        if model.stem in MAY_BE_UNSUPPORTED:
            print("skipped: not supported yet: " + compiled.stdout.strip().splitlines()[-1])
            return SKIPPED
        return 1

    bound = ["--rtol", LOOSER[model.stem]] if model.stem in LOOSER else []
    runs = [["--against=naive", "--rounds=1"]]
    if os.environ.get("ORT_LIBRARY"):
        runs += [["--against=onnxruntime", "--rounds=3", f"--threads={threads}"] for threads in (1, 2)]
    else:
        print("ORT_LIBRARY is not set: not compared with ONNX Runtime")
    failed = 0
    for run in runs:
        result = call(cameo, "verify", model, "--library", library, *run, *bound)
        print(result.stdout)
        failed |= result.returncode != 0
    library.unlink()
    return failed


if __name__ == "__main__":
    sys.exit(main())
