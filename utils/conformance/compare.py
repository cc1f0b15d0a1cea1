"""When the outputs of a backend test are equal enough to the stored ones."""

import numpy
import onnx
from onnx import numpy_helper

ATOL = 1e-7
RTOL = 1e-3
# Deep networks accumulate more rounding errors than one operator.
RTOL_OF = {"densenet": 2e-3}
# One unit in the last place: some stored values were truncated, ours are rounded.
BFLOAT16_RTOL = 2**-7
# Spectra are sums with cancellation. If only rounding errors remain, a relative error is meaningless. So is that of a state that a gate near 1 leaves
# next to nothing of: 1 minus the gate has the rounding error of 1. NumPy in float32 is 9e-8 off float64 in this test, and the order of sums decides.
ATOL_OF = {"dft": 1e-4, "stft": 1e-4, "gru_seq_length": 3e-7}


# Element types that the installed onnx may not know, by number: name, bits, and a test for NaN.
NARROW = {
    17: ("float8e4m3fn", 8, lambda b: b & 0x7F == 0x7F),
    18: ("float8e4m3fnuz", 8, lambda b: b == 0x80),
    19: ("float8e5m2", 8, lambda b: b & 0x7F > 0x7C),
    20: ("float8e5m2fnuz", 8, lambda b: b == 0x80),
    21: ("uint4", 4, None),
    22: ("int4", 4, None),
    23: ("float4e2m1", 4, None),
    24: ("float8e8m0", 8, lambda b: b == 0xFF),
    25: ("uint2", 2, None),
    26: ("int2", 2, None),
}


def tolerances(test_name):
    """Returns the relative and the absolute tolerance."""
    find = lambda exceptions, default: next((value for part, value in exceptions.items() if part in test_name), default)
    return find(RTOL_OF, RTOL), find(ATOL_OF, ATOL)


def type_name(data_type):
    if data_type in NARROW:
        return NARROW[data_type][0]
    return onnx.TensorProto.DataType.Name(data_type).lower()


def narrow_elements(proto):
    """Returns the bits of each element; NaN is 0x100."""
    _, bits, is_nan = NARROW[proto.data_type]
    stored = numpy.frombuffer(proto.raw_data, numpy.uint8) if proto.HasField("raw_data") else \
        numpy.array(proto.int32_data, numpy.int64).astype(numpy.uint8)
    shifts = numpy.arange(0, 8, bits, dtype=numpy.uint8)
    elements = (stored[:, None] >> shifts & ((1 << bits) - 1)).astype(numpy.uint8).ravel()
    elements = elements[:int(numpy.prod(proto.dims, dtype=int))].reshape(tuple(proto.dims))
    return numpy.where(is_nan(elements), numpy.uint16(0x100), elements) if is_nan else elements


def elements_of(proto):
    return narrow_elements(proto) if proto.data_type in NARROW else numpy_helper.to_array(proto)


def is_float(array):
    return array.dtype.kind in "fc"


def worst_element(actual, expected, bad):
    """Returns a string about the element with the largest error."""
    with numpy.errstate(all="ignore"):
        error = numpy.where(bad, numpy.abs(numpy.subtract(actual, expected, dtype=complex)), -1)
    error = numpy.where(numpy.isnan(error), numpy.inf, error)
    index = numpy.unravel_index(int(error.argmax()), error.shape)
    place = "[" + ",".join(str(i) for i in index) + "]"
    return f"{int(bad.sum())} of {bad.size} elements differ, at {place} expected {expected[index]}, got {actual[index]}"


def difference(actual_proto, expected_proto, rtol, atol):
    """Returns the description of what is wrong with a tensor, or None."""
    if actual_proto.data_type != expected_proto.data_type:
        return f"expected {type_name(expected_proto.data_type)}, got {type_name(actual_proto.data_type)}"
    actual, expected = elements_of(actual_proto), elements_of(expected_proto)
    if actual.shape != expected.shape:
        return f"expected shape {list(expected.shape)}, got {list(actual.shape)}"
    if is_float(expected):
        if expected_proto.data_type == onnx.TensorProto.BFLOAT16:
            rtol = max(rtol, BFLOAT16_RTOL)
        bad = ~numpy.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=True)
    else:
        bad = actual != expected
    if not numpy.any(bad):
        return None
    return worst_element(actual, expected, numpy.asarray(bad)) if expected.dtype != object else "strings differ"
