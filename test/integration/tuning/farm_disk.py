#!/usr/bin/env python3
"""Tests full disks. If the disk of the farm's server is full, candidates and results wait, also after a restart, and records are byte for byte those of one worker. If the disk of a file of records
is full, there is one error, no record is lost, and the next run continues.

usage: farm_disk.py CAMEO MODEL WORK_FOLDER [--agents N] [--fills N] [--trials N] [--seed N]
"""

import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import time

from farm_server import PYTHON, SEARCH, SKIPPED, Farm, records_of, tasks_of
from small_disk import SmallDisk

# Most sessions get results within this time, unless the server hangs.
MOST_SECONDS = 30
WORKER = pathlib.Path(__file__).resolve().with_name("simulated_worker.py")
FULL = "No space left on device"


def simulated(milliseconds):
    return ["--measure", f"command:exec {PYTHON} {WORKER} {milliseconds}", "--key", "test"]


class Filler(threading.Thread):
    """Fills the server's disk each time the session has some more records, and frees it again; every second time the server is killed in between and cannot start."""

    def __init__(self, farm, disk, records, fills, seed):
        super().__init__(daemon=True)
        self.farm, self.disk, self.records, self.fills, self.random, self.filled, self.hangs, self.failure = farm, disk, records, fills, random.Random(seed), 0, 0, None

    def run(self):
        try:
            for number in range(self.fills):
                self.wait_for_records(self.random.randrange(2, 10))
                self.disk.fill()
                time.sleep(self.random.uniform(1, 3))
                if number % 2:
                    self.farm.crash()
                    # Removed files that it had open no longer occupy the disk.
                    self.disk.fill()
                    self.refuse_start()
                self.disk.free()
                if number % 2:
                    self.farm.start()
                self.filled += 1
            self.wait_for_records(1)
        except Exception as error:
            self.failure = error
            self.disk.free()

    def wait_for_records(self, wanted):
        """Waits for more records, of this session or of the next ones, which begin with none. A server (2.9.10) that was killed on a full disk may be unable to open a stream; then it is restarted."""
        seen, deadline = self.count(), time.time() + MOST_SECONDS
        while wanted > 0:
            time.sleep(0.05)
            before, seen = seen, self.count()
            wanted -= seen - before if seen >= before else seen
            if seen != before:
                deadline = time.time() + MOST_SECONDS
            elif time.time() > deadline:
                deadline = time.time() + MOST_SECONDS
                if not self.is_answering():
                    self.farm.stop()
                    self.farm.start()
                    self.hangs += 1

    def is_answering(self):
        return subprocess.run([self.farm.cameo, "farm", "status", "--server", self.farm.url], capture_output=True).returncode == 0

    def count(self):
        return self.records.read_bytes().count(b"\n") if self.records.exists() else 0

    def refuse_start(self):
        """Checks that starting fails with one error and that the file with the URL does not change."""
        before = (self.disk.path / "farm/url").read_text()
        said = self.farm.run("start", self.farm.folder, "--detach", expected=1)
        assert said.count("error: ") == 1 and FULL in said, said
        assert (self.disk.path / "farm/url").read_text() == before and before, "the URL is another one"


def check_server(disk, farm, arguments, options):
    expected, records = farm.work / "expected.jsonl", farm.work / "records.jsonl"
    farm.tune(arguments.model, expected, *options, source=simulated(0))
    for name in farm.names(arguments.agents):
        farm.agent(name, "--worker", f"{PYTHON} {WORKER} 50")
        farm.wait_for(name, f"device {name} of key")
    filler, sessions = Filler(farm, disk, records, arguments.fills, arguments.seed), 0
    filler.start()
    while sessions == 0 or filler.is_alive():
        records.unlink(missing_ok=True)
        farm.tune(arguments.model, records, *options, "--parallel", str(2 * arguments.agents))
        sessions += 1
        assert records_of(records) == records_of(expected), f"other records: compare {records} and {expected}"
    assert not filler.failure, filler.failure
    assert filler.hangs <= arguments.fills // 2, "the server hangs, whatever happened to it"
    assert "no space left on device" in (disk.path / "farm/log").read_text(), "the server has found room"
    print(f"{arguments.agents} devices: the server's disk was full {filler.filled} times in {sessions} sessions of {len(records.read_text().splitlines())} records, and had to be started again {filler.hangs} times because it hung: all as without")


def check_records(disk, farm, arguments, options):
    """Fills the disk of the tuner's records during a session, which ends there and is resumed."""
    expected, records, seen = farm.work / "expected.jsonl", disk.folder / "records.jsonl", disk.path / "records.jsonl"
    words = [*disk.enter, farm.cameo, "tune", arguments.model, "--records", records, "--progress", "none", SEARCH, *options, *simulated(50)]
    tuner = subprocess.Popen(list(map(str, words)), stderr=subprocess.PIPE, text=True)
    while not seen.exists() or seen.read_bytes().count(b"\n") < 5:
        assert tuner.poll() is None, tuner.stderr.read()
        time.sleep(0.02)
    disk.fill()
    said = tuner.communicate()[1]
    assert tuner.returncode == 1 and [line for line in said.splitlines() if "error: " in line] == [f"cameo: error: {records}: cannot be written: {FULL}"], said
    found = records_of(seen)
    assert found.endswith(b"\n") and records_of(expected).startswith(found) and found.count(b"\n") >= 5, "what was in the file is lost"
    disk.free()
    subprocess.run(list(map(str, [*words, "--resume"])), check=True)
    assert records_of(seen) == records_of(expected), "other records after room was made"
    print(f"a file of records on a full disk: one error, {found.count(chr(10).encode())} records kept, the others came with --resume")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cameo")
    parser.add_argument("model")
    parser.add_argument("work")
    for name, default in (("agents", 3), ("fills", 2), ("trials", 40), ("seed", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    arguments = parser.parse_args()
    arguments.model = pathlib.Path(arguments.model).resolve()
    farm = Farm(arguments.cameo, arguments.work)
    disk, reason = SmallDisk.make(farm.work / "disk", megabytes=3)
    if not disk:
        print(f"no file system of its own: {reason}")
        return SKIPPED
    options = [*tasks_of(farm.cameo, str(arguments.model)), "--trials", str(arguments.trials), "--trials-per-round", "16", "--seed", "3"]
    with disk:
        farm.enter, farm.folder, farm.seen = disk.enter, disk.folder / "farm", disk.path / "farm"
        farm.url = farm.seen / "url"
        farm.start()
        # Agents hide the disk from workers, so they must see it.
        farm.url = pathlib.Path(shutil.copy(farm.url, farm.work / "url"))
        try:
            check_server(disk, farm, arguments, options)
        finally:
            farm.__exit__()
        check_records(disk, farm, arguments, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
