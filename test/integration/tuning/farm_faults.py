#!/usr/bin/env python3
"""Tests a farm of simulated devices with faults: agents are killed, the server is killed and restarted, and messages arrive twice and out of order. No candidate is lost or counted twice, and records are
byte for byte those of one worker without faults.

usage: farm_faults.py CAMEO MODEL WORK_FOLDER [--agents N] [--kills N] [--restarts N] [--trials N] [--seed N]
"""

import argparse
import collections
import json
import pathlib
import random
import sys
import threading
import time

from farm_server import PYTHON, Farm, Listener, records_of, tasks_of

WORKER = pathlib.Path(__file__).resolve().with_name("simulated_worker.py")


class Messenger:
    """Repeats some packages and results, later and in a different order."""

    def __init__(self, farm, seed):
        self.random, self.guard, self.count = random.Random(seed), threading.Lock(), collections.Counter()
        self.own = collections.Counter()
        self.listeners = [Listener(farm.url, f"cameo.{kind}.>", self.heard) for kind in ("jobs", "results")]
        self.is_over = False

    def heard(self, subject, payload):
        with self.guard:
            # Our own messages are also delivered to us.
            if self.own[subject, hash(payload)] > 0:
                self.own[subject, hash(payload)] -= 1
                return
            if self.random.random() > 0.3:
                return
            self.own[subject, hash(payload)] += 1
            delay = self.random.uniform(0, 3)
        threading.Timer(delay, self.repeat, (subject, payload)).start()

    def repeat(self, subject, payload):
        if self.is_over:
            return
        try:
            self.listeners[0].publish(subject, payload)
            self.count[subject.split(".")[1]] += 1
        except OSError:
            pass


class FaultInjector(threading.Thread):
    """Kills agents and the server at random moments, and starts them again."""

    def __init__(self, farm, names, arguments, start):
        super().__init__(daemon=True)
        self.farm, self.names, self.arguments, self.start_agent, self.is_over = farm, names, arguments, start, False
        self.random, self.kills, self.restarts, self.failure = random.Random(arguments.seed), 0, 0, None

    def run(self):
        try:
            self.work()
        except Exception as error:
            self.failure = error

    def busy_devices(self):
        """Waits until a device measures, and returns all devices that do."""
        for _ in range(20):
            busy = [each["device"] for each in self.farm.status()["devices"] if each["state"] == "busy"]
            if busy or self.is_over:
                return busy
            time.sleep(0.1)
        return []

    def work(self):
        deeds = ["kill"] * self.arguments.kills + ["restart"] * self.arguments.restarts
        self.random.shuffle(deeds)
        for deed in deeds:
            time.sleep(self.random.uniform(0.3, 1.5))
            if self.is_over:
                return
            if deed == "kill":
                name = self.random.choice(self.busy_devices() or self.names)
                self.farm.kill(name)
                self.start_agent(name)
                self.kills += 1
            else:
                self.farm.crash() if self.restarts % 2 == 0 else self.farm.stop()
                time.sleep(self.random.uniform(0, 1))
                self.farm.start()
                self.restarts += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cameo")
    parser.add_argument("model")
    parser.add_argument("work")
    for name, default in (("agents", 8), ("kills", 6), ("restarts", 2), ("trials", 40), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--milliseconds", default="400", help="that a candidate takes")
    arguments = parser.parse_args()
    with Farm(arguments.cameo, arguments.work) as farm:
        options = [*tasks_of(arguments.cameo, arguments.model), "--trials", str(arguments.trials), "--trials-per-round", "16", "--seed", "3"]
        expected, records = farm.work / "expected.jsonl", farm.work / "records.jsonl"
        farm.tune(arguments.model, expected, *options, source=["--measure", f"command:exec {PYTHON} {WORKER}", "--key", "test"])

        def start(name):
            farm.agent(name, "--worker", f"{PYTHON} {WORKER} {arguments.milliseconds}")

        names = farm.names(arguments.agents)
        for name in names:
            start(name)
        messenger, injector = Messenger(farm, arguments.seed), FaultInjector(farm, names, arguments, start)
        begin = time.time()
        injector.start()
        # Repeat until all faults were injected: each session is the same.
        sessions = 0
        while sessions == 0 or injector.is_alive():
            records.unlink(missing_ok=True)
            farm.tune(arguments.model, records, *options, "--parallel", str(2 * arguments.agents))
            sessions += 1
            assert records_of(records) == records_of(expected), f"other records: compare {records} and {expected}"
        injector.is_over = messenger.is_over = True
        assert not injector.failure, injector.failure
        lines = [json.loads(line) for line in records.read_text().splitlines()]
        assert len(lines) >= arguments.trials and all("error" not in line for line in lines), "a candidate was lost"
        schedules = collections.Counter((line["task"], line["schedule"]) for line in lines if not line.get("release"))
        deadline = time.time() + 30
        while any(queue["waiting"] + queue["measuring"] for queue in farm.status()["queues"]):
            assert time.time() < deadline, farm.status()["queues"]
            time.sleep(0.5)
        again = sum(farm.log(name).read_text().count(", which was given to ") for name in names)
        # With few kills on a busy machine, each may have happened between two packages.
        assert again > 0 or arguments.kills < 20, "no agent was killed while it measured"
        print(f"{sessions} sessions of {len(lines)} records of {len(schedules)} schedules by {arguments.agents} devices in {time.time() - begin:.0f} s, {injector.kills} kills of agents, "
              f"{injector.restarts} of the server, {again} packages given to another device, {messenger.count['jobs']} packages and {messenger.count['results']} results twice: all as without faults")
    return 0


if __name__ == "__main__":
    sys.exit(main())
