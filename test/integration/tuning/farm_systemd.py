#!/usr/bin/env python3
"""Runs the unit file with systemd: it reports what is missing, runs as its own user with the worker in the sandbox, restarts when it is killed, and ends together with all its processes.

usage: farm_systemd.py CAMEO MODEL UNIT WORK_FOLDER
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

from farm_server import SKIPPED, Farm, tasks_of
from own_system import OwnSystem

AGENT = "cameo-farm-agent@test"


class Agent:
    """The agent of key test, set up as the package does and as docs/farm.md describes."""

    def __init__(self, farm, machine, unit):
        self.farm, self.machine, self.etc = farm, machine, machine.path / "etc/cameo"
        shutil.copy(unit, machine.path / "usr/lib/systemd/system")
        for program in ("cameo-farm", "cameo-worker"):
            shutil.copy(pathlib.Path(farm.cameo).with_name(program), machine.path / "usr/bin")
        self.call("daemon-reload")

    def call(self, action, *words, expected=0):
        done = self.machine.run("systemctl", action, *words)
        assert (done.returncode != 0) == (expected != 0), (action, done, self.journal())
        return done.stdout + done.stderr

    def journal(self):
        return self.machine.journal(AGENT)

    def wait_for(self, text, seconds=30):
        deadline = time.time() + seconds
        while text not in self.journal():
            assert time.time() < deadline, f"expected '{text}', got\n{self.journal()}"
            time.sleep(0.2)

    def ask(self, name):
        return self.call("show", "--value", f"--property={name}", AGENT).strip()

    def place(self, name, text, mode=0o644):
        self.etc.mkdir(exist_ok=True)
        (self.etc / name).write_text(text)
        (self.etc / name).chmod(mode)

    def processes(self):
        return (self.machine.path / f"sys/fs/cgroup{self.group}/cgroup.procs").read_text().split()

    def fields(self):
        """Returns fields of /proc/PID/status of the agent's first process."""
        text = (self.machine.path / "proc" / self.ask("MainPID") / "status").read_text()
        return dict(re.findall(r"^(\w+):\s*(\S+)", text, re.MULTILINE))


def check_missing(agent, farm):
    """Checks for each required file that systemd starts nothing without it and reports it."""
    for missing in ("farm.trust", "farm.url"):
        agent.place("farm.url", farm.url.read_text(), mode=0o600)
        agent.place("farm.trust", pathlib.Path(f"{farm.key}.pub").read_text())
        (agent.etc / missing).unlink()
        agent.call("enable", "--now", AGENT, expected=1)
        said = agent.call("status", AGENT, expected=3)
        assert f"AssertPathExists=/etc/cameo/{missing} was not met" in said, said
    agent.place("farm.url", farm.url.read_text(), mode=0o600)


def check_options(agent):
    agent.place("farm-test.env", "OPTIONS=--mixt\n")
    agent.call("start", AGENT)
    agent.wait_for("error: farm: unknown option '--mixt'")
    agent.call("stop", AGENT)
    agent.place("farm-test.env", "OPTIONS=--processes 200 --mixed\n")


def check_rights(agent):
    agent.call("enable", "--now", AGENT)
    agent.wait_for("of key test at ")
    assert "sandbox:" not in agent.journal(), agent.journal()
    agent.group = agent.ask("ControlGroup")
    fields = agent.fields()
    assert fields["Uid"] != "0" and int(fields["CapBnd"], 16) == 0 and fields["NoNewPrivs"] == "1" and fields["Seccomp"] == "2", fields


def check_session(agent, farm, model):
    """Kills the agent while it measures, and checks that nothing is lost."""
    records = farm.work / "records.jsonl"
    words = [farm.cameo, "tune", model, "--records", records, "--progress", "none", *tasks_of(farm.cameo, model), "--trials", "64", "--measure", f"farm:{farm.url}", "--key", "test",
             "--signing-key", farm.key]
    tuner = subprocess.Popen(list(map(str, words)), stderr=subprocess.PIPE, text=True)
    while not records.exists() or records.read_bytes().count(b"\n") < 5:
        assert tuner.poll() is None, tuner.stderr.read()
        time.sleep(0.02)
    old = agent.ask("MainPID")
    agent.call("kill", "--kill-whom=main", "--signal=KILL", AGENT)
    said = tuner.communicate()[1]
    assert tuner.returncode == 0, said
    assert agent.ask("NRestarts") == "1" and agent.ask("MainPID") not in ("0", old), agent.journal()
    lines = [json.loads(line) for line in records.read_text().splitlines()]
    assert len(lines) > 5 and all("error" not in line for line in lines), lines
    return len(lines)


def check_stop(agent):
    assert len(agent.processes()) > 1, "no worker"
    begin = time.time()
    agent.call("stop", AGENT)
    assert time.time() - begin < 20 and agent.ask("Result") == "success", agent.journal()
    agent.wait_for("stopped after ")
    left = [name for name in ("cameo-farm", "cameo-worker") if agent.machine.run("pidof", name).returncode == 0]
    assert not left, left


def main():
    cameo, model, unit, work = sys.argv[1:5]
    farm = Farm(cameo, work)
    machine, reason = OwnSystem.make(farm.work / "machine")
    if not machine:
        print(f"no systemd of its own: {reason}")
        return SKIPPED
    with machine, farm:
        agent = Agent(farm, machine, unit)
        check_missing(agent, farm)
        check_options(agent)
        check_rights(agent)
        records = check_session(agent, farm, model)
        check_stop(agent)
    print(f"an agent by systemd: killed once in {records} records, and nothing left of it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
