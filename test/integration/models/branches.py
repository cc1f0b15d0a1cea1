#!/usr/bin/env python3
"""Nodes If whose condition is known only at run time, compared with the naive path and with ONNX Runtime: branches in branches, of several results and of
different sizes and ranks, with conditions that are inputs, computed, or made by another If.

usage: branches.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER [SEED [EMULATOR]]

With EMULATOR, the emulator of a GPU runs the models. Without ONNX Runtime the naive path alone is compared with. Exits 77 (skipped) without the onnx module.
"""

import os
import random
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import cameo, judge_all, save_model, verify_against

import numpy as np
from onnx import TensorProto, helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
COLUMNS, MODELS = 8, 40
TARGET = ["--gpu=sm_80", "--gpu-code=host"] if len(sys.argv) > 6 else ["--threads=2"]
node, value = helper.make_node, helper.make_tensor_value_info
WEIGHTS = np.random.default_rng(7).standard_normal((COLUMNS, COLUMNS)).astype(np.float32) / 4


class Generator:
    """Generates graphs over matrices of `COLUMNS` columns. The number of rows of a branch is random."""

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
            # Outer values may be results of a branch, too, through a node.
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


def judge_runs(tools, model, runs):
    """`runs` are inputs by name, and whether they can be computed. Valid runs must agree with both references, the others must end with an error."""
    library, folder, messages = model.with_suffix(".so"), model.with_suffix(""), []
    wrong = cameo(tools, "compile", model, "--emit=lib", "-o", library, *TARGET)
    if wrong:
        return wrong
    folder.mkdir(exist_ok=True)
    for inputs, succeeds in runs:
        for name, array in inputs.items():
            np.save(folder / name, array)
        if succeeds:
            wrong = verify_against(["naive", "onnxruntime"], tools, model, library, "--inputs", folder)
        else:
            wrong = None if cameo(tools, "run", library, "--inputs", folder) else "expected an error"
        if wrong:
            messages.append(f"{({name: array.tolist() if array.size == 1 else array.shape for name, array in inputs.items()})}: {wrong}")
    return "\n".join(messages) or None


def branch(name, nodes, *outputs):
    return helper.make_graph(nodes, name, [], [value(output, FLOAT, None) for output in outputs])


def refused(tools, work):
    """A branch that makes the run fail whenever it is computed, because it slices rows that do not exist, and one that does not."""
    slices = branch("slices", [node("Add", ["first", "two"], ["end"]), node("Slice", ["x", "first", "end", "rows"], ["y0"])], "y0")
    other = branch("other", [node("Slice", ["x", "rows", "two", "rows"], ["y1"])], "y1")
    model = work / "refused.onnx"
    save_model(model, [node("If", ["c"], ["y"], then_branch=slices, else_branch=other)],
               [value("x", FLOAT, [4]), value("first", INT64, [1]), value("c", BOOL, [])], [value("y", FLOAT, [2])], dict(two=np.array([2]), rows=np.array([0])))
    runs = [(True, 2, True), (True, 3, False), (False, 2, True), (False, 3, True)]
    return judge_runs(tools, model, [(dict(x=np.ones(4, np.float32), first=np.array([first]), c=np.array(taken)), succeeds) for taken, first, succeeds in runs])


def shared(tools, work):
    """Branches of two conditions with a common subexpression. A run that takes neither branch need not have valid sizes for it."""
    def conditional(number):
        sum_of = branch(f"joins{number}", [node("Add", ["x", "y"], [f"sum{number}"]), node("Tanh", [f"sum{number}"], [f"bent{number}"])], f"bent{number}")
        return node("If", [f"c{number}"], [f"z{number}"], then_branch=sum_of, else_branch=branch(f"alone{number}", [node("Neg", ["x"], [f"less{number}"])], f"less{number}"))

    model = work / "shared.onnx"
    save_model(model, [conditional(0), conditional(1)], [value("c0", BOOL, []), value("c1", BOOL, []), value("x", FLOAT, ["n"]), value("y", FLOAT, ["m"])],
               [value("z0", FLOAT, ["k"]), value("z1", FLOAT, ["l"])], {})
    runs = [(first, second, m) for first in (False, True) for second in (False, True) for m in (3, 5)]
    return judge_runs(tools, model, [(dict(c0=np.array(first), c1=np.array(second), x=np.arange(3, dtype=np.float32), y=np.ones(m, np.float32)), m == 3 or not (first or second)) for first, second, m in runs])


def relations(tools, work):
    """Sizes that only one branch requires to be equal. They may differ in a run that takes the other branch."""
    model = work / "relations.onnx"
    save_model(model, [node("If", ["c"], ["z"], then_branch=branch("joins", [node("Add", ["x", "y"], ["sum"])], "sum"), else_branch=branch("alone", [node("Mul", ["x", "x"], ["square"])], "square"))],
               [value("c", BOOL, []), value("x", FLOAT, ["n"]), value("y", FLOAT, ["m"])], [value("z", FLOAT, ["k"])], {})
    runs = [(True, 3, 3, True), (True, 3, 5, False), (False, 3, 3, True), (False, 3, 5, True)]
    return judge_runs(tools, model, [(dict(c=np.array(taken), x=np.arange(n, dtype=np.float32), y=np.ones(m, np.float32)), succeeds) for taken, n, m, succeeds in runs])


def squeeze(name, rank_decides, x="x"):
    """Returns the first part of a model as PyTorch writes it: x without its second dimension if that is 1. A node follows that accepts either rank,
    or only the lower one."""
    nodes = [node("Shape", [x], [f"shape{name}"]), node("Gather", [f"shape{name}", "one"], [f"size{name}"]), node("Equal", [f"size{name}", "one"], [f"is_one{name}"]),
             node("If", [f"is_one{name}"], [f"part{name}"], then_branch=branch("short", [node("Squeeze", [x, "one"], [f"short{name}"])], f"short{name}"),
                  else_branch=branch("long", [node("Identity", [x], [f"long{name}"])], f"long{name}"))]
    if rank_decides:
        return [*nodes, node("Gemm", [f"part{name}", "w"], [f"y{name}"])]
    return [*nodes, node("MatMul", [f"part{name}", "w"], [f"product{name}"]), node("Shape", [f"product{name}"], [f"sizes{name}"]), node("Size", [f"sizes{name}"], [f"rank{name}"]),
            node("Equal", [f"rank{name}", "two"], [f"is_two{name}"]),
            node("If", [f"is_two{name}"], [f"y{name}"], then_branch=branch("again", [node("Unsqueeze", [f"product{name}", "one"], [f"again{name}"])], f"again{name}"),
                 else_branch=branch("same", [node("Relu", [f"product{name}"], [f"same{name}"])], f"same{name}"))]


def ranks(tools, work):
    """Tests branches of different ranks, at sizes for either of them, also inside branches of another If."""
    constants = dict(w=WEIGHTS, one=np.array([1]), two=np.array(2))
    x = value("x", FLOAT, ["b", "n", COLUMNS])
    arrays = {n: np.random.default_rng(n).standard_normal((2, n, COLUMNS)).astype(np.float32) for n in (1, 3)}
    messages = []
    for name, decides in ("either", False), ("lower", True):
        model = work / f"rank-{name}.onnx"
        save_model(model, squeeze("", decides), [x], [value("y", FLOAT, None)], constants)
        messages.append(judge_runs(tools, model, [(dict(x=arrays[1]), True), (dict(x=arrays[3]), not decides)]))
    # The size that a part of the chain computes is the maximum of 1 and the size of the previous part.
    model = work / "rank-chain.onnx"
    save_model(model, [each for i in range(3) for each in squeeze(str(i), False, f"y{i - 1}" if i > 0 else "x")], [x], [value("y2", FLOAT, None)], constants)
    messages.append(judge_runs(tools, model, [(dict(x=arrays[n]), True) for n in (1, 3)]))
    model = work / "rank-nested.onnx"
    save_model(model, [node("If", ["c"], ["y"], then_branch=branch("either", squeeze("0", False), "y0"), else_branch=branch("lower", [*squeeze("1", True, "v"), node("Unsqueeze", ["y1", "one"], ["y2"])], "y2"))],
               [x, value("v", FLOAT, ["b", "n", COLUMNS]), value("c", BOOL, [])], [value("y", FLOAT, ["b", "m", COLUMNS])], constants)
    messages.append(judge_runs(tools, model, [(dict(x=arrays[n], v=arrays[n] + 1, c=np.array(c)), c or n == 1) for n in (1, 3) for c in (True, False)]))
    return "\n".join(filter(None, messages)) or None


def cases(tools, work):
    for case in refused, relations, shared, ranks:
        yield case.__name__, case(tools, work)
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
        yield name, (cameo(tools, "compile", model, "--emit=lib", "-o", library, *TARGET) or
                     verify_against(["naive", "onnxruntime"], tools, model, library, "--threads=2", "--rounds=8", *sizes))


if __name__ == "__main__":
    if len(sys.argv) > 6:
        os.environ.update(CAMEO_CUDA_DRIVER=sys.argv[6], CAMEO_EMULATOR_CHECK="on")
    judge_all(cases)
