"""Cases of operators that ONNX Runtime has no kernel for on this kind of machine, or one that does not do what the specification says, with formulas in NumPy."""

import numpy as np

from contributed_cases import IDS, RANDOM, add, blocked, experts, half, real, ubytes

THIRD = {"x0": ["batch", "length", 64]}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def silu(x):
    return x * sigmoid(x)


def softmax(x):
    shifted = np.exp(x - x.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def unpack(packed, bits):
    """Returns the numbers in the bytes of the last dimension, lowest bits first."""
    places = [(packed >> (bits * place)) & ((1 << bits) - 1) for place in range(8 // bits)]
    return np.stack(places, axis=-1).reshape(*packed.shape[:-1], -1)


def dequantized(packed, scales, zeros, groups, bits=4):
    """Returns the matrix (columns, depth) of MatMulNBits. `groups` holds the block of each row."""
    numbers = unpack(packed, bits).reshape(len(packed), -1)[:, :len(groups)].astype(np.float64)
    zeros = unpack(zeros, bits)[:, :scales.shape[1]].astype(np.float64) if zeros is not None else np.full(scales.shape, 2.0**(bits - 1))
    return (numbers - zeros[:, groups]) * scales[:, groups]


# Packed weights
def grouped_product(a, packed, scales, zeros, groups, **_):
    return [a @ dequantized(packed, scales, zeros, groups).T]


def rms_norm(x, scale, epsilon):
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + epsilon) * scale


def projected(x, weights, K, block_size):
    packed, scales, bias = weights
    y = x @ dequantized(packed, scales, None, np.arange(K) // block_size).T
    return y if bias is None else y + bias


def normalized(a, skip, norm_scale, epsilon):
    total = a if skip is None else a + skip
    return total, total if norm_scale is None else rms_norm(total, norm_scale, epsilon)


def mlp(a, skip, norm_scale, *weights, K, block_size, epsilon=1e-5, **_):
    total, x = normalized(a.astype(np.float64), skip, norm_scale, epsilon)
    y = silu(projected(x, weights[:3], K, block_size)) * projected(x, weights[3:6], K, block_size)
    return [y] if skip is None else [y, total]


def qkv(a, skip, norm_scale, *weights, K, block_size, epsilon=1e-5, **_):
    total, x = normalized(a.astype(np.float64), skip, norm_scale, epsilon)
    made = [projected(x, weights[first:first + 3], K, block_size) for first in (0, 3, 6)]
    return made if skip is None else [*made, total]


PLACED = RANDOM.integers(0, 2, 64).astype(np.int32)
add("matmul_4_bits_groups_zeros", "MatMulNBits", [real(4, 64), *blocked(16, 64, 4, 32, "packed"), PLACED], fixed=[1, 2, 3, 4], K=64, N=16, bits=4, block_size=32,
    has_kernel=False, formula=grouped_product)
GATE, UP = [*blocked(24, 64, 4, 32), real(24)], [*blocked(24, 64, 4, 32), None]
add("matmul_mlp", "MatMulNBitsMlp", [real(2, 3, 64), None, None, *GATE, *UP], K=64, N=24, block_size=32, activation="silu", fixed=[3, 4, 5, 6, 7], has_kernel=False, formula=mlp,
    open_shapes=THIRD)
add("matmul_mlp_norm", "MatMulNBitsMlp", [real(2, 3, 64), None, real(64), *GATE, *UP], K=64, N=24, block_size=32, activation="silu", fixed=[2, 3, 4, 5, 6, 7], has_kernel=False,
    formula=mlp)
add("matmul_mlp_skip", "MatMulNBitsMlp", [real(2, 3, 64), real(2, 3, 64), real(64), *GATE, *UP], outputs=["float32", "float32"], K=64, N=24, block_size=32, activation="silu",
    epsilon=1e-3, fixed=[2, 3, 4, 5, 6, 7], has_kernel=False, formula=mlp)
QUERY, KEY, VALUE = [*blocked(32, 64, 4, 32), real(32)], [*blocked(16, 64, 4, 32), None], [*blocked(16, 64, 4, 32), real(16)]
for skip in (None, real(2, 3, 64)):
    add(f"matmul_qkv_{'norm' if skip is None else 'skip'}", "MatMulNBitsQkv", [real(2, 3, 64), skip, real(64), *QUERY, *KEY, *VALUE], outputs=["float32"] * (3 if skip is None else 4),
        K=64, Nq=32, Nkv=16, block_size=32, fixed=range(2, 12), has_kernel=False, formula=qkv, open_shapes=THIRD if skip is None else {})


# Experts
def chosen(scores, k, is_normalized, mixing=None):
    """Returns the weight of each expert for each token; 0 if it is not chosen."""
    probabilities = softmax(scores.astype(np.float64))
    best = np.argsort(-probabilities, axis=-1, kind="stable")[:, :k]
    picked = np.take_along_axis(probabilities if mixing is None else mixing.astype(np.float64), best, axis=-1)
    if is_normalized:
        picked = picked / picked.sum(axis=-1, keepdims=True)
    weights = np.zeros(probabilities.shape)
    np.put_along_axis(weights, best, picked, axis=-1)
    return weights


def mixed(x, weights, layer, other=None, *, activation_type="relu", swiglu_fusion=0, activation_alpha=1.0, activation_beta=0.0, swiglu_limit=np.inf):
    y = 0
    for expert in range(weights.shape[1]):
        hidden = layer(0, expert, x)
        if activation_type == "swiglu":
            gate, linear = (hidden, layer(2, expert, x)) if swiglu_fusion == 0 else np.split(hidden, 2, axis=-1) if swiglu_fusion == 2 else (hidden[:, ::2], hidden[:, 1::2])
            gate, linear = np.minimum(gate, swiglu_limit), np.clip(linear, -swiglu_limit, swiglu_limit)
            hidden = gate * sigmoid(activation_alpha * gate) * (linear + activation_beta)
        else:
            hidden = {"relu": lambda h: np.maximum(h, 0), "silu": silu, "identity": lambda h: h}[activation_type](hidden)
        y = y + weights[:, expert:expert + 1] * layer(1, expert, hidden)
    return [y]


def moe(x, scores, *tensors, k, normalize_routing_weights=0, **attributes):
    def layer(index, expert, value):
        bias = tensors[2 * index + 1]
        y = value @ tensors[2 * index][expert].astype(np.float64).T
        return y if bias is None else y + bias[expert]
    return mixed(x, chosen(scores, k, normalize_routing_weights), layer, **attributes)


def qmoe(x, scores, *tensors, k, expert_weight_bits=4, block_size=0, normalize_routing_weights=0, **attributes):
    def layer(index, expert, value):
        packed, scales, bias = tensors[3 * index:3 * index + 3]
        numbers = unpack(packed[expert], expert_weight_bits).astype(np.float64) - 2**(expert_weight_bits - 1)
        groups = np.arange(numbers.shape[1]) // (block_size or numbers.shape[1])
        y = value @ (numbers * scales[expert].reshape(len(numbers), -1)[:, groups]).T
        return y if bias is None else y + bias[expert]
    return mixed(x, chosen(scores, k, normalize_routing_weights, tensors[12] if len(tensors) > 12 else None), layer, **attributes)


def layers(count, outputs_first=32):
    """Returns weights and bias of each layer in the format of MoE, without the last bias."""
    made = [real(6, outputs_first, 64) / 4, real(6, outputs_first), real(6, 64, 32) / 4, None]
    return [*made, real(6, 32, 64) / 4, real(6, 32)] if count == 3 else made


TOLERANCE = 5e-5
add("experts_third_layer", "MoE", [real(5, 64), real(5, 6), *layers(3)], k=2, activation_type="swiglu", swiglu_limit=2.0, has_kernel=False, formula=moe, tolerance=TOLERANCE)
add("experts_halves", "MoE", [real(5, 64), real(5, 6), *layers(2, 64)], k=3, activation_type="swiglu", swiglu_fusion=2, activation_alpha=1.5, has_kernel=False, formula=moe,
    tolerance=TOLERANCE)
add("experts_identity", "MoE", [real(2, 3, 64), real(6, 6), *layers(2)], k=1, activation_type="identity", has_kernel=False, tolerance=TOLERANCE,
    formula=lambda x, *tensors, **attributes: [moe(x.reshape(6, 64), *tensors, **attributes)[0].reshape(2, 3, 64)])
for rows in (1, 5):
    # ONNX Runtime always normalises the weights of QMoE, whatever the attribute says.
    add(f"experts_not_normalized_{rows}", "QMoE", experts(rows, 4, 16), k=2, block_size=16, activation_type="silu", has_kernel=False, formula=qmoe, tolerance=TOLERANCE)
    add(f"experts_mixing_{rows}", "QMoE", [*experts(rows, 8), *[None] * 6, RANDOM.random((rows, 6)).astype(np.float32)], k=2, expert_weight_bits=8, has_kernel=False, formula=qmoe,
        tolerance=TOLERANCE)
add("experts_2_bits", "QMoE", experts(3, 2), k=2, expert_weight_bits=2, activation_type="silu", has_kernel=False, formula=qmoe, tolerance=TOLERANCE)
add("experts_half", "QMoE", [half(array) if array.dtype == np.float32 else array for array in experts(3, 4, 16)], outputs=["float16"], k=2, block_size=16, activation_type="silu",
    has_kernel=False, formula=qmoe, tolerance=5e-3)


# Rotations and biases of attention
def gemma(angles, q, q_turned, k, k_turned):
    cosines, sines = (f(angles).astype(np.float16)[:, None].astype(np.float64) for f in (np.cos, np.sin))
    return [q * cosines + q_turned * sines, k * cosines + k_turned * sines]


def buckets(distance, count, most, is_bidirectional):
    side = count // 2 if is_bidirectional else count
    size = np.abs(distance) if is_bidirectional else np.maximum(-distance, 0)
    exact = side // 2
    far = exact + (np.log(np.maximum(size, 1) / exact) / np.log(most / exact) * (side - exact)).astype(np.int64)
    return np.where(size < exact, size, np.minimum(far, side - 1)) + (side * (distance > 0) if is_bidirectional else 0)


def relative_bias(table, queries, keys, max_distance, is_bidirectional=0):
    distance = np.arange(int(keys)) - np.arange(int(queries))[:, None]
    return [table[buckets(distance, len(table), max_distance, is_bidirectional)].transpose(2, 0, 1)[None]]


def gated_bias(query, query_bias, positions, weight, bias, eco, num_heads):
    batch, length, _ = query.shape
    heads = (query + query_bias).reshape(batch, length, num_heads, -1).transpose(0, 2, 1, 3)
    update, reset = np.split(sigmoid((heads @ weight + bias).reshape(batch, num_heads, length, 2, -1).sum(axis=-1)), 2, axis=-1)
    return [(update * (reset * eco - 1) + 2) * positions]


# A layout for each pair of heads: whether blocks of 16 queries attend to blocks of 16 keys. Below in compressed rows, padded with -1.
LAYOUTS = np.array([[[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 1, 1, 1]], [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 1, 1]]])
ROWS = np.array([[0, 1, 3, 5, 8], [0, 1, 3, 6, 9]], np.int32)
COLUMNS = np.array([[0, 0, 1, 1, 2, 1, 2, 3, -1], [0, 0, 1, 0, 1, 2, 0, 2, 3]], np.int32)


def turned(heads, places, cosines, sines):
    left, right = np.split(heads, 2, axis=-1)
    c, s = cosines[places][:, None], sines[places][:, None]
    return np.concatenate([left * c - right * s, left * s + right * c], axis=-1)


def sparse_attention(query, key, value, past_key, past_value, rows, columns, total, lengths, *rotation, num_heads, kv_num_heads, sparse_block_size, **_):
    batch, new, _ = query.shape
    if key is None:
        query, key, value = np.split(query, [num_heads * 16, (num_heads + kv_num_heads) * 16], axis=-1)
    q, k, v = (array.reshape(batch, new, -1, 16).transpose(0, 2, 1, 3).astype(np.float64) for array in (query, key, value))
    places = (lengths - new)[:, None] + np.arange(new)
    if rotation:
        q, k = turned(q, places, *rotation), turned(k, places, *rotation)
    keys, values = past_key.astype(np.float64), past_value.astype(np.float64)
    for entry in range(batch):
        keys[entry][:, places[entry]], values[entry][:, places[entry]] = k[entry], v[entry]
    shared = num_heads // kv_num_heads
    scores = q @ np.repeat(keys, shared, axis=1).transpose(0, 1, 3, 2) / 4
    cached = np.arange(keys.shape[2])
    seen = LAYOUTS[np.arange(num_heads) % 2][:, places // sparse_block_size][..., cached // sparse_block_size].transpose(1, 0, 2, 3)
    seen = (seen > 0) & (cached <= places[:, None, :, None])
    y = softmax(np.where(seen, scores, -np.inf)) @ np.repeat(values, shared, axis=1)
    return [y.transpose(0, 2, 1, 3).reshape(batch, new, -1), keys, values]


def sparse(name, new, past, *, batch=1, rotary=False, packed=False):
    """Adds a case with 4 query heads of 16 and 2 key heads."""
    qkv = [real(batch, new, 128), None, None] if packed else [real(batch, new, 64), real(batch, new, 32), real(batch, new, 32)]
    caches = [real(batch, 2, 64, 16) for _ in range(2)]
    lengths = [np.array(past + new, np.int32), np.full(batch, past + new, np.int32)]
    angles = np.random.default_rng(5).random((64, 8)).astype(np.float32) * 6
    rotation = [np.cos(angles), np.sin(angles)] if rotary else []
    open_shapes = {"x0": ["batch", "length", 128], "x3": ["batch", 2, "rows", 16], "x4": ["batch", 2, "rows", 16], "x8": ["batch"]} if packed else {}
    add(name, "SparseAttention", [*qkv, *caches, ROWS, COLUMNS, *lengths, *rotation], outputs=["float32"] * 3, num_heads=4, kv_num_heads=2, sparse_block_size=16,
        do_rotary=int(rotary), fixed=[5, 6], open_shapes=open_shapes, has_kernel=False, formula=sparse_attention)


# ONNX Runtime's kernel accepts caches only if past and present share one buffer.
sparse("sparse_prompt", 40, 0, batch=2)
sparse("sparse_step", 1, 50, batch=2, rotary=True)
sparse("sparse_packed", 1, 35, rotary=True, packed=True)
TURNED = [half(real(2, 3, 5, 8)) for _ in range(4)]
add("gemma_rotary", "GemmaRotaryEmbedding", [real(2, 5, 8), *TURNED], outputs=["float16", "float16"], has_kernel=False, formula=gemma, tolerance=5e-3)
for both in (0, 1):
    add(f"relative_bias_{both}", "RelativePositionBias", [real(32, 4), np.array(40), np.array(60)], fixed=[1, 2], max_distance=30, is_bidirectional=both, has_kernel=False,
        formula=relative_bias)
add("gated_bias", "GatedRelativePositionBias", [real(2, 5, 32), real(32), real(1, 4, 5, 5), real(8, 8), real(8), real(1, 4, 1, 1)], num_heads=4, has_kernel=False, formula=gated_bias,
    open_shapes={"x0": ["batch", "length", 32], "x2": [1, 4, "length", "length"]})


# Others
def complex_product(a, b):
    product = (a[..., 0] + 1j * a[..., 1]) * (b[..., 0] + 1j * b[..., 1])
    return [np.stack([product.real, product.imag], axis=-1)]


PAIRS = [real(3, 4, 2), real(3, 4, 2)]
add("complex_mul", "ComplexMul", PAIRS, has_kernel=False, formula=complex_product)
add("complex_mul_conjugate", "ComplexMulConj", PAIRS, has_kernel=False, formula=lambda a, b: complex_product(a, b * np.array([1, -1])))
add("fused_matmul_activation", "FusedMatMulActivation", [real(2, 5, 7), real(2, 4, 7)], transB=1, alpha=0.5, activation="LeakyRelu", activation_alpha=0.2, has_kernel=False,
    formula=lambda a, b, **_: [np.where((y := 0.5 * a @ b.transpose(0, 2, 1)) < 0, 0.2 * y, y)])
add("torch_embedding", "TorchEmbedding", [real(9, 16), RANDOM.integers(0, 9, (2, 5))], has_kernel=False, formula=lambda table, ids: [table[ids]], open_shapes={"x1": IDS["x0"]})
add("bitmask_dropout", "BitmaskDropout", [real(2, 5), np.array(0.5, np.float32)], has_kernel=False, formula=lambda data, ratio: [data])
add("bitmask_bias_dropout", "BitmaskBiasDropout", [real(2, 5), real(5), real(2, 5)], has_kernel=False, formula=lambda data, bias, rest: [data + bias + rest])
add("reduce_sum_integer", "ReduceSumInteger", [ubytes(3, 4, 5)], outputs=["int32"], axes=[0, 2], keepdims=0, has_kernel=False, formula=lambda data, **_: [data.sum(axis=(0, 2), dtype=np.int64)])

# Transforms of real signals, which ONNX Runtime only has on GPUs.
def spectrum(signal, signal_ndim, **_):
    made = np.fft.rfftn(signal.astype(np.float64), axes=range(-signal_ndim, 0))
    return [np.stack([made.real, made.imag], axis=-1)]


def signal(parts, signal_ndim, **_):
    whole = parts[..., 0].astype(np.float64) + 1j * parts[..., 1]
    return [np.fft.irfftn(whole, axes=range(-signal_ndim, 0))]


for dimensions in (1, 2, 3):
    add(f"rfft_{dimensions}", "Rfft", [real(3, 5, 4, 9)], signal_ndim=dimensions, onesided=1, normalized=0, has_kernel=False, formula=spectrum, open_shapes={"x0": ["batch", 5, 4, 9]})
    add(f"irfft_{dimensions}", "Irfft", [np.float32(spectrum(real(3, 5, 4, 10), dimensions)[0])], signal_ndim=dimensions, onesided=1, normalized=0, has_kernel=False, formula=signal,
        open_shapes={"x0": ["batch", 5, 4, 6, 2]})


# Padding
def without_padding(x, lengths):
    is_token = np.arange(x.shape[1]) < lengths[:, None]
    places = np.arange(is_token.size)
    offsets = np.concatenate([places[is_token.ravel()], places[~is_token.ravel()]]).reshape(is_token.shape)
    return [x[is_token], offsets, np.concatenate([[0], np.cumsum(lengths)]), [lengths.max()]]


def with_padding(tokens, offsets):
    rows = np.zeros((offsets.size, tokens.shape[1]), tokens.dtype)
    rows[offsets.ravel()[:len(tokens)]] = tokens
    return [rows.reshape(*offsets.shape, tokens.shape[1])]


PADDED, TOKENS = real(3, 5, 4), np.array([2, 0, 5], np.int32)
add("remove_padding", "RemovePadding", [PADDED, TOKENS], outputs=["float32", "int32", "int32", "int32"], has_kernel=False, formula=without_padding,
    open_shapes={"x0": ["batch", "length", 4], "x1": ["batch"]})
add("restore_padding", "RestorePadding", [real(7, 4), without_padding(PADDED, TOKENS)[1].astype(np.int32)], has_kernel=False, formula=with_padding,
    open_shapes={"x0": ["tokens", 4], "x1": ["batch", "length"]})
