#!/usr/bin/env python3
"""Whether compiling takes time and memory in proportion to a model's size: models of N and 4N parts, deep and wide.

usage: scaling.py CAMEO WORK_FOLDER [KIND...]

Four times the parts may take six times the processor time of the compiler, and six times the memory, both beyond what a model of one part takes. What
is deeper than the compiler goes ends in one error that names the limit. Exits 77 (skipped) without the onnx module.
"""

import os
import pathlib
import resource
import subprocess
import sys

try:
    import onnx
    from onnx import TensorProto, helper
except ImportError:
    print("skipped: the Python module onnx was not found")
    sys.exit(77)

MOST = 6.0
# What no one notices: processor time and memory that differ from one run to the next.
SECONDS, MEGABYTES = 0.1, 20
OPSET = [helper.make_opsetid("", 18)]


def value(name, shape=(8,)):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def model(nodes, names, outputs, **further):
    inputs = further.pop("inputs", [value(name) for name in names])
    graph = helper.make_graph(nodes, "scaling", inputs, [value(*each) if isinstance(each, tuple) else value(each) for each in outputs])
    return helper.make_model(graph, opset_imports=further.pop("opset_imports", OPSET), ir_version=8, **further)


def chain(count, operators=("Relu", "Abs", "Neg", "Exp")):
    nodes = [helper.make_node(operators[i % len(operators)], [f"x{i}"], [f"x{i + 1}"]) for i in range(count)]
    return model(nodes, ["x0"], [f"x{count}"])


def sums(count):
    """A chain whose steps have a second operand, the first of all."""
    nodes = [helper.make_node(("Add", "Mul", "Max")[i % 3], [f"x{i}", "x0"], [f"x{i + 1}"]) for i in range(count)]
    return model(nodes, ["x0"], [f"x{count}"])


def softmax(count):
    return chain(count, ["Softmax"])


def transposes(count):
    """A chain in which every second step moves elements."""
    nodes = []
    for i in range(count):
        nodes += [helper.make_node("Transpose", [f"x{i}"], [f"t{i}"], perm=[1, 0]), helper.make_node("Softmax", [f"t{i}"], [f"x{i + 1}"])]
    return model(nodes, [], [(f"x{count}", (8, 8))], inputs=[value("x0", (8, 8))])


def concats(count):
    nodes = [helper.make_node("Concat", [f"x{i}", "x0"], [f"x{i + 1}"], axis=0) for i in range(count)]
    return model(nodes, ["x0"], [(f"x{count}", (8 * (count + 1),))])


def outputs(count):
    nodes = [helper.make_node("Relu", ["x"], [f"y{i}"]) for i in range(count)]
    return model(nodes, ["x"], [f"y{i}" for i in range(count)])


def operands(count):
    """One node with so many operands, each an input."""
    names = [f"x{i}" for i in range(count)]
    return model([helper.make_node("Concat", names, ["y"], axis=0)], names, [("y", (8 * count,))])


def weights(count):
    """One node with so many operands, each a weight."""
    names = [f"w{i}" for i in range(count)]
    made = model([helper.make_node("Concat", ["x", *names], ["y"], axis=0)], ["x"], [("y", (8 * count + 8,))])
    made.graph.initializer.extend(helper.make_tensor(name, TensorProto.FLOAT, [8], [float(i) for i in range(8)]) for name in names)
    return made


def readers(count):
    """One value that so many nodes read, whose results meet again."""
    names = [f"y{i}" for i in range(count)]
    nodes = [helper.make_node("Softmax", ["x"], [name]) for name in names]
    return model([*nodes, helper.make_node("Sum", names, ["z"])], ["x"], ["z"])


def constants(count):
    """A chain with a weight at each step."""
    nodes = [helper.make_node("Add", [f"x{i}", f"w{i}"], [f"x{i + 1}"]) for i in range(count)]
    made = model(nodes, ["x0"], [f"x{count}"])
    made.graph.initializer.extend(helper.make_tensor(f"w{i}", TensorProto.FLOAT, [8], [float(i)] * 8) for i in range(count))
    return made


def products(count):
    """A chain of products, each a task."""
    nodes = [helper.make_node("MatMul", [f"x{i}", f"w{i % 2}"], [f"x{i + 1}"]) for i in range(count)]
    made = model([*nodes, helper.make_node("Relu", [f"x{count}"], ["y"])], ["x0"], ["y"])
    made.graph.initializer.extend(helper.make_tensor(f"w{i}", TensorProto.FLOAT, [8, 8], [float(i)] * 64) for i in range(2))
    return made


def factors(count):
    """Products of one value, each with a weight of its own, whose results meet again."""
    names = [f"y{i}" for i in range(count)]
    nodes = [helper.make_node("MatMul", ["x", f"w{i}"], [name]) for i, name in enumerate(names)]
    made = model([*nodes, helper.make_node("Sum", names, ["z"])], [], [("z", (8, 8))], inputs=[value("x", (8, 8))])
    made.graph.initializer.extend(helper.make_tensor(f"w{i}", TensorProto.FLOAT, [8, 8], [float(i + j) for j in range(64)]) for i in range(count))
    return made


def residuals(count):
    """Blocks of a network: a product, and what went into it."""
    nodes = []
    for i in range(count):
        nodes += [helper.make_node("MatMul", [f"x{i}", "w"], [f"a{i}"]), helper.make_node("Relu", [f"a{i}"], [f"b{i}"]), helper.make_node("Add", [f"b{i}", f"x{i}"], [f"x{i + 1}"])]
    made = model(nodes, [], [(f"x{count}", (8, 8))], inputs=[value("x0", (8, 8))])
    made.graph.initializer.append(helper.make_tensor("w", TensorProto.FLOAT, [8, 8], [float(j) for j in range(64)]))
    return made


def parts(count):
    """One value in so many parts, each read by a task of its own."""
    names = [f"p{i}" for i in range(count)]
    nodes = [helper.make_node("Split", ["x"], names, axis=1, num_outputs=count)]
    nodes += [helper.make_node("Softmax", [name], [f"{name}s"]) for name in names]
    nodes.append(helper.make_node("Concat", [f"{name}s" for name in names], ["y"], axis=1))
    return model(nodes, [], [("y", (4, 8 * count))], inputs=[value("x", (4, 8 * count))])


def rows(count):
    """So many rows of one tensor, which runs choose."""
    numbers = [helper.make_tensor_value_info(f"i{i}", TensorProto.INT64, [2]) for i in range(count)]
    nodes = [helper.make_node("Gather", ["x", f"i{i}"], [f"y{i}"], axis=0) for i in range(count)]
    return model([*nodes, helper.make_node("Sum", [f"y{i}" for i in range(count)], ["y"])], [], [("y", (2, 8))], inputs=[value("x", (100, 8)), *numbers])


def named(count):
    """A chain whose sizes each run chooses and adds up."""
    nodes = [helper.make_node("Concat", [f"x{i}", "x0"], [f"x{i + 1}"], axis=0) for i in range(count)]
    return model(nodes, [], [(f"x{count}", ("m",))], inputs=[value("x0", ("n",))])


def symbols(count):
    """So many inputs, each of a size of its own, and an output for each, of a size that follows from it."""
    nodes = [helper.make_node("Concat", [f"x{i}", f"x{i}"], [f"y{i}"], axis=0) for i in range(count)]
    return model(nodes, [], [(f"y{i}", (f"m{i}",)) for i in range(count)], inputs=[value(f"x{i}", (f"n{i}",)) for i in range(count)])


def relations(count):
    """So many inputs, each of a size of its own, all of which have to be equal."""
    names = [f"x{i}" for i in range(count)]
    return model([helper.make_node("Concat", names, ["y"], axis=1)], [], [("y", ("m", 8 * count))], inputs=[value(f"x{i}", (f"n{i}", 8)) for i in range(count)])


def pools(count):
    """A chain of strided windows along a length that each run chooses: a quotient of a quotient, and so on."""
    nodes = [helper.make_node("MaxPool", [f"x{i}"], [f"x{i + 1}"], kernel_shape=[2], strides=[2], pads=[1, 1]) for i in range(count)]
    return model(nodes, [], [(f"x{count}", (1, 4, "m"))], inputs=[value("x0", (1, 4, "n"))])


def branches(count):
    """Decisions behind each other, whose branches see what is around them: twenty names for each, which nothing reads."""
    def branch(operator, number):
        return helper.make_graph([helper.make_node(operator, [f"x{number}"], [f"{operator}{number}"])], operator, [], [value(f"{operator}{number}")])

    nodes = [helper.make_node("If", ["c"], [f"x{i + 1}"], then_branch=branch("Relu", i), else_branch=branch("Neg", i)) for i in range(count)]
    made = model(nodes, [], [f"x{count}"], inputs=[helper.make_tensor_value_info("c", TensorProto.BOOL, []), value("x0")])
    made.graph.initializer.extend(helper.make_tensor(f"w{i}", TensorProto.FLOAT, [1], [0.0]) for i in range(20 * count))
    return made


def functions(count):
    """Functions that call each other, so many deep."""
    imports = [*OPSET, helper.make_opsetid("local", 1)]
    made = [helper.make_function("local", "f0", ["a"], ["b"], [helper.make_node("Relu", ["a"], ["b"])], imports)]
    made += [helper.make_function("local", f"f{i}", ["a"], ["b"], [helper.make_node(f"f{i - 1}", ["a"], ["b"], domain="local")], imports) for i in range(1, count)]
    return model([helper.make_node(f"f{count - 1}", ["x"], ["y"], domain="local")], ["x"], ["y"], functions=made, opset_imports=imports)


def calls(count):
    """One function, called so many times."""
    imports = [*OPSET, helper.make_opsetid("local", 1)]
    made = [helper.make_function("local", "f", ["a"], ["b"], [helper.make_node("Relu", ["a"], ["c"]), helper.make_node("Neg", ["c"], ["b"])], imports)]
    nodes = [helper.make_node("f", [f"x{i}"], [f"x{i + 1}"], domain="local") for i in range(count)]
    return model(nodes, ["x0"], [f"x{count}"], functions=made, opset_imports=imports)


KINDS = {"chain": (chain, 5000), "sums": (sums, 2500), "softmax": (softmax, 500), "transposes": (transposes, 250), "concats": (concats, 250), "outputs": (outputs, 2500), "operands": (operands, 2100), "weights": (weights, 2100),
         "readers": (readers, 500), "functions": (functions, 60), "constants": (constants, 2500), "products": (products, 250), "named": (named, 100), "symbols": (symbols, 250), "relations": (relations, 250), "pools": (pools, 40),
         "branches": (branches, 100), "calls": (calls, 2500), "factors": (factors, 500), "residuals": (residuals, 1000), "parts": (parts, 100),
         "rows": (rows, 500), "naive operands": (operands, 100, "--naive")}


def nested_ifs(count):
    """A model's text: its writer and many readers are recursive."""
    head = "<ir_version: 8, opset_import: [\"\" : 18]>\nscaling (bool c, float[8] x) => (float[8] y) {\n"
    inner = "y = Relu(x)"
    return head + "y = If (c) <then_branch = g () => (float[8] y) {" * count + inner + "}, else_branch = h () => (float[8] y) { y = Neg(x) }>" * count + "}\n"


def dimensions(count):
    return model([helper.make_node("Relu", ["x"], ["y"])], [], [("y", [1] * count)], inputs=[value("x", [1] * count)])


# What is refused, with words of the error.
BEYOND = {"functions": (functions, 5000, "at most 256 deep"), "nested ifs": (nested_ifs, 30000, "levels of brackets"), "dimensions": (dimensions, 1000, "dimensions")}


def judge_beyond(cameo, work, kind):
    make, count, words = BEYOND[kind]
    made = make(count)
    path = work / f"beyond_{kind.replace(' ', '_')}{'.onnxtxt' if isinstance(made, str) else '.onnx'}"
    path.write_bytes(made.encode() if isinstance(made, str) else made.SerializeToString())
    result = subprocess.run([cameo, "compile", path, "-o", path.with_suffix(".o")], capture_output=True, text=True, timeout=60)
    if result.returncode != 1 or result.stderr.count("error:") != 1 or words not in result.stderr:
        return f"{count} {kind}: expected one error with '{words}', got status {result.returncode}: {result.stderr[-500:]}"
    return None


def compile_model(cameo, path, options):
    """(seconds of the processor, megabytes), or what went wrong."""
    process = subprocess.Popen([cameo, "compile", path, "-o", path.with_suffix(".o"), *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        return f"status {process.returncode}: {errors[-500:]}"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def judge(cameo, work, kind):
    make, smallest, *options = KINDS[kind]
    taken = {}
    for count in (1, smallest, 4 * smallest):
        path = work / f"{kind.replace(' ', '_')}{count}.onnx"
        onnx.save(make(count), path)
        taken[count] = compile_model(cameo, path, options)
        if isinstance(taken[count], str):
            return f"{kind} of {count}: {taken[count]}"
    print(f"{kind}: " + ", ".join(f"{count} {seconds:.1f} s and {megabytes:.0f} MB" for count, (seconds, megabytes) in taken.items()), flush=True)
    for name, one, few, many, unnoticed in zip(("processor time", "memory"), taken[1], taken[smallest], taken[4 * smallest], (SECONDS, MEGABYTES)):
        if many - one > MOST * max(few - one, unnoticed):
            return f"{kind}: four times the parts take {(many - one) / max(few - one, unnoticed):.1f} times the {name}"
    return None


def judge_calmly(cameo, work, kind):
    """What else the machine does may make one run longer than another: not three times."""
    for _ in range(3):
        if not (wrong := judge(cameo, work, kind)):
            return None
    return wrong


def main():
    cameo, work, kinds = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:] or [*KINDS]
    work.mkdir(parents=True, exist_ok=True)
    failures = [wrong for kind in kinds if (wrong := judge_calmly(cameo, work, kind))]
    if len(sys.argv) == 3:
        failures += [wrong for kind in BEYOND if (wrong := judge_beyond(cameo, work, kind))]
    print("\n".join([*failures, f"{len(failures)} failures"]))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
