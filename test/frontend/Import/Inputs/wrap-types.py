#!/usr/bin/env python3
"""Makes sequences, optional values, maps or sequences of maps of inputs and outputs, those of bodies too, which the installed text syntax cannot express:
wrap-types.py MODEL.onnxtxt OUT.onnx seq:NAME... optional:NAME... map:NAME... stringmap:NAME... maps:NAME...
"""

import pathlib
import sys

import onnx
from onnx import helper, parser


def make_map_type(value_type, key_type=onnx.TensorProto.INT64):
    wrapped = onnx.TypeProto()
    wrapped.map_type.key_type = key_type
    wrapped.map_type.value_type.CopyFrom(value_type)
    return wrapped


def make_maps_type(value_type):
    return helper.make_sequence_type_proto(make_map_type(value_type))


def make_string_map_type(value_type):
    return make_map_type(value_type, onnx.TensorProto.STRING)


WRAPPERS = {"map": make_map_type, "stringmap": make_string_map_type, "maps": make_maps_type, "seq": helper.make_sequence_type_proto, "optional": helper.make_optional_type_proto}


def find_values(graph):
    yield from [*graph.input, *graph.output]
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from find_values(attribute.g)


def main():
    source, target, *wraps = sys.argv[1:]
    model = parser.parse_model(pathlib.Path(source).read_text())
    for wrap in wraps:
        kind, _, name = wrap.partition(":")
        for value in find_values(model.graph):
            if value.name == name:
                value.type.CopyFrom(WRAPPERS[kind](value.type))
    pathlib.Path(target).write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main()
