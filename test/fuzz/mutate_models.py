#!/usr/bin/env python3
"""Compiles mutated models: none may crash, hang, eat memory or fail without one clear error; no failure leaves a file.

Model number N of seed S is always the same. A model that fails the test stays in the work folder, and the command is printed.
"""

import argparse
import pathlib
import random
import re
import resource
import subprocess
import sys

import onnx

from mutations import mutate_bytes, mutate_fields

SECONDS = 20
# Of address space; the sanitizers reserve terabytes of it and limit themselves.
MEMORY_BYTES = 6 << 30


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def make_mutant(source, generator):
    data = source.read_bytes()
    model = onnx.ModelProto.FromString(data)
    if generator.random() < 0.5:
        return mutate_bytes(generator, model, data)
    mutate_fields(generator, model)
    return model.SerializeToString()


def find_fault(command, output, limited):
    """What is wrong with how `command` ends, or None."""
    output.unlink(missing_ok=True)
    try:
        result = subprocess.run(command, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=SECONDS,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                preexec_fn=limit_memory if limited else None)
    except subprocess.TimeoutExpired:
        return f"took more than {SECONDS} s"
    wrote = output.exists()
    output.unlink(missing_ok=True)
    if result.returncode not in (0, 1):
        return f"ended with status {result.returncode}\n{result.stderr[-4000:]}"
    if result.returncode == 1:
        errors = len(re.findall(r"\berror:", result.stderr))
        if "check" not in command and errors == 0:
            return f"failed without an error:\n{result.stderr[-4000:]}"
        if wrote:
            return f"failed and left {output}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cameo", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100, help="mutants of each model")
    parser.add_argument("--emit", default="onnx", help="how far to compile")
    parser.add_argument("--unlimited", action="store_true", help="no limit on memory: for builds with sanitizers")
    parser.add_argument("models", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)

    faults = 0
    for source in arguments.models:
        for number in range(arguments.count):
            generator = random.Random(f"{arguments.seed} {source.stem} {number}")
            mutant = arguments.work / f"{source.stem}-{arguments.seed}-{number}.onnx"
            mutant.write_bytes(make_mutant(source, generator))
            output = mutant.with_suffix(".out")
            commands = [[arguments.cameo, "check", str(mutant)],
                        [arguments.cameo, "compile", f"--emit={arguments.emit}", str(mutant), "-o", str(output)]]
            fault = None
            for command in commands:
                if fault := find_fault(command, output, not arguments.unlimited):
                    print(f"$ {' '.join(command)}\n{fault}\n", flush=True)
                    faults += 1
                    break
            if not fault:
                mutant.unlink()
    print(f"{arguments.count * len(arguments.models)} mutants, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
