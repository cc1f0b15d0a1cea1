#!/usr/bin/env python3
"""Convolutions whose blocks pool their results, run by the emulator with every access checked, and compared with NumPy in float64.

usage: gpu_pools.py CAMEO EMULATOR WORK_FOLDER

Windows that overlap or not, begin before the first point and end behind the last one, blocks of several images, edges, maxima and means; by warps and by groups of them. Where NVIDIA's assembler is installed, it takes the kernels, too.
"""

import sys

from emulated import numpy
from gpu_groups import Model, numbers, run_all
from gpu_windows import steps

# images, side, channels, filters, window, stride, dilation, element type; along images, rows and columns of the plane the points of a block and of a warp; the same of filters; channels of a step, stages,
# how many blocks divide a sum; the pool: operator, window, stride, and points before the first one
POOLED = [
    (2, 28, 32, 64, 3, 1, 1, "float16", [(1, 1), (16, 4), (16, 16)], (64, 32), 32, 2, 1, ("MaxPool", 3, 2, 1)),
    (2, 29, 32, 72, 3, 1, 1, "float16", [(1, 1), (16, 4), (8, 8)], (64, 32), 16, 3, 1, ("MaxPool", 3, 2, 1)),
    (2, 20, 32, 64, 3, 1, 1, "float16", [(1, 1), (8, 2), (16, 16)], (64, 32), 16, 3, 1, ("MaxPool", 2, 2, 0)),
    (2, 22, 32, 32, 3, 1, 1, "bfloat16", [(1, 1), (4, 1), (16, 16)], (32, 32), 32, 2, 1, ("AveragePool", 2, 2, 0)),
    (2, 18, 32, 32, 3, 1, 1, "bfloat16", [(1, 1), (8, 2), (8, 8)], (32, 16), 32, 2, 1, ("MaxPool", 3, 1, 1)),
    (2, 23, 32, 40, 3, 2, 1, "float16", [(1, 1), (8, 2), (8, 8)], (32, 16), 32, 2, 1, ("MaxPool", 3, 2, 0)),
    (9, 7, 64, 136, 3, 1, 1, "float16", [(8, 2), (4, 4), (4, 4)], (128, 64), 32, 2, 1, ("MaxPool", 3, 2, 1)),
]
# The same for groups of four warps, which have all filters of a block.
GROUPS = [
    (2, 28, 32, 64, 3, 1, 1, "float16", [(1, 1), (16, 2), (8, 8)], (64, 64), 32, 3, 1, ("MaxPool", 3, 2, 1)),
    (2, 28, 32, 64, 3, 1, 1, "float16", [(1, 1), (16, 2), (16, 8)], (64, 64), 32, 3, 1, ("MaxPool", 3, 2, 1)),
    (3, 16, 32, 72, 3, 1, 1, "float16", [(2, 1), (8, 2), (8, 8)], (64, 64), 16, 4, 1, ("MaxPool", 2, 2, 0)),
]
# Without a record: rules choose such kernels, too.
RULED = (1, 56, 64, 64, 3, 1, 1, "float16", [], (64, 64), 0, 0, 1, ("MaxPool", 2, 2, 0))


def windows_of(plane, window, stride, before):
    """Returns the last axes of `plane` as windows of NaN where there are no points."""
    side = plane.shape[-1]
    padded = numpy.pad(plane, ((0, 0), (0, 0), (before, before), (before, before)), constant_values=numpy.nan)
    view = numpy.lib.stride_tricks.sliding_window_view(padded, (window, window), axis=(2, 3))
    count = (side + 2 * before - window) // stride + 1
    return view[:, :, ::stride, ::stride][:, :, :count, :count]


def make_pooled(path, shape):
    images, side, channels, filters, window, stride, _, kind, *_, (operator, pooled, apart, before) = shape
    generator = numpy.random.default_rng(side + filters)
    x, w = numbers(generator, (images, channels, side, side)), numbers(generator, (filters, channels, window, window))
    model = Model(kind)
    points = model.add("Conv", model.operand("x", x, False), model.operand("w", w, True), pads=[window // 2] * 4, strides=[stride] * 2)
    model.save(path, model.add(operator, model.add("Relu", points), kernel_shape=[pooled] * 2, strides=[apart] * 2, pads=[before] * 4))
    taken = numpy.nan_to_num(windows_of(x, window, stride, window // 2))
    plane = numpy.maximum(numpy.tensordot(taken, w, ([1, 4, 5], [1, 2, 3])).transpose(0, 3, 1, 2), 0)
    reduce = numpy.nanmax if operator == "MaxPool" else numpy.nanmean
    return model.inputs, reduce(windows_of(plane, pooled, apart, before), axis=(4, 5))


def pooled_steps(shape, *instruction, **order):
    return [*steps(shape[:-1], *instruction, **order), "pool<nest = 0>"]


def group_steps(shape):
    *_, (columns, _), _, _, _, _ = shape
    return pooled_steps(shape, f"kind = wgmma, m = 64, n = {columns}", first=2)


if __name__ == "__main__":
    cases = [(make_pooled, by, shape) for by, shapes in ((pooled_steps, POOLED), (group_steps, GROUPS), (None, [RULED])) for shape in shapes]
    sys.exit(run_all(cases, "pool = ["))
