"""Steps of branches and loops, whose bodies are graphs of their own."""

import numpy as np
from onnx import TensorProto, helper

from case import value_info
from element_types import FLOATS
from graph import NoFit
from sizes import are_fixed


def body(name, nodes, inputs, outputs, constants=()):
    tensors = [helper.make_tensor(each, kind, shape, numbers) for each, kind, shape, numbers in constants]
    return helper.make_graph(nodes, name, [value_info(*each) for each in inputs], [value_info(*each) for each in outputs], tensors)


def few_nodes(g, x, prefix):
    """Returns a few nodes over the outer value `x`. The result of the last one has the shape of `x`."""
    name, nodes = x, []
    for index in range(g.pick(1, 1, 2, 3)):
        kind, result = g.pick("Tanh", "Neg", "Abs", "Sigmoid", "Add", "Mul"), f"{prefix}{index}"
        nodes.append(helper.make_node(kind, [name] * (2 if kind in ("Add", "Mul") else 1), [result]))
        name = result
    return nodes, name


def branch(g):
    x = g.take(FLOATS, ranks=(0, 4))
    x = g.clamp(x, -3.0, 3.0)
    condition = g.fresh("bool", (), constant=g.chance(0.2))
    branches = {}
    for which in ("then_branch", "else_branch"):
        nodes, last = few_nodes(g, x.name, g.name(which[0]))
        branches[which] = body(which, nodes, [], [(last, x.type, None)])
    g.read.add(x.name)
    g.node("If", [condition], [(x.type, x.shape, -3000, 3000, False)], **branches)


def loop(g):
    x = g.take(FLOATS, ranks=(0, 3), most=1000, fixed=True)
    x = g.clamp(x, -3.0, 3.0)
    rounds = g.pick(0, 1, 3, 5)
    prefix = g.name("l")
    inner = body("round", [helper.make_node("Tanh", [f"{prefix}h"], [f"{prefix}t"]), helper.make_node("Add", [f"{prefix}t", x.name], [f"{prefix}n"]),
                           helper.make_node("Identity", [f"{prefix}c"], [f"{prefix}go"]), helper.make_node("Neg", [f"{prefix}n"], [f"{prefix}s"])],
                 [(f"{prefix}i", "i64", ()), (f"{prefix}c", "bool", ()), (f"{prefix}h", x.type, x.shape)],
                 [(f"{prefix}go", "bool", ()), (f"{prefix}n", x.type, None), (f"{prefix}s", x.type, None)])
    go = g.constant("bool", np.array(True))
    g.node("Loop", [g.scalar("i64", rounds), go, x], [(x.type, x.shape, -4.1, 4.1, False), (x.type, (rounds, *x.shape), -4.1, 4.1, False)], body=inner)


def scan(g):
    x = g.take(FLOATS, ranks=(1, 3), most=1000, zero=False, fixed=True)
    x = g.clamp(x, -3.0, 3.0)
    state = g.fresh(x.type, x.shape[1:], (-1, 1))
    prefix = g.name("s")
    inner = body("step", [helper.make_node("Add", [f"{prefix}h", f"{prefix}x"], [f"{prefix}a"]), helper.make_node("Tanh", [f"{prefix}a"], [f"{prefix}n"]),
                          helper.make_node("Neg", [f"{prefix}n"], [f"{prefix}y"])],
                 [(f"{prefix}h", x.type, x.shape[1:]), (f"{prefix}x", x.type, x.shape[1:])], [(f"{prefix}n", x.type, None), (f"{prefix}y", x.type, None)])
    g.node("Scan", [state, x], [(x.type, x.shape[1:], -1.01, 1.01, False), (x.type, x.shape, -1.01, 1.01, False)], body=inner, num_scan_inputs=1,
           scan_input_directions=[g.pick(0, 1)], scan_output_directions=[g.pick(0, 1)])


STEPS = [branch, loop, scan]
