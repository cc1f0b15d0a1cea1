#!/usr/bin/env python3
"""Compiles cpp_caller.cpp, which includes the C++ headers of models of all kinds, by several compilers as several versions of C++, and runs it.

usage: cpp_header.py CAMEO SOURCE INCLUDE_FOLDER RUNTIME_ARCHIVE_FOLDER WORK_FOLDER

For AArch64, too, where a compiler and an emulator are there. Exits 77 (skipped) without the onnx module or any C++ compiler.
"""

import pathlib
import platform
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from caller_models import MODELS, client_for, compile_model, write

CPUS = {"x86_64-linux-gnu": "x86-64,x86-64-v3", "aarch64-linux-gnu": "generic,neoverse-n1"}
WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror"]
CAMEO, SOURCE, INCLUDE, ARCHIVES, WORK = client_for(sys.argv[1]), *map(pathlib.Path, sys.argv[2:])


def accepts(compiler, standard):
    return subprocess.run([*compiler, f"-std={standard}", "-x", "c++", "-fsyntax-only", "-"], input="", text=True,
                          capture_output=True).returncode == 0


def compilers(triple):
    """Returns the compilers for this or another machine: GCC, and clang with the headers of GCC."""
    gcc = "g++" if triple.startswith(platform.machine()) else f"{triple}-g++"
    clang = next(filter(shutil.which, ("clang++-22", "clang++")), None)
    if not shutil.which(gcc):
        return []
    return [[gcc]] + ([[clang, f"--target={triple}"]] if clang else [])


def build_models(triple, folder):
    """Compiles the models. Those with dynamic sizes, strings or weights in a file have code for several CPUs."""
    objects = []
    for name in MODELS:
        output = folder / f"{name}.o"
        several = [f"--cpu={CPUS[triple]}"] if name in ("found", "open", "labels", "weighted") else []
        weights = [f"--weights={folder / 'weighted.weights'}"] if name == "weighted" else []
        objects.append(compile_model(CAMEO, write(name, folder), output, f"--cpp-header={folder / name}.hpp", f"--target={triple}", *several, *weights))
    return objects


def main():
    count = failed = 0
    for triple in ("x86_64-linux-gnu", "aarch64-linux-gnu"):
        is_native = triple.startswith(platform.machine())
        emulator = [] if is_native else [f"qemu-{triple.split('-')[0]}", "-L", f"/usr/{triple}"]
        archive = ARCHIVES / "libcameo_rt.a" if is_native else ARCHIVES / triple / "libcameo_rt.a"
        if not compilers(triple) or not archive.exists():
            print(f"{triple}: no C++ compiler or runtime")
            continue
        folder = WORK / triple
        folder.mkdir(parents=True, exist_ok=True)
        objects = build_models(triple, folder)
        for compiler in compilers(triple):
            for standard in [each for each in ("c++17", "c++20", "c++23") if accepts(compiler, each)]:
                program = folder / f"{compiler[0]}-{standard}"
                command = [*compiler, f"-std={standard}", "-O1", *WARNINGS, "-fno-exceptions", "-fno-rtti", f"-I{INCLUDE}", f"-I{folder}", SOURCE,
                           *objects, archive, "-o", program, "-lm", "-lpthread"]
                print("$", *command, flush=True)
                runs = is_native or shutil.which(emulator[0])
                result = subprocess.run(command).returncode or (
                    runs and subprocess.run([*emulator, program, folder / "weighted.weights"]).returncode)
                count += 1
                failed += result != 0
    print(f"{count} programs, {failed} failures")
    sys.exit(1 if failed else 0 if count else 77)


main()
