#!/usr/bin/env python3
"""Compares TopK with a stable sort: all element types, few and all elements, with many equal ones and zeros of both signs.

usage: top_elements.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Of equal elements the first come first. Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, save_model

import numpy as np
from onnx import TensorProto, helper

TYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16, "float64": TensorProto.DOUBLE, "int8": TensorProto.INT8,
         "int16": TensorProto.INT16, "int32": TensorProto.INT32, "int64": TensorProto.INT64, "uint8": TensorProto.UINT8,
         "uint16": TensorProto.UINT16, "uint32": TensorProto.UINT32, "uint64": TensorProto.UINT64}
# shape, axis, how many
SELECTIONS = [((3, 40), 1, 7), ((2, 1, 300), 2, 300), ((1000,), 0, 129), ((50, 4), 0, 5), ((2, 9), -1, 1), ((5,), 0, 2), ((2, 3), 0, 0), ((2, 2000), 1, 5),
              ((700,), 0, 600)]


def make_values(kind, shape):
    random = np.random.default_rng(3)
    if kind.startswith("float"):
        values = random.standard_normal(shape).round(1)  # many equal ones
        values[random.random(shape) < 0.2] = -0.0
        values[random.random(shape) < 0.02] = np.inf
        return values.astype(kind)
    limits = np.iinfo(kind)
    values = random.integers(limits.min, limits.max, shape, dtype=kind, endpoint=True)
    values[random.random(shape) < 0.3] = limits.max // 2
    values[random.random(shape) < 0.1] = limits.min
    return values


def expected_places(values, axis, count, largest):
    # The bitwise complement reverses the order without negation, which unsigned integers do not have.
    order = values if not largest else -values if values.dtype.kind == "f" else ~values
    return np.argsort(order, axis=axis, kind="stable").take(range(count), axis=axis)


def judge(tools, work, kind, shape, axis, count, largest):
    model, library, outputs = work / "top.onnx", work / "top.so", work / "outputs"
    node = helper.make_node("TopK", ["x", "k"], ["values", "places"], axis=axis, largest=largest)
    taken = list(shape)
    taken[axis] = count
    results = [helper.make_tensor_value_info("values", TYPES[kind], taken), helper.make_tensor_value_info("places", TensorProto.INT64, taken)]
    save_model(model, [node], [helper.make_tensor_value_info("x", TYPES[kind], shape)], results, {"k": np.array([count])})
    values = make_values(kind, shape)
    np.save(work / "x.npy", values)
    wrong = build(tools, model, library) or cameo(tools, "run", library, "--inputs", work, "--output-dir", outputs)
    if wrong:
        return wrong
    places = expected_places(values, axis, count, largest)
    found = np.load(outputs / "places.npy")
    if not np.array_equal(found, places):
        return f"expected places {places}, got {found}"
    best = np.load(outputs / "values.npy")
    return None if best.tobytes() == np.take_along_axis(values, places, axis).tobytes() else f"wrong values {best}"


def cases(tools, work):
    for kind in TYPES:
        for number, (shape, axis, count) in enumerate(SELECTIONS):
            largest = (number + len(kind)) % 2
            yield f"{kind} {shape} {axis} {count} {largest}", judge(tools, work, kind, shape, axis, count, largest)


if __name__ == "__main__":
    judge_all(cases)
