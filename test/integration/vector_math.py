#!/usr/bin/env python3
"""Elementary functions over samples of the whole float32 range against NumPy in float64: at most 4 units in the last place.

usage: vector_math.py CAMEO CC RUNTIME WORK_FOLDER CPU

Results below the smallest normal number are not judged (they may be zero); what C's functions give for zeros, infinities and
NaN is. CPU is what --cpu takes; exits 77 (skipped, with the reason) when this machine cannot run its code.
"""

import math
import pathlib
import shutil
import subprocess
import sys

import numpy
from onnx import TensorProto, helper, save

LARGEST_ERROR = 4
NEVER_SUBNORMAL = {"Exp", "Sigmoid"}  # products with such numbers take a hundred times as long as others
SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e-40, -1e-40, 88.72, 89, -86, -110, 2e6, -3e38, 1, -1, 0.5, -0.5]
NEEDED_FLAGS = {"x86-64": [], "haswell": ["avx2", "fma"], "skylake-avx512": ["avx512f", "avx512vl"]}
SKIPPED = 77


def near(low, high):
    random = numpy.random.default_rng(1)
    return numpy.concatenate([random.uniform(low, high, 60000), numpy.linspace(low, high, 20001)])


def magnitudes(low, high):
    exponents = numpy.random.default_rng(2).uniform(low, high, 40000)
    return numpy.concatenate([10**exponents, -(10**exponents)])


def sigmoid(x):
    return 1 / (1 + numpy.exp(-x))


FUNCTIONS = {
    "Exp": (numpy.exp, [near(-87, 88.7), magnitudes(-37, 1.9)]),
    "Log": (numpy.log, [abs(magnitudes(-37, 38)), near(0.5, 2)]),
    "Tanh": (numpy.tanh, [near(-10, 10), magnitudes(-37, 38)]),
    "Erf": (numpy.vectorize(math.erf, otypes=[float]), [near(-5, 5), magnitudes(-37, 38)]),
    "Sigmoid": (sigmoid, [near(-85, 30), magnitudes(-37, 1.9)]),
    "Sin": (numpy.sin, [near(-100, 100), magnitudes(-37, 38)]),
    "Cos": (numpy.cos, [near(-100, 100), magnitudes(-37, 38)]),
    "Tan": (numpy.tan, [near(-1.5, 1.5), magnitudes(-37, 2)]),
    "Atan": (numpy.arctan, [near(-10, 10), magnitudes(-37, 38)]),
    "Asin": (numpy.arcsin, [near(-1, 1), magnitudes(-37, -0.1)]),
    "Acos": (numpy.arccos, [near(-1, 1), magnitudes(-37, -0.1)]),
    "Sinh": (numpy.sinh, [near(-80, 80), magnitudes(-30, 1)]),
    "Cosh": (numpy.cosh, [near(-80, 80), magnitudes(-30, 1)]),
    "Softplus": (lambda x: numpy.logaddexp(0, x), [near(-80, 80)]),
    "Sqrt": (numpy.sqrt, [abs(magnitudes(-37, 38))]),
}


def make_model(path):
    nodes, inputs, outputs, values = [], [], [], {}
    for name, (_, parts) in FUNCTIONS.items():
        values[name] = numpy.concatenate([SPECIAL] + parts).astype(numpy.float32)
        shape = values[name].shape
        nodes.append(helper.make_node(name, [f"{name}_x"], [f"{name}_y"]))
        inputs.append(helper.make_tensor_value_info(f"{name}_x", TensorProto.FLOAT, shape))
        outputs.append(helper.make_tensor_value_info(f"{name}_y", TensorProto.FLOAT, shape))
    model = helper.make_model(helper.make_graph(nodes, "functions", inputs, outputs), opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    save(model, path)
    return values


def judge(name, x, actual):
    with numpy.errstate(all="ignore"):
        expected = FUNCTIONS[name][0](x.astype(numpy.float64))
        rounded = expected.astype(numpy.float32)
        unit = numpy.spacing(abs(rounded)).astype(numpy.float64)
        error = abs(actual.astype(numpy.float64) - expected) / unit
    is_number = numpy.isfinite(rounded)
    is_normal = is_number & (abs(expected) >= 1.2e-38)
    worst = numpy.argmax(numpy.where(is_normal, error, 0))
    # What is no number must be the same; what is too small may be nothing, but nothing else.
    same = (numpy.isnan(actual) == numpy.isnan(rounded)) & (numpy.isinf(actual) == numpy.isinf(rounded))
    same &= is_number | numpy.isnan(rounded) | (actual == rounded)
    same &= is_normal | ~is_number | (abs(actual) <= 1.2e-38)
    if name in NEVER_SUBNORMAL:
        same &= ~((actual != 0) & (abs(actual) < numpy.finfo(numpy.float32).tiny))
    good = error[worst] <= LARGEST_ERROR and same.all()
    print(f"{name:9} {error[worst]:6.2f} ulp at {x[worst]!r}" + ("" if same.all() else f", wrong at {x[~same][:4]}"))
    return good


def main():
    cameo, compiler, runtime, work, cpu = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4]), sys.argv[5]
    if cpu != "native":
        flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
        missing = [flag for flag in NEEDED_FLAGS[cpu] if flag not in flags]
        if missing:
            print(f"skipped: this machine has no {', '.join(missing)}")
            return SKIPPED
    shutil.rmtree(work, ignore_errors=True)
    (work / "in").mkdir(parents=True)
    values = make_model(work / "functions.onnx")
    for name, x in values.items():
        numpy.save(work / "in" / f"{name}_x.npy", x)
    subprocess.run([cameo, "compile", work / "functions.onnx", f"--cpu={cpu}", "-o", work / "functions.o"], check=True)
    subprocess.run([compiler, "-shared", work / "functions.o", runtime, "-lm", "-o", work / "functions.so"], check=True)
    subprocess.run([cameo, "run", work / "functions.so", "--inputs", work / "in", "--output-dir", work / "out"], check=True,
                   stdout=subprocess.DEVNULL)
    results = [judge(name, x, numpy.load(work / "out" / f"{name}_y.npy")) for name, x in values.items()]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
