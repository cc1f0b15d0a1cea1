#!/usr/bin/env python3
"""Tests caches with one buffer for input and output, with the Python module: results equal those with two buffers, and only new rows are written.

usage: shared_caches.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Exits 77 (skipped) without the onnx module.
"""

import pathlib
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import cameo, judge_all

import numpy as np
from onnx import TensorProto, helper, save

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "runtime/python"))
import cameo as runtime

RANDOM = np.random.default_rng(5)


def scatter_model(path, capacity, rows):
    value = helper.make_tensor_value_info
    cache = [2, 3, capacity, 4]
    inputs = [value("past", TensorProto.FLOAT16, cache), value("rows", TensorProto.FLOAT16, [2, 3, rows, 4]), value("places", TensorProto.INT64, [2])]
    node = helper.make_node("TensorScatter", ["past", "rows", "places"], ["present"])
    graph = helper.make_graph([node], "g", inputs, [value("present", TensorProto.FLOAT16, cache)])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=11), path)


def query_model(path, past, present, new):
    """Makes a GroupQueryAttention with four query heads and two key heads; `past` and `present` are the stated numbers of rows of the caches."""
    value = helper.make_tensor_value_info
    real = TensorProto.FLOAT
    inputs = [value("x", real, [2, new, 64]), value("key", real, [2, new, 32]), value("value", real, [2, new, 32]), value("past_key", real, [2, 2, past, 16]),
              value("past_value", real, [2, 2, past, 16]), value("lengths", TensorProto.INT32, [2]), value("total", TensorProto.INT32, [])]
    outputs = [value("y", real, [2, new, 64]), value("present_key", real, [2, 2, present, 16]), value("present_value", real, [2, 2, present, 16])]
    node = helper.make_node("GroupQueryAttention", [each.name for each in inputs], [each.name for each in outputs], domain="com.microsoft", num_heads=4, kv_num_heads=2)
    graph = helper.make_graph([node], "g", inputs, outputs)
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)


def load(tools, path, library, *options):
    wrong = cameo(tools, "compile", path, "--emit=lib", "-o", library, *options)
    return (None, wrong) if wrong else (runtime.load(library), None)


def judge_shared(model, given, caches):
    """Compares a run with shared buffers with one without. `caches` maps outputs to the inputs whose memory they may share."""
    shared = {output.name: output.shared_input for output in model.outputs if output.shared_input}
    if shared != caches:
        return f"expected outputs in the memory of inputs {caches}, got {shared}"
    before = {name: array.copy() for name, array in given.items()}
    apart = model.run(given)
    if any(not np.array_equal(given[name], before[name]) for name in given):
        return "a run with memory of its own for outputs changed an input"
    once = model.run(given, outputs={output: given[past] for output, past in caches.items()})
    for name, array in apart.items():
        if not np.array_equal(array, once[name]):
            return f"output '{name}' differs where caches are shared"
    return None


def cases(tools, work):
    for number, (capacity, rows, places) in enumerate([(16, 1, [3, 9]), ("rows", 5, [0, 7]), ("rows", 5, [13, -2]), (16, 3, [100, -(2**62)])]):
        path, library = work / "scatter.onnx", work / f"scatter{number}.so"
        scatter_model(path, capacity, rows)
        model, wrong = load(tools, path, library)
        given = {"past": RANDOM.standard_normal((2, 3, 16, 4)).astype(np.float16), "rows": RANDOM.standard_normal((2, 3, rows, 4)).astype(np.float16),
                 "places": np.array(places, np.int64)}
        expected = given["past"].copy()
        for entry, place in enumerate(places):
            for row in range(rows):
                if 0 <= place + row < 16:
                    expected[entry, :, place + row] = given["rows"][entry, :, row]
        wrong = wrong or judge_shared(model, given, {"present": "past"})
        if not wrong and not np.array_equal(given["past"], expected):
            wrong = "expected new rows in the cache and what was there before"
        yield f"TensorScatter {capacity} {rows} {places}", wrong
    caches = {"present_key": "past_key", "present_value": "past_value"}
    aliases = [f"--alias={past}={present}" for present, past in caches.items()]
    # The second model names the rows as exporters do, and --alias states that both numbers are equal.
    for number, (past, present, new, options) in enumerate([("rows", "rows", 1, []), ("past", "past + 1", 1, aliases), ("rows", "rows", 4, aliases)]):
        path, library = work / "query.onnx", work / f"query{number}.so"
        query_model(path, past, present, new)
        model, wrong = load(tools, path, library, *options)
        given = {"x": (2, new, 64), "key": (2, new, 32), "value": (2, new, 32), "past_key": (2, 2, 96, 16), "past_value": (2, 2, 96, 16)}
        given = {name: RANDOM.standard_normal(shape).astype(np.float32) for name, shape in given.items()}
        given |= {"lengths": np.array([39 + new, 17 + new], np.int32), "total": np.array(40 + new, np.int32)}
        yield f"GroupQueryAttention {past} {present} {new}", wrong or judge_shared(model, given, caches)


if __name__ == "__main__":
    judge_all(cases)
