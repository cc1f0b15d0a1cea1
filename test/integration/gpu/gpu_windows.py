#!/usr/bin/env python3
"""Convolutions whose blocks keep windows of their input in shared memory, run by the emulator with every access checked, and compared with NumPy in float64.

usage: gpu_windows.py CAMEO EMULATOR WORK_FOLDER

Strides, dilations, edges that tiles do not divide, channels that steps do not divide, sums that blocks divide, and more threads than vectors at a tap; by warps and by groups of them. Where NVIDIA's assembler is installed, it takes the kernels, too.
"""

import sys

from emulated import numpy
from gpu_groups import Model, numbers, run_all

# images, side, channels, filters, window, stride, dilation, element type; along images, rows and columns of the plane the points of a block and of a warp; the same of filters; channels of a step, stages,
# and how many blocks divide a sum
CONVOLUTIONS = [
    (2, 18, 64, 72, 3, 1, 1, "float16", [(1, 1), (8, 4), (16, 16)], (64, 32), 16, 3, 1),
    (2, 29, 32, 40, 3, 2, 1, "float16", [(1, 1), (8, 2), (8, 8)], (32, 16), 32, 2, 1),
    (2, 20, 24, 32, 3, 1, 2, "bfloat16", [(1, 1), (4, 1), (16, 16)], (32, 32), 16, 2, 1),
    (9, 7, 64, 136, 3, 1, 1, "float16", [(8, 2), (2, 2), (4, 4)], (128, 64), 32, 2, 2),
    (2, 14, 16, 24, 5, 1, 1, "float16", [(2, 1), (4, 2), (8, 8)], (16, 16), 16, 2, 1),
    (2, 23, 128, 32, 5, 3, 1, "float16", [(1, 1), (8, 2), (8, 8)], (32, 16), 16, 3, 4),
]
# The same for groups of four warps, which have all filters of a block.
GROUPS = [
    (2, 18, 64, 72, 3, 1, 1, "float16", [(1, 1), (8, 2), (8, 8)], (64, 64), 16, 4, 1),
    (2, 14, 96, 136, 3, 1, 1, "float16", [(1, 1), (16, 2), (8, 8)], (128, 128), 16, 3, 1),
    (3, 29, 32, 40, 3, 2, 1, "float16", [(2, 1), (8, 2), (8, 8)], (32, 32), 32, 3, 1),
    (2, 20, 24, 32, 3, 1, 2, "bfloat16", [(1, 1), (8, 2), (8, 8)], (16, 16), 16, 3, 1),
    (3, 7, 64, 136, 3, 1, 1, "float16", [(2, 1), (8, 2), (8, 8)], (128, 128), 16, 3, 2),
    (2, 23, 64, 32, 5, 3, 1, "float16", [(1, 1), (8, 2), (8, 8)], (32, 32), 16, 3, 2),
    (2, 31, 32, 40, 3, 1, 1, "float16", [(1, 1), (16, 2), (16, 8)], (32, 32), 16, 3, 1),
    (2, 39, 32, 40, 3, 2, 1, "float16", [(1, 1), (8, 2), (16, 8)], (32, 32), 16, 3, 1),
    (2, 70, 16, 24, 3, 1, 1, "float16", [(1, 1), (1, 1), (64, 16)], (16, 16), 16, 3, 1),
]


def make_convolution(path, shape):
    images, side, channels, filters, window, stride, dilation, kind, *_ = shape
    generator = numpy.random.default_rng(side + filters)
    x, w = numbers(generator, (images, channels, side, side)), numbers(generator, (filters, channels, window, window))
    model = Model(kind)
    pad, reach = dilation * (window // 2), dilation * (window - 1) + 1
    model.save(path, model.add("Conv", model.operand("x", x, False), model.operand("w", w, True), pads=[pad] * 4, strides=[stride] * 2, dilations=[dilation] * 2))
    padded = numpy.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    places = range(0, side + 2 * pad - reach + 1, stride)
    expected = numpy.zeros((images, filters, len(places), len(places)))
    for row, top in enumerate(places):
        for column, begin in enumerate(places):
            expected[:, :, row, column] = numpy.tensordot(padded[:, :, top:top + reach:dilation, begin:begin + reach:dilation], w, ([1, 2, 3], [1, 2, 3]))
    return model.inputs, expected


def steps(shape, instruction="kind = mma, m = 16, n = 8", first=None):
    """Returns the steps of a schedule. Numbers of warps vary slowest along dimension `first`."""
    _, _, channels, _, window, *_, points, filters, depth, stages, splits = shape
    parallel = [*points, filters]
    tiles = [(dim, block, "block") for dim, (block, _) in enumerate(parallel)]
    tiles += [(4, channels // splits, "block")] if splits > 1 else []
    tiles += [(4, depth, None), (5, window, None), (6, window, None)]
    tiles += sorted(((dim, warp, "warp") for dim, (block, warp) in enumerate(parallel) if warp < block), key=lambda tile: tile[0] != first)
    return ["pack<nest = 0, buffer = 1>", *[f"tile<nest = 0, dim = {dim}, size = {size}>" for dim, size, _ in tiles],
            *[f"bind<nest = 0, loop = {loop}, to = {to}>" for loop, (_, _, to) in enumerate(tiles) if to],
            *[f"cache<nest = 0, buffer = {buffer}, stages = {stages}, copy = async>" for buffer in (0, 1)], f"tensor<nest = 0, {instruction}, k = 16>"]


def group_steps(shape):
    (columns, _), *_ = shape[-4:]
    return steps(shape, f"kind = wgmma, m = 64, n = {columns}", first=2)


if __name__ == "__main__":
    cases = [(make_convolution, by, shape) for by, shapes in ((steps, CONVOLUTIONS), (group_steps, GROUPS)) for shape in shapes]
    sys.exit(run_all(cases, "windows of"))
