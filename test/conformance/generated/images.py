"""Sampling, cropping and folding of images; deformable convolutions."""

import fractions
import itertools
import math

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(9)


def random(*shape):
    return RANDOM.standard_normal(shape).astype(numpy.float32)


def affine_grid(theta, size, align_corners):
    spatial = size[2:]
    axes = [(2 * numpy.arange(n) / (n - 1) if align_corners else (2 * numpy.arange(n) + 1) / n) - 1 for n in spatial]
    places = numpy.stack([*numpy.meshgrid(*axes, indexing="ij")[::-1], numpy.ones(spatial)], axis=-1)
    return numpy.einsum("nrc,...c->n...r", theta.astype(numpy.float64), places).astype(numpy.float32)


def write_affine_grids(folder):
    for align_corners, size in itertools.product((0, 1), ([2, 1, 3, 4], [2, 1, 3, 4, 5])):
        rank = len(size) - 2
        theta, sizes = random(2, rank, rank + 1), numpy.array(size, numpy.int64)
        write_case(folder, f"affine_grid_{rank}d_{align_corners}", "AffineGrid", [theta, sizes],
                   [affine_grid(theta, size, align_corners)], opset=20, constants=(1,), align_corners=align_corners)


def write_centers(folder):
    x = random(5, 8, 3)
    for name, shape, axes in (("crop", (2, 5, 2), None), ("pad", (8, 9, 6), None), ("both", (4, 11), (-3, 1))):
        y = x
        for axis, size in zip(axes or range(3), shape):
            growth = size - y.shape[axis]
            if growth < 0:
                begin = -growth // 2
                y = y.take(range(begin, begin + size), axis=axis)
            pads = [(0, 0)] * 3
            pads[axis] = (growth // 2, growth - growth // 2) if growth > 0 else (0, 0)
            y = numpy.pad(y, pads)
        attributes = {} if axes is None else {"axes": list(axes)}
        for given in (False, True):
            write_case(folder, f"center_crop_pad_{name}_{'input' if given else 'constant'}", "CenterCropPad",
                       [x, numpy.array(shape, numpy.int64)], [y], opset=18, constants=() if given else (1,), **attributes)


def places(size, block, stride, dilation, begin, end):
    count = (size + begin + end - dilation * (block - 1) - 1) // stride + 1
    return [[place * stride - begin + i * dilation for i in range(block)] for place in range(count)]


def write_col2ims(folder):
    for name, image, block, strides, dilations, pads in (
            ("plain", (5, 5), (1, 5), (1, 1), (1, 1), (0, 0, 0, 0)), ("strides", (5, 6), (3, 2), (2, 1), (1, 1), (0, 0, 0, 0)),
            ("dilations", (6, 6), (2, 2), (1, 1), (1, 5), (0, 0, 0, 0)), ("pads", (5, 5), (1, 5), (1, 1), (1, 1), (0, 1, 0, 1)),
            ("3d", (4, 4, 4), (1, 2, 3), (1, 2, 1), (1, 1, 1), (0, 1, 0, 0, 0, 1))):
        rank = len(image)
        axes = [places(image[i], block[i], strides[i], dilations[i], pads[i], pads[rank + i]) for i in range(rank)]
        blocks, elements = list(itertools.product(*axes)), int(numpy.prod(block))
        x = random(2, 3 * elements, len(blocks))
        y = numpy.zeros((2, 3, *image), numpy.float64)
        for column, rows in enumerate(blocks):
            for element, at in enumerate(itertools.product(*rows)):
                if all(0 <= i < size for i, size in zip(at, image)):
                    y[(slice(None), slice(None), *at)] += x.reshape(2, 3, elements, -1)[:, :, element, column]
        inputs = [x, numpy.array(image, numpy.int64), numpy.array(block, numpy.int64)]
        for constants in ((), (1, 2)):
            write_case(folder, f"col2im_{name}_{len(constants)}", "Col2Im", inputs, [y.astype(numpy.float32)], opset=18,
                       constants=constants, strides=list(strides), dilations=list(dilations), pads=list(pads))


def sample(image, at):
    """Interpolates linearly between elements, with zeros outside."""
    result = 0
    floors = [int(numpy.floor(a)) for a in at]
    for corner in itertools.product((0, 1), repeat=len(at)):
        index = [f + c for f, c in zip(floors, corner)]
        if all(0 <= i < n for i, n in zip(index, image.shape)):
            weight = numpy.prod([a - f if c else 1 - (a - f) for a, f, c in zip(at, floors, corner)])
            result += weight * image[tuple(index)]
    return result


def deform_conv(x, w, offset, bias, mask, group, offset_group, strides, dilations, pads):
    rank = x.ndim - 2
    kernel = w.shape[2:]
    out = [(x.shape[2 + i] + pads[i] + pads[rank + i] - dilations[i] * (kernel[i] - 1) - 1) // strides[i] + 1 for i in range(rank)]
    taps = list(itertools.product(*map(range, kernel)))
    offset = offset.reshape(x.shape[0], offset_group, len(taps), rank, *out)
    mask = None if mask is None else mask.reshape(x.shape[0], offset_group, len(taps), *out)
    y = numpy.zeros((x.shape[0], w.shape[0], *out))
    per_group, channels = w.shape[0] // group, w.shape[1]
    for n, o, place in itertools.product(range(x.shape[0]), range(w.shape[0]), itertools.product(*map(range, out))):
        for c, (t, tap) in itertools.product(range(channels), enumerate(taps)):
            channel = o // per_group * channels + c
            g = channel // (x.shape[1] // offset_group)
            at = [place[i] * strides[i] - pads[i] + tap[i] * dilations[i] + offset[(n, g, t, i, *place)] for i in range(rank)]
            value = sample(x[n, channel], at) * w[(o, c, *tap)]
            y[(n, o, *place)] += value if mask is None else value * mask[(n, g, t, *place)]
    return (y + (0 if bias is None else bias.reshape(-1, *[1] * rank))).astype(numpy.float32)


def write_deform_convs(folder):
    for name, channels, rank, group, offset_group, attributes in (
            ("plain", 4, 2, 1, 1, {}), ("groups", 4, 2, 2, 4, {"pads": [1, 0, 1, 2]}),
            ("steps", 4, 2, 1, 2, {"strides": [2, 1], "dilations": [1, 2]}), ("1d", 4, 1, 1, 1, {}), ("3d", 4, 3, 2, 1, {}),
            ("vectors", 36, 2, 2, 1, {"pads": [1, 0, 0, 1]})):
        x, w = random(2, channels, *[5] * rank), random(2, channels // group, *[2] * rank)
        options = {"strides": [1] * rank, "dilations": [1] * rank, "pads": [0] * 2 * rank, **attributes}
        out = [(5 + options["pads"][i] + options["pads"][rank + i] - options["dilations"][i] - 1) // options["strides"][i] + 1
               for i in range(rank)]
        offset = random(2, offset_group * 2**rank * rank, *out)
        bias, mask = (random(2), abs(random(2, offset_group * 2**rank, *out))) if name != "plain" else (None, None)
        y = deform_conv(x, w, offset, bias, mask, group, offset_group, **options)
        inputs = [x, w, offset] + ([bias, mask] if mask is not None else [])
        write_case(folder, f"deform_conv_{name}", "DeformConv", inputs, [y], opset=22, group=group, offset_group=offset_group, **attributes)


def away_from_zero(x):
    return numpy.sign(x) * numpy.floor(numpy.abs(x) + 0.5)


def max_roi_pool(x, regions, counts, scale):
    y = numpy.zeros((len(regions), x.shape[1], *counts), x.dtype)
    for n, region in enumerate(regions):
        first, last = (away_from_zero(region[[i, i - 1]] * numpy.float32(scale)) for i in (2, 4))
        step = numpy.maximum(last - first + 1, 1) / numpy.array(counts, numpy.float32)
        for place in numpy.ndindex(*counts):
            number = numpy.array(place, numpy.float32)
            begin, end = numpy.floor(number * step) + first, numpy.ceil((number + 1) * step) + first
            begin, end = (numpy.clip(bound, 0, x.shape[2:]).astype(int) for bound in (begin, end))
            part = x[int(region[0]), :, begin[0]:end[0], begin[1]:end[1]]
            y[(n, slice(None), *place)] = part.max(axis=(1, 2)) if part.size else 0
    return y


def write_max_roi_pools(folder):
    regions = numpy.array([[1, 0, 0, 9, 7], [0, 2.5, 1.5, 6, 3], [0, 4, 4, 3, 3], [1, 12, 9, 20, 20], [1, -6, -3.5, 4, 2]], numpy.float32)
    for name, counts, scale in (("whole", (1, 1), 1.0), ("scaled", (2, 3), 0.5), ("more_bins_than_pixels", (5, 12), 1.0)):
        x = random(2, 3, 8, 10)
        write_case(folder, f"max_roi_pool_{name}", "MaxRoiPool", [x, regions], [max_roi_pool(x, regions, counts, scale)], opset=22,
                   pooled_shape=list(counts), spatial_scale=scale)


def write_nearest(folder):
    """Scales that f32 cannot represent stand for the nearest fractions."""
    half = fractions.Fraction(1, 2)
    round_to = {"floor": math.floor, "ceil": math.ceil, "round_prefer_floor": lambda x: math.ceil(x - half), "round_prefer_ceil": lambda x: math.floor(x + half)}
    x = random(1, 2, 7, 20)
    for (mode, nearest), offset in itertools.product(round_to.items(), (0, half)):
        y = x
        for axis, scale in ((2, fractions.Fraction(3, 5)), (3, fractions.Fraction(17, 10))):
            places = [nearest((at + offset) / scale - offset) for at in range(int(x.shape[axis] * scale))]
            y = y.take(numpy.clip(places, 0, x.shape[axis] - 1), axis=axis)
        write_case(folder, f"resize_nearest_{mode}_{'half_pixel' if offset else 'asymmetric'}", "Resize",
                   [x, None, numpy.array([1, 1, 0.6, 1.7], numpy.float32)], [y], opset=19, constants=(2,), mode="nearest", nearest_mode=mode,
                   coordinate_transformation_mode="half_pixel" if offset else "asymmetric")


def write_antialiased(folder):
    """Resizes one axis after the other with a triangle or Keys' kernel, scaled by the step; positions outside repeat the border."""
    def kernel(mode, x, a=-0.75):
        if mode == "linear":
            return max(0, 1 - x)
        return ((a + 2) * x - (a + 3)) * x * x + 1 if x <= 1 else ((a * x - 5 * a) * x + 8 * a) * x - 4 * a if x < 2 else 0

    x = random(1, 2, 10, 14)
    for mode in ("linear", "cubic"):
        y = x.astype(numpy.float64)
        for axis in (2, 3):
            size = x.shape[axis]
            weights = numpy.zeros((size // 2, size))
            for row, at in itertools.product(range(size // 2), range(-6, size + 6)):
                weights[row, min(max(at, 0), size - 1)] += kernel(mode, abs(at - (2 * row + 0.5)) / 2)
            y = numpy.moveaxis(numpy.tensordot(weights / weights.sum(axis=1, keepdims=True), y, (1, axis)), 0, axis)
        write_case(folder, f"resize_antialias_{mode}", "Resize", [x, None, numpy.array([1, 1, 0.5, 0.5], numpy.float32)], [y.astype(numpy.float32)],
                   opset=19, constants=(2,), mode=mode, antialias=1)
        # With sizes as a frame, also one that is wider than the resized image.
        for name, policy, frame in (("sizes", "stretch", [5, 7]), ("not_larger", "not_larger", [5, 9]), ("not_smaller", "not_smaller", [4, 7])):
            write_case(folder, f"resize_antialias_{mode}_{name}", "Resize", [x, None, None, numpy.array(frame)], [y.astype(numpy.float32)],
                       opset=19, constants=(3,), mode=mode, antialias=1, axes=[2, 3], keep_aspect_ratio_policy=policy)


def write_antialiased_integers(folder):
    """Each axis in turn, the last one first; each pass rounds to integers of the type, as Pillow does. The sums are ninths, so none is halfway between integers."""
    for kind in (numpy.uint8, numpy.int8, numpy.int32):
        least, most = max(numpy.iinfo(kind).min, -999), min(numpy.iinfo(kind).max, 999)
        x = RANDOM.integers(least, most + 1, (1, 2, 9, 15)).astype(kind)
        y = x
        for axis in (3, 2):
            size = x.shape[axis]
            weights = numpy.zeros((size // 3, size))
            for row, step in itertools.product(range(size // 3), range(-2, 3)):
                weights[row, min(max(3 * row + 1 + step, 0), size - 1)] += 3 - abs(step)
            y = numpy.moveaxis(numpy.floor(numpy.tensordot(weights / 9, y, (1, axis)) + 0.5), 0, axis)
        write_case(folder, f"resize_antialias_{numpy.dtype(kind)}", "Resize", [x, None, None, numpy.array([1, 2, 3, 5])], [y.astype(kind)],
                   opset=19, constants=(3,), mode="linear", antialias=1)


def grid_taps(at, size, mode, padding, align_corners):
    """Returns elements and weights along one axis, as ONNX's reference implementation: the padding mode applies to the position first, then to each tap."""
    low, high = (0, size - 1) if align_corners else (-0.5, size - 0.5)

    def reflect(at):
        while not low <= at <= high:
            at = 2 * low - at if at < low else 2 * high - at
        return at

    bring_inside = {"zeros": lambda at: at, "border": lambda at: min(max(at, 0), size - 1), "reflection": reflect}[padding]
    at = numpy.rint(at) if mode == "nearest" else at
    at = at if low <= at <= high else bring_inside(at)
    first, a = math.floor(at), -0.75
    part = at - first
    if mode == "nearest":
        taps = [(first, 1)]
    elif mode == "linear":
        taps = [(first, 1 - part), (first + 1, part)]
    else:
        near = [((a + 2) * x - (a + 3)) * x * x + 1 for x in (part, 1 - part)]
        far = [((a * x - 5 * a) * x + 8 * a) * x - 4 * a for x in (1 + part, 2 - part)]
        taps = list(zip(range(first - 1, first + 3), (far[0], near[0], near[1], far[1])))
    if padding == "zeros":
        return [tap for tap in taps if 0 <= tap[0] < size]
    return [(int(bring_inside(place)), weight) for place, weight in taps]


def grid_sample(x, grid, mode, padding, align_corners):
    spatial = x.shape[2:]
    y = numpy.zeros((*x.shape[:2], *grid.shape[1:-1]))
    for n, *at in numpy.ndindex(grid.shape[:-1]):
        places = [(g + 1) * (size - 1) / 2 if align_corners else ((g + 1) * size - 1) / 2 for g, size in zip(grid[(n, *at)][::-1].astype(float), spatial)]
        for taps in itertools.product(*[grid_taps(place, size, mode, padding, align_corners) for place, size in zip(places, spatial)]):
            weight = math.prod(weight for _, weight in taps)
            y[(n, slice(None), *at)] += weight * x[(n, slice(None), *[place for place, _ in taps])]
    return y.astype(numpy.float32)


def write_grid_samples(folder):
    x, grid = random(1, 2, 4, 5), RANDOM.uniform(-1.7, 1.7, (1, 7, 9, 2)).astype(numpy.float32)
    solid, solid_grid = random(1, 2, 3, 4, 5), RANDOM.uniform(-1.7, 1.7, (1, 2, 3, 6, 3)).astype(numpy.float32)
    for mode, padding, align_corners in itertools.product(("linear", "nearest", "cubic"), ("zeros", "border", "reflection"), (0, 1)):
        for name, data, places in (("", x, grid), ("_3d", solid, solid_grid)):
            write_case(folder, f"grid_sample{name}_{mode}_{padding}_{align_corners}", "GridSample", [data, places],
                       [grid_sample(data, places, mode, padding, align_corners)], opset=20, mode=mode, padding_mode=padding, align_corners=align_corners)


def transpose_convolution(x, w, b, strides, pads, behind, groups):
    """Adds each element, times the filters, at its place of the result; then crops."""
    rank, outputs = len(strides), w.shape[1] * groups
    spatial = [(n - 1) * stride + kernel + more for n, stride, kernel, more in zip(x.shape[2:], strides, w.shape[2:], behind)]
    y = numpy.zeros([x.shape[0], outputs, *spatial])
    x_parts, w_parts = numpy.split(x.astype(numpy.float64), groups, axis=1), numpy.split(w.astype(numpy.float64), groups, axis=0)
    for at in numpy.ndindex(*x.shape[2:]):
        place = (slice(None), slice(None), *(slice(i * stride, i * stride + kernel) for i, stride, kernel in zip(at, strides, w.shape[2:])))
        y[place] += numpy.concatenate([numpy.tensordot(xs[(..., *at)], ws, axes=(1, 0)) for xs, ws in zip(x_parts, w_parts)], axis=1)
    kept = (slice(None), slice(None), *(slice(begin, extent - end) for begin, end, extent in zip(pads[:rank], pads[rank:], spatial)))
    return (y[kept] + b.reshape(1, outputs, *[1] * rank)).astype(numpy.float32)


def write_transposed_convolutions(folder):
    for name, shape, filters, strides, pads, behind, groups in (
            ("frames", (2, 6, 9), (6, 2, 320), [80], [0, 0], [0], 1), ("cropped", (1, 4, 7), (4, 3, 250), [100], [3, 5], [7], 2),
            ("apart", (1, 4, 7), (4, 3, 70), [100], [2, 1], [40], 1), ("planes", (1, 4, 3, 5), (4, 1, 9, 20), [9, 8], [2, 0, 4, 3], [0, 2], 4)):
        x, w = RANDOM.standard_normal(shape).astype(numpy.float32), RANDOM.standard_normal(filters).astype(numpy.float32)
        b = RANDOM.standard_normal(filters[1] * groups).astype(numpy.float32)
        y = transpose_convolution(x, w, b, strides, pads, behind, groups)
        write_case(folder, f"conv_transpose_{name}", "ConvTranspose", [x, w, b], [y], opset=11, constants=(1, 2), strides=strides, pads=pads,
                   output_padding=behind, group=groups)


def write_first_resize(folder):
    """The first version of Resize rounds down where a dimension grows and up where it shrinks, also if one does this and one that."""
    x = random(1, 2, 6, 9)
    for name, scales in (("both_ways", (2.5, 0.4)), ("shrinks", (0.5, 0.7)), ("grows", (1.0, 1.5))):
        y = x
        for axis, scale in zip((2, 3), scales):
            places = numpy.arange(int(numpy.floor(x.shape[axis] * scale))) / numpy.float32(scale)
            places = numpy.ceil(places) if scale < 1 else numpy.floor(places)
            y = numpy.take(y, numpy.minimum(places, x.shape[axis] - 1).astype(int), axis=axis)
        write_case(folder, f"resize_10_nearest_{name}", "Resize", [x, numpy.array([1, 1, *scales], numpy.float32)], [y], opset=10, constants=(1,))


def write_cases(folder):
    write_grid_samples(folder)
    write_affine_grids(folder)
    write_nearest(folder)
    write_antialiased(folder)
    write_antialiased_integers(folder)
    write_centers(folder)
    write_col2ims(folder)
    write_deform_convs(folder)
    write_max_roi_pools(folder)
    write_transposed_convolutions(folder)
    write_first_resize(folder)
