"""NaN, infinities and zeros with signs: extrema, their positions, and powers."""

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(23)


def with_nan(shape, dtype):
    """Returns random numbers with NaN of both signs and minus infinity; one row has only finite numbers, and one only NaN."""
    x = RANDOM.standard_normal(shape).astype(dtype)
    x[RANDOM.random(shape) < 0.15] = numpy.nan
    x[RANDOM.random(shape) < 0.1] = -numpy.nan
    x[RANDOM.random(shape) < 0.1] = -numpy.inf
    x[1], x[2] = RANDOM.standard_normal(shape[1:]), numpy.nan
    return x


def top(x, axis, count, largest):
    """NaN is greater than all numbers; of equal elements the first comes first."""
    order = numpy.where(numpy.isnan(x), numpy.inf, 0), numpy.where(numpy.isnan(x), 0, x)
    keys = [-key if largest else key for key in order[::-1]]
    places = numpy.lexsort(keys, axis=axis).take(range(count), axis=axis)
    return numpy.take_along_axis(x, places, axis), places


def write_extrema(folder):
    for dtype in (numpy.float16, numpy.float32, numpy.float64):
        x, name = with_nan((6, 37), dtype), numpy.dtype(dtype).name
        for axis in (0, 1):
            for operator, place in (("ArgMax", numpy.argmax), ("ArgMin", numpy.argmin)):
                write_case(folder, f"nan_{operator.lower()}_{name}_{axis}", operator, [x], [place(x, axis=axis)], opset=13, axis=axis, keepdims=0)
                last = x.shape[axis] - 1 - place(numpy.flip(x, axis), axis=axis)
                write_case(folder, f"nan_{operator.lower()}_last_{name}_{axis}", operator, [x], [last], opset=13, axis=axis, keepdims=0, select_last_index=1)
            for largest in (0, 1):
                for count in (1, 5, x.shape[axis]):
                    write_case(folder, f"nan_topk_{name}_{axis}_{largest}_{count}", "TopK", [x, numpy.array([count])], [*top(x, axis, count, largest)],
                               opset=11, constants=(1,), axis=axis, largest=largest)
            for operator, reduce in (("ReduceMax", numpy.max), ("ReduceMin", numpy.min)):
                write_case(folder, f"nan_{operator.lower()}_{name}_{axis}", operator, [x, numpy.array([axis])], [reduce(x, axis=axis, keepdims=True)],
                           opset=18, constants=(1,))
        hard = (numpy.arange(37) == numpy.argmax(x, axis=1)[:, None]).astype(dtype)
        write_case(folder, f"nan_hardmax_{name}", "Hardmax", [x], [hard], opset=13)


def write_pools(folder):
    x = with_nan((6, 4 * 37), numpy.float32).reshape(1, 6, 4, 37)
    for kernel in (2, 3):
        windows = numpy.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), axis=(2, 3))
        flat = windows.reshape(*windows.shape[:4], -1)
        best = flat.argmax(axis=-1)
        n, c, row, column = numpy.indices(best.shape)
        places = ((c * 4 + row + best // kernel) * 37 + column + best % kernel).astype(numpy.int64)
        write_case(folder, f"nan_maxpool_{kernel}", "MaxPool", [x], [flat.max(axis=-1)], opset=12, kernel_shape=[kernel, kernel])
        write_case(folder, f"nan_maxpool_indices_{kernel}", "MaxPool", [x], [flat.max(axis=-1), places], opset=12, kernel_shape=[kernel, kernel])


def write_padded_pools(folder):
    """Writes tests of pooling windows with only padding, and with padding and minus infinity."""
    for dtype in (numpy.float16, numpy.float32, numpy.float64):
        for channels, size, dilation in ((2, 1, 2), (2, 3, 2), (17, 3, 2)):
            x = RANDOM.standard_normal((1, channels, size, size)).astype(dtype)
            x[:, :, 0] = -numpy.inf
            padded = numpy.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)], constant_values=-numpy.inf)
            count = size + 2 - dilation
            y = numpy.max([padded[:, :, i:i + count, j:j + count] for i in (0, dilation) for j in (0, dilation)], axis=0)
            write_case(folder, f"infinite_maxpool_{numpy.dtype(dtype).name}_{channels}_{size}", "MaxPool", [x], [y], opset=12, kernel_shape=[2, 2],
                       dilations=[dilation] * 2, pads=[1] * 4)


def write_powers(folder):
    x = numpy.array([-numpy.inf, -8, -1, -0.5, -0.0, 0, 0.25, 1, 3, numpy.inf, numpy.nan] * 3, numpy.float32)
    for dtype in (numpy.float16, numpy.float32, numpy.float64):
        for exponent in (0, 0.5, -0.5, 0.75, -0.75, 1, 2, 3, -1, -2, -3, 1.5):
            with numpy.errstate(all="ignore"):
                y = numpy.power(x.astype(numpy.float64), exponent).astype(dtype)
            for given in (False, True):
                write_case(folder, f"power_{exponent}_{numpy.dtype(dtype).name}_{'input' if given else 'constant'}", "Pow",
                           [x.astype(dtype), numpy.array(exponent, dtype)], [y], opset=15, constants=() if given else (1,))


def write_cases(folder):
    write_extrema(folder)
    write_pools(folder)
    write_padded_pools(folder)
    write_powers(folder)
