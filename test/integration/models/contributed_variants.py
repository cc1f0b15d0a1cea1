"""Cases of outputs, attributes and optional inputs that are rarely there."""

import numpy as np

from contributed_cases import OPEN_QKV, P, QKV, STEP, TOKENS, WIDE, add, half, mask_of, real, scale, ubytes, zero

# Norms and activations
add("simplified_layer_norm_roots", "SimplifiedLayerNormalization", [real(2, 5, 16), real(5, 16)], outputs=["float32", "float32"], domain="", axis=1)
add("simplified_layer_norm_root_half", "SimplifiedLayerNormalization", [half(real(2, 5, 16)), half(real(16))], outputs=["float16", "float32"], domain="", open_shapes=TOKENS,
    tolerance=5e-3)
add("bias_softmax_rows", "BiasSoftmax", [real(2, 3, 4, 8), real(1, 1, 4, 8)], axis=2, is_inner_broadcast=0, has_kernel=False)
add("qlinear_softmax_rows", "QLinearSoftmax", [ubytes(2, 3, 8), *P, scale(-8), zero(0)], fixed=[1, 2, 3, 4], outputs=["uint8"], scale_of_result=3, tolerance=STEP, axis=1, opset=12,
    open_shapes={"x0": ["batch", 3, "columns"]})

# Products
add("fused_matmul_vector", "FusedMatMul", [real(2, 5, 7), real(7)], transB=1)
for name, numbers in (("Selu", {"activation_alpha": 1.2, "activation_gamma": 1.1}), ("ThresholdedRelu", {"activation_alpha": 0.3})):
    add(f"fused_gemm_{name.lower()}_numbers", "FusedGemm", [real(5, 7), real(6, 7), real(6)], transB=1, activation=name, **numbers)

# Attention. Output 3 of MultiHeadAttention is the scores with all that is added to them.
add("multi_head_long_lengths", "MultiHeadAttention", [*QKV, None, np.array([5, 3, 0, 5, 10, 0, 5, 10], np.int32)], num_heads=4)
SCORES = {"outputs": ["float32", None, None, "float32"], "num_heads": 4}
add("multi_head_scores", "MultiHeadAttention", [*QKV, None, mask_of([5, 3], 5)], open_shapes={**OPEN_QKV, "x4": ["batch", "length"]}, **SCORES)
add("multi_head_scores_causal", "MultiHeadAttention", QKV, unidirectional=1, open_shapes=OPEN_QKV, **SCORES)


def tokens(new, past):
    """Returns the first seven inputs of GroupQueryAttention: 4 query heads of 16 share 2 key heads."""
    return [real(2, new, 64), real(2, new, 32), real(2, new, 32), real(2, 2, past, 16), real(2, 2, past, 16), np.full(2, past + new - 1, np.int32), np.array(past + new, np.int32)]


QUERY = {"tolerance": 2e-5, "num_heads": 4, "kv_num_heads": 2}
# The positions of a prompt follow the first one, those of other tokens are as stated.
for name, new, past, places in (("prompt", 3, 0, [[2, 7, 1], [9, 9, 9]]), ("step", 1, 6, [[2], [9]])):
    add(f"query_positions_{name}", "GroupQueryAttention", [*tokens(new, past), np.cos(WIDE), np.sin(WIDE), np.array(places)], outputs=["float32"] * 3, fixed=[7, 8], do_rotary=1, **QUERY)
# Output 3 is the scores before or behind the softmax.
OPEN_TOKENS = {"x0": ["batch", "length", 64], "x1": ["batch", "length", 32], "x2": ["batch", "length", 32], "x3": ["batch", 2, "past", 16], "x4": ["batch", 2, "past", 16], "x5": ["batch"]}
for place in (1, 2):
    for new, past in ((5, 0), (1, 7)):
        scores = {"outputs": ["float32"] * 4, "qk_output": place, **QUERY}
        add(f"query_scores_{place}_{new}", "GroupQueryAttention", tokens(new, past), open_shapes=OPEN_TOKENS, **scores)
        add(f"query_scores_{place}_{new}_sink", "GroupQueryAttention", [*tokens(new, past), None, None, None, None, real(4)], local_window_size=3, softcap=2.0, **scores)

# Others
for name, size in (("short", 4), ("tokens", 1)):
    add(f"ngram_repeat_block_{name}", "NGramRepeatBlock", [np.array([[1, 2], [4, 4]]), real(2, 6)], ngram_size=size, open_shapes={"x1": ["batch", 6], "x0": ["batch", "length"]})
add("crop_and_resize_half", "CropAndResize", [half(real(1, 3, 7, 9)), np.array([[0.25, 0.125, 0.75, 0.875]], np.float16), np.array([0], np.int32), np.array([4, 5], np.int32)], fixed=[3],
    outputs=["float16"], tolerance=1e-2)
