"""Pools in the order of the model, whose windows overlap: combined whole or line by line, with rows longer and shorter than a vector."""

import itertools

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(31)
# Shape of a plane, and attributes.
WINDOWS = {
    "same": ((19, 21), {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}),
    "valid": ((17, 18), {"kernel_shape": [3, 3]}),
    "strided": ((20, 33), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}),
    "strided_valid": ((15, 19), {"kernel_shape": [5, 4], "strides": [3, 2]}),
    "large": ((13, 20), {"kernel_shape": [13, 13], "pads": [6, 6, 6, 6]}),
    "uneven": ((12, 18), {"kernel_shape": [2, 5], "strides": [1, 2], "pads": [1, 0, 0, 3]}),
    "rows": ((9, 17), {"kernel_shape": [5, 1], "pads": [2, 0, 2, 0]}),
    "few_columns": ((16, 7), {"kernel_shape": [5, 5], "pads": [2, 2, 2, 2]}),
    "dilated": ((18, 22), {"kernel_shape": [3, 3], "dilations": [3, 2], "pads": [3, 2, 3, 2]}),
    "overhang": ((16, 19), {"kernel_shape": [4, 4], "strides": [3, 3], "ceil_mode": 1}),
    "line": ((50,), {"kernel_shape": [3], "pads": [1, 1]}),
    "volume": ((6, 9, 18), {"kernel_shape": [3, 3, 3], "pads": [1] * 6}),
    "volume_strided": ((6, 9, 34), {"kernel_shape": [3, 3, 3], "strides": [2, 2, 2], "pads": [1] * 6}),
    "nothing": ((0, 18), {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}),
}


def windows_of(x, attributes, filler):
    """Returns the elements of each window as the last axis: `filler` beside the image."""
    kernel = attributes["kernel_shape"]
    rank = len(kernel)
    strides, dilations = attributes.get("strides", [1] * rank), attributes.get("dilations", [1] * rank)
    pads = attributes.get("pads", [0] * (2 * rank))
    counts, borders = [], [(0, 0), (0, 0)]
    for size, k, stride, dilation, begin, end in zip(x.shape[2:], kernel, strides, dilations, pads[:rank], pads[rank:]):
        extent = (k - 1) * dilation + 1
        room = size + begin + end - extent
        counts.append((room + (stride - 1 if attributes.get("ceil_mode") else 0)) // stride + 1)
        borders.append((begin, max(end, (counts[-1] - 1) * stride + extent - size - begin)))
    padded = numpy.pad(x, borders, constant_values=filler)
    elements = []
    for taps in itertools.product(*map(range, kernel)):
        places = [slice(tap * dilation, tap * dilation + (count - 1) * stride + 1, stride)
                  for tap, dilation, count, stride in zip(taps, dilations, counts, strides)]
        elements.append(padded[(slice(None), slice(None), *places)])
    return numpy.stack(elements, axis=-1)


def write_cases(folder):
    for (name, (plane, attributes)), kind in itertools.product(WINDOWS.items(), ("float32", "float16", "int8")):
        if kind != "float32" and name not in ("same", "strided", "large"):
            continue
        shape = (2, 3, *plane)
        x = RANDOM.integers(-128, 128, shape).astype(kind) if kind == "int8" else RANDOM.standard_normal(shape).astype(kind)
        lowest = -128 if kind == "int8" else -numpy.inf
        write_case(folder, f"pool_max_{name}_{kind}", "MaxPool", [x], [windows_of(x, attributes, lowest).max(axis=-1)], opset=12, **attributes)
        if kind == "int8":
            continue
        inside = windows_of(numpy.ones(shape), attributes, 0).sum(axis=-1)
        with numpy.errstate(invalid="ignore"):
            sums = windows_of(x.astype(numpy.float64), attributes, 0).sum(axis=-1)
            write_case(folder, f"pool_average_{name}_{kind}", "AveragePool", [x], [(sums / inside).astype(kind)], opset=19, **attributes)
        if "ceil_mode" not in attributes:
            count = numpy.prod(attributes["kernel_shape"])
            write_case(folder, f"pool_average_padding_{name}_{kind}", "AveragePool", [x], [(sums / count).astype(kind)], opset=19, count_include_pad=1, **attributes)
        squares = (windows_of(x.astype(numpy.float64), attributes, 0) ** 2).sum(axis=-1)
        write_case(folder, f"pool_norm_{name}_{kind}", "LpPool", [x], [numpy.sqrt(squares).astype(kind)], opset=18, p=2, **attributes)
