"""When the outputs of a backend test are equal enough to the stored ones."""

import numpy
import onnx
from onnx import numpy_helper

ATOL = 1e-7
RTOL = 1e-3
# Networks as deep as this one add up more rounding than one operator.
RTOL_OF = {"densenet": 2e-3}
# One unit in the last place: some stored values were cut off, ours are rounded.
BFLOAT16_RTOL = 2**-7
# Spectra are sums that cancel: where nothing is left but rounding there is no relative error to speak of.
ATOL_OF = {"dft": 1e-4, "stft": 1e-4}


def tolerances(test_name):
    """Relative and absolute."""
    find = lambda exceptions, default: next((value for part, value in exceptions.items() if part in test_name), default)
    return find(RTOL_OF, RTOL), find(ATOL_OF, ATOL)


def type_name(data_type):
    return onnx.TensorProto.DataType.Name(data_type).lower()


def is_float(array):
    return array.dtype.kind in "fc"


def worst_element(actual, expected, bad):
    """Text about the element that is furthest off."""
    with numpy.errstate(all="ignore"):
        error = numpy.where(bad, numpy.abs(numpy.subtract(actual, expected, dtype=complex)), -1)
    error = numpy.where(numpy.isnan(error), numpy.inf, error)
    index = numpy.unravel_index(int(error.argmax()), error.shape)
    place = "[" + ",".join(str(i) for i in index) + "]"
    return f"{int(bad.sum())} of {bad.size} elements differ, at {place} expected {expected[index]}, got {actual[index]}"


def difference(actual_proto, expected_proto, rtol, atol):
    """What is wrong with a tensor, None when nothing is."""
    if actual_proto.data_type != expected_proto.data_type:
        return f"expected {type_name(expected_proto.data_type)}, got {type_name(actual_proto.data_type)}"
    actual, expected = numpy_helper.to_array(actual_proto), numpy_helper.to_array(expected_proto)
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
