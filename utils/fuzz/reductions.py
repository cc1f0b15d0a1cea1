"""Steps of reductions, selections of the greatest, normalisations, pools and losses."""

import numpy as np

from element_types import FLOATS, INTEGERS, NUMBERS, WIDE, integer_range
from graph import NoFit
from sizes import elements, is_open, largest, smallest

SIZES_OF_SUMS = 2000  # limit of the terms of a sum


def log(x):
    return float(np.log(max(x, 1e-30)))


def reduce(g):
    kind = g.pick("ReduceSum", "ReduceSum", "ReduceMean", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceProd",
                  "ReduceSumSquare")
    extremum = kind in ("ReduceMax", "ReduceMin")
    types = FLOATS + ("i32", "i64") + (("i8", "u8") if extremum else ()) + (("bool",) if extremum and g.opset >= 20 else ())
    if kind in ("ReduceLogSum", "ReduceLogSumExp", "ReduceL2", "ReduceMean"):
        types = FLOATS
    x = g.take(types, ranks=(0, 5), zero=False)
    axes = None if g.chance(0.15) else sorted({g.integer(0, x.rank - 1) for _ in range(g.pick(1, 1, 2, 3))}) if x.rank else None
    keep = g.pick(0, 1)
    reduced = range(x.rank) if axes is None else axes
    count = max(1, elements([x.shape[axis] for axis in reduced]))
    shape = [1 if axis in reduced else size for axis, size in enumerate(x.shape) if keep or axis not in reduced]
    if count > g.limit(SIZES_OF_SUMS):
        raise NoFit
    if kind == "ReduceProd":
        if count > 300:
            raise NoFit
        x = g.clamp(x, 0.97, 1.03) if x.type in FLOATS and count > 4 else g.clamp(x, -1, 1) if x.type not in FLOATS else g.clamp(x, -5.0, 5.0)
    if kind == "ReduceLogSum":
        x = g.clamp(x, 0.1, 50.0)
    if kind == "ReduceL2" and not x.exact or kind == "ReduceL2" and x.low <= 0:
        x = g.clamp(x, 0.1, 50.0)
    if kind == "ReduceLogSumExp":
        x = g.clamp(x, -50.0, 20.0)
    size = x.size
    bounds = {"ReduceSum": (count * min(x.low, 0), count * max(x.high, 0)), "ReduceMean": (x.low, x.high), "ReduceMax": (x.low, x.high), "ReduceMin": (x.low, x.high),
              "ReduceL1": (0, count * size), "ReduceL2": (0, count**0.5 * size), "ReduceSumSquare": (0, count * size**2), "ReduceProd": (-1e4, 1e4),
              "ReduceLogSum": (log(0.1), log(count * 50)), "ReduceLogSumExp": (-50, 20 + log(count))}[kind]
    if x.type not in FLOATS and x.type != "bool":
        bounds = integer_range(x.type)
    operands, attributes = g.axes_operand(13 if kind == "ReduceSum" else 18, None if axes is None else [axis - x.rank if g.chance(0.3) else axis for axis in axes])
    g.node(kind, [x, *operands], [(x.type, shape, *bounds, x.exact and (extremum or x.type not in FLOATS))], keepdims=keep, **attributes)


def ordered(g, types, **options):
    """Returns a value whose order rounding does not change. No two elements are equal if floats are compared like this."""
    return g.take(types, lambda value: value.exact, **options)


def arg(g):
    x = ordered(g, NUMBERS, ranks=(1, 5), zero=False)
    axis, spelled = g.axis(x)
    keep = g.pick(0, 1)
    shape = [1 if at == axis else size for at, size in enumerate(x.shape) if keep or at != axis]
    g.node(g.pick("ArgMax", "ArgMin"), [x], [("i64", shape, 0, largest(x.shape[axis]) - 1, True)], axis=spelled, keepdims=keep, select_last_index=g.pick(0, 1))


def top(g):
    x = ordered(g, FLOATS + ("i32", "i64", "u8", "i8"), ranks=(1, 4), zero=False)
    axis, spelled = g.axis(x)
    k = g.integer(0 if g.chance(0.1) else 1, smallest(x.shape[axis]))
    shape = [k if at == axis else size for at, size in enumerate(x.shape)]
    g.node("TopK", [x, g.ints(k)], [(x.type, shape, x.low, x.high, True), ("i64", shape, 0, largest(x.shape[axis]) - 1, True)], axis=spelled, largest=g.pick(0, 1), sorted=1)


def running(g):
    x = g.take(FLOATS + ("i32", "i64"), ranks=(1, 4))
    axis, spelled = g.axis(x)
    count = largest(x.shape[axis])
    if count > g.limit(300):
        raise NoFit
    bounds = (min(x.low, 0) * count, max(x.high, 0) * count) if x.type in FLOATS else integer_range(x.type)
    g.same("CumSum", x, *bounds, x.exact and x.type not in FLOATS, extra=[g.scalar(g.pick("i64", "i32"), spelled)], exclusive=g.pick(0, 1), reverse=g.pick(0, 1))


def selected(g):
    """Adds a node whose result has a data-dependent size."""
    kind = g.pick("NonZero", "Unique", "Compress")
    if g.run_count > 1:
        raise NoFit
    if kind == "Compress":
        x = g.take(NUMBERS, ranks=(1, 4), fixed=True)
        axis = g.integer(0, x.rank - 1)
        chosen = g.random.random(x.shape[axis]) < 0.5
        condition = g.constant("bool", chosen)
        g.node(kind, [x, condition], [(x.type, [int(chosen.sum()) if at == axis else size for at, size in enumerate(x.shape)], x.low, x.high, x.exact)], axis=axis)
        return
    x = g.fresh(g.type_of(("f32", "i64", "i32", "u8")), g.shape(1, 3, most=300), constant=False)
    array = g.feeds[0][x.name]
    if kind == "NonZero":
        g.node(kind, [x], [("i64", (x.rank, int(np.count_nonzero(array))), 0, 2**20, True)])
    else:
        count = len(np.unique(array))
        y = g.node(kind, [x], [(x.type, (count,), x.low, x.high, True), ("i64", (count,), 0, 2**20, True), ("i64", x.shape if x.rank == 1 else (array.size,), 0, 2**20, True),
                               ("i64", (count,), 0, 2**20, True)])
        if not array.size:
            raise NoFit


def softmax(g):
    kind = g.pick("Softmax", "Softmax", "LogSoftmax", "Hardmax")
    x = g.take(FLOATS, lambda value: kind != "Hardmax" or value.exact, ranks=(1, 5))
    axis, spelled = g.axis(x)
    if kind != "Hardmax":
        x = g.clamp(x, -30.0, 30.0)
    g.same(kind, x, -80 if kind == "LogSoftmax" else 0, 0.001 if kind == "LogSoftmax" else 1.001, kind == "Hardmax", axis=spelled)


def normalise(g):
    kind = g.pick("LayerNormalization", "BatchNormalization", "InstanceNormalization", "LRN", "LpNormalization", "MeanVarianceNormalization", "GroupNormalization",
                  "RMSNormalization")
    if {"LayerNormalization": 17, "GroupNormalization": 21, "RMSNormalization": 23}.get(kind, 0) > g.opset:
        raise NoFit
    lowest = {"LayerNormalization": 1, "RMSNormalization": 1, "LpNormalization": 1, "InstanceNormalization": 3, "MeanVarianceNormalization": 4}.get(kind, 2)
    x = g.take(FLOATS, ranks=(lowest, 4), zero=False)
    if kind in ("LayerNormalization", "InstanceNormalization", "GroupNormalization") and not x.exact:
        # If the numbers are large and nearly equal, only their rounding errors remain after the mean is subtracted, and the divisor is hardly more
        # than the root of epsilon.
        x = g.clamp(x, -4, 4)
    channels = x.shape[1] if x.rank > 1 else 1
    if kind in ("LayerNormalization", "RMSNormalization"):
        axis, spelled = g.axis(x)
        over = x.shape[axis:]
        if any(is_open(size) for size in over):
            raise NoFit
        operands = [g.fresh(x.type, over if g.chance(0.8) else over[-1:], (0.5, 2))]
        if kind == "LayerNormalization" and g.chance(0.7):
            operands.append(g.fresh(x.type, over, (-1, 1)))
        bound = 2 * max(elements(over), 1) ** 0.5 + 2
        results = [(x.type, x.shape, -bound, bound, False)]
        if kind == "LayerNormalization" and g.chance(0.15) and x.type == "f32":
            few = [1 if at >= axis else size for at, size in enumerate(x.shape)]
            results += [("f32", few, x.low, x.high, False), ("f32", few, 0, 40, False)]
        g.node(kind, [x, *operands], results, axis=spelled, epsilon=1e-2)
    elif kind == "BatchNormalization":
        operands = [g.fresh(x.type, [channels], bounds) for bounds in ((0.5, 2), (-1, 1), (-1, 1), (0.5, 2))]
        g.same(kind, x, -4 * x.size - 6, 4 * x.size + 6, False, extra=operands, epsilon=1e-3)
    elif kind in ("InstanceNormalization", "GroupNormalization"):
        if is_open(channels):
            raise NoFit
        groups = {"num_groups": g.pick(*[count for count in (1, 2, 3, 4, 8) if channels % count == 0])} if kind == "GroupNormalization" else {}
        operands = [g.fresh(x.type, [channels], bounds) for bounds in ((0.5, 2), (-1, 1))]
        g.same(kind, x, -300, 300, False, extra=operands, epsilon=1e-2, **groups)
    elif kind == "LRN":
        g.same(kind, x, -x.size, x.size, False, size=g.pick(1, 3, 5), alpha=0.1, beta=0.75, bias=1.0)
    elif kind == "LpNormalization":
        if x.low <= 0:
            x = g.clamp(x, 0.1, 20.0)
        g.same(kind, x, 0, 1.01, False, axis=g.axis(x)[1], p=g.pick(1, 2))
    else:
        if not x.exact or elements(x.shape[:1] + x.shape[2:]) < 4:
            raise NoFit
        axes = {} if g.chance(0.5) else {"axes": [0, 2, 3]}
        x = g.fresh(x.type, [2, 3, 5, 4], (-2, 2)) if x.rank != 4 else x
        g.same(kind, x, -300, 300, False, **axes)


def window_sizes(shape, kernel, strides, pads, dilations, ceil=False):
    rank, sizes = len(kernel), []
    for axis in range(rank):
        room = shape[2 + axis] + (pads[axis] + pads[rank + axis] - dilations[axis] * (kernel[axis] - 1) - 1)
        if smallest(room) < 0:
            raise NoFit
        size = (room + strides[axis] - 1) // strides[axis] + 1 if ceil else room // strides[axis] + 1
        if ceil:  # no window begins after the padded input
            size = size - 1 if not is_open(size) and (size - 1) * strides[axis] >= shape[2 + axis] + pads[axis] else size
            if is_open(size):
                raise NoFit
        sizes.append(size)
    return sizes


def windows(g, x, dilated=True):
    rank = x.rank - 2
    kernel = [g.pick(1, 2, 3, 3, 5) for _ in range(rank)]
    if g.chance(0.6):
        kernel = [kernel[0]] * rank
    strides = [g.pick(1, 1, 2, 3) for _ in range(rank)]
    dilations = [g.pick(1, 1, 1, 2) if dilated else 1 for _ in range(rank)]
    pads = [g.integer(0, min(2, kernel[axis % rank] - 1)) if g.chance(0.5) else 0 for axis in range(2 * rank)]
    return kernel, strides, pads, dilations


def planes(g, types=FLOATS, exact=False, most=8000):
    return g.take(types, lambda value: value.exact or not exact, ranks=(3, 5), zero=False, most=most)


def pool(g):
    kind = g.pick("MaxPool", "MaxPool", "AveragePool", "LpPool", "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
    x = planes(g, FLOATS + (("i8", "u8") if kind == "MaxPool" else ()))
    if kind.startswith("Global"):
        count = elements(x.shape[2:])
        bound = x.size * (count if kind == "GlobalLpPool" else 1)
        low = 0 if kind == "GlobalLpPool" else x.low
        if kind == "GlobalLpPool" and (x.low <= 0.05 or count > g.limit(2000)):
            raise NoFit
        return g.node(kind, [x], [(x.type, [*x.shape[:2], *[1] * (x.rank - 2)], low, bound if kind == "GlobalLpPool" else x.high, x.exact and kind == "GlobalMaxPool")])
    kernel, strides, pads, dilations = windows(g, x, kind == "MaxPool" or g.opset >= 19)
    ceil = g.chance(0.25)
    sizes = window_sizes(x.shape, kernel, strides, pads, dilations, ceil)
    if kind != "MaxPool" and any(pad >= size for pad, size in zip(pads, kernel + kernel)):
        raise NoFit
    if any(dilation > 1 for dilation in dilations) and (kind == "LpPool" and g.opset < 18 or kind != "MaxPool" and (ceil or any(pads))):
        raise NoFit
    attributes = {"kernel_shape": kernel, "strides": strides, "pads": pads}
    if kind == "MaxPool" or (g.opset >= 19 and kind == "AveragePool") or (g.opset >= 18 and kind == "LpPool"):
        attributes["dilations"] = dilations
    if kind != "LpPool" or g.opset >= 18:
        attributes["ceil_mode"] = int(ceil)
    elif ceil:
        raise NoFit
    if kind == "AveragePool":
        attributes["count_include_pad"] = g.pick(0, 1)
    if kind == "LpPool":
        if x.low <= 0.05:
            raise NoFit
        attributes["p"] = g.pick(1, 2, 3)
    high = x.size * float(np.prod(kernel)) if kind == "LpPool" else x.high
    results = [(x.type, [*x.shape[:2], *sizes], min(x.low, 0) if kind != "MaxPool" else x.low, max(high, 0) if kind != "MaxPool" else high, x.exact and kind == "MaxPool")]
    if kind == "MaxPool" and x.exact and g.chance(0.25):
        results.append(("i64", results[0][1], 0, elements(x.shape) - 1, True))
    return g.node(kind, [x], results, **attributes)


def loss(g):
    kind = g.pick("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
    x = g.take(FLOATS, ranks=(2, 4), zero=False)
    classes = x.shape[1]
    x = g.clamp(x, -20.0, 20.0)
    target = g.fresh(g.pick("i64", "i32"), [x.shape[0], *x.shape[2:]], (0, classes - 1))
    weights = [g.fresh(x.type, [classes], (0.5, 2))] if g.chance(0.5) else []
    reduction = g.pick("none", "mean", "sum")
    shape = target.shape if reduction == "none" else ()
    bound = 60 * (elements(target.shape) if reduction == "sum" else 1) * 2
    g.node(kind, [x, target, *weights], [(x.type, shape, -bound, bound, False)], reduction=reduction)


STEPS = [reduce] * 6 + [softmax] * 3 + [normalise] * 4 + [pool] * 4 + [arg, top, running, selected, loss]
