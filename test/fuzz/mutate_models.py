#!/usr/bin/env python3
"""Compiles mutated models: none may crash, hang, exceed the memory limit or fail without exactly one error; no failure leaves a file.

Model number N of seed S is always the same. A model that fails the test stays in the work folder, and the command is printed.
"""

import argparse
import pathlib
import random
import re
import sys

import onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "utils/command-server"), str(ROOT / "test/integration/models")]
from command_server import CommandServer
from mutations import mutate_bytes, mutate_fields, mutate_types

SECONDS = 20
# Limit of address space; sanitizers reserve terabytes of it and have their own limit.
MEMORY_BYTES = 6 << 30


def write_contributed(folder):
    """Writes the models of test/integration/models/contributed_operators.py, with static and with dynamic sizes."""
    from contributed_operators import CASES, make_model

    folder.mkdir(exist_ok=True)
    for case in CASES:
        for is_open in {False, bool(case.open_shapes)}:
            path = folder / f"{case.name}{'_open' if is_open else ''}.onnx"
            make_model(path, case, is_open)
            yield path


def make_mutant(source, generator):
    data = source.read_bytes()
    model = onnx.ModelProto.FromString(data)
    if generator.random() < 0.5:
        return mutate_bytes(generator, model, data)
    generator.choice((mutate_fields, mutate_types))(generator, model)
    return model.SerializeToString()


def find_fault(server, command, output, alone=False):
    """Returns what is wrong with the result of `command`, or None."""
    output.unlink(missing_ok=True)
    result = server.run(command, alone)
    wrote = output.exists()
    output.unlink(missing_ok=True)
    if result.timed_out:
        return f"took more than {SECONDS} s"
    if result.status not in (0, 1):
        return f"ended with status {result.status}\n{result.errors[-4000:]}"
    if result.status == 1:
        errors = len(re.findall(r"\berror:", result.errors))
        if "check" not in command and errors == 0:
            return f"failed without an error:\n{result.errors[-4000:]}"
        if wrote:
            return f"failed and left {output}"
    return None


def test_mutant(server, mutant, emit):
    """Returns the command that fails and why, or None."""
    output = mutant.with_suffix(".out")
    for command in (["check", str(mutant)], ["compile", f"--emit={emit}", str(mutant), "-o", str(output)]):
        # A new process excludes effects of earlier commands.
        if find_fault(server, command, output) and (fault := find_fault(server, command, output, alone=True)):
            return f"$ cameo {' '.join(command)}\n{fault}\n"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, help="the command server, beside cameo in the build")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100, help="mutants of each model")
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant")
    parser.add_argument("--emit", default="onnx", help="how far to compile")
    parser.add_argument("--unlimited", action="store_true", help="no limit on memory: for builds with sanitizers")
    parser.add_argument("--contributed", action="store_true", help="also the models of a node of com.microsoft each that integration tests run")
    parser.add_argument("models", type=pathlib.Path, nargs="*")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    models = [*arguments.models, *(write_contributed(arguments.work / "contributed") if arguments.contributed else [])]

    faults = 0
    with CommandServer(arguments.server, arguments.work, SECONDS, 0 if arguments.unlimited else MEMORY_BYTES) as server:
        for source in models:
            for number in range(arguments.first, arguments.first + arguments.count):
                # The models of ONNX's tests are all named `model`, each in its own folder.
                generator = random.Random(f"{arguments.seed} {source.parent.name} {source.stem} {number}")
                mutant = arguments.work / f"{source.parent.name}-{source.stem}-{arguments.seed}-{number}.onnx"
                mutant.write_bytes(make_mutant(source, generator))
                if fault := test_mutant(server, mutant, arguments.emit):
                    print(fault, flush=True)
                    faults += 1
                else:
                    mutant.unlink()
    print(f"{arguments.count * len(models)} mutants, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
