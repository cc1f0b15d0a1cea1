"""Writes a network of float16 with a product in tiles, one of a row, a softmax, a product of two computed operands, and a copy of rows.

usage: make-half-layers.py MODEL.onnx
"""

import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

generator = numpy.random.default_rng(0)
weight = lambda name, *shape: numpy_helper.from_array((generator.standard_normal(shape) / 16).astype(numpy.float16), name)
value = lambda name, *shape: helper.make_tensor_value_info(name, TensorProto.FLOAT16, shape)
nodes = [
    helper.make_node("MatMul", ["x", "w"], ["p"]),
    helper.make_node("Add", ["p", "b"], ["q"]),
    helper.make_node("MatMul", ["row", "long"], ["r"]),
    helper.make_node("Add", ["q", "r"], ["s"]),
    helper.make_node("Softmax", ["s"], ["t"], axis=-1),
    helper.make_node("Transpose", ["q"], ["u"], perm=[1, 0]),
    helper.make_node("MatMul", ["t", "u"], ["v"]),
    helper.make_node("Relu", ["v"], ["y"]),
]
graph = helper.make_graph(nodes, "net", [value("x", 96, 128), value("row", 1, 1024)], [value("y", 96, 96), value("t", 96, 64)],
                          [weight("w", 128, 64), weight("b", 64), weight("long", 1024, 64)])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
