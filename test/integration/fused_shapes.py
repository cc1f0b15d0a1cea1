#!/usr/bin/env python3
"""Inverted residuals and pooled convolutions of many shapes, which run in bands, compared with the naive path.

usage: fused_shapes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Planes that bands do not divide, strides, windows and paddings of both kinds, channels that fill no vector, bands on the stack and in the
arena; for this processor and, on x86-64, for ones with smaller vectors, which have smaller caches too. Exits 77 (skipped) without
the onnx module.
"""

import pathlib
import platform
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, verify

try:
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper, save
except ImportError:
    print("skipped: the Python module onnx was not found")
    sys.exit(77)

# rows, columns, channels in, expanded and out (none: no convolution behind the window), window, stride, pads (top, left, bottom, right)
SHAPES = [
    (112, 112, 16, 96, 24, 3, 2, (1, 1, 1, 1)),
    (113, 90, 8, 96, 17, 3, 1, (1, 1, 1, 1)),
    (97, 101, 24, 100, 24, 5, 2, (1, 1, 2, 2)),
    (96, 96, 16, 120, None, 5, 1, (2, 2, 2, 2)),
    (111, 120, 3, 64, "MaxPool", 3, 2, (1, 1, 1, 1)),
    (100, 100, 3, 72, "AveragePool", 2, 2, (0, 0, 0, 0)),
]
SMALLER_PROCESSORS = ["x86-64", "x86-64-v3"]


def make_model(path, shape):
    rows, columns, depth, expanded, behind, window, stride, pads = shape
    random = np.random.default_rng(1)
    constants = []

    def constant(name, *dims):
        values = random.standard_normal(dims) / np.sqrt(np.prod(dims[1:]))
        constants.append(numpy_helper.from_array(values.astype(np.float32), name))
        return name

    nodes = [helper.make_node("Conv", ["x", constant("w0", expanded, depth, 1, 1), constant("b0", expanded)], ["c0"]),
             helper.make_node("Relu", ["c0"], ["r0"])]
    if isinstance(behind, str):
        nodes.append(helper.make_node(behind, ["r0"], ["y"], kernel_shape=[window] * 2, strides=[stride] * 2, pads=pads))
    else:
        nodes.append(helper.make_node("Conv", ["r0", constant("w1", expanded, 1, window, window), constant("b1", expanded)],
                                      ["c1"], group=expanded, strides=[stride] * 2, pads=pads))
        nodes.append(helper.make_node("Relu", ["c1"], ["r1" if behind else "y"]))
    if isinstance(behind, int):
        nodes.append(helper.make_node("Conv", ["r1", constant("w2", behind, expanded, 1, 1), constant("b2", behind)], ["y"]))
    graph = helper.make_graph(
        nodes, "bands", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, depth, rows, columns])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, behind if isinstance(behind, int) else expanded, None, None])],
        constants)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)


def check(tools, work, model, processor):
    """The messages of what went wrong, or None."""
    library = work / "bands.so"
    return (build(tools, model, library, f"--cpu={processor}") or
            verify(tools, model, library, "--threads=1") or verify(tools, model, library, "--threads=3"))


def main():
    tools, work = sys.argv[1:4], pathlib.Path(sys.argv[4])
    work.mkdir(parents=True, exist_ok=True)
    model = work / "bands.onnx"
    failed = 0
    for shape in SHAPES:
        make_model(model, shape)
        smaller = SMALLER_PROCESSORS if platform.machine() == "x86_64" else []
        for processor in ["native", *smaller]:
            if wrong := check(tools, work, model, processor):
                print(f"{shape} {processor}:\n{wrong}")
                failed += 1
    print(f"{len(SHAPES)} shapes, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
