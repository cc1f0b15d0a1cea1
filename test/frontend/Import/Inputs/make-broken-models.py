#!/usr/bin/env python3
"""Writes models with one fault each, that text syntax cannot express, to a folder: make-broken-models.py FOLDER"""

import pathlib
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


def make_model(weight=None, dims=(2,)):
    """y = x + w"""
    weight = weight or numpy_helper.from_array(numpy.ones(2, numpy.float32), "w")
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)
    graph = helper.make_graph([helper.make_node("Add", ["x", "w"], ["y"], name="sum")], "g", [value("x")], [value("y")],
                              [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def make_external(location, offset=0):
    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2], data_location=TensorProto.EXTERNAL)
    weight.external_data.add(key="location", value=location)
    weight.external_data.add(key="offset", value=str(offset))
    return make_model(weight)


def make_string_model(weights=(), **constant):
    """y = x + w, strings of which one holds a zero byte: an initializer or the attribute of a constant"""
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.STRING, (2,))
    nodes = [helper.make_node("StringConcat", ["x", "w"], ["y"], name="sum")]
    if constant:
        nodes.insert(0, helper.make_node("Constant", [], ["w"], name="words", **constant))
    graph = helper.make_graph(nodes, "g", [value("x")], [value("y")], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    zero_string = TensorProto(name="w", data_type=TensorProto.STRING, dims=[2], string_data=[b"a", b"b\0c"])
    models = {
        "short-data": make_model(TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2], raw_data=b"1234")),
        "negative-weight": make_model(TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[-2], raw_data=b"")),
        "huge-weight": make_model(TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[1 << 40, 1 << 40])),
        "bad-type": make_model(TensorProto(name="w", data_type=99, dims=[2], raw_data=b"12345678")),
        "external-missing": make_external("none.bin"),
        "external-short": make_external("short.bin"),
        "external-outside": make_external("../short.bin"),
        "external-folder": make_external("."),
        "external-folder-below": make_external("below"),
        "external-zero-byte": make_external("whole.bin\0"),
        "negative-input": make_model(dims=(-2,)),
        "zero-byte-initializer": make_string_model([zero_string]),
        "zero-byte-tensor": make_string_model(value=zero_string),
        "zero-byte-string": make_string_model(value_string=b"a\0b"),
        "zero-byte-strings": make_string_model(value_strings=[b"a", b"\0"]),
    }
    (folder / "below").mkdir()
    (folder / "short.bin").write_bytes(b"1234")
    (folder / "whole.bin").write_bytes(b"12345678")
    long_name = make_model()
    long_name.graph.node[0].op_type = "Long" * 100000
    models["long-name"] = long_name
    no_outputs = make_model()
    del no_outputs.graph.output[:]
    models["no-outputs"] = no_outputs
    with_map = make_model()
    with_map.graph.input[0].type.map_type.key_type = TensorProto.INT64
    models["map-input"] = with_map
    for name, model in models.items():
        (folder / f"{name}.onnx").write_bytes(model.SerializeToString())
    whole = make_model().SerializeToString()
    (folder / "truncated.onnx").write_bytes(whole[:len(whole) // 2])
    (folder / "empty.onnx").write_bytes(b"")
    (folder / "text.onnx").write_text("this is no model, it is a sentence\n")


if __name__ == "__main__":
    main()
