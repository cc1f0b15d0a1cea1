"""Models of types that a run has no memory for, into the folder named."""

import sys

from onnx import TensorProto, helper, save


def write(name, nodes, inputs, outputs):
    graph = helper.make_graph(nodes, "net", inputs, outputs)
    save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 18)]), f"{sys.argv[1]}/{name}.onnx")


complexes = helper.make_tensor_type_proto(TensorProto.COMPLEX64, [4])
floats = helper.make_tensor_type_proto(TensorProto.FLOAT, [4])
x, z = helper.make_value_info("x", complexes), helper.make_value_info("z", floats)
write("complex_output", [helper.make_node("Identity", ["x"], ["y"])], [x], [helper.make_value_info("y", complexes)])
write("complex_input", [helper.make_node("Neg", ["z"], ["y"])], [x, z], [helper.make_value_info("y", floats)])
write("absent_output", [helper.make_node("Optional", [], ["y"], type=floats)], [z], [helper.make_value_info("y", helper.make_optional_type_proto(floats))])
