#!/usr/bin/env python3
"""Products that the blocks of the product before them compute, run by the emulator with every access checked, and compared with NumPy in float64.

usage: gpu_chains.py CAMEO EMULATOR WORK_FOLDER

Products and convolutions, rows that tiles do not divide, columns in several parts, both element types. Rules choose the schedules. Where NVIDIA's assembler is
installed, it takes the kernels, too.
"""

import sys

from emulated import numpy
from gpu_groups import Model, numbers, run_all

# rows, depth, columns of the first and of the second product, element type
PRODUCTS = [
    (1029, 64, 64, 128, "float16"),
    (1500, 96, 128, 128, "bfloat16"),
    (3000, 64, 128, 64, "bfloat16"),
    (2048, 128, 256, 64, "float16"),
    (4096, 64, 64, 256, "bfloat16"),
]
# images, side, channels, filters of the first convolution and its window, filters of the second one, element type
CONVOLUTIONS = [
    (8, 28, 64, 64, 1, 64, "float16"),
    (1, 75, 64, 64, 3, 128, "bfloat16"),
    (2, 56, 64, 64, 3, 256, "float16"),
]


def make_products(path, shape):
    rows, depth, between, columns, kind = shape
    generator = numpy.random.default_rng(rows + columns)
    x, a, b = numbers(generator, (rows, depth)), numbers(generator, (depth, between)) / 8, numbers(generator, (between, columns)) / 8
    bias = numbers(generator, (columns,))
    model = Model(kind)
    first = model.add("Relu", model.add("MatMul", model.operand("x", x, False), model.operand("a", a, True)))
    second = model.add("Add", model.add("MatMul", first, model.operand("b", b, True)), model.operand("bias", bias, True))
    model.save(path, model.add("Relu", second))
    return model.inputs, numpy.maximum(numpy.maximum(x @ a, 0) @ b + bias, 0)


def make_convolutions(path, shape):
    images, side, channels, between, window, filters, kind = shape
    generator = numpy.random.default_rng(side + filters)
    x, v, w = numbers(generator, (images, channels, side, side)), numbers(generator, (between, channels, window, window)) / 8, numbers(generator, (filters, between, 1, 1)) / 8
    model = Model(kind)
    pad = window // 2
    first = model.add("Relu", model.add("Conv", model.operand("x", x, False), model.operand("v", v, True), pads=[pad] * 4))
    second = model.add("Conv", first, model.operand("w", w, True))
    model.save(path, model.add("Relu", second))
    padded = numpy.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    windows = numpy.lib.stride_tricks.sliding_window_view(padded, (window, window), axis=(2, 3))
    kept = numpy.maximum(numpy.einsum("ncyxrs,fcrs->nfyx", windows, v, optimize=True), 0)
    second = numpy.einsum("nfyx,gf->ngyx", kept, w[:, :, 0, 0], optimize=True)
    return model.inputs, numpy.maximum(second, 0)


if __name__ == "__main__":
    cases = [(make, None, shape) for make, shapes in ((make_products, PRODUCTS), (make_convolutions, CONVOLUTIONS)) for shape in shapes]
    sys.exit(run_all(cases, "chained = true"))
