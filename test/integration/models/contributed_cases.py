"""What contributed_operators.py tries: one node each, with data."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

RANDOM = np.random.default_rng(29)


@dataclass
class Case:
    name: str
    operator: str
    inputs: list  # arrays; None for an absent input
    outputs: list = field(default_factory=lambda: ["float32"])  # their element types; None for an absent output
    attributes: dict = field(default_factory=dict)
    fixed: tuple = ()  # inputs that are initializers
    open_shapes: dict = field(default_factory=dict)  # by name of an input x0, .. or output y0, ..: its shape with dynamic sizes
    result_shapes: dict = field(default_factory=dict)
    scale_of_result: int = 0  # the input with the scale of quantised outputs
    domain: str = "com.microsoft"
    tolerance: float = 1e-5
    peer_tolerance: float = 0  # for ONNX Runtime's result, if it differs
    has_kernel: bool = True  # whether ONNX Runtime has a kernel
    kept: int = 0  # number of rows of caches to compare; 0: all
    formula: Callable = None  # NumPy function from inputs to outputs


CASES = []


def add(name, operator, inputs, *, outputs=("float32",), fixed=(), open_shapes=None, result_shapes=None, scale_of_result=0, domain="com.microsoft", tolerance=1e-5,
        peer_tolerance=0, has_kernel=True, kept=0, formula=None, **attributes):
    CASES.append(Case(name, operator, list(inputs), list(outputs), attributes, tuple(fixed), open_shapes or {}, result_shapes or {}, scale_of_result, domain,
                      tolerance, peer_tolerance, has_kernel, kept, formula))


def real(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def ubytes(*shape):
    return RANDOM.integers(0, 256, shape).astype(np.uint8)


def sbytes(*shape):
    """Returns small weights: on x86-64 without VNNI, ONNX Runtime adds two products with unsigned bytes in 16 bits, which must not overflow."""
    return RANDOM.integers(-63, 64, shape).astype(np.int8)


def scale(exponent):
    return np.array(2.0**exponent, np.float32)


def zero(number, kind=np.uint8):
    return np.array(number, kind)


TOKENS = {"x0": ["batch", "length", 16]}

# Activations
add("gelu", "Gelu", [real(2, 5, 16)], open_shapes=TOKENS)
add("bias_gelu", "BiasGelu", [real(2, 5, 16), real(16)], open_shapes=TOKENS)
add("fast_gelu", "FastGelu", [real(2, 5, 16)], open_shapes=TOKENS)
add("fast_gelu_bias", "FastGelu", [real(2, 5, 16), real(16)], open_shapes=TOKENS)
add("quick_gelu", "QuickGelu", [real(2, 5, 16)], open_shapes=TOKENS)
add("quick_gelu_silu", "QuickGelu", [real(2, 5, 16)], alpha=1.0)
add("bias_split_gelu", "BiasSplitGelu", [real(2, 5, 16), real(16)], has_kernel=False)
add("bias_softmax", "BiasSoftmax", [real(2, 3, 4, 8), real(2, 1, 1, 8)], axis=3, is_inner_broadcast=1, has_kernel=False)
add("linear_attention_gate", "LinearAttentionGate", [real(2, 5, 8), real(8), real(8), real(2, 5, 8)], outputs=["float32", "float32"], has_kernel=False)

# Norms
add("simplified_layer_norm", "SimplifiedLayerNormalization", [real(2, 5, 16), real(16)], domain="", axis=-1, epsilon=1e-6, stash_type=1, open_shapes=TOKENS)
SUMS = {"x0": ["batch", "length", 16], "x1": ["batch", "length", 16]}
add("skip_simplified", "SkipSimplifiedLayerNormalization", [real(2, 5, 16), real(2, 5, 16), real(16)], outputs=["float32", None, None, "float32"], epsilon=1e-6,
    open_shapes=SUMS)
add("skip_simplified_bias", "SkipSimplifiedLayerNormalization", [real(2, 5, 16), real(2, 5, 16), real(16), real(16)], epsilon=1e-6)
add("skip_layer_norm", "SkipLayerNormalization", [real(2, 5, 16), real(2, 5, 16), real(16), real(16), real(16)], outputs=["float32", None, None, "float32"],
    open_shapes=SUMS)
add("skip_layer_norm_row", "SkipLayerNormalization", [real(2, 5, 16), real(5, 16), real(16)])
IDS = {"x0": ["batch", "length"]}
IDS_IN = RANDOM.integers(0, 9, (2, 5)).astype(np.int32)
add("embed_layer_norm", "EmbedLayerNormalization",
    [IDS_IN, IDS_IN % 2, real(9, 16), real(12, 16), real(2, 16), real(16), real(16), np.array([[1, 1, 2, 0, -1], [1] * 5], np.int32)],
    outputs=["float32", "int32", "float32"], open_shapes={"x0": ["batch", "length"], "x1": ["batch", "length"], "x7": ["batch", "length"]})
add("embed_layer_norm_words", "EmbedLayerNormalization", [IDS_IN, None, real(9, 16), real(12, 16), None, real(16), real(16)], outputs=["float32", "int32"],
    open_shapes=IDS)
TABLES = [ubytes(9, 16), ubytes(12, 16), ubytes(2, 16), ubytes(16), ubytes(16)]
add("qembed_layer_norm", "QEmbedLayerNormalization",
    [IDS_IN, IDS_IN % 2, *TABLES, np.array([[1, 1, 0, 0, 0], [1] * 5], np.int32), *[scale(-5 - i) for i in range(5)], *[zero(120 + i) for i in range(5)]],
    outputs=["float32", "int32"], fixed=range(2, 18), open_shapes={"x0": ["batch", "length"], "x1": ["batch", "length"], "x7": ["batch", "length"]})
add("group_norm", "GroupNorm", [real(2, 4, 5, 8), real(8), real(8)], groups=4, activation=1, has_kernel=False)
add("skip_group_norm", "SkipGroupNorm", [real(2, 4, 5, 8), real(8), real(8), real(2, 8), real(8)], outputs=["float32", "float32"], groups=2, activation=0, has_kernel=False)
add("gated_rms_norm", "GatedRMSNorm", [real(2, 5, 16), real(8), real(2, 5, 16)], has_kernel=False)

# Products
add("fused_matmul", "FusedMatMul", [real(2, 3, 5, 7), real(2, 3, 4, 7)], alpha=0.125, transB=1, open_shapes={"x0": ["batch", 3, "rows", 7], "x1": ["batch", 3, "columns", 7]})
add("fused_matmul_batch", "FusedMatMul", [real(5, 2, 3, 7), real(2, 3, 7, 4)], transBatchA=1)
add("fused_matmul_both", "FusedMatMul", [real(7, 2, 3, 5), real(2, 3, 7, 4)], transBatchA=1, transA=1)
for name, numbers in (("Relu", {}), ("Tanh", {}), ("Sigmoid", {}), ("LeakyRelu", {"activation_alpha": 0.2}), ("Elu", {"activation_alpha": 0.7}),
                      ("HardSigmoid", {"activation_alpha": 0.3, "activation_beta": 0.4}), ("Softplus", {}), ("Softsign", {})):
    add(f"fused_gemm_{name.lower()}", "FusedGemm", [real(5, 7), real(6, 7), real(6)], transB=1, alpha=0.5, beta=2.0, activation=name, **numbers)
for name, numbers in (("Relu", {}), ("Sigmoid", {}), ("Tanh", {}), ("LeakyRelu", {"activation_params": [0.2]}), ("Clip", {"activation_params": [-0.5, 0.5]}),
                      ("HardSigmoid", {"activation_params": [0.3, 0.4]})):
    add(f"fused_conv_{name.lower()}", "FusedConv", [real(1, 3, 8, 9), real(4, 3, 3, 3), real(4), real(1, 4, 8, 9)], fixed=[1, 2], kernel_shape=[3, 3], pads=[1, 1, 1, 1],
        activation=name, **numbers)
add("fused_conv_plain", "FusedConv", [real(1, 3, 8, 9), real(4, 3, 3, 3), real(4)], fixed=[1, 2], kernel_shape=[3, 3], strides=[2, 2], activation="Relu")

# Integers
ROWS = {"x0": ["rows", 32]}
add("matmul_integer_to_float", "MatMulIntegerToFloat", [ubytes(5, 32), sbytes(32, 12), scale(-6), real(12), zero(120), np.zeros(12, np.int8), real(12)], fixed=[1, 3, 5, 6],
    open_shapes=ROWS)
add("matmul_integer_to_float_plain", "MatMulIntegerToFloat", [ubytes(5, 32), ubytes(32, 12), scale(-6), scale(-7), zero(120), zero(130)], fixed=[1, 3, 5])
add("dynamic_quantize_matmul", "DynamicQuantizeMatMul", [real(5, 32), sbytes(32, 12), real(12), None, real(12)], fixed=[1, 2, 4], open_shapes=ROWS, tolerance=1e-4)
add("dynamic_quantize_matmul_zero", "DynamicQuantizeMatMul", [real(5, 32), ubytes(32, 12), scale(-6), zero(127)], fixed=[1, 2, 3], tolerance=1e-4)
P, Q, R = (scale(-6), zero(120)), (scale(-5), zero(7)), (scale(-4), zero(100))
STEP = 2e-2
add("qlinear_add", "QLinearAdd", [ubytes(2, 3, 8), *P, ubytes(2, 3, 8), *Q, *R], outputs=["uint8"], scale_of_result=6, tolerance=STEP)
add("qlinear_add_no_zero", "QLinearAdd", [sbytes(2, 3, 8), scale(-6), None, sbytes(2, 3, 8), scale(-5), None, scale(-4)], outputs=["int8"], scale_of_result=6, tolerance=STEP,
    has_kernel=False)
add("qlinear_mul", "QLinearMul", [ubytes(2, 3, 8), *P, ubytes(2, 3, 8), *Q, *R], outputs=["uint8"], scale_of_result=6, tolerance=STEP)
add("qlinear_sigmoid", "QLinearSigmoid", [ubytes(2, 3, 8), *P, scale(-8), zero(0)], fixed=[1, 2, 3, 4], outputs=["uint8"], scale_of_result=3, tolerance=STEP)
add("qlinear_leaky_relu", "QLinearLeakyRelu", [ubytes(2, 3, 8), *P, *R], fixed=[1, 2, 3, 4], outputs=["uint8"], scale_of_result=3, tolerance=0.1, alpha=0.25)
# Means of four bytes lie halfway between two steps every fourth time: all of these are exact.
for kind, pair in (("same", (*P, *P)), ("odd", (scale(-6), zero(117), scale(-6), zero(33))), ("scaled", (np.array(0.037, np.float32), zero(120), np.array(0.0217, np.float32), zero(101)))):
    for last, shape in ((0, (2, 4, 8, 6)), (1, (2, 8, 6, 4))):
        pool = {"fixed": [1, 2, 3, 4], "outputs": ["uint8"], "scale_of_result": 3, "channels_last": last}
        add(f"qlinear_average_pool_{kind}_{last}", "QLinearAveragePool", [ubytes(*shape), *pair], kernel_shape=[2, 2], strides=[2, 2], **pool)
        add(f"qlinear_average_pool_padded_{kind}_{last}", "QLinearAveragePool", [ubytes(*shape), *pair], kernel_shape=[3, 2], pads=[1, 0, 1, 1], **pool)
        add(f"qlinear_average_pool_plane_{kind}_{last}", "QLinearAveragePool", [ubytes(*shape), *pair], kernel_shape=[8, 6], **pool)
        add(f"qlinear_global_average_pool_{kind}_{last}", "QLinearGlobalAveragePool", [ubytes(*shape), *pair], **pool,
            open_shapes={"x0": ["batch", "height", "width", 4] if last else ["batch", 4, "height", "width"]})
add("qlinear_average_pool_signed", "QLinearAveragePool", [sbytes(1, 3, 6, 6), scale(-6), zero(3, np.int8), scale(-6), zero(-5, np.int8)], fixed=[1, 2, 3, 4], outputs=["int8"],
    scale_of_result=3, kernel_shape=[2, 2])
add("qlinear_conv_last", "QLinearConv", [ubytes(1, 8, 9, 3), *P, sbytes(4, 3, 3, 3), scale(-7), zero(0, np.int8), *R], fixed=[3, 4, 5], outputs=["uint8"], scale_of_result=6,
    tolerance=STEP, channels_last=1, kernel_shape=[3, 3])
add("nhwc_max_pool", "NhwcMaxPool", [ubytes(1, 8, 8, 4)], outputs=["raw"], kernel_shape=[2, 2], strides=[2, 2])
WEIGHTS, BIAS = sbytes(12, 32), RANDOM.integers(-2000, 2000, 12).astype(np.int32)
add("qgemm", "QGemm", [ubytes(5, 32), *P, WEIGHTS, scale(-7), zero(0, np.int8), BIAS, scale(-2), zero(128)], fixed=[3, 4, 5, 6], outputs=["uint8"], scale_of_result=7,
    tolerance=STEP, transB=1)
add("qgemm_real", "QGemm", [ubytes(5, 32), *P, WEIGHTS, scale(-7), zero(0, np.int8), BIAS], fixed=[3, 4, 5, 6], transB=1, open_shapes=ROWS)
add("mul_integer", "MulInteger", [ubytes(3, 4), zero(3), ubytes(4), zero(9)], outputs=["int32"], has_kernel=False)
add("matmul_integer16", "MatMulInteger16", [ubytes(3, 4).astype(np.int16), ubytes(4, 5).astype(np.int16)], outputs=["int32"])


# Packed weights
def blocked(columns, depth, bits, block, zeros=None, kind=np.float32):
    """Returns weights, scales and zero points (None, "packed" or "real") of a matrix in the format of MatMulNBits."""
    blocks = -(-depth // block)
    made = [ubytes(columns, blocks, block * bits // 8), (RANDOM.random((columns, blocks)) * 0.1 + 0.01).astype(kind)]
    if zeros == "packed":
        made.append(ubytes(columns, -(-blocks * bits // 8)))
    elif zeros == "real":
        made.append((RANDOM.random((columns, blocks)) * 2**bits).astype(kind))
    return made


ANY_ROWS = {"x0": ["batch", "length", 96]}
for bits in (2, 4, 8):
    add(f"matmul_{bits}_bits", "MatMulNBits", [real(2, 3, 96), *blocked(24, 96, bits, 32)], fixed=[1, 2], K=96, N=24, bits=bits, block_size=32, open_shapes=ANY_ROWS)
    add(f"matmul_{bits}_bits_zeros", "MatMulNBits", [real(2, 3, 96), *blocked(24, 96, bits, 32, "packed")], fixed=[1, 2, 3], K=96, N=24, bits=bits, block_size=32)
add("matmul_4_bits_row", "MatMulNBits", [real(1, 1, 256), *blocked(80, 256, 4, 32)], fixed=[1, 2], K=256, N=80, bits=4, block_size=32, accuracy_level=0)
add("matmul_4_bits_block_16", "MatMulNBits", [real(4, 64), *blocked(17, 64, 4, 16, "packed")], fixed=[1, 2, 3], K=64, N=17, bits=4, block_size=16)
add("matmul_4_bits_block_128", "MatMulNBits", [real(4, 256), *blocked(17, 256, 4, 128)], fixed=[1, 2], K=256, N=17, bits=4, block_size=128)
add("matmul_4_bits_tail", "MatMulNBits", [real(4, 70), *blocked(16, 70, 4, 32, "packed"), None, real(16)], fixed=[1, 2, 3, 5], K=70, N=16, bits=4, block_size=32,
    open_shapes={"x0": ["rows", 70]})
add("matmul_4_bits_real_zeros", "MatMulNBits", [real(4, 64), *blocked(16, 64, 4, 32, "real")], fixed=[1, 2, 3], K=64, N=16, bits=4, block_size=32)
add("matmul_4_bits_groups", "MatMulNBits", [real(4, 64), *blocked(16, 64, 4, 32), None, RANDOM.integers(0, 2, 64).astype(np.int32)], fixed=[1, 2, 4], K=64, N=16, bits=4,
    block_size=32)
add("matmul_4_bits_accuracy", "MatMulNBits", [real(4, 64), *blocked(16, 64, 4, 32)], fixed=[1, 2], K=64, N=16, bits=4, block_size=32, accuracy_level=4, peer_tolerance=2e-2)
add("matmul_4_bits_inputs", "MatMulNBits", [real(4, 64), *blocked(16, 64, 4, 32)], K=64, N=16, bits=4, block_size=32)
for kind in (0, 1):
    add(f"matmul_bnb4_{kind}", "MatMulBnb4", [real(4, 96), ubytes(96 * 20 // 2), RANDOM.random(96 * 20 // 64).astype(np.float32)], fixed=[1, 2], K=96, N=20, block_size=64,
        quant_type=kind)
PLACES = RANDOM.integers(0, 40, (2, 5)).astype(np.int64)
for bits in (4, 8):
    packed = [ubytes(40, 64 * bits // 8), (RANDOM.random((40, 2)) + 0.1).astype(np.float32)]
    add(f"gather_{bits}_bits", "GatherBlockQuantized", [packed[0], PLACES, packed[1]], fixed=[0, 2], bits=bits, block_size=32, quantize_axis=1, gather_axis=0,
        open_shapes={"x1": ["batch", "length"]})
    add(f"gather_{bits}_bits_zeros", "GatherBlockQuantized", [packed[0], PLACES, packed[1], ubytes(40, bits * 2 // 8)], fixed=[0, 2, 3], bits=bits, block_size=32, quantize_axis=1,
        gather_axis=0)


# Attention. B: batch, S: new tokens, P: past tokens, H: heads of D numbers.
def mask_of(lengths, total):
    return (np.arange(total) < np.array(lengths)[:, None]).astype(np.int32)


QKV = [real(2, 5, 16), real(2, 5, 16), real(2, 5, 16)]
OPEN_QKV = {"x0": ["batch", "length", 16], "x1": ["batch", "length", 16], "x2": ["batch", "length", 16]}
PASTS = [real(2, 4, 3, 4), real(2, 4, 3, 4)]
OPEN_PASTS = {**OPEN_QKV, "x6": ["batch", 4, "past", 4], "x7": ["batch", 4, "past", 4], "y1": ["batch", 4, "past + length", 4], "y2": ["batch", 4, "past + length", 4]}
add("multi_head", "MultiHeadAttention", QKV, num_heads=4, open_shapes=OPEN_QKV)
add("multi_head_bias", "MultiHeadAttention", [*QKV, real(48)], num_heads=4, open_shapes=OPEN_QKV)
add("multi_head_mask", "MultiHeadAttention", [*QKV, None, mask_of([5, 3], 5)], num_heads=4, open_shapes={**OPEN_QKV, "x4": ["batch", "length"]})
add("multi_head_lengths", "MultiHeadAttention", [*QKV, None, np.array([5, 3], np.int32)], num_heads=4, scale=0.3)
add("multi_head_score_bias", "MultiHeadAttention", [*QKV, None, None, real(1, 4, 5, 5)], num_heads=4)
add("multi_head_causal", "MultiHeadAttention", QKV, num_heads=4, unidirectional=1, open_shapes=OPEN_QKV)
add("multi_head_past", "MultiHeadAttention", [*QKV, None, None, None, *PASTS], outputs=["float32"] * 3, num_heads=4, open_shapes=OPEN_PASTS)
add("multi_head_past_causal", "MultiHeadAttention", [*QKV, None, None, None, *PASTS], outputs=["float32"] * 3, num_heads=4, unidirectional=1, open_shapes=OPEN_PASTS)
add("multi_head_cross", "MultiHeadAttention", [real(2, 3, 16), real(2, 4, 7, 4), real(2, 4, 7, 4)], num_heads=4)
add("multi_head_value_size", "MultiHeadAttention", [real(2, 3, 16), real(2, 7, 16), real(2, 7, 24)], num_heads=4)
add("multi_head_packed_keys", "MultiHeadAttention", [real(2, 3, 16), real(2, 7, 4, 2, 4)], num_heads=4, has_kernel=False)
add("multi_head_packed", "MultiHeadAttention", [real(2, 3, 4, 3, 4)], num_heads=4, has_kernel=False)
PROJECTION = [real(2, 5, 12), real(12, 48), real(48)]
add("attention", "Attention", PROJECTION, num_heads=4, fixed=[1, 2], open_shapes={"x0": ["batch", "length", 12]})
add("attention_lengths", "Attention", [*PROJECTION, np.array([5, 3], np.int32)], num_heads=4, fixed=[1, 2], open_shapes={"x0": ["batch", "length", 12], "x3": ["batch"]})
add("attention_bounds", "Attention", [*PROJECTION, np.array([5, 4, 0, 1], np.int32)], num_heads=4, fixed=[1, 2])
add("attention_mask", "Attention", [*PROJECTION, mask_of([5, 3], 5)], num_heads=4, fixed=[1, 2], open_shapes={"x0": ["batch", "length", 12], "x3": ["batch", "length"]})
add("attention_mask_rows", "Attention", [*PROJECTION, np.repeat(mask_of([5, 3], 5)[:, None], 5, axis=1)], num_heads=4, fixed=[1, 2])
add("attention_past", "Attention", [*PROJECTION, None, real(2, 2, 4, 3, 4)], outputs=["float32", "float32"], num_heads=4, unidirectional=1, fixed=[1, 2],
    open_shapes={"x0": ["batch", "length", 12], "x4": [2, "batch", 4, "past", 4]})
add("attention_sizes", "Attention", [real(2, 5, 12), real(12, 56), real(56)], num_heads=4, qkv_hidden_sizes=[16, 16, 24], fixed=[1, 2])
add("attention_score_bias", "Attention", [*PROJECTION, None, None, real(2, 4, 5, 5)], num_heads=4, fixed=[1, 2])
add("qattention", "QAttention", [ubytes(2, 5, 12), sbytes(12, 48), real(48), scale(-7), scale(-7), None, zero(128), zero(0, np.int8)], num_heads=4, fixed=[1, 2, 3, 4, 6, 7],
    open_shapes={"x0": ["batch", "length", 12]})
ANGLES = RANDOM.random((16, 2)).astype(np.float32) * 6
COSINES, SINES = np.cos(ANGLES), np.sin(ANGLES)
WIDE = np.random.default_rng(3).random((16, 8)).astype(np.float32) * 6
for interleaved in (0, 1):
    add(f"rotary_{interleaved}", "RotaryEmbedding", [real(2, 5, 16), RANDOM.integers(0, 16, (2, 5)), COSINES, SINES], interleaved=interleaved,
        open_shapes={"x0": ["batch", "length", 16], "x1": ["batch", "length"]})
add("rotary_offset", "RotaryEmbedding", [real(2, 5, 16), np.array([3]), COSINES, SINES], open_shapes={"x0": ["batch", "length", 16]})
add("rotary_heads", "RotaryEmbedding", [real(2, 4, 5, 4), RANDOM.integers(0, 16, (2, 5)), COSINES, SINES])
add("rotary_part", "RotaryEmbedding", [real(2, 5, 32), RANDOM.integers(0, 16, (2, 5)), COSINES, SINES], num_heads=4, rotary_embedding_dim=4)
SPANS = RANDOM.integers(0, 16, (3, 2, 5))
for layout in (0, 1):
    add(f"mrotary_{layout}", "MRotaryEmbedding", [real(2, 5, 32), SPANS, np.cos(WIDE), np.sin(WIDE)], mrope_section=[4, 2, 2], mrope_layout=layout, num_heads=2,
        open_shapes={"x0": ["batch", "length", 32], "x1": [3, "batch", "length"]})
add("mrotary_heads", "MRotaryEmbedding", [real(2, 2, 5, 16), SPANS, np.cos(WIDE), np.sin(WIDE)], mrope_section=[2, 3, 3], interleaved=1)


def query(name, batch, new, past, lengths, *, total=None, capacity=None, packed=False, rotary=False, more=None, bias=False, is_open=True,
          kept=0, quantized=None, **attributes):
    """4 query heads of 16 share 2 key heads. `lengths` include the new tokens; `more` is a sink for each head; `quantized` is the shape of the scales
    of int8 caches."""
    heads, shared, size = 4, 2, 16
    rows = capacity or past
    qkv = [real(batch, new, (heads + 2 * shared) * size), None, None] if packed else [real(batch, new, count * size) for count in (heads, shared, shared)]
    cosines, sines = (np.cos(WIDE), np.sin(WIDE)) if rotary else (None, None)
    total = total or max(lengths)
    pasts = [(sbytes if quantized else real)(batch, shared, rows, size) for _ in range(2)]
    scales = [(0.01 + 0.02 * RANDOM.random(quantized)).astype(np.float32) for _ in range(2)] if quantized else []
    if quantized:
        attributes |= dict.fromkeys(("k_quant_type", "v_quant_type"), "PER_TENSOR" if quantized == (1,) else "PER_CHANNEL") | {"kv_cache_bit_width": 8}
    if capacity:  # ONNX Runtime returns zeros in the other rows
        for cache in pasts:
            cache[:, :, lengths[0] - new:] = 0
    inputs = [*qkv, *pasts, np.array(lengths, np.int32) - 1, np.array(total, np.int32), cosines, sines, None,
              real(batch, heads, new, total) if bias else None, more, *scales]
    after = rows if capacity else past + new
    open_shapes = {"x0": ["batch", "length", qkv[0].shape[2]], "x3": ["batch", shared, "past", size], "x4": ["batch", shared, "past", size], "x5": ["batch"]}
    if not packed:
        open_shapes |= {"x1": ["batch", "length", shared * size], "x2": ["batch", "length", shared * size]}
    total_name = "past" if capacity else "total"
    open_shapes |= {"y1": ["batch", shared, total_name, size], "y2": ["batch", shared, total_name, size]}
    add(name, "GroupQueryAttention", inputs, outputs=["float32", *["cache" if quantized else "float32"] * 2], fixed=[7, 8, *range(12, len(inputs))], kept=kept, num_heads=heads, kv_num_heads=shared, do_rotary=int(rotary),
        open_shapes=open_shapes if is_open else {}, result_shapes={f"y{i}": [batch, shared, after, size] for i in (1, 2)}, tolerance=1e-2 if quantized else 2e-5, **attributes)


query("query_prompt", 2, 5, 0, [5, 5])
query("query_step", 2, 1, 7, [8, 8])
# Rows after the end of an entry have undefined contents.
query("query_ragged", 2, 1, 7, [8, 6], kept=6)
query("query_chunk", 1, 3, 7, [10])
query("query_rotary", 2, 1, 7, [8, 8], rotary=True)
query("query_interleaved", 2, 1, 7, [8, 8], rotary=True, rotary_interleaved=1)
query("query_packed", 2, 1, 7, [8, 8], rotary=True, packed=True)
query("query_window", 2, 1, 7, [8, 8], local_window_size=4)
query("query_window_prompt", 2, 6, 0, [6, 6], local_window_size=3)
query("query_softcap", 2, 1, 7, [8, 8], softcap=0.5, scale=0.4)
query("query_smooth", 2, 1, 7, [8, 8], smooth_softmax=1)
query("query_sink", 2, 1, 7, [8, 8], more=real(4))
query("query_sink_window", 2, 6, 0, [6, 6], more=real(4), local_window_size=3, softcap=2.0)
query("query_bias", 2, 1, 7, [8, 8], bias=True, is_open=False)
query("query_capacity", 1, 1, 7, [6], capacity=12, rotary=True)
query("query_capacity_prompt", 1, 4, 0, [4], capacity=12, rotary=True)

# Integer caches, with one scale, or one for each channel of a head. A difference of one step is allowed.
for quantized, kind in (((1,), "tensor"), ((1, 2, 1, 16), "channel")):
    query(f"query_int8_{kind}", 2, 1, 7, [8, 8], rotary=True, quantized=quantized)
    query(f"query_int8_{kind}_prompt", 1, 4, 0, [4], capacity=12, quantized=quantized)
    query(f"query_int8_{kind}_capacity", 1, 1, 7, [6], capacity=12, quantized=quantized)
query("query_int8_window", 2, 1, 7, [8, 8], local_window_size=4, softcap=5.0, quantized=(1,))

# Of caches with many rows, a run reads only the valid ones.
query("query_long_capacity", 1, 1, 39, [40], capacity=96)
query("query_long_ragged", 2, 1, 39, [40, 17], capacity=96, kept=17)
query("query_long_prompt", 2, 5, 0, [5, 5], capacity=96, local_window_size=3)
query("query_long_sink", 2, 1, 7, [8, 8], capacity=96, more=real(4))

ROW = [real(2, 1, 16) for _ in range(3)]
BUFFERS = [real(2, 4, 12, 4) for _ in range(2)]
add("decoder_masked", "DecoderMaskedMultiHeadAttention", [*ROW, None, None, *BUFFERS, np.array([7], np.int32)], outputs=["float32"] * 3, num_heads=4, past_present_share_buffer=1,
    kept=8, has_kernel=True, open_shapes={"x0": ["batch", 1, 16], "x1": ["batch", 1, 16], "x2": ["batch", 1, 16]})
add("decoder_masked_mask", "DecoderMaskedMultiHeadAttention", [*ROW, mask_of([8, 5], 8), None, *BUFFERS, np.array([7], np.int32), None, None, real(48)], outputs=["float32"] * 3,
    num_heads=4, past_present_share_buffer=1, kept=8, has_kernel=True)


# 16-bit floats are computed in float32 and rounded.
def half(array):
    return array.astype(np.float16)


HALF = {"outputs": ["float16"], "tolerance": 5e-3}
add("half_gelu", "BiasGelu", [half(real(2, 5, 16)), half(real(16))], has_kernel=False, **HALF)
add("half_skip_simplified", "SkipSimplifiedLayerNormalization", [half(real(2, 5, 16)), half(real(2, 5, 16)), half(real(16))], **HALF)
add("half_matmul_4_bits", "MatMulNBits", [half(real(3, 96)), *blocked(24, 96, 4, 32, "packed", np.float16)[:2], blocked(24, 96, 4, 32, "packed")[2]], fixed=[1, 2, 3], K=96, N=24,
    bits=4, block_size=32, **HALF)
add("half_gather_4_bits", "GatherBlockQuantized", [ubytes(40, 32), PLACES, half(RANDOM.random((40, 2)) + 0.1)], fixed=[0, 2], bits=4, block_size=32, quantize_axis=1, gather_axis=0,
    **HALF)
add("half_query", "GroupQueryAttention", [half(real(2, 1, 64)), half(real(2, 1, 32)), half(real(2, 1, 32)), half(real(2, 2, 7, 16)), half(real(2, 2, 7, 16)), np.array([7, 7], np.int32),
                                          np.array(8, np.int32)], num_heads=4, kv_num_heads=2, outputs=["float16"] * 3, tolerance=5e-3)

# Activations of 8 bits: sums of integers, rows of few and of many registers, blocks of one iteration and longer ones. ONNX Runtime does not round
# scales to float16.
for bits in (2, 4, 8):
    for block in (16, 32, 256):
        add(f"rounded_{bits}_bits_block_{block}", "MatMulNBits", [real(2, 7, 256), *blocked(72, 256, bits, block, "packed" if block == 32 else None)],
            fixed=[1, 2, 3] if block == 32 else [1, 2], K=256, N=72, bits=bits, block_size=block, accuracy_level=4, peer_tolerance=1e-2,
            open_shapes={"x0": ["batch", "length", 256]} if block == 32 else None)
add("rounded_tail", "MatMulNBits", [real(1, 70), *blocked(17, 70, 4, 32, "packed"), None, real(17)], fixed=[1, 2, 3, 5], K=70, N=17, bits=4, block_size=32, accuracy_level=4,
    peer_tolerance=1e-2)
add("rounded_zero_row", "MatMulNBits", [real(3, 64) * np.array([[1], [0], [1e-30]], np.float32), *blocked(16, 64, 4, 32)], fixed=[1, 2], K=64, N=16, bits=4, block_size=32,
    accuracy_level=4, peer_tolerance=1e-2)
add("rounded_large_scales", "MatMulNBits", [real(3, 64), blocked(16, 64, 4, 32)[0], RANDOM.random((16, 2)).astype(np.float32) * np.float32(1e6)], fixed=[1, 2], K=64, N=16, bits=4,
    block_size=32, accuracy_level=4, peer_tolerance=1e-2)
add("rounded_inputs", "MatMulNBits", [real(9, 64), *blocked(16, 64, 4, 32)], K=64, N=16, bits=4, block_size=32, accuracy_level=4, peer_tolerance=1e-2)
add("rounded_real_zeros", "MatMulNBits", [real(4, 64), *blocked(16, 64, 4, 32, "real")], fixed=[1, 2, 3], K=64, N=16, bits=4, block_size=32, accuracy_level=4, peer_tolerance=1e-2)

# Experts: 6 networks for tokens of 64 numbers, with 32 hidden numbers
def experts(rows, bits=None, block=None, zeros=False, width=1):
    """Returns tokens, scores and the layers of MoE, or of QMoE with `bits`."""
    layers = []
    for outputs, inputs in ((32 * width, 64), (64, 32)):
        if not bits:
            layers += [real(6, outputs, inputs) / 4, real(6, outputs)]
        else:
            scales = [6, outputs, inputs // block] if block else [6, outputs]
            layers += [ubytes(6, outputs, inputs * bits // 8), (RANDOM.random(scales) * 0.02 + 0.01).astype(np.float32), real(6, outputs)]
    made = [real(rows, 64), real(rows, 6), *layers]
    if zeros:
        made += [None] * 3 + [ubytes(6, 32 * width, 64 // block * bits // 8), ubytes(6, 64, 32 // block * bits // 8)]
    return made


for rows in (1, 5, 40):
    add(f"experts_relu_{rows}", "MoE", experts(rows), k=2, activation_type="relu", tolerance=5e-5)
    add(f"experts_silu_{rows}", "MoE", experts(rows), k=2, activation_type="silu", normalize_routing_weights=1, tolerance=5e-5)
    add(f"experts_swiglu_{rows}", "MoE", experts(rows, width=2), k=2, activation_type="swiglu", swiglu_fusion=1, activation_alpha=1.702, activation_beta=1.0, swiglu_limit=7.0,
        normalize_routing_weights=1, tolerance=5e-5)
    add(f"experts_4_bits_{rows}", "QMoE", experts(rows, 4), k=2, expert_weight_bits=4, activation_type="silu", normalize_routing_weights=1, tolerance=5e-5)
    add(f"experts_8_bits_{rows}", "QMoE", experts(rows, 8), k=2, expert_weight_bits=8, activation_type="relu", normalize_routing_weights=1, tolerance=5e-5)
    add(f"experts_4_bits_blocks_{rows}", "QMoE", experts(rows, 4, 16, width=2), k=4, expert_weight_bits=4, block_size=16, activation_type="swiglu", swiglu_fusion=1,
        activation_alpha=1.702, activation_beta=1.0, swiglu_limit=7.0, normalize_routing_weights=1, tolerance=5e-5)
    add(f"experts_4_bits_zeros_{rows}", "QMoE", experts(rows, 4, 16, zeros=True), k=2, expert_weight_bits=4, block_size=16, activation_type="silu", normalize_routing_weights=1, tolerance=5e-5)
    add(f"experts_fixed_{rows}", "MoE", experts(rows), fixed=[2, 3, 4, 5], k=2, activation_type="silu", normalize_routing_weights=1, tolerance=5e-5)
for rows in (5, 40):
    add(f"experts_open_{rows}", "MoE", experts(rows), fixed=[2, 3, 4, 5], k=2, activation_type="silu", open_shapes={"x0": ["tokens", 64], "x1": ["tokens", 6]}, tolerance=5e-5)
    add(f"experts_open_4_bits_{rows}", "QMoE", experts(rows, 4), fixed=[2, 3, 4, 5, 6, 7], k=2, expert_weight_bits=4, activation_type="silu", normalize_routing_weights=1,
        open_shapes={"x0": ["tokens", 64], "x1": ["tokens", 6]}, tolerance=5e-5)
add("experts_open", "MoE", experts(5), k=2, activation_type="silu", open_shapes={"x0": ["tokens", 64], "x1": ["tokens", 6]}, tolerance=5e-5)

# States
HEADS = [real(2, 5, 16), real(2, 5, 16) / 4, real(2, 5, 24)]
OPEN_HEADS = {"x0": ["batch", "length", 16], "x1": ["batch", "length", 16], "x2": ["batch", "length", 24]}
add("linear_attention", "LinearAttention", [*HEADS, real(2, 2, 8, 12), -RANDOM.random((2, 5, 2)).astype(np.float32), RANDOM.random((2, 5, 2)).astype(np.float32)],
    outputs=["float32", "float32"], q_num_heads=2, kv_num_heads=2, open_shapes={**OPEN_HEADS, "x3": ["batch", 2, 8, 12], "x4": ["batch", "length", 2], "x5": ["batch", "length", 2]})
add("linear_attention_plain", "LinearAttention", HEADS, outputs=["float32", "float32"], q_num_heads=2, kv_num_heads=2, update_rule="linear", scale=0.5)
add("linear_attention_inverse", "LinearAttention", [real(2, 5, 8), real(2, 5, 16), real(2, 5, 24), None, -RANDOM.random((2, 5, 16)).astype(np.float32)], outputs=["float32", "float32"],
    q_num_heads=1, kv_num_heads=2, update_rule="gated")
add("causal_conv", "CausalConvWithState", [real(2, 8, 5), real(8, 1, 4), real(8), real(2, 8, 3)], outputs=["float32", "float32"], fixed=[1, 2], activation="silu",
    open_shapes={"x0": ["batch", 8, "length"], "x3": ["batch", 8, 3]})
add("causal_conv_spread", "CausalConvWithState", [real(2, 8, 5), real(8, 1, 3), None, real(2, 8, 4)], outputs=["float32", "float32"], fixed=[1], dilation=2)
add("causal_conv_last", "CausalConvWithState", [real(2, 5, 8), real(8, 1, 3), real(8), real(2, 2, 8)], outputs=["float32", "float32"], fixed=[1, 2], channels_last=1)
for name, directions, per_column in (("forward", 1, False), ("bidirectional", 2, True)):
    shape = (directions, 32) if per_column else (directions,)
    scales = [(RANDOM.random(shape) * 0.01 + 0.002).astype(np.float32) for _ in range(2)]
    add(f"dynamic_quantize_lstm_{name}", "DynamicQuantizeLSTM", [real(5, 2, 16), sbytes(directions, 16, 32), sbytes(directions, 8, 32), real(directions, 64), None, None, None, None,
                                                                scales[0], np.zeros(shape, np.int8), scales[1], np.zeros(shape, np.int8)],
        outputs=["float32"] * 3, fixed=[1, 2, 3, 8, 9, 10, 11], direction=name, hidden_size=8, open_shapes={"x0": ["length", "batch", 16]})
    # Steps behind the longest sequence do not count for the quantisation, although their numbers are large.
    x = real(7, 3, 16)
    x[5:] *= 20
    add(f"dynamic_quantize_lstm_lengths_{name}", "DynamicQuantizeLSTM", [x, sbytes(directions, 16, 32), sbytes(directions, 8, 32), real(directions, 64), np.array([5, 2, 4], np.int32), None, None,
                                                                        None, scales[0], np.zeros(shape, np.int8), scales[1], np.zeros(shape, np.int8)],
        outputs=["float32"] * 3, fixed=[1, 2, 3, 8, 9, 10, 11], direction=name, hidden_size=8, open_shapes={"x0": ["length", "batch", 16], "x4": ["batch"]})

# Others
for metric in ("euclidean", "sqeuclidean"):
    add(f"cdist_{metric}", "CDist", [real(5, 7), real(6, 7)], metric=metric, open_shapes={"x0": ["rows", 7]})
add("pad", "Pad", [real(2, 3), np.array([0, 1, 1, 0]), np.array([7.0], np.float32)], fixed=[1, 2], open_shapes={"x0": ["rows", 3]})
add("pad_edge", "Pad", [real(2, 3), np.array([[0, 1, 1, 0]])], fixed=[1], mode="reflect")
add("gather_nd", "GatherND", [real(4, 5, 6), RANDOM.integers(0, 4, (3, 2)).astype(np.int32)], open_shapes={"x1": ["rows", 2]})
for mode in ("bilinear", "nearest", "bicubic"):
    add(f"grid_sample_{mode}", "GridSample", [real(1, 2, 5, 6), (RANDOM.random((1, 3, 4, 2)) * 2 - 1).astype(np.float32)], mode=mode, align_corners=1, padding_mode="border")
add("ngram_repeat_block", "NGramRepeatBlock", [np.array([[1, 2, 3, 1, 2], [4, 4, 4, 4, 4]]), real(2, 6)], ngram_size=3, open_shapes={"x1": ["batch", 6], "x0": ["batch", "length"]})
add("range", "Range", [np.array(2, np.int64), np.array(17, np.int64), np.array(3, np.int64)], outputs=["int64"], fixed=[0, 1, 2])
add("range_default", "Range", [np.array(-1.5, np.float32), np.array(3, np.float32)], fixed=[0, 1])
add("unique", "Unique", [np.array([3, 1, 3, 2, 2, -1, 3], np.float32)], outputs=["float32", "int64", "int64"], open_shapes={"x0": ["length"]})
add("inverse", "Inverse", [real(3, 2, 7, 7) + 2 * np.eye(7, dtype=np.float32)], open_shapes={"x0": ["batch", 2, 7, 7]}, tolerance=2e-4)
# Without a row exchange the first pivot is 0.
add("inverse_exchange", "Inverse", [np.array([[0, 2, 1], [1, 1, 0], [3, 0, 1]], np.float32)])
add("inverse_one", "Inverse", [np.array([[4]], np.float32)])
add("unfold", "UnfoldTensor", [real(2, 9, 3)], dim=1, size=4, step=2)
add("unfold_last", "UnfoldTensor", [real(2, 3, 7)], size=7, open_shapes={"x0": ["batch", 3, 7]})
IMAGES, BOXES = real(2, 3, 7, 9), np.array([[0, 0, 1, 1], [0.2, 0.1, 0.7, 0.9], [0.9, 0.8, 0.1, -0.3], [-0.2, 0.5, 1.3, 0.5], [0.5, 0.25, 0.5, 0.25]], np.float32)
for mode in ("bilinear", "nearest"):
    for height, width in ((4, 5), (1, 1), (14, 1)):
        add(f"crop_and_resize_{mode}_{height}x{width}", "CropAndResize", [IMAGES, BOXES, np.array([0, 1, 1, 0, 1], np.int32), np.array([height, width], np.int32)], fixed=[3],
            mode=mode, extrapolation_value=-7.5, open_shapes={"x0": ["batch", 3, "height", "width"], "x1": ["boxes", 4], "x2": ["boxes"]})
