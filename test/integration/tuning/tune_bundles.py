#!/usr/bin/env python3
"""Tunes a model by bundles, which run on this machine or an emulated one; results that are incomplete or of another bundle are rejected.

usage: tune_bundles.py CAMEO EMULATOR|none TRIPLE WORK_FOLDER MODEL.onnx...
"""

import json
import pathlib
import shutil
import subprocess
import sys

SKIPPED = 77


class Session:
    def __init__(self, cameo, triple, emulator, model, work, trials):
        self.cameo, self.model, self.work, self.records, self.folder = cameo, model, work, work / "records.jsonl", work / "bundles"
        self.target = ["--target", triple] if emulator else []
        self.start = [emulator] if emulator else []
        self.trials = trials

    def tune(self, expected=0, more=()):
        done = subprocess.run([self.cameo, "tune", self.model, "--records", self.records, *self.target, "--trials", str(self.trials), "--trials-per-round", "2", "--seed", "1",
                               "--progress", "none", "--search=population=256", f"--measure=bundle:{self.folder}", "--resume", *more], capture_output=True, text=True)
        assert done.returncode == expected, done.stderr
        return done.stderr

    def waiting(self):
        return [each for each in sorted(self.folder.glob("bundle-*")) if each.suffix == "" and not results_of(each).exists()]

    def measure(self, bundle):
        return subprocess.run([*self.start, bundle], check=True, capture_output=True, cwd="/", env={}).stdout


def results_of(bundle):
    return bundle.with_name(bundle.name + ".jsonl")


def check_errors(session, bundle, results):
    """Tests invalid result files of the second bundle; no record is lost."""
    own = results_of(bundle)
    first = results_of(session.folder / "bundle-1").read_bytes()
    before = session.records.read_bytes()
    for wrong, message in ((results[: len(results) // 2], "expected all results of the bundle"), (b"", "expected all results of the bundle, got 0 and no line that ends them: run the bundle again"),
                           (first, "expected results of the bundle in the same folder, got those of another bundle"), (b"Segmentation fault\n", ":1: expected an object of JSON")):
        own.write_bytes(wrong)
        said = session.tune(expected=1).splitlines()
        assert len([line for line in said if "error: " in line]) == 1 and f"error: --measure=bundle: {own}" in said[-1] and message in said[-1], said
        assert session.records.read_bytes() == before, "records were lost"
    own.unlink()
    stray = results_of(session.folder / "bundle-99")
    stray.write_bytes(results)
    assert "expected the bundle of these results in the same folder" in session.tune(expected=1)
    stray.unlink()
    broken = session.folder / "bundle-98"
    broken.write_bytes(b"no program")
    assert "expected a bundle of this version of cameo" in session.tune(expected=1)
    broken.unlink()
    altered = session.folder / "altered"
    data = bytearray(bundle.read_bytes())
    data[-100] ^= 1
    altered.write_bytes(data)
    altered.chmod(0o755)
    done = subprocess.run([*session.start, altered], capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == "" and "the package is cut off or altered" in done.stderr, done
    altered.unlink()


def check_rounds(session):
    """Checks that more rounds, each of another task, make larger bundles."""
    items = []
    for rounds in (1, 2, 3):
        session.tune(more=["--rounds", str(rounds)])
        (bundle,) = session.waiting()
        items.append(json.loads(session.measure(bundle).splitlines()[0])["items"])
        shutil.rmtree(session.folder)
        session.records.unlink()
    assert items[0] < items[1] < items[2], items


def main():
    cameo, emulator, triple, work = sys.argv[1:5]
    emulator = "" if emulator == "none" else emulator
    worker = pathlib.Path(cameo).resolve().parent.parent / "lib" / triple / "cameo-worker"
    if not worker.exists() or (emulator and not shutil.which(emulator)):
        print(f"no {worker}, or no {emulator}")
        return SKIPPED
    for model in sys.argv[5:]:
        own = pathlib.Path(work) / pathlib.Path(model).stem
        shutil.rmtree(own, ignore_errors=True)
        own.mkdir(parents=True)
        target = ["--target", triple] if emulator else []
        tasks = len(json.loads(subprocess.run([cameo, "tasks", model, *target, "--json"], check=True, capture_output=True).stdout)["tasks"])
        session = Session(cameo, triple, emulator, model, own, 2 * tasks)
        if tasks == 3:
            check_rounds(session)
        rounds = 0
        said = session.tune()
        while waiting := session.waiting():
            rounds += 1
            assert f"wrote {waiting[0]}: run it on a machine of the target" in said, said
            if rounds <= 2:
                assert f"waiting for the results of {waiting[0]}: " in session.tune(), "another bundle before the first one ran"
            results = session.measure(waiting[0])
            if rounds == 2:
                check_errors(session, waiting[0], results)
            results_of(waiting[0]).write_bytes(results)
            said = session.tune()
        found = [json.loads(line) for line in session.records.read_text().splitlines()]
        assert all("error" not in record for record in found), "a candidate failed"
        # Each task has a best record whose results were compared with the naive path.
        subprocess.run([cameo, "compile", model, *target, "--records", session.records, "--records-policy=locked", "-o", own / "model.o"], check=True)
        print(f"{model}: {len(found)} records of {tasks} tasks from {rounds} bundles")
    return 0


if __name__ == "__main__":
    sys.exit(main())
