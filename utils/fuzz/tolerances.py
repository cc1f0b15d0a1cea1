"""When two results are equal enough. Whole numbers, truth values and strings are equal or not; for floats this is the one table."""

import numpy as np

from element_types import FLOATS, from_storage

# Relative to the largest magnitude of the output, by the narrowest type that the graph computes in: allows some dozen successive roundings.
RELATIVE = {"f64": 1e-11, "f32": 2e-5, "f16": 2e-2, "bf16": 1e-1}
# Allowed error if the output is close to zero everywhere.
ABSOLUTE = {"f64": 1e-12, "f32": 1e-6, "f16": 2e-3, "bf16": 1e-2}
# Operators that lose more precision than others: factors for both bounds.
FACTOR_OF = {"Det": 20, "LpNormalization": 10, "LinearAttention": 4, "DFT": 4, "STFT": 4, "LSTM": 4, "GRU": 4, "RNN": 4}
# Factor on the naive path's own rounding error that a result may be off.
SLACK = 16


def narrowest(case):
    types = {value["type"] for value in case.values.values()} | {*case.input_types().values(), *case.output_types()}
    return next((each for each in ("bf16", "f16", "f32") if each in types), "f64")


def bounds_of(case):
    factor = max([FACTOR_OF.get(node.op_type, 1) for node in case.model.graph.node], default=1)
    return RELATIVE[narrowest(case)] * factor, ABSOLUTE[narrowest(case)] * factor


def numbers(type_, array):
    return from_storage(type_, array).astype(np.float64)


def worst(actual, expected):
    """Returns the largest error of finite elements; infinity if only one of two is finite, or if NaNs differ."""
    with np.errstate(all="ignore"):
        same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
        errors = np.where(same, 0, np.abs(actual - expected))
    return float(np.max(np.where(np.isnan(errors), np.inf, errors), initial=0))


def difference(case, type_, actual, expected, expected_type=None, allowed=0.0):
    """Returns the description of what is wrong with `actual`, or None. `allowed` is an error that the naive path has, too."""
    if actual.shape != expected.shape:
        return f"expected shape {list(expected.shape)}, got {list(actual.shape)}"
    if type_ not in FLOATS:
        if np.array_equal(actual, expected):
            return None
        at = tuple(int(place) for place in np.argwhere(actual != expected)[0])
        return f"{int(np.sum(actual != expected))} of {actual.size} elements differ, at {list(at)} expected {expected[at]}, got {actual[at]}"
    a, b = numbers(type_, actual), numbers(expected_type or type_, expected)
    relative, absolute = bounds_of(case)
    finite = np.abs(b[np.isfinite(b)])
    bound = relative * float(np.max(finite, initial=0)) + absolute + SLACK * allowed
    if type_ == "f16":  # values that overflow float16
        a, b = (np.where(np.abs(each) >= 65504, np.copysign(np.inf, each), each) for each in (a, b))
    error = worst(a, b)
    if error <= bound:
        return None
    with np.errstate(all="ignore"):
        off = np.where((a == b) | (np.isnan(a) & np.isnan(b)), -1, np.abs(a - b))
    off = np.where(np.isnan(off), np.inf, off)
    at = tuple(int(place) for place in np.unravel_index(int(off.argmax()), off.shape))
    return f"{int(np.sum(off > bound))} of {a.size} elements differ, at {list(at)} expected {b[at]!r}, got {a[at]!r}, bound {bound:.3g}"
