"""Writes a model whose Split has 200 parts, the sizes of which are an initializer of 1600 bytes.

usage: make-long-split.py FILE.onnx
"""

import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

PARTS = 200

names = [f"part_{i}" for i in range(PARTS)]
nodes = [helper.make_node("Split", ["x", "sizes"], names, axis=1), helper.make_node("Concat", names[::-1], ["y"], axis=1)]
values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", PARTS]) for name in "xy"]
sizes = numpy_helper.from_array(numpy.ones(PARTS, numpy.int64), "sizes")
graph = helper.make_graph(nodes, "long_split", values[:1], values[1:], initializer=[sizes])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7), sys.argv[1])
