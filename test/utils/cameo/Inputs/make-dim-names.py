"""Writes a model whose dimensions have names that are no identifiers, or none.

usage: make-dim-names.py FILE
"""

import sys

from onnx import TensorProto, helper, save

inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch size", 4]), helper.make_tensor_value_info("z", TensorProto.FLOAT, [None, "length"])]
outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in "yw"]
nodes = [helper.make_node("Relu", ["x"], ["y"]), helper.make_node("Relu", ["z"], ["w"])]
save(helper.make_model(helper.make_graph(nodes, "net", inputs, outputs), opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
