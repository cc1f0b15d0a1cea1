"""Attention and related operators, in double precision."""

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(8)


def random(*shape, dtype=numpy.float32):
    return RANDOM.standard_normal(shape).astype(dtype)


def softmax(scores):
    greatest = scores.max(axis=-1, keepdims=True)
    dead = numpy.isneginf(greatest)
    weights = numpy.exp(numpy.where(dead, 0, scores) - numpy.where(dead, 0, greatest))
    return numpy.where(dead, 0, weights / weights.sum(axis=-1, keepdims=True))


def to_heads(x, heads):
    if x.ndim == 4:
        return x
    batch, length, width = x.shape
    return x.reshape(batch, length, heads, width // heads).transpose(0, 2, 1, 3)


def allowed_keys(q_length, total, past, nonpad, is_causal, left, right):
    keys = numpy.arange(total)
    queries = numpy.arange(q_length)[:, None] + past
    allowed = numpy.ones((1, 1, q_length, total), bool)
    if nonpad is not None:
        nonpad = nonpad[:, None, None, None]
        queries = queries + nonpad - q_length
        allowed = allowed & (keys < nonpad)
    if is_causal:
        allowed = allowed & (keys <= queries)
    if left >= 0:
        allowed = allowed & (keys >= queries - left)
    if right >= 0:
        allowed = allowed & (keys <= queries + right)
    return allowed


def attention(q, k, v, mask=None, past_key=None, past_value=None, nonpad=None, *, is_causal=0, q_num_heads=0, kv_num_heads=0,
              scale=None, softcap=0.0, left_window_size=-1, right_window_size=-1, qk_matmul_output_mode=0, softmax_precision=None):
    flat = q.ndim == 3
    q, k, v = to_heads(q, q_num_heads), to_heads(k, kv_num_heads), to_heads(v, kv_num_heads)
    past = 0
    if past_key is not None:
        past = past_key.shape[2]
        k, v = numpy.concatenate([past_key, k], axis=2), numpy.concatenate([past_value, v], axis=2)
    group = q.shape[1] // k.shape[1]
    wide_k, wide_v = (numpy.repeat(x.astype(numpy.float64), group, axis=1) for x in (k, v))
    raw = q.astype(numpy.float64) @ wide_k.swapaxes(2, 3) * (scale if scale is not None else q.shape[-1] ** -0.5)
    capped = softcap * numpy.tanh(raw / softcap) if softcap else raw
    allowed = allowed_keys(q.shape[2], k.shape[2], past, nonpad, is_causal, left_window_size, right_window_size)
    masked = capped
    if mask is not None:
        missing = [(0, 0)] * (mask.ndim - 1) + [(0, k.shape[2] - mask.shape[-1])]
        if mask.dtype == bool:
            allowed = allowed & numpy.pad(mask, missing)
        else:
            masked = masked + numpy.pad(mask.astype(numpy.float64), missing, constant_values=-numpy.inf)
    masked = numpy.where(allowed, masked, -numpy.inf)
    weights = softmax(masked)
    y = weights @ wide_v
    if flat:
        y = y.transpose(0, 2, 1, 3).reshape(q.shape[0], q.shape[2], -1)
    stages = [raw, capped, masked, weights]
    return [array.astype(q.dtype) for array in (y, k, v, stages[qk_matmul_output_mode])]


def write_attention(folder, name, q, k, v, mask=None, past=(None, None), nonpad=None, wanted=(0,), **attributes):
    results = attention(q, k, v, mask, *past, nonpad, **attributes)
    outputs = [array if i in wanted else None for i, array in enumerate(results)]
    while outputs[-1] is None:
        outputs.pop()
    inputs = [q, k, v, mask, *past, nonpad]
    while inputs[-1] is None:
        inputs.pop()
    write_case(folder, f"attention_{name}", "Attention", inputs, outputs, opset=25, **attributes)


def write_attentions(folder):
    q, k, v = random(2, 4, 3, 8), random(2, 2, 5, 8), random(2, 2, 5, 6)
    past = random(2, 2, 4, 8), random(2, 2, 4, 6)
    flat = dict(q=random(2, 3, 32), k=random(2, 5, 16), v=random(2, 5, 12), q_num_heads=4, kv_num_heads=2)
    lengths = numpy.array([5, 2], numpy.int64)
    for mode in range(4):
        write_attention(folder, f"scores_{mode}", q, k, v, random(3, 5), softcap=1.5, qk_matmul_output_mode=mode, wanted=(0, 3))
    write_attention(folder, "flat", **flat)
    write_attention(folder, "flat_causal_past", **flat, past=past, is_causal=1, wanted=(0, 1, 2))
    write_attention(folder, "past", q, k, v, past=past, wanted=(0, 1, 2, 3), scale=0.3)
    write_attention(folder, "present_without_past", q, k, v, wanted=(0, 1, 2))
    write_attention(folder, "causal", q, k, v, is_causal=1)
    write_attention(folder, "causal_past_mask", q, k, v, RANDOM.random((2, 1, 3, 9)) > 0.3, past=past, is_causal=1)
    write_attention(folder, "rows_without_keys", q, k, v, numpy.array([[True] * 5, [False] * 5, [True, False] * 2 + [True]]),
                    qk_matmul_output_mode=3, wanted=(0, 3))
    write_attention(folder, "short_mask", q, k, v, random(4, 3, 4))
    write_attention(folder, "short_bool_mask", q, k, v, RANDOM.random((3, 3)) > 0.4)
    write_attention(folder, "lengths", q, k, v, nonpad=lengths)
    write_attention(folder, "lengths_causal", q, k, v, nonpad=lengths, is_causal=1)
    write_attention(folder, "windows", q, k, v, left_window_size=1, right_window_size=2)
    write_attention(folder, "windows_causal_past", q, k, v, past=past, left_window_size=2, is_causal=1)
    write_attention(folder, "double_softmax", q, k, v, softmax_precision=11)
    write_attention(folder, "double", *(x.astype(numpy.float64) for x in (q, k, v)))


def rotary(x, cosine, sine, positions=None, interleaved=0, num_heads=0, rotary_embedding_dim=0):
    heads = x.reshape(*x.shape[:2], num_heads, -1) if x.ndim == 3 else x.transpose(0, 2, 1, 3)
    size = rotary_embedding_dim or heads.shape[-1]
    if positions is not None:
        cosine, sine = cosine[positions], sine[positions]
    cosine, sine = cosine[:, :, None], sine[:, :, None]
    turned, rest = heads[..., :size], heads[..., size:]
    first, second = (turned[..., 0::2], turned[..., 1::2]) if interleaved else numpy.split(turned, 2, axis=-1)
    pair = cosine * first - sine * second, sine * first + cosine * second
    turned = numpy.stack(pair, axis=-1).reshape(turned.shape) if interleaved else numpy.concatenate(pair, axis=-1)
    y = numpy.concatenate([turned, rest], axis=-1)
    return y.reshape(x.shape) if x.ndim == 3 else y.transpose(0, 2, 1, 3)


def write_rotaries(folder):
    positions = RANDOM.integers(0, 9, (2, 3))
    for interleaved in (0, 1):
        for name, x, size in (("heads", random(2, 4, 3, 8), 0), ("flat", random(2, 3, 32), 0), ("part", random(2, 4, 3, 8), 4)):
            attributes = dict(interleaved=interleaved, rotary_embedding_dim=size, num_heads=4 if x.ndim == 3 else 0)
            for kind, cache, ids in (("positions", random(2, 9, (size or 8) // 2), positions), ("no_positions", random(2, 2, 3, (size or 8) // 2), None)):
                inputs = [x, cache[0], cache[1]] + ([ids] if ids is not None else [])
                write_case(folder, f"rotary_{name}_{kind}_{interleaved}", "RotaryEmbedding", inputs,
                           [rotary(*inputs, **attributes)], opset=23, **attributes)


def linear_attention(q, k, v, state, decay, beta, rule, q_num_heads, kv_num_heads, scale):
    batch, steps, _ = q.shape
    split = lambda x, heads: x.astype(numpy.float64).reshape(batch, steps, heads, -1)
    q, k, v = split(q, q_num_heads), split(k, kv_num_heads), split(v, kv_num_heads)
    group = q_num_heads // kv_num_heads
    s = numpy.zeros((batch, kv_num_heads, k.shape[-1], v.shape[-1])) if state is None else state.astype(numpy.float64)
    result = []
    for t in range(steps):
        if "gated" in rule:
            s = s * numpy.exp(split(decay, kv_num_heads)[:, t])[..., None]
        added = v[:, t]
        if "delta" in rule:
            rate = beta.astype(numpy.float64)[:, t, :, None]
            added = rate * (added - numpy.einsum("bhkv,bhk->bhv", s, k[:, t]))
        s = s + k[:, t][..., None] * added[:, :, None, :]
        wide = numpy.repeat(s, group, axis=1)
        result.append(numpy.einsum("bhkv,bhk->bhv", wide, q[:, t]) * (scale or q.shape[-1] ** -0.5))
    return numpy.stack(result, axis=1).reshape(batch, steps, -1).astype(numpy.float32), s.astype(numpy.float32)


def write_linear_attentions(folder):
    q, k, v = random(2, 5, 32), random(2, 5, 16), random(2, 5, 12)
    k /= numpy.sqrt((k.reshape(2, 5, 2, 8) ** 2).sum(-1, keepdims=True)).repeat(8, -1).reshape(k.shape)
    state = random(2, 2, 8, 6)
    wide, narrow = -abs(random(2, 5, 16)), -abs(random(2, 5, 2))
    beta, shared = abs(random(2, 5, 2)) % 1, abs(random(2, 5, 1)) % 1
    cases = {"linear": (None, None, None, 0.0), "linear_state": (state, None, None, 0.5), "gated": (state, wide, None, 0.0),
             "gated_per_head": (None, narrow, None, 0.0), "delta": (state, None, beta, 0.0),
             "gated_delta": (state, wide, beta, 0.0), "gated_delta_shared": (None, narrow, shared, 0.0)}
    for name, (past, decay, rate, scale) in cases.items():
        rule = next(rule for rule in ("gated_delta", "delta", "gated", "linear") if name.startswith(rule))
        inputs = [q, k, v, past, decay, rate]
        outputs = linear_attention(*inputs, rule, 4, 2, scale)
        write_case(folder, f"linear_attention_{name}", "LinearAttention", inputs, outputs, opset=27, update_rule=rule,
                   q_num_heads=4, kv_num_heads=2, scale=scale)


def write_causal_convolutions(folder):
    x, w, bias, past = random(2, 3, 5), random(3, 1, 4), random(3), random(2, 3, 3)
    for name, b, state, activation in (("plain", None, None, "none"), ("bias", bias, None, "silu"), ("state", bias, past, "none"),
                                       ("state_swish", None, past, "swish")):
        for length in (5, 2):
            whole = numpy.concatenate([numpy.zeros((2, 3, 3), numpy.float32) if state is None else state, x[..., :length]], axis=2)
            y = sum(whole[..., i:i + length] * w[:, 0, i, None] for i in range(4)) + (0 if b is None else b[:, None])
            if activation != "none":
                y = y / (1 + numpy.exp(-y))
            inputs = [x[..., :length], w] + ([b, state] if state is not None else [b] if b is not None else [])
            write_case(folder, f"causal_conv_{name}_{length}", "CausalConvWithState", inputs,
                       [y.astype(numpy.float32), whole[..., -3:]], opset=27, activation=activation)


def write_cache_updates(folder):
    cache, update = random(3, 2, 4, 5), random(3, 2, 2, 5)
    for mode, begins in (("linear", [1, 2, 0]), ("circular", [1, 3, 6]), ("linear", None)):
        result = cache.copy()
        for batch in range(3):
            for row in range(2):
                at = (begins[batch] if begins else 0) + row
                result[batch, :, at % 4] = update[batch, :, row]
        inputs = [cache, update] + ([numpy.array(begins, numpy.int64)] if begins else [])
        write_case(folder, f"tensor_scatter_{mode}_{'at' if begins else 'begin'}", "TensorScatter", inputs, [result], opset=24, mode=mode)


def write_normalizations(folder):
    x = random(2, 3, 8)
    for kind, scale_kind in ((numpy.float64, numpy.float32), (numpy.float32, numpy.float64), (numpy.float16, numpy.float32)):
        given, scale = x.astype(kind), random(8, dtype=scale_kind)
        y = given / numpy.sqrt((given.astype(numpy.float64) ** 2).mean(axis=-1, keepdims=True) + 1e-5) * scale
        write_case(folder, f"rms_normalization_{numpy.dtype(kind)}_{numpy.dtype(scale_kind)}", "RMSNormalization", [given, scale],
                   [y.astype(scale_kind)], opset=23)


def write_cases(folder):
    write_attentions(folder)
    write_rotaries(folder)
    write_linear_attentions(folder)
    write_causal_convolutions(folder)
    write_cache_updates(folder)
    write_normalizations(folder)
