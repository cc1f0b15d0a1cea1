"""Small models for the tests of callers, in ONNX's text syntax, and what NumPy says of them."""

import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "utils/command-server"))
from command_server import client_for

try:
    import numpy as np
    import onnx
    import onnx.parser
except ImportError:
    print("skipped: the Python module onnx was not found")
    sys.exit(77)

MODELS = {
    # Two inputs, two outputs of different types, a name that is no identifier.
    "fixed": """fixed (float[2, 3] x, float[3] b) => (float[2, 3] y, int64[2] best) {
  sum = Add (x, b)
  y = Relu (sum)
  best = ArgMax <axis = 1, keepdims = 0> (sum)
}""",
    # Two outputs of one type and shape.
    "alike": """alike (float[4] x) => (float[4] y, float[4] z) {
  y = Relu (x)
  z = Neg (x)
}""",
    # Dynamic sizes, one that is computed from two of them, and one that two inputs share.
    "open": """open (float[n, 3] x, float[m, 3] z, float[n] scale) => (float[total, 3] y, float[n, 3] scaled) <int64[1] axis = {1}> {
  y = Concat <axis = 0> (x, z)
  column = Unsqueeze (scale, axis)
  scaled = Mul (x, column)
}""",
    "found": """found (float[h, w] x) => (int64[2, k] places, float[h, w] y) {
  places = NonZero (x)
  y = Neg (x)
}""",
    "labels": """labels (string[4] words, float[2, 1] numbers) => (string[n] kept, string[2, 4] labelled, bool[4] known) {
  kept = StringNormalizer <case_change_action = "LOWER", stopwords = ["the", "a"]> (words)
  written = Cast <to = 8> (numbers)
  labelled = StringConcat (words, written)
  cat = Constant <value_string = "Cat"> ()
  known = Equal (words, cat)
}""",
    "types": """types (float[4] x, float16[4] half, bfloat16[4] brain, bool flag, uint8[0] none) => (float16[4] y, bfloat16[4] z, float[4] w, bool other, uint8[0] nothing) {
  y = Cast <to = 10> (x)
  z = Cast <to = 16> (x)
  v = Cast <to = 1> (brain)
  u = Cast <to = 1> (half)
  w = Add (u, v)
  other = Not (flag)
  nothing = Identity (none)
}""",
    # Enough work for several threads.
    "wide": """wide (float[128, 128] x, float[128, 128] z) => (float[128, 128] y) {
  y = MatMul (x, z)
}""",
    "weighted": """weighted (float[2, 4] x) => (float[2, 4] y) {
  w = Constant <value = float[4, 4] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}> ()
  y = MatMul (x, w)
}""",
}


def write(name, folder):
    """Writes the model to a file in `folder`."""
    path = pathlib.Path(folder) / f"{name}.onnx"
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(onnx.parser.parse_model('<ir_version: 8, opset_import: ["" : 20]>\n' + MODELS[name]), path)
    return path


def compile_model(cameo, path, output, *options):
    subprocess.run([cameo, "compile", path, "-o", output, *options], check=True)
    return output


def random(*shape):
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)
