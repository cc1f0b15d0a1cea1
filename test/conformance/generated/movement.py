"""Transpositions of shapes that squares of vectors do not divide, in every width of an element, and pads that cut."""

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(11)

# shape, permutation
MOVES = [((70, 37), (1, 0)), ((3, 300), (1, 0)), ((300, 3), (1, 0)), ((2, 19, 33), (0, 2, 1)), ((2, 3, 17, 40), (0, 2, 3, 1)),
         ((2, 17, 40, 3), (0, 3, 1, 2)), ((5, 18, 7, 16), (3, 1, 2, 0))]


def random_array(kind, shape):
    if kind == "bool":
        return RANDOM.random(shape) < 0.5
    if numpy.issubdtype(kind, numpy.integer):
        return RANDOM.integers(numpy.iinfo(kind).min, numpy.iinfo(kind).max, shape, kind)
    return RANDOM.standard_normal(shape).astype(kind)


def write_pads(folder):
    """Negative amounts cut first: what is left is repeated."""
    x = random_array(numpy.float32, (3, 4))
    for mode in ("edge", "reflect", "wrap", "constant"):
        for constants in ((1,), ()):
            write_case(folder, f"pad_{mode}_cut_{'known' if constants else 'read'}", "Pad", [x, numpy.array([-1, 2, 0, -1])],
                       [numpy.pad(x[1:, :-1], ((0, 0), (2, 0)), mode=mode)], opset=21, constants=constants, mode=mode)


def write_cases(folder):
    write_pads(folder)
    for kind in ("bool", "int8", "float16", "float32", "int64"):
        for shape, order in MOVES:
            name = f"test_transpose_{kind}_{'x'.join(map(str, shape))}_{''.join(map(str, order))}"
            x = random_array(kind, shape)
            write_case(folder, name, "Transpose", [x], [x.transpose(order)], opset=13, perm=list(order))
