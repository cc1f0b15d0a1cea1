"""A model of float32 in float16: weights, inputs, outputs and casts."""

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

# Inputs of operators that are float32 whatever the type of the others.
SINGLES = {"Resize": [2], "Upsample": [1], "DequantizeLinear": [1], "QuantizeLinear": [1]}


def to_half(numbers):
    """Returns the nearest finite numbers: masks contain the lowest number of float32."""
    return np.clip(numbers, np.finfo(np.float16).min, np.finfo(np.float16).max).astype(np.float16)


def halve_tensor(tensor):
    if tensor.data_type == TensorProto.FLOAT:
        tensor.CopyFrom(numpy_helper.from_array(to_half(numpy_helper.to_array(tensor)), tensor.name))


def halve_graph(graph):
    singles = {node.input[place] for node in graph.node for place in SINGLES.get(node.op_type, []) if place < len(node.input)}
    for tensor in graph.initializer:
        if tensor.name not in singles:
            halve_tensor(tensor)
    for value in (*graph.input, *graph.output):
        if value.type.tensor_type.elem_type == TensorProto.FLOAT:
            value.type.tensor_type.elem_type = TensorProto.FLOAT16
    del graph.value_info[:]
    for node in graph.node:
        if node.op_type == "ConstantOfShape" and not node.attribute and not singles.intersection(node.output):
            node.attribute.append(onnx.helper.make_attribute("value", numpy_helper.from_array(np.zeros(1, np.float16))))
        for attribute in node.attribute:
            if attribute.HasField("t") and not singles.intersection(node.output):
                halve_tensor(attribute.t)
            if attribute.name == "value_float":
                attribute.CopyFrom(onnx.helper.make_attribute("value", numpy_helper.from_array(to_half(np.float32(attribute.f)))))
            if node.op_type == "Cast" and attribute.name == "to" and attribute.i == TensorProto.FLOAT:
                attribute.i = TensorProto.FLOAT16
            if attribute.HasField("g"):
                halve_graph(attribute.g)


def halve(model):
    """Converts the model in place and returns it."""
    halve_graph(model.graph)
    return model
