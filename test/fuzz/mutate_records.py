#!/usr/bin/env python3
"""Reads mutated tuning records with all commands that read records: none may crash, hang, exceed the memory limit, fail without exactly one error or change the file.

The records are those of a short tuning of each model, with reproducible costs. So mutant number N of seed S is always the same, as long as the
tuner tries the same schedules. A file that fails the test stays in the work folder, and the command is printed.
"""

import argparse
import json
import pathlib
import random
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "utils/command-server"))
from command_server import CommandServer
from record_mutations import mutate_record

SECONDS = 10
PEAK_BYTES = 2 << 30
# Limit of address space, most of which is never used.
ADDRESS_BYTES = 16 << 30


def record_lines(server, model, work):
    """Returns the lines of a short tuning, each schedule of a task once."""
    records = work / f"{model.stem}.jsonl"
    records.unlink(missing_ok=True)
    server.seconds = 120
    result = server.run(["tune", model, "--records", records, "--trials", "8", "--trials-per-round", "4", "--seed", "0", "--progress=none"], alone=True)
    server.seconds = SECONDS
    if result.status != 0:
        sys.exit(f"{model} cannot be tuned:\n{result.errors}")
    lines = {}
    for line in records.read_text().splitlines():
        record = json.loads(line)
        record.update(time="2026-01-01T00:00:00Z", cpu="some", disturbed=False)
        for costs, seconds in (("costs", 1e-3), ("default_costs", 2e-3)):
            if costs in record:
                record[costs] = [seconds, 1.1 * seconds]
        record.pop("proof", None) if record["level"] == "tuning" else None
        lines.setdefault((record["task"], record["schedule"], record["level"]), json.dumps(record))
    return [lines[key] for key in sorted(lines)]


def commands_for(generator, mutant, model, output):
    """Returns the commands that read the file; tuning is rare, because it measures."""
    compile_ = ["compile", model, "--emit=obj", "--records", mutant, "-o", output]
    yield [*compile_, "--records-policy=warn"]
    yield [*compile_, "--records-policy=locked"]
    yield ["records", "merge", mutant, mutant, "-o", output]
    yield ["records", "distill", mutant, "-o", output]
    yield ["records", "show", mutant]
    yield ["records", "show", mutant, "--task", generator.choice(("mat_mul_relu_0", "softmax_0", "conv_0"))]
    yield ["records", "best", mutant]
    yield ["report", mutant, "--gflops", "100", "--gbs", "10", "-o", output, *(["--model", model] if generator.random() < 0.3 else [])]
    if generator.random() < 0.02:
        yield ["tune", model, "--records", mutant, "--resume", "--trials", "1", "--progress=none"]


def find_fault(server, command, mutant, output, alone):
    """Returns what is wrong with the result of `command`, or None."""
    output.unlink(missing_ok=True)
    before = mutant.read_bytes()
    is_tuning = command[0] == "tune"
    server.seconds = 120 if is_tuning else SECONDS
    result = server.run(command, alone or is_tuning)
    server.seconds = SECONDS
    wrote = output.exists()
    output.unlink(missing_ok=True)
    after = mutant.read_bytes()
    if is_tuning:
        mutant.write_bytes(before)  # it appends, and removes an incomplete last line
    elif after != before:
        return "changed the file"
    if is_tuning and not after.startswith(before[: before.rfind(b"\n") + 1]):
        return "lost records"
    if result.timed_out:
        return f"took more than {SECONDS} s"
    if result.status not in (0, 1):
        return f"ended with status {result.status}\n{result.errors[-4000:]}"
    if result.peak_bytes > PEAK_BYTES:
        return f"took {result.peak_bytes >> 20} MiB of memory"
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", result.output + result.errors):
        return "printed control characters"
    errors = sum(" error: " in line for line in result.errors.splitlines())
    # With the policy locked, there is a message for each task without a record, and then the error.
    most = 20 if "--records-policy=locked" in command else 1
    if result.status == 1 and not 1 <= errors <= most:
        return f"failed with {errors} errors:\n{result.errors[-4000:]}"
    if wrote != (result.status == 0 and output in command):
        return f"ended with status {result.status}, and {'left' if wrote else 'has not written'} {output}"
    return None


def test_mutant(server, generator, mutant, model):
    """Returns the command that fails and why, or None."""
    output = mutant.with_suffix(".out")
    for command in commands_for(generator, mutant, model, output):
        # A new process excludes effects of earlier commands.
        if find_fault(server, command, mutant, output, alone=False) and (fault := find_fault(server, command, mutant, output, alone=True)):
            return f"$ cameo {' '.join(map(str, command))}\n{fault}\n"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="the command server, beside cameo in the build")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100, help="mutants of each model's records")
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant")
    parser.add_argument("--unlimited", action="store_true", help="no limit on memory: for builds with sanitizers")
    parser.add_argument("models", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)

    faults = 0
    with CommandServer(arguments.server, arguments.work, SECONDS, 0 if arguments.unlimited else ADDRESS_BYTES) as server:
        for model in arguments.models:
            lines = record_lines(server, model, arguments.work)
            for number in range(arguments.first, arguments.first + arguments.count):
                generator = random.Random(f"{arguments.seed} {model.stem} {number}")
                at = generator.randrange(len(lines))
                changed = [line.encode() for line in lines]
                changed[at] = mutate_record(generator, lines[at])
                mutant = arguments.work / f"{model.stem}-{arguments.seed}-{number}.jsonl"
                mutant.write_bytes(b"\n".join(changed) + b"\n")
                if fault := test_mutant(server, generator, mutant, model):
                    print(fault, flush=True)
                    faults += 1
                else:
                    mutant.unlink()
    print(f"{arguments.count * len(arguments.models)} mutants, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
