"""Writes a model with 64 MB of weights."""

import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

weights = numpy_helper.from_array(np.arange(1 << 24, dtype=np.float32), "weights")
x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1 << 24]) for name in "xy")
graph = helper.make_graph([helper.make_node("Mul", ["x", "weights"], ["y"])], "large", [x], [y], [weights])
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
