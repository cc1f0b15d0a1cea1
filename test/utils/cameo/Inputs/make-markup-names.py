"""Writes a model whose names would end a script, an element or an attribute."""
import sys

import onnx
from onnx import TensorProto, helper

NAME = "</script><script>alert(1)</script><!--<img src=x onerror=\"alert(1)\">'"
values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in (NAME, "y")]
node = helper.make_node("Relu", [NAME], ["y"], name=NAME)
onnx.save(helper.make_model(helper.make_graph([node], "g", values[:1], values[1:]), opset_imports=[helper.make_opsetid("", 17)], ir_version=8), sys.argv[1])
