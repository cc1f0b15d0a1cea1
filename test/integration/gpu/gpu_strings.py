#!/usr/bin/env python3
"""A classifier of strings for a GPU, run by the emulator: the host reads and makes strings, the GPU computes and moves them. Against NumPy and the naive path.

usage: gpu_strings.py CAMEO EMULATOR WORK_FOLDER
"""

import pathlib
import subprocess
import sys

from emulated import CODE, client_for, environment, numpy
import onnx.parser

WORDS = ["red", "green", "blue", "dark", "light", "the"]
LABELS = ["warm", "cold", "none"]

# The place of a word chooses a row of `rows`, and counts of words are the columns of `counted`.
MODEL = """<ir_version: 8, opset_import: ["" : 18, "ai.onnx.ml" : 3]>
classifier (string[ROWS, 4] words, float[3] offset) => (string[ROWS] label, float[ROWS, 3] scores, string[ROWS, 3] written, float map, string[kept] kept, bool[ROWS, 4] same, string[ROWS, 4] chosen) {
  rows = Constant <value = float[7, 5] {ROWS_OF_WORDS}> ()
  weight = Constant <value = float[5, 3] {WEIGHT}> ()
  counted_weight = Constant <value = float[3, 3] {COUNTED}> ()
  place = ai.onnx.ml.LabelEncoder <keys_strings = ["red", "green", "blue", "dark", "light", "the"], values_int64s = [0, 1, 2, 3, 4, 5], default_int64 = 6> (words)
  embedded = Gather (rows, place)
  axis = Constant <value_ints = [1]> ()
  summed = ReduceSum <keepdims = 0> (embedded, axis)
  product = Gemm (summed, weight, offset)
  counts = TfIdfVectorizer <mode = "TF", min_gram_length = 1, max_gram_length = 1, max_skip_count = 0, ngram_counts = [0], ngram_indexes = [0, 1, 2], pool_strings = ["blue", "red", "the"]> (words)
  counted = MatMul (counts, counted_weight)
  scores = Add (product, counted)
  best = ArgMax <axis = 1, keepdims = 0> (scores)
  label = ai.onnx.ml.CategoryMapper <cats_int64s = [0, 1, 2], cats_strings = ["warm", "cold", "none"], default_string = "?"> (best)
  map = ai.onnx.ml.ZipMap <classlabels_strings = ["cold", "none", "warm"]> (scores)
  rounded = Round (scores)
  written = Cast <to = 8> (rounded)
  all = Constant <value_ints = [-1]> ()
  line = Reshape (label, all)
  kept = StringNormalizer <case_change_action = "UPPER", stopwords = ["cold"]> (line)
  the = Constant <value_string = "the"> ()
  same = Equal (words, the)
  gone = Constant <value_string = "gone"> ()
  chosen = Where (same, gone, words)
}
"""


def call(*command, **options):
    result = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    print("$", *command, f"-> {result.returncode}")
    print(result.stdout)
    return result


def expected(words, tables, offset):
    rows, weight, counted = tables
    place = numpy.array([[WORDS.index(word) if word in WORDS else 6 for word in line] for line in words], int).reshape(words.shape)
    counts = numpy.array([[list(line).count(word) for word in ("blue", "red", "the")] for line in words], numpy.float32).reshape(len(words), 3)
    scores = rows[place].sum(axis=1) @ weight + offset + counts @ counted
    label = numpy.array([LABELS[i] for i in scores.argmax(axis=1)], "U8")
    same = words == "the"
    # StringNormalizer gives one empty string where it keeps none.
    kept = numpy.char.upper(label[label != "cold"]) if (label != "cold").any() else numpy.array([""])
    return {"label": label, "scores": scores, "written": scores.round().astype(numpy.float32).astype(str), "map": scores, "kept": kept, "same": same, "chosen": numpy.where(same, "gone", words)}


def main():
    cameo, emulator, work = client_for(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    generator = numpy.random.default_rng(3)
    # Whole numbers, so that all sums are exact and "Round" decides nothing.
    tables = [generator.integers(-3, 4, shape).astype(numpy.float32) for shape in ((7, 5), (5, 3), (3, 3))]
    offset = numpy.array([1, 0, -1], numpy.float32)
    failed = False
    for sizes, counts in (("9", [9]), ("n", [1, 40, 0])):
        text = MODEL.replace("ROWS_OF_WORDS", "@").replace("ROWS", sizes)
        for name, table in zip(("@", "WEIGHT", "COUNTED"), tables):
            text = text.replace("{" + name + "}", "{" + ", ".join(str(number) for number in table.ravel()) + "}")
        folder = work / sizes
        (folder / "in").mkdir(parents=True, exist_ok=True)
        model = folder / "classifier.onnx"
        parsed = onnx.parser.parse_model(text)
        # The text syntax has no maps.
        maps = next(output for output in parsed.graph.output if output.name == "map").type
        maps.Clear()
        maps.sequence_type.elem_type.map_type.key_type = onnx.TensorProto.STRING
        maps.sequence_type.elem_type.map_type.value_type.tensor_type.elem_type = onnx.TensorProto.FLOAT
        onnx.save(parsed, model)
        library = folder / "classifier.so"
        for order in ("forward", "backward"):
            dims = [] if sizes == "9" else ["--dim", "n=5"]
            failed |= call(cameo, "verify", model, *CODE, *dims, env=environment(emulator, CAMEO_EMULATOR_CHECK="on", CAMEO_EMULATOR_ORDER=order)).returncode != 0
        failed |= call(cameo, "compile", model, *CODE, "--emit=lib", "-o", library).returncode != 0
        for count in counts:
            words = generator.choice([*WORDS, "none of these", ""], (count, 4))
            numpy.save(folder / "in" / "words.npy", words.astype("U13"))
            numpy.save(folder / "in" / "offset.npy", offset)
            result = call(cameo, "run", library, "--inputs", folder / "in", "--output-dir", folder / "out", env=environment(emulator, CAMEO_EMULATOR_CHECK="on"))
            failed |= result.returncode != 0
            for name, want in expected(words, tables, offset).items() if result.returncode == 0 else ():
                got = numpy.load(folder / "out" / f"{name}.npy")
                # What is empty has no widest string, so types may differ.
                if got.shape != want.shape or not (got == want).all():
                    print(f"{sizes} {count}: {name}: expected {want}, got {got}")
                    failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
