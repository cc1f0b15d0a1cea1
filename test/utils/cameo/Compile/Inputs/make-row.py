"""Writes a model that multiplies one row by a matrix of 256x384 normal numbers, or as many as are given at run time: make-row.py FILE [NAME_OF_THEIR_NUMBER]"""
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

rows = sys.argv[2] if len(sys.argv) > 2 else 1
weights = np.random.default_rng(1).standard_normal((256, 384)).astype(np.float32)
graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "row",
                          [helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, 256])],
                          [helper.make_tensor_value_info("y", TensorProto.FLOAT, [rows, 384])], [numpy_helper.from_array(weights, "w")])
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
