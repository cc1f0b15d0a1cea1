#!/usr/bin/env python3
"""Conversions from and to f16 and bf16, exact to the last bit, and what computes with them, on processors with and without instructions for it.

usage: half_floats.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Libraries are linked by the compiler itself, without the functions of any C compiler: an object that needs one does not link. Exits 77 (skipped) without the
onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import cameo, judge_all, processors, save_model

import numpy as np
from onnx import TensorProto, helper

# NumPy has no bfloat16, so files hold float32.
TYPES = {"bool": TensorProto.BOOL, "float16": TensorProto.FLOAT16, "float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE, "int32": TensorProto.INT32, "int64": TensorProto.INT64}
BRAIN_TYPES = {**TYPES, "float32": TensorProto.BFLOAT16}
HALVES = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
BRAINS = (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32)


def wide_numbers(kind):
    """Returns all numbers of f16, the midpoints between them and their neighbours, NaNs, and numbers outside of the range."""
    finite = np.unique(HALVES[np.isfinite(HALVES)]).astype(kind)
    middles = (finite[1:] + finite[:-1]) / 2
    largest = np.array([65504, 65519.99, 65520, 65536, 1e5, np.finfo(kind).max, np.inf], kind)
    smallest = np.array([2.0**-24, 2.0**-25, np.finfo(kind).tiny, np.finfo(kind).smallest_subnormal], kind)
    further = np.concatenate([largest, smallest, np.nextafter(smallest, kind(1)), np.nextafter(smallest, kind(0))])
    bits = np.random.default_rng(5).integers(0, np.iinfo(f"uint{8 * further.itemsize}").max, 5000, f"uint{8 * further.itemsize}").view(kind)
    return np.concatenate([finite, middles, np.nextafter(middles, kind(np.inf)), np.nextafter(middles, kind(-np.inf)), further, -further, bits, [kind(np.nan)]])


def close_doubles():
    """Returns numbers that become midpoints between two numbers of f16 if they are rounded to f32 first."""
    middles = np.random.default_rng(6).choice(HALVES[np.isfinite(HALVES)], 4000).astype(np.float64) * (1 + 2.0**-11)
    return np.concatenate([middles * (1 + 2.0**-40), middles * (1 - 2.0**-40), middles])


def to_brain(numbers):
    """Returns numbers of f32 or f64, rounded once to bf16, as f32."""
    single = numbers.astype(np.float32)
    lower = (single.view(np.uint32) & 0xFFFF0000).view(np.float32)
    if numbers.dtype == np.float64:  # the last number towards zero that f32 has
        beyond = abs(single.astype(np.float64)) > abs(numbers)
        lower = ((single.view(np.uint32) - beyond) & 0xFFFF0000).view(np.float32)
    upper = (lower.view(np.uint32) + 0x10000).view(np.float32)
    below, above = abs(numbers - lower.astype(np.float64)), abs(np.where(np.isinf(upper), np.sign(upper) * 2.0**128, upper.astype(np.float64)) - numbers)
    even = (lower.view(np.uint32) >> 16) % 2 == 0
    rounded = np.where((below < above) | ((below == above) & even), lower, upper)
    return np.where(np.isfinite(numbers), np.where(abs(numbers) >= 2.0**128, np.sign(numbers) * np.inf, rounded), single).astype(np.float32)


def brain_numbers(kind):
    """Returns some numbers of bf16, the midpoints between them and their neighbours. None is subnormal in f32, because instructions of AVX512-BF16
    treat those as zero."""
    numbers = np.sort(np.random.default_rng(8).choice(BRAINS[abs(BRAINS) >= 2.0**-125], 6000))
    numbers = numbers[np.isfinite(numbers)].astype(kind)
    middles = numbers * kind(1) + numbers * kind(2.0**-9)
    largest = np.array([BRAINS[0x7F7F], np.inf, np.nan], kind)
    return np.concatenate([numbers, middles, np.nextafter(middles, kind(np.inf)), np.nextafter(middles, kind(-np.inf)), largest, -largest])


def brain_models():
    with np.errstate(all="ignore"):
        for kind in (np.float32, np.float64):
            name, numbers = np.dtype(kind).name, brain_numbers(kind)
            yield f"bf16 to {name}", "Cast", {"to": TYPES[name]}, [BRAINS], BRAINS.astype(kind), BRAIN_TYPES, TYPES
            yield f"{name} to bf16", "Cast", {"to": TensorProto.BFLOAT16}, [numbers], to_brain(numbers), TYPES, BRAIN_TYPES
        numbers = np.random.default_rng(9).permutation(BRAINS[(abs(BRAINS) >= 2.0**-100) & (abs(BRAINS) < 2.0**100)])[:36000]
        reverse, rows = numbers[::-1].copy(), numbers.reshape(90, 400)
        yield "bf16 sum", "Add", {}, [numbers, reverse], to_brain(numbers + reverse), BRAIN_TYPES, BRAIN_TYPES
        yield "bf16 larger", "Max", {}, [numbers, reverse], np.maximum(numbers, reverse), BRAIN_TYPES, BRAIN_TYPES
        yield "bf16 order", "Less", {}, [numbers, reverse], numbers < reverse, BRAIN_TYPES, TYPES
        yield "bf16 largest", "ReduceMax", {"axes": [1], "keepdims": 0}, [rows], rows.max(axis=1), BRAIN_TYPES, BRAIN_TYPES
        yield "place of the largest bf16", "ArgMax", {"axis": 1, "keepdims": 0}, [rows], rows.argmax(axis=1), BRAIN_TYPES, TYPES
        planes = numbers.reshape(1, 90, 20, 20)
        yield "bf16 pool", "MaxPool", {"kernel_shape": [2, 2], "strides": [2, 2]}, [planes], planes.reshape(1, 90, 10, 2, 10, 2).max(axis=(3, 5)), BRAIN_TYPES, BRAIN_TYPES


def models():
    with np.errstate(all="ignore"):
        for kind in (np.float32, np.float64):
            name = np.dtype(kind).name
            yield f"f16 to {name}", "Cast", {"to": TYPES[name]}, [HALVES], HALVES.astype(kind)
            yield f"{name} to f16", "Cast", {"to": TYPES["float16"]}, [wide_numbers(kind)], wide_numbers(kind).astype(np.float16)
        doubles = close_doubles()
        yield "close doubles to f16", "Cast", {"to": TYPES["float16"]}, [doubles], doubles.astype(np.float16)
        integers = np.concatenate([np.arange(-70000, 70000, 7), [2**31 - 1, -2**31]])
        for kind in ("int32", "int64"):
            yield f"{kind} to f16", "Cast", {"to": TYPES["float16"]}, [integers.astype(kind)], integers.astype(kind).astype(np.float16)
            yield f"f16 to {kind}", "Cast", {"to": TYPES[kind]}, [HALVES[abs(HALVES) < 60000]], HALVES[abs(HALVES) < 60000].astype(kind)
        numbers = HALVES[np.isfinite(HALVES)]
        yield "sum", "Add", {}, [numbers, numbers[::-1].copy()], numbers + numbers[::-1]
        yield "larger", "Max", {}, [numbers, numbers[::-1].copy()], np.maximum(numbers, numbers[::-1])
        yield "root", "Sqrt", {}, [abs(numbers)], np.sqrt(abs(numbers))
        yield "order", "Less", {}, [numbers, numbers[::-1].copy()], numbers < numbers[::-1]
        rows = np.random.default_rng(7).permutation(numbers)[:63000].reshape(90, 700)
        yield "largest", "ReduceMax", {"axes": [1], "keepdims": 0}, [rows], rows.max(axis=1)
        yield "place of the largest", "ArgMax", {"axis": 1, "keepdims": 0}, [rows], rows.argmax(axis=1)
        planes = rows[:, :676].reshape(1, 90, 26, 26)
        yield "pool", "MaxPool", {"kernel_shape": [2, 2], "strides": [2, 2]}, [planes], planes.reshape(1, 90, 13, 2, 13, 2).max(axis=(3, 5))


def all_models():
    for each in models():
        yield *each, TYPES, TYPES
    yield from brain_models()


def value(name, array, types):
    return helper.make_tensor_value_info(name, types[str(array.dtype)], array.shape)


def judge(tools, work, number, processor, operator, attributes, arrays, expected, input_types, output_types, further=()):
    model, library, outputs = work / f"half{number}.onnx", work / f"half{number}_{processor}.so", work / f"outputs{number}"
    names = [f"x{i}" for i in range(len(arrays))]
    save_model(model, [helper.make_node(operator, names, ["y"], **attributes)], [value(*each, input_types) for each in zip(names, arrays)], [value("y", expected, output_types)], {})
    inputs = work / f"inputs{number}"
    inputs.mkdir(exist_ok=True)
    for name, array in zip(names, arrays):
        np.save(inputs / f"{name}.npy", array)
    wrong = (cameo(tools, "compile", model, "--emit=lib", "-o", library, f"--cpu={processor}", *further) or
             cameo(tools, "run", library, f"--inputs={inputs}", f"--output-dir={outputs}"))
    if wrong:
        return wrong
    found = np.load(outputs / "y.npy")
    # All NaNs are equal; zeros have signs.
    bits = f"uint{8 * expected.itemsize}"
    differs = found.view(bits) != expected.view(bits)
    if expected.dtype.kind == "f":
        differs &= ~(np.isnan(found) & np.isnan(expected))
    if operator == "Max":
        differs &= found != expected # of two zeros either may be the maximum
    at = np.flatnonzero(differs)
    return f"{len(at)} differ: of {[array.ravel()[at[0]] for array in arrays if array.size == expected.size]} expected {expected.ravel()[at[0]]}, got {found.ravel()[at[0]]}" if len(at) else None


def cases(tools, work):
    for number, (name, *model) in enumerate(all_models()):
        for processor in processors():
            yield f"{name} {processor}", judge(tools, work, number, processor, *model)
        if processor != "native":
            yield f"{name} naive", judge(tools, work, number, "x86-64", *model, ["--naive"])


if __name__ == "__main__":
    judge_all(cases)
