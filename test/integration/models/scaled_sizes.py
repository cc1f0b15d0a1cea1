#!/usr/bin/env python3
"""Tests sizes that models compute in floating point from those of their inputs: each run must have the size that float32 gives.

usage: scaled_sizes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Compares the functions of the header with NumPy for all sizes from 1 to 4096 and a dozen scales, and whole models, with interpolation by a factor as exporters write it, with ONNX Runtime and the naive path. Exits
77 (skipped) without the onnx module.
"""

import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, verify_against

import numpy as np
import onnx.parser

SCALES = [0.7, 1.3, 0.6666667, 1.0714285, 2.3333333, 0.1, 0.29, 1.1, 3.7, 0.9, 1 / 3, 0.5]
MOST = 4096
INCLUDES = pathlib.Path(__file__).resolve().parents[3] / "runtime/include"

SCALED = """<ir_version: 8, opset_import: ["" : 13]>
scaled (float[n] x) => ({outputs})
<{constants}> {{
{nodes}
}}"""

COUNT = """#include "scaled.h"
#include <stdio.h>
int main(void) {{
  for (int64_t n = 1; n <= {most}; ++n) {{
    scaled_dims dims = {{n}};
{prints}    puts("");
  }}
  return 0;
}}
"""

# A size is a Gather from the output of Shape, as tracing writes it, or a Slice of that.
IMAGE = """(float[1, 2, h, w] x) => (float[1, 2, a, b] y)
<int64[1] zero = {0}, int64[1] two = {2}, int64[1] four = {4}, float[2] ones = {1.0, 1.0}, float small = {0.37}, float large = {1.3333}, double wide = {1.3},
 float[4] third = {1.0, 1.0, 0.7, 1.3}, float eps = {0.1}, float seven = {7.0}, int64 patch = {14}, int64 row = {2}, int64 column = {3}, float side = {64.0}, float ratio = {0.9}, int64[2] frame = {64, 64}, float grey = {0.4}, int64[4] square = {1, 2, 7, 7}> {
  s = Shape (x)
  outer = Slice (s, zero, two, zero)
  hw = Slice (s, two, four, zero)
"""
SIZES = [(10, 7), (90, 41), (238, 3), (30, 100), (49, 107)]
MODELS = {
    "constant": IMAGE + "  y = Resize <mode = \"linear\"> (x, , third)\n}",
    "floored": IMAGE + """  f = Cast <to = 1> (hw)
  m = Mul (f, small)
  r = Floor (m)
  i = Cast <to = 7> (r)
  sizes = Concat <axis = 0> (outer, i)
  y = Resize <mode = "linear", coordinate_transformation_mode = "pytorch_half_pixel"> (x, , , sizes)
}""",
    "by_element": IMAGE + """  h0 = Gather (s, row)
  w0 = Gather (s, column)
  fh = Cast <to = 1> (h0)
  fw = Cast <to = 1> (w0)
  mh = Mul (fh, large)
  mw = Mul (large, fw)
  rh = Ceil (mh)
  ih = Cast <to = 7> (rh)
  iw = Cast <to = 7> (mw)
  uh = Unsqueeze (ih, zero)
  uw = Unsqueeze (iw, zero)
  sizes = Concat <axis = 0> (outer, uh, uw)
  y = Resize <mode = "cubic", coordinate_transformation_mode = "pytorch_half_pixel"> (x, , , sizes)
}""",
    "in_double": IMAGE + """  f = Cast <to = 11> (hw)
  m = Mul (f, wide)
  i = Cast <to = 7> (m)
  sizes = Concat <axis = 0> (outer, i)
  y = Resize <mode = "linear"> (x, , , sizes)
}""",
    "positions": IMAGE + """  n = Div (hw, patch)
  f = Cast <to = 1> (n)
  e = Add (f, eps)
  q = Div (e, seven)
  scales = Concat <axis = 0> (ones, q)
  mean = ReduceMean <axes = [2, 3]> (x)
  table = Expand (mean, square)
  y = Resize <mode = "cubic", cubic_coeff_a = -0.75> (table, , scales)
}""",
    "framed": IMAGE + """  f = Cast <to = 1> (hw)
  q = Div (side, f)
  r = ReduceMin <keepdims = 1> (q)
  least = Min (r, ratio)
  m = Mul (f, least)
  n = Round (m)
  i = Cast <to = 7> (n)
  sizes = Concat <axis = 0> (outer, i)
  inner = Resize <mode = "linear"> (x, , , sizes)
  rest = Sub (frame, i)
  head = Div (rest, two)
  tail = Sub (rest, head)
  nothing = Sub (two, two)
  pads = Concat <axis = 0> (nothing, nothing, head, nothing, nothing, tail)
  y = Pad (inner, pads, grey)
}""",
    "kept": IMAGE + """  small_x = Resize <mode = "linear"> (x, , third)
  soft = Softmax <axis = 3> (small_x)
  back = Resize <mode = "linear"> (soft, , , s)
  y = Add (x, back)
}""",
    "of_another": """(float[1, 2, h, w] x, float[1, 2, p, q] z) => (float[1, 2, a, b] y)
<int64[1] zero = {0}, int64[1] two = {2}, int64[1] four = {4}, float[2] ones = {1.0, 1.0}> {
  sz = Shape (z)
  pq = Slice (sz, two, four, zero)
  to = Cast <to = 1> (pq)
  sx = Shape (x)
  hw = Slice (sx, two, four, zero)
  from = Cast <to = 1> (hw)
  ratio = Div (to, from)
  scales = Concat <axis = 0> (ones, ratio)
  y = Resize <mode = "linear"> (x, , scales)
}""",
}


def count(tools, work):
    """Returns the results of the header's functions for each size, or an error."""
    names = range(len(SCALES))
    text = SCALED.format(outputs=", ".join(f"float[m{i}] y{i}" for i in names), constants=", ".join(f"float[1] s{i} = {{{scale!r}}}" for i, scale in enumerate(SCALES)),
                         nodes="\n".join(f"  y{i} = Resize (x, , s{i})" for i in names))
    model, program = work / "scaled.onnx", work / "count"
    onnx.save(onnx.parser.parse_model(text), model)
    wrong = cameo(tools, "compile", model, "-o", work / "scaled.o")
    if wrong:
        return wrong, None
    prints = "".join(f'    printf("%d ", (int)(scaled_output_y{i}_bytes(&dims) / 4));\n' for i in names)
    program.with_suffix(".c").write_text(COUNT.format(most=MOST, prints=prints))
    command = [tools[2], "-std=c11", f"-I{INCLUDES}", f"-I{work}", program.with_suffix(".c"), work / "scaled.o", tools[1], "-lm", "-lpthread", "-o", program]
    result = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if result.returncode != 0:
        return result.stdout, None
    return None, np.array([line.split() for line in subprocess.run([str(program)], text=True, stdout=subprocess.PIPE, check=True).stdout.splitlines()], np.int64)


def cases(tools, work):
    wrong, found = count(tools, work)
    if wrong:
        yield "sizes", wrong
    else:
        own = np.arange(1, MOST + 1, dtype=np.float32)
        for i, scale in enumerate(SCALES):
            bad = np.flatnonzero(found[:, i] != np.floor(own * np.float32(scale)).astype(np.int64))
            yield f"sizes by {scale}", f"expected other sizes than {found[bad[:5], i]} for {bad[:5] + 1}" if len(bad) else None
    for name, text in MODELS.items():
        model, library = work / f"{name}.onnx", work / f"{name}.so"
        onnx.save(onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 13]>\n{name} {text}'), model)
        wrong = build(tools, model, library)
        yield name, wrong
        for height, width in [] if wrong else SIZES:
            sizes = {"h": height, "w": width, **({"p": width + 9, "q": height} if name == "of_another" else {})}
            # ONNX Runtime computes coordinates in float32.
            options = ["--rtol=1e-4", *[f"--dim={dim}={size}" for dim, size in sizes.items()]]
            yield f"{name} {sizes}", verify_against(["naive", "onnxruntime"], tools, model, library, *options)


if __name__ == "__main__":
    judge_all(cases)
