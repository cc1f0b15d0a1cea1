#!/usr/bin/env python3
"""Networks whose Concats move nothing, since their parts are written in place, compared with the naive path.

usage: placed_parts.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Parts by convolutions of all kinds, pools, products, rows and elementwise ops, along the channels and other axes; parts that others read, too; blocks of
Concats that contain each other; widths that fill no vector; f32, f64 and f16; for this processor and, on x86-64, for ones with smaller vectors. Exits
77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify

import numpy as np
from onnx import TensorProto, helper

KINDS = {np.float32: TensorProto.FLOAT, np.float64: TensorProto.DOUBLE, np.float16: TensorProto.FLOAT16}
# Of the largest output. Sums in another order may be rounded to the next number of f16.
BOUNDS = {np.float32: 1e-5, np.float64: 1e-5, np.float16: 2.0**-10}


class Network:
    """A graph to which each call adds a node and returns the name of its result."""

    def __init__(self, shape, element=np.float32):
        self.shape, self.element = shape, element
        self.nodes, self.constants, self.random = [], {}, np.random.default_rng(1)

    def node(self, kind, *inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name

    def weights(self, *shape):
        return self.constant((self.random.standard_normal(shape) / np.sqrt(np.prod(shape[1:]))).astype(self.element))

    def conv(self, x, depth, width, size=3, group=1, relu=True, **attributes):
        rank = len(self.shape) - 2
        y = self.node("Conv", x, self.weights(width, depth // group, *[size] * rank), self.weights(width), group=group,
                      pads=[size // 2] * 2 * rank, **attributes)
        return self.node("Relu", y) if relu else y

    def concat(self, *parts, axis=1):
        return self.node("Concat", *parts, axis=axis)

    def save(self, path, result):
        kind = KINDS[self.element]
        self.nodes.append(helper.make_node("Identity", [result], ["y"]))
        save_model(path, self.nodes, [helper.make_tensor_value_info("x", kind, self.shape)], [helper.make_tensor_value_info("y", kind, None)],
                   self.constants)


def fire(widths, shape=(1, 16, 13, 11), element=np.float32):
    """Parts of these widths with kernels of 1, 3, 5, ..., then a pointwise convolution over all of them."""
    net = Network(shape, element)
    parts = [net.conv("x", shape[1], width, 2 * number + 1) for number, width in enumerate(widths)]
    return net, net.conv(net.concat(*parts), sum(widths), 24, 1)


def dense(layers, growth, shape=(1, 32, 9, 8)):
    """Each layer reads all previous ones: Concats that contain each other."""
    net = Network(shape)
    parts, width = [net.conv("x", shape[1], shape[1])], shape[1]
    for _ in range(layers):
        all_before = net.concat(*parts) if len(parts) > 1 else parts[0]
        scaled = net.node("Relu", net.node("Add", net.node("Mul", all_before, net.weights(1, width, 1, 1)), net.weights(1, width, 1, 1)))
        parts.append(net.conv(net.conv(scaled, width, 48, 1), 48, growth, 3, relu=False))
        width += growth
    return net, net.node("GlobalAveragePool", net.concat(*parts))


def skip(width, shape=(1, 3, 16, 12)):
    """A part that a pool reads as well, beside a part that is computed from the pool."""
    net = Network(shape)
    above = net.conv(net.conv("x", 3, width), width, width)
    below = net.conv(net.node("MaxPool", above, kernel_shape=[2, 2], strides=[2, 2]), width, 2 * width)
    back = net.node("ConvTranspose", below, net.weights(2 * width, width, 2, 2), strides=[2, 2])
    return net, net.conv(net.concat(above, back), 2 * width, 5)


def inception(shape=(2, 32, 12, 12)):
    """Pools, strides, groups, and a depthwise convolution with its pointwise one."""
    net = Network(shape)
    parts = [net.node("MaxPool", "x", kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4),
             net.node("AveragePool", "x", kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4, count_include_pad=1),
             net.conv("x", 32, 48, 3, strides=[2, 2]),
             net.conv(net.conv("x", 32, 32, 3, group=32, strides=[2, 2]), 32, 16, 1),
             net.conv("x", 32, 64, 5, group=4, strides=[2, 2])]
    return net, net.node("Sigmoid", net.concat(*parts))


def rows(axis):
    """Rows, products and elementwise operators. A part and the whole are read by reductions, products and other Concats."""
    net = Network((6, 16, 32))
    product = net.node("MatMul", "x", net.weights(32, 32))
    rows = net.node("Softmax", product, axis=-1)
    other = net.node("Tanh", "x")
    whole = net.concat(product, rows, other, axis=axis)
    mean = net.node("ReduceMean", other, axes=[2], keepdims=1)
    scaled = net.node("Mul", other, mean)
    inner = net.concat(rows, scaled, axis=1)
    sums = [net.node("ReduceSum", value, net.constant(np.array([1], np.int64)), keepdims=1) for value in (inner, whole)]
    return net, net.node("Mul", *sums) if axis == 1 else net.node("Concat", *[net.node("ReduceMax", value, keepdims=1) for value in (inner, whole)], axis=0)


NETWORKS = {
    "fire": lambda: fire((32, 48)),
    "fire, narrow end": lambda: fire((16, 32, 21), (1, 16, 7, 7)),
    "fire, 1-D, two images": lambda: fire((16, 24), (2, 16, 37)),
    "fire, 3-D": lambda: fire((16, 20), (1, 16, 4, 5, 6)),
    "fire, f64": lambda: fire((16, 19), element=np.float64),
    "fire, f16": lambda: fire((32, 32), element=np.float16),
    "dense": lambda: dense(4, 16),
    "dense, narrow": lambda: dense(3, 24),
    "skip": lambda: skip(16),
    "skip, odd": lambda: skip(20),
    "inception": inception,
    "rows along the first axis": lambda: rows(0),
    "rows along the middle axis": lambda: rows(1),
}


def cases(tools, work):
    model, library = work / "parts.onnx", work / "parts.so"
    for name, make in NETWORKS.items():
        net, result = make()
        net.save(model, result)
        for processor in processors():
            yield f"{name} {processor}", (build(tools, model, library, f"--cpu={processor}", "--threads=2") or
                                          verify(tools, model, library, "--threads=2", f"--rtol={BOUNDS[net.element]}"))


if __name__ == "__main__":
    judge_all(cases)
