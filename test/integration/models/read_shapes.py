#!/usr/bin/env python3
"""Models that read axes, sizes or repeats and state the shape that these make: run with the numbers that make it, and with others.

usage: read_shapes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

The first are compared with the naive path and ONNX Runtime, the others are refused: the result of another shape would be wrong. Exits 77 (skipped) without
the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, verify_against

import numpy as np
import onnx
import onnx.parser


def ints(*values):
    return np.array(values, np.int64)


def floats(*values):
    return np.array(values, np.float32)


def ramp(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


# Name, graph, inputs of a valid run, and by input the values to reject. Some are at the limits of 64 bits.
GREATEST, LEAST = 2**63 - 1, -(2**63)
CASES = [
    ("top_k", "(float[3, 6] x, int64[1] k) => (float[3, 2] y, int64[3, 2] i) { y, i = TopK (x, k) }", {"x": ramp(3, 6), "k": ints(2)},
     {"k": [ints(3), ints(1), ints(0), ints(-1), ints(GREATEST), ints(LEAST)]}),
    ("split", "(float[6] x, int64[2] s) => (float[2] y, float[4] z) { y, z = Split (x, s) }", {"x": ramp(6), "s": ints(2, 4)},
     {"s": [ints(4, 2), ints(3, 3), ints(2, 5), ints(-2, 8)]}),
    ("sum", "(float[3, 4] x, int64[1] a) => (float[3] y) { y = ReduceSum <keepdims = 0> (x, a) }", {"x": ramp(3, 4), "a": ints(-1)},
     {"a": [ints(0), ints(-2), ints(2), ints(GREATEST), ints(LEAST)]}),
    ("sum_kept", "(float[3, 4] x, int64[1] a) => (float[3, 1] y) { y = ReduceSum (x, a) }", {"x": ramp(3, 4), "a": ints(1)}, {"a": [ints(0), ints(5), ints(-3)]}),
    ("sum_of_square", "(float[4, 4] x, int64[1] a) => (float[4] y) { y = ReduceSum <keepdims = 0> (x, a) }", {"x": ramp(4, 4), "a": ints(0)},
     {"a": [ints(2), ints(-3)]}),
    ("max_of_two", "(float[2, 2, 3] x, int64[2] a) => (float[2] y) { y = ReduceMax <keepdims = 0> (x, a) }", {"x": ramp(2, 2, 3), "a": ints(2, 0)},
     {"a": [ints(0, 1), ints(1, 1), ints(2, 2), ints(2, -1)]}),
    ("sum_of_all", "(float[3] x, int64[1] a) => (float y) { y = ReduceSum <keepdims = 0> (x, a) }", {"x": ramp(3), "a": ints(0)}, {"a": [ints(1), ints(-2)]}),
    ("squeeze", "(float[1, 3, 1] x, int64[1] a) => (float[1, 3] y) { y = Squeeze (x, a) }", {"x": ramp(1, 3, 1), "a": ints(2)}, {"a": [ints(0), ints(1), ints(3)]}),
    ("unsqueeze", "(float[3] x, int64[1] a) => (float[1, 3] y) { y = Unsqueeze (x, a) }", {"x": ramp(3), "a": ints(-2)}, {"a": [ints(1), ints(2), ints(-3)]}),
    ("reshape", "(float[2, 3, 1] x, int64[2] s) => (float[2, 3] y) { y = Reshape (x, s) }", {"x": ramp(2, 3, 1), "s": ints(0, -1)},
     {"s": [ints(3, 2), ints(5, 5), ints(-1, 2), ints(-1, -1), ints(2, -2)]}),
    ("expand", "(float[1, 3] x, int64[2] s) => (float[2, 3] y) { y = Expand (x, s) }", {"x": ramp(1, 3), "s": ints(2, 1)}, {"s": [ints(4, 3), ints(2, 2), ints(1, 3)]}),
    ("tile", "(float[2, 3] x, int64[2] r) => (float[4, 3] y) { y = Tile (x, r) }", {"x": ramp(2, 3), "r": ints(2, 1)},
     {"r": [ints(1, 2), ints(3, 1), ints(2, -1), ints(2 + 2**62, 1), ints(LEAST, 1)]}),
    ("resize", "(float[1, 1, 2, 2] x, int64[4] s) => (float[1, 1, 4, 4] y) { y = Resize <mode = \"linear\"> (x, , , s) }",
     {"x": ramp(1, 1, 2, 2), "s": ints(1, 1, 4, 4)}, {"s": [ints(1, 1, 3, 3), ints(1, 1, 8, 8)]}),
    ("resize_by", "(float[1, 1, 2, 2] x, float[4] s) => (float[1, 1, 4, 4] y) { y = Resize <mode = \"linear\"> (x, , s) }",
     {"x": ramp(1, 1, 2, 2), "s": floats(1, 1, 2, 2.25)}, {"s": [floats(1, 1, 3, 3), floats(1, 1, 1, 1), floats(1, 1, 2, np.nan), floats(1, 1, 2, np.inf)]}),
    ("resize_within", "(float[1, 1, 4, 3] x, int64[2] s) => (float[1, 1, 7, 5] y) { y = Resize <mode = \"linear\", axes = [2, 3], keep_aspect_ratio_policy = "
     "\"not_larger\"> (x, , , s) }", {"x": ramp(1, 1, 4, 3), "s": ints(7, 9)}, {"s": [ints(8, 6), ints(6, 9), ints(7, 4), ints(GREATEST, 6), ints(LEAST, 5), ints(7, 0)]}),
    ("resize_beyond", "(float[1, 1, 4, 3] x, int64[2] s) => (float[1, 1, 7, 5] y) { y = Resize <mode = \"linear\", axes = [2, 3], keep_aspect_ratio_policy = "
     "\"not_smaller\"> (x, , , s) }", {"x": ramp(1, 1, 4, 3), "s": ints(7, 2)}, {"s": [ints(8, 6), ints(7, 6), ints(6, 4), ints(7, GREATEST), ints(7, -1)]}),
    # Cases in which the importer could ignore the input because the shape is stated.
    ("fill", "(int64[2] s) => (float[2, 3] y) { y = ConstantOfShape <value = float[1] {1.5}> (s) }", {"s": ints(2, 3)}, {"s": [ints(3, 2), ints(2, -3), ints(5, 5)]}),
    ("expand_constant", "(int64[2] s) => (float[2, 3] y) <float[1] v = {1.5}> { y = Expand (v, s) }", {"s": ints(2, 3)}, {"s": [ints(3, 2), ints(1, 3)]}),
    ("expand_as_is", "(float[2, 3] x, int64[2] s) => (float[2, 3] y) { y = Expand (x, s) }", {"x": ramp(2, 3), "s": ints(1, 3)}, {"s": [ints(4, 3), ints(0, 3)]}),
    ("reshape_as_is", "(float[2, 3] x, int64[2] s) => (float[2, 3] y) { y = Reshape (x, s) }", {"x": ramp(2, 3), "s": ints(-1, 3)}, {"s": [ints(3, 2), ints(3, 0)]}),
    ("tile_as_is", "(float[2, 3] x, int64[2] r) => (float[2, 3] y) { y = Tile (x, r) }", {"x": ramp(2, 3), "r": ints(1, 1)}, {"r": [ints(1, 2), ints(0, 1)]}),
    ("pad", "(float[2, 3] x, int64[4] p) => (float[3, 3] y) { y = Pad (x, p) }", {"x": ramp(2, 3), "p": ints(1, 0, 0, 0)},
     {"p": [ints(1, 0, 1, 0), ints(0, 1, 0, 0), ints(0, 0, 0, 0)]}),
    ("pad_axes", "(float[2, 3] x, int64[2] p, int64[1] a) => (float[2, 4] y) { y = Pad (x, p, , a) }", {"x": ramp(2, 3), "p": ints(1, 0), "a": ints(-1)},
     {"p": [ints(1, 1)], "a": [ints(0), ints(2)]}),
    ("slice", "(float[4, 6] x, int64[1] a, int64[1] b, int64[1] c) => (float[4, 2] y) { y = Slice (x, a, b, c) }",
     {"x": ramp(4, 6), "a": ints(1), "b": ints(3), "c": ints(1)}, {"a": [ints(0)], "b": [ints(5), ints(GREATEST)], "c": [ints(0), ints(7)]}),
    ("slice_steps", "(float[6] x, int64[1] a, int64[1] b, int64[1] c, int64[1] s) => (float[3] y) { y = Slice (x, a, b, c, s) }",
     {"x": ramp(6), "a": ints(-1), "b": ints(LEAST), "c": ints(0), "s": ints(-2)}, {"s": [ints(-1), ints(2), ints(0), ints(LEAST)]}),
    ("one_hot", "(int64[2] x, int64[1] d, float[2] v) => (float[2, 3] y) { y = OneHot (x, d, v) }", {"x": ints(0, 2), "d": ints(3), "v": floats(0, 1)}, {"d": [ints(2), ints(5)]}),
    ("max_unpool", "(float[1, 1, 2, 2] x, int64[1, 1, 2, 2] i, int64[4] s) => (float[1, 1, 5, 5] y) { y = MaxUnpool <kernel_shape = [2, 2], strides = [2, 2]> (x, i, s) }",
     {"x": ramp(1, 1, 2, 2), "i": ints(0, 2, 8, 12).reshape(1, 1, 2, 2), "s": ints(1, 1, 5, 5)}, {"s": [ints(1, 1, 4, 4), ints(1, 1, 6, 6)]}),
    ("center_crop_pad", "(float[4, 4] x, int64[2] s) => (float[2, 6] y) { y = CenterCropPad (x, s) }", {"x": ramp(4, 4), "s": ints(2, 6)}, {"s": [ints(3, 6), ints(2, 5)]}),
    ("affine_grid", "(float[1, 2, 3] x, int64[4] s) => (float[1, 3, 4, 2] y) { y = AffineGrid (x, s) }", {"x": ramp(1, 2, 3), "s": ints(1, 1, 3, 4)}, {"s": [ints(1, 1, 4, 3)]}),
    ("col2im", "(float[1, 4, 4] x, int64[2] s, int64[2] b) => (float[1, 1, 4, 4] y) { y = Col2Im <strides = [2, 2]> (x, s, b) }",
     {"x": ramp(1, 4, 4), "s": ints(4, 4), "b": ints(2, 2)}, {"s": [ints(2, 8)], "b": [ints(1, 4), ints(-2, -2)]}),
    ("dft", "(float[1, 4, 1] x, int64 n) => (float[1, 4, 2] y) <int64 c = {1}> { y = DFT (x, n, c) }", {"x": ramp(1, 4, 1), "n": np.int64(4)},
     {"n": [np.int64(3), np.int64(5)]}),
    ("hann_window", "(int64 n) => (float[4] y) { y = HannWindow (n) }", {"n": np.int64(4)}, {"n": [np.int64(5), np.int64(3)]}),
    ("stft", "(float[1, 16, 1] x, int64 s, int64 l) => (float[1, 4, 3, 2] y) <float[4] w = {1, 1, 1, 1}> { y = STFT (x, s, w, l) }",
     {"x": ramp(1, 16, 1), "s": np.int64(4), "l": np.int64(4)}, {"s": [np.int64(2), np.int64(6), np.int64(0)]}),
    ("mel_weights", "(int64 a, int64 b) => (float[5, 4] y) <int64 r = {8000}, float l = {0}, float h = {4000}> { y = MelWeightMatrix (a, b, r, l, h) }",
     {"a": np.int64(4), "b": np.int64(8)}, {"a": [np.int64(3)], "b": [np.int64(10)]}),
    # The number of values to read is dynamic, too.
    ("top_k_of", "(float[3, 6] x, int64[n] k) => (float[3, 2] y, int64[3, 2] i) { y, i = TopK (x, k) }", {"x": ramp(3, 6), "k": ints(2)}, {"k": [ints(3)]}),
    ("split_of", "(float[6] x, int64[n] s) => (float[2] y, float[4] z) { y, z = Split (x, s) }", {"x": ramp(6), "s": ints(2, 4)}, {"s": [ints(4, 2)]}),
    ("sum_of", "(float[3, 4] x, int64[n] a) => (float[3, 1] y) { y = ReduceSum (x, a) }", {"x": ramp(3, 4), "a": ints(1)}, {"a": [ints(0), ints(0, 1), ints(5), ints(1, -1), ints()]}),
    ("sum_of_none", "(float[3, 4] x, int64[n] a) => (float[1, 1] y) { y = ReduceSum (x, a) }", {"x": ramp(3, 4), "a": ints()}, {"a": [ints(0)]}),
    ("max_as_is", "(float[3, 4] x, int64[n] a) => (float[3, 4] y) { y = ReduceMax <noop_with_empty_axes = 1> (x, a) }", {"x": ramp(3, 4), "a": ints()}, {"a": [ints(0), ints(1, 0)]}),
    ("squeeze_of", "(float[1, 3, 1] x, int64[n] a) => (float[3] y) { y = Squeeze (x, a) }", {"x": ramp(1, 3, 1), "a": ints(-1, 0)}, {"a": [ints(0), ints(0, 1), ints(0, 0)]}),
    ("squeeze_all", "(float[1, 3, 1] x, int64[n] a) => (float[3] y) { y = Squeeze (x, a) }", {"x": ramp(1, 3, 1), "a": ints()}, {"a": [ints(2)]}),
    ("unsqueeze_of", "(float[3] x, int64[n] a) => (float[1, 3, 1] y) { y = Unsqueeze (x, a) }", {"x": ramp(3), "a": ints(0, -1)}, {"a": [ints(0), ints(0, 1), ints()]}),
    ("reshape_of", "(float[4, 6] x, int64[n] s) => (float[4, 3, 2] y) { y = Reshape (x, s) }", {"x": ramp(4, 6), "s": ints(0, 3, -1)}, {"s": [ints(4, 6), ints(4, 2, 3), ints(4, 3, 2, 1)]}),
    ("expand_of", "(float[3, 1] x, int64[n] s) => (float[2, 3, 4] y) { y = Expand (x, s) }", {"x": ramp(3, 1), "s": ints(2, 1, 4)}, {"s": [ints(3, 4), ints(2, 3, 5), ints(1, 2, 3, 4)]}),
    ("expand_behind", "(float[3, 1] x, int64[n] s) => (float[3, 4] y) { y = Expand (x, s) }", {"x": ramp(3, 1), "s": ints(4)}, {"s": [ints(1), ints(3, 5), ints(), ints(1, 3, 4)]}),
    ("tile_of", "(float[2, 3] x, int64[n] r) => (float[4, 3] y) { y = Tile (x, r) }", {"x": ramp(2, 3), "r": ints(2, 1)}, {"r": [ints(1, 2), ints(2), ints(2, 1, 1)]}),
    ("fill_of", "(int64[n] s) => (float[2, 3] y) { y = ConstantOfShape (s) }", {"s": ints(2, 3)}, {"s": [ints(3, 2), ints(6), ints(2, 3, 1)]}),
    ("resize_of", "(float[1, 1, 2, 2] x, float[n] s) => (float[1, 1, 4, 4] y) { y = Resize (x, , s) }", {"x": ramp(1, 1, 2, 2), "s": floats(1, 1, 2, 2)},
     {"s": [floats(1, 1, 3, 2)]}),
    ("slice_of", "(float[4, 6] x, int64[n] a, int64[n] b, int64[n] c, int64[n] s) => (float[4, 2] y) { y = Slice (x, a, b, c, s) }",
     {"x": ramp(4, 6), "a": ints(1, -1), "b": ints(5, LEAST), "c": ints(1, 0), "s": ints(2, -1)}, {"a": [ints(0, -1)], "b": [ints(7, LEAST)], "c": [ints(1, 1)], "s": [ints(2, 0)]}),
    ("slice_first", "(float[4, 6] x, int64[n] a, int64[n] b) => (float[2, 6] y) { y = Slice (x, a, b) }", {"x": ramp(4, 6), "a": ints(1), "b": ints(3)}, {"a": [ints(2)], "b": [ints(4)]}),
    ("crop_of", "(float[4, 4] x, int64[n] s) => (float[2, 6] y) { y = CenterCropPad (x, s) }", {"x": ramp(4, 4), "s": ints(2, 6)}, {"s": [ints(3, 6)]}),
    ("col2im_of", "(float[1, 4, 4] x, int64[n] s, int64[n] b) => (float[1, 1, 4, 4] y) { y = Col2Im <strides = [2, 2]> (x, s, b) }",
     {"x": ramp(1, 4, 4), "s": ints(4, 4), "b": ints(2, 2)}, {"s": [ints(2, 8)], "b": [ints(1, 4)]}),
    # The axis determines which sizes change, if any.
    ("dft_along", "(float[2, 4, 4, 1] x, int64 n, int64 a) => (float[2, 3, 4, 2] y) { y = DFT <onesided = 1> (x, n, a) }", {"x": ramp(2, 4, 4, 1), "n": np.int64(4), "a": np.int64(-3)},
     {"n": [np.int64(6)], "a": [np.int64(0), np.int64(2), np.int64(3), np.int64(-1), np.int64(4)]}),
    ("sum_up", "(float[3, 4] x, int64 a) => (float[3, 4] y) { y = CumSum (x, a) }", {"x": ramp(3, 4), "a": np.int64(-2)}, {"a": [np.int64(2), np.int64(-3), np.int64(GREATEST)]}),
    ("sum_up_rows", "(float[m, 4] x, int32[n] a) => (float[m, 4] y) { y = CumSum <reverse = 1> (x, a) }", {"x": ramp(3, 4), "a": np.array([1], np.int32)},
     {"a": [np.array([2], np.int32)]}),
    # Valid numbers at the limits of 64 bits.
    ("far_above", "(float[3, 4] x, int64 k) => (float[3, 4] y) { y = Trilu (x, k) }", {"x": ramp(3, 4), "k": np.int64(GREATEST)}, {}),
    ("long_step", "(int64 a, int64 b, int64 c) => (int64[3] y) { y = Range (a, b, c) }", {"a": np.int64(10), "b": np.int64(0), "c": np.int64(LEAST)}, {"c": [np.int64(0)]}),
    ("in_a_graph", "(float[3, 4] x, int64[1] a, int64[1] k) => (float[2] y) { s = ReduceSum <keepdims = 0> (x, a) t, i = TopK (s, k) y = Neg (t) }",
     {"x": ramp(3, 4), "a": ints(1), "k": ints(2)}, {"k": [ints(3)]}),
]
# Cases without a kernel in ONNX Runtime.
WITHOUT_PEER = ("max_unpool", "mel_weights")
REFUSED = ("invalid argument", "does not accept these sizes")


def write(folder, inputs):
    folder.mkdir(exist_ok=True)
    for name, value in inputs.items():
        np.save(folder / f"{name}.npy", value)


def cases(tools, work):
    for name, text, inputs, refused in CASES:
        path, library = work / f"{name}.onnx", work / f"{name}.so"
        model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 20]> {name} {text}')
        if name == "in_a_graph":  # intermediate shapes are stated as well
            for value, size in ("s", 3), ("t", 2):
                model.graph.value_info.append(onnx.helper.make_tensor_value_info(value, onnx.TensorProto.FLOAT, [size]))
        onnx.save(model, path)
        for options in ([], ["--naive"]):
            wrong = build(tools, path, library, *options)
            yield f"compiling {name} {options}", wrong
            if wrong:
                continue
            folder = work / name
            write(folder, inputs)
            references = ["naive"] if name in WITHOUT_PEER else ["naive", "onnxruntime"]
            yield f"{name} {options}", verify_against(references, tools, path, library, f"--inputs={folder}")
            for key, values in refused.items():
                for value in values[:1] if options else values:
                    write(folder, {**inputs, key: value})
                    said = cameo(tools, "run", library, f"--inputs={folder}")
                    fits = said is not None and any(words in said for words in REFUSED)
                    yield f"{name} {options} {key} {value}", None if fits else f"expected a run that is refused, got {said or 'success'}"


if __name__ == "__main__":
    judge_all(cases)
