"""Unique: rows and elements, many and few distinct ones, with NaN, sorted and in order of first occurrence. TopK of elements that are mostly equal."""

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(31)


def unique(x, is_sorted, axis):
    values, places, numbers, counts = numpy.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    numbers = numbers.reshape(-1)
    if not is_sorted:
        order = numpy.argsort(places)
        values, places, counts = numpy.take(values, order, axis=axis or 0), places[order], counts[order]
        numbers = numpy.argsort(order)[numbers]
    return [values, places, numbers, counts]


def write_best_of_equal(folder):
    for name, dtype, rows, count, best, limit in (("few", numpy.int64, 5, 256, 16, 2), ("masked", numpy.float32, 3, 100, 40, 1), ("heap", numpy.int64, 2, 3000, 700, 3),
                                                  ("short", numpy.int32, 4, 33, 8, 2)):
        x = (RANDOM.integers(0, 20, (rows, count)) == 0).astype(dtype) * RANDOM.integers(1, limit + 1, (rows, count)).astype(dtype)
        for largest in (1, 0):
            order = numpy.argsort(-x if largest else x, axis=1, kind="stable")[:, :best]
            write_case(folder, f"top_of_equal_{name}_{'largest' if largest else 'smallest'}", "TopK", [x, numpy.array([best])],
                       [numpy.take_along_axis(x, order, axis=1), order.astype(numpy.int64)], opset=11, constants=(1,), axis=1, largest=largest)


def write_cases(folder):
    write_best_of_equal(folder)
    with_nan = RANDOM.choice(numpy.array([numpy.nan, -numpy.inf, numpy.inf, 0.0, 2.5, -1.0], numpy.float32), 40)
    cases = {
        "many": (RANDOM.standard_normal(3000).astype(numpy.float32), None),
        "few": (RANDOM.integers(-9, 9, (40, 30)), None),
        "nan": (with_nan, None),
        "rows": (RANDOM.integers(0, 2, (60, 2, 3)).astype(numpy.float32), 0),
        "planes": (RANDOM.integers(0, 2, (2, 50, 2)), 1),
        "one": (numpy.array([4.0], numpy.float32), None),
    }
    for name, (x, axis) in cases.items():
        for is_sorted in (1, 0):
            attributes = {} if axis is None else {"axis": axis}
            write_case(folder, f"unique_{name}_{'sorted' if is_sorted else 'as_it_comes'}", "Unique", [x], unique(x, is_sorted, axis), opset=11,
                       sorted=is_sorted, **attributes)
