"""Writes models whose names hold what moves a terminal's cursor or ends a line.

usage: make-hostile-names.py FOLDER
writes FOLDER/good.onnx, which compiles, and FOLDER/bad.onnx, which does not.
"""

import pathlib
import sys

import onnx
from onnx import TensorProto, helper

ODD = "\x1b[2J\x7f\u009b1m\nforged: ok\r"


def save(path, op_type, domain):
    shape = [3, 4]
    x = helper.make_tensor_value_info(ODD + "x", TensorProto.FLOAT, shape)
    y = helper.make_tensor_value_info(ODD + "y", TensorProto.FLOAT, shape)
    nodes = [helper.make_node("Exp", [ODD + "x"], [ODD + "t"], name=ODD + "exp"), helper.make_node(op_type, [ODD + "t"], [ODD + "y"], name=ODD + "last", domain=domain)]
    graph = helper.make_graph(nodes, ODD + "graph", [x], [y])
    domains = {"": 17, domain: 17 if domain == "" else 1}
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid(each, version) for each, version in domains.items()])
    model.ir_version = 8
    onnx.save(model, path)


def main():
    folder = pathlib.Path(sys.argv[1])
    save(folder / "good.onnx", "Softmax", "")
    save(folder / "bad.onnx", ODD + "Unheard", ODD + "domain")


if __name__ == "__main__":
    main()
