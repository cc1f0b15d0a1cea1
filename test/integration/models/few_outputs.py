#!/usr/bin/env python3
"""Convolutions and products with so few outputs that the steps of a sum are the lanes of its vectors, compared with ONNX Runtime and with
the naive path.

usage: few_outputs.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

One to seven outputs, steps that fill no vector, windows of several sizes, strides, dilations, batches, groups, planes with dynamic sizes, f16 and f64; for
this processor and, on x86-64, for ones with smaller vectors and without fused multiply-add. Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify, verify_against

import numpy as np
from onnx import TensorProto, helper

FLOAT, HALF, DOUBLE = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE
# images, input and output channels, kernel, side of the plane, attributes, type
CONVOLUTIONS = [
    (1, 64, 1, 3, 17, {"pads": [1] * 4}, FLOAT),
    (1, 64, 2, 3, 17, {"pads": [1] * 4}, FLOAT),
    (2, 64, 3, 3, 17, {"pads": [1] * 4}, FLOAT),
    (1, 64, 4, 3, 17, {"pads": [1] * 4}, FLOAT),
    (1, 37, 3, 5, 19, {"pads": [2] * 4}, FLOAT),
    (1, 45, 1, 9, 21, {}, FLOAT),
    (1, 33, 5, 9, 21, {}, FLOAT),
    (1, 20, 6, 7, 15, {"strides": [2, 2]}, FLOAT),
    (1, 26, 2, 3, 18, {"dilations": [2, 3]}, FLOAT),
    (1, 52, 3, 1, 16, {}, FLOAT),
    (3, 100, 1, 1, 9, {}, FLOAT),
    (1, 72, 6, 3, 12, {"group": 2}, FLOAT),
    (1, 64, 3, 3, 14, {"pads": [1] * 4}, HALF),
    (1, 40, 2, 3, 14, {"pads": [1] * 4}, DOUBLE),
]
# rows, depth, columns
PRODUCTS = [(50, 96, 3), (50, 75, 2), (7, 301, 1), (33, 64, 4)]
NUMPY = {FLOAT: np.float32, HALF: np.float16, DOUBLE: np.float64}


def make_convolution(path, case, known):
    images, depth, outputs, window, side, attributes, element = case
    random = np.random.default_rng(1)
    weights = random.standard_normal((outputs, depth // attributes.get("group", 1), window, window)) / window / np.sqrt(depth)
    constants = {"w": weights.astype(NUMPY[element]), "b": random.standard_normal(outputs).astype(NUMPY[element])}
    nodes = [helper.make_node("Conv", ["x", "w", "b"], ["c"], **attributes), helper.make_node("Relu", ["c"], ["y"])]
    plane = [side, side] if known else ["rows", "columns"]
    save_model(path, nodes, [helper.make_tensor_value_info("x", element, [images, depth, *plane])],
               [helper.make_tensor_value_info("y", element, [images, outputs, None, None])], constants)


def make_product(path, case, known):
    rows, steps, columns = case
    random = np.random.default_rng(1)
    constants = {"w": (random.standard_normal((steps, columns)) / np.sqrt(steps)).astype(np.float32),
                 "v": (random.standard_normal((columns, steps)) / np.sqrt(steps)).astype(np.float32)}
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Gemm", ["x", "v"], ["q"], transB=1),
             helper.make_node("Sub", ["p", "q"], ["y"])]
    save_model(path, nodes, [helper.make_tensor_value_info("x", FLOAT, [rows if known else "rows", steps])],
               [helper.make_tensor_value_info("y", FLOAT, [None, columns])], constants)


def cases(tools, work):
    model, library = work / "few.onnx", work / "few.so"
    both = [(make_convolution, case, [f"--dim=rows={case[4]}", f"--dim=columns={case[4] + 3}"]) for case in CONVOLUTIONS]
    both += [(make_product, case, [f"--dim=rows={case[0]}"]) for case in PRODUCTS]
    for number, (make, case, sizes) in enumerate(both):
        for known in (True, False):
            make(model, case, known)
            options = ["--threads=2", *([] if known else sizes)]
            element = case[-1] if make is make_convolution else FLOAT
            judge = verify if element != FLOAT else lambda *arguments: verify_against(["onnxruntime", "naive"], *arguments)
            if element == HALF:
                options.append("--rtol=2e-3")
            for processor in processors() if (number + known) % 3 == 0 else ["native"]:
                yield f"{case} {'known' if known else 'open'} {processor}", (
                    build(tools, model, library, f"--cpu={processor}", "--threads=2", "--winograd=off") or
                    judge(tools, model, library, *options))


if __name__ == "__main__":
    judge_all(cases)
