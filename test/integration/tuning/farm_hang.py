#!/usr/bin/env python3
"""A server that hangs is restarted by 'cameo farm start', with and without --detach, and keeps its streams.

usage: farm_hang.py CAMEO MODEL WORK_FOLDER
"""

import os
import pathlib
import signal
import subprocess
import sys
import time

from farm_server import Farm

MOST_SECONDS = 60


def pid_of(farm):
    return int((farm.folder / "pid").read_text())


def wait_until(condition, what):
    deadline = time.time() + MOST_SECONDS
    while not condition():
        assert time.time() < deadline, f"expected {what} within {MOST_SECONDS} s"
        time.sleep(0.1)


def hang(farm, model, records, said):
    """Stops the server with a signal, as if it waited for a lock: its port is open, and it does not answer."""
    before = pid_of(farm)
    os.kill(before, signal.SIGSTOP)
    wait_until(lambda: pid_of(farm) != before, "another server")
    wait_until(lambda: "no answer about stream CAMEO_JOBS: restarting the server" in said(), "a line that says so")
    # The agent from before the restart, and its log.
    wait_until(lambda: [each["state"] for each in farm.status()["devices"]] == ["idle"], "the device again")
    farm.tune(model, records, "--trials", 4)
    assert records.read_text().count("\n") >= 4, "no records after a hang"


def main():
    cameo, model, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    farm = Farm(cameo, work)
    start, log = [farm.cameo, "farm", "start", farm.folder, "--patience", "2"], farm.folder / "log"
    try:
        subprocess.run([*start, "--detach", "--port", "0"], check=True, stdout=subprocess.DEVNULL)
        farm.agent("one")
        farm.wait_for("one", "device one of key")
        hang(farm, model, farm.work / "detached.jsonl", log.read_text)
        farm.stop()
        wait_until(lambda: "the server ended" in log.read_text(), "an end of what watches it")

        attached = farm.work / "attached.log"
        watch = subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=attached.open("w"))
        wait_until(lambda: (farm.folder / "pid").exists(), "a server")
        hang(farm, model, farm.work / "attached.jsonl", attached.read_text)
        watch.send_signal(signal.SIGINT)
        assert watch.wait(timeout=MOST_SECONDS) == 0 and not (farm.folder / "pid").exists(), attached.read_text()
    finally:
        farm.__exit__()
    print("a server that hung was started again")


if __name__ == "__main__":
    main()
