"""Writes a model of two 3x3 convolutions of 128 channels at 28x28, whose filters are large enough for Winograd's filtering: make_convolutions.py FILE.onnx"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

random = np.random.default_rng(1)
filters = [numpy_helper.from_array(random.standard_normal((128, 128, 3, 3), dtype=np.float32), name) for name in "wv"]
nodes = [helper.make_node("Conv", ["x", "w"], ["h"], pads=[1] * 4), helper.make_node("Relu", ["h"], ["r"]),
         helper.make_node("Conv", ["r", "v"], ["y"], pads=[1] * 4)]
inputs, outputs = ([helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 128, 28, 28])] for name in "xy")
graph = helper.make_graph(nodes, "convolutions", inputs, outputs, filters)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
