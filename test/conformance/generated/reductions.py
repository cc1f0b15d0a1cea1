"""Reductions without axes, of no elements, and of booleans and bytes."""

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(22)
OPERATORS = {
    "ReduceSum": numpy.sum, "ReduceProd": numpy.prod, "ReduceMax": numpy.max, "ReduceMin": numpy.min, "ReduceMean": numpy.mean,
    "ReduceL1": lambda x, **where: abs(x).sum(**where), "ReduceL2": lambda x, **where: numpy.sqrt((x * x).sum(**where)),
    "ReduceSumSquare": lambda x, **where: (x * x).sum(**where), "ReduceLogSum": lambda x, **where: numpy.log(x.sum(**where)),
    "ReduceLogSumExp": lambda x, **where: numpy.log(numpy.exp(x).sum(**where)),
}
OF_NOTHING = {"ReduceSum": 0, "ReduceProd": 1, "ReduceMax": -numpy.inf, "ReduceMin": numpy.inf, "ReduceL1": 0, "ReduceL2": 0, "ReduceSumSquare": 0,
              "ReduceLogSum": -numpy.inf, "ReduceLogSumExp": -numpy.inf}


def write_long_rows(folder):
    """Extrema of rows that are searched in columns: equal elements in several columns and in the rest, and NaN."""
    ties, numbers = RANDOM.integers(-3, 4, (2, 1100)).astype(numpy.float32), RANDOM.standard_normal((1, 1, 2048)).astype(numpy.float32)
    holes = numpy.where(RANDOM.random((3, 1501)) < 0.002, numpy.float32("nan"), RANDOM.standard_normal((3, 1501)).astype(numpy.float32))
    many, short = (RANDOM.integers(-3, 4, shape).astype(numpy.float32) for shape in ((20, 1030), (3, 2, 70)))
    longest = RANDOM.integers(-90, 90, (1, 4230)).astype(numpy.int64)
    for name, x in (("ties", ties), ("numbers", numbers), ("nan", holes), ("many", many), ("short", short), ("longest", longest)):
        for operator, find in (("ArgMax", numpy.argmax), ("ArgMin", numpy.argmin)):
            first, last = find(x, axis=-1), x.shape[-1] - 1 - find(x[..., ::-1], axis=-1)
            stem = f"{operator.lower()}_long_{name}"
            write_case(folder, stem, operator, [x], [first], opset=13, axis=-1, keepdims=0)
            write_case(folder, f"{stem}_last", operator, [x], [last], opset=13, axis=-1, keepdims=0, select_last_index=1)


def write_cases(folder):
    x = (abs(RANDOM.standard_normal((3, 4, 2))) + 0.1).astype(numpy.float32)
    nothing, negative = numpy.array([], numpy.int64), numpy.array([-1, 0])
    for operator, reduce in OPERATORS.items():
        stem = f"reduction_{operator[6:].lower()}"
        alone = reduce(x[None], axis=0)  # each element is reduced separately
        write_case(folder, f"{stem}_negative_axes", operator, [x, negative], [reduce(x, axis=(0, 2))], opset=18, constants=(1,), keepdims=0)
        write_case(folder, f"{stem}_all", operator, [x], [reduce(x, axis=None, keepdims=True)], opset=18)
        write_case(folder, f"{stem}_no_axes", operator, [x, nothing], [alone], opset=18, constants=(1,), noop_with_empty_axes=1)
        write_case(folder, f"{stem}_absent_axes", operator, [x], [alone], opset=18, noop_with_empty_axes=1)
        if operator in OF_NOTHING:
            write_case(folder, f"{stem}_of_nothing", operator, [numpy.zeros((2, 0, 4), numpy.float32), numpy.array([1])],
                       [numpy.full((2, 1, 4), OF_NOTHING[operator], numpy.float32)], opset=18, constants=(1,))
    for kind, given in (("bool", RANDOM.random((3, 4)) > 0.5), ("uint8", RANDOM.integers(0, 255, (3, 4)).astype(numpy.uint8))):
        for operator in ("ReduceMax", "ReduceMin"):
            write_case(folder, f"reduction_{operator[6:].lower()}_{kind}", operator, [given, numpy.array([1])],
                       [OPERATORS[operator](given, axis=1, keepdims=True)], opset=20, constants=(1,))
    write_long_rows(folder)
