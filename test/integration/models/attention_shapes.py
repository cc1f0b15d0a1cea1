#!/usr/bin/env python3
"""Attention of many shapes, which runs in overlapped tiles of the rows of a head, compared with the naive path and with ONNX Runtime.

usage: attention_shapes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Lengths that tiles and register blocks do not divide, also of one program for any length, keys of another length, scores beyond every cache, batches,
masks, and what follows; for this processor and, on x86-64, for ones with smaller vectors, which have smaller caches too. Without ONNX Runtime the naive path alone is compared
with. Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify_against

import numpy as np
from onnx import TensorProto, helper

# batch, heads, queries, keys, features; the dimension that the mask has numbers for; whether an operator is between the weights and their product
SHAPES = [
    (1, 12, 128, 128, 64, "keys", False),
    (2, 3, 37, 41, 20, "keys", False),
    (1, 4, 197, 197, 64, None, False),
    (2, 4, 7, 300, 33, "rows", False),
    (1, 2, 700, 650, 16, "rows", True),
    (3, 1, 64, 9, 5, "scores", False),
    (1, 2, 33, 1031, 8, None, False),
]
# Shapes with a name for both lengths, and the lengths of runs: fewer rows than a tile has, whole tiles, and what is left of them.
OPEN_SHAPES = [(1, 3, "s", "s", 20, "keys", False), (2, 2, "s", "s", 16, "rows", True)]
LENGTHS = [1, 7, 16, 45, 130]


def make_model(path, shape):
    """Writes a model of attention: scores of queries and transposed keys, scaled and masked; Softmax; the weighted values with heads innermost."""
    batch, heads, queries, keys, features, mask, between = shape
    value, node = helper.make_tensor_value_info, helper.make_node
    inputs = [value("q", TensorProto.FLOAT, [batch, heads, queries, features]), value("k", TensorProto.FLOAT, [batch, heads, keys, features]),
              value("v", TensorProto.FLOAT, [batch, heads, keys, features])]
    nodes = [node("Transpose", ["k"], ["turned"], perm=[0, 1, 3, 2]), node("MatMul", ["q", "turned"], ["raw"]),
             node("Mul", ["raw", "scale"], ["scores"])]
    constants = {"scale": np.float32(1 / np.sqrt(features))}
    if mask:
        dims = {"keys": [batch, 1, 1, keys], "rows": [1, 1, queries, keys], "scores": [batch, heads, queries, keys]}[mask]
        inputs.append(value("mask", TensorProto.FLOAT, dims))
        nodes.append(node("Add", ["scores", "mask"], ["masked"]))
    nodes.append(node("Softmax", ["masked" if mask else "scores"], ["weights"], axis=-1))
    if between:
        nodes.append(node("Relu", ["weights"], ["positive"]))
    nodes += [node("MatMul", ["positive" if between else "weights", "v"], ["heads"]), node("Transpose", ["heads"], ["y"], perm=[0, 2, 1, 3])]
    save_model(path, nodes, inputs, [value("y", TensorProto.FLOAT, [batch, queries, heads, features])], constants)


def cases(tools, work):
    model, library = work / "attention.onnx", work / "attention.so"
    for shape in SHAPES:
        make_model(model, shape)
        for processor in processors():
            references = ["naive", "onnxruntime"] if processor == "native" else ["naive"]
            yield f"{shape} {processor}", (build(tools, model, library, f"--cpu={processor}", "--threads=2") or
                                           verify_against(references, tools, model, library, "--threads=2"))
    for shape in OPEN_SHAPES:
        make_model(model, shape)
        for processor in processors():
            wrong = build(tools, model, library, f"--cpu={processor}", "--threads=2")
            references = ["naive", "onnxruntime"] if processor == "native" else ["naive"]
            for length in LENGTHS:
                yield f"{shape} {length} {processor}", wrong or verify_against(references, tools, model, library, "--threads=2", f"--dim=s={length}")


if __name__ == "__main__":
    judge_all(cases)
