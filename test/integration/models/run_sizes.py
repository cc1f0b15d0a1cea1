#!/usr/bin/env python3
"""Compiles models with dynamic sizes once, and compares them with the naive path at many sizes.

usage: run_sizes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

A layer of a transformer, one step of its decoder with a cache and a mask, convolutions over planes, recurrent layers, sums and transpositions, short rows, and slices of computed size; sizes below, at and
above those of vectors and register blocks, and multiples of neither; for this processor and, on x86-64, for ones with other vectors. Exits
77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, verify_against

import numpy as np
import onnx.parser
from onnx import numpy_helper

TRANSFORMER = """<ir_version: 8, opset_import: ["" : 17]>
layer (float[batch, seq, 48] x, float[batch, 1, 1, seq] mask, float[48, 48] wq, float[48, 48] wk, float[48, 48] wv, float[48, 80] wf,
       float[80, 48] wg, float[48] w_scale, float[48] w_bias) => (float[batch, seq, 48] y, float[batch, 1, 48] latest)
<int64[1] newest = {-1}, int64[1] end = {9223372036854775807}, int64[1] row = {1}, int64[4] apart = {0, -1, 3, 16}, int64[3] joined = {0, -1, 48}, float small = {0.25}, float half = {0.5}, float one = {1.0}, float root = {0.70710678}> {
  norm = LayerNormalization (x, w_scale, w_bias)
  q0 = MatMul (norm, wq)
  k0 = MatMul (norm, wk)
  v0 = MatMul (norm, wv)
  q1 = Reshape (q0, apart)
  k1 = Reshape (k0, apart)
  v1 = Reshape (v0, apart)
  q = Transpose <perm = [0, 2, 1, 3]> (q1)
  k = Transpose <perm = [0, 2, 3, 1]> (k1)
  v = Transpose <perm = [0, 2, 1, 3]> (v1)
  raw = MatMul (q, k)
  scaled = Mul (raw, small)
  masked = Add (scaled, mask)
  weights = Softmax (masked)
  mixed = MatMul (weights, v)
  turned = Transpose <perm = [0, 2, 1, 3]> (mixed)
  flat = Reshape (turned, joined)
  sum = Add (flat, x)
  wide = MatMul (sum, wf)
  inside = Mul (wide, root)
  bent = Erf (inside)
  lifted = Add (bent, one)
  halved = Mul (wide, half)
  gelu = Mul (halved, lifted)
  narrow = MatMul (gelu, wg)
  y = Add (narrow, sum)
  latest = Slice (y, newest, end, row)
}"""

DECODER = """<ir_version: 8, opset_import: ["" : 17]>
step (float[1, 3, 1, 16] q, float[1, 3, 1, 16] newest, float[1, 3, past, 16] cache, float[1, total] mask) => (float[1, 3, 1, 16] y, float[1, 3, all, 16] present) {
  present = Concat <axis = 2> (cache, newest)
  k = Transpose <perm = [0, 1, 3, 2]> (present)
  raw = MatMul (q, k)
  masked = Add (raw, mask)
  weights = Softmax (masked)
  y = MatMul (weights, present)
}"""

PLANE = """<ir_version: 8, opset_import: ["" : 17]>
plane (float[1, 3, height, width] x, float[20, 3, 3, 3] w0, float[20] w_bias, float[20, 1, 3, 3] w1, float[8, 20, 1, 1] w2)
  => (float[1, 8, a, b] y, float[1, 20, 1, 1] mean) {
  c0 = Conv <pads = [1, 1, 1, 1], strides = [2, 2]> (x, w0, w_bias)
  r0 = Relu (c0)
  mean = GlobalAveragePool (r0)
  c1 = Conv <pads = [1, 1, 1, 1], group = 20> (r0, w1)
  s1 = Sigmoid (c1)
  p1 = MaxPool <kernel_shape = [2, 2], strides = [1, 1]> (s1)
  y = Conv (p1, w2)
}"""

SUMS = """<ir_version: 8, opset_import: ["" : 13]>
sums (float[rows, columns] x, int64[rows] ids, float[11, 5] words) => (float[rows] total, float[columns] most, float[columns, rows] turned,
      float[rows, 5] found, float[rows, columns] running, float[rows, double] twice, float[columns, columns] products) {
  axis = Constant <value = int64[1] {1}> ()
  total = ReduceSum <keepdims = 0> (x, axis)
  most = ReduceMax <axes = [0], keepdims = 0> (x)
  turned = Transpose <perm = [1, 0]> (x)
  found = Gather (words, ids)
  first = Constant <value = int64[1] {0}> ()
  running = CumSum (x, axis)
  negative = Neg (x)
  twice = Concat <axis = 1> (x, negative)
  products = MatMul (turned, x)
}"""

# Products whose weights are larger than the part of the cache for them, so that blocks of the reduction are outside of the loops over the dynamic plane.
WIDE_PLANE = """<ir_version: 8, opset_import: ["" : 17]>
wide (float[batch, 32, height, width] x, float[128, 32, 3, 3] w0, float[3, 32, 3, 3] w1) => (float[batch, 3, a, b] y) {
  c0 = Conv <pads = [1, 1, 1, 1]> (x, w0)
  d0 = DepthToSpace <blocksize = 2, mode = "CRD"> (c0)
  y = Conv <pads = [1, 1, 1, 1]> (d0, w1)
}"""

RECURRENT = """<ir_version: 8, opset_import: ["" : 17]>
recurrent (float[steps, texts, 10] x, float[2, 72, 10] wx, float[2, 72, 24] wh, float[2, 144] wb, float[1, 64, 48] wy, float[1, 64, 16] wz)
  => (float[steps, 1, texts, 16] y) {
  both, last = GRU <hidden_size = 24, direction = "bidirectional", linear_before_reset = 1> (x, wx, wh, wb)
  turned = Transpose <perm = [0, 2, 1, 3]> (both)
  apart = Constant <value = int64[3] {0, 0, 48}> ()
  joined = Reshape (turned, apart)
  y, state, cell = LSTM <hidden_size = 16> (joined, wy, wz)
}"""

# The minimum of two sizes: slices at the begin and the end, TopK, NonMaxSuppression, windows that begin inside.
PARTS = """<ir_version: 8, opset_import: ["" : 17]>
parts (float[batch, n, 4] x, float[n, 4] boxes, float[n] scores) => (float[batch, a, 4] first, float[batch, b, 4] newest, float[batch, c, 4] inside,
       float[batch, 1, 4] second, float[batch, 4, d] pooled, float[batch, e, 4] padded, float[f] best, float[g, 4] kept)
<int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}, int64[1] three = {3}, int64[1] five = {5}, int64[1] last = {-5}, int64[1] end = {9223372036854775807},
 int64[1] eight = {8}, int64 many = {100}, int64[1] row = {1}, int64[3] none = {0, 0, 0}, int64[2] outer = {0, 1}, float[1] overlap = {0.5}> {
  first = Slice (x, zero, five, row)
  newest = Slice (x, last, end, row)
  inside = Slice (x, two, five, row)
  second = Slice (x, one, two, row)
  turned = Transpose <perm = [0, 2, 1]> (x)
  pooled = MaxPool <kernel_shape = [2], strides = [2], pads = [0, 1], ceil_mode = 1> (turned)
  length = Shape <start = 1, end = 2> (x)
  missing = Neg (length)
  rest = Mod (missing, eight)
  pads = Concat <axis = 0> (none, zero, rest, zero)
  padded = Pad (x, pads)
  count = Min (length, five)
  best, places = TopK (scores, count)
  batch_boxes = Unsqueeze (boxes, zero)
  class_scores = Unsqueeze (scores, outer)
  selected = NonMaxSuppression (batch_boxes, class_scores, many, overlap)
  some = Slice (selected, zero, three, zero)
  columns = Slice (some, two, three, row)
  numbers = Squeeze (columns, one)
  kept = Gather (boxes, numbers)
}"""

# Images of any size that keep their aspect ratio: inside a frame, around one, and resized back to the original size. Sizes are quotients of sizes.
FITTED = """<ir_version: 8, opset_import: ["" : 19]>
fitted (float[batch, 2, h, w] x) => (float[batch, 2, a, b] inside, float[batch, 2, c, d] around, float[batch, 2, e, f] smooth, float[batch, 2, g, i] most,
        float[batch, 2, 12, 9] stretched, float[batch, 2, j, k] kept)
<int64[2] frame = {12, 9}, int64[1] rest = {2}, int64[1] front = {0}, int64[2] small = {4, 3}> {
  inside = Resize <axes = [2, 3], keep_aspect_ratio_policy = "not_larger", mode = "linear"> (x, , , frame)
  around = Resize <axes = [2, 3], keep_aspect_ratio_policy = "not_smaller"> (x, , , frame)
  smooth = Resize <axes = [2, 3], keep_aspect_ratio_policy = "not_smaller", mode = "linear", antialias = 1> (x, , , small)
  shape = Shape (x)
  outer = Slice (shape, front, rest, front)
  all = Concat <axis = 0> (outer, small)
  most = Resize <keep_aspect_ratio_policy = "not_smaller", mode = "cubic", antialias = 1, axes = [3, 2]> (x, , , frame)
  stretched = Resize <mode = "cubic", antialias = 1, axes = [2, 3], cubic_coeff_a = -0.5> (x, , , frame)
  kept = Resize <keep_aspect_ratio_policy = "not_smaller"> (x, , , all)
}"""

# Shifted windows: rows padded to a multiple of four, rolled, multiplied window by window, and put back.
WINDOWS = """<ir_version: 8, opset_import: ["" : 17]>
windows (float[batch, n, 8] x, float[8, 8] w) => (float[batch, n, 8] y)
<int64[1] zero = {0}, int64[1] one = {1}, int64[1] two = {2}, int64[1] four = {4}, int64[1] eight = {8}, int64[1] open = {-1}, int64[1] last = {-2}, int64[4] none = {0, 0, 0, 0},
 int64[1] end = {9223372036854775807}, int64[3] alone = {-1, 4, 8}> {
  length = Shape <start = 1, end = 2> (x)
  over = Mod (length, four)
  missing = Sub (four, over)
  rest = Mod (missing, four)
  pads = Concat <axis = 0> (none, rest, zero)
  padded = Pad (x, pads)
  behind = Slice (padded, two, end, one)
  before = Slice (padded, zero, two, one)
  rolled = Concat <axis = 1> (behind, before)
  rows = Shape <start = 1, end = 2> (padded)
  count = Div (rows, four)
  parts = Concat <axis = 0> (open, count, four, eight)
  windows = Reshape (rolled, parts)
  each = Reshape (windows, alone)
  product = MatMul (each, w)
  together = Reshape (product, parts)
  batches = Shape <start = 0, end = 1> (x)
  whole = Concat <axis = 0> (batches, rows, eight)
  joined = Reshape (together, whole)
  first = Slice (joined, last, end, one)
  others = Slice (joined, zero, last, one)
  unrolled = Concat <axis = 1> (first, others)
  cut = Slice (unrolled, zero, length, one)
  y = Add (x, cut)
}"""

# What Expand repeats has one row or as many as there shall be, whatever its sizes are called.
EXPANDED = """<ir_version: 8, opset_import: ["" : 17]>
expanded (float[a, b] state, float[batch, n] x, float[c, 1, 8] table) => (float[batch, n] y, float[batch, n, 8] z, float[5, b] rows)
<int64[1] eight = {8}, int64[2] stated = {5, 1}> {
  shape = Shape (x)
  wide = Expand (state, shape)
  y = Add (wide, x)
  whole = Concat <axis = 0> (shape, eight)
  z = Expand (table, whole)
  rows = Expand (state, stated)
}"""

# Bounds of slices behind the last row: the size rounded up to blocks, one more, twice as much less some, and numbers.
CLAMPED = """<ir_version: 8, opset_import: ["" : 17]>
clamped (float[batch, n, 3] x, float[m] like) => (float[batch, n, 3] blocks, float[batch, o, 3] beyond, float[batch, p, 3] less, float[batch, q, 3] window,
         float[batch, r, 3] inside, float[batch, s, 3] back, float[batch, t, 3] behind)
<int64[1] zero = {0}, int64[1] row = {1}, int64[1] two = {2}, int64[1] three = {3}, int64[1] four = {4}, int64[1] five = {5}, int64[1] seven = {7}, int64[1] nine = {9}> {
  size = Shape <start = 1, end = 2> (x)
  over = Add (size, three)
  count = Div (over, four)
  padded = Mul (count, four)
  all = Slice (x, zero, padded, row)
  blocks = Relu (all)
  more = Add (size, row)
  beyond = Slice (x, two, more, row)
  twice = Mul (size, two)
  cut = Sub (twice, seven)
  less = Slice (x, zero, cut, row)
  window = Slice (x, five, nine, row)
  other = Shape (like)
  inside = Slice (x, row, other, row)
  half = Div (size, two)
  back = Slice (x, half, padded, row)
  behind = Slice (x, more, padded, row)
}"""

# Rows that are repeated as often as a list says (torch.export of repeat_interleave).
REPEATED = """<ir_version: 8, opset_import: ["" : 18]>
repeated (float[3, n, 4] x) => (float[6, n, 4] y)
<int64[3] repeats = {2, 0, 4}, int64[1] zero = {0}, int64[1] last = {-1}, int64 none = {0}, int64 one = {1}, int64[2] column = {-1, 1}> {
  first = Shape <start = 0, end = 1> (x)
  rest = Shape <start = 1> (x)
  flat = Concat <axis = 0> (first, last)
  rows = Reshape (x, flat)
  ends = CumSum (repeats, zero)
  end = Gather (ends, last)
  total = Squeeze (end, zero)
  places = Range (none, total, one)
  columns = Reshape (ends, column)
  before = Less (places, columns)
  numbers = Cast <to = 7> (before)
  counts = ReduceSum <keepdims = 0> (numbers, zero)
  most = Gather (first, none)
  at = Sub (most, counts)
  indices = Unsqueeze (at, last)
  picked = GatherND (rows, indices)
  shape = Concat <axis = 0> (last, rest)
  y = Reshape (picked, shape)
}"""

# Short rows with a bias or a factor each, whose points are one dimension.
SHORT_ROWS = """<ir_version: 8, opset_import: ["" : 17]>
rows (float[b, n, 3] c, uint8[b, n, 5] u, float16[n, 4] h, int64[n, 6] l, float[n, 1] factor, float[n, 20] g, float[3] w, float[5] wu, float16[4] bias, float[11] we, float[n, 11] e)
    => (float[b, n, 3] y, float[b, n, 5] yu, float16[n, 4] yh, int64[n, 6] yl, float[n, 20] yg, float[n, 11] ye, bool[b, n, 3] yc)
<int64[6] m = {1, -2, 3, 4, -5, 6}> {
  scaled = Mul (c, w)
  y = Add (scaled, w)
  floats = Cast <to = 1> (u)
  yu = Sub (floats, wu)
  yh = Add (h, bias)
  yl = Mul (l, m)
  yg = Mul (g, factor)
  ye = Div (e, we)
  yc = Less (c, w)
}"""

LENGTHS = [1, 2, 3, 7, 15, 16, 17, 33, 64, 131]
MODELS = {
    "transformer": (TRANSFORMER, [{"batch": batch, "seq": length} for length in LENGTHS for batch in (1, 2)]),
    "decoder": (DECODER, [{"past": length, "total": length + 1} for length in LENGTHS]),
    "plane": (PLANE, [{"height": height, "width": width} for height, width in [(3, 3), (4, 5), (9, 33), (16, 16), (31, 64), (67, 35)]]),
    "wide_plane": (WIDE_PLANE, [{"batch": batch, "height": height, "width": width} for batch, height, width in [(1, 1, 1), (2, 5, 7), (1, 33, 40)]]),
    "parts": (PARTS, [{"batch": batch, "n": length} for batch, length in [(1, 2), (2, 3), (1, 4), (3, 5), (2, 6), (1, 17)]]),
    "windows": (WINDOWS, [{"batch": batch, "n": length} for batch, length in [(1, 4), (2, 1), (3, 7), (1, 8), (2, 33)]]),
    "fitted": (FITTED, [{"batch": batch, "h": height, "w": width}
                        for batch, height, width in [(1, 12, 9), (1, 4, 3), (2, 1, 1), (1, 5, 7), (1, 40, 9), (2, 9, 33), (1, 64, 48), (1, 3, 100)]]),
    "expanded": (EXPANDED, [{"a": a, "b": b, "c": c, "batch": 5, "n": 4} for a, b, c in [(1, 1, 1), (5, 4, 5), (1, 4, 5), (5, 1, 1)]] +
                 [{"a": 1, "b": 1, "c": 1, "batch": batch, "n": length} for batch, length in [(1, 1), (7, 33)]]),
    "clamped": (CLAMPED, [{"batch": batch, "n": length, "m": 3} for batch, length in [(2, 4), (1, 6), (2, 7), (1, 9), (3, 16)]]),
    "repeated": (REPEATED, [{"n": length} for length in (1, 5)]),
    "short_rows": (SHORT_ROWS, [{"b": batch, "n": length} for batch, length in [(0, 3), (1, 0), (1, 1), (2, 2), (1, 5), (3, 7), (1, 16), (1, 33), (2, 50), (1, 111)]]),
    "recurrent": (RECURRENT, [{"steps": steps, "texts": texts} for steps, texts in [(1, 1), (2, 7), (21, 3)]]),
    "sums": (SUMS, [{"rows": rows, "columns": columns}
                    for rows, columns in [(1, 1), (1, 9), (3, 2), (7, 16), (16, 7), (17, 33), (64, 5), (130, 70)]]),
}


def make_model(path, text):
    """Writes the model with random weights for the inputs whose names begin with 'w'."""
    model = onnx.parser.parse_model(text)
    random = np.random.default_rng(1)
    for value in [value for value in model.graph.input if value.name.startswith("w")]:
        shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        values = random.standard_normal(shape) / np.sqrt(np.prod(shape[:-1]))
        model.graph.initializer.append(numpy_helper.from_array(values.astype(np.float32), value.name))
        model.graph.input.remove(value)
    path.write_bytes(model.SerializeToString())


def cases(tools, work):
    for name, (text, all_sizes) in MODELS.items():
        model, library = work / f"{name}.onnx", work / f"{name}.so"
        # The naive path computes sizes by the same rules.
        references = ["naive", "onnxruntime"] if name in ("parts", "windows", "fitted", "expanded", "clamped", "repeated", "short_rows") else ["naive"]
        make_model(model, text)
        for processor in processors():
            wrong = build(tools, model, library, f"--cpu={processor}")
            yield f"{name} {processor}", wrong
            for sizes in [] if wrong else all_sizes:
                options = [f"--dim={dim}={size}" for dim, size in sizes.items()]
                yield f"{name} {processor} {sizes}", verify_against(references, tools, model, library, "--largest-integer=10", *options)


if __name__ == "__main__":
    judge_all(cases)
