#!/usr/bin/env python3
"""Writes the models of the micro-benchmarks, one operator each: kernel_models.py FOLDER makes them, --list prints the table of C macros.

Convolutions take and give channels last, and inputs that are padded already: what they meet inside of a network, where
reorders are cancelled and producers write into padded buffers.
"""

import pathlib
import sys

# Name: kind and sizes. Products: M, N, K. Convolutions: height, width, input channels, output channels, kernel, stride, groups. Rows: count, length.
KERNELS = {
    "gemm_512x512x512": ("GEMM", 512, 512, 512),
    "gemm_1024x1024x1024": ("GEMM", 1024, 1024, 1024),
    "gemm_3136x64x576": ("GEMM", 3136, 64, 576),
    "gemm_49x512x4608": ("GEMM", 49, 512, 4608),
    "gemv_1x1000x512": ("GEMM", 1, 1000, 512),
    "gemv_1x4096x4096": ("GEMM", 1, 4096, 4096),
    "conv_3x3_56x56_64_64": ("CONV", 56, 56, 64, 64, 3, 1, 1),
    "conv_3x3_28x28_128_128": ("CONV", 28, 28, 128, 128, 3, 1, 1),
    "conv_3x3_14x14_256_256": ("CONV", 14, 14, 256, 256, 3, 1, 1),
    "conv_3x3_7x7_512_512": ("CONV", 7, 7, 512, 512, 3, 1, 1),
    "conv_3x3_56x56_64_128_s2": ("CONV", 56, 56, 64, 128, 3, 2, 1),
    "conv_7x7_224x224_3_64_s2": ("CONV", 224, 224, 3, 64, 7, 2, 1),
    "conv_1x1_56x56_64_256": ("CONV", 56, 56, 64, 256, 1, 1, 1),
    "depthwise_3x3_112x112_32": ("CONV", 112, 112, 32, 32, 3, 1, 32),
    "softmax_1536x128": ("SOFTMAX", 1536, 128),
    "layernorm_128x768": ("LAYERNORM", 128, 768),
}


def nodes_of(kind, sizes, weight):
    """Returns the input shape, the output shape and the nodes. `weight` adds an initializer of a shape and returns its name."""
    from onnx import helper

    if kind == "GEMM":
        m, n, k = sizes
        return [m, k], [m, n], [helper.make_node("MatMul", ["x", weight(k, n)], ["y"])]
    if kind == "CONV":
        height, width, channels, filters, kernel, stride, groups = sizes
        pad = kernel // 2
        nodes = [
            helper.make_node("Transpose", ["x"], ["first"], perm=[0, 3, 1, 2]),
            helper.make_node("Conv", ["first", weight(filters, channels // groups, kernel, kernel), weight(filters)], ["last"],
                             strides=[stride, stride], group=groups),
            helper.make_node("Transpose", ["last"], ["y"], perm=[0, 2, 3, 1]),
        ]
        return [1, height + 2 * pad, width + 2 * pad, channels], [1, height // stride, width // stride, filters], nodes
    rows, length = sizes
    if kind == "SOFTMAX":
        return [rows, length], [rows, length], [helper.make_node("Softmax", ["x"], ["y"], axis=-1)]
    node = helper.make_node("LayerNormalization", ["x", weight(length), weight(length)], ["y"], axis=-1)
    return [rows, length], [rows, length], [node]


def make(name, folder):
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    kind, *sizes = KERNELS[name]
    random, weights = np.random.Generator(np.random.PCG64(len(name))), []

    def weight(*shape):
        values = random.standard_normal(shape, dtype=np.float32) / np.float32(np.sqrt(max(np.prod(shape[1:]), 1)))
        weights.append(numpy_helper.from_array(values, f"weight{len(weights)}"))
        return weights[-1].name

    shape, result, nodes = nodes_of(kind, sizes, weight)
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, result)
    graph = helper.make_graph(nodes, name, [x], [y], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, folder / f"{name}.onnx")


def main():
    if sys.argv[1] == "--list":
        for name, (kind, *sizes) in KERNELS.items():
            print(f"{kind}({name}, {', '.join(map(str, sizes))})")
        return
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in KERNELS:
        make(name, folder)


if __name__ == "__main__":
    main()
