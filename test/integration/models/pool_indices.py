#!/usr/bin/env python3
"""Indices of MaxPool where elements are as small as their type allows, compared with NumPy: padding must not be taken for one of them.

usage: pool_indices.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Of equal elements the first counts. Exits 77 (skipped) without the onnx module.
"""

import itertools
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, save_model

import numpy as np
from onnx import TensorProto, helper

TYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16, "float64": TensorProto.DOUBLE, "int8": TensorProto.INT8, "uint8": TensorProto.UINT8}
# Shape of the image, and attributes of the operator.
WINDOWS = [
    ((7, 9), {"kernel_shape": [2, 3], "pads": [1, 2, 0, 1]}),
    ((8, 6), {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [2, 2], "storage_order": 1}),
    ((6, 5), {"kernel_shape": [2, 2], "pads": [1, 0, 1, 1], "dilations": [2, 3]}),
    ((4, 8), {"kernel_shape": [2, 2], "strides": [2, 2]}),
    ((5,), {"kernel_shape": [2], "pads": [1, 0], "dilations": [2]}),
]


def make_values(kind, shape):
    random = np.random.default_rng(5)
    least = -np.inf if kind.startswith("float") else np.iinfo(kind).min
    values = random.integers(0, 4, shape).astype(kind)
    values[random.random(shape) < 0.8] = least
    return values


def expected(values, kernel_shape, pads=None, strides=None, dilations=None, storage_order=0):
    """Returns the values and indices, window by window."""
    sizes = values.shape[2:]
    rank = len(sizes)
    pads, strides, dilations = pads or [0] * 2 * rank, strides or [1] * rank, dilations or [1] * rank
    counts = [(size + pads[i] + pads[i + rank] - (kernel_shape[i] - 1) * dilations[i] - 1) // strides[i] + 1 for i, size in enumerate(sizes)]
    best, places = np.zeros((*values.shape[:2], *counts), values.dtype), np.zeros((*values.shape[:2], *counts), np.int64)
    for image, channel, *window in np.ndindex(best.shape):
        found = None
        for offset in itertools.product(*map(range, kernel_shape)):
            at = tuple(w * s - p + k * d for w, s, p, k, d in zip(window, strides, pads, offset, dilations))
            inside = all(0 <= place < size for place, size in zip(at, sizes))
            if inside and (found is None or values[(image, channel, *at)] > values[(image, channel, *found)]):
                found = at
        index = np.ravel_multi_index(found, sizes, order="F" if storage_order else "C")
        best[(image, channel, *window)] = values[(image, channel, *found)]
        places[(image, channel, *window)] = (image * values.shape[1] + channel) * int(np.prod(sizes)) + index
    return best, places


def judge(tools, work, kind, size, attributes, options):
    model, library, outputs = work / "pool.onnx", work / "pool.so", work / "outputs"
    values = make_values(kind, (2, 3, *size))
    best, places = expected(values, **attributes)
    results = [helper.make_tensor_value_info("best", TYPES[kind], best.shape), helper.make_tensor_value_info("places", TensorProto.INT64, best.shape)]
    save_model(model, [helper.make_node("MaxPool", ["x"], ["best", "places"], **attributes)], [helper.make_tensor_value_info("x", TYPES[kind], values.shape)], results, {})
    np.save(work / "x.npy", values)
    wrong = build(tools, model, library, *options) or cameo(tools, "run", library, "--inputs", work, "--output-dir", outputs)
    if wrong:
        return wrong
    for name, wanted in ("best", best), ("places", places):
        found = np.load(outputs / f"{name}.npy")
        if not np.array_equal(found, wanted):
            return f"{name}: expected {wanted.tolist()}, got {found.tolist()}"
    return None


def cases(tools, work):
    for kind, (size, attributes), options in itertools.product(TYPES, WINDOWS, ([], ["--naive"])):
        yield f"{kind} {size} {attributes} {options}", judge(tools, work, kind, size, attributes, options)


if __name__ == "__main__":
    judge_all(cases)
