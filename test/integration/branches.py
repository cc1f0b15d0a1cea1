#!/usr/bin/env python3
"""Nodes If whose condition only the run knows, compared with the naive path and with ONNX Runtime: branches in branches, of several results and of
different sizes, with conditions that are inputs, computed, or made by another If.

usage: branches.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER [SEED]

Without ONNX Runtime the naive path alone is compared with. Exits 77 (skipped) without the onnx module.
"""

import random
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, save_model, verify_against

import numpy as np
from onnx import TensorProto, helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
COLUMNS, MODELS = 8, 40
node, value = helper.make_node, helper.make_tensor_value_info
WEIGHTS = np.random.default_rng(7).standard_normal((COLUMNS, COLUMNS)).astype(np.float32) / 4


class Generator:
    """Of graphs over matrices of `COLUMNS` columns; how many rows a branch makes is left to chance."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def matrix(self, nodes, known):
        operand, result = self.random.choice(known), self.name()
        kind = self.random.choice(["Relu", "Tanh", "Neg", "Softmax", "MatMul", "Mul", "Concat", "Slice", "Norm", "Identity"])
        if kind == "MatMul":
            nodes.append(node(kind, [operand, "w"], [result]))
        elif kind == "Mul":
            nodes.append(node(kind, [operand, operand], [result]))
        elif kind == "Concat":
            nodes.append(node(kind, [operand, self.random.choice(known)], [result], axis=0))
        elif kind == "Slice":
            nodes.append(node(kind, [operand, "one", "end", "rows"], [result]))
        elif kind == "Norm":
            length = self.name()
            nodes += [node("ReduceL2", [operand], [length], axes=[1]), node("Div", [operand, length], [result])]
            return result
        else:
            nodes.append(node(kind, [operand], [result]))
        return result

    def condition(self, nodes, known, conditions):
        if self.random.random() < 0.6:
            return self.random.choice(conditions)
        total, result = self.name(), self.name()
        nodes += [node("ReduceSum", [self.random.choice(known)], [total], keepdims=0), node("Greater", [total, "threshold"], [result])]
        conditions.append(result)
        return result

    def branches(self, nodes, known, conditions, depth):
        condition = self.condition(nodes, known, conditions)
        count = self.random.randint(1, 3)
        graphs = []
        for branch in ("then", "else"):
            inner, values = [], list(known)
            self.fill(inner, values, list(conditions), depth - 1, self.random.randint(0, 4))
            # What stands around a branch may be its result, too, by way of a node.
            results = [self.name() for _ in range(count)]
            inner += [node("Identity", [self.random.choice(values[-3:])], [result]) for result in results]
            graphs.append(helper.make_graph(inner, f"{branch}_{self.name()}", [], [value(result, FLOAT, None) for result in results]))
        results = [self.name() for _ in range(count)]
        nodes.append(node("If", [condition], results, then_branch=graphs[0], else_branch=graphs[1]))
        known += results

    def fill(self, nodes, known, conditions, depth, count):
        for _ in range(count):
            if depth > 0 and self.random.random() < 0.35:
                self.branches(nodes, known, conditions, depth)
            else:
                known.append(self.matrix(nodes, known))

    def model(self):
        nodes, known, conditions = [], ["x", "y"], ["c", "d"]
        self.fill(nodes, known, conditions, 3, 4)
        self.branches(nodes, known, conditions, 2)
        self.fill(nodes, known, conditions, 1, 3)
        outputs = self.random.sample(known[2:], min(3, len(known) - 2))
        nodes += [node("Identity", [name], [f"out{i}"]) for i, name in enumerate(outputs)]
        return nodes, [value(f"out{i}", FLOAT, [f"rows{i}", COLUMNS]) for i in range(len(outputs))]


def refused(tools, work):
    """A branch that ends the run wherever it is computed: it takes rows that are not there. The other one does not."""
    slices = helper.make_graph([node("Add", ["first", "two"], ["end"]), node("Slice", ["x", "first", "end", "rows"], ["y0"])], "slices", [], [value("y0", FLOAT, None)])
    other = helper.make_graph([node("Slice", ["x", "rows", "two", "rows"], ["y1"])], "other", [], [value("y1", FLOAT, None)])
    model = work / "refused.onnx"
    save_model(model, [node("If", ["c"], ["y"], then_branch=slices, else_branch=other)],
               [value("x", FLOAT, [4]), value("first", INT64, [1]), value("c", BOOL, [])], [value("y", FLOAT, [2])], dict(two=np.array([2]), rows=np.array([0])))
    messages = []
    for taken, first, succeeds in (True, 2, True), (True, 3, False), (False, 2, True), (False, 3, True):
        folder = work / "refused"
        folder.mkdir(exist_ok=True)
        for name, array in dict(x=np.ones(4, np.float32), first=np.array([first]), c=np.array(taken)).items():
            np.save(folder / name, array)
        wrong = cameo(tools, "run", model, "--inputs", folder)
        if (wrong is None) != succeeds:
            messages.append(f"branch {taken}, from {first}: {wrong or 'expected an error'}")
    return "\n".join(messages) or None


def cases(tools, work):
    yield "refused", refused(tools, work)
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    constants = dict(w=WEIGHTS, threshold=np.float32(0.37), one=np.array([1]), end=np.array([1000]), rows=np.array([0]))
    for number in range(MODELS):
        nodes, outputs = Generator(f"{seed} {number}").model()
        is_open = number % 2 == 0
        name = f"branches-{seed}-{number}{'-open' if is_open else ''}"
        model, library = work / f"{name}.onnx", work / f"{name}.so"
        inputs = [value("x", FLOAT, ["n" if is_open else 5, COLUMNS]), value("y", FLOAT, ["m" if is_open else 3, COLUMNS]), value("c", BOOL, []), value("d", BOOL, [1])]
        save_model(model, nodes, inputs, outputs, constants)
        sizes = ["--dim=n=6", "--dim=m=4"] if is_open else []
        yield name, (build(tools, model, library, "--threads=2") or
                     verify_against(["naive", "onnxruntime"], tools, model, library, "--threads=2", "--rounds=8", *sizes))


if __name__ == "__main__":
    judge_all(cases)
