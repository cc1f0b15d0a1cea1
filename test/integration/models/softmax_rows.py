#!/usr/bin/env python3
"""Softmax of rows with NaN and infinities, compared with NumPy in float64: a row with a NaN is NaN, others are not.

usage: softmax_rows.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Rows of whole vectors and of parts of them, along the last dimension and another one, for this processor and, on x86-64, for ones with smaller vectors. Exits 77
(skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import cameo, judge_all, processors, save_model

import numpy as np
from onnx import TensorProto, helper

LENGTHS = [128, 77, 16, 5]
ROWS = 48


def rows(length):
    x = np.random.default_rng(length).standard_normal((ROWS, length)).astype(np.float32) * 5
    for row in range(20):
        x[row, row * 7 % length] = np.nan
    x[20] = np.nan
    x[21] = -np.inf
    x[22, 3] = np.inf
    x[23, 1:] = -np.inf
    x[24, 1:] = -np.inf
    x[24, 0] = np.nan
    return x


def softmax(x):
    with np.errstate(invalid="ignore"):
        power = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
        return power / power.sum(axis=1, keepdims=True)


def judge(tools, work, x, axis, processor):
    model, library, inputs, outputs = (work / f"softmax{ending}" for ending in (".onnx", f"_{processor}.so", "-inputs", "-outputs"))
    x = x if axis == 1 else np.ascontiguousarray(x.T)
    save_model(model, [helper.make_node("Softmax", ["x"], ["y"], axis=axis)], *([helper.make_tensor_value_info(name, TensorProto.FLOAT, x.shape)] for name in "xy"), {})
    inputs.mkdir(exist_ok=True)
    np.save(inputs / "x.npy", x)
    wrong = (cameo(tools, "compile", model, "--emit=lib", "-o", library, f"--cpu={processor}") or
             cameo(tools, "run", library, f"--inputs={inputs}", f"--output-dir={outputs}"))
    if wrong:
        return wrong
    found, expected = np.load(outputs / "y.npy"), softmax(x) if axis == 1 else softmax(x.T).T
    if not np.allclose(found, expected, rtol=2e-6, atol=1e-37, equal_nan=True):
        at = np.flatnonzero(~np.isclose(found, expected, rtol=2e-6, atol=1e-37, equal_nan=True))[0]
        return f"expected {expected.ravel()[at]} at {at}, got {found.ravel()[at]}"
    return None


def cases(tools, work):
    for length in LENGTHS:
        for axis in (1, 0):
            for processor in processors():
                yield f"{length} along {axis} {processor}", judge(tools, work, rows(length), axis, processor)


if __name__ == "__main__":
    judge_all(cases)
