#!/usr/bin/env python3
"""Inverted residuals and pooled convolutions of many shapes, which run in overlapped tiles, compared with the naive path.

usage: fused_shapes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Planes that tiles do not divide, strides, windows and paddings of both kinds, channels that fill no vector, tiles on the stack and in the
arena; for this processor and, on x86-64, for ones with smaller vectors, which have smaller caches too. Exits 77 (skipped) without
the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify

import numpy as np
from onnx import TensorProto, helper

# rows, columns, input, expanded and output channels (None: no convolution after the window), kernel, stride, pads (top, left, bottom, right)
SHAPES = [
    (112, 112, 16, 96, 24, 3, 2, (1, 1, 1, 1)),
    (113, 90, 8, 96, 17, 3, 1, (1, 1, 1, 1)),
    (97, 101, 24, 100, 24, 5, 2, (1, 1, 2, 2)),
    (96, 96, 16, 120, None, 5, 1, (2, 2, 2, 2)),
    (111, 120, 3, 64, "MaxPool", 3, 2, (1, 1, 1, 1)),
    (100, 100, 3, 72, "AveragePool", 2, 2, (0, 0, 0, 0)),
    (27, 30, 40, 90, 33, 3, 1, (1, 1, 1, 1)),
    (16, 129, 24, 64, 40, 5, 2, (2, 2, 2, 2)),
]


def make_model(path, shape):
    rows, columns, depth, expanded, behind, window, stride, pads = shape
    random = np.random.default_rng(1)
    constants = {}

    def constant(name, *dims):
        values = random.standard_normal(dims) / np.sqrt(np.prod(dims[1:]))
        constants[name] = values.astype(np.float32)
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
    save_model(path, nodes, [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, depth, rows, columns])],
               [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, behind if isinstance(behind, int) else expanded, None, None])],
               constants)


def cases(tools, work):
    model, library = work / "tiles.onnx", work / "tiles.so"
    for shape in SHAPES:
        make_model(model, shape)
        for processor in processors():
            yield f"{shape} {processor}", (build(tools, model, library, f"--cpu={processor}") or
                                           verify(tools, model, library, "--threads=1") or verify(tools, model, library, "--threads=3"))


if __name__ == "__main__":
    judge_all(cases)
