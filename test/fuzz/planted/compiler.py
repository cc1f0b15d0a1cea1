#!/usr/bin/env python3
"""The compiler with a fault: planted.py makes a program of it that names the fault, the compiler and an operator. Models without that operator compile as they should."""

import os
import pathlib
import subprocess
import sys
import tempfile

import onnx

FOLDER = pathlib.Path(__file__).parent
RUN_FAULTS = ("store-behind-output", "store-before-output", "load-behind-input", "store-to-input", "store-behind-workspace", "wrong-last-byte", "uses-old-output",
              "overlapping-parts", "never-ends")


def main():
    fault, cameo, operator, *arguments = sys.argv[1:]
    model = onnx.load(next(each for each in arguments if each.endswith(".onnx")))
    is_planted = any(node.op_type == operator for node in model.graph.node) and not {"--naive", "--wide"} & set(arguments)
    if not is_planted:
        os.execv(cameo, [cameo, *arguments])
    if fault == "pass-crashes":
        print("compiler.py: Assertion `planted' failed.", file=sys.stderr, flush=True)
        os.abort()
    if fault == "refuses":
        sys.exit(f"model.onnx: node #0 ({operator}): error: planted")
    if fault == "fails-silently":
        sys.exit(1)
    if fault == "wrong-schedule":  # computes something else
        for node in model.graph.node:
            if node.op_type == operator:
                node.op_type = {"Add": "Sub", "Max": "Min", "Mul": "Add"}[operator]
        with tempfile.TemporaryDirectory() as folder:
            changed = pathlib.Path(folder, "model.onnx")
            onnx.save(model, str(changed))
            sys.exit(subprocess.call([cameo, *[str(changed) if each.endswith(".onnx") else each for each in arguments]]))
    output = pathlib.Path(arguments[arguments.index("-o") + 1])
    inner, shim = output.with_suffix(".inner.o"), output.with_suffix(".shim.o")
    status = subprocess.call([cameo, *["--prefix=inner" if each.startswith("--prefix") else str(inner) if each == str(output) else each for each in arguments]])
    if status:
        sys.exit(status)
    include = FOLDER.parents[2] / "runtime/include"
    subprocess.run(["cc", "-O1", "-fPIC", f"-DFAULT={RUN_FAULTS.index(fault) + 1}", f"-I{include}", "-c", str(FOLDER / "faults.c"), "-o", str(shim)], check=True)
    subprocess.run(["cc", "-r", "-nostdlib", "-o", str(output), str(inner), str(shim)], check=True)


if __name__ == "__main__":
    main()
