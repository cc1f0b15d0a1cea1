#!/usr/bin/env python3
"""Products of one row compiled with --weights-type, compared with the naive path of models whose weights NumPy has rounded.

usage: rounded_weights.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

For this processor and, on x86-64, for ones with smaller vectors and without fused multiply-add. Exits 77 (skipped) without the onnx
module.
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

# shape of the row, columns, operator
PRODUCTS = [((1, 1, 256), 384, "MatMul"), ((1, 384), 301, "Gemm"), ((1, 515), 256, "MatMul"), ((1, 64), 1031, "Gemm")]
SMALLER_PROCESSORS = ["x86-64", "x86-64-v3"]


def round_to_bf16(weights):
    bits = weights.view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype(np.uint32).view(np.float32)


def round_to_int8(weights):
    """127 is the largest number of each column; a column of zeros stays one."""
    scales = np.abs(weights).max(axis=0) / np.float32(127)
    steps = np.clip(np.rint(weights / np.where(scales > 0, scales, 1)), -127, 127)
    return (steps * scales).astype(np.float32)


ROUNDINGS = {"bf16": round_to_bf16, "int8": round_to_int8}


def make_weights(shape):
    weights = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    weights *= np.geomspace(0.05, 1, shape[1], dtype=np.float32)  # each column needs a scale of its own
    weights[:, 7] = 0
    return weights


def save_model(path, product, weights):
    row, columns, kind = product
    constants = {"w": weights}
    if kind == "Gemm":
        constants["b"] = np.linspace(-1, 1, columns, dtype=np.float32)
    node = helper.make_node(kind, ["x", *constants], ["y"])
    graph = helper.make_graph([node], "product", [helper.make_tensor_value_info("x", TensorProto.FLOAT, row)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [*row[:-1], columns])],
                              [numpy_helper.from_array(array, name) for name, array in constants.items()])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)


def main():
    tools, work = sys.argv[1:4], pathlib.Path(sys.argv[4])
    work.mkdir(parents=True, exist_ok=True)
    processors = ["native"] + (SMALLER_PROCESSORS if platform.machine() == "x86_64" else [])
    failures = 0
    for product in PRODUCTS:
        weights = make_weights((product[0][-1], product[1]))
        model = work / "model.onnx"
        save_model(model, product, weights)
        for weights_type, rounded in ROUNDINGS.items():
            reference = work / f"{weights_type}.onnx"
            save_model(reference, product, rounded(weights))
            for processor in processors:
                library = work / "product.so"
                fault = (build(tools, model, library, f"--weights-type={weights_type}", f"--cpu={processor}") or
                         verify(tools, reference, library))
                if fault:
                    print(f"{product} {weights_type} {processor}:\n{fault}")
                    failures += 1
                # The matrix, and what else an object of one product holds.
                elif library.with_suffix(".o").stat().st_size > weights.size * (2 if weights_type == "bf16" else 1) * 1.1 + 32768:
                    print(f"{product} {weights_type} {processor}: the object has {library.with_suffix('.o').stat().st_size} bytes")
                    failures += 1
    print(f"{len(PRODUCTS) * len(ROUNDINGS) * len(processors)} libraries, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
