#!/usr/bin/env python3
"""Compares 3x3 convolutions of many shapes by Winograd's minimal filtering with the naive path.

usage: winograd_shapes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

In float32, float16 and bfloat16. Planes that tiles do not divide, batches, channels that fill no vector, padding or none, dilations whose phases differ, filters that are transformed at
run time, residuals, also in blocks of several, activations, and sizes that only a run knows; for this processor and, on x86-64, for ones with smaller vectors and without fused multiply-add. Exits 77 (skipped) without the onnx module.
"""

import itertools
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify, verify_against

import numpy as np
from onnx import TensorProto, helper

# images, channels in and out, rows, columns, padding, whether a residual and a ReLU follow, dilation of rows and columns
SHAPES = [
    (1, 16, 16, 8, 8, 1, False, (1, 1)),
    (1, 16, 32, 14, 14, 1, False, (1, 1)),
    (2, 16, 16, 7, 7, 1, True, (1, 1)),
    (3, 5, 7, 9, 6, 1, False, (1, 1)),
    (1, 17, 17, 13, 11, 1, True, (1, 1)),
    (1, 33, 2, 5, 4, 1, False, (1, 1)),
    (1, 3, 8, 6, 15, 2, False, (1, 1)),
    (2, 8, 8, 12, 10, 0, False, (1, 1)),
    (1, 64, 64, 4, 37, 1, True, (1, 1)),
    (1, 1, 24, 10, 10, 1, False, (1, 1)),
    (2, 33, 31, 49, 149, 1, False, (1, 1)),
    (1, 70, 70, 58, 75, 1, True, (1, 1)),
    (1, 16, 24, 17, 18, 2, False, (2, 2)),
    (2, 8, 8, 16, 21, 4, True, (4, 4)),
    (1, 20, 16, 9, 40, 2, False, (1, 3)),
    # shapes whose filters are transformed at run time
    (1, 64, 64, 7, 9, 1, True, (1, 1)),
    (2, 48, 32, 8, 6, 1, False, (1, 1)),
    (1, 64, 48, 14, 14, 1, False, (2, 2)),
    (1, 96, 160, 5, 7, 1, False, (1, 1)),
]


# The largest difference between two numbers of the output, relative to its largest magnitude: for 16 bits one unit in the last place, as both sides
# round sums of float32.
TYPES = {TensorProto.FLOAT: 1e-5, TensorProto.FLOAT16: 2.0**-10, TensorProto.BFLOAT16: 2.0**-7}


def make_model(path, shape, kind):
    images, depth, channels, rows, columns, padding, epilogue, dilations = shape
    random = np.random.default_rng(1)
    weights = random.standard_normal((channels, depth, 3, 3)) * np.sqrt(2 / (9 * depth))
    constants = {"weights": weights.astype(np.float32), "biases": random.standard_normal(channels).astype(np.float32)}
    nodes = [helper.make_node("Cast", [name], [name[0]], to=kind) for name in constants]
    nodes += [helper.make_node("Conv", ["x", "w", "b"], ["c"], pads=[padding] * 4, dilations=dilations)]
    if epilogue:
        nodes += [helper.make_node("Add", ["c", "x"], ["s"]), helper.make_node("Relu", ["s"], ["y"])]
    else:
        nodes.append(helper.make_node("Neg", ["c"], ["y"]))
    height, width = (size + 2 * padding - 2 * dilation for size, dilation in zip((rows, columns), dilations))
    save_model(path, nodes, [helper.make_tensor_value_info("x", kind, [images, depth, rows, columns])],
               [helper.make_tensor_value_info("y", kind, [images, channels, height, width])], constants, opset=22)


def make_block(path):
    """A residual block: the added plane has a border like the sum, which may be stored over it."""
    weights = np.random.default_rng(1).standard_normal((16, 16, 3, 3)) * np.sqrt(2 / (9 * 16))
    convolve = lambda source, result: helper.make_node("Conv", [source, "w"], [result], pads=[1] * 4)
    nodes = [convolve("x", "a"), helper.make_node("Relu", ["a"], ["b"]), convolve("b", "c"),
             helper.make_node("Add", ["c", "b"], ["d"]), helper.make_node("Relu", ["d"], ["e"]), convolve("e", "y")]
    plane = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 16, 14, 13])
    save_model(path, nodes, [plane("x")], [plane("y")], {"w": weights.astype(np.float32)})


def make_counted(path, plane, kind):
    """The same in `kind` where only a run knows the sizes of `plane`, and a convolution of as many channels in as out."""
    weights = np.random.default_rng(1).standard_normal((24, 24, 3, 3)) * np.sqrt(2 / (9 * 24))
    nodes = [helper.make_node("Cast", ["weights"], ["w"], to=kind),
             helper.make_node("Conv", ["x", "w"], ["a"], pads=[1] * 4), helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("Conv", ["b", "w"], ["c"], pads=[1] * 4), helper.make_node("Add", ["c", "b"], ["d"]),
             helper.make_node("Conv", ["d", "w"], ["y"], pads=[0, 2, 0, 1])]
    images, rows, columns = plane
    save_model(path, nodes, [helper.make_tensor_value_info("x", kind, [images, 24, rows, columns])],
               [helper.make_tensor_value_info("y", kind, [images, 24, None, None])], {"weights": weights.astype(np.float32)}, opset=22)


# Sizes below and above those from which tiles are computed, with all remainders of four and of a block of tiles.
COUNTED = {
    ("b", "h", "w"): [(1, 9, 9), (2, 10, 11), (1, 8, 40), (1, 3, 2), (3, 13, 12), (1, 40, 150), (0, 12, 12), (2, 31, 65)],
    ("b", 14, 18): [(1, 14, 18), (5, 14, 18), (0, 14, 18)],
    (1, 12, "w"): [(1, 12, 9), (1, 12, 8), (1, 12, 135), (1, 12, 7)],
    (2, "h", 10): [(2, 9, 10), (2, 12, 10), (2, 75, 10), (2, 3, 10)],
}


def counted_cases(tools, work):
    model, library = work / "counted.onnx", work / "counted.so"
    kinds = itertools.cycle([TensorProto.FLOAT16, TensorProto.BFLOAT16])
    for plane, all_sizes in COUNTED.items():
        for kind in (TensorProto.FLOAT, next(kinds)):
            make_counted(model, plane, kind)
            peers = ["naive", "onnxruntime"] if kind == TensorProto.FLOAT else ["naive"]
            for mode, processor in [("auto", "native"), ("f2", "native")] + [("f4", name) for name in processors()]:
                wrong = build(tools, model, library, f"--winograd={mode}", f"--cpu={processor}", "--threads=2")
                label = f"{TensorProto.DataType.Name(kind)} {mode} {processor}"
                yield f"{plane} {label}", wrong
                for sizes in [] if wrong else all_sizes:
                    options = [f"--dim={name}={size}" for name, size in zip(plane, sizes) if isinstance(name, str)]
                    yield f"{plane} {sizes} {label}", verify_against(peers, tools, model, library, "--threads=2", f"--rtol={TYPES[kind]}", *options)


def cases(tools, work):
    yield from counted_cases(tools, work)
    model, library = work / "convolution.onnx", work / "convolution.so"
    make_block(model)
    for mode in ("off", "f2", "f4"):
        yield f"block {mode}", (build(tools, model, library, f"--winograd={mode}", "--threads=2") or
                                verify(tools, model, library, "--threads=2"))
    for number, shape in enumerate(SHAPES):
        for kind in (TensorProto.FLOAT, (TensorProto.FLOAT16, TensorProto.BFLOAT16)[number % 2]):
            make_model(model, shape, kind)
            for processor in processors() if number % 3 == 0 else ["native"]:
                for mode in ("f2", "f4"):
                    yield f"{shape} {TensorProto.DataType.Name(kind)} {mode} {processor}", (
                        build(tools, model, library, f"--winograd={mode}", f"--cpu={processor}", "--threads=2") or
                        verify(tools, model, library, "--threads=2", f"--rtol={TYPES[kind]}"))


if __name__ == "__main__":
    judge_all(cases)
