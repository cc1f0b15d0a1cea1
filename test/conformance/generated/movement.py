"""Transpositions of shapes that blocks of vectors do not divide, in each width of elements, negative pads, steps of slices, constant conditions."""

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
    """Negative pads crop first: then the mode repeats the rest."""
    x = random_array(numpy.float32, (3, 4))
    for mode in ("edge", "reflect", "wrap", "constant"):
        for constants in ((1,), ()):
            write_case(folder, f"pad_{mode}_cut_{'known' if constants else 'read'}", "Pad", [x, numpy.array([-1, 2, 0, -1])],
                       [numpy.pad(x[1:, :-1], ((0, 0), (2, 0)), mode=mode)], opset=21, constants=constants, mode=mode)
    # Pads that wrap around more than once.
    for constants in ((1,), ()):
        write_case(folder, f"pad_wrap_often_{'known' if constants else 'read'}", "Pad", [x, numpy.array([0, 9, 4, 0])],
                   [numpy.pad(x, ((0, 4), (9, 0)), mode="wrap")], opset=21, constants=constants, mode="wrap")


def write_slices(folder):
    """Steps in both directions; the least integer as end means up to and including the first element."""
    least, most = numpy.iinfo(numpy.int64).min, numpy.iinfo(numpy.int64).max
    x = random_array(numpy.float32, (9, 6, 20))
    for name, bounds in (
            ("every_second", [(0, most, 2), (1, most, 2)]), ("every_third", [(1, -2, 3), (2, most, 3), (0, most, 4)]), ("reversed", [(-1, least, -1)]),
            ("all_reversed", [(-1, least, -1), (most, least, -1), (-1, -most, -1)]), ("backward", [(-2, 1, -2), (most, 0, -3)]),
            ("both", [(0, most, 2), (-1, least, -2), (-3, 2, -1)])):
        starts, ends, steps = (numpy.array(column) for column in zip(*bounds))
        taken = tuple(slice(start, None if step < 0 and end < -99 else end, step) for start, end, step in bounds)
        write_case(folder, f"slice_{name}", "Slice", [x, starts, ends, numpy.arange(len(bounds)), steps], [x[taken]], opset=13, constants=(1, 2, 3, 4))


def write_compressions(folder):
    x = random_array(numpy.float32, (4, 5))
    for axis, condition in ((0, [0, 1, 1]), (1, [1, 0, 0, 1, 0]), (-1, [0, 0]), (None, [0, 1, 0, 0, 1, 0, 1])):
        condition = numpy.array(condition, bool)
        attributes = {} if axis is None else {"axis": axis}
        write_case(folder, f"compress_constant_{axis}".replace("-", "last_"), "Compress", [x, condition], [x.compress(condition, axis)], opset=11,
                   constants=(1,), **attributes)


def write_cases(folder):
    write_pads(folder)
    write_slices(folder)
    write_compressions(folder)
    for kind in ("bool", "int8", "float16", "float32", "int64"):
        for shape, order in MOVES:
            name = f"test_transpose_{kind}_{'x'.join(map(str, shape))}_{''.join(map(str, order))}"
            x = random_array(kind, shape)
            write_case(folder, name, "Transpose", [x], [x.transpose(order)], opset=13, perm=list(order))
