#!/usr/bin/env python3
"""Products and convolutions whose weights stay in no cache, which take long reductions part by part, compared with the naive path.

usage: reduction_shapes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Reductions that the parts do not divide, channels that fill no vector, one row, windows, strides, batches and groups, and what follows the sum; for this processor
and, on x86-64, for ones with smaller vectors, which have smaller caches too. Exits 77 (skipped) without the onnx module.
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

# dimensions of the input (images, channels, rows, columns), channels out, filter rows and columns, stride, groups
CONVOLUTIONS = [
    ((1, 256, 7, 7), 288, (3, 3), 2, 1),
    ((2, 130, 9, 8), 300, (5, 3), 1, 1),
    ((1, 1030, 7, 5), 520, (1, 1), 1, 1),
    ((1, 1040, 5, 6), 1040, (3, 1), 1, 2),
]
# rows, depth, columns
PRODUCTS = [(33, 1500, 700), (17, 4099, 271), (1, 1500, 1003)]
PROCESSORS = ["native", "x86-64", "x86-64-v3"]


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
    tensors = [numpy_helper.from_array(value.astype(np.float32), f"c{number}") for number, value in enumerate(constants)]
    graph = helper.make_graph(nodes, "reduction", [helper.make_tensor_value_info("x", TensorProto.FLOAT, inputs)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, outputs)], tensors)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)


def main():
    tools, work = sys.argv[1:4], pathlib.Path(sys.argv[4])
    work.mkdir(parents=True, exist_ok=True)
    model, library = work / "reduction.onnx", work / "reduction.so"
    shapes = [(convolution, shape) for shape in CONVOLUTIONS] + [(product, shape) for shape in PRODUCTS]
    failed = 0
    for make, shape in shapes:
        make_model(model, make, shape)
        for processor in PROCESSORS if platform.machine() == "x86_64" else PROCESSORS[:1]:
            wrong = (build(tools, model, library, "--winograd=off", f"--cpu={processor}", "--threads=2") or
                     verify(tools, model, library, "--threads=2"))
            if wrong:
                print(f"{shape} {processor}:\n{wrong}")
                failed += 1
    print(f"{len(shapes)} shapes, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
