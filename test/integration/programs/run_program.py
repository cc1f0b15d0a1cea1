#!/usr/bin/env python3
"""Compiles models to objects, links them and the runtime with a C program, and runs it. Arguments MACRO=MODEL.onnx define the names of the models in the program."""

import argparse
import pathlib
import subprocess
import sys


def run(*command):
    print("$ " + " ".join(map(str, command)), flush=True)
    subprocess.run(command, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("--cameo", "--cc", "--include", "--runtime"):
        parser.add_argument(option, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--cflags", default="")
    parser.add_argument("--language", default="-x c -std=gnu11")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("models", nargs="+", metavar="MACRO=MODEL")
    arguments = parser.parse_args()

    pairs = [text.split("=", 1) for text in arguments.models]
    work = arguments.work / "-".join([arguments.source.stem] + [pathlib.Path(model).stem for _, model in pairs])
    work.mkdir(parents=True, exist_ok=True)
    objects, defines = [], []
    for macro, model in pairs:
        prefix = pathlib.Path(model).stem
        run(arguments.cameo, "compile", model, "-o", work / f"{prefix}.o", "--prefix", prefix)
        objects.append(work / f"{prefix}.o")
        defines.append(f"-D{macro}={prefix}_description")
    program = work / "program"
    language = arguments.language.split()
    run(arguments.cc, *language, "-O1", "-g", "-Wall", "-Wextra", "-Werror", *arguments.cflags.split(), *defines,
        f"-I{arguments.include}", f"-I{work}", arguments.source, "-x", "none", *objects, arguments.runtime, "-o", program,
        "-lm", "-lpthread")
    run(program)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"failed with status {error.returncode}")
