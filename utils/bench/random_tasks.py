"""Tasks of graphs that chance makes: what their default schedules take, and what searches find for them."""

import collections
import itertools
import json
import sys

from results_file import ROOT, Table
from searches import RUNS, TURNS, attempt, confirmed, run, times_in_turns, tune

sys.path.append(str(ROOT / "utils/fuzz"))
MOST_NODES = 5
# A shorter task mainly measures the call; a longer one is similar to shorter ones.
SHORTEST_MS, LONGEST_MS = 0.02, 20
AS_GOOD, WORST = 1.10, 1.5
FROM_NOTHING_AS_GOOD = 1.05
# Limit of successive graphs without a task to search. About every other graph has one, so more cannot be chance.
MOST_LEFT_OUT = 100


def make_model(seed, number, path):
    """Writes the model of graph `number`. Returns its operators."""
    from case import case_of
    from graph import Graph
    from steps import grow
    graph = Graph([seed, number], large=True)
    grow(graph, most=MOST_NODES)
    model = case_of(graph).model
    path.write_bytes(model.SerializeToString())
    return [node.op_type for node in model.graph.node]


def longest_task(arguments, path, library):
    """Returns the key of the longest task of the model at `path`, which is compiled to `library`, and the reason if the task cannot be searched."""
    if attempt(arguments.cameo, "compile", path, "--emit=lib", "-o", library) is None:
        return None, "not compiled"
    output = attempt(arguments.cameo, "bench", library, "--profile", "--json", "--runs", 3)
    if output is None:
        return None, "not run"
    tasks = json.loads(output)["tasks"]
    if not tasks:
        return None, "without tasks"
    longest = max(tasks, key=lambda task: task["ms"] / task["count"])
    if not SHORTEST_MS <= longest["ms"] / longest["count"] <= LONGEST_MS:
        return None, f"not of {SHORTEST_MS} to {LONGEST_MS} ms"
    # Loops inside of loops, for example, have no schedules.
    sketches = attempt(arguments.cameo, "tune", path, "--tasks", longest["key"], "--records", path.with_suffix(".sketches"), "--stop-after", "sketch")
    return longest["key"], "not searched" if sketches is None else None


def searched(arguments, stem, key, folder):
    """Returns libraries with the results of two searches, with and without the default schedule as a start; none if a search finds nothing."""
    libraries = []
    for kind, defaults in (("found", True), ("nothing", False)):
        records = folder / f"{stem}.{key[:8]}.{kind}.jsonl"
        if not confirmed(tune(arguments, stem, key, "evolutionary", 0, records, defaults)):
            return []
        libraries.append(folder / f"{stem}.{kind}.so")
        run(arguments.cameo, "compile", folder / f"{stem}.onnx", "--emit=lib", "--records", records, "-o", libraries[-1])
    return libraries


def summary(ratios, from_nothing):
    """Summarises the ratios default / best and nothing / default."""
    count = len(ratios)
    good, far = sum(ratio <= AS_GOOD for ratio in ratios), sum(ratio > WORST for ratio in ratios)
    reached = sum(ratio <= FROM_NOTHING_AS_GOOD for ratio in from_nothing)
    return [f"the default schedule is within {AS_GOOD - 1:.0%} of the best that was found for {good} of {count} tasks ({good / count:.0%}), "
            f"and behind by more than {WORST}x for {far}; at worst {max(ratios):.2f}x",
            f"from nothing the search is within {FROM_NOTHING_AS_GOOD - 1:.0%} of the default schedule or faster for {reached} of {count} tasks ({reached / count:.0%}); "
            f"at worst {max(from_nothing):.2f}x"]


def counts(left_out):
    return ", ".join(f"{count} {reason}" for reason, count in left_out.most_common())


def compare_random_tasks(arguments, folder):
    try:
        import case
    except ImportError as error:
        sys.exit(f"search: error: {error}; random-tasks needs numpy and onnx (Debian: python3-onnx)")
    arguments.models = folder
    seed, _, number = arguments.seed.partition(":")
    seed, numbers = int(seed), iter([int(number)]) if number else itertools.count()
    table = Table(["task", "default ms", "found ms", "from nothing ms", "default / best", "nothing / default", "operators"], len(f"{seed}:{arguments.count}"))
    left_out, keys, ratios, from_nothing, in_a_row = collections.Counter(), set(), [], [], 0
    for number in numbers:
        stem = f"{seed}-{number}"
        operators = make_model(seed, number, folder / f"{stem}.onnx")
        default = folder / f"{stem}.default.so"
        key, reason = longest_task(arguments, folder / f"{stem}.onnx", default)
        if key in keys:
            reason = "known"
        libraries = [] if reason else searched(arguments, stem, key, folder)
        if not libraries:
            left_out[reason or "without a choice"] += 1
            in_a_row += 1
            if in_a_row == MOST_LEFT_OUT:
                sys.exit(f"search: error: nothing to search in the last {in_a_row} graphs; left out: {counts(left_out)}")
            continue
        in_a_row = 0
        keys.add(key)
        times = [each[key] for each in times_in_turns(arguments, [default, *libraries])]
        ratios.append(times[0] / min(times))
        from_nothing.append(times[2] / times[0])
        table.add([f"{seed}:{number}", *(f"{time:.4f}" for time in times), f"{ratios[-1]:.3f}", f"{from_nothing[-1]:.3f}", " ".join(operators)])
        if len(ratios) == arguments.count:
            break
    if not ratios:
        sys.exit(f"search: error: nothing to search in graph {arguments.seed}: its longest task is {' '.join(left_out)}")
    facts = summary(ratios, from_nothing)
    facts.append(f"{arguments.trials} trials, the shortest of {TURNS} times {RUNS} runs in turns, of the longest task of each graph; left out: "
                 + (counts(left_out) or "none"))
    return table, "Default schedules of tasks that chance makes", facts
