#!/usr/bin/env python3
"""A device whose sentinel takes a different time than those of its peers is set aside, and reports it; tuners share devices in proportion to their packages in the queue.

usage: farm_peers.py CAMEO MODEL WORK_FOLDER
"""

import pathlib
import re
import subprocess
import sys
import time

from farm_server import PYTHON, Farm, tasks_of

WORKER = pathlib.Path(__file__).resolve().with_name("simulated_worker.py")


def check_peers(farm, model, options):
    """Checks three devices with small differences, and one that is slow."""
    for name, factor in (("one", 1), ("two", 1.1), ("three", 0.95), ("slow", 1.6)):
        farm.agent(name, "--worker", f"{PYTHON} {WORKER} 20 {factor}")
    for _ in range(20):
        farm.tune(model, farm.work / "records.jsonl", *options, "--trials", "64", "--parallel", "12")
        if "set aside" in farm.log("slow").read_text():
            break
        time.sleep(1)
    farm.wait_for("slow", "set aside for 60 s: the sentinel takes 1.", seconds=1)
    time.sleep(3)
    (slow,) = [each for each in farm.status()["devices"] if each["device"] == "slow"]
    assert slow["state"] == "aside" and "the sentinel takes 1." in slow["aside"], slow
    farm.tune(model, farm.work / "without.jsonl", *options, "--trials", "16")
    assert all("set aside" not in farm.log(name).read_text() for name in ("one", "two", "three")), "one of the others is set aside"
    for name in ("one", "two", "three", "slow"):
        farm.kill(name)


def check_shares(farm):
    """Checks that the queue is served in order: a tuner with three times as many packages gets about three times as many results."""
    def tune(packages, parallel):
        return subprocess.Popen([str(pathlib.Path(farm.cameo).with_name("cameo-farm")), "measure-broker", "--key", "shared", "--server", str(farm.url), "--signing-key", str(farm.key), "--packages",
                                 str(packages), "--agents", "1", "--tuners", "1", "--parallel", str(parallel), "--milliseconds", "40", "--bytes", "2000"], stdout=subprocess.PIPE, text=True)

    more, fewer = [float(re.search(r": (\d+) per second", each.communicate()[0])[1]) for each in (tune(240, 12), tune(80, 4))]
    assert 2 < more / fewer < 4.5, (more, fewer)
    print(f"{more} and {fewer} results per second of two tuners, with 12 and 4 packages under way")


def main():
    cameo, model, work = sys.argv[1:4]
    with Farm(cameo, work) as farm:
        check_peers(farm, model, tasks_of(cameo, model))
        check_shares(farm)
    print("the slow device is set aside")
    return 0


if __name__ == "__main__":
    sys.exit(main())
