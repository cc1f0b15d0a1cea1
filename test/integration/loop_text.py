#!/usr/bin/env python3
"""Every task of the zoo as text of the loop dialect: what is printed parses, prints the same, and goes on as if it had never been text.

usage: loop_text.py CAMEO CAMEO_OPT FOLDER_OF_MODELS
"""

import pathlib
import subprocess
import sys


def run(command, source=None):
    """The output of a command, which may make remarks."""
    done = subprocess.run(command, input=source, capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed: {done.stderr.decode()[:2000]}")
    return done.stdout


def main():
    cameo, opt = sys.argv[1:3]
    models = sorted(pathlib.Path(sys.argv[3]).glob("*.onnx"))
    schedule = ["--schedule-tasks", "--apply-schedule"]
    wrong = tasks = 0
    for model in models:
        linalg = run([cameo, "compile", model, "--emit=linalg"])
        nests = run([opt, "--build-loops"], linalg)
        loops = run([opt, *schedule], nests)
        kernels = run([opt, "--emit-kernels"], loops)
        checks = {
            "nests": nests == run([opt], nests),
            "loops": loops == run([opt], loops) == run([opt, "--build-loops", *schedule], linalg),
            "kernels": kernels == run([opt, "--build-loops", *schedule, "--emit-kernels"], linalg),
        }
        tasks += nests.count(b"loop.program")
        for name, isSame in checks.items():
            if not isSame:
                wrong += 1
                print(f"{model}: {name} are others behind a text")
    print(f"{tasks} tasks of {len(models)} models, {wrong} differences")
    return 1 if wrong or not tasks else 0


if __name__ == "__main__":
    sys.exit(main())
