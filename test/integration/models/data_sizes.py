#!/usr/bin/env python3
"""Slices, ranges, parts and branches whose sizes only the data of a run tell, compared with the naive path and with ONNX Runtime.

usage: data_sizes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Bounds lie before, inside and behind what is sliced; runs of sizes that do not fit are refused. Without ONNX Runtime the naive path alone is compared with. Exits 77 (skipped) without the
onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, verify_against

import numpy as np
import onnx
import onnx.parser

HEAD = '<ir_version: 8, opset_import: ["" : 17]>\n'
ENDS = [-100, -9, -1, 0, 1, 5, 8, 100, np.iinfo(np.int64).min, np.iinfo(np.int64).max]

FRONT = """front (float[8, 3] x, int64[1] n) => (float[k, 3] y, float[k, 3] z) <int64[1] zero = {0}, int64[1] axis = {0}> {
  y = Slice (x, zero, n, axis)
  z = Relu (y)
}"""

# The model states how many of the rows there are.
STATED = """stated (float[6] x, int64[1] n) => (float[2] y) <int64[1] zero = {0}, int64[1] axis = {0}> {
  y = Slice (x, zero, n, axis)
}"""

NAMED_AXIS = """named (float[2, w, 3] x, int64[1] n) => (float[2, k, 3] y, float[2, 3, 3] products) <int64[1] zero = {0}, int64[1] axis = {1}> {
  y = Slice (x, zero, n, axis)
  turned = Transpose <perm = [0, 2, 1]> (y)
  products = MatMul (turned, y)
}"""

# Both bounds are inputs; two axes, steps in both directions, and one axis with constant bounds.
BOTH_ENDS = """both (float[7, 9, 4] x, int64 a, int64 b, int32[2] rows) => (y, z, backward, small, far)
<int64[2] axes = {1, -1}, int64[2] steps = {2, 1}, int64[1] one = {1}, int64[1] back = {-1}, int64[1] thrice = {-3}, int64[1] zero = {0}, int64[1] last = {3},
 int32[1] first = {1}, int32[1] row = {0}, int64[1] next = {2}, int64[1] farthest = {9223372036854775807}> {
  from = Unsqueeze (a, zero)
  to = Unsqueeze (b, zero)
  starts = Concat <axis = 0> (from, one)
  ends = Concat <axis = 0> (to, last)
  y = Slice (x, starts, ends, axes, steps)
  low = Slice (rows, zero, one)
  high = Slice (rows, one, next)
  z = Slice (x, low, high, row)
  backward = Slice (x, from, to, one, thrice)
  small = Slice (x, back, to, zero, back)
  far = Slice (x, from, to, one, farthest)
}"""

# The last elements, and all but the first ones, of a dynamic size.
ENDING = """ending (float[2, w, 3] x, int64[1] n) => (float[2, k, 3] last, float[2, l, 3] rest)
<int64[1] end = {9223372036854775807}, int64[1] most = {2147483647}, int64[1] axis = {-2}> {
  back = Neg (n)
  last = Slice (x, back, end, axis)
  rest = Slice (x, n, most, axis)
}"""

# As many of the last elements as another tensor has, as T5 slices its table of positions, and all elements before them.
BEHIND = """behind (float[2, w, 3] x, float[q, 1] tokens) => (float[2, q, 3] last, float[2, l, 3] rest, float[2, i, 3] inside)
<int64[1] end = {9223372036854775807}, int64[1] zero = {0}, int64[1] newest = {-1}, int64[1] axis = {1}> {
  count = Shape <end = 1> (tokens)
  back = Neg (count)
  last = Slice (x, back, end, axis)
  rest = Slice (x, zero, back, axis)
  inside = Slice (x, back, newest, axis)
}"""

# The positions of a decoder, and their rows of a table: one for each token, whatever the number of past tokens.
WINDOW = """window (float[1, seq, 4] x, float[32, 4] table, int64 past) => (float[1, seq, 4] y, int64[seq] positions, float[1, 4] latest)
<int64 one = {1}, int64[1] zero = {0}> {
  lengths = Shape <start = 1, end = 2> (x)
  length = Squeeze (lengths)
  total = Add (past, length)
  positions = Range (past, total, one)
  from = Unsqueeze (past, zero)
  to = Unsqueeze (total, zero)
  rows = Slice (table, from, to, zero)
  y = Add (x, rows)
  next = Add (past, one)
  behind = Unsqueeze (next, zero)
  latest = Slice (table, from, behind, zero)
}"""

# A decoder whose first step has no cache: branches whose results differ in two sizes.
MERGED = """merged (float[1, seq, 4] x, float[1, past, 4] cache, bool uses) => (float[1, total, 4] present, float[1, total, 4] twice, float[1, seq, 4] y, float[a, b] part)
<float two = {2.0}, int64[2] zeros = {0, 0}, int64[2] ends = {1, 3}, int64[1] row = {0}> {
  present, twice, all = If (uses) <
    then_branch = with_cache () => (float[1, all, 4] joined, float[1, all, 4] double_joined, float[c, 4] rows) {
      joined = Concat <axis = 1> (cache, x)
      double_joined = Mul (joined, two)
      rows = Squeeze (joined, row)
    },
    else_branch = without () => (float[1, seq, 4] alone, float[1, seq, 4] double_alone, float[1, 3] corner) {
      alone = Identity (x)
      double_alone = Mul (x, two)
      inside = Squeeze (x, row)
      corner = Slice (inside, zeros, ends)
    }>
  turned = Transpose <perm = [0, 2, 1]> (present)
  raw = MatMul (x, turned)
  weights = Softmax (raw)
  y = MatMul (weights, twice)
  part = Relu (all)
}"""

RANGES = """ranges (int64 n, int32 m, float f, float[w] x) => (int64[k] up, int64[l] down, int32[i] thirds, float[9] halves, int64[j] places)
<int64 zero = {0}, int64 one = {1}, int64 ten = {10}, int64 minus = {-2}, int32 start = {2}, int32 three = {3}, int32 most = {17}, int32 least = {0}, float begin = {1.0}, float half = {0.5}> {
  limit = Min (n, ten)
  up = Range (zero, limit, one)
  down = Range (limit, zero, minus)
  inside = Clip (m, least, most)
  thirds = Range (start, inside, three)
  halves = Range (begin, f, half)
  best = ArgMax <axis = 0, keepdims = 0> (x)
  places = Range (zero, best, one)
}"""


# Parts of a size that is known only at run time: all but the last have the same.
PARTS = """parts (float[2, n, 3] x, int64 size, int64 at) => (int64 count, float[2, a, 3] first, float[2, b, 3] some, float[2, c, 3] last, float[2, n, 3] all)
<int64 zero = {0}, int64 minus = {-1}> {
  list = SplitToSequence <axis = 1> (x, size)
  count = SequenceLength (list)
  first = SequenceAt (list, zero)
  some = SequenceAt (list, at)
  last = SequenceAt (list, minus)
  all = ConcatFromSequence <axis = 1> (list)
}"""

# Parts of sizes that are a list, of a length that the run chooses.
LISTED = """listed (float[n, 3] x, int64[m] sizes, int64 at) => (int64 count, float[a, 3] first, float[b, 3] some)
<int64 zero = {0}> {
  list = SplitToSequence (x, sizes)
  count = SequenceLength (list)
  first = SequenceAt (list, zero)
  some = SequenceAt (list, at)
}"""

# A half by a size that follows from that of the data.
HALVES = """halves (float[n, 3] x) => (int64 count, float[a, 3] first, float[b, 3] second)
<int64 zero = {0}, int64 one = {1}, int64 two = {2}> {
  size = Shape <end = 1> (x)
  scalar = Squeeze (size)
  more = Add (scalar, one)
  half = Div (more, two)
  list = SplitToSequence (x, half)
  count = SequenceLength (list)
  first = SequenceAt (list, zero)
  second = SequenceAt (list, one)
}"""

# Positions in a list of tensors of different sizes, and in one of equal sizes.
POSITIONS = """positions (float[a, 2] x, float[b, 2] y, float[c, 2] z, int64[1] place, int32 other) => (float[d, 2] first, float[e, 2] last, float[f, 2] taken,
 float[g, 2] left, float[h, 2] all, float[i, 2] all_left, float[a, 2] alike) <int64 zero = {0}, int64 minus = {-1}> {
  list = SequenceConstruct (x, y)
  more = SequenceInsert (list, z, place)
  first = SequenceAt (more, zero)
  last = SequenceAt (more, minus)
  less = SequenceErase (more, other)
  left = SequenceAt (less, minus)
  taken = SequenceAt (more, other)
  all = ConcatFromSequence <axis = 0> (more)
  all_left = ConcatFromSequence <axis = 0> (less)
  double_x = Add (x, x)
  triple_x = Add (x, double_x)
  equals = SequenceConstruct (x, double_x, triple_x)
  alike = SequenceAt (equals, other)
}"""

# Slices without a list of sizes: a run with fewer of them than the position needs is refused.
ROWS = """rows (float[n, 3] x, int64 at) => (float[1, 3] third, float[1, 3] some, float[3] row)
<int64 two = {2}> {
  list = SplitToSequence (x)
  third = SequenceAt (list, two)
  some = SequenceAt (list, at)
  flat = SplitToSequence <keepdims = 0> (x)
  row = SequenceAt (flat, at)
}"""

# A loop over the first size would take days, although the second size is zero.
NOTHING = """nothing (float[h, w] x) => (int64[2, k] places) {
  places = NonZero (x)
}"""


def numbers(**values):
    return {name: np.asarray(value) for name, value in values.items()}


def random(*shape):
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


def runs():
    for n in ENDS:
        yield "front", FRONT, numbers(x=random(8, 3), n=np.array([n]))
        yield "named", NAMED_AXIS, numbers(x=random(2, 6, 3), n=np.array([n]))
        if n != ENDS[-2]:  # its negation overflows
            yield "ending", ENDING, numbers(x=random(2, 6, 3), n=np.array([n]))
    yield "stated", STATED, numbers(x=random(6), n=np.array([2]))
    for a, b in [(0, 9), (2, 7), (7, 2), (-3, -8), (-8, -1), (100, -100), (-100, 100), (8, 0), (4, 4)]:
        yield "both", BOTH_ENDS, numbers(x=random(7, 9, 4), a=np.int64(a), b=np.int64(b), rows=np.array([a, b], np.int32))
    for w, q in [(6, 1), (6, 4), (6, 6), (1, 1)]:
        yield "behind", BEHIND, numbers(x=random(2, w, 3), tokens=random(q, 1))
    for past, length in [(0, 1), (0, 7), (5, 1), (17, 15), (31, 1)]:
        yield "window", WINDOW, numbers(x=random(1, length, 4), table=random(32, 4), past=np.int64(past))
    for n, m, f in [(0, 2, 1.0), (5, 3, 1.25), (10, 17, 5.5), (99, 99, 3.0), (-4, -4, 0.5)]:
        yield "ranges", RANGES, numbers(n=np.int64(n), m=np.int32(m), f=np.float32(f), x=random(20))
    for past, length, uses in [(0, 1, False), (0, 3, True), (5, 1, True), (5, 2, False), (17, 4, True)]:
        yield "merged", MERGED, numbers(x=random(1, length, 4), cache=random(1, past, 4), uses=np.bool_(uses))
    for n, size, at in [(7, 3, 1), (7, 3, 2), (7, 3, -2), (6, 3, 1), (5, 8, 0), (5, 1, 4)]:
        yield "parts", PARTS, numbers(x=random(2, n, 3), size=np.int64(size), at=np.int64(at))
    for sizes, at in [([2, 0, 5], 1), ([2, 0, 5], 2), ([2, 0, 5], -3), ([4], 0)]:
        yield "listed", LISTED, numbers(x=random(sum(sizes), 3), sizes=np.array(sizes), at=np.int64(at))
    for place, other in [(0, 0), (1, 2), (2, 1), (-1, -1), (-2, -3)]:
        yield "positions", POSITIONS, numbers(x=random(3, 2), y=random(5, 2), z=random(4, 2), place=np.array([place]), other=np.int32(other))
    for n, at in [(3, 2), (5, -5), (5, 4)]:
        yield "rows", ROWS, numbers(x=random(n, 3), at=np.int64(at))
    for n in (2, 7, 16):
        yield "halves", HALVES, numbers(x=random(n, 3))
    for shape in [(3, 4), (0, 4), (1 << 40, 0)]:
        yield "nothing", NOTHING, numbers(x=np.ones(shape, np.float32))


def refused_runs():
    """Yields runs with rows that the table does not have, with more numbers than the model states, and with positions behind the end of a list."""
    for past, length in [(30, 4), (32, 1), (-1, 1)]:
        yield "window", WINDOW, numbers(x=random(1, length, 4), table=random(32, 4), past=np.int64(past))
    for n in (1, 3):
        yield "stated", STATED, numbers(x=random(6), n=np.array([n]))
    yield "ranges", RANGES, numbers(n=np.int64(1), m=np.int32(3), f=np.float32(5.6), x=random(20))
    for n, size, at in [(7, 3, 3), (7, 3, -4), (5, 8, 1), (0, 2, 0)]:
        yield "parts", PARTS, numbers(x=random(2, n, 3), size=np.int64(size), at=np.int64(at))
    for sizes, at in [([2, 0, 5], 3), ([2, 0, 5], -4), ([], 0)]:
        yield "listed", LISTED, numbers(x=random(sum(sizes), 3), sizes=np.array(sizes, np.int64), at=np.int64(at))
    for place, other in [(3, 0), (-3, 0), (0, 3), (0, -4)]:
        yield "positions", POSITIONS, numbers(x=random(3, 2), y=random(5, 2), z=random(4, 2), place=np.array([place]), other=np.int32(other))
    for n, at in [(2, 1), (4, 4), (4, -5)]:
        yield "rows", ROWS, numbers(x=random(n, 3), at=np.int64(at))
    yield "halves", HALVES, numbers(x=random(1, 3))


def judge(tools, model, library, folder, is_refused):
    if not is_refused:
        return verify_against(["naive", "onnxruntime"], tools, model, library, f"--inputs={folder}")
    said = cameo(tools, "run", library, f"--inputs={folder}")
    reasons = "out of range", "exceeds its bound", "does not accept these sizes"
    return None if said and any(reason in said for reason in reasons) else f"expected a run that is refused, got {said or 'success'}"


def cases(tools, work):
    built = {}
    all_runs = [(*each, False) for each in runs()] + [(*each, True) for each in refused_runs()]
    for number, (name, text, inputs, is_refused) in enumerate(all_runs):
        model, library, folder = work / f"{name}.onnx", work / f"{name}.so", work / f"inputs-{number}"
        if name not in built:
            onnx.save(onnx.parser.parse_model(HEAD + text), model)
            built[name] = build(tools, model, library)
            yield f"compiling {name}", built[name]
        folder.mkdir(exist_ok=True)
        for key, array in inputs.items():
            np.save(folder / f"{key}.npy", array)
        said = ", ".join(f"{key}={array.tolist()}" for key, array in inputs.items() if array.dtype != np.float32 or array.ndim == 0)
        yield f"{name} {said}", built[name] and "not compiled" or judge(tools, model, library, folder, is_refused)


if __name__ == "__main__":
    judge_all(cases)
