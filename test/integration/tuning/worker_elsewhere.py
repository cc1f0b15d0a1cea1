#!/usr/bin/env python3
"""Tests the static worker of an architecture: its description, the packages that it rejects, and a candidate that it loads, compares and times.

usage: worker_elsewhere.py WORKER COMPILER EMULATOR|none E_MACHINE REPOSITORY WORK_FOLDER
"""

import json
import pathlib
import random
import shutil
import struct
import subprocess
import sys

SKIPPED, NO_BLOB, FLOAT32 = 77, 0xFFFFFFFF, 1
TIME, CONFIRM = 0, 2
NAMES = {62: "x86-64", 183: "AArch64", 40: "ARM", 243: "RISC-V"}


def digest(data):
    value = 0xCBF29CE484222325
    for at in range(0, len(data) - len(data) % 8, 8):
        value = (value ^ struct.unpack_from("<Q", data, at)[0]) * 0x100000001B3 % 2**64
        value ^= value >> 32
    for byte in data[len(data) - len(data) % 8 :]:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def item(kind, image, number, timeout=20):
    confirms = kind == CONFIRM
    return struct.pack("<8Q7d15Iid", number, 7, 9, 4096, 4096, 0, 0, 0, 1e-5, 0, 0.5, timeout, 60, 0, 1e9, kind, 0, image, image if confirms else NO_BLOB,
                       0 if confirms else NO_BLOB, 1 if confirms else NO_BLOB, NO_BLOB, NO_BLOB, 4, 2, 1, 1, 1, FLOAT32, 0, -1, 0)


def package(machine, blobs=(), items=()):
    at, places, contents = 72 + 16 * len(blobs) + 192 * len(items), [], b""
    for blob in blobs:
        contents += b"\0" * (-(at + len(contents)) % 64)
        places.append(struct.pack("<QQ", at + len(contents), len(blob)))
        contents += blob
    body = struct.pack("<II8I", machine, 0, *[0] * 8) + b"".join(places) + b"".join(items) + contents
    body = struct.pack("<II", len(blobs), len(items)) + body
    return struct.pack("<IIQQ", 0x4B435043, 2, 24 + len(body), digest(body)) + body


def main():
    worker, compiler, emulator, machine, root, work = sys.argv[1:7]
    start = [] if emulator == "none" else [emulator]
    if not pathlib.Path(worker).exists() or (start and not shutil.which(emulator)):
        print(f"no {worker}, or no {emulator}")
        return SKIPPED
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)

    def ask(data, expected=0):
        done = subprocess.run([*start, worker], input=data, capture_output=True)
        assert done.returncode == expected, done
        return [json.loads(line) for line in done.stdout.splitlines()]

    machine = int(machine)
    head, end = ask(package(machine))
    assert head["items"] == 0 and head["machine"]["system"].startswith("Linux ") and head["machine"]["cpus"] > 0 and end["results"] == 0, head
    other = 62 if machine != 62 else 183
    (refused,) = ask(package(other))
    assert refused["refused"] == f"expected candidates for {NAMES[machine]}, the architecture of this machine, got candidates for {NAMES[other]}", refused
    assert ask(package(machine)[:-1] + b"x", 0)[0]["refused"] == "the package is cut off or altered"
    assert ask(b"x" * 100, 1)[0]["refused"] == "expected a measurement package"

    images = []
    for planted in ("SOUND", "IS_WRONG"):
        image = work / f"{planted}.so"
        subprocess.run([compiler, "-O2", "-shared", "-nostdlib", "-fPIC", f"-DPLANTED={planted}", f"-I{root}/runtime/include",
                        f"{root}/test/unit/autotune/Measure/PlantedCandidate.c", "-o", image], check=True)
        images.append(image.read_bytes())
    blobs = [images[0], struct.pack("<Qfi", 1, 1.0, FLOAT32), images[1], b"\x7fELF" + b"\0" * 100]
    lines = ask(package(machine, blobs, [item(TIME, 0, 1), item(CONFIRM, 0, 2), item(CONFIRM, 2, 3), item(TIME, 3, 4)]))
    timed, confirmed, wrong, broken = lines[1:-1]
    assert timed["error"] == "none" and len(timed["costs"]) == 4 and all(0 < cost < 1 for cost in timed["costs"]), timed
    assert timed["interval"] == [min(timed["costs"]), max(timed["costs"])] and timed["sentinel"] > 0, timed
    assert confirmed["error"] == "none" and len(confirmed["default_costs"]) == 4 and confirmed["proof"]["max_abs"] == 0 < confirmed["proof"]["bound"], confirmed
    assert wrong["error"] == "wrong-answer" and wrong["message"].startswith("result 0: element "), wrong
    assert broken["error"] == "compile-host" and "expected a shared library of this machine" in broken["message"], broken

    # Whatever numbers a package contains, the worker neither crashes nor hangs.
    generator = random.Random(1)
    sound = package(machine, blobs, [item(TIME, 0, 1, 0.2), item(CONFIRM, 0, 2, 0.2)])
    answers = set()
    for _ in range(20 if start else 60):
        altered = bytearray(sound)
        for _ in range(generator.randint(1, 3)):
            at = 72 + generator.randrange(16 * len(blobs) + 2 * 192)
            altered[at] = generator.choice((0, 1, 0x7F, 0x80, 0xFF, generator.randrange(256)))
        altered[16:24] = struct.pack("<Q", digest(bytes(altered[24:])))
        done = subprocess.run([*start, worker], input=bytes(altered), capture_output=True, timeout=60)
        assert done.returncode == 0, done
        answers.add(json.loads(done.stdout.splitlines()[0]).get("refused", ""))
    assert "" in answers and len(answers) > 2, answers
    print(f"{NAMES[machine]}: {head['machine']['cpu']}, {head['machine']['system']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
