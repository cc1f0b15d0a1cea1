"""Whole networks tuned for a time, and what the tuned ones take beside the untuned ones and beside ONNX Runtime."""

import json
import sys

from results_file import Table, capture
from searches import run


def ratio_to_peer(arguments, model, records, notes):
    """Returns the ratio of the tuned network's time to ONNX Runtime's as text. If that is not installed, returns '-' and adds the reason to the
    notes."""
    status, output, errors = capture(arguments.cameo, "bench", model, "--records", records, "--against=onnxruntime", "--runs", 100, "--json")
    if status == 0:
        return f"{json.loads(output)['ratio']:.3f}"
    notes.append(f"{model.stem}: not compared with ONNX Runtime: {errors}")
    return "-"


def tune_network(arguments, model, records):
    """Returns what 'cameo tune' tells at the end, of the search and of the whole network."""
    lines = run(arguments.cameo, "tune", model, "--records", records, "--tune-time", f"{arguments.seconds}s", "--cost-model", arguments.cost_model,
                "--progress=json").splitlines()
    *_, session, whole = map(json.loads, lines)
    if "ratio" not in whole:
        sys.exit(f"search: error: {arguments.seconds} s are too few to compare the whole network")
    return session, whole


def failures(session):
    return str(sum(task["failed"] for task in session["tasks"]))


def conditions(arguments):
    return f"{arguments.seconds:.0f} s each, one thread, cost model: {arguments.cost_model}"


def measure_rate(arguments, folder):
    networks = arguments.network or ["resnet18"]
    table = Table(["network", "candidates", "failed", "per second", "estimated ms", "tuned ms", "off by", "untuned ms", "of untuned", "of ONNX Runtime"],
                  max(map(len, ["network", *networks])))
    notes = [conditions(arguments)]
    for network in networks:
        model, records = arguments.models / f"{network}.onnx", folder / f"{network}.jsonl"
        session, whole = tune_network(arguments, model, records)
        tuned, ratio, estimated = whole["tuned_ms"], whole["ratio"], whole["estimated_ms"] or float("nan")
        # A dropped result is not used.
        if whole["dropped"]:
            low, high = whole["ratio_interval"]
            notes.append(f"{network}: what was found took {ratio:.3f} of untuned [{low:.3f}, {high:.3f}], and was dropped")
            tuned, ratio = whole["untuned_ms"], 1
        table.add([network, str(session["trials"]), failures(session), f"{session['trials_per_second']:.1f}",
                   f"{estimated:.3f}", f"{tuned:.3f}", f"{estimated / tuned - 1:+.1%}", f"{whole['untuned_ms']:.3f}", f"{ratio:.3f}",
                   ratio_to_peer(arguments, model, records, notes)])
    return table, "Networks tuned for a time", notes


def measure_networks(arguments, folder):
    try:
        import unseen_networks
    except ImportError as error:
        sys.exit(f"search: error: {error}; networks needs numpy and onnx (Debian: python3-onnx)")
    networks = arguments.network or list(unseen_networks.NETWORKS)
    for network in networks:
        if network not in unseen_networks.NETWORKS:
            sys.exit(f"search: error: expected --network {' or '.join(unseen_networks.NETWORKS)}, got {network}")
    table = Table(["network", "tasks", "candidates", "failed", "untuned ms", "tuned ms", "of untuned", "interval", "of ONNX Runtime"],
                  max(map(len, ["network", *networks])))
    table.widths[7] = len("0.999-0.999")
    notes = [conditions(arguments), "interval of the ratio (95 %): of turns after the schedules were chosen"]
    for network in networks:
        model, records = folder / f"{network}.onnx", folder / f"{network}.jsonl"
        unseen_networks.make(network, model)
        session, whole = tune_network(arguments, model, records)
        low, high = whole["ratio_interval"]
        if whole["dropped"]:
            notes.append(f"{network}: what was found was dropped, and the tuned network is the untuned one")
        elif whole["refused_in_model"] == whole["tasks_with_other_schedules"]:
            notes.append(f"{network}: {whole['refused_in_model']} other schedules found, none faster inside; the tuned network is the untuned one")
        table.add([network, str(len(session["tasks"])), str(session["trials"]), failures(session), f"{whole['untuned_ms']:.3f}", f"{whole['tuned_ms']:.3f}",
                   f"{whole['ratio']:.3f}", f"{low:.3f}-{high:.3f}", ratio_to_peer(arguments, model, records, notes)])
    return table, "Published networks outside of the zoo, tuned for a time", notes
