#!/usr/bin/env python3
"""Compares elementary functions over samples of the whole float32 range with NumPy in float64: at most 4 units in the last place.
Powers and remainders are tested for all pairs of special numbers, and for samples; remainders are exact. Sums with 1 are compared in units of 1.

Results below the smallest normal number are not checked (they may be zero). Results for zeros, infinities and NaN must be
those of C's functions. The model is linked with write_outputs.c; exits 77 (skipped, with the reason) if this machine cannot
build or run its program.
"""

import argparse
import math
import pathlib
import shutil
import subprocess
import sys

import numpy
from onnx import TensorProto, helper, save

from compare_target import SKIPPED, find_missing

LARGEST_ERROR = 4
NEVER_SUBNORMAL = {"Exp", "Sigmoid"}  # products with such numbers take a hundred times as long as others
SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e-40, -1e-40, 88.72, 89, -86, -110, 2e6, -3e38, 1, -1, 0.5, -0.5]
ROOT_HALF = math.sqrt(0.5)
SOURCE = pathlib.Path(__file__).parent / "write_outputs.c"


def near(low, high):
    random = numpy.random.default_rng(1)
    return numpy.concatenate([random.uniform(low, high, 60000), numpy.linspace(low, high, 20001)])


def magnitudes(low, high):
    exponents = numpy.random.default_rng(2).uniform(low, high, 40000)
    return numpy.concatenate([10**exponents, -(10**exponents)])


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


def complement(factor):
    return numpy.vectorize(lambda x: math.erfc(-factor * x), otypes=[float])


FUNCTIONS = {
    "Exp": (numpy.exp, [near(-87, 88.7), magnitudes(-37, 1.9)]),
    "Log": (numpy.log, [abs(magnitudes(-37, 38)), near(0.5, 2)]),
    "Tanh": (numpy.tanh, [near(-10, 10), magnitudes(-37, 38)]),
    "Erf": (numpy.vectorize(math.erf, otypes=[float]), [near(-5, 5), magnitudes(-37, 38)]),
    "ErfPlusOne": (complement(1), [near(-10, 10), magnitudes(-37, 38)]),
    "Normal": (complement(ROOT_HALF), [near(-14, 14), magnitudes(-37, 38)]),
    "Sigmoid": (sigmoid, [near(-85, 30), magnitudes(-37, 1.9)]),
    "Sin": (numpy.sin, [near(-100, 100), magnitudes(-37, 38)]),
    "Cos": (numpy.cos, [near(-100, 100), magnitudes(-37, 38)]),
    "Tan": (numpy.tan, [near(-1.5, 1.5), magnitudes(-37, 2)]),
    "Atan": (numpy.arctan, [near(-10, 10), magnitudes(-37, 38)]),
    "Asin": (numpy.arcsin, [near(-1, 1), magnitudes(-37, -0.1)]),
    "Acos": (numpy.arccos, [near(-1, 1), magnitudes(-37, -0.1)]),
    "Sinh": (numpy.sinh, [near(-80, 80), magnitudes(-30, 1)]),
    "Cosh": (numpy.cosh, [near(-80, 80), magnitudes(-30, 1)]),
    "Asinh": (numpy.arcsinh, [near(-10, 10), magnitudes(-37, 38)]),
    "Acosh": (numpy.arccosh, [near(1, 10), abs(magnitudes(0, 38)), near(1, 1.001)]),
    "Atanh": (numpy.arctanh, [near(-1, 1), magnitudes(-37, -0.1)]),
    "Elu": (lambda x: numpy.where(x > 0, x, numpy.expm1(x)), [near(-30, 1), magnitudes(-37, 2)]),
    "Softplus": (lambda x: numpy.logaddexp(0, x), [near(-80, 80)]),
    "Sqrt": (numpy.sqrt, [abs(magnitudes(-37, 38))]),
    "Pow": (numpy.power, None),
    "Mod": (numpy.fmod, None),
}

# Functions that are no operator, by a factor of their argument, and the sum 1 + erf of it.
SUMS = {"ErfPlusOne": 1.0, "Normal": ROOT_HALF}

POWER_SPECIAL = [*SPECIAL, 3, -3, 2.5, -2.5, 2, -2, 1 + 2**-23, 1 - 2**-24, 1e38, 2**24 + 2, -(2**24) - 2, 2**24 - 1, 2**31, 1 / 3]


def powers():
    """Returns bases and exponents: all pairs of special numbers; bases of any size with exponents whose results are finite; integer exponents; bases near one."""
    random = numpy.random.default_rng(3)
    special = numpy.array(numpy.meshgrid(POWER_SPECIAL, POWER_SPECIAL)).reshape(2, -1)
    bases = 10 ** random.uniform(-44, 38, 60000)
    exponents = random.uniform(-38, 38, 60000) / numpy.log10(bases)
    signed, whole = random.uniform(-100, 100, 20000), random.integers(-12, 13, 20000)
    nearly, large = 1 + random.uniform(-1e-3, 1e-3, 20000), random.uniform(-80000, 80000, 20000)
    return [numpy.concatenate([special[0], bases, signed, nearly]), numpy.concatenate([special[1], exponents, whole, large])]


def divisions():
    """Returns dividends and divisors: all pairs of special numbers; any sizes; quotients below and about 2^28; multiples."""
    random = numpy.random.default_rng(4)
    special = numpy.array(numpy.meshgrid(POWER_SPECIAL, POWER_SPECIAL)).reshape(2, -1)
    anything = random.choice([-1, 1], (2, 20000)) * 10 ** random.uniform(-44, 38, (2, 20000))
    divisors = numpy.float32(10 ** random.uniform(-20, 20, 60000)).astype(float)
    quotients = numpy.concatenate([2 ** random.uniform(-2, 30, 40000), random.integers(0, 1 << 20, 20000)])
    return [numpy.concatenate([special[0], anything[0], divisors * quotients]), numpy.concatenate([special[1], anything[1], divisors])]


def arguments_of(name):
    pairs = {"Pow": powers, "Mod": divisions}
    arguments = pairs[name]() if name in pairs else [numpy.concatenate([SPECIAL] + FUNCTIONS[name][1])]
    return [argument.astype(numpy.float32) for argument in arguments]


def nodes_of(name, inputs):
    if name not in SUMS:
        attributes = {"fmod": 1} if name == "Mod" else {}
        return [helper.make_node(name, inputs, [f"{name}_y"], **attributes)]
    numbers = {"factor": SUMS[name], "one": 1.0}
    constants = [helper.make_node("Constant", [], [f"{name}_{each}"], value_float=number) for each, number in numbers.items()]
    return [*constants, helper.make_node("Mul", [*inputs, f"{name}_factor"], [f"{name}_scaled"]),
            helper.make_node("Erf", [f"{name}_scaled"], [f"{name}_erf"]), helper.make_node("Add", [f"{name}_erf", f"{name}_one"], [f"{name}_y"])]


def make_model(path):
    """Writes the model and returns the arguments of each function: inputs named by the function and a number."""
    nodes, inputs, outputs, values = [], [], [], {}
    for name in FUNCTIONS:
        values[name] = arguments_of(name)
        names = [f"{name}_{number}" for number in range(len(values[name]))]
        shape = values[name][0].shape
        nodes += nodes_of(name, names)
        inputs += [helper.make_tensor_value_info(each, TensorProto.FLOAT, shape) for each in names]
        outputs.append(helper.make_tensor_value_info(f"{name}_y", TensorProto.FLOAT, shape))
    model = helper.make_model(helper.make_graph(nodes, "functions", inputs, outputs), opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    save(model, path)
    return values


def judge(name, arguments, actual):
    with numpy.errstate(all="ignore"):
        expected = FUNCTIONS[name][0](*(argument.astype(numpy.float64) for argument in arguments))
        rounded = expected.astype(numpy.float32)
        unit = numpy.spacing(abs(rounded)).astype(numpy.float64)
        if name in SUMS:
            unit = numpy.maximum(unit, numpy.spacing(numpy.float32(1)))
        error = abs(actual.astype(numpy.float64) - expected) / unit
    is_number = numpy.isfinite(rounded)
    is_normal = is_number & (abs(expected) >= 1.2e-38)
    error = numpy.where(is_normal, error, 0)
    worst = numpy.argmax(error)
    # NaN and infinity must be equal; results below the smallest normal number may be zero.
    same = (numpy.isnan(actual) == numpy.isnan(rounded)) & (numpy.isinf(actual) == numpy.isinf(rounded))
    same &= is_number | numpy.isnan(rounded) | (actual == rounded)
    same &= is_normal | ~is_number | (abs(actual) <= 1.2e-38)
    same &= (expected != 0) | (numpy.signbit(actual) == numpy.signbit(expected))
    if name in NEVER_SUBNORMAL:
        same &= ~((actual != 0) & (abs(actual) < numpy.finfo(numpy.float32).tiny))
    good = error[worst] <= LARGEST_ERROR and same.all()
    x = numpy.transpose(arguments)
    print(f"{name:9} {error[worst]:6.2f} ulp at {x[worst]}" + ("" if same.all() else f", wrong at {x[~same][:4]}: {actual[~same][:4]}"))
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("cameo", "cc", "target"):
        parser.add_argument(f"--{option}", required=True)
    for option in ("runtime", "include", "work"):
        parser.add_argument(f"--{option}", type=pathlib.Path, required=True)
    parser.add_argument("--cpu", default="", help="default: the baseline of the target")
    parser.add_argument("--emulator", default="", help="command that runs the target's programs")
    parser.add_argument("--needs", default="", help="flags of /proc/cpuinfo")
    arguments = parser.parse_args()
    if missing := find_missing(arguments):
        print(f"skipped: needs {missing}")
        return SKIPPED
    work = arguments.work
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    values = make_model(work / "functions.onnx")
    numpy.concatenate([argument for each in values.values() for argument in each]).tofile(work / "inputs")
    cpu = [f"--cpu={arguments.cpu}"] if arguments.cpu else []
    subprocess.run([arguments.cameo, "compile", work / "functions.onnx", f"--target={arguments.target}", *cpu, "-o", work / "functions.o"], check=True)
    subprocess.run([arguments.cc, "-O1", "-std=gnu11", "-static", "-DMODEL_DESCRIPTION=functions_description", f"-I{arguments.include}",
                    SOURCE, work / "functions.o", arguments.runtime, "-o", work / "functions", "-lm", "-lpthread"], check=True)
    subprocess.run([*arguments.emulator.split(), work / "functions", work / "outputs", "1", work / "inputs"], check=True)
    outputs = numpy.split(numpy.fromfile(work / "outputs", numpy.float32), numpy.cumsum([each[0].size for each in values.values()])[:-1])
    results = [judge(name, values[name], actual) for name, actual in zip(values, outputs)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
