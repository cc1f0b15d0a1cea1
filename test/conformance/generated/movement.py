"""Transpositions of shapes that squares of vectors do not divide, in every width of an element."""

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


def write_cases(folder):
    for kind in ("bool", "int8", "float16", "float32", "int64"):
        for shape, order in MOVES:
            name = f"test_transpose_{kind}_{'x'.join(map(str, shape))}_{''.join(map(str, order))}"
            x = random_array(kind, shape)
            write_case(folder, name, "Transpose", [x], [x.transpose(order)], opset=13, perm=list(order))
