#!/usr/bin/env python3
"""The same results give the same search and the same records, byte for byte, with each transport: the worker of this machine, a command, bundles, or a farm of several devices.

usage: replay_transports.py CAMEO WORKER MODEL WORK_FOLDER
   or: replay_transports.py --answer RESULTS    (a worker that replays results)
"""

import json
import pathlib
import shutil
import struct
import subprocess
import sys

import farm_server

HEADER, ITEM_BYTES = struct.Struct("<IIQQII"), 192
HEADER_BYTES, BLOB_BYTES, END = 72, 16, struct.Struct("<Q8s")


def contents(package):
    """Returns the digest and the items of a package."""
    _, _, _, digest, blobs, items = HEADER.unpack_from(package)
    first = HEADER_BYTES + blobs * BLOB_BYTES
    return f"{digest:016x}", [f"{struct.unpack_from('<Q', package, first + i * ITEM_BYTES)[0]:016x}" for i in range(items)]


def answer(package, results):
    """Returns the lines that a worker prints, with the machine that measured; items without a result are omitted."""
    digest, ids = contents(package)
    known = [results[each] for each in ids if each in results]
    yield json.dumps({"format": 1, "package": digest, "items": len(ids), "machine": results["machine"]})
    yield from known
    yield json.dumps({"end": digest, "results": len(known)})


def read_results(path):
    """Returns the last line of each item, because an item that is compared again has an equal line, and the machine."""
    lines = pathlib.Path(path).read_text().splitlines()
    results = {json.loads(line)["id"]: line for line in lines if '"id"' in line}
    return {**results, "machine": json.loads(lines[0])["machine"]}


def be_worker(path):
    results = read_results(path)
    while header := sys.stdin.buffer.read(HEADER_BYTES):
        package = header + sys.stdin.buffer.read(HEADER.unpack_from(header)[2] - HEADER_BYTES)
        print("\n".join(answer(package, results)), flush=True)
    return 0


def package_of(bundle):
    data = bundle.read_bytes()
    size, magic = END.unpack_from(data, len(data) - END.size)
    assert magic == b"CAMEOPKG", magic
    return data[len(data) - END.size - size : len(data) - END.size]


def script(path, command):
    path.write_text(f"#!/bin/sh\n{command}\n")
    path.chmod(0o755)
    return path


def replay_by_farm(cameo, work, tune, worker, expected, measured):
    with farm_server.Farm(cameo, work / "farm") as farm:
        for name in ("one", "two", "three"):
            farm.agent(name, "--worker", worker)
        states, _ = tune("farm", f"--measure=farm:{farm.url}", "--signing-key", farm.key, "--parallel", "6")
        # A farm only adds the name of the device.
        devices = {json.loads(line)["device"] for line in (work / "farm.jsonl").read_text().splitlines()}
        assert devices <= {"one", "two", "three"}, f"farm: other devices: {devices}"
        assert farm_server.records_of(work / "farm.jsonl") == expected, "farm: other records"
        for state in states:
            assert sum(each["measured"] for each in state.pop("devices")) > 0
        assert states == measured, "farm: another search"


def main():
    cameo, worker, model = sys.argv[1:4]
    work = pathlib.Path(sys.argv[4])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    names = json.loads(subprocess.run([cameo, "tasks", model, "--json"], check=True, capture_output=True).stdout)["tasks"]
    # With named tasks the whole model is not compared at the end, which only this machine could do.
    options = ["--tasks", ",".join(task["name"] for task in names), "--trials", "24", "--trials-per-round", "4", "--seed", "3", "--key", "test"]

    def tune(name, *more, **environment):
        done = subprocess.run([cameo, "tune", model, "--records", work / f"{name}.jsonl", *options, "--progress", "json", *more], check=True, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", **environment})
        states = [json.loads(line) for line in done.stdout.splitlines()]
        for state in states:
            for field in [field for field in state if any(word in field for word in ("elapsed", "forecast", "per_second", "resumed"))]:
                del state[field]
        return states, done.stderr

    recording = script(work / "record.sh", f"{worker} | tee -a {work}/results")
    measured, _ = tune("machine", CAMEO_WORKER=str(recording))
    expected = (work / "machine.jsonl").read_bytes()
    assert expected.count(b"\n") > 24, expected
    answering = script(work / "answer.sh", f"exec {sys.executable} {pathlib.Path(__file__).resolve()} --answer {work}/results")
    for name, more, environment in (("replayed", [], {"CAMEO_WORKER": str(answering)}), ("command", [f"--measure=command:{answering}"], {})):
        states, _ = tune(name, *more, **environment)
        assert (work / f"{name}.jsonl").read_bytes() == expected, f"{name}: other records"
        assert states == measured, f"{name}: another search"

    results, rounds = read_results(work / "results"), 0
    while True:
        states, remarks = tune("bundle", f"--measure=bundle:{work}/bundles", "--resume")
        waiting = [each for each in (work / "bundles").glob("bundle-*") if each.suffix == "" and not each.with_name(each.name + ".jsonl").exists()]
        if not waiting:
            break
        rounds += 1
        assert len(waiting) == 1 and rounds < 40 and f"wrote {waiting[0]}: " in remarks, remarks
        waiting[0].with_name(waiting[0].name + ".jsonl").write_text("\n".join(answer(package_of(waiting[0]), results)) + "\n")
    assert (work / "bundle.jsonl").read_bytes() == expected, "bundle: other records"
    assert states[-1] == measured[-1], "bundle: another search"
    try:
        replay_by_farm(cameo, work, tune, answering, expected, measured)
        farm = "a farm of three devices"
    except SystemExit:
        farm = "no farm, which this build has not"
    print(f"{expected.count(bytes([10]))} records, the same from machine, command, {rounds} bundles and {farm}")
    return 0


if __name__ == "__main__":
    sys.exit(be_worker(sys.argv[2]) if sys.argv[1] == "--answer" else main())
