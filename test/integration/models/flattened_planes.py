#!/usr/bin/env python3
"""Convolutions whose planes are run through as one line of pixels, compared with the naive path.

usage: flattened_planes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Small planes, strides, dilation, padding, batches, groups, channels that fill no vector, and results that go into the padded plane of a
second convolution, for processors with 16 vector registers. Exits 77 (skipped) without the onnx module or on another architecture.
"""

import platform
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, save_model, verify

import numpy as np
from onnx import TensorProto, helper

PROCESSORS = ["x86-64-v3", "x86-64"]
# images, input and output channels, rows, columns, kernel, stride, dilation, padding, groups; whether the first processor's schedule is flattened
SHAPES = [
    ((1, 32, 32, 7, 7, 3, 1, 1, 1, 1), True),
    ((1, 40, 24, 14, 14, 3, 1, 1, 1, 1), True),
    ((1, 64, 96, 17, 17, 3, 1, 1, 1, 1), False),
    ((2, 32, 48, 7, 7, 3, 1, 1, 1, 1), True),
    ((1, 16, 33, 15, 13, 3, 2, 1, 1, 1), True),
    ((1, 24, 16, 14, 14, 1, 2, 1, 0, 1), True),
    ((1, 16, 16, 9, 8, 5, 1, 1, 2, 1), False),
    ((3, 16, 64, 11, 9, 3, 1, 2, 2, 1), False),
    ((1, 64, 64, 7, 7, 3, 1, 1, 1, 4), False),
    ((1, 32, 32, 7, 1, 3, 1, 1, 1, 1), False),
]


def make_model(path, shape):
    """Writes a model of the convolution, an activation and a padded 3x3 convolution of its result."""
    images, depth, channels, rows, columns, kernel, stride, dilation, padding, groups = shape
    random, constants = np.random.default_rng(1), {}

    def constant(*sizes):
        values = random.standard_normal(sizes) * np.sqrt(1 / max(1, np.prod(sizes[1:])))
        name = f"c{len(constants)}"
        constants[name] = values.astype(np.float32)
        return name

    nodes = [
        helper.make_node("Conv", ["x", constant(channels, depth // groups, kernel, kernel), constant(channels)], ["a"], strides=[stride] * 2,
                         dilations=[dilation] * 2, pads=[padding] * 4, group=groups),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("Conv", ["b", constant(8, channels, 3, 3)], ["y"], pads=[1] * 4),
    ]
    save_model(path, nodes, [helper.make_tensor_value_info("x", TensorProto.FLOAT, [images, depth, rows, columns])],
               [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], constants)


def schedules(tools, model):
    return tools[0].run(["tasks", model, "--schedule", "--winograd=off", f"--cpu={PROCESSORS[0]}"]).output


def cases(tools, work):
    model, library = work / "plane.onnx", work / "plane.so"
    for shape, flattened in SHAPES:
        make_model(model, shape)
        for processor in PROCESSORS:
            yield f"{shape} {processor}", (build(tools, model, library, "--winograd=off", f"--cpu={processor}", "--threads=2") or
                                           verify(tools, model, library, "--threads=2"))
        if flattened:
            yield f"{shape} flattened", None if "flatten<" in schedules(tools, model) else "expected a flattened plane"


if __name__ == "__main__":
    if platform.machine() != "x86_64":
        print("skipped: processors with 16 vector registers are of another architecture")
        sys.exit(77)
    judge_all(cases)
