#!/usr/bin/env python3
"""Convolutions in groups of few channels, of which several share a vector, compared with the naive path.

usage: group_shapes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Groups that fill no vector, windows, strides, dilations and batches, one to three dimensions, f64, what follows the sum, and planes whose sizes only a
run knows; for this processor and, on x86-64, for ones with smaller vectors. Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify

import numpy as np
from onnx import TensorProto, helper

# images, groups, input and output channels of each, plane, kernel, stride, dilation, element type
SHAPES = [
    (1, 32, 4, 4, (14, 13), (3, 3), 1, 1, np.float32),
    (2, 6, 8, 8, (9, 7), (3, 3), 2, 1, np.float32),
    (1, 5, 2, 2, (8, 8), (5, 3), 1, 2, np.float32),
    (1, 12, 4, 4, (11, 11), (1, 1), 1, 1, np.float32),
    (1, 9, 4, 8, (7, 7), (3, 3), 1, 1, np.float32),
    (1, 7, 3, 3, (7, 7), (3, 3), 1, 1, np.float32),
    (1, 4, 16, 16, (7, 7), (3, 3), 1, 1, np.float32),
    (1, 16, 4, 4, (30,), (7,), 1, 1, np.float32),
    (1, 4, 8, 8, (4, 5, 6), (3, 3, 3), 1, 1, np.float32),
    (1, 6, 4, 4, (9, 9), (3, 3), 2, 1, np.float64),
]


def make_model(path, shape, names=None):
    """`names` are those of the numbers of images, rows and columns that a run chooses."""
    images, groups, depth, width, plane, window, stride, dilation, element = shape
    random = np.random.default_rng(1)
    pads = [dilation * (size // 2) for size in window]
    weights = random.standard_normal((groups * width, depth, *window)) / np.sqrt(depth * np.prod(window))
    constants = {"w": weights.astype(element), "b": random.standard_normal(groups * width).astype(element)}
    nodes = [helper.make_node("Conv", ["x", "w", "b"], ["s"], group=groups, pads=pads * 2, strides=[stride] * len(plane),
                              dilations=[dilation] * len(plane)),
             helper.make_node("Relu", ["s"], ["y"])]
    kind = TensorProto.DOUBLE if element is np.float64 else TensorProto.FLOAT
    result = [(size + 2 * pad - dilation * (kernel - 1) - 1) // stride + 1 for size, pad, kernel in zip(plane, pads, window)]
    if names:
        images, plane, result = names[0], names[1:], [None] * len(plane)
    save_model(path, nodes, [helper.make_tensor_value_info("x", kind, [images, groups * depth, *plane])],
               [helper.make_tensor_value_info("y", kind, [images, groups * width, *result])], constants)


def cases(tools, work):
    model, library = work / "groups.onnx", work / "groups.so"
    for shape in SHAPES:
        make_model(model, shape)
        for processor in processors():
            yield f"{shape} {processor}", (build(tools, model, library, f"--cpu={processor}", "--threads=2") or
                                           verify(tools, model, library, "--threads=2"))
        names = ["n", *"abc"[:len(shape[4])]]
        make_model(model, shape, names)
        wrong = build(tools, model, library, "--threads=2")
        yield f"{shape} of any size", wrong
        for sizes in [] if wrong else [(shape[0], *shape[4]), (2, *(1 for _ in shape[4])), (0, *shape[4]), (3, *(size + 5 for size in shape[4]))]:
            options = [f"--dim={name}={size}" for name, size in zip(names, sizes)]
            yield f"{shape} of any size {sizes}", verify(tools, model, library, "--threads=2", *options)


if __name__ == "__main__":
    judge_all(cases)
