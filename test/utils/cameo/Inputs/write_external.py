"""Writes a model whose weights are in a separate file: its name with .bin."""

import pathlib
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

path = pathlib.Path(sys.argv[1])
factor = numpy_helper.from_array(np.full(4, float(sys.argv[2]) if len(sys.argv) > 2 else 3, np.float32), "factor")
path.with_suffix(".bin").write_bytes(factor.raw_data)
factor.ClearField("raw_data")
factor.data_location = TensorProto.EXTERNAL
factor.external_data.add(key="location", value=path.with_suffix(".bin").name)
x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy")
graph = helper.make_graph([helper.make_node("Mul", ["x", "factor"], ["y"])], path.stem, [x], [y], [factor])
save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
