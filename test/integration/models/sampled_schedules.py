#!/usr/bin/env python3
"""Builds and runs schedules that the search draws at random, and compares each with the naive path: all schedules of the search space must be right, not only the best ones.

usage: sampled_schedules.py CAMEO WORK_FOLDER [--trials N] [--seed N] [--cpu NAME]... [--target TRIPLE --worker COMMAND] [MODEL...]

Each small model is tuned with N random trials and N trials of evolution, without the default schedules, with --check=all: a schedule that is
wrong, crashes or cannot be built is a failure. The seed is that of the day unless CAMEO_FUZZ_SEED or --seed fixes it. Exits 77 (skipped) without the onnx module
or the emulator of another TRIPLE.
"""

import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import processors, save_model

import numpy as np
from onnx import TensorProto, helper

TYPES = {"f32": (TensorProto.FLOAT, np.float32), "f16": (TensorProto.FLOAT16, np.float16), "u8": (TensorProto.UINT8, np.uint8), "i8": (TensorProto.INT8, np.int8),
         "i32": (TensorProto.INT32, np.int32), "i64": (TensorProto.INT64, np.int64), "f64": (TensorProto.DOUBLE, np.float64)}

MODELS = {}


class Graph:
    """A builder of a model: the function of an operator takes the names of its inputs and returns the name of its result."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.inputs, self.constants = [], [], {}

    def input(self, shape, kind="f32"):
        name = f"x{len(self.inputs)}"
        self.inputs.append(helper.make_tensor_value_info(name, TYPES[kind][0], shape))
        return name

    def weights(self, shape, kind="f32", scale=None):
        values = self.random.standard_normal(shape) * (scale or 1 / np.sqrt(max(1, np.prod(shape[1:]))))
        if kind in ("u8", "i8", "i32"):
            values = self.random.integers(*((0, 256) if kind == "u8" else (-100, 100)), shape)
        return self.constant(values, kind)

    def constant(self, values, kind="i64"):
        name = f"w{len(self.constants)}"
        self.constants[name] = np.asarray(values).astype(TYPES[kind][1])
        return name

    def op(self, operator, *operands, **attributes):
        results = [f"v{len(self.nodes)}"]
        self.nodes.append(helper.make_node(operator, operands, results, **attributes))
        return results[0]

    def save(self, path, result):
        output = helper.make_empty_tensor_value_info(result)
        save_model(path, self.nodes, self.inputs, [output], self.constants, opset=18)


def model(function):
    MODELS[function.__name__] = function
    return function


def family(name, cases):
    """Registers a model for each of `cases`, the arguments of the function."""
    def add(function):
        for number, case in enumerate(cases):
            MODELS[f"{name}_{number}"] = lambda g, case=case: function(g, *case)
        return function
    return add


@family("product", [((17, 40), (40, 33), "f32"), ((1, 96), (96, 130), "f32"), ((64, 64), (64, 64), "f32"), ((5, 300), (300, 7), "f32"), ((3, 9, 20), (20, 18), "f32"),
                    ((24, 31), (31, 40), "f16"), ((7, 64), (64, 48), "f64")])
def product(g, left, right, kind):
    return g.op("Relu", g.op("Add", g.op("MatMul", g.input(left, kind), g.weights(right, kind)), g.weights(right[-1:], kind)))


@family("product_of_inputs", [((4, 12, 16), (4, 16, 20), "f32"), ((2, 3, 7, 9), (2, 3, 9, 5), "f32"), ((2, 8, 24), (2, 24, 8), "f16")])
def product_of_inputs(g, left, right, kind):
    return g.op("MatMul", g.input(left, kind), g.input(right, kind))


@family("bytes", [((9, 64), (64, 33), "u8", "i8"), ((16, 50), (50, 16), "i8", "i8"), ((1, 128), (128, 40), "u8", "u8")])
def integer_product(g, left, right, kind, weights):
    zero = g.constant(7, kind)
    return g.op("Mul", g.op("Cast", g.op("MatMulInteger", g.input(left, kind), g.weights(right, weights), zero, g.constant(3, weights)), to=TensorProto.FLOAT),
                g.constant(0.01, "f32"))


@family("convolution", [((1, 3, 15, 17), (8, 3, 3, 3), 2, 1, 1, "f32"), ((2, 16, 9, 9), (16, 16, 3, 3), 1, 1, 1, "f32"), ((1, 8, 12, 10), (24, 8, 1, 1), 1, 0, 1, "f32"),
                        ((1, 12, 11, 13), (12, 1, 3, 3), 1, 1, 12, "f32"), ((1, 8, 16, 16), (8, 4, 5, 5), 1, 2, 2, "f32"), ((1, 16, 8, 14), (20, 16, 3, 3), 1, 1, 1, "f16"),
                        ((1, 33, 14, 12), (31, 33, 3, 3), 1, 1, 1, "f32"), ((1, 4, 40), (6, 4, 7), 3, 2, 1, "f32")])
def convolution(g, data, filters, stride, padding, group, kind):
    axes = len(data) - 2
    c = g.op("Conv", g.input(data, kind), g.weights(filters, kind), g.weights(filters[:1], kind), strides=[stride] * axes, pads=[padding] * 2 * axes, group=group)
    return g.op("Relu", c)


@family("residual", [((1, 16, 10, 12), "Relu"), ((2, 8, 7, 9), "Sigmoid")])
def residual(g, shape, activation):
    x = g.input(shape)
    first = g.op(activation, g.op("Conv", x, g.weights((shape[1], shape[1], 3, 3)), pads=[1] * 4))
    return g.op("Relu", g.op("Add", g.op("Conv", first, g.weights((shape[1], shape[1], 3, 3)), pads=[1] * 4), x))


@model
def quantized_convolution(g):
    scale, zero = g.constant(0.05, "f32"), g.constant(128, "u8")
    return g.op("QLinearConv", g.input((1, 8, 12, 9), "u8"), scale, zero, g.weights((16, 8, 3, 3), "i8"), g.constant(0.02, "f32"), g.constant(0, "i8"), g.constant(0.3, "f32"), zero,
                pads=[1] * 4)


@model
def transposed_convolution(g):
    return g.op("ConvTranspose", g.input((1, 6, 7, 8)), g.weights((6, 5, 3, 3)), strides=[2, 2], pads=[1] * 4)


@family("pool", [("MaxPool", (1, 9, 13, 12), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4}), ("AveragePool", (2, 5, 10, 11), {"kernel_shape": [2, 3]}),
                 ("MaxPool", (1, 3, 30), {"kernel_shape": [4], "dilations": [2]}), ("AveragePool", (1, 7, 9, 9), {"kernel_shape": [3, 3], "pads": [1] * 4, "count_include_pad": 1}),
                 ("GlobalAveragePool", (2, 20, 7, 9), {})])
def pool(g, operator, shape, attributes):
    return g.op(operator, g.input(shape), **attributes)


@family("reduction", [("ReduceSum", (40, 37), [1], "f32"), ("ReduceMax", (8, 9, 33), [0, 2], "f32"), ("ReduceMean", (3, 700), [0], "f32"), ("ReduceSum", (5, 3000), [1], "f32"),
                      ("ReduceProd", (6, 11), [0], "f32"), ("ReduceL2", (30, 18), [1], "f16"), ("ReduceSum", (12, 40), [0], "i32"), ("ReduceMin", (9, 25), [1], "i64")])
def reduction(g, operator, shape, axes, kind):
    return g.op(operator, g.input(shape, kind), g.constant(axes), keepdims=1)


@family("row", [("Softmax", (6, 50), {"axis": 1}, "f32"), ("Softmax", (4, 9, 20), {"axis": 1}, "f32"), ("LogSoftmax", (17, 33), {"axis": 1}, "f32"), ("Softmax", (8, 40), {"axis": 1}, "f16"),
                ("LpNormalization", (7, 30), {"axis": 1}, "f32")])
def row(g, operator, shape, attributes, kind):
    return g.op(operator, g.op("Mul", g.input(shape, kind), g.constant(0.5, kind)), **attributes)


@family("normalization", [("LayerNormalization", (9, 48)), ("LayerNormalization", (2, 5, 31)), ("InstanceNormalization", (2, 6, 9, 7))])
def normalization(g, operator, shape):
    channels = shape[-1:] if operator == "LayerNormalization" else shape[1:2]
    return g.op(operator, g.input(shape), g.weights(channels, scale=1), g.weights(channels, scale=1))


@family("elements", [((5, 77), "f32", ["Tanh", "Exp", "Neg"]), ((3, 4, 50), "f16", ["Sigmoid", "Abs"]), ((7, 9), "f32", ["Erf", "Sqrt", "Abs"]), ((1000,), "f32", ["Sin", "Softplus"])])
def elements(g, shape, kind, operators):
    value = g.input(shape, kind)
    value = g.op("Abs", value)
    for operator in operators[::-1]:
        value = g.op(operator, value)
    return g.op("Mul", value, g.weights(shape[-1:], kind, scale=1))


@family("moved", [((6, 7, 20), [2, 0, 1]), ((33, 65), [1, 0]), ((2, 3, 8, 9), [0, 2, 3, 1])])
def moved(g, shape, perm):
    return g.op("Add", g.op("Transpose", g.input(shape), perm=perm), g.constant(1, "f32"))


@model
def joined(g):
    return g.op("Relu", g.op("Concat", g.input((3, 5, 9)), g.input((3, 8, 9)), axis=1))


@model
def padded(g):
    return g.op("Pad", g.input((5, 9, 11)), g.constant([0, 1, 2, 0, 3, 1]), mode="reflect")


@model
def gathered(g):
    return g.op("Mul", g.op("Gather", g.weights((50, 24), scale=1), g.constant(g.random.integers(0, 50, (4, 7)))), g.input((4, 7, 24)))


@model
def embedded(g):
    return g.op("LayerNormalization", g.op("Add", g.op("Gather", g.weights((50, 32), scale=1), g.op("Cast", g.op("Clip", g.input((9,)), g.constant(0, "f32"), g.constant(49, "f32")),
                                                                                                    to=TensorProto.INT64)), g.input((9, 32))), g.weights((32,), scale=1))


@model
def compared(g):
    x, y = g.input((6, 40)), g.input((6, 40))
    return g.op("Where", g.op("Greater", x, y), g.op("Sub", x, y), g.op("Mul", x, y))


@model
def narrowed(g):
    return g.op("Cast", g.op("Mul", g.op("Clip", g.input((9, 25)), g.constant(-3, "f32"), g.constant(3, "f32")), g.constant(30, "f32")), to=TensorProto.INT8)


@model
def resized(g):
    return g.op("Resize", g.input((1, 3, 6, 7)), "", g.constant([1, 1, 2, 3], "f32"), mode="linear")


@family("attention", [((2, 9, 16), 4, "f32"), ((1, 20, 24), 2, "f16")])
def attention(g, shape, heads, kind):
    batch, length, width = shape
    x = g.input(shape, kind)

    def project(perm):
        p = g.op("MatMul", x, g.weights((width, width), kind))
        return g.op("Transpose", g.op("Reshape", p, g.constant([batch, length, heads, width // heads])), perm=perm)

    scores = g.op("Mul", g.op("MatMul", project([0, 2, 1, 3]), project([0, 2, 3, 1])), g.constant((width / heads) ** -0.5, kind))
    return g.op("MatMul", g.op("Softmax", scores, axis=-1), project([0, 2, 1, 3]))


@family("recurrent", [("LSTM", 4), ("GRU", 3), ("RNN", 1)])
def recurrent(g, operator, gates):
    length, batch, width, hidden = 6, 3, 10, 12
    return g.op(operator, g.input((length, batch, width)), g.weights((1, gates * hidden, width)), g.weights((1, gates * hidden, hidden)), g.weights((1, 2 * gates * hidden)),
                hidden_size=hidden)


@model
def feed_forward(g):
    x = g.input((7, 32))
    hidden = g.op("MatMul", x, g.weights((32, 80)))
    gelu = g.op("Mul", g.op("Mul", hidden, g.constant(0.5, "f32")), g.op("Add", g.op("Erf", g.op("Mul", hidden, g.constant(0.7071, "f32"))), g.constant(1, "f32")))
    return g.op("LayerNormalization", g.op("Add", g.op("MatMul", gelu, g.weights((80, 32))), x), g.weights((32,), scale=1))


def tune(arguments, name, policy, cpu):
    """Returns the records of a search, and its command."""
    path = arguments.work / f"{name}.onnx"
    records = arguments.work / f"{name}-{policy}-{cpu}.jsonl"
    records.unlink(missing_ok=True)
    command = [arguments.cameo, "tune", path, "--records", records, "--check=all", f"--policy={policy}", "--no-defaults", "--cost-model=none", "--task-scheduler=round-robin",
               f"--trials={arguments.trials}", "--repeats=1", "--min-repeat-ms=0", "--progress=none", "--build-threads=1", f"--seed={arguments.seed}", "--threads=2", f"--cpu={cpu}",
               f"--measure=command:{arguments.worker}", *([f"--target={arguments.target}"] if arguments.target else [])]
    command = [str(part) for part in command]
    result = subprocess.run(command, text=True, capture_output=True, check=False)
    lines = records.read_text().splitlines() if records.exists() else []
    return command, result, [json.loads(line) for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cameo")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--trials", type=int, default=24, help="of each model, policy and processor")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("CAMEO_FUZZ_SEED", "0").split(":")[0]) or int(datetime.date.today().strftime("%Y%m%d")))
    parser.add_argument("--cpu", action="append", help="processors in turns; default: this one and, on x86-64, ones with smaller vectors")
    parser.add_argument("--target")
    parser.add_argument("--worker", help="'exec' and the command that starts cameo-worker; default: that beside CAMEO, without an emulator")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("models", nargs="*", help="default: all")
    arguments = parser.parse_intermixed_args()
    arguments.worker = arguments.worker or f"exec {pathlib.Path(arguments.cameo).with_name('cameo-worker')}"
    if not shutil.which(arguments.worker.split()[1]):
        print(f"no {arguments.worker.split()[1]}")
        return 77
    arguments.work.mkdir(parents=True, exist_ok=True)
    names = arguments.models or list(MODELS)
    for number, name in enumerate(names):
        graph = Graph(number)
        graph.save(arguments.work / f"{name}.onnx", MODELS[name](graph))

    cpus = arguments.cpu or processors()
    runs = [(name, policy, cpus[(number + shift) % len(cpus)]) for number, name in enumerate(names) for shift, policy in enumerate(("random", "evolutionary"))]
    # A winner is confirmed once more, and both searches may draw the same.
    schedules, failures, kinds = set(), 0, collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for command, result, records in pool.map(lambda run: tune(arguments, *run), runs):
            schedules.update((record["task"], record["cpu"], record["schedule"]) for record in records if "proof" in record)
            wrong = [record for record in records if "error" in record]
            kinds.update(record["error"]["kind"] for record in wrong)
            if result.returncode != 0 or wrong or not records:
                failures += max(1, len(wrong))
                print("$ " + " ".join(command) + "\n" + result.stdout + result.stderr)
            for record in wrong[:2]:
                print(f"{record['name']}: {record['error']}\n  {record['schedule']}")
            sys.stdout.flush()
    tasks = {task for task, _, _ in schedules}
    print(f"seed {arguments.seed}: {len(schedules)} schedules of {len(tasks)} tasks agree with the naive path, {failures} failures {dict(kinds) or ''}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
