#!/usr/bin/env python3
"""Gives the first dimension of every input the name `batch`, so that each run chooses it.

usage: name_batch.py MODEL.onnx OUT.onnx
"""

import sys

import onnx


def main():
    model = onnx.load(sys.argv[1])
    constants = {tensor.name for tensor in model.graph.initializer}
    for value in model.graph.input:
        if value.name not in constants:
            value.type.tensor_type.shape.dim[0].dim_param = "batch"
    # What the file states about other values is true for one size only.
    del model.graph.value_info[:]
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    onnx.save(model, sys.argv[2])
    return 0


if __name__ == "__main__":
    sys.exit(main())
