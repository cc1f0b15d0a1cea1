"""Stored inputs and outputs of backend tests, as the tensors that the compiler makes of them."""

import dataclasses

import numpy
import onnx
from onnx import numpy_helper


class Unsupported(Exception):
    """The test needs something that the compiler does not support."""


@dataclasses.dataclass
class StoredValue:
    """A tensor with its own name, also for a map and a sequence of maps. The elements of another sequence are NAME_0, NAME_1, ...; an absent optional
    value has none."""

    tensors: list
    is_sequence: bool = False
    is_absent: bool = False


def tensor_type_of(value_type):
    """Returns the tensor type of a value, or of the elements of a sequence, a map or an optional value."""
    while not value_type.HasField("tensor_type"):
        kind = value_type.WhichOneof("value") or "unknown_type"
        if kind not in ("sequence_type", "optional_type", "map_type"):
            raise Unsupported(f"values of {kind.replace('_', ' ')} are not supported")
        inner = getattr(value_type, kind)
        value_type = inner.value_type if kind == "map_type" else inner.elem_type
    return value_type.tensor_type


def read_message(path, message_type):
    message = message_type()
    message.ParseFromString(path.read_bytes())
    return message


def adopt_type(tensor, value_type):
    """Corrects the type of a bfloat16 tensor. NumPy has no bfloat16, so some writers stored its bits as uint16."""
    stated = tensor_type_of(value_type).elem_type
    if stated == onnx.TensorProto.BFLOAT16 and tensor.data_type == onnx.TensorProto.UINT16:
        tensor.data_type = stated
    return tensor


def read_tensor(path, value_type):
    return adopt_type(read_message(path, onnx.TensorProto), value_type)


def values_of(one_map):
    """Returns the values of a map in ascending order of their keys."""
    # numpy_helper needs an array for strings.
    values = [tensor.string_data[0].decode() if tensor.string_data else numpy_helper.to_array(tensor) for tensor in one_map.values.tensor_values]
    order = sorted(range(len(values)), key=(list(one_map.keys) or list(one_map.string_keys)).__getitem__)
    return numpy.array([values[i] for i in order], object if isinstance(values[0], str) else None)


def to_rows(maps):
    """Returns a tensor with the values of each map as a row."""
    return numpy_helper.from_array(numpy.stack([values_of(each) for each in maps]))


def read_value(path, value):
    """Returns the stored value of an input or output."""
    kind = value.type.WhichOneof("value")
    sequence = None
    if kind == "optional_type":
        optional = read_message(path, onnx.OptionalProto)
        if optional.elem_type == onnx.OptionalProto.UNDEFINED:
            return StoredValue([], is_absent=True)
        if optional.HasField("tensor_value"):
            return StoredValue([(value.name, adopt_type(optional.tensor_value, value.type))])
        sequence = optional.sequence_value
    elif kind == "sequence_type":
        sequence = read_message(path, onnx.SequenceProto)
    if sequence is not None and sequence.elem_type == onnx.SequenceProto.MAP:
        return StoredValue([(value.name, to_rows(sequence.map_values))])
    if kind == "map_type":
        return StoredValue([(value.name, numpy_helper.from_array(values_of(read_message(path, onnx.MapProto))))])
    if sequence is None:
        return StoredValue([(value.name, read_tensor(path, value.type))])
    tensors = [(f"{value.name}_{i}", adopt_type(tensor, value.type)) for i, tensor in enumerate(sequence.tensor_values)]
    return StoredValue(tensors, is_sequence=True)
