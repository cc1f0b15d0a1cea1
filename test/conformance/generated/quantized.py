"""Quantised operators of com.microsoft, computed by NumPy in f64. Scales are powers of two, so that each implementation has the same numbers half-way between two steps."""

import functools

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(17)
write_quantized = functools.partial(write_case, domain="com.microsoft", opset=1)


def bytes_of(*shape):
    return RANDOM.integers(0, 256, shape).astype(numpy.uint8)


def parameters(exponent, zero_point, kind=numpy.uint8):
    return [numpy.array(2.0**exponent, numpy.float32), numpy.array(zero_point, kind)]


def real(x, scale, zero_point):
    return scale.astype(float) * (x.astype(float) - zero_point.astype(float))


def quantize(x, scale, zero_point):
    limits = numpy.iinfo(zero_point.dtype)
    return numpy.clip(numpy.rint(x / scale) + zero_point, limits.min, limits.max).astype(zero_point.dtype)


def write_pointwise(folder):
    a, b = bytes_of(2, 3, 4, 5), bytes_of(2, 3, 4, 5)
    p, q, r = parameters(-6, 120), parameters(-5, 7), parameters(-4, 100)
    x, y = real(a, *p), real(b, *q)
    write_quantized(folder, "ms_qlinear_add", "QLinearAdd", [a, *p, b, *q, *r], [quantize(x + y, *r)])
    write_quantized(folder, "ms_qlinear_mul", "QLinearMul", [a, *p, b, *q, *r], [quantize(x * y, *r)])
    write_quantized(folder, "ms_qlinear_sigmoid", "QLinearSigmoid", [a, *p, *r], [quantize(1 / (1 + numpy.exp(-x)), *r)])
    write_quantized(folder, "ms_qlinear_leaky_relu", "QLinearLeakyRelu", [a, *p, *r], [quantize(numpy.where(x < 0, 0.25 * x, x), *r)], alpha=0.25)
    chosen = RANDOM.integers(0, 2, a.shape).astype(bool)
    write_quantized(folder, "ms_qlinear_where", "QLinearWhere", [chosen, a, *p, b, *q, *r], [quantize(numpy.where(chosen, x, y), *r)])
    write_quantized(folder, "ms_qlinear_concat", "QLinearConcat", [*r, a, *p, b, *q], [quantize(numpy.concatenate([x, y], axis=1), *r)], axis=1)
    fine = parameters(-8, 0)
    exponentials = numpy.exp(x - x.max(axis=-1, keepdims=True))
    write_quantized(folder, "ms_qlinear_softmax", "QLinearSoftmax", [a, *p, *fine],
                    [quantize(exponentials / exponentials.sum(axis=-1, keepdims=True), *fine)], axis=-1)


def write_pools(folder):
    a, p, r = bytes_of(2, 3, 8, 8), parameters(-6, 120), parameters(-6, 90)
    x = real(a, *p)
    write_quantized(folder, "ms_qlinear_global_average_pool", "QLinearGlobalAveragePool", [a, *p, *r], [quantize(x.mean(axis=(2, 3), keepdims=True), *r)])
    blocks = x.reshape(2, 3, 4, 2, 4, 2).mean(axis=(3, 5))
    write_quantized(folder, "ms_qlinear_average_pool", "QLinearAveragePool", [a, *p, *r], [quantize(blocks, *r)], kernel_shape=[2, 2], strides=[2, 2])


def write_gemm(folder):
    a, p, r = bytes_of(5, 16), parameters(-6, 120), parameters(-3, 128)
    w = RANDOM.integers(-127, 128, (7, 16)).astype(numpy.int8)
    scales, zeros = (2.0 ** RANDOM.integers(-9, -6, 7)).astype(numpy.float32), numpy.zeros(7, numpy.int8)
    bias = RANDOM.integers(-2000, 2000, 7).astype(numpy.int32)
    unit = p[0].astype(float) * scales
    y = real(a, *p) @ (w * scales.astype(float)[:, None]).T + bias * unit
    write_quantized(folder, "ms_qgemm", "QGemm", [a, *p, w, scales, zeros, bias, *r], [quantize(y, *r)], transB=1)


def write_fake_quantize(folder):
    """Powers of two as widths of ranges give each implementation the same numbers half-way between two levels; an empty range has one level."""
    x = (RANDOM.integers(-40, 41, (2, 3, 4, 5)) / 8).astype(numpy.float32)
    low, high = numpy.array([-2.0, -1.0, 0.5], numpy.float32).reshape(3, 1, 1), numpy.array([2.0, 3.0, 0.5], numpy.float32).reshape(3, 1, 1)
    out_low, out_high = low - 1, high + numpy.float32(0.5)
    for levels in (2, 5, 256):
        place = numpy.clip((x - low.astype(float)) / numpy.maximum(high - low, 1e-30), 0, 1)
        y = numpy.rint(place * (levels - 1)) / (levels - 1) * (out_high - out_low) + out_low
        y = numpy.where(low == high, out_low, y).astype(numpy.float32)
        write_case(folder, f"openvino_fake_quantize_{levels}", "FakeQuantize", [x, low, high, out_low, out_high], [y], domain="org.openvinotoolkit", opset=1,
                   constants=(1, 2, 3, 4), levels=levels)


def write_quant(folder):
    """Powers of two as steps give each implementation the same numbers half-way between two steps. One signed bit is a sign."""
    x = (RANDOM.integers(-60, 61, (2, 3, 4, 5)) / 16).astype(numpy.float32)
    scale, zero = numpy.array([0.125, 0.25, 0.5], numpy.float32).reshape(3, 1, 1), numpy.float32(1)
    rounds = {"ROUND": numpy.rint, "CEIL": numpy.ceil, "FLOOR": numpy.floor, "ROUND_TO_ZERO": numpy.trunc}
    for domain, operator, bits, signed, narrow, mode in (("qonnx.custom_op.general", "Quant", 8, 1, 1, "ROUND"), ("qonnx.custom_op.general", "IntQuant", 3, 1, 0, "FLOOR"),
                                                         ("onnx.brevitas", "Quant", 4, 0, 1, "CEIL"), ("onnx.brevitas", "Quant", 2, 0, 0, "ROUND_TO_ZERO"), ("onnx.brevitas", "Quant", 1, 1, 0, "ROUND")):
        least, most = (narrow - 2 ** (bits - 1), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1 - narrow)
        steps = x / scale + zero
        steps = numpy.where(steps >= 0, 1, -1) if signed and bits == 1 else rounds[mode](numpy.clip(steps, least, most))
        write_case(folder, f"qonnx_{operator.lower()}_{bits}_{mode.lower()}", operator, [x, scale, zero, numpy.float32(bits)], [((steps - zero) * scale).astype(numpy.float32)], domain=domain,
                   opset=1, constants=(1, 2, 3), signed=signed, narrow=narrow, rounding_mode=mode)
    write_case(folder, "qonnx_bipolar_quant", "BipolarQuant", [x, scale], [(numpy.where(x >= 0, 1, -1) * scale).astype(numpy.float32)], domain="qonnx.custom_op.general", opset=1, constants=(1,))


def write_cases(folder):
    write_pointwise(folder)
    write_fake_quantize(folder)
    write_quant(folder)
    write_pools(folder)
    write_gemm(folder)
