"""Stored inputs and outputs of backend tests, as the tensors that the compiler makes of them."""

import dataclasses

import onnx


class Unsupported(Exception):
    """The test asks for what the compiler says it does not do."""


@dataclasses.dataclass
class StoredValue:
    """A tensor under its own name; the elements of a sequence as NAME_0, NAME_1, ...; nothing for an absent optional value."""

    tensors: list
    is_sequence: bool = False
    is_absent: bool = False


def tensor_type_of(value_type):
    """Of a tensor, or of what is inside a sequence or an optional value."""
    while not value_type.HasField("tensor_type"):
        kind = value_type.WhichOneof("value") or "unknown_type"
        if kind not in ("sequence_type", "optional_type"):
            raise Unsupported(f"values of {kind.replace('_', ' ')} are not supported")
        value_type = getattr(value_type, kind).elem_type
    return value_type.tensor_type


def read_message(path, message_type):
    message = message_type()
    message.ParseFromString(path.read_bytes())
    return message


def adopt_type(tensor, value_type):
    """Numpy has no bfloat16: some writers stored its bits as uint16."""
    stated = tensor_type_of(value_type).elem_type
    if stated == onnx.TensorProto.BFLOAT16 and tensor.data_type == onnx.TensorProto.UINT16:
        tensor.data_type = stated
    return tensor


def read_tensor(path, value_type):
    return adopt_type(read_message(path, onnx.TensorProto), value_type)


def read_value(path, value):
    """The value of an input or output."""
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
    if sequence is None:
        return StoredValue([(value.name, read_tensor(path, value.type))])
    tensors = [(f"{value.name}_{i}", adopt_type(tensor, value.type)) for i, tensor in enumerate(sequence.tensor_values)]
    return StoredValue(tensors, is_sequence=True)
