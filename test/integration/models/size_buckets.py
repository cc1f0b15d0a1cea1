#!/usr/bin/env python3
"""Compiles models whose tasks have a schedule for each range of sizes, and compares them with ONNX Runtime and the naive path inside of ranges and at their borders.

usage: size_buckets.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Products with constants, which schedules pack in different layouts, and of two inputs, rows with sums, a convolution over planes. A search draws the schedules. This script writes records in which
the schedule of each range is faster, so that no border depends on times. Exits 77 (skipped) without the onnx module.
"""

import json
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, verify_against

import numpy as np
import onnx.parser
from onnx import numpy_helper

# For each: the model, sizes of its constants, the argument of --tune-dim, and the dimension of the ranges, with their borders.
MODELS = {
    "product": ("""<ir_version: 8, opset_import: ["" : 17]>
product (float[seq, 72] x) => (float[seq, 100] y) { h = MatMul (x, w)
  y = Relu (h) }""", {"w": (72, 100)}, {"seq": (4, 33, 200)}, "seq", (11, 81)),
    "products": ("""<ir_version: 8, opset_import: ["" : 17]>
products (float[seq, 40] x) => (float[seq, 24] y, float[seq, seq] z) { h = MatMul (x, w)
  s = Softmax <axis = 1> (h)
  y = MatMul (s, v)
  t = Transpose <perm = [1, 0]> (y)
  z = MatMul (y, t) }""", {"w": (40, 56), "v": (56, 24)}, {"seq": (3, 50)}, "seq", (12, 40)),
    "plane": ("""<ir_version: 8, opset_import: ["" : 17]>
plane (float[1, 12, height, 20] x) => (float[1, 20, height, 20] y) { c = Conv <pads = [1, 1, 1, 1]> (x, w)
  y = Sigmoid (c) }""", {"w": (20, 12, 3, 3)}, {"height": (4, 30)}, "height", (7, 16)),
    # Runs must have equal sizes of k and l.
    "inputs": ("""<ir_version: 8, opset_import: ["" : 17]>
inputs (float[n, k] x, float[l, m] w) => (float[n, m] y) { h = MatMul (x, w)
  y = Tanh (h) }""", {}, {"n": (4, 33, 200), "k": (48,), "l": (48,), "m": (40,)}, "n", (11, 81)),
}
TRIALS = 24
OPTIONS = ("--records-policy=locked", "--remarks=join-variants")  # of compile


def make_model(path, text, constants):
    model = onnx.parser.parse_model(text)
    random = np.random.default_rng(7)
    for name, shape in constants.items():
        model.graph.initializer.append(numpy_helper.from_array(random.standard_normal(shape).astype(np.float32) / 8, name))
    onnx.save(model, path)


def record_of(base, schedule, level, **more):
    """Returns a record like `base` whose schedule takes half of the time of the one that it was compared with."""
    record = {**base, "level": level, "schedule": schedule, "costs": [1e-3] * 8, "default_costs": [2e-3] * 8, **more}
    return json.dumps(record)


def make_records(drawn, path, name, borders):
    """Writes records of three schedules per task: for all sizes, for sizes up to the first border, and for those between both."""
    records = [json.loads(line) for line in drawn.read_text().splitlines()]
    lines = []
    for task in dict.fromkeys(record["task"] for record in records):
        own = [record for record in records if record["task"] == task]
        proven = next(record for record in own if record["level"] == "release" and "proof" in record)
        schedules = list(dict.fromkeys(record["schedule"] for record in own if "error" not in record))
        picked = [schedules[0], schedules[len(schedules) // 2], schedules[-1]]
        lines.append(record_of(proven, picked[0], "release"))
        for schedule, dims in zip(picked[1:], ([0, borders[0]], [borders[0] + 1, borders[1]])):
            lines.append(record_of(proven, schedule, "release", format=4, dims={name: dims}))
    path.write_text("".join(line + "\n" for line in lines))


def sizes_of(borders):
    low, high = borders
    return [1, (low + 1) // 2, low, low + 1, (low + high) // 2, high, high + 1, 3 * high + 5]


def tune_model(tools, work, name):
    """Writes a model of MODELS and records of three schedules of each of its tasks. Returns both paths and the failure or None."""
    text, constants, tuned, dim, borders = MODELS[name]
    model, drawn, records = work / f"{name}.onnx", work / f"{name}.drawn.jsonl", work / f"{name}.jsonl"
    make_model(model, text, constants)
    drawn.unlink(missing_ok=True)
    sizes = [f"--tune-dim={each}={','.join(map(str, counts))}" for each, counts in tuned.items()]
    wrong = cameo(tools, "tune", model, "--records", drawn, "--policy=random", f"--trials={TRIALS}", "--progress=none", *sizes)
    if not wrong:
        make_records(drawn, records, dim, borders)
    return model, records, wrong


def runs_of(name):
    """The sizes of runs in, at and between the borders of ranges."""
    _, _, tuned, dim, borders = MODELS[name]
    return [{**{each: counts[0] for each, counts in tuned.items()}, dim: size} for size in sizes_of(borders)]


def cases(tools, work):
    for name in MODELS:
        library = work / f"{name}.so"
        model, records, wrong = tune_model(tools, work, name)
        if not wrong:
            wrong = build(tools, model, library, "--records", records, *OPTIONS)
        yield f"{name}", wrong
        for sizes in [] if wrong else runs_of(name):
            for threads in (1, 3):
                options = [*[f"--dim={dim}={size}" for dim, size in sizes.items()], f"--threads={threads}"]
                yield f"{name} {sizes} {threads}", verify_against(["naive", "onnxruntime"], tools, model, library, *options)


if __name__ == "__main__":
    judge_all(cases)
