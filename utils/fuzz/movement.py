"""Steps of operators that move elements: by shape, along axes, by index."""

import numpy as np

from element_types import ANY, FLOATS, INTEGERS, NUMBERS, integer_range, number_of
from graph import NoFit
from sizes import are_fixed, elements, is_open, largest, smallest


def moved(g, kind, x, shape, extra=(), low=None, high=None, **attributes):
    return g.node(kind, [x, *extra], [(x.type, shape, x.low if low is None else low, x.high if high is None else high, x.exact)], **attributes)


def transpose(g):
    x = g.take(ANY, ranks=(1, 5))
    perm = [int(axis) for axis in g.random.permutation(x.rank)]
    if g.chance(0.1):
        return moved(g, "Transpose", x, x.shape[::-1])
    return moved(g, "Transpose", x, [x.shape[axis] for axis in perm], perm=perm)


def reshape(g):
    x = g.take(ANY, ranks=(0, 5), suits=lambda value: sum(is_open(size) for size in value.shape) <= 1)
    shape = list(x.shape)
    for _ in range(g.pick(1, 1, 2)):
        if len(shape) >= 2 and g.chance(0.5):
            at = g.integer(0, len(shape) - 2)
            shape[at : at + 2] = [shape[at] * shape[at + 1]]
        elif len(shape) < 7:
            at = g.integer(0, len(shape))
            splits = [count for count in (2, 3, 4, 8, 16) if at < len(shape) and not is_open(shape[at]) and shape[at] and shape[at] % count == 0]
            if splits and g.chance(0.7):
                count = g.pick(*splits)
                shape[at : at + 1] = g.pick([count, shape[at] // count], [shape[at] // count, count])
            else:
                shape.insert(at, 1)
    open_axes = [axis for axis, size in enumerate(shape) if is_open(size)]
    if len(open_axes) > 1:
        raise NoFit
    numbers = [-1 if is_open(size) else size for size in shape]
    if open_axes and any(size == 0 for size in shape):
        raise NoFit
    if not open_axes and shape and elements(shape) and g.chance(0.4):
        numbers[g.integer(0, len(shape) - 1)] = -1
    for axis, size in enumerate(shape):
        if axis < x.rank and size is x.shape[axis] and not is_open(size) and size == x.shape[axis] and g.chance(0.3) and numbers[axis] != -1:
            numbers[axis] = 0
    if any(size == 0 for size in x.shape):
        if not are_fixed(shape):
            raise NoFit
        return moved(g, "Reshape", x, shape, [g.ints(*shape)], allowzero=1) if g.opset >= 14 else None
    return moved(g, "Reshape", x, shape, [g.ints(*numbers)])


def flatten(g):
    x = g.take(ANY, ranks=(0, 5))
    axis = g.integer(0, x.rank)
    first, last = 1, 1
    for size in x.shape[:axis]:
        first = first * size
    for size in x.shape[axis:]:
        last = last * size
    moved(g, "Flatten", x, [first, last], axis=axis - x.rank if axis < x.rank and g.chance(0.3) else axis)


def squeeze(g):
    if g.chance(0.5):
        x = g.take(ANY, lambda value: value.rank < 7)
        count = g.pick(1, 1, 2) if x.rank < 6 else 1
        rank = x.rank + count
        axes = sorted(int(axis) for axis in g.random.choice(rank, count, replace=False))
        shape = list(x.shape)
        for axis in axes:
            shape.insert(axis, 1)
        operands, attributes = g.axes_operand(13, [axis - rank if g.chance(0.3) else axis for axis in axes])
        moved(g, "Unsqueeze", x, shape, operands, **attributes)
        return
    x = g.take(ANY, lambda value: any(not is_open(size) and size == 1 for size in value.shape), fresh=0)
    ones = [axis for axis, size in enumerate(x.shape) if not is_open(size) and size == 1]
    axes = [axis for axis in ones if g.chance(0.6)] or ones[:1]
    operands, attributes = g.axes_operand(13, [axis - x.rank if g.chance(0.3) else axis for axis in axes])
    moved(g, "Squeeze", x, [size for axis, size in enumerate(x.shape) if axis not in axes], operands, **attributes)


def concat(g):
    x = g.take(ANY, ranks=(1, 5))
    axis, spelled = g.axis(x)
    parts = [x]
    for _ in range(g.pick(0, 1, 1, 1, 2, 3, 6)):
        suits = [value for value in g.values if value.type == x.type and value.rank == x.rank and all(
            at == axis or a == b for at, (a, b) in enumerate(zip(value.shape, x.shape)))]
        if suits and g.chance(0.7):
            parts.append(g.pick(*suits))
        else:
            parts.append(g.fresh(x.type, [g.size(9) if at == axis else size for at, size in enumerate(x.shape)]))
    total = parts[0].shape[axis]
    for part in parts[1:]:
        total = total + part.shape[axis]
    shape = [total if at == axis else size for at, size in enumerate(x.shape)]
    g.node("Concat", parts, [(x.type, shape, min(part.low for part in parts), max(part.high for part in parts), all(part.exact for part in parts))], axis=spelled)


def split(g):
    x = g.take(ANY, lambda value: value.rank and any(not is_open(size) and size > 1 for size in value.shape), ranks=(1, 5))
    axis = g.pick(*[axis for axis, size in enumerate(x.shape) if not is_open(size) and size > 1])
    size = x.shape[axis]
    count = g.pick(2, 2, 3, 4)
    if size % count == 0 and g.chance(0.4):
        parts, operands, attributes = [size // count] * count, [], {"num_outputs": count} if g.opset >= 18 else {}
    elif g.opset >= 18 and g.chance(0.3) and -(-size // count) * (count - 1) <= size:
        each = -(-size // count)
        parts, operands, attributes = [each] * (count - 1) + [size - each * (count - 1)], [], {"num_outputs": count}
    else:
        cuts = sorted(g.integer(0 if g.chance(0.1) else 1, size) for _ in range(count - 1))
        parts = [b - a for a, b in zip([0, *cuts], [*cuts, size])]
        operands, attributes = [g.ints(*parts)], {}
    g.node("Split", [x, *operands], [(x.type, [part if at == axis else size for at, size in enumerate(x.shape)], x.low, x.high, x.exact) for part in parts],
           axis=axis - x.rank if g.chance(0.3) else axis, **attributes)


def slice_(g):
    x = g.take(ANY, ranks=(1, 5))
    axes = [axis for axis in range(x.rank) if g.chance(0.5)] or [g.integer(0, x.rank - 1)]
    shape, starts, ends, steps = list(x.shape), [], [], []
    for axis in axes:
        size = shape[axis]
        if is_open(size):  # a part that every run has, or the whole dimension reversed
            if g.chance(0.3):
                starts.append(-1), ends.append(-(2**62)), steps.append(-1)
            elif smallest(size) > 2:
                cut = g.integer(0, min(2, smallest(size) - 1))
                starts.append(cut), ends.append(2**62), steps.append(1)
                shape[axis] = size - cut
            else:
                starts.append(0), ends.append(2**62), steps.append(1)
            continue
        step = g.pick(1, 1, 1, 2, 3, -1, -2)
        first, last = sorted(int(place) for place in g.random.integers(0, size + 1, 2))
        if step < 0:
            last = max(last, min(size, 1))  # the start is never before the first element
        if step > 0:
            starts.append(first if g.chance(0.6) else first - size if first < size else first)
            ends.append(last if g.chance(0.5) or last == size else last - size)
            if last == size and g.chance(0.5):
                ends[-1] = g.pick(2**31 - 1, 2**62)
        else:
            starts.append(last - 1 if last else -size - 5)
            ends.append(first - 1 if first > 0 else -size - 1)
        steps.append(step)
        shape[axis] = -(-(last - first) // abs(step)) if size else 0
    type_ = g.pick("i64", "i64", "i32")
    if type_ == "i32":
        starts, ends = ([min(max(place, -(2**31)), 2**31 - 1) for place in places] for places in (starts, ends))
    axes = [axis - x.rank if g.chance(0.2) else axis for axis in axes]
    moved(g, "Slice", x, shape, [g.ints(*numbers, type_=type_) for numbers in (starts, ends, axes, steps)])


def pad(g):
    x = g.take(ANY, ranks=(1, 5), most=4000, zero=False)
    mode = g.pick("constant", "constant", "edge", "reflect", *(["wrap"] if g.opset >= 19 else []))
    most = [min(3, smallest(size) - 1) if mode == "reflect" else min(3, smallest(size)) if mode == "wrap" else 3 for size in x.shape]
    pads = [g.integer(0, limit) if limit > 0 and g.chance(0.5) else 0 for limit in most + most]
    if mode == "constant" and g.chance(0.15) and all(smallest(size) > 3 for size in x.shape):
        pads[g.integer(0, len(pads) - 1)] = -1
    shape = [size + pads[axis] + pads[axis + x.rank] for axis, size in enumerate(x.shape)]
    if any(smallest(size) < 1 for size in shape):
        raise NoFit
    value = [g.scalar(x.type, g.pick(0, 1))] if mode == "constant" and g.chance(0.5) else []
    moved(g, "Pad", x, shape, [g.ints(*pads), *value], min(x.low, 0), max(x.high, 1), mode=mode)


def tile(g):
    x = g.take(ANY, ranks=(1, 5), most=3000)
    repeats = [g.pick(1, 1, 1, 2, 3) for _ in x.shape]
    moved(g, "Tile", x, [size * count for size, count in zip(x.shape, repeats)], [g.ints(*repeats)])


def expand(g):
    x = g.take(ANY, most=2000, ranks=(0, 4))
    shape = [g.pick(1, 2, 5, 9) if not is_open(size) and size == 1 else size for size in x.shape]
    shape = [g.pick(1, 2, 3) for _ in range(g.pick(0, 0, 1, 2))] + shape
    stated = [1 if is_open(size) or g.chance(0.3) and size == x.shape[axis - len(shape)] else size for axis, size in enumerate(shape) if True] if x.rank == len(shape) else [
        1 if is_open(size) else size for size in shape]
    moved(g, "Expand", x, shape, [g.ints(*stated)])


def gather(g):
    x = g.take(ANY, ranks=(1, 5), most=6000, zero=False)
    axis, spelled = g.axis(x)
    index = g.indices(g.shape(0, 2, most=20), x.shape[axis])
    moved(g, "Gather", x, [*x.shape[:axis], *index.shape, *x.shape[axis + 1 :]], [index], axis=spelled)


def gather_elements(g):
    x = g.take(ANY, ranks=(1, 4), most=6000, zero=False)
    axis, spelled = g.axis(x)
    shape = [g.pick(1, 2, 5) if at == axis else g.integer(1, size) if not is_open(size) and g.chance(0.3) else size for at, size in enumerate(x.shape)]
    index = g.indices(shape, x.shape[axis])
    moved(g, "GatherElements", x, shape, [index], axis=spelled)


def gather_nd(g):
    x = g.take(ANY, ranks=(1, 4), most=6000, zero=False)
    batch = g.pick(0, 0, 1) if x.rank > 1 else 0
    depth = g.integer(1, x.rank - batch)
    limit = min(smallest(size) for size in x.shape[batch : batch + depth])
    between = [g.pick(1, 2, 5) for _ in range(g.pick(0, 1, 2))]
    if batch and not between:
        between = [2]
    index = g.indices([*x.shape[:batch], *between, depth], limit, types=("i64",))
    moved(g, "GatherND", x, [*x.shape[:batch], *between, *x.shape[batch + depth :]], [index], batch_dims=batch)


def scatter_elements(g):
    x = g.take(ANY, ranks=(1, 4), most=6000, zero=False)
    axis, spelled = g.axis(x)
    if is_open(x.shape[axis]):
        raise NoFit
    count = g.integer(1, min(x.shape[axis], 6))
    shape = [count if at == axis else size for at, size in enumerate(x.shape)]
    kinds = ["none"] if x.type == "bool" or g.opset < 16 else ["none", "add", "mul"] + (["min", "max"] if g.opset >= 18 else [])
    reduction = g.pick(*kinds)
    if reduction == "none":  # no index occurs twice
        places = g.random.permutation(x.shape[axis])[:count]
        if not are_fixed(shape):
            raise NoFit
        index = g.constant("i64", np.broadcast_to(places.reshape([-1 if at == axis else 1 for at in range(x.rank)]), shape).copy())
    else:
        index = g.indices(shape, x.shape[axis])
    updates = g.fresh(x.type, shape, (-1, 1) if x.type in FLOATS else None)
    low, high = min(x.low, updates.low) - count, max(x.high, updates.high) + count
    attributes = {} if g.opset < 16 else {"reduction": reduction}
    g.node("ScatterElements", [x, index, updates], [(x.type, x.shape, low, high, x.exact and (x.type not in FLOATS or reduction in ("none", "min", "max")))], axis=spelled, **attributes)


def scatter_nd(g):
    x = g.take(ANY, ranks=(1, 4), most=6000, zero=False, fixed=True)
    depth = g.integer(1, x.rank)
    kinds = ["none"] if x.type == "bool" or g.opset < 16 else ["none", "add", "mul"] + (["min", "max"] if g.opset >= 18 else [])
    reduction = g.pick(*kinds)
    places = elements(x.shape[:depth])
    count = g.integer(1, min(places, 5))
    numbers = g.random.permutation(places)[:count] if reduction == "none" else g.random.integers(0, places, count)
    index = g.constant("i64", np.stack(np.unravel_index(numbers, x.shape[:depth]), -1))
    updates = g.fresh(x.type, [count, *x.shape[depth:]], (-1, 1) if x.type in FLOATS else None)
    attributes = {} if g.opset < 16 else {"reduction": reduction}
    g.node("ScatterND", [x, index, updates], [(x.type, x.shape, min(x.low, updates.low) - count, max(x.high, updates.high) + count,
                                             x.exact and (x.type not in FLOATS or reduction in ("none", "min", "max")))], **attributes)


def blocks(g):
    x = g.take(ANY, ranks=(4, 4), fixed=True)
    n, c, h, w = x.shape
    block = g.pick(1, 2, 2, 3)
    if g.chance(0.5) and c % block**2 == 0:
        moved(g, "DepthToSpace", x, [n, c // block**2, h * block, w * block], blocksize=block, mode=g.pick("DCR", "CRD"))
    elif h % block == 0 and w % block == 0:
        moved(g, "SpaceToDepth", x, [n, c * block**2, h // block, w // block], blocksize=block)
    else:
        raise NoFit


def shape_of(g):
    x = g.take(ANY)
    if g.chance(0.3):
        count = 1
        for size in x.shape:
            count = count * size
        g.node("Size", [x], [("i64", (), 0, largest(count), True)])
        return
    attributes, rank = {}, x.rank
    if g.opset >= 15 and x.rank and g.chance(0.4):
        start = g.integer(0, x.rank - 1)
        attributes, rank = {"start": start}, x.rank - start
    g.node("Shape", [x], [("i64", (rank,), 0, 2**20, True)], **attributes)


def trilu(g):
    if g.opset < 14:
        raise NoFit
    x = g.take(ANY, ranks=(2, 5))
    k = [g.fresh("i64", (), (-3, 3))] if g.chance(0.6) else []
    moved(g, "Trilu", x, x.shape, k, min(x.low, 0), max(x.high, 0), upper=g.pick(0, 1))


def center(g):
    if g.opset < 18:
        raise NoFit
    x = g.take(ANY, ranks=(1, 4), most=4000)
    axes = [axis for axis in range(x.rank) if g.chance(0.6)] or [0]
    sizes = [g.pick(1, 3, 4, 9, 16) for _ in axes]
    shape = list(x.shape)
    for axis, size in zip(axes, sizes):
        shape[axis] = size
    moved(g, "CenterCropPad", x, shape, [g.ints(*sizes)], min(x.low, 0), max(x.high, 0), axes=axes)


def reverse(g):
    x = g.take(ANY, ranks=(2, 4), zero=False)
    time = g.pick(0, 1)
    lengths = g.fresh("i64", [x.shape[1 - time]], (1, x.shape[time]))
    moved(g, "ReverseSequence", x, x.shape, [lengths], time_axis=time, batch_axis=1 - time)


def one_hot(g):
    depth = g.pick(1, 2, 5, 17)
    index = g.fresh(g.pick("i64", "i32", "u8"), g.shape(1, 3, most=500), (0, depth - 1 + g.pick(0, 2)))
    type_ = g.type_of(NUMBERS)
    values = g.constant(type_, np.array([0, 1]).astype(g.numbers(type_, (1,), 0, 1).dtype) if type_ != "bf16" else np.array([0, 0x3F80], np.uint16))
    axis = g.integer(0, index.rank)
    shape = list(index.shape)
    shape.insert(axis, depth)
    g.node("OneHot", [index, g.scalar("i64", depth), values], [(type_, shape, 0, 1, True)], axis=axis - index.rank - 1 if g.chance(0.3) else axis)


def sources(g):
    kind = g.pick("EyeLike", "ConstantOfShape", "Range")
    if kind == "EyeLike":
        x = g.take(ANY, ranks=(2, 2))
        to = g.pick("f32", "f64", "i32", "i64", "u8", "f16")
        g.node(kind, [x], [(to, x.shape, 0, 1, True)], k=g.integer(-2, 2), dtype=number_of(to))
    elif kind == "ConstantOfShape":
        shape = [size for size in g.shape(0, 4, most=2000) if not is_open(size)]
        g.node(kind, [g.ints(*shape)], [("f32", shape, 0, 0, True)])
    else:
        type_ = g.pick("i64", "i32", "f32", "i16")
        start, delta, count = g.integer(-5, 5), g.pick(1, 2, 3, -1), g.pick(0, 1, 7, 16, 33)
        g.node(kind, [g.scalar(type_, start), g.scalar(type_, start + delta * count), g.scalar(type_, delta)], [(type_, [count], -150, 150, True)])


STEPS = [transpose] * 4 + [reshape] * 4 + [concat] * 3 + [slice_] * 3 + [pad] * 2 + [gather] * 2 + [split] * 2 + [squeeze] * 2 + [
    flatten, tile, expand, gather_elements, gather_nd, scatter_elements, scatter_nd, blocks, shape_of, trilu, center, reverse, one_hot, sources]
