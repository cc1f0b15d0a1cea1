#!/usr/bin/env python3
"""The object of ResNet-18, weights of 46.8 MB, for several processors: how much larger than the weights it is by default, and that a budget makes it smaller.

usage: object_size.py CAMEO ZOO_PROGRAM WORK_FOLDER
"""

import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "utils/command-server"))
from command_server import client_for

# A processor, options, and how many times as large as the weights the object may be.
CASES = (("x86_64", "x86-64", [], 1.3), ("x86_64", "x86-64-v3", [], 1.3), ("x86_64", "x86-64-v4", [], 1.3), ("aarch64", "generic", [], 1.3),
         ("x86_64", "x86-64-v3", ["--max-weights=49M"], 1.1))
BEYOND_WEIGHTS = 400_000


def compile_size(cameo, model, architecture, cpu, *options):
    output = model.with_suffix(".o")
    subprocess.run([cameo, "compile", model, "-o", output, f"--target={architecture}-linux-gnu", f"--cpu={cpu}", *options], check=True)
    return output.stat().st_size


def main():
    cameo, zoo, work = client_for(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, zoo, "make", "resnet18", "-o", work], check=True, stdout=subprocess.DEVNULL)
    model = work / "resnet18.onnx"
    weights, failed = model.stat().st_size, False
    for architecture, cpu, options, most in CASES:
        size = compile_size(cameo, model, architecture, cpu, *options)
        print(f"{architecture} {cpu} {' '.join(options)}: {size / weights:.2f} of the weights")
        if size > weights * most + BEYOND_WEIGHTS:
            print(f"expected at most {most} and {BEYOND_WEIGHTS} bytes", file=sys.stderr)
            failed = True
    for file in work.iterdir():
        file.unlink()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
