"""Steps of matrix products, convolutions, quantised operators, recurrent layers and attention."""

import numpy as np

from element_types import FLOATS, NUMBERS, WIDE, integer_range
from graph import NoFit
from reductions import planes, window_sizes, windows
from sizes import are_fixed, elements, is_open, largest, smallest


def weights(g, type_, shape, count, constant=None):
    """Returns weights for sums of `count` products."""
    if type_ not in FLOATS:
        return g.fresh(type_, shape, (max(-9, integer_range(type_)[0]), 9), constant)
    bound = round(max(0.1, 2.0 / max(1, count) ** 0.5), 3)
    return g.fresh(type_, shape, (-bound, bound), constant)


def product_bounds(g, type_, x, y, count):
    if type_ not in FLOATS:
        return integer_range(type_)
    bound = x.size * y.size * max(count, 1)
    return -bound, bound


def matmul(g):
    x = g.take(FLOATS + ("i32", "i64"), ranks=(1, 5))
    k = x.shape[-1]
    if largest(k) > g.limit(400):
        raise NoFit
    n = g.size(g.limit(70))
    batch = tuple(1 if g.chance(0.3) else size for size in x.shape[:-2])[g.integer(0, max(0, x.rank - 2)):] if x.rank > 2 else g.pick((), (), (2,), (3, 1))
    rank1 = g.chance(0.1)
    shape = (k,) if rank1 else (*(batch if g.chance(0.5) else ()), k, n)
    y = weights(g, x.type, shape, largest(k))
    if g.chance(0.15) and x.rank >= 2:  # with itself, transposed
        perm = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
        y = g.node("Transpose", [x], [(x.type, [x.shape[axis] for axis in perm], x.low, x.high, x.exact)], perm=perm)
    from elementwise import result_shape
    rows = x.shape[:-1] if x.rank == 1 else x.shape[-2:-1]
    made = (*result_shape(x.shape[:-2], y.shape[:-2]), *(rows if x.rank > 1 else ()), *(y.shape[-1:] if y.rank > 1 else ()))
    y = g.node("MatMul", [x, y], [(x.type, made, *product_bounds(g, x.type, x, y, largest(k)), x.type not in FLOATS)])
    if g.chance(0.3) and y.rank and y.type in FLOATS and not is_open(y.shape[-1]):
        bias = g.fresh(y.type, y.shape[-1:], (-1, 1))
        g.same("Add", y, y.low - 1, y.high + 1, False, extra=[bias])


def gemm(g):
    a = g.take(FLOATS + ("i32", "i64"), ranks=(2, 2))
    turned, m, k = g.pick(0, 1), *a.shape
    if turned:
        m, k = k, m
    if largest(k) > g.limit(400):
        raise NoFit
    n, other = g.size(g.limit(70)), g.pick(0, 1)
    b = weights(g, a.type, (n, k) if other else (k, n), largest(k))
    c = [g.fresh(a.type, g.pick((), (1,), (n,), (m, n), (m, 1), (1, n)), (-2, 2) if a.type in FLOATS else (0, 9))] if g.chance(0.7) else []
    factors = {"alpha": g.pick(1.0, 0.5), "beta": g.pick(1.0, 0.25)} if a.type in FLOATS and g.chance(0.5) else {}
    low, high = product_bounds(g, a.type, a, b, largest(k))
    g.node("Gemm", [a, b, *c], [(a.type, (m, n), low - 2 if a.type in FLOATS else low, high + 2 if a.type in FLOATS else high, a.type not in FLOATS)], transA=turned, transB=other, **factors)


def einsum(g):
    x = g.take(FLOATS, ranks=(2, 3), most=3000)
    names = "abc"[: x.rank]
    if g.chance(0.3):
        order = "".join(names[axis] for axis in g.random.permutation(x.rank)[: g.integer(1, x.rank)])
        count = elements(x.shape)
        g.node("Einsum", [x], [(x.type, [x.shape[names.index(each)] for each in order], -count * x.size, count * x.size, False)], equation=f"{names}->{order}")
        return
    k, n = x.shape[-1], g.sized((1, 4, 9), (9, 64, 200))
    if largest(k) > g.limit(300):
        raise NoFit
    y = weights(g, x.type, (n, k) if x.rank == 2 else (x.shape[0], n, k), largest(k))
    equation = "ij,kj->ik" if x.rank == 2 else g.pick("bij,bkj->bik", "bij,bkj->ibk")
    shape = (x.shape[0], n) if x.rank == 2 else (x.shape[0], x.shape[1], n) if equation.endswith("bik") else (x.shape[1], x.shape[0], n)
    g.node("Einsum", [x, y], [(x.type, shape, *product_bounds(g, x.type, x, y, largest(k)), False)], equation=equation)


def conv(g, by_channel=False):
    x = planes(g)
    channels = x.shape[1]
    if is_open(channels) or channels > g.limit(130):
        raise NoFit
    kernel, strides, pads, dilations = windows(g, x)
    if g.chance(0.15):
        pads = [g.integer(0, 3) for _ in pads]
    sizes = window_sizes(x.shape, kernel, strides, pads, dilations)
    groups = channels if by_channel or g.chance(0.1) else g.pick(1, 1, 1, *[count for count in (2, 3, 4) if channels % count == 0])
    width = groups * g.pick(1, 1, 2) if groups == channels else max(1, g.sized((1, 3, 4, 8, 16, 20, 33), (4, 16, 33, 48, 64, 96, 128, 200)) // groups) * groups
    count = channels // groups * int(np.prod(kernel))
    if elements([x.shape[0], width, *sizes]) * count > g.limit(4e6):
        raise NoFit
    w = weights(g, x.type, (width, channels // groups, *kernel), count, True if g.chance(0.7) else None)
    bias = [g.fresh(x.type, (width,), (-1, 1))] if g.chance(0.5) else []
    attributes = {"kernel_shape": kernel} if g.chance(0.7) else {}
    if g.chance(0.1) and not any(is_open(size) for size in x.shape) and all(dilation == 1 for dilation in dilations):
        sizes = [-(-size // stride) for size, stride in zip(x.shape[2:], strides)]
        attributes["auto_pad"] = g.pick("SAME_UPPER", "SAME_LOWER")
    else:
        attributes["pads"] = pads
    low, high = product_bounds(g, x.type, x, w, count)
    y = g.node("Conv", [x, w, *bias], [(x.type, [x.shape[0], width, *sizes], low - 1, high + 1, False)], strides=strides, dilations=dilations, group=groups, **attributes)
    if g.chance(0.4):
        g.same("Relu", y, 0, y.high, False)


def depthwise(g):
    conv(g, by_channel=True)


def scale_channels(g):
    """Adds a squeeze-and-excitation block."""
    x = g.take(FLOATS, lambda value: not is_open(value.shape[1]) and value.shape[1] <= g.limit(48), ranks=(4, 4), zero=False)
    channels, few = x.shape[1], (x.shape[0], 4, 1, 1)
    mean = g.node("GlobalAveragePool", [x], [(x.type, (*x.shape[:2], 1, 1), x.low, x.high, False)])
    first, second = weights(g, x.type, (4, channels, 1, 1), channels, True), weights(g, x.type, (channels, 4, 1, 1), 4, True)
    inner = g.node("Conv", [mean, first], [(x.type, few, *product_bounds(g, x.type, mean, first, channels), False)], kernel_shape=[1, 1])
    outer = g.node("Conv", [inner, second], [(x.type, mean.shape, *product_bounds(g, x.type, inner, second, 4), False)], kernel_shape=[1, 1])
    share = g.same(g.pick("Sigmoid", "Tanh"), outer, -1.01, 1.01)
    g.same("Mul", x, -1.01 * x.size, 1.01 * x.size, extra=[share])


def conv_transpose(g):
    x = planes(g, most=2500)
    channels = x.shape[1]
    if is_open(channels) or channels > g.limit(64):
        raise NoFit
    kernel, strides, pads, dilations = windows(g, x)
    groups = g.pick(1, 1, *[count for count in (2, 3, 4) if channels % count == 0])
    each = g.sized((1, 2, 3, 8), (3, 8, 32, 64))
    rank = x.rank - 2
    more = [g.integer(0, max(strides[axis], dilations[axis]) - 1) if g.chance(0.3) else 0 for axis in range(rank)]
    sizes = [(x.shape[2 + axis] - 1) * strides[axis] + dilations[axis] * (kernel[axis] - 1) + 1 + more[axis] - pads[axis] - pads[rank + axis] for axis in range(rank)]
    if any(smallest(size) < 1 for size in sizes):
        raise NoFit
    count = channels // groups * int(np.prod(kernel))
    w = weights(g, x.type, (channels, each, *kernel), count, True if g.chance(0.7) else None)
    bias = [g.fresh(x.type, (each * groups,), (-1, 1))] if g.chance(0.5) else []
    low, high = product_bounds(g, x.type, x, w, count)
    g.node("ConvTranspose", [x, w, *bias], [(x.type, [x.shape[0], each * groups, *sizes], low - 1, high + 1, False)], kernel_shape=kernel, strides=strides, pads=pads, dilations=dilations,
           group=groups, output_padding=more)


def determinant(g):
    n = g.pick(1, 2, 3, 5, 8)
    x = g.fresh(g.type_of(("f32", "f64")), (*g.shape(0, 2, most=30), n, n), (0.1, 1))
    g.node("Det", [x], [(x.type, x.shape[:-2], -1000, 1000, False)])


# ---- quantised ----

def quantise(g):
    if g.chance(0.4):
        x = g.take(("i8", "u8") + (("i16", "u16") if g.opset >= 21 else ()) + ("i32",), ranks=(0, 4))
        if x.type == "i32":
            x, zero = g.clamp(x, -1000, 1000), []
        else:
            zero = [g.scalar(x.type, 3)] if g.chance(0.6) else []
        g.node("DequantizeLinear", [x, g.scalar("f32", g.pick(0.5, 0.1, 0.25)), *zero], [("f32", x.shape, -40000, 40000, False)])
        return
    x = g.take(("f32",), lambda value: value.exact, ranks=(0, 4))
    type_ = g.pick("i8", "u8") if g.opset < 21 else g.pick("i8", "u8", "i16", "u16")
    if x.rank >= 2 and g.chance(0.3) and not is_open(x.shape[1]):
        scale, zero, axis = g.fresh("f32", x.shape[1:2], (0.25, 1), True), g.fresh(type_, x.shape[1:2], (0, 9), True), {"axis": 1}
        g.node("DequantizeLinear", [g.node("QuantizeLinear", [x, scale, zero], [(type_, x.shape, *integer_range(type_), False)], **axis), scale, zero], [("f32", x.shape, -40000, 40000, False)], **axis)
        g.read.add(g.values[-2].name)
        return
    scale, zero = g.scalar("f32", g.pick(0.5, 0.25, 1.0)), g.scalar(type_, g.pick(0, 3))
    g.node("QuantizeLinear", [x, scale, zero], [(type_, x.shape, *integer_range(type_), True)])


def integer_products(g):
    a = g.take(("i8", "u8"), ranks=(2, 4))
    if g.chance(0.5):
        k = a.shape[-1]
        if largest(k) > g.limit(400):
            raise NoFit
        b = g.fresh(g.pick("i8", "u8"), (k, g.size(g.limit(60))))
        zeros = [g.scalar(a.type, g.pick(0, 5)), g.scalar(b.type, g.pick(0, 2))][: g.pick(0, 1, 2)]
        g.node("MatMulInteger", [a, b, *zeros], [("i32", (*a.shape[:-1], b.shape[1]), -(2**30), 2**30, True)])
        return
    if a.rank < 3 or any(smallest(size) < 1 for size in a.shape) or is_open(a.shape[1]) or a.shape[1] > g.limit(100):
        raise NoFit
    kernel, strides, pads, dilations = windows(g, a)
    sizes = window_sizes(a.shape, kernel, strides, pads, dilations)
    w = g.fresh(g.pick("i8", "u8"), (g.sized((1, 3, 8, 17), (8, 17, 64, 100)), a.shape[1], *kernel), constant=True)
    zeros = [g.scalar(a.type, g.pick(0, 5)), g.scalar(w.type, g.pick(0, 2))][: g.pick(0, 1, 2)]
    g.node("ConvInteger", [a, w, *zeros], [("i32", [a.shape[0], w.shape[0], *sizes], -(2**30), 2**30, True)], kernel_shape=kernel, strides=strides, pads=pads, dilations=dilations)


def quantised_product(g):
    """Adds a quantised product. Its sums are exact. Ties are not rounded alike by all implementations, so the scales are such that few results are
    ties."""
    a = g.take(("i8", "u8"), ranks=(2, 3), zero=False)
    k = a.shape[-1]
    if largest(k) > g.limit(200):
        raise NoFit
    b = g.fresh(g.pick("i8", "u8") if a.type == "u8" else "i8", (k, g.size(g.limit(40), zero=False)))
    operands = [a, g.scalar("f32", 0.1037), g.scalar(a.type, 2), b, g.scalar("f32", 0.0713), g.scalar(b.type, 1), g.scalar("f32", 0.9137), g.scalar(a.type, 3)]
    g.node("QLinearMatMul", operands, [(a.type, (*a.shape[:-1], b.shape[1]), *integer_range(a.type), True)])


def dynamic(g):
    x = g.take(("f32",), lambda value: value.exact, zero=False, ranks=(1, 4))
    g.node("DynamicQuantizeLinear", [x], [("u8", x.shape, 0, 255, False), ("f32", (), 0, 100, False), ("u8", (), 0, 255, False)])


# ---- layers ----

def recurrent(g):
    kind, gates = g.pick(("RNN", 1), ("GRU", 3), ("LSTM", 4))
    x = g.take(("f32", "f64", "f16"), ranks=(3, 3), zero=False, most=4000)
    length, batch, width = x.shape
    if is_open(width) or width > g.limit(70) or largest(length) > g.limit(40):
        raise NoFit
    x = g.clamp(x, -4.0, 4.0)
    hidden, direction = g.sized((1, 3, 8, 17), (17, 64, 128)), g.pick("forward", "reverse", "bidirectional")
    directions = 2 if direction == "bidirectional" else 1
    operands = [weights(g, x.type, (directions, gates * hidden, width), width, True), weights(g, x.type, (directions, gates * hidden, hidden), hidden, True)]
    bias = g.fresh(x.type, (directions, 2 * gates * hidden), (-0.5, 0.5)) if g.chance(0.6) else None
    lengths = g.fresh("i32", (batch,), (1, length)) if g.chance(0.3) else None
    initial = g.fresh(x.type, (directions, batch, hidden), (-1, 1)) if g.chance(0.5) else None
    state = (x.type, (directions, batch, hidden), -9, 9, False)
    attributes = {"linear_before_reset": g.pick(0, 1)} if kind == "GRU" else {}
    g.node(kind, [x, *operands, bias, lengths, initial], [(x.type, (length, directions, batch, hidden), -1.01, 1.01, False), state] + ([state] if kind == "LSTM" else []),
           hidden_size=hidden, direction=direction, **attributes)


def attention(g):
    """Adds attention, as networks write it or as one operator."""
    heads, size = g.pick(1, 2, 3), g.sized((4, 8, 17), (17, 32, 64))
    length, past = g.size(g.limit(20), zero=False), g.sized((1, 3, 9), (50, 128, 197))
    type_ = g.type_of(("f32", "f32", "f16", "f64"))
    q, k, v = (g.fresh(type_, (2, heads, each, size), (-1, 1)) for each in (length, past, past))
    known = [value for value in g.values if value.type in ("f32", "f16", "f64") and value.rank == 4 and value.size <= 3 and are_fixed(value.shape) and elements(value.shape) and
             value.constant is None and value.shape[-1] <= g.limit(65)]
    if known and g.chance(0.5):  # self-attention
        q = k = v = g.pick(*known)
        type_, (_, heads, length, size), past = q.type, q.shape, q.shape[2]
    batch, bound = q.shape[0], 1.01 * v.size
    if g.opset >= 23 and g.chance(0.6):
        mask = [g.fresh(type_, (length, past), (-3, 0))] if g.chance(0.4) else []
        g.node("Attention", [q, k, v, *mask], [(type_, (batch, heads, length, size), -bound, bound, False)], is_causal=0 if mask else g.pick(0, 1))
        return
    turned = g.node("Transpose", [k], [(type_, (batch, heads, size, past), k.low, k.high, k.exact)], perm=[0, 1, 3, 2])
    scores = g.node("MatMul", [q, turned], [(type_, (batch, heads, length, past), -9 * size, 9 * size, False)])
    scaled = g.same("Mul", scores, -3 * size, 3 * size, extra=[g.scalar(type_, 0.25)])
    share = g.same("Softmax", scaled, 0, 1.01, axis=-1)
    g.node("MatMul", [share, v], [(type_, (batch, heads, length, size), -bound, bound, False)])


def rotary(g):
    if g.opset < 23:
        raise NoFit
    type_, size, length, batch = g.type_of(("f32", "f16")), g.pick(2, 8, 16), g.size(20, zero=False), g.pick(1, 2)
    x = g.fresh(type_, (batch, g.pick(1, 3), length, size), (-2, 2))
    if g.chance(0.5):
        caches = [g.fresh(type_, (batch, length, size // 2), (-1, 1)) for _ in range(2)]
        g.same("RotaryEmbedding", x, -4, 4, False, extra=caches, interleaved=g.pick(0, 1))
    else:
        caches = [g.fresh(type_, (50, size // 2), (-1, 1)) for _ in range(2)]
        g.same("RotaryEmbedding", x, -4, 4, False, extra=[*caches, g.fresh("i64", (batch, length), (0, 49))], interleaved=g.pick(0, 1))


STEPS = [matmul] * 5 + [gemm] * 2 + [conv] * 4 + [depthwise] + [conv_transpose] * 2 + [quantise] * 2 + [einsum, determinant, integer_products, quantised_product, dynamic, recurrent, attention, rotary]
