#!/usr/bin/env python3
"""Compares a network that is compiled for a target and run there, if needed in an emulator, with the naive path on this machine.

Both objects are linked with write_outputs.c and their processor's runtime; outputs must be float32. Exits 0 when they agree,
1 when not, 77 (skipped) when the compiler, the emulator or a feature of the processor is missing.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

import numpy

DEFAULT_BOUND = 3e-5
RUN_OPTIONS = json.loads((pathlib.Path(__file__).parents[3] / "utils/zoo/run_options.json").read_text())
SKIPPED = 77


def run(*command):
    print("$ " + " ".join(map(str, command)), flush=True)
    subprocess.run(command, check=True)


def find_missing(arguments):
    """Returns what this machine lacks to run the test, or None."""
    for program in [arguments.cc] + arguments.emulator.split()[:1]:
        if not shutil.which(program):
            return f"the program {program}"
    if not pathlib.Path(arguments.runtime).exists():
        return f"{arguments.runtime}, the runtime for {arguments.target}"
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    return next((f"a processor with {feature}" for feature in arguments.needs.split() if feature not in flags), None)


def build(arguments, model, name, cc, runtime, *options):
    """Compiles and links the program of one side, and returns its path."""
    prefix = model.stem
    path = arguments.work / f"{prefix}-{name}"
    dims = [f"--dim={size}" for size in RUN_OPTIONS.get(prefix, {}).get("dims", [])]
    run(arguments.cameo, "compile", model, "-o", f"{path}.o", "--prefix", prefix, *dims, *options)
    run(cc, "-O1", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-static", f"-DMODEL_DESCRIPTION={prefix}_description",
        f"-I{arguments.include}", arguments.source, f"{path}.o", runtime, "-o", path, "-lm", "-lpthread")
    return path


def execute(program, emulator, threads):
    output = f"{program}-{threads}.bin"
    run(*emulator, program, output, str(threads))
    return numpy.fromfile(output, numpy.float32)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("cameo", "cc", "host-cc", "include", "runtime", "host-runtime", "source", "target"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--cpu", default="", help="default: the baseline of the target")
    parser.add_argument("--emulator", default="", help="command that runs the target's programs")
    parser.add_argument("--needs", default="", help="flags of /proc/cpuinfo")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("model", type=pathlib.Path)
    arguments = parser.parse_args()

    if missing := find_missing(arguments):
        print(f"skipped: needs {missing}")
        return SKIPPED
    arguments.work.mkdir(parents=True, exist_ok=True)
    cpu = [f"--cpu={arguments.cpu}"] if arguments.cpu else []
    target = build(arguments, arguments.model, "target", arguments.cc, arguments.runtime,
                   f"--target={arguments.target}", *cpu)
    naive = build(arguments, arguments.model, "naive", arguments.host_cc, arguments.host_runtime, "--naive")
    expected = execute(naive, [], 1)
    results = [execute(target, arguments.emulator.split(), threads) for threads in (1, 2)]

    scale = numpy.abs(expected).max()
    if not numpy.isfinite(expected).all() or scale == 0:
        print("the naive path gives no numbers to compare with")
        return 1
    error = numpy.abs(results[0] - expected).max() / scale if results[0].shape == expected.shape else numpy.inf
    print(f"{expected.size} elements, largest error {error:.3g} of the largest magnitude {scale:.3g}")
    if not numpy.array_equal(results[0], results[1]):
        print("one thread and two give different bits")
        return 1
    return 0 if error <= float(RUN_OPTIONS.get(arguments.model.stem, {}).get("rtol", DEFAULT_BOUND)) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"failed with status {error.returncode}")
