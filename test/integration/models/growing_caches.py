#!/usr/bin/env python3
"""Attention over caches that grow by a Concat and are outputs, as PyTorch's exporter writes them, compared with the naive path and with ONNX Runtime.

usage: growing_caches.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

A step copies such a cache tile by tile with the product that reads it. Heads that share keys, lengths that tiles and parts of sums do not divide or that are
less than one of them, known and dynamic sizes, several new tokens, batches, halves, masks, and rows of few elements; on one thread and on several, for this processor and, on x86-64,
for ones with smaller vectors. Without ONNX Runtime the naive path alone is compared with. Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify_against

import numpy as np
from onnx import TensorProto, helper

FLOAT, HALF = TensorProto.FLOAT, TensorProto.FLOAT16
# batch, query heads, shared heads, width of a head, type, the dimension that the mask has numbers for: sizes are names, and these are the new and the past
# tokens of runs
SHAPES = [(1, 4, 2, 256, FLOAT, "columns"), (1, 3, 3, 64, FLOAT, None), (1, 6, 1, 20, FLOAT, "columns"), (2, 2, 2, 33, FLOAT, "rows"), (1, 4, 1, 96, HALF, None)]
RUNS = [(1, 0), (1, 7), (1, 33), (1, 300), (1, 2063), (2, 41), (3, 1100), (7, 130), (8, 300), (40, 70)]
# The same with known sizes: new tokens and past.
KNOWN = [(1, 4, 2, 256, FLOAT, "columns", 1, 1100), (1, 3, 3, 64, FLOAT, None, 2, 1027), (2, 4, 4, 128, FLOAT, "rows", 1, 512), (1, 2, 1, 512, FLOAT, None, 1, 1025),
         (1, 4, 2, 256, HALF, None, 1, 1100)]


def make_model(path, batch, heads, shared, width, kind, mask, new="new", past="past", layers=1):
    """Writes a model with `layers` attentions in a row: queries attend to the keys and values of the past and their own. Heads that share keys repeat them."""
    value, node, times = helper.make_tensor_value_info, helper.make_node, heads // shared
    total = f"{past} + {new}" if isinstance(past, str) or isinstance(new, str) else past + new
    inputs, outputs, nodes = [value("q", kind, [batch, heads, new, width])], [], []
    if mask:
        inputs.append(value("mask", kind, [1, 1, {"columns": 1, "rows": new}[mask], "all" if isinstance(total, str) else total]))
    constants = {"scale": np.array(width**-0.5, np.float16 if kind == HALF else np.float32), "middle": np.array([2]), "joined": np.array([0, heads, -1, width]),
                 "repeated": np.array([1, 1, times, 1, 1])}
    query = "q"
    for layer in range(layers):
        wide = {}
        for part in ("key", "value"):
            name = f"{part}.{layer}"
            inputs += [value(f"past.{name}", kind, [batch, shared, past, width]), value(f"new.{name}", kind, [batch, shared, new, width])]
            outputs.append(value(f"present.{name}", kind, [batch, shared, total, width]))
            nodes.append(node("Concat", [f"past.{name}", f"new.{name}"], [f"present.{name}"], axis=2))
            wide[part] = f"present.{name}"
            if times > 1:
                nodes += [node("Unsqueeze", [wide[part], "middle"], [f"apart.{name}"]), node("Expand", [f"apart.{name}", "repeated"], [f"expanded.{name}"]),
                          node("Reshape", [f"expanded.{name}", "joined"], [f"wide.{name}"])]
                wide[part] = f"wide.{name}"
        nodes += [node("Transpose", [wide["key"]], [f"turned.{layer}"], perm=[0, 1, 3, 2]), node("MatMul", [query, f"turned.{layer}"], [f"raw.{layer}"]),
                  node("Mul", [f"raw.{layer}", "scale"], [f"scores.{layer}"])]
        if mask:
            nodes.append(node("Add", [f"scores.{layer}", "mask"], [f"masked.{layer}"]))
        nodes += [node("Softmax", [f"masked.{layer}" if mask else f"scores.{layer}"], [f"weights.{layer}"], axis=-1),
                  node("MatMul", [f"weights.{layer}", wide["value"]], [f"mixed.{layer}"])]
        query = f"mixed.{layer}"
    nodes.append(node("Transpose", [query], ["y"], perm=[0, 2, 1, 3]))
    outputs.append(value("y", kind, [batch, new, heads, width]))
    save_model(path, nodes, inputs, outputs, constants)


def judge(tools, model, library, processor, kind, *options):
    references = ["naive", "onnxruntime"] if processor == "native" else ["naive"]
    rtol = ["--rtol=2e-3"] if kind == HALF else []
    wrong = None
    for threads in (1, 3):
        wrong = wrong or verify_against(references, tools, model, library, f"--threads={threads}", *rtol, *options)
    return wrong


def cases(tools, work):
    model, library = work / "caches.onnx", work / "caches.so"
    for shape in SHAPES:
        make_model(model, *shape)
        for processor in processors():
            wrong = build(tools, model, library, f"--cpu={processor}")
            for new, past in RUNS:
                dims = [f"--dim=new={new}", f"--dim=past={past}", *([f"--dim=all={new + past}"] if shape[-1] else [])]
                yield f"{shape} {new} {past} {processor}", wrong or judge(tools, model, library, processor, shape[4], *dims)
    for shape in KNOWN:
        make_model(model, *shape)
        for processor in processors():
            yield f"{shape} {processor}", build(tools, model, library, f"--cpu={processor}") or judge(tools, model, library, processor, shape[4])


if __name__ == "__main__":
    judge_all(cases)
