#!/usr/bin/env python3
"""Tests objects with code for several processors: which code runs on which processor, and its results.

For each processor that this machine can run, selected by CAMEO_CPU, the results are the bits of an object for that processor only; a small network is
also compared with NumPy. Emulated processors run the code for them; if there is none, the run fails with CAMEO_UNSUPPORTED_CPU. Exits 77 (skipped, with
the reason) if the compiler or the emulator is missing.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

from compare_target import SKIPPED
sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "utils/command-server"))
from command_server import client_for

SOURCE = pathlib.Path(__file__).parent / "cpu_list.c"
REFUSED = "the model is not compiled for the processor of this machine"
X86 = ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"]
# Flag of /proc/cpuinfo that shows whether this machine has a level: one that no lower level of LLVM has.
X86_FLAGS = {"x86-64": "sse2", "x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
# The processors of a list, an emulated processor, and the entry whose code it runs.
EMULATED = {
    "x86_64-linux-gnu": [(X86, "qemu64", "x86-64"), (X86, "Nehalem", "x86-64-v2"), (X86, "Haswell", "x86-64-v3"),
                         (["x86-64-v3", "x86-64-v4"], "Nehalem", REFUSED), (["x86-64-v4", "x86-64-v2"], "Haswell", "x86-64-v2")],
    "aarch64-linux-gnu": [(["generic", "neoverse-n1"], "cortex-a72", "generic"), (["generic", "neoverse-n1"], "neoverse-n1", "neoverse-n1"),
                          (["generic", "neoverse-n1", "a64fx"], "max", "a64fx"), (["neoverse-n1", "a64fx"], "cortex-a72", REFUSED)],
}
# An emulated processor with all features, for networks.
LARGEST = {"x86_64-linux-gnu": ("Haswell", X86[:3]), "aarch64-linux-gnu": ("max", ["generic", "a64fx", "neoverse-n1"])}


def run(*command, **variables):
    print("$ " + " ".join([f"{name}={value}" for name, value in variables.items()] + [str(word) for word in command]), flush=True)
    environment = {name: value for name, value in os.environ.items() if name != "CAMEO_CPU"} | variables
    return subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True).stdout.strip()


def make_model(path):
    """Writes a model with a convolution, a product and a function; returns an input, and the output that NumPy computes in float64."""
    random = numpy.random.default_rng(5)
    filters, matrix = random.normal(size=(24, 8, 3, 3)), random.normal(size=(24, 40))
    weights = [numpy_helper.from_array(values.astype(numpy.float32), name) for name, values in (("filters", filters), ("matrix", matrix))]
    nodes = [helper.make_node("Conv", ["x", "filters"], ["c"], pads=[1, 1, 1, 1]), helper.make_node("Relu", ["c"], ["r"]),
             helper.make_node("GlobalAveragePool", ["r"], ["p"]), helper.make_node("Flatten", ["p"], ["f"]),
             helper.make_node("MatMul", ["f", "matrix"], ["m"]), helper.make_node("Tanh", ["m"], ["y"])]
    graph = helper.make_graph(nodes, "small", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 8, 14, 14])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 40])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, path)
    x = random.normal(size=(2, 8, 14, 14)).astype(numpy.float32)
    windows = numpy.lib.stride_tricks.sliding_window_view(numpy.pad(x.astype(float), ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), axis=(2, 3))
    convolved = numpy.einsum("nchwij,ocij->nohw", windows, filters)
    return x, numpy.tanh(numpy.maximum(convolved, 0).mean(axis=(2, 3)) @ matrix)


class Builder:
    def __init__(self, arguments):
        self.arguments = arguments

    def build(self, model, cpus, *flags):
        """Compiles and links the program of an object for these processors."""
        arguments, prefix = self.arguments, model.stem
        path = arguments.work / "-".join([prefix, *cpus, *flags])
        run(arguments.cameo, "compile", model, f"--target={arguments.target}", f"--cpu={','.join(cpus)}", "-o", f"{path}.o", "--prefix", prefix)
        names = [f"-DMODEL_DESCRIPTION={prefix}_description"] + ([f"-DMODEL_CPU={prefix}_cpu"] if len(cpus) > 1 else [])
        run(arguments.cc, "-O1", "-std=gnu11", "-Wall", "-Wextra", "-Werror", *names, f"-I{arguments.include}", *flags, SOURCE, f"{path}.o", arguments.runtime, "-o", path, "-lm", "-lpthread")
        return path

    def outputs(self, program, cpu=None, emulator=(), inputs=None):
        """Returns the processor whose code ran, and the outputs as bytes."""
        variables = {"CAMEO_CPU": cpu} if cpu else {}
        chosen = run(*emulator, program, f"{program}.bin", *([inputs] if inputs else []), **variables)
        return chosen, pathlib.Path(f"{program}.bin").read_bytes() if chosen != REFUSED else None


def expect(what, actual, expected):
    if actual != expected:
        sys.exit(f"{what}: expected {expected}, got {actual}")


def check_variants(builder, model, cpus, emulator=()):
    """Compares the code of each processor, selected by CAMEO_CPU, with an object for that processor only."""
    flags = ["-static"] if emulator else []
    program = builder.build(model, cpus, *flags)
    for cpu in cpus:
        chosen, outputs = builder.outputs(program, cpu, emulator)
        expect(f"{model.stem}: code for {cpu}", chosen, cpu)
        expected = builder.outputs(builder.build(model, [cpu], *flags), emulator=emulator)[1]
        expect(f"{model.stem}: outputs for {cpu}", outputs == expected, True)
    # A name that is not in the object, and an empty name.
    expect(f"{model.stem}: an unknown processor", builder.outputs(program, "unknown", emulator)[0], REFUSED)
    expect(f"{model.stem}: the machine's processor", builder.outputs(program, emulator=emulator)[0], cpus[-1])


def check_reference(builder, cpus):
    path = builder.arguments.work / "small.onnx"
    x, expected = make_model(path)
    inputs = builder.arguments.work / "small.inputs"
    x.tofile(inputs)
    program = builder.build(path, cpus)
    for cpu in cpus:
        chosen, outputs = builder.outputs(program, cpu, inputs=inputs)
        error = numpy.abs(numpy.frombuffer(outputs, numpy.float32) - expected.ravel()).max()
        print(f"{chosen}: largest error {error:.3g}")
        if not error < 1e-4:
            sys.exit(f"the code for {cpu} is off by {error}")


def check_emulated(builder, emulator):
    path = builder.arguments.work / "small.onnx"
    make_model(path)
    for cpus, processor, expected in EMULATED[builder.arguments.target]:
        # Statically linked, because libraries of that machine may be missing.
        program = builder.build(path, cpus, "-static")
        chosen, outputs = builder.outputs(program, emulator=[emulator, "-cpu", processor])
        expect(f"{','.join(cpus)} on {processor}", chosen, expected)
        if chosen == REFUSED:
            continue
        alone = builder.outputs(builder.build(path, [chosen], "-static"), emulator=[emulator, "-cpu", processor])[1]
        expect(f"outputs of {chosen} on {processor}", outputs == alone, True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("cameo", "cc", "include", "runtime", "target"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--emulator", default="", help="the program that runs the target's programs, with -cpu NAME; none: this machine")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("networks", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.cameo = client_for(arguments.cameo)
    for program in filter(None, [arguments.cc, arguments.emulator]):
        if not shutil.which(program):
            print(f"skipped: needs the program {program}")
            return SKIPPED
    if not pathlib.Path(arguments.runtime).exists():
        print(f"skipped: needs {arguments.runtime}, the runtime for {arguments.target}")
        return SKIPPED
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    builder = Builder(arguments)
    if arguments.emulator:
        check_emulated(builder, arguments.emulator)
        for network in arguments.networks:
            check_variants(builder, network, LARGEST[arguments.target][1], [arguments.emulator, "-cpu", LARGEST[arguments.target][0]])
        return 0
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    cpus = [cpu for cpu in X86 if X86_FLAGS[cpu] in flags]
    check_reference(builder, cpus)
    for network in arguments.networks:
        check_variants(builder, network, cpus)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"failed with status {error.returncode}")
