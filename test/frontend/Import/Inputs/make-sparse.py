#!/usr/bin/env python3
"""Makes sparse tensors of constants, which the installed text syntax cannot express: of an initializer, or of the `value` of a Constant by the name of its output.
make-sparse.py MODEL.onnxtxt OUT.onnx NAME=DIMS@INDICES... such as w=3x4@0,5,11 or, with an index per dimension, w=3x4@0,0;1,1;2,3
"""

import pathlib
import sys

import numpy
import onnx
from onnx import numpy_helper, parser


def make_sparse(values, dims, indices):
    rows = [[int(index) for index in row.split(",")] for row in indices.split(";")]
    array = numpy.array(rows if ";" in indices else rows[0], numpy.int64)
    sparse = onnx.SparseTensorProto(dims=[int(size) for size in dims.split("x")])
    sparse.values.CopyFrom(values)
    sparse.indices.CopyFrom(numpy_helper.from_array(array))
    return sparse


def main():
    source, target, *tensors = sys.argv[1:]
    model = parser.parse_model(pathlib.Path(source).read_text())
    for tensor in tensors:
        name, _, form = tensor.partition("=")
        dims, _, indices = form.partition("@")
        for initializer in [each for each in model.graph.initializer if each.name == name]:
            model.graph.sparse_initializer.append(make_sparse(initializer, dims, indices))
            model.graph.initializer.remove(initializer)
        for node in model.graph.node:
            if node.output[0] == name:
                sparse = make_sparse(node.attribute[0].t, dims, indices)
                node.attribute[0].CopyFrom(onnx.AttributeProto(name="sparse_value", type=onnx.AttributeProto.SPARSE_TENSOR, sparse_tensor=sparse))
    pathlib.Path(target).write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main()
