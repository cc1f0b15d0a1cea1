"""Models with an input whose type has no shape, into the folder named."""

import sys

from onnx import TensorProto, helper, save


def write(name, inputs, output):
    node = helper.make_node({"transpose": "Transpose", "convtranspose": "ConvTranspose", "reduce": "ReduceLogSumExp"}[name], list(inputs), ["y"])
    values = [helper.make_tensor_value_info(each, TensorProto.FLOAT, shape) for each, shape in inputs.items()]
    graph = helper.make_graph([node], name, values, [helper.make_tensor_value_info("y", TensorProto.FLOAT, output)])
    save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 13)]), f"{sys.argv[1]}/{name}.onnx")


write("transpose", {"x": None}, [4, 3, 2])
write("convtranspose", {"x": [1, 1, "n", 4, 5], "w": None}, [1, 2, "a", "b", "c"])
write("reduce", {"x": None}, [4, 3, 1])
