#!/usr/bin/env python3
"""Products and convolutions whose weights stay in no cache, which take long reductions part by part, compared with the naive path.

usage: reduction_shapes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Reductions that the parts do not divide, channels that fill no vector, one row, windows, strides, batches and groups, and what follows the sum; for this processor
and, on x86-64, for ones with smaller vectors, which have smaller caches too. Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify

import numpy as np
from onnx import TensorProto, helper

# input shape (images, channels, rows, columns), output channels, kernel rows and columns, stride, groups
CONVOLUTIONS = [
    ((1, 256, 7, 7), 288, (3, 3), 2, 1),
    ((2, 130, 9, 8), 300, (5, 3), 1, 1),
    ((1, 1030, 7, 5), 520, (1, 1), 1, 1),
    ((1, 1040, 5, 6), 1040, (3, 1), 1, 2),
]
# rows, depth, columns
PRODUCTS = [(33, 1500, 700), (17, 4099, 271), (1, 1500, 1003)]


def convolution(shape, random):
    (images, depth, rows, columns), channels, window, stride, groups = shape
    pads = [window[0] // 2, window[1] // 2] * 2
    weights = random.standard_normal((channels, depth // groups, *window)) / np.sqrt(depth // groups * np.prod(window))
    constants = [weights, random.standard_normal(channels)]
    nodes = [helper.make_node("Conv", ["x", "c0", "c1"], ["s"], pads=pads, strides=[stride] * 2, group=groups),
             helper.make_node("Relu", ["s"], ["y"])]
    return nodes, constants, [images, depth, rows, columns], [images, channels, -(-rows // stride), -(-columns // stride)]


def product(shape, random):
    rows, depth, columns = shape
    constants = [random.standard_normal((depth, columns)) / np.sqrt(depth), random.standard_normal(columns)]
    nodes = [helper.make_node("MatMul", ["x", "c0"], ["p"]), helper.make_node("Add", ["p", "c1"], ["y"])]
    return nodes, constants, [rows, depth], [rows, columns]


def make_model(path, make, shape):
    nodes, constants, inputs, outputs = make(shape, np.random.default_rng(1))
    save_model(path, nodes, [helper.make_tensor_value_info("x", TensorProto.FLOAT, inputs)],
               [helper.make_tensor_value_info("y", TensorProto.FLOAT, outputs)],
               {f"c{number}": value.astype(np.float32) for number, value in enumerate(constants)})


def cases(tools, work):
    model, library = work / "reduction.onnx", work / "reduction.so"
    for make, shape in [(convolution, shape) for shape in CONVOLUTIONS] + [(product, shape) for shape in PRODUCTS]:
        make_model(model, make, shape)
        for processor in processors():
            yield f"{shape} {processor}", (build(tools, model, library, "--winograd=off", f"--cpu={processor}", "--threads=2") or
                                           verify(tools, model, library, "--threads=2"))


if __name__ == "__main__":
    judge_all(cases)
