#!/usr/bin/env python3
"""Tunes models for another architecture by a farm whose devices are emulators, and compiles with the records.

usage: farm_elsewhere.py CAMEO WORKER EMULATOR TRIPLE WORK_FOLDER MODEL.onnx...
"""

import json
import pathlib
import shutil
import subprocess
import sys

from farm_server import SKIPPED, Farm


def main():
    cameo, worker, emulator, triple, work = sys.argv[1:6]
    if not shutil.which(emulator) or not pathlib.Path(worker).exists():
        print(f"no {emulator}, or no worker for {triple}")
        return SKIPPED
    with Farm(cameo, work) as farm:
        for name in ("one", "two"):
            farm.agent(name, "--worker", f"{shutil.which(emulator)} {worker}")
        for model in sys.argv[6:]:
            records = farm.work / (pathlib.Path(model).stem + ".jsonl")
            target = ["--target", triple]
            tasks = len(json.loads(subprocess.run([cameo, "tasks", model, *target, "--json"], check=True, capture_output=True).stdout)["tasks"])
            farm.tune(model, records, *target, "--trials", 2 * tasks, "--trials-per-round", "2", "--seed", "1", "--run-timeout", 60)
            found = [json.loads(line) for line in records.read_text().splitlines()]
            assert found and all(record["triple"].startswith(triple.split("-")[0]) for record in found), "records of another machine"
            assert all("error" not in record for record in found), [record["error"] for record in found if "error" in record][:3]
            # Each task has a best record whose results were compared with the naive path.
            subprocess.run([cameo, "compile", model, *target, "--records", records, "--records-policy=locked", "-o", records.with_suffix(".o")], check=True)
            print(f"{model}: {len(found)} records of {tasks} tasks")
        # Candidates for the architecture of this machine are rejected.
        said = farm.tune(sys.argv[-1], farm.work / "none.jsonl", expected=1)
        assert "error: --measure=farm: expected candidates for AArch64, the architecture of this machine, got candidates for x86-64" in said, said
    return 0


if __name__ == "__main__":
    sys.exit(main())
