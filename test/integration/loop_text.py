#!/usr/bin/env python3
"""Every task of the zoo as text of the loop dialect: what is printed parses, prints the same, and goes on as if it had never been text.

usage: loop_text.py CAMEO CAMEO_OPT FOLDER_OF_MODELS
"""

import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "utils/command-server"))
from command_server import client_for

SEPARATOR = "// -----"
LEFT_OUT = b"arith.constant dense_resource<__elided__>"
RUN_OPTIONS = json.loads((pathlib.Path(__file__).parents[2] / "utils/zoo/run_options.json").read_text())


def run(command, source=None):
    """Returns the output of a command, which may print remarks."""
    done = subprocess.run(command, input=source, capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed: {done.stderr.decode()[:2000]}")
    return done.stdout


def bounds_of(model):
    return [f"--bound={each}" for each in RUN_OPTIONS.get(model.stem, {}).get("bounds", [])]


def main():
    cameo = client_for(sys.argv[1])
    models = sorted(pathlib.Path(sys.argv[3]).glob("*.onnx"))
    # All models in one text, so that the program starts only once.
    opt = [sys.argv[2], f"--split-input-file={SEPARATOR}", f"--output-split-marker={SEPARATOR}"]
    schedule = ["--schedule-tasks", "--apply-schedule"]
    programs = {model: run([cameo, "compile", model, "--emit=linalg", *bounds_of(model)]) for model in models}
    # The text elides large constants. A task that contains one, such as the indices of a Resize, cannot be read back.
    models = [model for model in models if LEFT_OUT not in programs[model]]
    linalg = f"\n{SEPARATOR}\n".encode().join(programs[model] for model in models)
    nests = run([*opt, "--build-loops"], linalg)
    loops = run([*opt, *schedule], nests)
    kernels = run([*opt, "--emit-kernels"], loops)
    checks = {
        "nests": (nests, run(opt, nests)),
        "loops": (loops, run(opt, loops)),
        "scheduled loops": (loops, run([*opt, "--build-loops", *schedule], linalg)),
        "kernels": (kernels, run([*opt, "--build-loops", *schedule, "--emit-kernels"], linalg)),
    }
    wrong = 0
    for name, texts in checks.items():
        before, after = ([part.strip() for part in text.split(SEPARATOR.encode())] for text in texts)
        if not len(before) == len(after) == len(models):
            sys.exit(f"{name}: expected the texts of {len(models)} models, got {len(before)} and {len(after)}")
        for model, one, other in zip(models, before, after):
            if one != other:
                wrong += 1
                print(f"{model}: {name} are others behind a text")
    tasks = nests.count(b"loop.program")
    print(f"{tasks} tasks of {len(models)} models ({len(programs) - len(models)} left out), {wrong} differences")
    return 1 if wrong or not tasks else 0


if __name__ == "__main__":
    sys.exit(main())
