#!/usr/bin/env python3
"""Compares models whose embedding and last product share one matrix with ONNX Runtime and with the naive path, and checks that the matrix is stored once.

usage: tied_weights.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER GPU_EMULATOR

Matrices of floats, halves and bytes, whose rows do and do not fill blocks, transposed by a node and by Gemm, scaled, gathered twice; with fixed sizes and
dynamic ones, one and several rows; for this processor and, on x86-64, for ones with smaller vectors; and in the emulator of a GPU.
Exits 77 (skipped) without the onnx module.
"""

import os
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, processors, save_model, verify, verify_against

import numpy as np
from onnx import TensorProto, helper

FLOAT, HALF, INT64 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT64
NUMPY = {FLOAT: np.float32, HALF: np.float16}
ROWS = (1, 3, 40)
MOST_OVERHEAD = 300_000  # bytes of an object beyond the matrix


def matrix(rows, columns):
    return np.random.default_rng(1).standard_normal((rows, columns)) / np.sqrt(columns)


def save_tied(path, nodes, tokens, element, constants):
    save_model(path, nodes, [helper.make_tensor_value_info("ids", INT64, [tokens])], [helper.make_tensor_value_info("y", element, None)], constants, opset=17)


def decoder(path, tokens, rows, columns, element=FLOAT):
    """An embedding, a function, and the product with the transposed matrix, scaled and capped."""
    nodes = [helper.make_node("Gather", ["w", "ids"], ["e"]), helper.make_node("Tanh", ["e"], ["h"]), helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]),
             helper.make_node("MatMul", ["h", "t"], ["p"]), helper.make_node("Div", ["p", "cap"], ["d"]), helper.make_node("Tanh", ["d"], ["y"])]
    constants = {"w": matrix(rows, columns).astype(NUMPY[element]), "cap": np.array(3, NUMPY[element])}
    save_tied(path, nodes, tokens, element, constants)


def gemm(path, tokens, rows, columns):
    """Gemm transposes the matrix, and a second gather reads the rows after those of the input."""
    nodes = [helper.make_node("Gather", ["w", "ids"], ["e"]), helper.make_node("Add", ["ids", "one"], ["next"]),
             helper.make_node("Gather", ["w", "next"], ["f"]), helper.make_node("Sub", ["e", "f"], ["h"]),
             helper.make_node("Gemm", ["h", "w"], ["y"], transB=1)]
    save_tied(path, nodes, tokens, FLOAT, {"w": matrix(rows, columns).astype(np.float32), "one": np.array(1, np.int64)})


def quantized(path, tokens, rows, columns):
    """A matrix of bytes, of seven bits, because without VNNI, ONNX Runtime's sums of two products of bytes saturate."""
    nodes = [helper.make_node("Gather", ["w", "ids"], ["g"]), helper.make_node("DequantizeLinear", ["g", "scale"], ["h"]),
             helper.make_node("DynamicQuantizeLinear", ["h"], ["q", "s", "z"]), helper.make_node("Transpose", ["w"], ["t"], perm=[1, 0]),
             helper.make_node("MatMulInteger", ["q", "t", "z"], ["p"]), helper.make_node("Cast", ["p"], ["c"], to=FLOAT), helper.make_node("Mul", ["c", "s"], ["y"])]
    weights = np.random.default_rng(1).integers(-63, 64, (rows, columns)).astype(np.int8)
    save_tied(path, nodes, tokens, FLOAT, {"w": weights, "scale": np.array(0.01, np.float32)})


# Model function, bytes of its matrix, options of verify. Transposed constants of at most 1 MiB are copied.
CASES = {
    "decoder": (lambda path, tokens: decoder(path, tokens, 4096, 128), 4096 * 128 * 4, []),
    "decoder with a part of a block": (lambda path, tokens: decoder(path, tokens, 5003, 70), 5003 * 70 * 4, []),
    "decoder of halves": (lambda path, tokens: decoder(path, tokens, 5003, 130, HALF), 5003 * 130 * 2, ["--rtol=2e-3"]),
    "two gathers": (lambda path, tokens: gemm(path, tokens, 4099, 96), 4099 * 96 * 4, []),
    "bytes": (lambda path, tokens: quantized(path, tokens, 8200, 130), 8200 * 130, []),
}


def is_large(built, weights):
    size = built.stat().st_size
    return f"{built.name} has {size} bytes, and its matrix {weights}" if size > weights + MOST_OVERHEAD else None


def cases(tools, work):
    os.environ["CAMEO_CUDA_DRIVER"] = sys.argv[5]
    model, library = work / "tied.onnx", work / "tied.so"
    for name, (make, weights, options) in CASES.items():
        make(model, "n")
        for processor in processors():
            wrong = build(tools, model, library, f"--cpu={processor}") or is_large(library.with_suffix(".o"), weights)
            for rows in ROWS if not wrong else []:
                judge = verify if "halves" in name else lambda *arguments: verify_against(["onnxruntime", "naive"], *arguments)
                wrong = wrong or judge(tools, model, library, *options, f"--dim=n={rows}")
            yield f"{name}, {processor}", wrong
        for rows in ROWS:
            make(model, rows)
            wrong = build(tools, model, library) or is_large(library.with_suffix(".o"), weights)
            yield f"{name}, {rows} rows", wrong or verify(tools, model, library, *options)
        wrong = build(tools, model, library, "--gpu=sm_80") or is_large(library.with_suffix(".o"), weights)
        yield f"{name}, GPU", wrong or cameo(tools, "verify", model, "--gpu=sm_80", "--gpu-code=host", "--rtol=2e-3" if "halves" in name else "--rtol=1e-4")


judge_all(cases)
