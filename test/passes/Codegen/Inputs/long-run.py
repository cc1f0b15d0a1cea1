"""Writes a model of 1,200 steps, half of which threads may share."""
import sys

nodes = [f"t{i} = Transpose(x{i})\n  x{i + 1} = Softmax(t{i})" for i in range(600)]
print('<ir_version: 8, opset_import: ["": 18]>\nlong (float[8,8] x0) => (float[8,8] x600) {\n  ' + "\n  ".join(nodes) + "\n}")
