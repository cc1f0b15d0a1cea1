#!/usr/bin/env python3
"""Functions of models: attributes that the call gives or leaves out, inputs that it leaves out, functions in functions and graphs in them. Compared with
the naive path and ONNX Runtime.

usage: model_functions.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, verify_against

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper

DOMAIN, OPSET = "local", 17
IMPORTS = [helper.make_opsetid("", OPSET), helper.make_opsetid(DOMAIN, 1)]
FLOAT, FLOATS, INT, INTS, TENSOR = AttributeProto.FLOAT, AttributeProto.FLOATS, AttributeProto.INT, AttributeProto.INTS, AttributeProto.TENSOR
node, value = helper.make_node, helper.make_tensor_value_info


def referring(made, **references):
    """Returns the node with references to attributes of its function: by name the type and the referenced name."""
    made.attribute.extend(AttributeProto(name=name, type=type_, ref_attr_name=reference) for name, (type_, reference) in references.items())
    return made


def function(name, inputs, outputs, nodes, attributes=()):
    return helper.make_function(DOMAIN, name, inputs, outputs, nodes, IMPORTS, list(attributes))


def call(name, inputs, outputs, **attributes):
    return node(name, inputs, outputs, domain=DOMAIN, **attributes)


def body(nodes, inputs, outputs):
    return helper.make_graph(nodes, "body", [value(name, TensorProto.FLOAT, shape) for name, shape in inputs],
                             [value(name, TensorProto.FLOAT, shape) for name, shape in outputs])


def array(name, numbers, type_=np.float32):
    return numpy_helper.from_array(np.array(numbers, type_), name)


CLIP = function("Limit", ["a", "low", "high"], ["b"], [node("Clip", ["a", "low", "high"], ["b"])])
SOFTMAX = function("Inner", ["a"], ["b"], [referring(node("Softmax", ["a"], ["b"]), axis=(INT, "along"))], ["along"])
TWO = function("Two", ["a"], ["p", "q"], [node("Relu", ["a"], ["p"]), node("Neg", ["p"], ["q"])])
SUM = body([node("Add", ["h", "a"], ["s"]), node("Neg", ["s"], ["o"])], [("h", [2]), ("a", [2])], [("s", [2]), ("o", [2])])

# Name, functions, nodes, shapes of inputs, constants.
CASES = [
    ("input_left_out", [CLIP], [call("Limit", ["x", "", "high"], ["y"])], {"x": [5]}, [array("high", 0.3)]),
    ("last_input_left_out", [CLIP], [call("Limit", ["x", "low"], ["y"])], {"x": [5]}, [array("low", 0.3)]),
    ("output_left_out", [TWO], [call("Two", ["x"], ["", "y"])], {"x": [5]}, []),
    ("attribute_handed_on", [function("Outer", ["a"], ["b"], [referring(call("Inner", ["a"], ["b"]), along=(INT, "axis"))], ["axis"]), SOFTMAX],
     [call("Outer", ["x"], ["y"], axis=0)], {"x": [4, 3]}, []),
    ("attribute_left_out", [function("Outer", ["a"], ["b"], [referring(call("Inner", ["a"], ["b"]), along=(INT, "axis"))], ["axis"]), SOFTMAX],
     [call("Outer", ["x"], ["y"])], {"x": [4, 3]}, []),
    ("constant_given", [function("Fill", ["a"], ["b"], [referring(node("Constant", [], ["k"]), value=(TENSOR, "numbers")), node("Add", ["a", "k"], ["b"])], ["numbers"])],
     [call("Fill", ["x"], ["y"], numbers=array("", [1, 2, 3]))], {"x": [3]}, []),
    # Two alternative forms, of which each call gives one.
    ("constant_of_two_forms", [function("Fill", ["a"], ["b"], [referring(node("Constant", [], ["k"]), value_float=(FLOAT, "one"), value_floats=(FLOATS, "several")),
                                                               node("Add", ["a", "k"], ["b"])], ["one", "several"])],
     [call("Fill", ["x"], ["z"], one=2.0), call("Fill", ["z"], ["y"], several=[1.0, 2.0, 3.0])], {"x": [3]}, []),
    # Operators of sequences and of graphs read their attributes themselves.
    ("sequence", [function("Join", ["a"], ["b"], [referring(node("SplitToSequence", ["a"], ["s"]), axis=(INT, "from"), keepdims=(INT, "keep")),
                                                  referring(node("ConcatFromSequence", ["s"], ["b"]), axis=(INT, "to"), new_axis=(INT, "new"))], ["from", "to", "keep", "new"])],
     [call("Join", ["x"], ["z"], **{"from": 1, "to": 0, "keep": 0, "new": 1}), call("Join", ["z"], ["y"], **{"from": 0, "to": 1})], {"x": [2, 3]}, []),
    ("sequence_of_open_size", [function("Join", ["a"], ["b"], [referring(node("SplitToSequence", ["a"], ["s"]), axis=(INT, "along")),
                                                               referring(node("ConcatFromSequence", ["s"], ["b"]), axis=(INT, "along"))], ["along"])],
     [call("Join", ["x"], ["z"], along=-1), node("Relu", ["z"], ["y"])], {"x": [2, "n"]}, []),
    ("scan", [function("Sums", ["h", "a"], ["s", "o"], [referring(node("Scan", ["h", "a"], ["s", "o"], body=SUM), num_scan_inputs=(INT, "count"), scan_input_axes=(INTS, "axes"),
                                                                  scan_input_directions=(INTS, "directions"), scan_output_axes=(INTS, "axes"))], ["count", "axes", "directions"])],
     [call("Sums", ["h", "x"], ["s", "y"], count=1, axes=[1], directions=[1])], {"h": [2], "x": [2, 4]}, []),
    ("branch", [function("Either", ["c", "a"], ["b"], [node("If", ["c"], ["b"], then_branch=body([referring(node("Softmax", ["a"], ["t"]), axis=(INT, "along"))], [], [("t", None)]),
                                                            else_branch=body([referring(node("LogSoftmax", ["a"], ["e"]), axis=(INT, "along"))], [], [("e", None)]))], ["along"])],
     [node("ReduceSum", ["x"], ["total"], keepdims=0), node("Less", ["total", "zero"], ["c"]), call("Either", ["c", "x"], ["y"], along=0)], {"x": [4, 3]}, [array("zero", 0)]),
]


def cases(tools, work):
    for name, functions, nodes, shapes, constants in CASES:
        path, library = work / f"{name}.onnx", work / f"{name}.so"
        graph = helper.make_graph(nodes, name, [value(each, TensorProto.FLOAT, shape) for each, shape in shapes.items()], [value("y", TensorProto.FLOAT, None)], constants)
        onnx.save(helper.make_model(graph, functions=functions, opset_imports=IMPORTS, ir_version=8), path)
        sizes = ["--dim=n=5"] if any("n" in shape for shape in shapes.values()) else []
        for options in ([], ["--naive"]):
            yield f"{name} {options}", build(tools, path, library, *options) or verify_against(["naive", "onnxruntime"], tools, path, library, *sizes)


if __name__ == "__main__":
    judge_all(cases)
