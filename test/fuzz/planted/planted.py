#!/usr/bin/env python3
"""Checks that utils/fuzz/models finds faults that are planted in the compiler and in compiled models, and reduces their models."""

import argparse
import pathlib
import re
import subprocess
import sys

import onnx

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The text in the report of each fault.
FAULTS = {
    "store-behind-output": "optimised: run: store behind output",
    "store-before-output": "optimised: run: store before output",
    "load-behind-input": "optimised: run: access behind input",
    "store-to-input": "optimised: run: store to read-only input",
    "store-behind-workspace": "optimised: run: store behind workspace",
    "wrong-last-byte": "optimised and naive path differ",
    "uses-old-output": "optimised: two runs differ",
    "overlapping-parts": "optimised: two runs differ",
    "never-ends": "optimised: run does not end",
    "wrong-schedule": "optimised and naive path differ",
    "pass-crashes": "optimised: compiler crashes",
    "refuses": "optimised: compiler refuses",
    "fails-silently": "optimised: compiler refuses",
}


def find(arguments, fault):
    """Returns the report of the fuzzer, and the smallest model that it found."""
    folder = arguments.work / fault
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bin").mkdir(exist_ok=True)
    program = folder / "bin" / "cameo"  # runs nothing: the command server replaces it
    program.with_name("command-server").write_text(f'#!/bin/sh\nexec {sys.executable} {ROOT / "test/fuzz/planted/compiler.py"} {fault} {arguments.server} Add\n')
    program.with_name("command-server").chmod(0o755)
    kept = folder / "found"
    result = subprocess.run([sys.executable, str(ROOT / "utils/fuzz/models"), "--cameo", str(program), "--libraries", str(pathlib.Path(arguments.server).resolve().parents[1] / "lib"),
                             "--keep", str(kept), "--seed", "7", "--kind", "elements", "--count", "12", "--stop", "--level", "native", "--open", "none", "--jobs", "1", "--no-peer",
                             "--run-seconds", "1", "--nodes", "6"], capture_output=True, text=True)
    models = sorted(kept.glob("*/reduced/model.onnx"))
    return result.returncode, result.stdout + result.stderr, models


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="the command server of the build")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("faults", nargs="*", default=list(FAULTS))
    arguments = parser.parse_args()
    missed = 0
    for fault in arguments.faults:
        subprocess.run(["rm", "-rf", str(arguments.work / fault)], check=True)
        status, said, models = find(arguments, fault)
        nodes = [len(onnx.load(str(path)).graph.node) for path in models]
        if status == 77:
            print(said)
            return 77
        if status != 1 or not re.search(re.escape(FAULTS[fault]), said):
            missed += 1
            print(f"{fault}: expected '{FAULTS[fault]}', got status {status}:\n{said}")
        elif not nodes or min(nodes) > 2:
            missed += 1
            print(f"{fault}: expected a model of one or two nodes, got {nodes}")
        else:
            print(f"{fault}: found, {min(nodes)} nodes")
    print(f"{len(arguments.faults)} faults, {missed} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
