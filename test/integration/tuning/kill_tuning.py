#!/usr/bin/env python3
"""Kills a tuning run (SIGKILL) at random moments and resumes it until it is done; no complete record is lost or changed.

The run replays a log, so its records are known in advance: after each kill, the complete lines of its file must be the first lines of the
file of an uninterrupted run, and at least as many as after the kill before; at the end the two files must be equal.

usage: kill_tuning.py CAMEO MODEL WORK_FOLDER [--kills N] [--seed N]
"""

import argparse
import pathlib
import random
import subprocess
import sys
import time

# Largest number of lines, and of seconds after the last of them, between two kills: a kill may be during the write of a line, between two writes, or long after one.
MOST_NEW_LINES, LONGEST_DELAY = 14, 0.03
# Each start proposes the schedules in the file again: a small population needs as long for all of them as the default one for a round.
OPTIONS = ["--trials", "40", "--trials-per-round", "8", "--progress", "none", "--seed", "7", "--search=population=256"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cameo")
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=100, help="how often, over as many runs as it takes (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="of the moments (default: 0)")
    return parser.parse_args()


def whole_lines(path):
    """Returns the complete lines; a kill may have interrupted the write of the last one."""
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1].splitlines()


def kill_later(command, records, line_count, seconds):
    """Kills the program `seconds` after its file has `line_count` lines. Returns false if the program ended before."""
    process = subprocess.Popen(command)
    while process.poll() is None and len(whole_lines(records)) < line_count:
        time.sleep(0.001)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: ended with status {process.returncode}")
    return False


def one_run(command, records, expected, moments, kills):
    """Kills and resumes the program at most `kills` times, then lets it end. Returns the number of kills."""
    records.unlink(missing_ok=True)
    killed, before = 0, []
    while killed < kills and kill_later(command, records, len(before) + moments.randrange(MOST_NEW_LINES), moments.uniform(0, LONGEST_DELAY)):
        killed += 1
        lines = whole_lines(records)
        if lines != expected[: len(lines)]:
            sys.exit(f"{records}: not the beginning of an undisturbed run's records, after kill {killed}")
        if len(lines) < len(before):
            sys.exit(f"{records}: {len(before)} finished records became {len(lines)} at kill {killed}")
        before = lines
    subprocess.run(command, check=True)
    if whole_lines(records) != expected or not records.read_bytes().endswith(b"\n"):
        sys.exit(f"{records}: not what an undisturbed run writes, after {killed} kills")
    return killed


def main():
    arguments = parse_arguments()
    arguments.work.mkdir(parents=True, exist_ok=True)
    tune = [arguments.cameo, "tune", str(arguments.model), *OPTIONS]
    log, calm, records = (arguments.work / name for name in ("log.jsonl", "calm.jsonl", "killed.jsonl"))
    for path in (log, calm):
        path.unlink(missing_ok=True)
    subprocess.run([*tune, "--records", str(log)], check=True)
    replay = [*tune, "--measure", f"replay:{log}", "--resume", "--records"]
    subprocess.run([*replay, str(calm)], check=True)
    # Only the last run ends with the comparison of the whole model.
    if whole_lines(calm) != [line for line in whole_lines(log) if b'"level":"model"' not in line and b'"level":"whole"' not in line]:
        sys.exit(f"{calm}: a replayed run differs from the run itself, {log}")
    moments, kills, runs = random.Random(arguments.seed), 0, 0
    while kills < arguments.kills:
        kills += one_run([*replay, str(records)], records, whole_lines(calm), moments, arguments.kills - kills)
        runs += 1
    print(f"{kills} kills in {runs} runs of {len(whole_lines(calm))} records: none lost, none changed, every run ended as an undisturbed one")


if __name__ == "__main__":
    main()
