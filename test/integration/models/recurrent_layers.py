#!/usr/bin/env python3
"""Recurrent layers of many shapes and with every attribute, compared with the naive path and with ONNX Runtime.

usage: recurrent_layers.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

For this processor and, on x86-64, for ones with smaller vectors and without fused multiply-add. What ONNX Runtime does not know is
compared with the naive path alone, and so is everything without ONNX Runtime. Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify_against

import numpy as np
from onnx import TensorProto, helper

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
# kind, (steps, batch, input, hidden), optional inputs, attributes
LAYERS = [
    ("LSTM", (12, 1, 16, 32), "", {}),
    ("LSTM", (7, 3, 5, 20), "B h c P", {"clip": 0.7}),
    ("LSTM", (9, 4, 24, 33), "B lengths h c", {"direction": "bidirectional"}),
    ("LSTM", (1, 8, 8, 64), "B c", {"direction": "reverse", "input_forget": 1}),
    ("LSTM", (6, 2, 9, 17), "B h P", {"direction": "bidirectional", "layout": 1}),
    ("LSTM", (5, 2, 8, 12), "B lengths", {"activations": ["HardSigmoid", "Softsign", "Elu"], "direction": "reverse"}),
    ("LSTM", (5, 1, 8, 96), "B h", {"direction": "bidirectional"}),
    ("LSTM", (12, 1, 16, 128), "B h c", {"direction": "bidirectional"}),
    ("GRU", (12, 1, 16, 32), "", {}),
    ("GRU", (6, 2, 8, 100), "B h", {"linear_before_reset": 1}),
    ("GRU", (10, 3, 7, 21), "B lengths h", {"direction": "bidirectional"}),
    ("GRU", (10, 3, 7, 21), "B lengths h", {"direction": "bidirectional", "linear_before_reset": 1}),
    ("GRU", (20, 3, 7, 64), "B lengths", {"direction": "bidirectional", "linear_before_reset": 1}),
    ("GRU", (8, 8, 40, 48), "B", {"direction": "reverse", "linear_before_reset": 1, "clip": 0.5}),
    ("GRU", (4, 2, 6, 10), "B h", {"layout": 1, "activations": ["Sigmoid", "Relu"]}),
    ("RNN", (16, 1, 12, 32), "B", {}),
    ("RNN", (9, 5, 10, 19), "B lengths h", {"direction": "bidirectional", "activations": ["Relu", "Tanh"]}),
    ("RNN", (3, 2, 4, 128), "h", {"layout": 1, "direction": "reverse"}),
]


def make_model(path, layer):
    """Writes a model whose weights are constants; X and the initial states are inputs."""
    kind, (steps, batch, width, hidden), given, attributes = layer
    random = np.random.default_rng(1)
    directions = 2 if attributes.get("direction") == "bidirectional" else 1
    batch_first = attributes.get("layout") == 1
    rows = GATES[kind] * hidden
    state = [batch, directions, hidden] if batch_first else [directions, batch, hidden]
    constants, inputs, names = {}, [], []

    def constant(name, shape):
        constants[name] = random.standard_normal(shape).astype(np.float32) / np.float32(np.sqrt(shape[-1]))

    def operand(name):
        names.append(name if name in given.split() else "")
        return names[-1]

    constant("W", (directions, rows, width))
    constant("R", (directions, rows, hidden))
    if operand("B"):
        constant("B", (directions, 2 * rows))
    if operand("lengths"):
        lengths = np.arange(batch, dtype=np.int32) * 3 % (steps + 1)
        constants["lengths"] = np.maximum(lengths, 1)
    for name in ["h", "c"][:2 if kind == "LSTM" else 1]:
        if operand(name):
            inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, state))
    if kind == "LSTM" and operand("P"):
        constant("P", (directions, 3 * hidden))
    inputs.insert(0, helper.make_tensor_value_info("X", TensorProto.FLOAT, [batch, steps, width] if batch_first else [steps, batch, width]))
    every_step = [batch, steps, directions, hidden] if batch_first else [steps, directions, batch, hidden]
    results = [("Y", every_step), ("Y_h", state)] + ([("Y_c", state)] if kind == "LSTM" else [])
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in results]
    attributes = dict(attributes, hidden_size=hidden)
    if "activations" in attributes:
        attributes["activations"] = attributes["activations"] * (1 if kind == "RNN" else directions)
    node = helper.make_node(kind, ["X", "W", "R"] + names, [name for name, _ in results], **attributes)
    save_model(path, [node], inputs, outputs, constants, opset=14)


def cases(tools, work):
    model, library = work / "layer.onnx", work / "layer.so"
    native, *smaller = processors()
    for number, layer in enumerate(LAYERS):
        make_model(model, layer)
        # ONNX Runtime does not support layout 1.
        references = ["naive"] if "layout" in layer[3] else ["naive", "onnxruntime"]
        pairs = [(native, references)]
        if smaller:
            pairs.append((smaller[number % len(smaller)], ["naive"]))
        for processor, against in pairs:
            yield f"{layer} {processor}", (build(tools, model, library, f"--cpu={processor}", "--threads=2") or
                                           verify_against(against, tools, model, library, "--threads=2"))


if __name__ == "__main__":
    judge_all(cases)
