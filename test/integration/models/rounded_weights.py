#!/usr/bin/env python3
"""Compares products of one row compiled with --weights-type with the naive path of models whose weights NumPy has rounded.

usage: rounded_weights.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

For this processor and, on x86-64, for ones with smaller vectors and without fused multiply-add. Exits 77 (skipped) without the onnx
module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify

import numpy as np
from onnx import TensorProto, helper

# shape of the row, columns, operator
PRODUCTS = [((1, 1, 256), 384, "MatMul"), ((1, 384), 301, "Gemm"), ((1, 515), 256, "MatMul"), ((1, 64), 1031, "Gemm")]


def round_to_bf16(weights):
    bits = weights.view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype(np.uint32).view(np.float32)


def round_to_int8(weights):
    """Rounds `weights` to int8 with a scale per column, so that 127 is the largest magnitude of each column. A column of zeros remains zero."""
    scales = np.abs(weights).max(axis=0) / np.float32(127)
    steps = np.clip(np.rint(weights / np.where(scales > 0, scales, 1)), -127, 127)
    return (steps * scales).astype(np.float32)


ROUNDINGS = {"bf16": round_to_bf16, "int8": round_to_int8}


def make_weights(shape):
    weights = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    weights *= np.geomspace(0.05, 1, shape[1], dtype=np.float32)  # each column needs a different scale
    weights[:, 7] = 0
    return weights


def make_model(path, product, weights):
    row, columns, kind = product
    constants = {"w": weights}
    if kind == "Gemm":
        constants["b"] = np.linspace(-1, 1, columns, dtype=np.float32)
    save_model(path, [helper.make_node(kind, ["x", *constants], ["y"])], [helper.make_tensor_value_info("x", TensorProto.FLOAT, row)],
               [helper.make_tensor_value_info("y", TensorProto.FLOAT, [*row[:-1], columns])], constants)


def check_size(library, weights, weights_type):
    """Checks that the object is not larger than the rounded matrix and the rest of an object with one product."""
    size, element = library.with_suffix(".o").stat().st_size, 2 if weights_type == "bf16" else 1
    return f"the object has {size} bytes" if size > weights.size * element * 1.1 + 32768 else None


def cases(tools, work):
    model, library = work / "model.onnx", work / "product.so"
    for product in PRODUCTS:
        weights = make_weights((product[0][-1], product[1]))
        make_model(model, product, weights)
        for weights_type, rounded in ROUNDINGS.items():
            reference = work / f"{weights_type}.onnx"
            make_model(reference, product, rounded(weights))
            for processor in processors():
                yield f"{product} {weights_type} {processor}", (
                    build(tools, model, library, f"--weights-type={weights_type}", f"--cpu={processor}") or
                    verify(tools, reference, library) or check_size(library, weights, weights_type))


if __name__ == "__main__":
    judge_all(cases)
