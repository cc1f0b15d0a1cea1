#!/usr/bin/env python3
"""Compares loops whose number of iterations is known only at run time with the naive path and with ONNX Runtime.

usage: run_loops.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Without ONNX Runtime, only the naive path is the reference. Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, save_model, verify_against

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
WORDS, WIDTH = 50, 32
node, value = helper.make_node, helper.make_tensor_value_info


def constants(**values):
    return [numpy_helper.from_array(np.asarray(array), name) for name, array in values.items()]


def body(nodes, carried, outputs, **values):
    inputs = [value("round", INT64, []), value("before", BOOL, [])] + carried
    return helper.make_graph(nodes, "body", inputs, outputs, constants(**values))


def weights(*shape):
    return np.random.default_rng(len(shape) + shape[0]).standard_normal(shape).astype(np.float32) / np.float32(np.sqrt(shape[-1]))


def halve(limit):
    """A loop that ends by its condition and stacks a number per iteration."""
    steps = [node("Mul", ["x", "half"], ["y"]), node("ReduceL2", ["y"], ["norm"], keepdims=0), node("Greater", ["norm", "one"], ["go"])]
    outputs = [value("go", BOOL, []), value("y", FLOAT, [4])] + ([value("norm", FLOAT, [])] if limit else [])
    inner = body(steps, [value("x", FLOAT, [4])], outputs, half=np.float32(0.5), one=np.float32(0.1))
    loop = node("Loop", ["limit" if limit else "", "yes", "start"], ["last"] + (["norms"] if limit else []), body=inner)
    results = [value("last", FLOAT, [4])] + ([value("norms", FLOAT, ["rounds"])] if limit else [])
    return [loop], [value("start", FLOAT, [4])], results, dict(yes=True, limit=np.int64(20))


def decode():
    """A recurrent network whose input is the token that it chose in the previous iteration, until an end token."""
    steps = [node("Gather", ["embedding", "word"], ["e"]), node("MatMul", ["state", "recurrent"], ["a"]), node("Add", ["a", "e"], ["b"]),
             node("Tanh", ["b"], ["next"]), node("MatMul", ["next", "head"], ["scores"]),
             node("ArgMax", ["scores"], ["chosen"], axis=1, keepdims=0), node("Squeeze", ["chosen"], ["number"]),
             node("Greater", ["number", "last"], ["go"])]
    inner = body(steps, [value("word", INT64, [1]), value("state", FLOAT, [1, WIDTH])],
                 [value("go", BOOL, []), value("chosen", INT64, [1]), value("next", FLOAT, [1, WIDTH]), value("chosen", INT64, [1])],
                 last=np.int64(3))
    loop = node("Loop", ["limit", "yes", "first", "h"], ["word_last", "state", "words"], body=inner)
    return ([loop], [value("first", INT64, [1]), value("h", FLOAT, [1, WIDTH])],
            [value("state", FLOAT, [1, WIDTH]), value("words", INT64, ["length", 1])],
            dict(yes=True, limit=np.int64(30), embedding=weights(WORDS, WIDTH), recurrent=weights(WIDTH, WIDTH), head=weights(WIDTH, WORDS)))


def bounded_by_statement():
    """The trip count is an input; the stated size of the output is its bound."""
    steps = [node("Cast", ["round"], ["r"], to=FLOAT), node("Mul", ["outer", "r"], ["p"]), node("Add", ["s", "p"], ["t"]),
             node("Identity", ["before"], ["go"])]
    inner = body(steps, [value("s", FLOAT, [3])], [value("go", BOOL, []), value("t", FLOAT, [3]), value("t", FLOAT, [3])])
    nodes = [node("Relu", ["x"], ["outer"]), node("Loop", ["rounds", "", "x"], ["sum", "sums"], body=inner)]
    return nodes, [value("x", FLOAT, [3]), value("rounds", INT64, [])], [value("sum", FLOAT, [3]), value("sums", FLOAT, [12, 3])], {}


def bounded_by_minimum():
    """The trip count is the minimum of an input and a constant; one value is stacked, another grows."""
    steps = [node("Add", ["s", "x"], ["t"]), node("Concat", ["rows", "t"], ["more"], axis=0), node("Identity", ["before"], ["go"])]
    inner = body(steps, [value("s", FLOAT, [3]), value("rows", FLOAT, ["k"])],
                 [value("go", BOOL, []), value("t", FLOAT, [3]), value("more", FLOAT, ["l"]), value("t", FLOAT, [3])])
    nodes = [node("Min", ["rounds", "four"], ["least"]), node("Loop", ["least", "", "x", "x"], ["sum", "all", "sums"], body=inner)]
    return (nodes, [value("x", FLOAT, [3]), value("rounds", INT64, [])],
            [value("sum", FLOAT, [3]), value("all", FLOAT, ["length"]), value("sums", FLOAT, ["kept", 3])], dict(four=np.int64(4)))


def nested():
    """The trip count of the inner loop is the iteration number of the outer one; the outer loop swaps its carried values."""
    go = node("Identity", ["before"], ["go"])
    add = body([node("Add", ["q", "x"], ["r"]), go], [value("q", FLOAT, [3])], [value("go", BOOL, []), value("r", FLOAT, [3])])
    # A body must not redefine names of the enclosing body.
    for part in [add.input[0], add.input[1]]:
        part.name = "inner_" + part.name
    add.node[1].input[0] = "inner_before"
    add.node[1].output[0] = add.output[0].name = "inner_go"
    inner = body([node("Loop", ["round", "", "a"], ["c"], body=add), go], [value("a", FLOAT, [3]), value("b", FLOAT, [3])],
                 [value("go", BOOL, []), value("b", FLOAT, [3]), value("c", FLOAT, [3])])
    loop = node("Loop", ["rounds", "", "x", "y"], ["a_last", "b_last"], body=inner)
    return ([loop], [value("x", FLOAT, [3]), value("y", FLOAT, [3]), value("rounds", INT64, [1])],
            [value("a_last", FLOAT, [3]), value("b_last", FLOAT, [3])], {})


def branches():
    """An If in a loop with a trip count and a condition from inputs."""
    double = helper.make_graph([node("Mul", ["z", "two"], ["u"])], "then", [], [value("u", FLOAT, [3])], constants(two=np.float32(2)))
    less = helper.make_graph([node("Sub", ["z", "x"], ["v"])], "else", [], [value("v", FLOAT, [3])])
    steps = [node("ReduceSum", ["z"], ["sum"], keepdims=0), node("Less", ["sum", "ten"], ["small"]),
             node("If", ["small"], ["next"], then_branch=double, else_branch=less), node("Identity", ["before"], ["go"])]
    inner = body(steps, [value("z", FLOAT, [3])], [value("go", BOOL, []), value("next", FLOAT, [3]), value("sum", FLOAT, [])],
                 ten=np.float32(10))
    loop = node("Loop", ["rounds", "starts", "x"], ["last", "sums"], body=inner)
    return ([loop], [value("x", FLOAT, [3]), value("rounds", INT64, []), value("starts", BOOL, [])],
            [value("last", FLOAT, [3]), value("sums", FLOAT, [9])], {})


def counts():
    """The loop ends by a number that an iteration counts."""
    steps = [node("NonZero", ["z"], ["places"]), node("Shape", ["places"], ["shape"]), node("Gather", ["shape", "second"], ["count"]),
             node("Sub", ["z", "step"], ["less"]), node("Relu", ["less"], ["next"]), node("Greater", ["count", "two"], ["go"])]
    inner = body(steps, [value("z", FLOAT, [6])], [value("go", BOOL, []), value("next", FLOAT, [6]), value("count", INT64, [])],
                 step=np.float32(0.25), second=np.int64(1), two=np.int64(2))
    loop = node("Loop", ["limit", "yes", "x"], ["last", "seen"], body=inner)
    return ([loop], [value("x", FLOAT, [6])], [value("last", FLOAT, [6]), value("seen", INT64, ["rounds"])],
            dict(yes=True, limit=np.int64(10)))


def sequence():
    """A Scan in reverse, and a Loop, over a dynamic length."""
    cell = [node("MatMul", ["state", "recurrent"], ["a"]), node("Add", ["a", "x"], ["b"]), node("Tanh", ["b"], ["next"])]
    row = helper.make_graph(cell + [node("Identity", ["next"], ["kept"])], "row", [value("state", FLOAT, [1, WIDTH]), value("x", FLOAT, [1, WIDTH])],
                            [value("next", FLOAT, [1, WIDTH]), value("kept", FLOAT, [1, WIDTH])])
    inner = body([node("Gather", ["frames", "round"], ["x"], axis=0)] + cell + [node("Identity", ["before"], ["go"])],
                 [value("state", FLOAT, [1, WIDTH])], [value("go", BOOL, []), value("next", FLOAT, [1, WIDTH]), value("next", FLOAT, [1, WIDTH])])
    nodes = [node("Scan", ["h", "frames"], ["h_back", "back"], body=row, num_scan_inputs=1, scan_input_directions=[1],
                  scan_output_directions=[1], scan_output_axes=[1]),
             node("Shape", ["frames"], ["shape"]), node("Gather", ["shape", "zero"], ["time"], axis=0),
             node("Loop", ["time", "yes", "h_back"], ["last", "forward"], body=inner)]
    return (nodes, [value("frames", FLOAT, ["n", 1, WIDTH]), value("h", FLOAT, [1, WIDTH])],
            [value("back", FLOAT, [1, "n", WIDTH]), value("last", FLOAT, [1, WIDTH]), value("forward", FLOAT, ["n", 1, WIDTH])],
            dict(yes=True, zero=np.int64(0), recurrent=weights(WIDTH, WIDTH)))


def nothing_scanned():
    """A Scan over no elements: its state does not change, and its stacked output is empty."""
    row = helper.make_graph([node("Add", ["state", "x"], ["next"]), node("Concat", ["next", "x"], ["kept"], axis=0)], "row",
                            [value("state", FLOAT, [3]), value("x", FLOAT, [3])], [value("next", FLOAT, [3]), value("kept", FLOAT, [6])])
    nodes = [node("Scan", ["h", "frames"], ["last", "all"], body=row, num_scan_inputs=1, scan_input_axes=[1], scan_output_axes=[-1])]
    return nodes, [value("frames", FLOAT, [3, 0]), value("h", FLOAT, [3])], [value("last", FLOAT, [3]), value("all", FLOAT, [6, 0])], {}


def gathered(rows):
    """Takes a row per iteration. Without rows there is no iteration, and what it would take does not exist."""
    steps = [node("Gather", ["frames", "round"], ["frame"], axis=0), node("Add", ["frame", "h"], ["next"]), node("Identity", ["before"], ["go"])]
    inner = body(steps, [value("h", FLOAT, [5])], [value("go", BOOL, []), value("next", FLOAT, [5]), value("next", FLOAT, [5])])
    state = body(steps, [value("h", FLOAT, [5])], [value("go", BOOL, []), value("next", FLOAT, [5])])
    nodes = [node("Shape", ["frames"], ["time"], start=0, end=1), node("Loop", ["time", "", "begin"], ["last", "all"], body=inner),
             node("Loop", ["time", "", "last"], ["sum"], body=state)]
    return (nodes, [value("frames", FLOAT, [rows, 5]), value("begin", FLOAT, [5])], [value("all", FLOAT, [rows, 5]), value("sum", FLOAT, [5])], {})


def cache():
    """Attention over a cache to which each iteration appends, with a mask that grows with it, until a condition ends the loop."""
    attention = [node("Unsqueeze", ["h", "one"], ["row"]), node("Concat", ["past", "row"], ["kept"], axis=1), node("Concat", ["mask", "nothing"], ["open"], axis=0),
                 node("Transpose", ["kept"], ["turned"], perm=[0, 2, 1]), node("MatMul", ["row", "turned"], ["raw"]), node("Add", ["raw", "open"], ["scores"]),
                 node("Softmax", ["scores"], ["share"]), node("MatMul", ["share", "kept"], ["mixed"]), node("Squeeze", ["mixed", "one"], ["flat"]),
                 node("MatMul", ["flat", "turn"], ["next"]), node("ReduceL2", ["next"], ["norm"], keepdims=0), node("Greater", ["norm", "small"], ["go"])]
    inner = body(attention, [value("h", FLOAT, [1, WIDTH]), value("past", FLOAT, [1, "k", WIDTH]), value("mask", FLOAT, ["k"])],
                 [value("go", BOOL, []), value("next", FLOAT, [1, WIDTH]), value("kept", FLOAT, [1, "l", WIDTH]), value("open", FLOAT, ["l"]), value("norm", FLOAT, [])],
                 one=np.array([1]), nothing=np.zeros(1, np.float32), small=np.float32(3), turn=weights(WIDTH, WIDTH))
    loop = node("Loop", ["limit", "yes", "x", "prompt", "before"], ["last", "cache", "masks", "norms"], body=inner)
    return ([loop], [value("x", FLOAT, [1, WIDTH]), value("prompt", FLOAT, [1, 3, WIDTH]), value("before", FLOAT, [3])],
            [value("last", FLOAT, [1, WIDTH]), value("cache", FLOAT, [1, "length", WIDTH]), value("masks", FLOAT, ["all"]), value("norms", FLOAT, ["rounds"])],
            dict(yes=True, limit=np.int64(60)))


def sentence():
    """Appends two tokens per iteration to an input of dynamic length. An input is the trip count, and the size that the model states is its bound."""
    steps = [node("Gather", ["ids", "newest"], ["word"]), node("Add", ["word", "round"], ["sum"]), node("Mod", ["sum", "words"], ["next"]),
             node("Concat", ["ids", "next", "word"], ["more"], axis=0), node("Identity", ["before"], ["go"])]
    inner = body(steps, [value("ids", INT64, ["k"])], [value("go", BOOL, []), value("more", INT64, ["l"])], newest=np.array([-1]), words=np.int64(WORDS))
    loop = node("Loop", ["rounds", "", "start"], ["text"], body=inner)
    return [loop], [value("start", INT64, [4]), value("rounds", INT64, [])], [value("text", INT64, [40])], {}


def rows_of_a_run():
    """The trip count is the number of rows of an input; the growing value begins with the rows of another input."""
    steps = [node("Gather", ["frames", "round"], ["frame"], axis=0), node("Unsqueeze", ["frame", "first"], ["row"]), node("Concat", ["rows", "row"], ["more"], axis=0),
             node("Identity", ["before"], ["go"])]
    inner = body(steps, [value("rows", FLOAT, ["k", 5])], [value("go", BOOL, []), value("more", FLOAT, ["l", 5])], first=np.array([0]))
    nodes = [node("Shape", ["frames"], ["shape"]), node("Gather", ["shape", "zero"], ["time"], axis=0), node("Loop", ["time", "", "begin"], ["all"], body=inner)]
    return (nodes, [value("frames", FLOAT, ["n", 5]), value("begin", FLOAT, ["m", 5])], [value("all", FLOAT, ["sum", 5])], dict(zero=np.int64(0)))


def lists():
    """Two sequences to which each iteration appends, as scripts export it, with another carried value between them, over a dynamic length. They are concatenated along an existing and along a new axis."""
    steps = [node("Gather", ["frames", "round"], ["frame"], axis=0), node("Add", ["frame", "h"], ["sum"]), node("Tanh", ["sum"], ["next"]), node("Unsqueeze", ["next", "second"], ["row"]),
             node("SequenceInsert", ["rows", "row"], ["more_rows"]), node("SequenceInsert", ["sums", "sum"], ["more_sums"]), node("Identity", ["before"], ["go"])]

    def list_of(name):
        return helper.make_tensor_sequence_value_info(name, FLOAT, None)

    inner = body(steps, [list_of("rows"), value("h", FLOAT, ["m", 5]), list_of("sums")], [value("go", BOOL, []), list_of("more_rows"), value("next", FLOAT, ["m", 5]), list_of("more_sums")], second=np.array([1]))
    nodes = [node("SequenceEmpty", [], ["none"], dtype=FLOAT), node("Shape", ["frames"], ["time"], start=0, end=1),
             node("Loop", ["time", "", "none", "begin", "none"], ["all_rows", "last", "all_sums"], body=inner), node("ConcatFromSequence", ["all_rows"], ["joined"], axis=1),
             node("ConcatFromSequence", ["all_sums"], ["beside"], axis=-1), node("ConcatFromSequence", ["all_sums"], ["stacked"], axis=-1, new_axis=1),
             node("SequenceLength", ["all_sums"], ["count"]), node("SequenceAt", ["all_rows", "newest"], ["row_last"])]
    return (nodes, [value("frames", FLOAT, ["n", "m", 5]), value("begin", FLOAT, ["m", 5])],
            [value("joined", FLOAT, ["m", "n", 5]), value("last", FLOAT, ["m", 5]), value("beside", FLOAT, ["m", "wide"]), value("stacked", FLOAT, ["m", 5, "n"]), value("count", INT64, []),
             value("row_last", FLOAT, ["m", 1, 5])], dict(newest=np.int64(-1)))


MODELS = {"halve": halve(True), "halve-without-limit": halve(False), "decode": decode(), "bounded-by-statement": bounded_by_statement(),
          "bounded-by-minimum": bounded_by_minimum(), "nested": nested(), "branches": branches(), "counts": counts(), "sequence": sequence(),
          "nothing-scanned": nothing_scanned(), "no-rows": gathered(0), "no-rows-of-a-run": gathered("n"), "cache": cache(), "sentence": sentence(), "rows-of-a-run": rows_of_a_run(), "lists": lists()}


# ONNX Runtime 1.30 crashes or rejects the model.
ALONE = {"nothing-scanned"}


def cases(tools, work):
    for name, (nodes, inputs, outputs, values) in MODELS.items():
        model, library = work / f"{name}.onnx", work / f"{name}.so"
        save_model(model, nodes, inputs, outputs, values, opset=16)
        options = {"sequence": ["--dim=n=9"], "rows-of-a-run": ["--dim=n=9", "--dim=m=4"], "lists": ["--dim=n=7", "--dim=m=3"],
                   "no-rows-of-a-run": ["--dim=n=0"]}.get(name, [])
        yield name, (build(tools, model, library, "--threads=2") or
                     verify_against(["naive"] if name in ALONE else ["naive", "onnxruntime"], tools, model, library, "--threads=2", "--rounds=4", "--largest-integer=7", *options))


if __name__ == "__main__":
    judge_all(cases)
