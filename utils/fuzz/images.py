"""Steps of images and signals: interpolation, sampling, spectra, and what is made for them."""

import numpy as np

from element_types import FLOATS, number_of
from graph import NoFit
from reductions import planes
from sizes import are_fixed, elements, is_open, largest, smallest


def resize(g):
    x = planes(g, most=3000)
    mode = g.pick("nearest", "linear", "cubic") if x.rank == 4 else "nearest"
    attributes = {"mode": mode, "coordinate_transformation_mode": g.pick("half_pixel", "asymmetric", "align_corners")}
    if mode == "nearest":
        attributes["nearest_mode"] = g.pick("floor", "ceil", "round_prefer_floor")
        attributes["coordinate_transformation_mode"] = "asymmetric"
    if g.chance(0.5) or not are_fixed(x.shape):
        scales = [1.0, 1.0] + [g.pick(1.0, 2.0, 4.0) for _ in x.shape[2:]]
        shape = [size * int(scale) for size, scale in zip(x.shape, scales)]
        operands = [g.constant("f32", np.array(scales, np.float32))]
    else:
        shape = [*x.shape[:2], *[g.pick(size, 2 * size, size + 1, max(1, size // 2)) for size in x.shape[2:]]]
        if mode == "nearest":
            shape = [*x.shape[:2], *[size * g.pick(1, 2) for size in x.shape[2:]]]
        operands = [None, g.ints(*shape)]
    bound = x.size * (2 if mode == "cubic" else 1)
    g.node("Resize", [x, None, *operands], [(x.type, shape, -bound if mode == "cubic" else x.low, bound if mode == "cubic" else x.high, x.exact and mode == "nearest")], **attributes)


def grid_sample(g):
    if g.opset < 16:
        raise NoFit
    x = g.take(("f32", "f64"), ranks=(4, 4), zero=False, most=4000)
    grid = g.fresh(x.type, (x.shape[0], g.size(9, zero=False), g.size(9, zero=False), 2), (-1.2, 1.2), constant=None)
    names = ("bilinear", "bicubic") if g.opset < 20 else ("linear", "cubic")
    mode = g.pick(*names)
    padding = g.pick("zeros", "border", "reflection") if mode in ("bilinear", "linear") else "zeros"
    g.node("GridSample", [x, grid], [(x.type, (*x.shape[:2], *grid.shape[1:3]), -3 * x.size, 3 * x.size, False)], mode=mode, padding_mode=padding, align_corners=g.pick(0, 1))


def roi_align(g):
    if g.opset < 16:
        raise NoFit
    x = g.take(("f32", "f64"), ranks=(4, 4), zero=False, most=4000)
    count = g.pick(1, 2, 5)
    corners = np.sort(g.random.uniform(0, 6, (count, 2, 2)), axis=1).reshape(count, 4)
    rois = g.constant(x.type, corners.astype(np.float32 if x.type == "f32" else np.float64))
    index = g.indices((count,), x.shape[0], types=("i64",), negative=False)
    rows, columns = g.pick(1, 2, 3), g.pick(1, 2, 5)
    g.node("RoiAlign", [x, rois, index], [(x.type, (count, x.shape[1], rows, columns), x.low - 0.1, x.high + 0.1, False)], output_height=rows, output_width=columns,
           sampling_ratio=g.pick(0, 1, 2), spatial_scale=g.pick(1.0, 0.5), mode=g.pick("avg", "max"))


def affine_grid(g):
    if g.opset < 20:
        raise NoFit
    batch, rows, columns = g.pick(1, 2, 3), g.size(12, zero=False), g.size(12, zero=False)
    if is_open(rows) or is_open(columns):
        raise NoFit
    theta = g.fresh(g.type_of(("f32", "f64", "f16")), (batch, 2, 3), (-1, 1))
    g.node("AffineGrid", [theta, g.ints(batch, 2, rows, columns)], [(theta.type, (batch, rows, columns, 2), -3.1, 3.1, False)], align_corners=g.pick(0, 1))


def columns_to_image(g):
    if g.opset < 18:
        raise NoFit
    block, image = (g.pick(1, 2, 3), g.pick(1, 2)), (g.integer(3, 9), g.integer(3, 9))
    count = (image[0] - block[0] + 1) * (image[1] - block[1] + 1)
    batch, channels = g.pick(1, 2), g.pick(1, 3)
    x = g.fresh(g.type_of(("f32", "f64", "f16")), (batch, channels * block[0] * block[1], count), (-1, 1))
    g.node("Col2Im", [x, g.ints(*image), g.ints(*block)], [(x.type, (batch, channels, *image), -6.1, 6.1, False)])


def max_unpool(g):
    x = g.take(("f32", "f64"), lambda value: value.exact, ranks=(4, 4), zero=False, fixed=True)
    n, c, h, w = x.shape
    if h % 2 or w % 2:
        raise NoFit
    pooled, places = g.node("MaxPool", [x], [(x.type, (n, c, h // 2, w // 2), x.low, x.high, True), ("i64", (n, c, h // 2, w // 2), 0, elements(x.shape), True)],
                            kernel_shape=[2, 2], strides=[2, 2])
    g.node("MaxUnpool", [pooled, places], [(x.type, x.shape, min(x.low, 0), max(x.high, 0), True)], kernel_shape=[2, 2], strides=[2, 2])


def deformed(g):
    if g.opset < 19:
        raise NoFit
    channels, h, w, width = g.pick(1, 2, 4), g.integer(3, 9), g.integer(3, 9), g.pick(1, 3, 8)
    x = g.fresh(g.type_of(("f32", "f64")), (g.pick(1, 2), channels, h, w), (-1, 1))
    kernel = g.pick(1, 2, 3)
    sizes = (h - kernel + 1, w - kernel + 1)
    weights = g.fresh(x.type, (width, channels, kernel, kernel), (-0.5, 0.5))
    offset = g.fresh(x.type, (x.shape[0], 2 * kernel * kernel, *sizes), (-1.3, 1.3))
    bias = g.fresh(x.type, (width,)) if g.chance(0.5) else None
    mask = g.fresh(x.type, (x.shape[0], kernel * kernel, *sizes), (0, 1)) if g.chance(0.5) else None
    g.node("DeformConv", [x, weights, offset, bias, mask], [(x.type, (x.shape[0], width, *sizes), -30, 30, False)], kernel_shape=[kernel, kernel], pads=[0, 0, 0, 0])


def spectrum(g):
    if g.opset < 17:
        raise NoFit
    type_ = g.type_of(("f32", "f64"))
    if g.chance(0.4):  # a sequence of frames
        length, step, frame = g.pick(20, 33, 64), g.pick(1, 4, 7), g.pick(4, 8, 15)
        x = g.fresh(type_, (g.pick(1, 2), length, 1), (-1, 1))
        window = g.fresh(type_, (frame,), (0, 1))
        half = g.pick(0, 1)
        g.node("STFT", [x, g.scalar("i64", step), window], [(type_, (x.shape[0], (length - frame) // step + 1, frame // 2 + 1 if half else frame, 2), -frame, frame, False)], onesided=half)
        return
    x = g.fresh(type_, (g.pick(1, 2), g.pick(1, 2, 3, 7, 8, 12, 16, 17, 31), g.pick(1, 2)), (-1, 1))
    half = g.pick(0, 1) if x.shape[2] == 1 else 0
    inverse = 0 if half else g.pick(0, 1)
    n = x.shape[1] if is_open(x.shape[1]) or g.chance(0.6) else g.pick(4, 9, 16)
    length = [g.scalar("i64", n)] if n is not x.shape[1] else []
    shape = (x.shape[0], n // 2 + 1 if half else n, 2)
    if g.opset >= 20:
        g.node("DFT", [x, length[0] if length else None, g.scalar("i64", 1)], [(type_, shape, -64, 64, False)], inverse=inverse, onesided=half)
    else:
        g.node("DFT", [x, *length], [(type_, shape, -64, 64, False)], inverse=inverse, onesided=half, axis=1)


def window(g):
    if g.opset < 17:
        raise NoFit
    count, type_ = g.pick(1, 2, 9, 16, 33), g.pick("f32", "f64", "f16")
    if g.chance(0.2):
        operands = [g.scalar("i64", 8), g.scalar("i64", 16), g.scalar("i64", 8192), g.scalar("f32", 0), g.scalar("f32", 4096)]
        g.node("MelWeightMatrix", operands, [("f32", (9, 8), 0, 1, False)])
        return
    g.node(g.pick("HannWindow", "HammingWindow", "BlackmanWindow"), [g.scalar("i64", count)], [(type_, (count,), -0.01, 1.01, False)], output_datatype=number_of(type_),
           periodic=g.pick(0, 1) if count > 1 else 1)  # the specification's formula divides by zero for size 1


STEPS = [resize] * 2 + [grid_sample, roi_align, affine_grid, columns_to_image, max_unpool, deformed, spectrum, window]
