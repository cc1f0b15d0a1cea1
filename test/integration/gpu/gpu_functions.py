#!/usr/bin/env python3
"""Functions of float64 and remainders in kernels for a GPU, run by the emulator, against NumPy: usual numbers and those at the ends.

usage: gpu_functions.py CAMEO EMULATOR WORK_FOLDER
"""

import math
import pathlib
import subprocess
import sys

from emulated import CODE, environment, numpy, onnx
from onnx import helper

ENDS = [0.0, -0.0, 1.0, -1.0, numpy.inf, -numpy.inf, numpy.nan, 1e-310, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -1e308, 709.7, 709.8, -745.1, -745.2, -708.4, 1e9, 0.5, 3.0, -3.0, 2.5, -2.5, 64.0, 65.0]
FUNCTIONS = {"Exp": (numpy.exp, 4), "Log": (numpy.log, 4), "Sin": (numpy.sin, 4), "Cos": (numpy.cos, 4), "Tan": (numpy.tan, 8), "Asin": (numpy.arcsin, 4), "Acos": (numpy.arccos, 4),
             "Atan": (numpy.arctan, 4), "Sinh": (numpy.sinh, 6), "Cosh": (numpy.cosh, 6), "Tanh": (numpy.tanh, 4), "Asinh": (numpy.arcsinh, 4), "Acosh": (numpy.arccosh, 4),
             "Atanh": (numpy.arctanh, 4), "Erf": (numpy.vectorize(math.erf), 4)}


def ulps(expected, actual):
    """Returns differences in units in the last place; infinity if only one is NaN or infinite."""
    same = (expected == actual) | (numpy.isnan(expected) & numpy.isnan(actual))
    with numpy.errstate(all="ignore"):
        return numpy.where(same, 0, numpy.nan_to_num(numpy.abs(expected - actual) / numpy.spacing(numpy.abs(expected)), nan=numpy.inf))


def main():
    cameo, emulator, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    (work / "in").mkdir(parents=True, exist_ok=True)
    generator = numpy.random.default_rng(0)
    x = numpy.concatenate([ENDS, generator.standard_normal(500) * 100, generator.standard_normal(500), generator.uniform(-1, 1, 500), 10 ** generator.uniform(-300, 300, 500)])
    # Each special value with each other one, and random numbers.
    base, exponent = (part.ravel() for part in numpy.meshgrid(ENDS, ENDS))
    base = numpy.concatenate([base, generator.uniform(0, 20, 500), -generator.integers(1, 20, 200).astype(float)])
    exponent = numpy.concatenate([exponent, generator.uniform(-20, 20, 500), generator.integers(-30, 30, 200).astype(float)])
    with numpy.errstate(over="ignore"):
        singles = {"u": base.astype(numpy.float32), "v": exponent.astype(numpy.float32)}
    inputs = {"x": x, "base": base, "exponent": exponent, **singles}
    nodes = [helper.make_node(name, ["x"], [name]) for name in FUNCTIONS]
    nodes += [helper.make_node("Pow", ["base", "exponent"], ["Pow"]), helper.make_node("Mod", ["base", "exponent"], ["Mod"], fmod=1), helper.make_node("Mod", ["u", "v"], ["Mod32"], fmod=1)]
    kind = {numpy.dtype("float64"): onnx.TensorProto.DOUBLE, numpy.dtype("float32"): onnx.TensorProto.FLOAT}
    graph = helper.make_graph(nodes, "functions", [helper.make_tensor_value_info(name, kind[array.dtype], array.shape) for name, array in inputs.items()],
                              [helper.make_tensor_value_info(node.output[0], onnx.TensorProto.FLOAT if node.output[0] == "Mod32" else onnx.TensorProto.DOUBLE, None) for node in nodes])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), work / "functions.onnx")
    for name, array in inputs.items():
        numpy.save(work / "in" / f"{name}.npy", array)
    subprocess.run([cameo, "run", work / "functions.onnx", *CODE, "--inputs", work / "in", "--output-dir", work / "out"], check=True, stdout=subprocess.DEVNULL,
                   env=environment(emulator))
    # Beyond some magnitude, sines have no correct digits.
    isSmall = numpy.abs(x) < 2**30
    with numpy.errstate(all="ignore"):
        expected = {name: (function(x), x, bound) for name, (function, bound) in FUNCTIONS.items()}
        expected["Pow"] = (base**exponent, (base, exponent), 1000)
        expected["Mod"] = (numpy.fmod(base, exponent), (base, exponent), 0)
        expected["Mod32"] = (numpy.fmod(singles["u"], singles["v"]), (singles["u"], singles["v"]), 0)
    failed = 0
    for name, (want, where, bound) in expected.items():
        got = numpy.load(work / "out" / f"{name}.npy")
        # Results below the smallest normal number may be rounded twice.
        with numpy.errstate(invalid="ignore"):
            error = numpy.where((numpy.abs(want) < 2.3e-308) & (numpy.abs(want - got) <= 1e-323), 0, ulps(want, got))
        if name in ("Sin", "Cos", "Tan"):
            error = numpy.where(isSmall | ~numpy.isfinite(x), error, 0)
        worst = int(numpy.argmax(error))
        print(f"{name}: {error[worst]:.3g} units at {numpy.array(where).T[worst] if isinstance(where, tuple) else where[worst]}: expected {want[worst]}, got {got[worst]}")
        failed |= not error[worst] <= bound
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
