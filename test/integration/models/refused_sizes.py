#!/usr/bin/env python3
"""Runs models with dynamic sizes, with valid sizes, which are computed, and with invalid sizes, which are rejected.

usage: refused_sizes.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

One small model per rule on sizes that can only be checked at run time. Without the check, a run would read or write outside of its buffers, or divide by 0. Exits 77
(skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, verify

import numpy as np
import onnx
import onnx.parser

# Name; the graph's inputs, outputs and nodes; shapes of all inputs of valid runs, and of runs to reject.
LARGE = 2**40  # a loop over it would not end in time
CASES = [
    ("scatter_elements", """(float[n, m] x, int64[k, l] i, float[p, q] u) => (float[n, m] y) { y = ScatterElements <axis = 1> (x, i, u) }""",
     [((4, 5), (4, 3), (4, 3)), ((4, 5), (0, 3), (0, 3)), ((0, 5), (0, 3), (0, 3))],
     [((4, 5), (5, 3), (5, 3)), ((4, 5), (4, 3), (4, 2)), ((4, 0), (4, 1), (4, 1))]),
    ("scatter_nd", """(float[n, m] x, int64[k, 1] i, float[p, q] u) => (float[n, m] y) { y = ScatterND (x, i, u) }""",
     [((4, 5), (3, 1), (3, 5)), ((0, 5), (0, 1), (0, 5))],
     [((4, 5), (3, 1), (2, 5)), ((4, 5), (3, 1), (3, 4)), ((0, 5), (1, 1), (1, 5))]),
    ("gather", """(float[n, 3] x, int64[k] i) => (float[k, 3] y) { y = Gather (x, i) }""",
     [((4, 3), (6,))], [((0, 3), (1,))]),
    ("gather_elements", """(float[n, m] x, int64[k, l] i) => (float[k, l] y) { y = GatherElements <axis = 1> (x, i) }""",
     [((4, 5), (4, 9)), ((4, 5), (2, 1)), ((4, 0), (4, 0))], [((4, 5), (5, 1)), ((4, 0), (4, 1))]),
    ("gather_nd", """(float[n, m, 3] x, int64[k, l, 1] i) => (float[k, l, 3] y) { y = GatherND <batch_dims = 1> (x, i) }""",
     [((2, 4, 3), (2, 7, 1))], [((2, 4, 3), (3, 7, 1)), ((2, 0, 3), (2, 1, 1))]),
    ("top_k", """(float[n, 6] x) => (float[3, 6] y, int64[3, 6] i) <int64[1] k = {3}> { y, i = TopK <axis = 0> (x, k) }""",
     [((3, 6),), ((9, 6),)], [((2, 6),), ((0, 6),)]),
    ("batch_norm", """(float[2, c, 3] x, float[d] s, float[e] b, float[f] m, float[g] v) => (float[2, c, 3] y) { y = BatchNormalization (x, s, b, m, v) }""",
     [((2, 4, 3), (4,), (4,), (4,), (4,))], [((2, 4, 3), (3,), (4,), (4,), (4,)), ((2, 4, 3), (4,), (4,), (4,), (5,))]),
    ("instance_norm", """(float[2, c, 3] x, float[d] s, float[e] b) => (float[2, c, 3] y) { y = InstanceNormalization (x, s, b) }""",
     [((2, 4, 3), (4,), (4,))], [((2, 4, 3), (3,), (4,)), ((2, 4, 3), (4,), (1,))]),
    ("group_norm", """(float[2, c, 3] x, float[d] s, float[e] b) => (float[2, c, 3] y) { y = GroupNormalization <num_groups = 2> (x, s, b) }""",
     [((2, 4, 3), (4,), (4,))], [((2, 5, 3), (5,), (5,)), ((2, 4, 3), (2,), (4,))]),
    ("layer_norm", """(float[n, c] x, float[d] s, float[e] b) => (float[n, c] y) { y = LayerNormalization (x, s, b) }""",
     [((2, 6), (6,), (6,))], [((2, 6), (5,), (6,)), ((2, 6), (6,), (7,))]),
    ("conv_bias", """(float[1, 3, h, w] x, float[4, 3, 3, 3] f, float[d] b) => (float[1, 4, i, j] y) { y = Conv (x, f, b) }""",
     [((1, 3, 5, 4), (4, 3, 3, 3), (4,))], [((1, 3, 5, 4), (4, 3, 3, 3), (3,)), ((1, 3, 2, 4), (4, 3, 3, 3), (4,))]),
    ("conv_groups", """(float[1, c, 6] x, float[m, 2, 3] f) => (float[1, m, 4] y) { y = Conv <group = 2> (x, f) }""",
     [((1, 4, 6), (6, 2, 3))], [((1, 4, 6), (5, 2, 3)), ((1, 6, 6), (6, 2, 3))]),
    ("conv_transpose_bias", """(float[1, 3, h] x, float[3, 4, 3] f, float[d] b) => (float[1, 4, i] y) { y = ConvTranspose (x, f, b) }""",
     [((1, 3, 5), (3, 4, 3), (4,))], [((1, 3, 5), (3, 4, 3), (1,))]),
    ("deform_conv", """(float[n, 2, 4, 4] x, float[3, 2, 3, 3] w, float[m, 18, h, v] o) => (float[n, 3, 2, 2] y) { y = DeformConv (x, w, o) }""",
     [((2, 2, 4, 4), (3, 2, 3, 3), (2, 18, 2, 2))], [((2, 2, 4, 4), (3, 2, 3, 3), (1, 18, 2, 2)), ((2, 2, 4, 4), (3, 2, 3, 3), (2, 18, 2, 1))]),
    ("rnn", """(float[s, b, 3] x, float[1, g, 3] w, float[1, i, 4] r, float[1, d] c) => (float[s, 1, b, 4] y) { y = RNN <hidden_size = 4> (x, w, r, c) }""",
     [((5, 2, 3), (1, 4, 3), (1, 4, 4), (1, 8))], [((5, 2, 3), (1, 4, 3), (1, 4, 4), (1, 7)), ((5, 2, 3), (1, 3, 3), (1, 4, 4), (1, 8))]),
    ("gru_state", """(float[s, b, 3] x, float[1, 12, 3] w, float[1, 12, 4] r, float[1, d, 4] h) => (float[s, 1, b, 4] y) { y = GRU <hidden_size = 4> (x, w, r, , , h) }""",
     [((5, 2, 3), (1, 12, 3), (1, 12, 4), (1, 2, 4))], [((5, 2, 3), (1, 12, 3), (1, 12, 4), (1, 1, 4))]),
    ("lstm_lengths", """(float[s, b, 3] x, float[1, 16, 3] w, float[1, 16, 4] r, int32[d] l) => (float[s, 1, b, 4] y) { y = LSTM <hidden_size = 4> (x, w, r, , l) }""",
     [((5, 2, 3), (1, 16, 3), (1, 16, 4), (2,))], [((5, 2, 3), (1, 16, 3), (1, 16, 4), (1,))]),
    ("quantize", """(float[2, c] x, float[d] s, uint8[e] z) => (uint8[2, c] y) { y = QuantizeLinear <axis = 1> (x, s, z) }""",
     [((2, 5), (5,), (5,))], [((2, 5), (4,), (4,)), ((2, 5), (5,), (4,))]),
    ("dequantize", """(uint8[2, c] x, float[d] s) => (float[2, c] y) { y = DequantizeLinear <axis = 1> (x, s) }""",
     [((2, 5), (5,))], [((2, 5), (4,))]),
    ("packed_product", """(float[n, k] x, uint8[5, b, c] w, float[5, d] s) => (float[n, 5] y) { y = com.microsoft.MatMulNBits <K = 64, N = 5, block_size = 32> (x, w, s) }""",
     [((3, 64), (5, 2, 16), (5, 2)), ((0, 64), (5, 2, 16), (5, 2))], [((3, 63), (5, 2, 16), (5, 2)), ((3, 64), (5, 3, 16), (5, 2)), ((3, 64), (5, 2, 16), (5, 1))]),
    ("embeddings", """(int32[b, s] i, float[5, 4] w, float[6, 4] p, float[4] g, float[4] h) => (float[b, s, 4] y) { y, k = com.microsoft.EmbedLayerNormalization (i, , w, p, , g, h) }""",
     [((2, 6), (5, 4), (6, 4), (4,), (4,)), ((2, 0), (5, 4), (6, 4), (4,), (4,))], [((2, 7), (5, 4), (6, 4), (4,), (4,))]),
    ("masked_keys", """(float[b, s, 8] q, float[b, t, 8] k, float[b, t, 8] v, int32[b, m] p) => (float[b, s, 8] y) {
       y = com.microsoft.MultiHeadAttention <num_heads = 2> (q, k, v, , p) }""",
     [((2, 3, 8), (2, 5, 8), (2, 5, 8), (2, 5))], [((2, 3, 8), (2, 5, 8), (2, 5, 8), (2, 4)), ((2, 3, 8), (2, 5, 8), (2, 5, 8), (2, 6))]),
    ("grid_sample", """(float[n, 2, h, w] x, float[m, 3, 3, 2] g) => (float[n, 2, 3, 3] y) { y = GridSample (x, g) }""",
     [((2, 2, 4, 5), (2, 3, 3, 2))], [((2, 2, 4, 5), (1, 3, 3, 2)), ((2, 2, 0, 5), (2, 3, 3, 2))]),
    ("roi_align", """(float[n, 2, h, w] x, float[k, 4] r, int64[l] b) => (float[k, 2, 2, 2] y) { y = RoiAlign <output_height = 2, output_width = 2> (x, r, b) }""",
     [((2, 2, 4, 5), (3, 4), (3,)), ((0, 2, 4, 5), (0, 4), (0,))], [((2, 2, 4, 5), (3, 4), (2,)), ((2, 2, 0, 5), (3, 4), (3,))]),
    ("nms", """(float[1, n, 4] b, float[1, 1, m] s) => (int64[k, 3] y) <int64 most = {5}> { y = NonMaxSuppression (b, s, most) }""",
     [((1, 6, 4), (1, 1, 6))], [((1, 6, 4), (1, 1, 7))]),
    ("max_unpool", """(float[1, 1, h, 2] x, int64[1, 1, k, 2] i) => (float[1, 1, a, 4] y) { y = MaxUnpool <kernel_shape = [2, 2], strides = [2, 2]> (x, i) }""",
     [((1, 1, 2, 2), (1, 1, 2, 2))], [((1, 1, 2, 2), (1, 1, 1, 2))]),
    ("nll_loss", """(float[n, c] x, int64[m] t, float[d] w) => (float y) { y = NegativeLogLikelihoodLoss (x, t, w) }""",
     [((3, 4), (3,), (4,)), ((0, 0), (0,), (0,))], [((3, 4), (2,), (4,)), ((3, 4), (3,), (3,)), ((3, 0), (3,), (0,))]),
    ("cross_entropy", """(float[n, c] x, int64[m] t) => (float y) { y = SoftmaxCrossEntropyLoss (x, t) }""",
     [((3, 4), (3,)), ((0, 0), (0,))], [((3, 4), (5,)), ((3, 0), (3,))]),
    ("reverse_sequence", """(float[t, b] x, int64[d] l) => (float[t, b] y) { y = ReverseSequence (x, l) }""",
     [((4, 3), (3,))], [((4, 3), (2,))]),
    ("det", """(float[2, n, m] x) => (float[2] y) { y = Det (x) }""", [((2, 3, 3),)], [((2, 3, 4),)]),
    ("one_hot", """(int64[n] i, float[v] o) => (float[n, 3] y) <int64 depth = {3}> { y = OneHot (i, depth, o) }""", [((4,), (2,))], [((4,), (1,)), ((4,), (3,))]),
    ("rotary", """(float[b, 2, s, 8] x, float[m, 4] c, float[n, 4] d, int64[b, t] p) => (float[b, 2, s, 8] y) { y = RotaryEmbedding (x, c, d, p) }""",
     [((1, 2, 3, 8), (5, 4), (5, 4), (1, 3))], [((1, 2, 3, 8), (5, 4), (4, 4), (1, 3)), ((1, 2, 3, 8), (5, 4), (5, 4), (1, 2)), ((1, 2, 3, 8), (0, 4), (0, 4), (1, 3))]),
    ("tensor_scatter", """(float[b, k, 4] c, float[d, l, 4] u) => (float[b, k, 4] y) { y = TensorScatter (c, u) }""",
     [((2, 5, 4), (2, 3, 4))], [((2, 5, 4), (2, 6, 4)), ((2, 5, 4), (1, 3, 4))]),
    ("dft", """(float[1, n, 1] x) => (float[1, n, 2] y) { y = DFT (x) }""", [((1, 5, 1),)], [((1, 0, 1),)]),
    ("stft", """(float[1, n, 1] x, float[w] f) => (float[1, k, l, 2] y) <int64 step = {2}> { y = STFT (x, step, f) }""",
     [((1, 9, 1), (4,))], [((1, 9, 1), (0,)), ((1, 9, 1), (10,))]),
    ("pad_edge", """(float[n] x) => (float[m] y) <int64[2] pads = {1, 2}> { y = Pad <mode = "edge"> (x, pads) }""", [((1,),), ((4,),)], [((0,),)]),
    ("pad_wrap", """(float[n] x) => (float[m] y) <int64[2] pads = {1, 2}> { y = Pad <mode = "wrap"> (x, pads) }""", [((1,),), ((4,),)], [((0,),)]),
    ("pad_wrap_cut", """(float[n] x) => (float[m] y) <int64[2] pads = {-2, 3}> { y = Pad <mode = "wrap"> (x, pads) }""", [((3,),), ((5,),)], [((0,),), ((1,),), ((2,),)]),
    ("pad_reflect", """(float[n] x) => (float[m] y) <int64[2] pads = {1, 2}> { y = Pad <mode = "reflect"> (x, pads) }""", [((3,),)], [((0,),), ((2,),)]),
    ("resize", """(float[n, 2] x) => (float[4, 3] y) <int64[2] sizes = {4, 3}> { y = Resize (x, , , sizes) }""", [((2, 2),)], [((0, 2),)]),
    ("squeeze", """(float[n, 3] x) => (float[3] y) <int64[1] axes = {0}> { y = Squeeze (x, axes) }""", [((1, 3),)], [((0, 3),), ((2, 3),)]),
    ("gemm_bias", """(float[n, 3] a, float[3, m] b, float[c] d) => (float[n, m] y) { y = Gemm (a, b, d) }""",
     [((2, 3), (3, 4), (4,))], [((2, 3), (3, 4), (3,))]),
    ("split", """(float[n, 2] x) => (float[2, 2] a, float[3, 2] b) <int64[2] parts = {2, 3}> { a, b = Split (x, parts) }""", [((5, 2),)], [((4, 2),), ((6, 2),)]),
    ("space_to_depth", """(float[1, 2, h, w] x) => (float[1, 8, a, b] y) { y = SpaceToDepth <blocksize = 2> (x) }""", [((1, 2, 4, 6),)], [((1, 2, 5, 6),), ((1, 2, 4, 3),)]),
    ("depth_to_space", """(float[1, c, 2, 2] x) => (float[1, d, 4, 4] y) { y = DepthToSpace <blocksize = 2> (x) }""", [((1, 8, 2, 2),)], [((1, 6, 2, 2),)]),
    ("col2im", """(float[1, c, l] x) => (float[1, d, 5, 5] y) <int64[2] image = {5, 5}, int64[2] block = {2, 2}> { y = Col2Im (x, image, block) }""",
     [((1, 8, 16),)], [((1, 7, 16),), ((1, 8, 15),)]),
    ("max_pool", """(float[1, 1, h] x) => (float[1, 1, k] y) { y = MaxPool <kernel_shape = [3], strides = [2]> (x) }""", [((1, 1, 3),), ((1, 1, 8),)], [((1, 1, 2),)]),
    ("p_relu", """(float[n, c] x, float[d] s) => (float[n, c] y) { y = PRelu (x, s) }""", [((2, 4), (4,))], [((2, 4), (3,))]),
    ("clip", """(float[n] x, float[a] low) => (float[n] y) <int64[1] axes = {0}> { small = Squeeze (low, axes)
       y = Clip (x, small) }""", [((4,), (1,))], [((4,), (2,))]),
    ("compress", """(float[n, 2] x, bool[c] which) => (float[k, 2] y) { y = Compress <axis = 0> (x, which) }""", [((4, 2), (4,)), ((4, 2), (3,))], [((4, 2), (5,))]),
    ("slice_inside", """(float[n] x, float[k] like) => (float[k] y) <int64[1] zero = {0}> { end = Shape (like)
       y = Slice (x, zero, end) }""", [((5,), (3,)), ((5,), (5,))], [((5,), (6,))]),
    ("expand", """(float[n, 3] x, float[k] like) => (float[k, 3] y) <int64[1] row = {3}> { count = Shape (like)
       shape = Concat <axis = 0> (count, row)
       y = Expand (x, shape) }""", [((1, 3), (5,)), ((5, 3), (5,)), ((1, 3), (0,)), ((0, 3), (0,))], [((2, 3), (5,)), ((0, 3), (5,))]),
    ("attention", """(float[b, 2, s, 4] q, float[c, 2, t, 4] k, float[d, 2, u, 4] v, float[m, n] a) => (float[b, 2, s, 4] y) { y = Attention (q, k, v, a) }""",
     [((1, 2, 3, 4), (1, 2, 5, 4), (1, 2, 5, 4), (3, 5))],
     [((1, 2, 3, 4), (1, 2, 5, 4), (1, 2, 4, 4), (3, 5)), ((1, 2, 3, 4), (2, 2, 5, 4), (2, 2, 5, 4), (3, 5)), ((1, 2, 3, 4), (1, 2, 5, 4), (1, 2, 5, 4), (3, 6)),
      ((1, 2, 3, 4), (1, 2, 5, 4), (1, 2, 5, 4), (2, 5))]),
    # Input values determine a shape that the model states.
    ("reduce_read", """(float[n, m] x, int64[1] a) => (float[3, 1] y) { y = ReduceSum (x, a) }""", [((3, 4), (1,))], [((4, 4), (1,)), ((0, 4), (1,))]),
    ("reduce_read_dropped", """(float[n, 4] x, int64[1] a) => (float[3] y) { y = ReduceSum <keepdims = 0> (x, a) }""", [((3, 4), (1,))], [((2, 4), (1,))]),
    ("gather_nd_read", """(float[n, 3] x, int64[k, d] i) => (float[2] y) { y = GatherND (x, i) }""",
     [((4, 3), (2, 2)), ((4, 3), (3, 2))], [((4, 3), (2, 1)), ((0, 3), (2, 2))]),
    ("split_read", """(float[n] x, int64[k] s) => (float[2] a, float[4] b) { a, b = Split (x, s) }""", [((6,), (2,))], [((5,), (2,)), ((7,), (2,)), ((6,), (3,))]),
    ("squeeze_read", """(float[n, 1, m] x, int64[1] a) => (float[3, 5] y) { y = Squeeze (x, a) }""",
     [((3, 1, 5), (1,))], [((5, 1, 3), (1,)), ((3, 1, 4), (1,))]),
    ("unsqueeze_read", """(float[n, m] x, int64[1] a) => (float[3, 1, 5] y) { y = Unsqueeze (x, a) }""", [((3, 5), (1,))], [((5, 3), (1,)), ((3, 4), (1,))]),
    ("top_k_read", """(float[n] x, int64[1] k) => (float[3] y, int64[3] i) { y, i = TopK (x, k) }""", [((3,), (1,)), ((7,), (1,))], [((2,), (1,)), ((0,), (1,))]),
    ("resize_read", """(float[1, 1, n, 4] x, float[r] roi, int64[4] s) => (float[1, 1, 3, 3] y) {
       y = Resize <coordinate_transformation_mode = "tf_crop_and_resize"> (x, roi, , s) }""",
     [((1, 1, 4, 4), (8,), (4,))], [((1, 1, 4, 4), (7,), (4,)), ((1, 1, 0, 4), (8,), (4,))]),
    ("expand_read", """(float[n, 1] x, int64[2] s) => (float[3, 4] y) { y = Expand (x, s) }""", [((3, 1), (2,))], [((2, 1), (2,))]),
    ("tile_read", """(float[n] x, int64[1] r) => (float[6] y) { y = Tile (x, r) }""", [((3,), (1,))], [((4,), (1,)), ((0,), (1,))]),
    ("pad_read", """(float[n] x, int64[k] p) => (float[5] y) { y = Pad <mode = "edge"> (x, p) }""", [((3,), (2,))], [((0,), (2,)), ((3,), (3,)), ((3,), (1,))]),
    ("col2im_read", """(float[1, c, l] x, int64[2] s) => (float[1, 2, 5, 5] y) <int64[2] block = {2, 2}> { y = Col2Im (x, s, block) }""",
     [((1, 8, 16), (2,))], [((1, 8, 15), (2,)), ((1, 7, 16), (2,))]),
    ("pad_read_two", """(float[n] x, int64[2] p) => (float[5] y) { y = Pad <mode = "edge"> (x, p) }""", [((3,), (2,))], [((0,), (2,))]),
    # Valid with an empty input: the result consists of padding only.
    ("crop_of_nothing", """(float[n, 2] x) => (float[3, 4] y) <int64[2] size = {3, 4}> { y = CenterCropPad (x, size) }""", [((0, 2),), ((5, 2),)], []),
    ("pad_of_nothing", """(float[n, 2] x, int64[4] pads) => (float[m, 2] y) <int64[4] all = {1, 0, 2, 0}> { y = Pad (x, all) }""", [((0, 2), (4,)), ((5, 2), (4,))], []),
    # However large one size is, there is nothing to compute if another one is 0.
    ("large_beside_nothing", """(bool[n, m] x, bool[n, m] z) => (bool[m, n] y) { o = Or (x, z)
       y = Transpose <perm = [1, 0]> (o) }""", [((3, 4), (3, 4)), ((LARGE, 0), (LARGE, 0)), ((0, LARGE), (0, LARGE))], []),
    ("large_backwards", """(float[n, m] x) => (float[p, q] y) <int64[2] begins = {-1, -1}, int64[2] ends = {-9223372036854775808, -9223372036854775808}, int64[2] steps = {-1, -1},
       int64[2] axes = {0, 1}> { y = Slice (x, begins, ends, axes, steps) }""", [((3, 4),), ((LARGE, 0),), ((0, LARGE),)], []),
    ("large_scattered", """(float[n, m] x, int64[a, b] i, float[a, b] u) => (float[n, m] y) { y = ScatterElements <axis = 0> (x, i, u) }""",
     [((3, 4), (2, 4), (2, 4)), ((LARGE, 0), (LARGE, 0), (LARGE, 0)), ((3, 4), (LARGE, 0), (LARGE, 0))], []),
    ("large_unfound", """(float[n, m] x) => (int64[2, k] y) { y = NonZero (x) }""", [((3, 4),), ((LARGE, 0),), ((0, LARGE),)], []),
    # An empty sum is a result, and is not computed element by element.
    ("large_summed", """(float[n, m, k] x) => (float[n] y) <int64[2] axes = {1, 2}> { z = Transpose <perm = [0, 2, 1]> (x)
       y = ReduceSum <keepdims = 0> (z, axes) }""", [((2, 3, 4),), ((2, LARGE, 0),), ((2, 0, LARGE),)], []),
    ("large_summed_backwards", """(float[n, m, k] x) => (float[n] y) <int64[2] begins = {-1, -1}, int64[2] ends = {-9223372036854775808, -9223372036854775808},
       int64[2] steps = {-1, -1}, int64[2] axes = {1, 2}> { z = Slice (x, begins, ends, axes, steps)
       y = ReduceSum <keepdims = 0> (z, axes) }""", [((2, 3, 4),), ((2, LARGE, 0),), ((2, 0, LARGE),)], []),
    ("large_summed_around", """(float[n, 4, m] x) => (float[4] y) <int64[2] axes = {0, 2}> { y = ReduceSum <keepdims = 0> (x, axes) }""",
     [((2, 4, 3),), ((LARGE, 4, 0),), ((0, 4, LARGE),)], []),
    ("large_loss", """(float[n, c, h, w] x, int64[n, h, w] t) => (float y) { y = SoftmaxCrossEntropyLoss <reduction = "sum"> (x, t) }""",
     [((2, 3, 4, 5), (2, 4, 5)), ((2, 3, LARGE, 0), (2, LARGE, 0))], []),
    ("large_product", """(float[n, m] x, float[m, k] z) => (float[n, k] y) { y = MatMul (x, z) }""", [((3, 4), (4, 5)), ((LARGE, 0), (0, 0)), ((0, LARGE), (LARGE, 0))], []),
]
TYPES = {onnx.TensorProto.FLOAT: np.float32, onnx.TensorProto.INT64: np.int64, onnx.TensorProto.INT32: np.int32, onnx.TensorProto.UINT8: np.uint8,
         onnx.TensorProto.BOOL: np.bool_}
OPSETS = {"group_norm": 21, "rotary": 23, "attention": 23, "tensor_scatter": 24}
# Values of inputs in valid runs; other inputs are zero.
READ = {"reduce_read": {"a": [1]}, "reduce_read_dropped": {"a": [1]}, "split_read": {"s": [2, 4]}, "squeeze_read": {"a": [1]}, "unsqueeze_read": {"a": [1]},
        "top_k_read": {"k": [3]}, "resize_read": {"s": [1, 1, 3, 3]}, "expand_read": {"s": [3, 4]}, "tile_read": {"r": [2]}, "pad_read": {"p": [1, 1]}, "pad_read_two": {"p": [1, 1]},
        "col2im_read": {"s": [5, 5]}}
REFUSED = "does not accept these sizes"


def parse_case(name, text):
    """Returns the model of a case."""
    return onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {OPSETS.get(name, 20)}, "com.microsoft" : 1]> {name} {text}')


def fill(folder, model, shapes):
    """Writes the inputs of a run: numbers from -1 to 1, zeros for indices and lengths, and the given values of inputs that determine shapes."""
    folder.mkdir(exist_ok=True)
    random = np.random.default_rng(1)
    for value, shape in zip(model.graph.input, shapes, strict=True):
        kind = TYPES[value.type.tensor_type.elem_type]
        array = random.uniform(-1, 1, shape).astype(kind) if kind == np.float32 else np.zeros(shape, kind)
        if value.name in READ.get(model.graph.name, {}):
            array = np.resize(READ[model.graph.name][value.name], shape).astype(kind)
        np.save(folder / f"{value.name}.npy", array)


def judge_refusal(tools, library, folder):
    said = cameo(tools, "run", library, f"--inputs={folder}")
    return None if said and REFUSED in said else f"expected a run that is refused, got {said or 'success'}"


def cases(tools, work):
    for name, text, computed, refused in CASES:
        path, library = work / f"{name}.onnx", work / f"{name}.so"
        model = parse_case(name, text)
        onnx.save(model, path)
        wrong = build(tools, path, library)
        yield f"compiling {name}", wrong
        if wrong:
            continue
        for number, shapes in enumerate([*computed, *refused]):
            folder = work / f"{name}-{number}"
            fill(folder, model, shapes)
            if number < len(computed) and max(map(max, shapes)) == LARGE:
                yield f"{name} {shapes}", cameo(tools, "run", library, f"--inputs={folder}")
            elif number < len(computed):
                yield f"{name} {shapes}", verify(tools, path, library, f"--inputs={folder}")
            else:
                yield f"{name} {shapes}", judge_refusal(tools, library, folder)


if __name__ == "__main__":
    judge_all(cases)
