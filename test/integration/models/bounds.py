#!/usr/bin/env python3
"""Numbers that data decides as sizes, up to a bound (--bound), compared with the naive path and with ONNX Runtime; runs beyond it are refused.

usage: bounds.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Without ONNX Runtime the naive path alone is compared with. Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, verify_against

import numpy as np
from onnx import parser, save

HEADER = '<ir_version: 8, opset_import: ["" : 17]>\n'
# Name: graph, compiler options, sizes of random inputs.
MODELS = {
    # Like text to speech, which repeats each state according to its duration.
    "durations": ("""
net (int64[n] durations, float[n, 4] x) => (float[frames, 4] y, int64 total)
<int64 zero = {0}, int64 one = {1}, int64[1] axis = {1}> {
  total = ReduceSum <keepdims = 0> (durations)
  places = Range (zero, total, one)
  ends = CumSum (durations, zero)
  columns = Unsqueeze (places, axis)
  before = LessOrEqual (ends, columns)
  numbers = Cast <to = 7> (before)
  at = ReduceSum <keepdims = 0> (numbers, axis)
  y = Gather (x, at)
}""", ["--bound=total=50"], ["--dim=n=6"]),
    "shape": ("""
net (int64[2] shape, float[1, 6] x) => (float[a, b] zeros, float[c, 6] rows, int64[2] stated)
<int64[1] six = {6}, int64[1] first = {0}> {
  zeros = ConstantOfShape (shape)
  height = Gather (shape, first)
  wanted = Concat <axis = 0> (height, six)
  rows = Expand (x, wanted)
  stated = Identity (shape)
}""", ["--bound=shape:0=7", "--bound=shape:1=9"], []),
    "best": ("net (float[3, 8] x, int64[1] k) => (float[3, a] values, int64[3, b] places) { values, places = TopK (x, k) }", ["--bound=k=8"], []),
    "numbers32": ("""
net (int32 m, float[4] x) => (float[r, 4] y)
<int32 zero = {0}, int32 one = {1}, int64[1] axis = {1}> {
  range = Range (zero, m, one)
  reals = Cast <to = 1> (range)
  column = Unsqueeze (reals, axis)
  y = Mul (column, x)
}""", ["--bound=m=20"], []),
    # Both bounds together: a data-dependent size may be as large as their product.
    "product": ("""
net (int64[1] n, int64[1] m) => (float[a, b] y, float[c] flat)
<int64[1] all = {-1}> {
  shape = Concat <axis = 0> (n, m)
  zeros = ConstantOfShape (shape)
  y = Cos (zeros)
  flat = Reshape (y, all)
}""", ["--bound=n=5", "--bound=m=9"], []),
    "rounds": ("""
net (int64 rounds, float[8] x) => (float[8] last, float[c, 8] all)
{
  last, all = Loop (rounds, , x) <body = round (int64 i, bool before, float[8] v) => (bool go, float[8] next, float[8] kept) {
    go = Identity (before)
    next = Add (v, x)
    kept = Tanh (next)
  }>
}""", ["--bound=rounds=8"], []),
}


def refuse(tools, work):
    """Tests a run at the bound, one beyond it, and one below 0."""
    model = work / "best-refused.onnx"
    save(parser.parse_model(HEADER + MODELS["best"][0]), model)
    messages = []
    for number, expected in (5, None), (6, "exceeds its bound in the model"), (-1, "invalid argument"):
        folder = work / "inputs"
        folder.mkdir(exist_ok=True)
        np.save(folder / "x", np.ones((3, 8), np.float32))
        np.save(folder / "k", np.array([number]))
        wrong = cameo(tools, "run", model, "--bound=k=5", "--inputs", folder)
        if (wrong is None) != (expected is None) or (expected and expected not in wrong):
            messages.append(f"{number}: expected {expected or 'success'}, got {wrong}")
    return "\n".join(messages) or None


def cases(tools, work):
    for name, (graph, bounds, sizes) in MODELS.items():
        model, library = work / f"{name}.onnx", work / f"{name}.so"
        save(parser.parse_model(HEADER + graph), model)
        yield name, (build(tools, model, library, "--threads=2", *bounds) or
                     verify_against(["naive", "onnxruntime"], tools, model, library, "--threads=2", "--rounds=6", "--largest-integer=5", *bounds, *sizes))
    yield "refused", refuse(tools, work)


if __name__ == "__main__":
    judge_all(cases)
