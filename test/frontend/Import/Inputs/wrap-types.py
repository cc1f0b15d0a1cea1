#!/usr/bin/env python3
"""Makes sequences, optional values or sequences of maps of inputs and outputs, which the installed text syntax cannot express:
wrap-types.py MODEL.onnxtxt OUT.onnx seq:NAME... optional:NAME... maps:NAME...
"""

import pathlib
import sys

import onnx
from onnx import helper, parser


def make_maps_type(value_type):
    maps = onnx.TypeProto()
    each = maps.sequence_type.elem_type.map_type
    each.key_type = onnx.TensorProto.INT64
    each.value_type.CopyFrom(value_type)
    return maps


WRAPPERS = {"maps": make_maps_type, "seq": helper.make_sequence_type_proto, "optional": helper.make_optional_type_proto}


def main():
    source, target, *wraps = sys.argv[1:]
    model = parser.parse_model(pathlib.Path(source).read_text())
    for wrap in wraps:
        kind, _, name = wrap.partition(":")
        for value in [*model.graph.input, *model.graph.output]:
            if value.name == name:
                value.type.CopyFrom(WRAPPERS[kind](value.type))
    pathlib.Path(target).write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main()
