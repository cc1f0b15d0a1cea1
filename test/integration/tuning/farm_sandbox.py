#!/usr/bin/env python3
"""Tests what a worker cannot do in an agent's sandbox, as root and as another user, and which protections remain without namespaces.

usage: farm_sandbox.py CAMEO MODEL WORK_FOLDER
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

from farm_server import PYTHON, Farm, tasks_of

WORKER = pathlib.Path(__file__).resolve().with_name("hostile_worker.py")
CONTAINED = {
    "connect": "Permission denied",
    "local_socket": "Permission denied",
    "write": "Read-only file system",
    "fork": "Resource temporarily unavailable after ",
    "memory": "no memory",
    "file_size": "File too large",
    "look": "sees 1 processes, user ",
    "kill_parent": "No such process",
    "read_password": "read 0 bytes",
    "leave_processes": "left 5",
}
NOBODY = 65534


class Device:
    """Runs one agent at a time, each with a worker that does one forbidden action."""

    def __init__(self, farm, model, start, tasks):
        self.farm, self.model, self.start, self.tasks, self.count = farm, model, start, tasks, 0

    def outcome(self, deed, *more):
        """Returns the result of the worker from the tuner's record, and the agent's log."""
        self.count += 1
        name = f"{deed}{self.count}".replace("_", "-")
        log = self.farm.log(name)
        words = ["agent", "--server", self.farm.work / "url", "--key", f"hostile-{name}", "--device", name, "--lock", self.farm.work / "open" / f"{name}.lock", "--trust", f"{self.farm.key}.pub",
                 "--processes", "40", "--memory", "512", "--worker", f"{PYTHON} {WORKER} {deed} {self.farm.work}/url", *more]
        with open(log, "w") as file:
            agent = self.start([self.farm.cameo, "farm", *map(str, words)], file)
        try:
            self.farm.wait_for(name, f"device {name} of key")
            records = self.farm.work / f"{name}.jsonl"
            self.farm.tune(self.model, records, *self.tasks, "--trials", "1", "--parallel", "1", key=f"hostile-{name}")
            message = json.loads(records.read_text().splitlines()[0])["error"]["message"]
        finally:
            agent.kill()
            agent.wait()
        return message, log.read_text()


def left_behind():
    """Returns the processes of hostile workers that are still running shortly after their agent ended."""
    for _ in range(50):
        found = [each for each in pathlib.Path("/proc").glob("[0-9]*/cmdline") if WORKER.name.encode() in read(each)]
        if not found:
            return []
        time.sleep(0.1)
    return found


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def check_all(device, who):
    for deed, expected in CONTAINED.items():
        message, said = device.outcome(deed)
        assert expected in message, f"{who}, {deed}: {message}\n{said}"
        assert "sandbox:" not in said, said
    assert not left_behind(), left_behind()
    print(f"{who}: {len(CONTAINED)} deeds contained")


def check_without_namespaces(device):
    """Checks that system calls are filtered without namespaces, and that the agent reports what is missing."""
    message, said = device.outcome("connect")
    assert message == "Permission denied" and "sandbox: no separate namespaces" in said, (message, said)
    message, said = device.outcome("memory")
    assert message == "no memory", message
    print("without namespaces: no connections, no memory beyond the limit")


def main():
    cameo, model, work = sys.argv[1:4]
    with Farm(cameo, work) as farm:
        # Readable for other users, as the credentials of the service are.
        shutil.copy(farm.url, farm.work / "url")
        (farm.work / "open").mkdir()
        os.chmod(farm.work / "open", 0o777)
        os.chmod(farm.work / "url", 0o644)
        tasks = tasks_of(cameo, model)
        tasks[1] = tasks[1].split(",")[0]
        check_all(Device(farm, model, lambda words, log: subprocess.Popen(words, stdout=log, stderr=log), tasks), "user " + str(os.getuid()))
        if os.getuid() == 0:
            check_all(Device(farm, model, lambda words, log: subprocess.Popen(words, stdout=log, stderr=log, user=NOBODY, group=NOBODY, extra_groups=[]), tasks), "user nobody")
            alone = ["unshare", "-U", "-r", "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "$@"', "sh"]
            check_without_namespaces(Device(farm, model, lambda words, log: subprocess.Popen([*alone, *words], stdout=log, stderr=log), tasks))
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/", WORKER.parent):
            assert not pathlib.Path(folder, "hostile-was-here").exists(), folder
    return 0


if __name__ == "__main__":
    sys.exit(main())
