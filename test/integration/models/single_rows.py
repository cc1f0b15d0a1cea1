#!/usr/bin/env python3
"""Compares products with a dynamic number of rows, which have separate schedules for one row and for a few, with ONNX Runtime and with the naive path.

usage: single_rows.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Constants of several sizes and types, whose columns fill no block, after one and after two dynamic dimensions; attention whose heads share keys or do not; with
one row, with empty dimensions, and with several rows; for this processor and, on x86-64, for ones with smaller vectors and without fused multiply-add.
Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify, verify_against

import numpy as np
from onnx import TensorProto, helper

FLOAT, HALF = TensorProto.FLOAT, TensorProto.FLOAT16
NUMPY = {FLOAT: np.float32, HALF: np.float16}
ROWS = [("1",), ("2",), ("3",), ("5",), ("6",), ("7",), ("40",)]
PAIRS = [("1", "1"), ("1", "3"), ("5", "1"), ("2", "9")]


def value(name, element, shape):
    return helper.make_tensor_value_info(name, element, shape)


def constant(*shape):
    return np.random.default_rng(1).standard_normal(shape) / np.sqrt(shape[0])


def product(path, columns, steps, element, names):
    """A product plus a bias, after an elementwise function."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Add", ["p", "b"], ["s"]), helper.make_node("Relu", ["s"], ["y"])]
    constants = {"w": constant(steps, columns).astype(NUMPY[element]), "b": constant(columns).astype(NUMPY[element])}
    save_model(path, nodes, [value("x", element, [*names, steps])], [value("y", element, [*names, columns])], constants)


def integers(path, columns, steps, names):
    """An integer product with weights of seven bits, because without VNNI, ONNX Runtime's sums of two products of bytes saturate."""
    nodes = [helper.make_node("DynamicQuantizeLinear", ["x"], ["q", "scale", "zero"]), helper.make_node("MatMulInteger", ["q", "w", "zero"], ["p"]),
             helper.make_node("Cast", ["p"], ["f"], to=FLOAT), helper.make_node("Mul", ["f", "scale"], ["y"])]
    weights = np.random.default_rng(1).integers(-63, 64, (steps, columns)).astype(np.int8)
    save_model(path, nodes, [value("x", FLOAT, [*names, steps])], [value("y", FLOAT, [*names, columns])], {"w": weights})


def attention(path, heads, shared, size, names):
    """Attention with `heads` groups of `shared` query heads each, which share keys and values."""
    nodes = [helper.make_node("Transpose", ["k"], ["t"], perm=[0, 1, 3, 2]), helper.make_node("MatMul", ["q", "t"], ["s"]),
             helper.make_node("Softmax", ["s"], ["a"], axis=-1), helper.make_node("MatMul", ["a", "v"], ["y"])]
    queries = [heads, shared] if shared > 1 else [1, heads]
    keys = [heads, 1] if shared > 1 else [1, heads]
    save_model(path, nodes, [value("q", FLOAT, [*queries, names[0], size]), value("k", FLOAT, [*keys, "past", size]), value("v", FLOAT, [*keys, "past", size])],
               [value("y", FLOAT, None)], {})


# model function, names of its sizes, sizes of runs, options of verify
CASES = {
    "product": (lambda path: product(path, 1000, 256, FLOAT, ["rows"]), ["rows"], ROWS, []),
    "product of 1027 columns": (lambda path: product(path, 1027, 130, FLOAT, ["rows"]), ["rows"], ROWS, []),
    "product of 70 columns": (lambda path: product(path, 70, 900, FLOAT, ["rows"]), ["rows"], ROWS, []),
    "product of a batch": (lambda path: product(path, 1000, 256, FLOAT, ["batch", "rows"]), ["batch", "rows"], PAIRS, []),
    "product of halves": (lambda path: product(path, 1027, 256, HALF, ["rows"]), ["rows"], ROWS, ["--rtol=2e-3"]),
    "product of bytes": (lambda path: integers(path, 1027, 512, ["rows"]), ["rows"], ROWS, []),
    "attention": (lambda path: attention(path, 6, 1, 64, ["rows"]), ["rows", "past"], [("1", "300"), ("1", "1"), ("2", "61"), ("3", "65"), ("7", "30"), ("8", "30"), ("40", "40")], []),
    "attention of shared keys": (lambda path: attention(path, 2, 4, 80, ["rows"]), ["rows", "past"], [("1", "300"), ("1", "7"), ("3", "65")], []),
}


def cases(tools, work):
    model, library = work / "rows.onnx", work / "rows.so"
    for number, (name, (make, names, runs, options)) in enumerate(CASES.items()):
        make(model)
        for processor in processors() if number % 2 == 0 else ["native"]:
            wrong = build(tools, model, library, f"--cpu={processor}", "--threads=2")
            for sizes in runs if not wrong else []:
                judge = verify if "halves" in name else lambda *arguments: verify_against(["onnxruntime", "naive"], *arguments)
                wrong = wrong or judge(tools, model, library, "--threads=2", *options, *(f"--dim={each}={size}" for each, size in zip(names, sizes)))
            yield f"{name}, {processor}", wrong
    make = CASES["product"][0]
    make(model)
    listed = tools[0].run(["tasks", model, "--schedule"], False).output
    yield "schedules of their own for one row and for a few", None if listed.count("schedule:") == 3 else listed


if __name__ == "__main__":
    judge_all(cases)
