#!/usr/bin/env python3
"""Tunes by a farm of two agents on this machine; each rejected package and each failed connection is reported in one line.

usage: farm_session.py CAMEO MODEL docs/json.md WORK_FOLDER
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

from farm_server import PYTHON, Farm, Listener, tasks_of

SIMULATED = pathlib.Path(__file__).resolve().with_name("simulated_worker.py")


def one_error(said, text):
    errors = [line for line in said.splitlines() if "error: " in line]
    assert len(errors) == 1 and text in errors[0], said


def check_mistakes(farm):
    for words, text in (([], "expected ACTION"), (["stop", farm.work / "none"], "no server of"), (["agent", "--key", "a b", "--server", farm.url], "--key: expected a name of letters"),
                        (["agent", "--key", "a", "--server", "nowhere", "--unsigned"], "--server: expected a URL such as nats://HOST:4222, or a file that has one"),
                        (["agent", "--key", "a", "--server", farm.url, "--trust", farm.work / "none"], "none: No such file"),
                        (["agent", "--key", "a", "--server", farm.url, "--trust", farm.url], "expected 'ed25519', 64 hexadecimal digits and a name"),
                        (["agent", "--key", "a", "--server", farm.url, "--unsigned", "--worker", "echo no"], "--worker: the worker ended without results, after 'no'"),
                        (["agent", "--key", "a", "--server", farm.url, "--unsigned", "--lock", farm.work / "none" / "lock"], "none/lock: No such file"),
                        (["status", "--server", "nats://127.0.0.1:1"], "nats://127.0.0.1:1: "), (["status"], "expected --server URL"),
                        (["status", "--server", farm.url.read_text().strip().replace("cameo:", "cameo:0")], "Authentication Violation"),
                        (["keygen", farm.key], "already exists"), (["start", farm.work / "other", "--port", farm.url.read_text().strip().rsplit(":", 1)[1]], "log says more")):
        one_error(farm.run(*words, expected=1), text)


def check_refusals(farm, model, tasks):
    """Checks that packages that are unsigned, signed with an untrusted key or altered are not run."""
    records = farm.work / "refused.jsonl"
    one_error(farm.tune(model, records, *tasks, "--unsigned", signed=False, expected=1), "error: --measure=farm: device one: the package is not signed")
    farm.run("keygen", farm.work / "foreign")
    one_error(farm.tune(model, records, *tasks, "--signing-key", farm.work / "foreign", signed=False, expected=1), "the package is signed by a key that is not trusted here: ed25519 ")
    one_error(farm.tune(model, records, *tasks, "--signing-key", farm.work / "none", signed=False, expected=1), "none: No such file")
    one_error(farm.tune(model, records, *tasks, key="nobody", expected=1, CAMEO_FARM=str(farm.hurried)),
              "no device of key 'nobody' appeared within")
    one_error(farm.tune(model, records, *tasks, source=["--measure", "farm:nats://127.0.0.1:1", "--key", "test", "--signing-key", str(farm.key)], expected=1, CAMEO_FARM=str(farm.hurried)), "nats://127.0.0.1:1: ")
    one_error(farm.tune(model, records, *tasks, source=["--measure", f"farm:{farm.url}"], expected=1), "--measure=farm: expected --key KEY")
    one_error(farm.tune(model, records, *tasks, source=["--unsigned"], expected=1), "expected --measure=farm:URL")
    one_error(farm.tune(model, records, *tasks, expected=1, CAMEO_FARM="/none"), "cannot execute /none, the client of the farm's server: install the package cameo-farm")
    assert not records.exists(), "something was measured"


def check_altered(farm, model, tasks):
    """Sends altered copies beside the real packages, and a package for other machines."""
    def alter(subject, payload):
        if subject not in seen and len(payload) > 2000:
            seen.append(subject)
            copy = bytearray(payload)
            copy[-100] ^= 1
            listener.publish(subject, bytes(copy))
            # Without key and signature, which are at offset 160 of the header.
            listener.publish(subject, payload[:160] + bytes(96) + payload[256:])
            listener.publish(subject.replace(".test.", ".other."), payload)

    seen = []
    listener = Listener(farm.url, "cameo.jobs.>", alter)
    farm.agent("three", key="other")
    farm.wait_for("three", "device three of key other")
    records = farm.work / "altered.jsonl"
    farm.tune(model, records, *tasks, "--trials", "8", "--parallel", "1")
    assert seen and all("error" not in json.loads(line) for line in records.read_text().splitlines()), "an altered package counted"
    farm.wait_for("one", "the package is cut off or altered")
    assert farm.log("one").read_text().count("the package is not signed") == 2, "the second one is the copy"
    farm.wait_for("three", "the package is for machines of key 'test', this one is of 'other'")
    farm.kill("three")


def check_lock(farm):
    """Checks a lock file of another user: unreadable, it is an error; readable, the agent waits for the agent of the other user."""
    if os.getuid() != 0:
        return
    folder = farm.work / "locks"
    folder.mkdir()
    folder.chmod(0o777)
    words = [farm.cameo, "farm", "agent", "--key", "a", "--server", "nats://127.0.0.1:1", "--unsigned", "--lock", folder / "taken"]
    (folder / "taken").touch(mode=0o600)
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, user=65534, group=65534, extra_groups=[])
    assert done.returncode == 1, done
    one_error(done.stderr, "taken: Permission denied: it belongs to another user and is not readable")
    # Whatever the umask of a user is, agents of others can open the lock file.
    words[-1] = folder / "new"
    done = subprocess.run(list(map(str, [*words, "--worker", "false"])), capture_output=True, text=True, umask=0o077)
    assert done.returncode == 1 and (folder / "new").stat().st_mode & 0o777 == 0o644, done


def check_unequal(farm):
    """Checks that a machine that differs from the others of its key is rejected without --mixed."""
    other = ["agent", "--key", "test", "--server", farm.url, "--trust", f"{farm.key}.pub", "--lock", farm.work / "other.lock", "--worker", f"{PYTHON} {SIMULATED}"]
    one_error(farm.run(*other, expected=1), "this one is simulated, none: ")
    farm.agent("four", "--worker", f"{PYTHON} {SIMULATED}", "--mixed")
    farm.wait_for("four", "device four of key test")
    farm.kill("four")


def check_lost(farm, model, tasks):
    """Empties the queue while no device runs, and checks that its packages are sent again."""
    records = farm.work / "lost.jsonl"
    queued = threading.Event()
    listener = Listener(farm.url, "cameo.jobs.>", lambda *_: queued.set())

    def purge():
        queued.wait(60)
        time.sleep(1)
        listener.publish("$JS.API.STREAM.PURGE.CAMEO_JOBS", b"")
        time.sleep(1)
        farm.agents["one"].send_signal(signal.SIGCONT)

    farm.agents["one"].send_signal(signal.SIGSTOP)
    threading.Thread(target=purge).start()
    said = farm.tune(model, records, *tasks, "--trials", "8", "--parallel", "4", CAMEO_FARM=str(farm.hurried))
    assert "resending a package that the server lost" in said, said
    assert all("error" not in json.loads(line) for line in records.read_text().splitlines()), "a candidate was lost"


def check_priority(farm, model, tasks):
    """Checks that a device with a full queue takes packages with high priority next."""
    seen = []
    Listener(farm.url, "cameo.>", lambda subject, _: seen.append(subject))
    farm.agent("slow", "--worker", f"{PYTHON} {SIMULATED} 150", key="slow")
    farm.wait_for("slow", "device slow of key slow")

    def tune(name, count, *more):
        farm.tune(model, farm.work / f"{name}.jsonl", *tasks[:1], tasks[1].split(",")[0], "--trials", count, "--trials-per-round", "24", "--parallel", "24", *more, key="slow")

    usual = threading.Thread(target=tune, args=("usual", "12"))
    usual.start()
    waiting = 0
    while waiting < 4 and usual.is_alive():
        waiting = sum(each["waiting"] for each in farm.status()["queues"] if each["key"] == "slow")
    tune("high", "2", "--priority", "high")
    usual.join()
    farm.kill("slow")
    sent = next(at for at, name in enumerate(seen) if ".high." in name)
    result = "cameo.results." + seen[sent].rsplit(".", 1)[1]
    before = [name for name in seen[sent : seen.index(result)] if name.startswith("cameo.results.")]
    assert waiting >= 4 and len(before) <= 2, (waiting, before)


def check_sharing(farm, model, tasks, records):
    """Checks that the best records of one tuner become seeds of another, which measures them first and has none to upload."""
    def sync(path, expected=0, url=farm.url):
        done = subprocess.run([farm.cameo, "records", "sync", path, "--farm", url], capture_output=True, text=True)
        assert done.returncode == expected, done.stderr
        return done.stdout or done.stderr

    count = len(tasks[1].split(","))
    assert sync(records) == f"{count} records given, 0 schedules taken as seeds\n"
    assert sync(records).startswith("0 records given, 0 schedules")
    others = farm.work / "others.jsonl"
    assert sync(others) == f"0 records given, {count} schedules taken as seeds\n"
    assert sync(others).startswith("0 records given, 0 schedules")
    seeds = {json.loads(line)["schedule"] for line in others.read_text().splitlines()}
    farm.tune(model, others, *tasks, "--trials", "12", "--seed", "9")
    measured = {line["schedule"] for line in map(json.loads, others.read_text().splitlines()) if line["level"] == "tuning"}
    assert seeds <= measured, "a seed was not measured"
    one_error(sync(others, expected=1, url="nats://127.0.0.1:1"), "error: --farm: nats://127.0.0.1:1: ")


def main():
    cameo, model, page, work = sys.argv[1:5]
    with Farm(cameo, work) as farm:
        check_mistakes(farm)
        check_lock(farm)
        tasks = tasks_of(cameo, model)
        farm.agent("one")
        farm.wait_for("one", "device one of key test")
        check_refusals(farm, model, tasks)
        check_altered(farm, model, tasks)
        check_unequal(farm)
        # A second agent with the same name waits for the first.
        first = farm.agents.pop("one")
        farm.agent("one")
        farm.wait_for("one", "waiting for another agent to end, which measures on this machine")
        first.send_signal(signal.SIGTERM)
        assert first.wait() == 0
        check_lost(farm, model, tasks)
        farm.agent("two")
        farm.wait_for("two", "device two of key test")
        farm.wait_for("one", "stopped after")
        time.sleep(1)
        records = farm.work / "records.jsonl"
        said = farm.tune(model, records, *tasks, "--trials", "40", "--seed", "1", "--parallel", "6", progress="table")
        assert "remark: candidates run on " in said, said
        found = [json.loads(line) for line in records.read_text().splitlines()]
        assert len(found) >= 40 and all("error" not in record for record in found), found
        # The device and the machine that measured.
        assert {record["device"] for record in found} == {"one", "two"} and {record["key"] for record in found} == {"test"}, found
        assert len({record["machine"] for record in found}) == 1 and " CPUs, caches of " in found[0]["machine"], found[0]
        devices = re.search(r"^Devices: one (\d+), two (\d+)$", said, re.MULTILINE)
        assert devices and int(devices[1]) + int(devices[2]) == len(found), said
        subprocess.run([farm.cameo, "report", records, "--gflops", "100", "--gbs", "10", "-o", farm.work / "page.html"], check=True)
        assert "<h2>Devices</h2>" in (farm.work / "page.html").read_text()
        check_sharing(farm, model, tasks, records)
        time.sleep(3)
        status = farm.status()
        devices = {each["device"]: each for each in status["devices"]}
        assert {"one", "two"} <= set(devices) and all(devices[name]["state"] == "idle" and devices[name]["measured"] > 0 for name in ("one", "two")), devices
        (queue,) = [each for each in status["queues"] if each["key"] == "test" and each["priority"] == "normal"]
        assert queue["waiting"] == 0 and queue["measuring"] == 0, queue
        # As docs/json.md states.
        section = re.search(r"^## cameo farm status --json$(.*?)^## ", pathlib.Path(page).read_text(), re.MULTILINE | re.DOTALL)[1]
        printed = {f"{group}[].{field}" for group in status for each in status[group] for field in each}
        assert set(re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)) == printed, printed
        table = farm.run("status", "--server", farm.url)
        assert "test           one " in table and "queue " in table, table
        check_priority(farm, model, tasks)
        print(f"{len(found)} records by two agents: {[each['measured'] for each in devices.values()]}")
    assert not (farm.folder / "pid").exists(), "the server is left"
    return 0


if __name__ == "__main__":
    sys.exit(main())
