#!/usr/bin/env python3
"""3x3 convolutions of many shapes by Winograd's minimal filtering, compared with the naive path.

usage: winograd_shapes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Planes that tiles do not divide, batches, channels that fill no vector, padding or none, residuals and activations; for this
processor and, on x86-64, for ones with smaller vectors and without fused multiply-add. Exits 77 (skipped) without the onnx module.
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

# images, channels in and out, rows, columns, padding, whether a residual and a ReLU follow
SHAPES = [
    (1, 16, 16, 8, 8, 1, False),
    (1, 16, 32, 14, 14, 1, False),
    (2, 16, 16, 7, 7, 1, True),
    (3, 5, 7, 9, 6, 1, False),
    (1, 17, 17, 13, 11, 1, True),
    (1, 33, 2, 5, 4, 1, False),
    (1, 3, 8, 6, 15, 2, False),
    (2, 8, 8, 12, 10, 0, False),
    (1, 64, 64, 4, 37, 1, True),
    (1, 1, 24, 10, 10, 1, False),
    (2, 33, 31, 49, 149, 1, False),
    (1, 70, 70, 58, 75, 1, True),
]
SMALLER_PROCESSORS = ["x86-64", "x86-64-v3"]


def make_model(path, shape):
    images, depth, channels, rows, columns, padding, epilogue = shape
    random = np.random.default_rng(1)
    weights = random.standard_normal((channels, depth, 3, 3)) * np.sqrt(2 / (9 * depth))
    constants = [numpy_helper.from_array(weights.astype(np.float32), "w"),
                 numpy_helper.from_array(random.standard_normal(channels).astype(np.float32), "b")]
    nodes = [helper.make_node("Conv", ["x", "w", "b"], ["c"], pads=[padding] * 4)]
    if epilogue:
        nodes += [helper.make_node("Add", ["c", "x"], ["s"]), helper.make_node("Relu", ["s"], ["y"])]
    else:
        nodes.append(helper.make_node("Neg", ["c"], ["y"]))
    grow = 2 * padding - 2
    graph = helper.make_graph(
        nodes, "convolution", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [images, depth, rows, columns])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [images, channels, rows + grow, columns + grow])], constants)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)


def check(tools, work, model, mode, processor):
    """The messages of what went wrong, or None."""
    library = work / "convolution.so"
    return (build(tools, model, library, f"--winograd={mode}", f"--cpu={processor}", "--threads=2") or
            verify(tools, model, library, "--threads=2"))


def main():
    tools, work = sys.argv[1:4], pathlib.Path(sys.argv[4])
    work.mkdir(parents=True, exist_ok=True)
    model = work / "convolution.onnx"
    failed = 0
    for number, shape in enumerate(SHAPES):
        make_model(model, shape)
        smaller = SMALLER_PROCESSORS if platform.machine() == "x86_64" and number % 3 == 0 else []
        for processor in ["native", *smaller]:
            for mode in ("f2", "f4"):
                if wrong := check(tools, work, model, mode, processor):
                    print(f"{shape} {mode} {processor}:\n{wrong}")
                    failed += 1
    print(f"{len(SHAPES)} shapes, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
