#!/usr/bin/env python3
"""Products of bytes, compared with NumPy exactly: every combination of signs, zero points, sizes that fill no group or vector,
the extremes that saturate 16 bits; convolutions between quantisations, written as QLinearConv and with QuantizeLinear and
DequantizeLinear around float operators; products whose zero points a run computes or is given, with weights around any numbers.

usage: integer_products.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

For this processor and, on x86-64, for those with other instructions that it can run. Exits 77 (skipped) without the onnx module.
"""

import pathlib
import platform
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, save_model

import numpy as np
from onnx import TensorProto, helper

# Processors by the instructions that multiply bytes, and the feature that this machine needs to run their code.
PROCESSORS = {"x86-64": "sse2", "x86-64-v3": "avx2", "x86-64-v4": "avx512bw", "icelake-server": "avx512_vnni"}
BYTES = (np.int8, np.uint8)
# rows, depth, columns; whether the right operand is a constant
MATRICES = [(1, 64, 48, True), (5, 37, 19, True), (9, 3, 33, True), (16, 128, 16, False), (11, 27, 40, False), (7, 1, 5, True)]
# input and output channels, rows and columns, kernel, padding, stride, groups
CONVOLUTIONS = [(8, 16, 9, 3, 1, 1, 1), (3, 17, 12, 5, 2, 2, 1), (33, 7, 6, 1, 0, 1, 1), (12, 24, 7, 3, 1, 1, 3), (16, 16, 8, 3, 1, 1, 16),
                (1, 16, 12, 7, 0, 1, 1)]
# input and output channels, rows, columns, kernel, padding (begins, then ends), strides, dilations, groups, whether batch, rows and columns are dynamic
WINDOWS = [(8, 16, 9, 11, (3, 3), (1, 1, 1, 1), (1, 1), (1, 1), 1, False), (5, 20, 12, 7, (3, 2), (2, 0, 1, 1), (2, 1), (1, 2), 1, True),
           (33, 7, 6, 6, (1, 1), (0, 0, 0, 0), (1, 1), (1, 1), 1, False), (12, 24, 7, 7, (3, 3), (1, 2, 0, 1), (1, 2), (1, 1), 3, False),
           (16, 16, 8, 8, (3, 3), (2, 2, 2, 2), (1, 1), (2, 2), 16, True), (40, 17, 10, 10, (5, 5), (2, 2, 2, 2), (2, 2), (1, 1), 1, False),
           (32, 32, 11, 9, (3, 3), (1, 1, 1, 1), (1, 1), (1, 1), 1, True)]


def random_bytes(random, kind, shape, extreme):
    info = np.iinfo(kind)
    if extreme:
        return random.choice(np.array([info.min, info.max], kind), shape)
    return random.integers(info.min, info.max, shape, endpoint=True).astype(kind)


def save_products(path, nodes, constants, inputs, shape, kind):
    types = {np.dtype(np.int8): TensorProto.INT8, np.dtype(np.uint8): TensorProto.UINT8, np.dtype(np.float32): TensorProto.FLOAT}
    save_model(path, nodes, [helper.make_tensor_value_info(name, types[array.dtype], array.shape) for name, array in inputs.items()],
               [helper.make_tensor_value_info("y", types.get(np.dtype(kind), TensorProto.INT32), shape)], constants)


def matrix_case(random, path, shape, kinds, zeros, extreme):
    rows, depth, columns, is_constant = shape
    left, right = random_bytes(random, kinds[0], (rows, depth), extreme), random_bytes(random, kinds[1], (depth, columns), extreme)
    inputs, constants = {"a": left}, {}
    (constants if is_constant else inputs)["b"] = right
    expected = [left.astype(np.int64), right.astype(np.int64)]
    names = ["a", "b"]
    for side, (name, kind) in enumerate(zip(("za", "zb"), kinds)):
        if zeros:
            zero = random_bytes(random, kind, (), False)
            constants[name] = np.asarray(zero, kind)
            expected[side] = expected[side] - int(zero)
            names.append(name)
    save_products(path, [helper.make_node("MatMulInteger", names, ["y"])], constants, inputs, (rows, columns), np.int32)
    return inputs, expected[0] @ expected[1]


def convolve_windows(image, weights, pads, strides, dilations, groups):
    image = np.pad(image, ((0, 0), (pads[0], pads[2]), (pads[1], pads[3])))
    extents = [(count - 1) * dilation + 1 for count, dilation in zip(weights.shape[2:], dilations)]
    sizes = [(size - extent) // stride + 1 for size, extent, stride in zip(image.shape[1:], extents, strides)]
    depth, channels = weights.shape[1], weights.shape[0] // groups
    result = np.zeros((weights.shape[0], *sizes), np.int64)
    for row in range(sizes[0]):
        for column in range(sizes[1]):
            rows, columns = (slice(at * stride, at * stride + extent, dilation)
                             for at, stride, extent, dilation in zip((row, column), strides, extents, dilations))
            window = image[:, rows, columns]
            for group in range(groups):
                part = slice(group * channels, (group + 1) * channels)
                result[part, row, column] = np.tensordot(weights[part], window[group * depth:(group + 1) * depth], 3)
    return result


def convolve(image, weights, padding, stride, groups):
    return convolve_windows(image, weights, [padding] * 4, [stride] * 2, [1] * 2, groups)


def convolution_case(random, path, shape, kinds, zeros, extreme):
    depth, channels, size, kernel, padding, stride, groups = shape
    image = random_bytes(random, kinds[0], (1, depth, size, size), extreme)
    weights = random_bytes(random, kinds[1], (channels, depth // groups, kernel, kernel), extreme)
    constants, names = {"w": weights}, ["x", "w"]
    image_zero = weight_zero = 0
    if zeros:
        image_zero, weight_zero = int(random_bytes(random, kinds[0], (), False)), int(random_bytes(random, kinds[1], (), False))
        # Quantised weights are usually symmetric.
        weight_zero = weight_zero if extreme else 0
        constants.update(zx=np.asarray(image_zero, kinds[0]), zw=np.asarray(weight_zero, kinds[1]))
        names += ["zx", "zw"]
    expected = convolve(image[0].astype(np.int64) - image_zero, weights.astype(np.int64) - weight_zero, padding, stride, groups)
    node = helper.make_node("ConvInteger", names, ["y"], pads=[padding] * 4, strides=[stride] * 2, group=groups)
    save_products(path, [node], constants, {"x": image}, (1, *expected.shape), np.int32)
    return {"x": image}, expected[None]


def quantise(values, zero, kind):
    info = np.iinfo(kind)
    return np.clip(np.rint(values) + zero, info.min, info.max).astype(kind)


def quantised_case(random, path, shape, kinds, zeros, extreme):
    """QLinearConv, or a Conv with a ReLU between quantisations. Scales are powers of two, so many sums are ties."""
    depth, channels, size, kernel, padding, stride, groups = shape
    kind, scale, out = kinds[0], np.float32(0.25), np.float32(2.0 ** int(random.integers(-1, 6)))
    image = random_bytes(random, kind, (1, depth, size, size), extreme)
    weights = random_bytes(random, np.int8, (channels, depth // groups, kernel, kernel), extreme)
    scales = np.float32(2.0) ** random.integers(-7, -4, channels).astype(np.float32)
    bias = random.integers(-1000, 1000, channels).astype(np.int32)
    zero = int(random_bytes(random, kind, (), False))
    sums = convolve(image[0].astype(np.int64) - zero, weights.astype(np.int64), padding, stride, groups) + bias[:, None, None]
    real = sums.astype(np.float32) * (scale * scales)[:, None, None]
    number = np.asarray(zero, kind)
    attributes = {"pads": [padding] * 4, "strides": [stride] * 2, "group": groups}
    constants = dict(s=scale, z=number, w=weights, sw=scales, zw=np.zeros(channels, np.int8), b=bias, sy=out)
    if kinds[1] == np.int8:
        nodes = [helper.make_node("QLinearConv", ["x", "s", "z", "w", "sw", "zw", "sy", "z", "b"], ["y"], **attributes)]
        expected = quantise(sums.astype(np.float32) * (scale * scales / out)[:, None, None], zero, kind)
        inputs = {"x": image}
    else:
        constants["sb"] = scale * scales
        nodes = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]), helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"]),
                 helper.make_node("DequantizeLinear", ["w", "sw", "zw"], ["dw"], axis=0),
                 helper.make_node("DequantizeLinear", ["b", "sb"], ["db"], axis=0),
                 helper.make_node("Conv", ["d", "dw", "db"], ["c"], **attributes), helper.make_node("Relu", ["c"], ["r"]),
                 helper.make_node("QuantizeLinear", ["r", "sy", "z"], ["y"])]
        expected = quantise(np.maximum(real, 0) / out, zero, kind)
        inputs = {"x": (image.astype(np.float32) - zero) * scale}
    save_products(path, nodes, constants, inputs, (1, *expected.shape), kind)
    return inputs, expected[None]


def weight_zeros(random, kind, channels, variant):
    """Around the middle, any number, one for each channel, and the extremes."""
    if variant % 4 == 0:
        return np.asarray(0 if kind == np.int8 else 128, kind)
    if variant % 4 == 3:
        return np.asarray(random_bytes(random, kind, (), True))
    return np.asarray(random_bytes(random, kind, () if variant % 4 == 1 else (channels,), False))


def quantise_dynamically(image):
    least, most = min(image.min(), np.float32(0)), max(image.max(), np.float32(0))
    scale = np.float32((most - least) / np.float32(255))
    zero = np.uint8(np.clip(np.rint(-least / scale), 0, 255))
    return quantise(image / scale, int(zero), np.uint8), zero


def save_dynamic(path, nodes, constants, inputs, names):
    """The zero point is an input beside the bytes, or computed from floats."""
    types = {np.dtype(np.int8): TensorProto.INT8, np.dtype(np.uint8): TensorProto.UINT8, np.dtype(np.float32): TensorProto.FLOAT}
    if "zx" not in inputs:
        nodes = [helper.make_node("DynamicQuantizeLinear", ["f"], ["x", "s", "zx"]), *nodes]
    save_model(path, nodes, [helper.make_tensor_value_info(name, types[array.dtype], names if array.shape else []) for name, array in inputs.items()],
               [helper.make_tensor_value_info("y", TensorProto.INT32, None)], constants)


def activation(random, kind, shape, extreme, is_float):
    """Returns the inputs of a model, the bytes and their zero point."""
    if is_float:
        image = random.normal(random.integers(-2, 3), 1, shape).astype(np.float32)
        return {"f": image}, *quantise_dynamically(image)
    image, zero = random_bytes(random, kind, shape, extreme), random_bytes(random, kind, (), extreme)
    return {"x": image, "zx": np.asarray(zero, kind)}, image, zero


def window_case(random, path, shape, kinds, zeros, extreme):
    depth, channels, rows, columns, kernel, pads, strides, dilations, groups, is_dynamic = shape
    variant = int(random.integers(0, 4))
    inputs, image, zero = activation(random, kinds[0], (2, depth, rows, columns), extreme, zeros and kinds[0] == np.uint8)
    weights = random_bytes(random, kinds[1], (channels, depth // groups, *kernel), extreme)
    weight_zero = weight_zeros(random, kinds[1], channels, variant)
    node = helper.make_node("ConvInteger", ["x", "w", "zx", "zw"], ["y"], pads=pads, strides=strides, dilations=dilations, group=groups)
    save_dynamic(path, [node], {"w": weights, "zw": weight_zero}, inputs, ["n", depth, "h", "v"] if is_dynamic else image.shape)
    centred = weights.astype(np.int64) - (weight_zero.astype(np.int64)[:, None, None, None] if weight_zero.shape else int(weight_zero))
    return inputs, np.stack([convolve_windows(part, centred, pads, strides, dilations, groups) for part in image.astype(np.int64) - int(zero)])


def dynamic_matrix_case(random, path, shape, kinds, zeros, extreme):
    rows, depth, columns, _ = shape
    inputs, left, zero = activation(random, kinds[0], (rows, depth), extreme, zeros and kinds[0] == np.uint8)
    right = random_bytes(random, kinds[1], (depth, columns), extreme)
    right_zero = weight_zeros(random, kinds[1], columns, int(random.integers(0, 4)))
    save_dynamic(path, [helper.make_node("MatMulInteger", ["x", "w", "zx", "zw"], ["y"])], {"w": right, "zw": right_zero}, inputs,
                 ["n", depth] if extreme else left.shape)
    return inputs, (left.astype(np.int64) - int(zero)) @ (right.astype(np.int64) - right_zero.astype(np.int64))


def check(tools, work, inputs, expected, processor):
    """Returns the messages of a failure, or None."""
    for name, array in inputs.items():
        np.save(work / f"{name}.npy", array)
    library = work / "products.so"
    if failure := (build(tools, work / "products.onnx", library, f"--cpu={processor}") or
                   cameo(tools, "run", library, "--inputs", work, "--output-dir", work)):
        return failure
    wrong = np.load(work / "y.npy") != expected
    return f"{np.count_nonzero(wrong)} of {wrong.size} results are wrong" if wrong.any() else None


def cases(tools, work):
    flags = pathlib.Path("/proc/cpuinfo").read_text().split() if platform.machine() == "x86_64" else []
    processors = ["native", *(name for name, flag in PROCESSORS.items() if flag in flags)]
    shapes = [(matrix_case, shape) for shape in MATRICES] + [
        (make, shape) for make in (convolution_case, quantised_case) for shape in CONVOLUTIONS] + [
        (window_case, shape) for shape in WINDOWS] + [(dynamic_matrix_case, shape) for shape in MATRICES if shape[3]]
    random, count = np.random.default_rng(1), 0
    for number, (make, shape) in enumerate(shapes):
        for variant, kinds in enumerate([(a, b) for a in BYTES for b in BYTES]):
            zeros, extreme = (number + variant) % 2 == 0, (number + variant) % 3 == 0
            inputs, expected = make(random, work / "products.onnx", shape, kinds, zeros, extreme)
            processor = processors[count % len(processors)]
            count += 1
            yield (f"{make.__name__} {shape} {[kind.__name__ for kind in kinds]} zeros={zeros} extreme={extreme} {processor}",
                   check(tools, work, inputs, expected, processor))


if __name__ == "__main__":
    judge_all(cases)
