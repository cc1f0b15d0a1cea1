#!/usr/bin/env python3
"""Sequences whose length, and optional values whose presence, a run decides, and loops that are unrolled up to a bound, compared with the naive path and
with ONNX Runtime; as outputs of the model with NumPy.

usage: run_sequences.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Without ONNX Runtime the naive path alone is compared with. Exits 77 (skipped) without the onnx module.
"""

import shutil
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, cameo, judge_all, save_model, verify_against

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
node, value = helper.make_node, helper.make_tensor_value_info
OPTIONAL = helper.make_optional_type_proto(helper.make_tensor_type_proto(FLOAT, None))


def sequence(name):
    return helper.make_tensor_sequence_value_info(name, FLOAT, None)


def graph(nodes, inputs, outputs, **constants):
    return helper.make_graph(nodes, "body", inputs, outputs, [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()])


def body(nodes, carried, outputs, **constants):
    return graph(nodes, [value("round", INT64, []), value("before", BOOL, []), *carried], [value("go", BOOL, []), *outputs], **constants)


def random(*shape):
    return np.random.default_rng(len(shape) + sum(shape)).standard_normal(shape).astype(np.float32)


def array(number, kind=np.int64):
    return np.asarray(number, kind)


def chosen_lists():
    """Lists of two and of three elements; the condition decides which."""
    long = graph([node("SequenceConstruct", ["x", "y", "x"], ["three"])], [], [sequence("three")])
    short = graph([node("SequenceConstruct", ["y"], ["one"])], [], [sequence("one")])
    return node("If", ["long"], ["list"], then_branch=long, else_branch=short)


def positions():
    """Elements are inserted and erased at positions of the run and at the end, taken, joined and counted."""
    nodes = [chosen_lists(), node("Add", ["x", "x"], ["added"]), node("SequenceInsert", ["list", "added", "place"], ["more"]), node("SequenceErase", ["more"], ["less"]),
             node("SequenceErase", ["more", "other"], ["left"]), node("SequenceInsert", ["left", "y"], ["back"]),
             node("ConcatFromSequence", ["more"], ["stacked"], axis=-1, new_axis=1), node("ConcatFromSequence", ["less"], ["wide"], axis=1),
             node("ConcatFromSequence", ["back"], ["high"], axis=0), node("SequenceLength", ["less"], ["count"]), node("SequenceAt", ["back", "last"], ["end"])]
    inputs = [value("x", FLOAT, [2, 3]), value("y", FLOAT, [2, 3]), value("long", BOOL, []), value("place", INT64, []), value("other", INT64, [])]
    outputs = [value(name, kind, None) for name, kind in (("stacked", FLOAT), ("wide", FLOAT), ("high", FLOAT), ("count", INT64), ("end", FLOAT))]
    runs = [dict(x=random(2, 3), y=random(3, 2).reshape(2, 3), long=array(long, bool), place=array(place), other=array(other))
            for long, place, other in [(0, 0, 0), (0, 1, -1), (0, -1, 1), (1, 3, 0), (1, 0, -1), (1, 2, 2), (1, -3, -4)]]
    refused = [dict(runs[0], place=array(2)), dict(runs[0], other=array(2)), dict(runs[3], place=array(-4))]
    return nodes, inputs, outputs, dict(last=array(-1)), [], runs, refused


def sizes():
    """The elements have dynamic sizes of their own, and are mapped with a tensor beside them."""
    mapped = graph([node("ReduceSum", ["row", "first"], ["sum"], keepdims=1), node("Mul", ["sum", "w"], ["product"])],
                   [value("row", FLOAT, None), value("w", FLOAT, None)], [value("sum", FLOAT, None), value("product", FLOAT, None)], first=array([0]))
    nodes = [chosen_lists(), node("ConcatFromSequence", ["list"], ["all"], axis=0), node("SequenceAt", ["list", "last"], ["end"]),
             node("SequenceMap", ["list", "factor"], ["sums", "products"], body=mapped), node("ConcatFromSequence", ["products"], ["joined"], axis=0),
             node("SequenceLength", ["sums"], ["count"])]
    inputs = [value("x", FLOAT, ["n", 3]), value("y", FLOAT, ["m", 3]), value("long", BOOL, []), value("factor", FLOAT, [3])]
    outputs = [value(name, kind, None) for name, kind in (("all", FLOAT), ("end", FLOAT), ("joined", FLOAT), ("count", INT64))]
    runs = [dict(x=random(n, 3), y=random(m, 3), long=array(long, bool), factor=random(3)) for n, m in [(2, 3), (1, 1), (0, 4)] for long in (0, 1)]
    return nodes, inputs, outputs, dict(last=array(-1)), [], runs, []


def slices():
    """Sequences of slices, of parts and of parts of one row, whose numbers the run decides, are mapped by a loop. Split has sizes of the run."""
    def mapped(row, to):
        return graph([node("Relu", [row], [row + "_positive"]), node("ReduceSum", [row + "_positive", "first"], [to], keepdims=1), node("Mul", [to, "factor"], [to + "_scaled"])],
                     [value(row, FLOAT, None)], [value(to + "_scaled", FLOAT, None)], first=array([0]))
    nodes = [node("SplitToSequence", ["x"], ["rows"], axis=0, keepdims=0), node("SequenceMap", ["rows"], ["sums"], body=mapped("row", "sum")),
             node("ConcatFromSequence", ["sums"], ["joined"], axis=0), node("SequenceLength", ["sums"], ["count"]),
             node("SplitToSequence", ["x", "part"], ["parts"], axis=0), node("SequenceMap", ["parts"], ["part_sums"], body=mapped("piece", "piece_sum")),
             node("ConcatFromSequence", ["part_sums"], ["high"], axis=0),
             node("SplitToSequence", ["x", "one"], ["ones"], axis=0), node("SequenceMap", ["ones"], ["one_sums"], body=mapped("single", "single_sum")),
             node("ConcatFromSequence", ["one_sums"], ["alone"], axis=0), node("Split", ["x", "sizes"], ["front", "back"], axis=0),
             node("ReduceSum", ["front", "first"], ["front_sum"], keepdims=1), node("Mul", ["back", "front_sum"], ["scaled"])]
    inputs = [value("x", FLOAT, ["n", 3]), value("part", INT64, []), value("sizes", INT64, [2]), value("factor", FLOAT, [])]
    outputs = [value(name, kind, None) for name, kind in (("joined", FLOAT), ("count", INT64), ("high", FLOAT), ("alone", FLOAT), ("scaled", FLOAT))]
    runs = [dict(x=random(n, 3), part=array(part), sizes=array([front, n - front]), factor=array(1.5, np.float32))
            for n, part, front in [(6, 2, 4), (7, 3, 0), (5, 5, 5), (1, 4, 1)]]
    refused = [dict(runs[0], sizes=array(sizes)) for sizes in ([3, 4], [4, 1], [8, -2], [-2, 8])]
    return nodes, inputs, outputs, dict(first=array([0]), one=array(1)), [], runs, refused


def optional():
    """A value that a condition leaves out is taken where it is present; the other reader takes it in every run."""
    present = graph([node("Relu", ["x"], ["positive"]), node("Optional", ["positive"], ["some"])], [], [helper.make_value_info("some", OPTIONAL)])
    absent = graph([node("Optional", [], ["none"], type=helper.make_tensor_type_proto(FLOAT, None))], [], [helper.make_value_info("none", OPTIONAL)])
    taken = graph([node("OptionalGetElement", ["maybe"], ["element"]), node("Add", ["element", "x"], ["sum"])], [], [value("sum", FLOAT, None)])
    other = graph([node("Neg", ["x"], ["negative"])], [], [value("negative", FLOAT, None)])
    checked = graph([node("OptionalGetElement", ["maybe"], ["unchecked"])], [], [value("unchecked", FLOAT, None)])
    plain = graph([node("Identity", ["x"], ["same"])], [], [value("same", FLOAT, None)])
    nodes = [node("If", ["given"], ["maybe"], then_branch=present, else_branch=absent), node("OptionalHasElement", ["maybe"], ["has"]),
             node("If", ["has"], ["y"], then_branch=taken, else_branch=other), node("If", ["reads"], ["z"], then_branch=checked, else_branch=plain)]
    inputs = [value("x", FLOAT, ["n"]), value("given", BOOL, []), value("reads", BOOL, [])]
    outputs = [value("y", FLOAT, None), value("has", BOOL, None), value("z", FLOAT, None)]
    runs = [dict(x=random(n), given=array(given, bool), reads=array(reads, bool)) for n in (3, 0) for given, reads in ((0, 0), (1, 0), (1, 1))]
    return nodes, inputs, outputs, {}, [], runs, [dict(runs[0], reads=array(True, bool))]


def growing_slices():
    """Each iteration appends a longer slice to a list, until a sum or the trip count ends the loop; a bound limits it."""
    steps = [node("Add", ["round", "one"], ["next"]), node("Unsqueeze", ["next", "first"], ["end"]), node("Slice", ["x", "start", "end", "first"], ["slice"]),
             node("SequenceInsert", ["list", "slice"], ["more"]), node("ReduceSum", ["slice"], ["sum"], keepdims=0), node("Less", ["sum", "most"], ["go"])]
    inner = body(steps, [sequence("list")], [sequence("more")], one=array(1), first=array([0]), start=array([0]))
    nodes = [node("SequenceEmpty", [], ["empty"]), node("Loop", ["rounds", "begins", "empty"], ["slices"], body=inner), node("SequenceInsert", ["slices", "x"], ["all"]),
             node("ConcatFromSequence", ["all"], ["joined"], axis=0), node("SequenceLength", ["all"], ["count"]), node("SequenceAt", ["all", "place"], ["taken"])]
    inputs = [value("x", FLOAT, [6, 2]), value("rounds", INT64, []), value("begins", BOOL, []), value("most", FLOAT, []), value("place", INT64, [])]
    outputs = [value("joined", FLOAT, None), value("count", INT64, None), value("taken", FLOAT, None)]
    runs = [dict(x=np.abs(random(6, 2)), rounds=array(rounds), begins=array(begins, bool), most=array(most, np.float32), place=array(place))
            for rounds, begins, most, place in [(0, 1, 9, 0), (5, 1, 100, 3), (5, 1, 3, -1), (3, 0, 9, -1), (3, 1, 9, -2), (1, 1, 0, 1)]]
    refused = [dict(runs[0], rounds=array(6)), dict(runs[0], place=array(1)), dict(runs[5], place=array(-3))]
    return nodes, inputs, outputs, {}, ["--bound=rounds=5"], runs, refused


def uneven_growth():
    """A value grows by another amount in each iteration, and a number is stacked, until a condition ends the loop. A minimum is the bound of the trip count."""
    steps = [node("Unsqueeze", ["round", "first"], ["behind"]), node("Concat", ["front", "behind"], ["pads"], axis=0), node("Pad", ["x", "pads"], ["longer"]),
             node("ReduceSum", ["longer"], ["sum"], keepdims=0), node("Add", ["longer", "one"], ["next"]), node("Less", ["sum", "most"], ["go"])]
    inner = body(steps, [value("x", FLOAT, ["k"])], [value("next", FLOAT, ["l"]), value("sum", FLOAT, [])], first=array([0]), front=array([0]), one=array(1, np.float32))
    nodes = [node("Min", ["rounds", "six"], ["least"]), node("Loop", ["least", "", "start"], ["last", "sums"], body=inner)]
    inputs = [value("start", FLOAT, ["n"]), value("rounds", INT64, []), value("most", FLOAT, [])]
    runs = [dict(start=np.abs(random(n)), rounds=array(rounds), most=array(most, np.float32)) for n, rounds, most in [(3, 0, 9), (3, 6, 900), (2, 9, 4), (1, 4, 100), (1, 1, 1)]]
    return nodes, inputs, [value("last", FLOAT, None), value("sums", FLOAT, None)], dict(six=array(6)), [], runs, []


def lists():
    """Sequences as outputs: of a condition, of a loop over a dynamic length, of slices along the second axis, and of a known length."""
    nodes, inputs, outputs, constants = sequence_outputs()
    kept = [output for output in outputs if output.type.HasField("sequence_type")]
    nodes = [each for each in nodes if not set(each.output) & {"maybe", "perhaps"}] + [node("SequenceConstruct", ["x", "y"], ["pair"])]
    runs = [dict(x=random(2, 3), y=random(m, 3), z=random(2, k), long=array(long, bool)) for m, k, long in [(4, 5, 0), (4, 5, 1), (0, 2, 1), (1, 0, 0)]]
    return nodes, inputs, [*kept, sequence("pair")], constants, [], runs, []


def sequence_outputs():
    """Sequences and optional values as outputs: of a condition, of a loop over a dynamic length, and of slices along the second axis."""
    present = graph([node("SequenceConstruct", ["y"], ["one_only"]), node("Optional", ["one_only"], ["some"])], [], [helper.make_value_info("some", OPTIONAL)])
    absent = graph([node("Optional", [], ["none"], type=helper.make_tensor_type_proto(FLOAT, None))], [], [helper.make_value_info("none", OPTIONAL)])
    tensor = graph([node("Optional", ["y"], ["some_y"])], [], [helper.make_value_info("some_y", OPTIONAL)])
    steps = [node("Gather", ["y", "round"], ["row"]), node("Relu", ["row"], ["positive"]), node("SequenceInsert", ["rows", "positive"], ["more"]), node("Identity", ["before"], ["go"])]
    nodes = [chosen_lists(), node("If", ["long"], ["maybe"], then_branch=present, else_branch=absent), node("If", ["long"], ["perhaps"], then_branch=tensor, else_branch=absent),
             node("Shape", ["y"], ["count"], end=1), node("SequenceEmpty", [], ["empty"]),
             node("Loop", ["count", "", "empty"], ["rows"], body=body(steps, [sequence("rows")], [sequence("more")])), node("SplitToSequence", ["z"], ["columns"], axis=1)]
    inputs = [value("x", FLOAT, [2, 3]), value("y", FLOAT, ["m", 3]), value("z", FLOAT, [2, "k"]), value("long", BOOL, [])]
    lists = helper.make_optional_type_proto(helper.make_sequence_type_proto(helper.make_tensor_type_proto(FLOAT, None)))
    outputs = [sequence("list"), helper.make_value_info("maybe", lists), helper.make_value_info("perhaps", OPTIONAL), sequence("rows"), sequence("columns")]
    return nodes, inputs, outputs, {}


def judge_outputs(tools, work):
    """Compares what a run writes for outputs that are sequences and optional values with NumPy."""
    nodes, inputs, outputs, constants = sequence_outputs()
    model, library = work / "sequence_outputs.onnx", work / "sequence_outputs.so"
    save_model(model, nodes, inputs, outputs, constants, opset=17)
    wrong = build(tools, model, library)
    for long in [] if wrong else (False, True):
        x, y, z = random(2, 3), random(4, 3), random(2, 5)
        given, written = work / f"outputs_in_{long:d}", work / f"outputs_{long:d}"
        shutil.rmtree(written, ignore_errors=True)
        given.mkdir(exist_ok=True)
        for name, array_ in dict(x=x, y=y, z=z, long=np.asarray(long)).items():
            np.save(given / f"{name}.npy", array_)
        wrong = wrong or cameo(tools, "run", library, f"--inputs={given}", f"--output-dir={written}")
        if wrong:
            return wrong
        expected = {"list_length": 3 if long else 1, "maybe_present": long, "perhaps_present": long, "rows": np.maximum(y, 0), "columns": z.T[:, :, None],
                    **({"list_0": x, "list_1": y, "list_2": x, "maybe_0": y, "perhaps": y} if long else {"list_0": y})}
        every = set(expected) | {"list_1", "list_2", "maybe_0", "perhaps"}
        if {path.stem for path in written.iterdir()} != every:
            return f"expected the outputs {sorted(every)}, got {sorted(path.stem for path in written.iterdir())}"
        for name, array_ in expected.items():
            got = np.load(written / f"{name}.npy")
            if got.shape != np.shape(array_) or not np.array_equal(got, array_):
                return f"{name}: expected {array_}, got {got}"
    return wrong


def cases(tools, work):
    for make in (positions, sizes, slices, optional, growing_slices, uneven_growth, lists):
        nodes, inputs, outputs, constants, options, runs, refused = make()
        name = make.__name__
        model, library = work / f"{name}.onnx", work / f"{name}.so"
        save_model(model, nodes, inputs, outputs, constants, opset=17)
        wrong = cameo(tools, "check", model, *options) or build(tools, model, library, *options)
        yield f"compiling {name}", wrong
        for number, given in enumerate([] if wrong else runs + refused):
            folder = work / f"{name}-{number}"
            folder.mkdir(exist_ok=True)
            for key, content in given.items():
                np.save(folder / f"{key}.npy", content)
            said = f"{name} " + ", ".join(f"{key}={content.tolist()}" for key, content in given.items() if content.ndim == 0)
            if number < len(runs):
                yield said, verify_against(["naive", "onnxruntime"], tools, model, library, f"--inputs={folder}", *options)
                continue
            message = cameo(tools, "run", library, f"--inputs={folder}")
            reasons = "invalid argument", "out of range", "exceeds its bound", "does not accept these sizes"
            yield said, None if message and any(reason in message for reason in reasons) else f"expected a run that is refused, got {message or 'success'}"
    yield "sequence_outputs", judge_outputs(tools, work)


if __name__ == "__main__":
    judge_all(cases)
