"""Conversions of narrow types, computed with tables of all their values; operators that reinterpret or accumulate numbers."""

import numpy

from backend_case import Bits, write_case

RANDOM = numpy.random.default_rng(10)


def float_table(exponent_bits, mantissa_bits, bias, nan=(), infinity=()):
    """Returns the value of each byte."""
    sign_bit = exponent_bits + mantissa_bits
    byte = numpy.arange(2 << sign_bit)
    exponent, mantissa = byte >> mantissa_bits & ((1 << exponent_bits) - 1), byte & ((1 << mantissa_bits) - 1)
    fraction = numpy.where(exponent == 0, 0, 1) + mantissa / 2.0**mantissa_bits
    table = numpy.where(byte >> sign_bit, -1.0, 1.0) * fraction * 2.0 ** (numpy.maximum(exponent, 1) - bias)
    table[list(nan)] = numpy.nan
    for b in infinity:
        table[b] = numpy.copysign(numpy.inf, table[b])
    return table


FLOATS = {
    "e4m3fn": (17, 8, float_table(4, 3, 7, nan=(0x7F, 0xFF))),
    "e4m3fnuz": (18, 8, float_table(4, 3, 8, nan=(0x80,))),
    "e5m2": (19, 8, float_table(5, 2, 15, nan=(0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF), infinity=(0x7C, 0xFC))),
    "e5m2fnuz": (20, 8, float_table(5, 2, 16, nan=(0x80,))),
    "e2m1": (23, 4, float_table(2, 1, 1)),
}
INTEGERS = {"uint4": (21, 4, 0, 16), "int4": (22, 4, -8, 8), "uint2": (25, 2, 0, 4), "int2": (26, 2, -2, 2)}


def round_to(table, x, saturate):
    """Returns the byte whose value is nearest to each number; of two equally near ones, that with an even mantissa."""
    finite = numpy.flatnonzero(numpy.isfinite(table))
    order = finite[numpy.argsort(table[finite], kind="stable")]
    numbers = table[order]
    greatest = numbers.max()
    result = []
    for number in x.astype(numpy.float64).ravel():
        nan = numpy.flatnonzero(numpy.isnan(table))
        # Numbers more than half a step above the largest value do not round to it.
        step = greatest - numbers[numbers < greatest].max()
        is_beyond = abs(number) >= greatest + step / 2
        if numpy.isnan(number):
            result.append(nan[0])
        elif is_beyond and not saturate and len(nan):
            infinite = numpy.flatnonzero(numpy.isinf(table))
            same_sign = [b for b in infinite if (table[b] < 0) == (number < 0)]
            result.append(same_sign[0] if same_sign else nan[0])
        else:
            distance = abs(numbers - numpy.clip(number, -greatest, greatest))
            nearest = order[distance == distance.min()]
            even = [b for b in nearest if b & 1 == 0 or len(nearest) == 1]
            # Of both zeros, that with the sign of the number.
            result.append(min(even, key=lambda b: numpy.signbit(table[b]) != numpy.signbit(number)))
    return numpy.array(result).reshape(x.shape)


def interesting(table):
    """Returns all values, the midpoints between them, and numbers out of range."""
    finite = numpy.unique(table[numpy.isfinite(table)])
    middles = (finite[1:] + finite[:-1]) / 2
    beyond = [finite.max() * 1.01, finite.max() * 1.2, finite.max() * 4, numpy.inf]
    x = numpy.concatenate([finite, middles, numpy.nextafter(middles, numpy.inf), beyond, [-0.0], numpy.negative(beyond)])
    return x


def write_float_casts(folder):
    for name, (data_type, width, table) in FLOATS.items():
        count = len(table)
        every = Bits(data_type, numpy.arange(count), width)
        for dtype in (numpy.float32, numpy.float16):
            text = numpy.dtype(dtype).name
            write_case(folder, f"cast_{name}_to_{text}", "Cast", [every], [table.astype(dtype)], opset=25,
                       to={"float32": 1, "float16": 10}[text])
            with numpy.errstate(over="ignore"):
                x = interesting(table).astype(dtype)
            if name != "e2m1":
                x = numpy.append(x, numpy.array([numpy.nan], dtype))
            for saturate in (1, 0):
                expected = Bits(data_type, round_to(table, x, saturate), width)
                write_case(folder, f"cast_{text}_to_{name}_{saturate}", "Cast", [x], [expected], opset=25, to=data_type, saturate=saturate)


def write_exponent_casts(folder):
    table = 2.0 ** (numpy.arange(256.0) - 127)
    table[255] = numpy.nan
    write_case(folder, "cast_e8m0_to_float32", "Cast", [Bits(24, numpy.arange(256))], [table.astype(numpy.float32)], opset=25, to=1)
    x = numpy.array([1, 1.25, 1.5, 1.75, 2, 3, 2.0**-126 * 1.5, 2.0**-127, 2.0**-127 * 1.4, 1e38, 3e38, numpy.inf, numpy.nan], numpy.float32)
    for mode in ("up", "down", "nearest"):
        exact = numpy.log2(x[:-2].astype(numpy.float64))
        fraction = 2 ** (exact - numpy.floor(exact))
        exponent = numpy.floor(exact) + {"up": fraction > 1, "down": fraction < 0, "nearest": fraction >= 1.5}[mode]
        finite = numpy.clip(exponent + 127, 0, 254)
        write_case(folder, f"cast_float32_to_e8m0_{mode}", "Cast", [x], [Bits(24, [*finite, 254, 255])], opset=25, to=24, round_mode=mode)


def write_integer_casts(folder):
    for name, (data_type, width, least, end) in INTEGERS.items():
        numbers = numpy.arange(least, end)
        every = Bits(data_type, numbers & (2**width - 1), width)
        for dtype, to in ((numpy.float32, 1), (numpy.int8 if least else numpy.uint8, 3 if least else 2), (numpy.int64, 7)):
            text = numpy.dtype(dtype).name
            write_case(folder, f"cast_{name}_to_{text}", "Cast", [every], [numbers.astype(dtype)], opset=25, to=to)
            write_case(folder, f"cast_{text}_to_{name}", "Cast", [numbers.astype(dtype)], [every], opset=25, to=data_type)
        write_case(folder, f"cast_wraps_to_{name}", "Cast", [numpy.arange(-20, 20)], [Bits(data_type, numpy.arange(-20, 20) & (2**width - 1), width)],
                   opset=25, to=data_type)
        write_case(folder, f"transpose_{name}", "Transpose", [Bits(data_type, numpy.arange(6).reshape(2, 3) & (2**width - 1), width)],
                   [Bits(data_type, numpy.arange(6).reshape(2, 3).T & (2**width - 1), width)], opset=25, perm=[1, 0])


def write_quantizations(folder):
    x = RANDOM.standard_normal((3, 7)).astype(numpy.float32) * 4
    scale = numpy.array([0.5, 0.25, 1.5], numpy.float32)
    for name, (data_type, width, least, end) in INTEGERS.items():
        zero = numpy.array([1, 0, 1])
        q = numpy.clip(numpy.rint(x / scale[:, None]) + zero[:, None], least, end - 1).astype(numpy.int64)
        bits = Bits(data_type, q & (2**width - 1), width)
        write_case(folder, f"quantize_{name}", "QuantizeLinear", [x, scale, Bits(data_type, zero, width)], [bits], opset=25, axis=0)
        y = ((q - zero[:, None]) * scale[:, None]).astype(numpy.float32)
        write_case(folder, f"dequantize_{name}", "DequantizeLinear", [bits, scale, Bits(data_type, zero, width)], [y], opset=25, axis=0)
    eight = numpy.array([0, 0.5, 1, 448, -104])
    for zero_shape in ((), (1,)):  # a scalar and a vector of one element are both one value for the whole tensor
        bits, zero = Bits(17, round_to(FLOATS["e4m3fn"][2], eight, 1)), Bits(17, numpy.zeros(zero_shape, numpy.uint8))
        name, numbers, two = f"zero_point_of_rank_{len(zero_shape)}", (eight * 2).astype(numpy.float32), numpy.array(2, numpy.float32)
        write_case(folder, f"quantize_{name}", "QuantizeLinear", [numbers, two, zero], [bits], opset=25)
        write_case(folder, f"dequantize_{name}", "DequantizeLinear", [bits, two, zero], [numbers], opset=25)
    blocks = numpy.abs(RANDOM.standard_normal((3, 3))).astype(numpy.float32)
    wide = blocks.repeat(3, axis=1)[:, :7]
    for name, (data_type, width, table) in FLOATS.items():
        q = round_to(table, x / wide, 1)
        bits = Bits(data_type, q, width)
        write_case(folder, f"quantize_{name}", "QuantizeLinear", [x, blocks], [bits], opset=25, axis=1, block_size=3, output_dtype=data_type)
        write_case(folder, f"dequantize_{name}", "DequantizeLinear", [bits, blocks], [(table[q] * wide).astype(numpy.float32)], opset=25,
                   axis=1, block_size=3)


def write_predicates(folder):
    for name, (data_type, width, table) in FLOATS.items():
        if width == 8:
            every = Bits(data_type, numpy.arange(len(table)))
            write_case(folder, f"is_nan_{name}", "IsNaN", [every], [numpy.isnan(table)], opset=20)
            write_case(folder, f"is_inf_{name}", "IsInf", [every], [numpy.isneginf(table)], opset=20, detect_positive=0)


def write_products(folder):
    half, quarter, one = (numpy.array(scale, numpy.float32) for scale in (0.5, 0.25, 1))
    for name, (data_type, width, table) in FLOATS.items():
        if width == 8:
            a, b = (round_to(table, RANDOM.standard_normal(shape), 1) for shape in ((2, 3, 4), (4, 5)))
            y = Bits(data_type, round_to(table, table[a] @ table[b] * 0.5 * 0.25, 1))
            zero = Bits(data_type, 0)
            inputs = [Bits(data_type, a), half, zero, Bits(data_type, b), quarter, zero, one, zero]
            write_case(folder, f"qlinear_matmul_{name}", "QLinearMatMul", inputs, [y], opset=21)


def write_others(folder):
    x = RANDOM.standard_normal((3, 4)).astype(numpy.float32)
    write_case(folder, "bit_cast_float", "BitCast", [x], [x.view(numpy.int32)], opset=26, to=6)
    write_case(folder, "bit_cast_unsigned", "BitCast", [x.view(numpy.int32)], [x.view(numpy.uint32)], opset=26, to=12)
    write_case(folder, "bit_cast_bool", "BitCast", [x > 0], [(x > 0).view(numpy.uint8)], opset=26, to=2)
    write_case(folder, "bit_cast_e4m3fn", "BitCast", [Bits(17, numpy.arange(8))], [numpy.arange(8, dtype=numpy.int8)], opset=26, to=3)
    write_case(folder, "swiglu", "SwiGLU", [x, x[::-1].copy()], [(x / (1 + numpy.exp(-1.5 * x)) * x[::-1]).astype(numpy.float32)], opset=28, alpha=1.5)
    for exclusive in (0, 1):
        for reverse in (0, 1):
            y = x[:, ::-1] if reverse else x
            y = numpy.cumprod(numpy.concatenate([numpy.ones((3, 1), numpy.float32), y], axis=1), axis=1)[:, :-1] if exclusive else numpy.cumprod(y, axis=1)
            write_case(folder, f"cum_prod_{exclusive}_{reverse}", "CumProd", [x, numpy.array(1, numpy.int32)], [(y[:, ::-1] if reverse else y).copy()],
                       opset=26, constants=(1,), exclusive=exclusive, reverse=reverse)


def write_cases(folder):
    write_float_casts(folder)
    write_exponent_casts(folder)
    write_integer_casts(folder)
    write_quantizations(folder)
    write_predicates(folder)
    write_products(folder)
    write_others(folder)
