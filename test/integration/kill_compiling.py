#!/usr/bin/env python3
"""Ends compilations, runs and tuning by signals at random moments: no file may be left, neither beside the output nor where temporary files lie.

A signal goes to the whole group, as from a terminal. After SIGKILL, whom nobody can obey, the output that was being written may be left aside, and nothing else.

usage: kill_compiling.py CAMEO MODEL WORK_FOLDER [--kills N] [--seed N]
"""

import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cameo")
    parser.add_argument("model")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=10, help="of each command by each signal (default: 10)")
    parser.add_argument("--seed", type=int, default=0, help="of the moments (default: 0)")
    return parser.parse_args()


def end_after(command, environment, seconds, number):
    """Sends the signal after `seconds`, and waits for the end."""
    process = subprocess.Popen(command, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass
    process.wait()
    # A C compiler that the command has started may still be cleaning up.
    for _ in range(200):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.01)


def left_over(folder, output, number):
    """Returns the files that should not remain. GCC does not always remove its own files, named cc*, after a signal."""
    files = {path.name for path in folder.rglob("*") if path.is_file()} - output
    if number is not None:
        files = {name for name in files if not name.startswith("cc")}
    if number == signal.SIGKILL:
        files = {name for name in files if not name.endswith(".partial")}
    return sorted(files)


def main():
    arguments = parse_arguments()
    moments = random.Random(arguments.seed)
    output = arguments.work / "out"
    temporary = arguments.work / "tmp"
    compile_model = [arguments.cameo, "compile", arguments.model, "-o"]
    commands = {
        "lib": [*compile_model, output / "net.so", "--emit=lib"],
        "exe": [*compile_model, output / "net", "--emit=exe"],
        "obj": [*compile_model, output / "net.o"],
        "run": [arguments.cameo, "run", arguments.model],
        "bench": [arguments.cameo, "bench", arguments.model],
        "tune": [arguments.cameo, "tune", arguments.model, "--records", output / "net.jsonl", "--trials", "16", "--progress", "none", "--search=population=256"],
    }
    wanted = {"net.so", "net", "net.o", "net.h", "net.jsonl"}
    faults = 0
    for name, command in commands.items():
        shutil.rmtree(arguments.work, ignore_errors=True)
        output.mkdir(parents=True)
        temporary.mkdir()
        environment = {**os.environ, "TMPDIR": str(temporary)}
        begin = time.monotonic()
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds = time.monotonic() - begin
        if left := left_over(arguments.work, wanted, None):
            sys.exit(f"{name}: left {', '.join(left)} without a signal")
        for number in SIGNALS:
            for _ in range(arguments.kills):
                for path in output.iterdir():
                    path.unlink()
                for path in temporary.iterdir():
                    path.unlink()
                end_after(command, environment, moments.uniform(0, seconds), number)
                if left := left_over(arguments.work, wanted, number):
                    print(f"{name}: {number.name} left {', '.join(left)}", flush=True)
                    faults += 1
    kills = len(commands) * len(SIGNALS) * arguments.kills
    print(f"{kills} kills, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
