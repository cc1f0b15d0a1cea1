#!/usr/bin/env python3
"""Runs models with dynamic sizes between guard pages with unreasonable sizes and numbers: each run must be computed or rejected.

usage: hostile_runs.py --cameo CAMEO --work FOLDER [--runs N] [--seed S] [--jobs N] [NAME...]

The models are those of test/integration/models/refused_sizes.py, and those of size_buckets.py, whose tasks have schedules for ranges of sizes. Indices,
axes, counts and lengths that a run reads are mostly far out of range, and floats are infinite, NaN, or of any magnitude. Exits 77 (skipped) without
numpy and onnx.
"""

import argparse
import concurrent.futures
import dataclasses
import functools
import math
import pathlib
import sys
import threading

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "utils/fuzz"), str(ROOT / "test/integration/models")]
try:
    import numpy as np
    import onnx
    from case import Case
    from element_types import FLOATS, NAMES, integer_range, to_storage
    from judge import AT_BEGIN, AT_END, COMPILE_SECONDS, INVALID_ARGUMENT, LEVELS, MEMORY_BYTES, Found, Judge, build_harnesses, cpu_count, runner_for
    import size_buckets
    from refused_sizes import CASES, parse_case
except ImportError as error:
    print(f"skipped: {error}; it needs numpy and onnx (Debian: python3-onnx)")
    sys.exit(77)

SIZES = (0, 1, 2, 3, 4, 5, 8, 17)
# No buffer has as many elements.
FAR_SIZES = (-1, -(2**63), 2**31, 2**32 + 1, 2**40, 2**62, 2**63 - 1)
TUNING_SECONDS = 600
# The number of samples of RoiAlign grows with the region, as ONNX specifies: large regions are valid, and take days.
SMALL = {"roi_align"}
# At most so many elements are made for an input, whatever its sizes say.
MOST_ELEMENTS = 1 << 16
NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan, 1e30, -1e30, 3e9, -3e9)


def sizes_of(random, names, shapes):
    """Returns sizes for all names: mostly near to those of a valid run if one is drawn, sometimes with one that no buffer has."""
    stated = dict(shapes[random.integers(len(shapes))])
    share = random.choice([0.0, 0.2, 1.0])
    sizes = {name: int(random.choice(SIZES)) if random.random() < share else stated[name] for name in names}
    if names and random.random() < 0.1:
        sizes[names[random.integers(len(names))]] = FAR_SIZES[random.integers(len(FAR_SIZES))]
    return sizes


def numbers_of(random, type_, count, is_small):
    if type_ == "bool":
        return random.random(count) < 0.5
    if type_ in FLOATS:
        return to_storage(type_, np.where(is_small | (random.random(count) < 0.5), random.uniform(-2, 2, count), random.choice(NUMBERS, count)))
    least, most = integer_range(type_)
    near = random.integers(max(least, -3), 6, count)
    far = np.array([random.choice([least, least + 1, most, most - 1, most // 2, 1000, 1 << 20 if most >= 1 << 20 else most]) for _ in range(count)], dtype=object)
    return np.where(random.random(count) < 0.6, near.astype(object), far).astype(to_storage(type_, 0).dtype)


def requests_of(judge, model, types, runs, random, shapes):
    """Yields pairs of a description and a request."""
    names = list(shapes[0])
    made = []
    for number in range(runs):
        sizes = sizes_of(random, names, shapes)
        feed = {}
        shapes_of_run = {value.name: [dim.dim_value if dim.HasField("dim_value") else sizes[dim.dim_param] for dim in value.type.tensor_type.shape.dim] for value in model.graph.input}
        for value in model.graph.input:  # a run repeats what it is given
            count = min(max(math.prod(shapes_of_run[value.name]), 1), MOST_ELEMENTS)
            feed[value.name] = numbers_of(random, types[value.name], count, model.graph.name in SMALL)
        text = f"sizes {sizes}, " + ", ".join(f"{name} {array.ravel()[:8].tolist()}" for name, array in feed.items() if types[name] not in FLOATS)
        case = Case(model, [feed], {})
        made.append((text, judge.request(case, 0, AT_BEGIN if number % 2 else AT_END, 3 if number % 2 else 0, sizes)))
    return made


def named_sizes(model, shapes):
    return {dim.dim_param: size for value, shape in zip(model.graph.input, shapes, strict=True) for dim, size in zip(value.type.tensor_type.shape.dim, shape, strict=True)
            if dim.dim_param}


OWN = threading.local()


def tools_of_thread(tools, arguments):
    """Returns the tools of this thread: a compiler runs one command at a time, so each thread has its own."""
    if not hasattr(OWN, "tools"):
        OWN.tools = dataclasses.replace(tools, compiler=runner_for(arguments.cameo, arguments.work, COMPILE_SECONDS, MEMORY_BYTES))
    return OWN.tools


def prepare_case(tools, arguments, judge, case):
    """Returns the model, a library of it, and the sizes by name of valid and of refused runs. Raises Found."""
    if case not in size_buckets.MODELS:
        _, text, computed, refused = next(each for each in CASES if each[0] == case)
        model = parse_case(case, text)
        path = judge.work / "model.onnx"
        path.write_bytes(model.SerializeToString())
        return model, judge.compile(path, "optimised", judge.level, "--threads=2"), [named_sizes(model, shapes) for shapes in [*computed, *refused]]
    with runner_for(arguments.cameo, judge.work, TUNING_SECONDS, 0) as runner:
        path, records, wrong = size_buckets.tune_model([runner], judge.work, case)
    if wrong:
        raise Found("tuning fails", wrong)
    return onnx.load(path), judge.compile(path, "optimised", judge.level, "--records", records, *size_buckets.OPTIONS), size_buckets.runs_of(case)


def judge_case(tools, arguments, name):
    """Returns a description of the failure, or None."""
    tools = tools_of_thread(tools, arguments)
    judge = Judge(tools, LEVELS["native"], arguments.work / name)
    judge.work.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng([arguments.seed, *name.encode()])
    try:
        model, library, meant = prepare_case(tools, arguments, judge, name)
        types = {value.name: NAMES[value.type.tensor_type.elem_type] for value in model.graph.input}
        made = requests_of(judge, model, types, arguments.runs, random, meant)
        answers = None
        try:
            answers = judge.run(library, judge.level, [request for _, request in made], name)
        except Found:
            pass
        for number, (text, request) in enumerate(made):  # one at a time, to name the request that fails
            try:
                status = answers[number][0] if answers else judge.run(library, judge.level, [request], name)[0][0]
            except Found as found:
                return f"{found.failure}, {text}"
            if status not in (None, 0, INVALID_ARGUMENT):
                return f"status {status}, {text}"
    except Found as found:
        return str(found.failure)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cameo", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=cpu_count())
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    tools = build_harnesses(arguments.cameo, None, [], arguments.work)
    cases = [name for name in [*size_buckets.MODELS, *[case[0] for case in CASES]] if not arguments.names or name in arguments.names]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=arguments.jobs) as pool:
        for name, wrong in zip(cases, pool.map(functools.partial(judge_case, tools, arguments), cases)):
            failed += bool(wrong)
            if wrong:
                print(f"{name}: {wrong}", flush=True)
    print(f"{len(cases)} models, {failed} failures, seed {arguments.seed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
