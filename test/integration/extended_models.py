#!/usr/bin/env python3
"""The zoo's networks as ONNX Runtime saves them at its level `extended`, compiled and compared with ONNX Runtime.

usage: extended_models.py CAMEO ZOO_FOLDER WORK_FOLDER NETWORK...

Exits 0 when all agree, 1 when not, 77 (skipped) when there is no ONNX Runtime.
"""

import json
import pathlib
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "utils/command-server"), str(ROOT / "test/zoo"), str(ROOT / "utils/zoo")]
from command_server import runner_for

SECONDS, SKIPPED = 300, 77
RUN_OPTIONS = json.loads((ROOT / "utils/zoo/run_options.json").read_text())


def judge(runner, model, options):
    bound = options.get("peer_rtol", options.get("rtol", "1e-4"))
    dims = [f"--dim={size}" for size in options.get("dims", [])]
    given = [f"--bound={each}" for each in options.get("bounds", [])]
    if "inputs" in options:
        from run_inputs import write_inputs
        given += write_inputs(model, model.with_suffix(".inputs"), options["inputs"], dims)
    result = runner.run(["verify", model, "--against=onnxruntime", f"--rtol={bound}", "--largest-integer=1", *dims, *given])
    print(f"{model.stem}: {'agrees' if result.status == 0 else result.output + result.errors}", flush=True)
    return result.status == 0


def main():
    try:
        import onnxruntime_c
    except ImportError as error:
        print(f"skipped: {error}")
        return SKIPPED
    library = onnxruntime_c.find_library()
    if not library:
        print("skipped: ONNX Runtime was not found")
        return SKIPPED
    cameo, zoo, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    runtime = onnxruntime_c.Runtime(library)
    failures = 0
    with runner_for(cameo, work, SECONDS, 0) as runner:
        for network in sys.argv[4:]:
            saved = work / f"{network}.onnx"
            onnxruntime_c.Session(runtime, zoo / f"{network}.onnx", level=onnxruntime_c.EXTENDED, saved=saved).close()
            failures += not judge(runner, saved, RUN_OPTIONS.get(network, {}))
    print(f"{len(sys.argv) - 4} networks, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
