"""Searches by 'cameo tune' that are made once and kept, and what is compiled with what they found, measured in turns."""

import json
import sys

from results_file import capture

TURNS, RUNS = 8, 10
IN_TURNS = f"inside the network: the shortest of {TURNS} times {RUNS} runs in turns"


def run(*command):
    status, output, errors = capture(*command)
    if status:
        sys.exit(f"search: error: {' '.join(map(str, command))}: {errors}")
    return output


def attempt(*command):
    """Returns the output of 'cameo', or None if it fails. Exits if it crashes or cannot be started."""
    status, output, errors = capture(*command)
    if status not in (0, 1):
        sys.exit(f"search: error: {' '.join(map(str, command))}: status {status}: {errors}")
    return output if status == 0 else None


def tune(arguments, network, task, policy, seed, records, defaults=False):
    """Returns the records of one search. They are also in the file `records`, which an earlier run may have written completely, or partly as
    `records`.part."""
    if not records.exists():
        part = records.with_name(records.name + ".part")
        run(arguments.cameo, "tune", arguments.models / f"{network}.onnx", "--tasks", task, "--records", part, "--policy", policy,
            "--cost-model", arguments.cost_model, "--trials", arguments.trials, "--trials-per-round", 16, "--seed", seed,
            "--run-timeout", 2, "--progress=none", *([] if defaults else ["--no-defaults"]), *(["--resume"] if part.exists() else []))
        part.rename(records)
    return [json.loads(line) for line in records.read_text().splitlines()]


def confirmed(records):
    """Returns the records that were compared with the naive path and measured with release options, as 'cameo compile' compiles."""
    return [record for record in records if record["level"] == "release" and "proof" in record and "cost" in record]


def times_in_turns(arguments, libraries):
    """Returns, for each library, the milliseconds per task: the minimum of runs in turns, in separate processes."""
    shortest = [{} for _ in libraries]
    for _ in range(TURNS):
        for times, library in zip(shortest, libraries):
            for task in json.loads(run(arguments.cameo, "bench", library, "--profile", "--json", "--runs", RUNS))["tasks"]:
                times[task["key"]] = min(task["ms"] / task["count"], times.get(task["key"], float("inf")))
    return shortest


def keys_of(arguments, network):
    """Returns the keys of a network's tasks, by name."""
    listed = json.loads(run(arguments.cameo, "tasks", arguments.models / f"{network}.onnx", "--json"))["tasks"]
    return {task["name"]: task["key"] for task in listed}
