#!/usr/bin/env python3
"""Products that the blocks of the product before them compute, run by the emulator with every access checked, and compared with NumPy in float64.

usage: gpu_chains.py CAMEO EMULATOR WORK_FOLDER

Two products and three, convolutions, rows that tiles do not divide, columns in several parts, both element types, results that others read. Rules choose the schedules. Where NVIDIA's assembler
is installed, it takes the kernels, too.
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
# rows, depth, columns of three products, element type; the second one adds a residual, and others read its result
TRIPLES = [
    (2048, 64, 64, 256, 64, "float16"),
    (4096, 64, 64, 128, 64, "bfloat16"),
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


def make_triples(path, shape):
    rows, depth, between, kept, columns, kind = shape
    generator = numpy.random.default_rng(rows + columns)
    x, residual = numbers(generator, (rows, depth)), numbers(generator, (rows, kept))
    a, b, c, d = (numbers(generator, size) / 8 for size in ((depth, between), (between, kept), (kept, columns), (columns, kept)))
    model = Model(kind)
    product = lambda left, name, right: model.add("MatMul", left, model.operand(name, right, True))
    first = model.add("Relu", product(model.operand("x", x, False), "a", a))
    second = model.add("Relu", model.add("Add", product(first, "b", b), model.operand("residual", residual, False)))
    third = model.add("Relu", product(second, "c", c))
    model.save(path, model.add("Relu", model.add("Add", product(third, "d", d), second)))
    sums = numpy.maximum(numpy.maximum(x @ a, 0) @ b + residual, 0)
    return model.inputs, numpy.maximum(numpy.maximum(sums @ c, 0) @ d + sums, 0)


if __name__ == "__main__":
    pairs = [(make, None, shape) for make, shapes in ((make_products, PRODUCTS), (make_convolutions, CONVOLUTIONS)) for shape in shapes]
    failed = run_all(pairs, "chained = true")
    for gpu in ("sm_90a", "sm_80", "sm_120"):
        failed |= run_all([(make_triples, None, shape) for shape in TRIPLES], "3 nests; ", gpu)
    sys.exit(failed)
