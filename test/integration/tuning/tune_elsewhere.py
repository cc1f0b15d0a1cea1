#!/usr/bin/env python3
"""Tunes a model on an emulated machine, through a command that starts the worker there and sometimes ends unexpectedly, and compiles with the records.

usage: tune_elsewhere.py CAMEO WORKER EMULATOR SYSROOT TRIPLE WORK_FOLDER MODEL.onnx...
"""

import json
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77


def tune(cameo, model, records, triple, command, trials):
    records.unlink(missing_ok=True)
    subprocess.run([cameo, "tune", model, "--records", records, "--target", triple, "--trials", str(trials), "--trials-per-round", "1", "--seed", "1", "--run-timeout", "60",
                    "--progress", "none", "--search=population=256", f"--measure=command:{command}"], check=True)
    return [json.loads(line) for line in records.read_text().splitlines()]


def main():
    cameo, worker, emulator, sysroot, triple, work = sys.argv[1:7]
    if not shutil.which(emulator) or not pathlib.Path(worker).exists():
        print(f"no {emulator}, or no worker for {triple}")
        return SKIPPED
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    start = f"exec {emulator} -L {sysroot} {worker}"
    for model in sys.argv[7:]:
        records = work / (pathlib.Path(model).stem + ".jsonl")
        tasks = len(json.loads(subprocess.run([cameo, "tasks", model, "--target", triple, "--json"], check=True, capture_output=True).stdout)["tasks"])
        found = tune(cameo, model, records, triple, start, 2 * tasks)
        assert all(record["triple"].startswith(triple.split("-")[0]) for record in found), "records of another machine"
        assert all("error" not in record for record in found), "a candidate failed"
        # Each task has a best record whose results were compared with the naive path.
        subprocess.run([cameo, "compile", model, "--target", triple, "--records", records, "--records-policy=locked", "-o", records.with_suffix(".o")], check=True)
        print(f"{model}: {len(found)} records of {tasks} tasks")
    # A connection that ends after a second: its candidate is recorded as failed, and the next one gets a new connection.
    found = tune(cameo, model, records, triple, f"timeout -s KILL 1 {start.removeprefix('exec ')}", 4 * tasks)
    lost = [record for record in found if "ended without a reply" in json.dumps(record)]
    print(f"connections of a second: {len(found)} records, {len(lost)} of candidates that lost theirs")
    assert len(found) > len(lost), "no candidate was measured"
    return 0


if __name__ == "__main__":
    sys.exit(main())
