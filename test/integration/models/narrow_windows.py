#!/usr/bin/env python3
"""Convolutions of which less is computed than is written, compared with the naive path.

usage: narrow_windows.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Causal convolutions (padding on both sides, then a cut), cuts at either end and with strides, a BatchNormalization behind the cut; dilations as wide as
the plane, of which no tap but one lies on an element; and such that most products are with padding, in one, two and three dimensions, with a residual and
an activation behind them. For this processor and, on x86-64, for ones with smaller vectors. Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify

import numpy as np
from onnx import TensorProto, helper


def constants(shape, width, size, group=1):
    random = np.random.default_rng(1)
    depth, rank = shape[1] // group, len(shape) - 2
    weights = random.standard_normal((width, depth, *[size] * rank)) / np.sqrt(depth * size**rank)
    return {"w": weights.astype(np.float32), "b": random.standard_normal(width).astype(np.float32)}


def causal(shape, width, size, dilation, *, begin=0, stride=1, group=1, norm=False):
    """Slices `begin` results from the front, and as many from the end as the front padding has added."""
    pad = (size - 1) * dilation
    tensors = constants(shape, width, size, group)
    tensors |= {"start": np.array([begin]), "end": np.array([-(pad // stride)]), "axis": np.array([2])}
    nodes = [helper.make_node("Conv", ["x", "w", "b"], ["c"], kernel_shape=[size], dilations=[dilation], strides=[stride], pads=[pad, pad], group=group),
             helper.make_node("Slice", ["c", "start", "end", "axis"], ["s"])]
    if norm:
        tensors |= {name: (np.arange(width) % 5 + 1).astype(np.float32) for name in ("scale", "shift", "mean", "variance")}
        nodes.append(helper.make_node("BatchNormalization", ["s", "scale", "shift", "mean", "variance"], ["n"]))
    return [*nodes, helper.make_node("Relu", [nodes[-1].output[0]], ["y"])], tensors


def dilated(shape, width, size, dilations, residual=False):
    tensors = constants(shape, width, size)
    pads = [(size - 1) * step // 2 for step in dilations]
    nodes = [helper.make_node("Conv", ["x", "w", "b"], ["c"], kernel_shape=[size] * len(pads), dilations=dilations, pads=pads * 2)]
    if residual:
        nodes.append(helper.make_node("Add", ["c", "x"], ["r"]))
    return [*nodes, helper.make_node("Relu", [nodes[-1].output[0]], ["y"])], tensors


NETWORKS = {
    "causal": ((1, 20, 50), lambda shape: causal(shape, 33, 3, 4)),
    "causal, cut in front": ((2, 20, 50), lambda shape: causal(shape, 16, 5, 2, begin=3)),
    "causal, strides": ((1, 20, 51), lambda shape: causal(shape, 16, 5, 2, begin=2, stride=2)),
    "causal, depthwise": ((1, 24, 40), lambda shape: causal(shape, 24, 3, 8, group=24)),
    "causal, norm": ((1, 20, 50), lambda shape: causal(shape, 24, 2, 16, norm=True)),
    "one tap of nine": ((1, 24, 9, 11), lambda shape: dilated(shape, 24, 3, [12, 12], residual=True)),
    "three taps of nine": ((1, 24, 9, 20), lambda shape: dilated(shape, 40, 3, [10, 10])),
    "mostly padding": ((1, 256, 17, 19), lambda shape: dilated(shape, 48, 3, [12, 12])),
    "mostly padding, residual": ((2, 256, 20, 16), lambda shape: dilated(shape, 256, 3, [11, 13], residual=True)),
    "mostly padding along one axis": ((1, 300, 32, 16), lambda shape: dilated(shape, 40, 3, [1, 12])),
    "mostly padding, five taps": ((1, 256, 18, 18), lambda shape: dilated(shape, 32, 5, [8, 8])),
    "mostly padding, 1-D": ((1, 400, 300), lambda shape: dilated(shape, 32, 3, [200])),
    "mostly padding, 3-D": ((1, 256, 8, 7, 9), lambda shape: dilated(shape, 32, 3, [5, 4, 6])),
}


def cases(tools, work):
    model, library = work / "windows.onnx", work / "windows.so"
    for name, (shape, make) in NETWORKS.items():
        nodes, tensors = make(shape)
        save_model(model, nodes, [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                   [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], tensors)
        for processor in processors():
            yield f"{name} {processor}", (build(tools, model, library, f"--cpu={processor}", "--threads=2") or
                                          verify(tools, model, library, "--threads=2"))


if __name__ == "__main__":
    judge_all(cases)
