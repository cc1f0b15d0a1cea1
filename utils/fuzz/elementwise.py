"""Steps of operators that compute element by element."""

import numpy as np

from element_types import ANY, BITS, FLOATS, INTEGERS, NUMBERS, SIGNED, UNSIGNED, integer_range
from graph import NoFit


def softplus(x):
    return np.log1p(np.exp(x))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


ANYWHERE = (-1e9, 1e9)
# Operator: the range in which it is defined and does not magnify errors, and its function.
UNARY = {
    "Acos": ((-0.9, 0.9), np.arccos), "Acosh": ((1.2, 1e3), np.arccosh), "Asin": ((-0.9, 0.9), np.arcsin), "Asinh": (ANYWHERE, np.arcsinh), "Atan": (ANYWHERE, np.arctan),
    "Atanh": ((-0.9, 0.9), np.arctanh), "Cos": ((-50, 50), lambda x: np.sign(x)), "Sin": ((-50, 50), lambda x: np.sign(x)), "Tan": ((-1.2, 1.2), np.tan),
    "Cosh": ((-4, 4), np.cosh), "Sinh": ((-4, 4), np.sinh), "Erf": (ANYWHERE, np.sign), "Exp": ((-20, 4), np.exp), "Log": ((0.05, 1e9), np.log),
    "Mish": ((-80, 80), lambda x: x * np.tanh(softplus(x))), "HardSwish": (ANYWHERE, lambda x: x * np.clip(x / 6 + 0.5, 0, 1)), "Sigmoid": ((-80, 80), sigmoid),
    "Softplus": ((-80, 80), softplus), "Softsign": (ANYWHERE, lambda x: x / (1 + abs(x))), "Sqrt": ((0.05, 1e9), np.sqrt), "Tanh": (ANYWHERE, np.tanh),
    "Reciprocal": ((0.1, 1e9), lambda x: 1 / x), "Abs": (ANYWHERE, np.abs), "Neg": (ANYWHERE, np.negative), "Relu": (ANYWHERE, lambda x: np.maximum(x, 0)),
    "Celu": ((-50, 1e9), lambda x: np.where(x > 0, x, -1.5)), "Elu": ((-50, 1e9), lambda x: np.where(x > 0, x, -1.5)), "Selu": ((-50, 1e9), lambda x: np.where(x > 0, 1.1 * x, -2)),
    "LeakyRelu": (ANYWHERE, lambda x: np.where(x > 0, x, 0.3 * x)), "HardSigmoid": (ANYWHERE, lambda x: np.clip(x, 0, 1)),
    "Gelu": (ANYWHERE, lambda x: np.where(x > 0, x, -0.3)), "Swish": ((-40, 40), lambda x: np.where(x > 0, x, -0.6)),
}
ATTRIBUTES = {
    "Celu": lambda g: {"alpha": g.pick(1.0, 0.5)}, "Elu": lambda g: {"alpha": g.pick(1.0, 0.7)}, "LeakyRelu": lambda g: {"alpha": g.pick(0.01, 0.3)},
    "HardSigmoid": lambda g: {"alpha": g.pick(0.2, 0.5), "beta": g.pick(0.5, 0.1)}, "Gelu": lambda g: {"approximate": g.pick("none", "tanh")},
    "Swish": lambda g: {"alpha": g.pick(1.0, 0.5)},
}
SINCE = {"Mish": 18, "Gelu": 20, "HardSwish": 14, "Swish": 24}
EXACT = {"Abs", "Neg", "Relu"}


def bounds_of(function, low, high):
    with np.errstate(all="ignore"):
        samples = function(np.linspace(low, high, 41))
    return float(np.min(samples)) - 0.05, float(np.max(samples)) + 0.05


def unary(g):
    kind = g.pick(*UNARY)
    if SINCE.get(kind, 0) > g.opset:
        raise NoFit
    (low, high), function = UNARY[kind]
    if kind == "Celu" and g.opset < 27:  # only of float32 before
        x = g.take(("f32",))
    else:
        x = g.take(FLOATS if kind != "Relu" or g.opset < 14 else FLOATS + SIGNED)
    if low > -1e9 or high < 1e9:
        x = g.clamp(x, max(low, -1e5), min(high, 900))
    lowest, highest = bounds_of(function, x.low, x.high)
    if kind in ("Cos", "Sin", "Erf"):
        lowest, highest = -1.01, 1.01
    if kind in EXACT:
        lowest, highest = (max(x.low, 0), max(x.high, 0)) if kind == "Relu" else (-x.high, -x.low) if kind == "Neg" else (0, x.size)
    g.same(kind, x, lowest, highest, x.exact and kind in EXACT, **ATTRIBUTES.get(kind, lambda g: {})(g))


def integer_unary(g):
    kind = g.pick("Abs", "Neg", "Sign", "BitwiseNot", "Sign", "Relu")
    if (kind == "BitwiseNot" and g.opset < 18) or (kind == "Relu" and g.opset < 14):
        raise NoFit
    x = g.take({"Neg": SIGNED, "Relu": SIGNED}.get(kind, INTEGERS))
    g.same(kind, x, *integer_range(x.type), True)


def rounding(g):
    kind = g.pick("Floor", "Ceil", "Round", "Sign")
    x = g.take(FLOATS, lambda value: value.exact)
    low, high = (-1, 1) if kind == "Sign" else (np.floor(x.low), np.ceil(x.high))
    g.same(kind, x, low, high, True)


def shrink(g):
    if g.chance(0.5):
        x = g.take(NUMBERS, lambda value: value.exact)
        g.same("Shrink", x, x.low - 0.5, x.high + 0.5, x.type not in FLOATS, lambd=g.pick(1.0, 2.0) if x.type in FLOATS else 3.0, bias=g.pick(0.0, 0.5) if x.type in FLOATS else 0.0)
    else:
        x = g.take(FLOATS, lambda value: value.exact)
        g.same("ThresholdedRelu", x, min(x.low, 0), max(x.high, 0), True, alpha=1.0)


def result_shape(a, b):
    """Returns the shape of operands that broadcast. Raises NoFit if they do not."""
    rank, made = max(len(a), len(b)), []
    for axis in range(-rank, 0):
        x, y = (a[axis] if -axis <= len(a) else 1), (b[axis] if -axis <= len(b) else 1)
        if not (x == y or x == 1 or y == 1):
            raise NoFit
        made.append(y if x == 1 else x)
    return tuple(made)


def combined(kind, x, y):
    pairs = [(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
    function = {"Add": lambda a, b: a + b, "Sub": lambda a, b: a - b, "Mul": lambda a, b: a * b, "Max": max, "Min": min}[kind]
    made = [function(a, b) for a, b in pairs]
    return min(made), max(made)


def arithmetic(g):
    kind = g.pick("Add", "Add", "Sub", "Mul", "Mul", "Max", "Min")
    x = g.take(NUMBERS)
    y = g.like(x)
    low, high = combined(kind, x, y) if x.type in FLOATS else integer_range(x.type)
    if g.chance(0.4):
        x, y = y, x
        low, high = combined(kind, x, y) if x.type in FLOATS else integer_range(x.type)
    exact = x.exact and y.exact and (x.type not in FLOATS or kind in ("Max", "Min"))
    g.node(kind, [x, y], [(x.type, result_shape(x.shape, y.shape), low, high, exact)])


def divide(g):
    x = g.take(NUMBERS)
    kind = g.pick("Div", "Div", "Mod")
    y = g.like(x)
    if x.type in FLOATS:
        y = g.clamp(y, 0.25, 50.0)
        if kind == "Mod":
            if not (x.exact and y.exact):
                raise NoFit
            g.node(kind, [x, y], [(x.type, result_shape(x.shape, y.shape), -y.size, y.size, False)], fmod=1)
        else:
            g.node(kind, [x, y], [(x.type, result_shape(x.shape, y.shape), -4 * x.size, 4 * x.size, False)])
        return
    least = integer_range(x.type)[0]
    y = g.clamp(y, 1, 100)
    if least < 0:  # the smallest number divided by -1 overflows, so neither operand is that
        x = g.clamp(x, max(least, -(2**40)) + 1, min(integer_range(x.type)[1], 2**40))
    fmod = {"fmod": g.pick(0, 1)} if kind == "Mod" else {}
    g.node(kind, [x, y], [(x.type, result_shape(x.shape, y.shape), *integer_range(x.type), True)], **fmod)


def compare(g):
    kind = g.pick("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual")
    if kind.endswith("OrEqual") and g.opset < 16:
        kind = "Less"
    x = g.take(NUMBERS + (("bool",) if kind == "Equal" else ()), lambda value: value.exact)
    y = g.like(x)
    if not y.exact:
        y = g.fresh(x.type, y.shape)
    g.node(kind, [x, y], [("bool", result_shape(x.shape, y.shape), 0, 1, True)])


def logic(g):
    if g.chance(0.25):
        x = g.take(("bool",))
        g.same("Not", x, 0, 1, True)
    else:
        x = g.take(("bool",))
        y = g.like(x)
        g.node(g.pick("And", "Or", "Xor"), [x, y], [("bool", result_shape(x.shape, y.shape), 0, 1, True)])


def bits(g):
    if g.opset >= 18 and g.chance(0.6):
        x = g.take(INTEGERS)
        y = g.like(x)
        g.node(g.pick("BitwiseAnd", "BitwiseOr", "BitwiseXor"), [x, y], [(x.type, result_shape(x.shape, y.shape), *integer_range(x.type), True)])
    else:
        x = g.take(UNSIGNED)
        y = g.clamp(g.like(x), 0, BITS[x.type] - 1)
        g.node("BitShift", [x, y], [(x.type, result_shape(x.shape, y.shape), *integer_range(x.type), True)], direction=g.pick("LEFT", "RIGHT"))


def variadic(g):
    kind = g.pick("Sum", "Mean", "Max", "Min")
    x = g.take(FLOATS if kind in ("Sum", "Mean") else NUMBERS)
    others = [g.like(x) for _ in range(g.pick(0, 1, 2, 2, 4))]
    shape = x.shape
    for other in others:
        shape = result_shape(shape, other.shape)
    everything = [x, *others]
    low, high = min(each.low for each in everything), max(each.high for each in everything)
    if kind == "Sum":
        low, high = sum(each.low for each in everything), sum(each.high for each in everything)
    g.node(kind, everything, [(x.type, shape, low, high, kind in ("Max", "Min") and all(each.exact for each in everything))])


def power(g):
    x = g.take(FLOATS + ("i32", "i64"))
    if x.type not in FLOATS:
        x = g.clamp(x, -9, 9)
        y = g.fresh(g.pick("i32", "i64", "u8"), g.pick((), x.shape), (0, 5))
        return g.node("Pow", [x, y], [(x.type, x.shape, -60000, 60000, True)])
    if g.chance(0.5):
        exponent = g.pick(2.0, 3.0, 0.5, 1.0, -1.0, -2.0, 0.0)
        x = g.clamp(x, 0.2, 20.0) if exponent in (0.5, -1.0, -2.0) else g.clamp(x, -20.0, 20.0)
        y = g.scalar(g.pick(x.type, x.type, "f32"), exponent, g.pick((), (1,)))
        return g.node("Pow", [x, y], [(x.type, result_shape(x.shape, y.shape), -8000, 8000, False)])
    x = g.clamp(x, 0.2, 5.0)
    y = g.clamp(g.like(x), -3.0, 3.0)
    return g.node("Pow", [x, y], [(x.type, result_shape(x.shape, y.shape), 0, 130, False)])


def prelu(g):
    x = g.take(FLOATS, ranks=(1, 5))
    shape = tuple(1 if g.chance(0.5) else size for size in x.shape)[g.integer(0, x.rank):]
    slope = g.fresh(x.type, shape, (-1, 1))
    g.same("PRelu", x, -x.size, x.size, False, extra=[slope])


def where(g):
    x = g.take(ANY)
    y = g.like(x)
    condition = g.fresh("bool", tuple(1 if g.chance(0.3) else size for size in x.shape))
    known = [value for value in g.values if value.type == "bool" and value.shape == x.shape]
    if known and g.chance(0.7):
        condition = g.pick(*known)
    shape = result_shape(result_shape(x.shape, y.shape), condition.shape)
    g.node("Where", [condition, x, y], [(x.type, shape, min(x.low, y.low), max(x.high, y.high), x.exact and y.exact)])


def clip(g):
    x = g.take(NUMBERS)
    low, high = integer_range(x.type) if x.type in INTEGERS else (-1e4, 1e4)
    low, high = max(low, g.pick(-5, -1, 0)), min(high, g.pick(1, 3, 10))
    which = g.pick("both", "low", "high", "none")
    first = g.scalar(x.type, low) if which in ("both", "low") else None
    last = g.scalar(x.type, high) if which in ("both", "high") else None
    made = (max(x.low, low) if first else x.low), (min(x.high, high) if last else x.high)
    g.same("Clip", x, min(made[0], high) if last else made[0], max(made[1], low) if first else made[1], x.exact, extra=[first, last])


def cast(g):
    x = g.take(ANY)
    to = g.type_of(ANY)
    if to == "bool" and not x.exact:
        raise NoFit
    if x.type in FLOATS and to in INTEGERS:
        if not x.exact:
            raise NoFit
        low, high = integer_range(to)
        x = g.clamp(x, float(max(low, -1000)), float(min(high, 1000) if high < 2**20 else 1000))
    if to in FLOATS and x.size > 900:
        x = g.clamp(x, -900 if x.type not in UNSIGNED else 0, min(900, integer_range(x.type)[1]) if x.type in INTEGERS else 900) if x.type != "bool" else x
    number = {"bool": (0, 1)}.get(to) or ((x.low, x.high) if x.type in FLOATS or to in FLOATS else integer_range(to))
    # A conversion to fewer bits is exact, because all implementations round the same number, unless the wide reference omits it.
    exact = x.exact and not (x.type in FLOATS and to in FLOATS) and (to not in ("f16", "bf16") or x.type in ("bool", "i8", "u8"))
    if g.opset >= 15 and g.chance(0.2):
        target = g.fresh(to, g.pick((), (2,)))
        g.node("CastLike", [x, target], [(to, x.shape, *number, exact)])
    else:
        from element_types import number_of
        g.node("Cast", [x], [(to, x.shape, *number, exact)], to=number_of(to))


def bit_cast(g):
    from element_types import number_of
    if g.opset < 26:
        raise NoFit
    x = g.take(INTEGERS)
    to = g.pick(*[each for each in INTEGERS if BITS[each] == BITS[x.type]])
    g.node("BitCast", [x], [(to, x.shape, *integer_range(to), True)], to=number_of(to))


def classify(g):
    kind = g.pick("IsNaN", "IsInf")
    x = g.take(FLOATS if g.opset >= 20 else ("f32", "f64") if kind == "IsInf" else FLOATS)
    attributes = {"detect_negative": g.pick(0, 1), "detect_positive": g.pick(0, 1)} if kind == "IsInf" else {}
    g.node(kind, [x], [("bool", x.shape, 0, 1, True)], **attributes)


def identity(g):
    x = g.take(ANY)
    g.same("Identity", x, x.low, x.high, x.exact)


def dropout(g):
    x = g.take(FLOATS)
    if g.chance(0.5):
        g.same("Dropout", x, x.low, x.high, x.exact)
    else:
        g.node("Dropout", [x, g.scalar(x.type, 0.5)], [(x.type, x.shape, x.low, x.high, x.exact), ("bool", x.shape, 0, 1, True)])


STEPS = [unary] * 5 + [arithmetic] * 6 + [cast] * 3 + [where] * 2 + [compare] * 2 + [clip] * 2 + [
    integer_unary, rounding, shrink, divide, logic, bits, variadic, power, prelu, bit_cast, classify, identity, dropout]
