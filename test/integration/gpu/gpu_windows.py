#!/usr/bin/env python3
"""Convolutions whose blocks keep windows of their input in shared memory, run by the emulator with every access checked, and compared with NumPy in float64.

usage: gpu_windows.py CAMEO EMULATOR WORK_FOLDER

Strides, dilations, edges that tiles do not divide, channels that steps do not divide, sums that blocks divide, and more threads than vectors at a tap. Where NVIDIA's assembler is installed, it takes the kernels, too.
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


def steps(shape):
    _, _, channels, _, window, *_, points, filters, depth, stages, splits = shape
    parallel = [*points, filters]
    tiles = [(dim, block, "block") for dim, (block, _) in enumerate(parallel)]
    tiles += [(4, channels // splits, "block")] if splits > 1 else []
    tiles += [(4, depth, None), (5, window, None), (6, window, None)]
    tiles += [(dim, warp, "warp") for dim, (block, warp) in enumerate(parallel) if warp < block]
    return ["pack<nest = 0, buffer = 1>", *[f"tile<nest = 0, dim = {dim}, size = {size}>" for dim, size, _ in tiles],
            *[f"bind<nest = 0, loop = {loop}, to = {to}>" for loop, (_, _, to) in enumerate(tiles) if to],
            *[f"cache<nest = 0, buffer = {buffer}, stages = {stages}, copy = async>" for buffer in (0, 1)], "tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>"]


if __name__ == "__main__":
    sys.exit(run_all([(make_convolution, steps, shape) for shape in CONVOLUTIONS], "windows of"))
