"""Tests in the format of ONNX's backend tests: a model of one node, its inputs, and the outputs that NumPy computes."""

import pathlib

import numpy
import onnx
from onnx import helper, numpy_helper

TYPES = {
    "float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11,
    "uint32": 12, "uint64": 13, "object": 8,
}


class Bits:
    """Elements of a type that NumPy does not have, each in the low bits of a byte."""

    def __init__(self, data_type, elements, width=8):
        self.data_type, self.width = data_type, width
        self.elements = numpy.asarray(elements, numpy.uint8)
        self.shape = self.elements.shape

    def packed(self):
        per_byte = 8 // self.width
        flat = self.elements.ravel()
        flat = numpy.concatenate([flat, numpy.zeros(-len(flat) % per_byte, numpy.uint8)]).reshape(-1, per_byte)
        shifts = numpy.arange(0, 8, self.width, dtype=numpy.uint8)
        return ((flat & ((1 << self.width) - 1)) << shifts).sum(axis=1).astype(numpy.uint8).tobytes()


class Map:
    """A map; the values are a vector."""

    def __init__(self, keys, values):
        self.keys, self.values = keys, values
        self.is_string = isinstance(keys[0], str)

    def to_proto(self, name):
        made = onnx.MapProto(name=name, key_type=onnx.TensorProto.STRING if self.is_string else onnx.TensorProto.INT64)
        if self.is_string:
            made.string_keys.extend(key.encode() for key in self.keys)
        else:
            made.keys.extend(self.keys)
        made.values.elem_type = onnx.SequenceProto.TENSOR
        made.values.tensor_values.extend(self.scalar_proto(value) for value in self.values)
        return made

    def scalar_proto(self, value):
        if isinstance(value, str):  # numpy_helper requires strings in arrays
            return onnx.TensorProto(data_type=onnx.TensorProto.STRING, string_data=[value.encode()])
        return numpy_helper.from_array(numpy.array(value, self.values.dtype))

    def to_value_info(self, name):
        value = onnx.ValueInfoProto(name=name)
        value.type.map_type.key_type = onnx.TensorProto.STRING if self.is_string else onnx.TensorProto.INT64
        value.type.map_type.value_type.tensor_type.elem_type = data_type_of(self.values)
        return value


class Maps:
    """A sequence of maps with the same keys, whose values are the rows of a matrix of f32."""

    def __init__(self, keys, rows):
        self.keys, self.rows = keys, numpy.asarray(rows, numpy.float32)
        self.is_string = isinstance(keys[0], str)

    def to_proto(self, name):
        sequence = onnx.SequenceProto(name=name, elem_type=onnx.SequenceProto.MAP)
        sequence.map_values.extend(Map(self.keys, row).to_proto("") for row in self.rows)
        return sequence

    def to_value_info(self, name):
        value = onnx.ValueInfoProto(name=name)
        value.type.sequence_type.elem_type.CopyFrom(Map(self.keys, self.rows[0]).to_value_info("").type)
        return value


def data_type_of(array):
    return array.data_type if isinstance(array, Bits) else TYPES[str(array.dtype)]


def to_proto(array, name):
    if isinstance(array, (Map, Maps)):
        return array.to_proto(name)
    if not isinstance(array, Bits):
        return numpy_helper.from_array(array, name)
    return onnx.TensorProto(name=name, dims=array.shape, data_type=array.data_type, raw_data=array.packed())


def to_value_info(array, name):
    if isinstance(array, (Map, Maps)):
        return array.to_value_info(name)
    value = onnx.ValueInfoProto(name=name)
    value.type.tensor_type.elem_type = data_type_of(array)
    value.type.tensor_type.shape.SetInParent()
    for size in array.shape:
        value.type.tensor_type.shape.dim.add().dim_value = size
    return value


def write_case(folder, name, operator, inputs, outputs, *, opset, domain="", constants=(), **attributes):
    """Writes a test. `inputs` and `outputs` are arrays, Bits, Map or Maps, or None if absent. Inputs whose positions are in `constants` become initializers."""
    names = ["" if array is None else f"x{i}" for i, array in enumerate(inputs)]
    results = ["" if array is None else f"y{i}" for i, array in enumerate(outputs)]
    node = helper.make_node(operator, names, results, domain=domain, **attributes)
    given = [(name_, array) for i, (name_, array) in enumerate(zip(names, inputs)) if array is not None and i not in constants]
    fixed = [to_proto(array, names[i]) for i, array in enumerate(inputs) if i in constants]
    made = [(name_, array) for name_, array in zip(results, outputs) if array is not None]
    graph = helper.make_graph([node], name, [to_value_info(array, name_) for name_, array in given],
                              [to_value_info(array, name_) for name_, array in made], initializer=fixed)
    imports = [helper.make_opsetid("", opset if not domain else 20)] + ([helper.make_opsetid(domain, opset)] if domain else [])
    model = helper.make_model(graph, opset_imports=imports, ir_version=10)
    data = pathlib.Path(folder, name, "test_data_set_0")
    data.mkdir(parents=True)
    onnx.save(model, str(data.parent / "model.onnx"))
    for kind, tensors in (("input", given), ("output", made)):
        for i, (name_, array) in enumerate(tensors):
            (data / f"{kind}_{i}.pb").write_bytes(to_proto(array, name_).SerializeToString())
