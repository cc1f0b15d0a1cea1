#!/usr/bin/env python3
"""The clock of the machine that runs tuner and agents jumps by up to an hour in both directions: records are byte for byte those of one worker, and idle devices stay visible.

usage: farm_clock.py CAMEO MODEL WORK_FOLDER [--agents N] [--trials N] [--seed N]
"""

import argparse
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time

from farm_server import PYTHON, SKIPPED, Farm, records_of, tasks_of

FOLDER = pathlib.Path(__file__).resolve().parent
HOUR = 3600


class Clock:
    """Sets the offset of the clock of all processes that are started from now on."""

    def __init__(self, work, compiler):
        self.file, library, self.jumps = work / "offset", work / "clock.so", 0
        self.set(0)
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, FOLDER / "jumping_clock.c", "-lpthread"], check=True)
        os.environ.update(LD_PRELOAD=str(library), CLOCK_OFFSET=str(self.file))

    def set(self, seconds):
        # Write in place, because processes have the file mapped.
        with open(self.file, "r+b" if self.file.exists() else "wb") as file:
            file.write(struct.pack("q", int(seconds)))

    def jump(self, generator):
        self.set(generator.uniform(-HOUR, HOUR))
        self.jumps += 1


def jump_until(clock, is_over, generator):
    while not is_over.wait(generator.uniform(0.05, 0.8)):
        clock.jump(generator)


def check_session(farm, clock, arguments):
    options = [*tasks_of(farm.cameo, arguments.model), "--trials", str(arguments.trials), "--trials-per-round", "16", "--seed", "3"]
    worker = f"{PYTHON} {FOLDER / 'simulated_worker.py'}"
    expected, records = farm.work / "expected.jsonl", farm.work / "records.jsonl"
    farm.tune(arguments.model, expected, *options, source=["--measure", f"command:exec {worker}", "--key", "test"])
    is_over = threading.Event()
    jumper = threading.Thread(target=jump_until, args=(clock, is_over, random.Random(arguments.seed)))
    jumper.start()
    try:
        for name in farm.names(arguments.agents):
            farm.agent(name, "--worker", f"{worker} 150")
        farm.tune(arguments.model, records, *options, "--parallel", str(2 * arguments.agents))
    finally:
        is_over.set()
        jumper.join()
    assert records_of(records) == records_of(expected), f"other records: compare {records} and {expected}"
    assert clock.jumps > 5, clock.jumps
    print(f"{arguments.agents} devices: {len(records.read_text().splitlines())} records as without, in {clock.jumps} jumps of the clock")


def check_waiting(farm, clock):
    """Checks that idle devices keep reporting their state when the clock is set back."""
    for offset in (HOUR, 0):
        clock.set(offset)
        time.sleep(1)
    time.sleep(4)
    seen = {each["device"]: each["seen_s"] for each in farm.status()["devices"]}
    assert set(seen) == set(farm.agents) and max(seen.values()) < 5, seen
    for name in list(farm.agents):
        farm.kill(name, signal.SIGTERM)
    print("the clock is set back by an hour: waiting devices go on")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cameo")
    parser.add_argument("model")
    parser.add_argument("work")
    for name, default in (("agents", 3), ("trials", 40), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    compiler = shutil.which("cc")
    if not compiler:
        print("no cc, which compiles what makes a clock jump")
        return SKIPPED
    with Farm(arguments.cameo, arguments.work) as farm:
        clock = Clock(farm.work, compiler)
        check_session(farm, clock, arguments)
        check_waiting(farm, clock)
    return 0


if __name__ == "__main__":
    sys.exit(main())
