"""Models whose sizes have names that the text syntax does not know, and inputs for one of them, into the folder named."""

import os
import sys

import numpy as np
from onnx import TensorProto, helper, save

FOLDER = sys.argv[1]


def value(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def write(name, nodes, inputs, outputs):
    graph = helper.make_graph(nodes, name, inputs, outputs)
    save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), f"{FOLDER}/{name}.onnx")


os.makedirs(f"{FOLDER}/rows")
np.save(f"{FOLDER}/rows/past", np.zeros((0, 4), np.float32))
np.save(f"{FOLDER}/rows/x", np.arange(16, dtype=np.float32).reshape(4, 4))
np.save(f"{FOLDER}/rows/c", np.array(False))
joined = helper.make_graph([helper.make_node("Concat", ["past", "x"], ["j"], axis=0)], "joined", [], [value("j", None)])
multiplied = helper.make_graph([helper.make_node("Mul", ["x", "x"], ["k"])], "multiplied", [], [value("k", None)])
for name, size in ("sum", "past_len + 1"), ("product", "x_len*2"), ("number", "1"), ("minimum", "min(x_len, 0)"), ("taken", "past_len"):
    write(f"branches-{name}", [helper.make_node("If", ["c"], ["y"], then_branch=joined, else_branch=multiplied)],
          [value("past", ["past_len", 4]), value("x", ["x_len", 4]), value("c", [], TensorProto.BOOL)], [value("y", [size, 4])])

write("expanded", [helper.make_node("Expand", ["x", "shape"], ["y"])],
      [value("x", ["n"]), value("shape", [1], TensorProto.INT64)], [value("y", ["n + 1"])])

names = ["n + m", "n_2", "k*2", "min(n, 0)", "1", "k_2", "q + 1"]
write("inputs", [helper.make_node("Neg", [f"x{i}"], [f"y{i}"]) for i in range(len(names) + 1)],
      [value("x0", ["n", "m"])] + [value(f"x{i + 1}", [name]) for i, name in enumerate(names)],
      [value(f"y{i}", None) for i in range(len(names) + 1)])

# What exporters call the columns of a mask that they traced with one new token.
write("traced", [helper.make_node("Concat", ["past", "new"], ["all"], axis=1), helper.make_node("Add", ["all", "mask"], ["y"])],
      [value("past", ["batch", "before"]), value("new", ["batch", "tokens"]), value("mask", ["batch", "before + 1"])], [value("y", ["batch", "before + 1"])])
os.makedirs(f"{FOLDER}/prompt")
for name, columns in ("past", 2), ("new", 3), ("mask", 5):
    np.save(f"{FOLDER}/prompt/{name}", np.ones((1, columns), np.float32))
