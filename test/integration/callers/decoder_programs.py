#!/usr/bin/env python3
"""The programs of docs/examples/decoder around the zoo's decoder: in C and in Python they make the tokens that ONNX Runtime finds likeliest, and draw from the likeliest ones.

usage: decoder_programs.py CAMEO MODEL.onnx EXAMPLES RUNTIME ARCHIVE C_COMPILER WORK_FOLDER

The weights' products round nothing here, so that tokens are the same. Exits 77 (skipped) without the onnx module; without ONNX Runtime the programs are compared with each other alone.
"""

import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
try:
    import numpy as np
    import onnx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "utils/fuzz"))
from peer import Peer, find_library

PROMPT, STEPS, ROWS = [17, 3, 401, 250, 9], 12, 32


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {result.returncode}\n{result.stdout}")
    return result.stdout


def write_exact(source, path):
    """Writes the model without an accuracy level that permits rounding. Returns the names of its caches."""
    model = onnx.load(str(source))
    for node in model.graph.node:
        for attribute in node.attribute:
            if attribute.name == "accuracy_level":
                attribute.i = 0
    onnx.save(model, str(path))
    return [value.name for value in model.graph.input if value.name.startswith("past")]


def likeliest(library, path, caches):
    """Returns the likeliest tokens according to ONNX Runtime, which gets all previous tokens as a prompt each time."""
    tokens = list(PROMPT)
    peer = Peer(library)
    for _ in range(STEPS):
        inputs = {"input_ids": ("i64", np.array([tokens])), "attention_mask": ("i64", np.ones((1, len(tokens)), np.int64))}
        inputs |= {name: ("f32", np.zeros((1, 2, 0, 32), np.float32)) for name in caches}
        logits, = peer.run(path, inputs, ["logits"])
        tokens.append(int(np.argmax(logits[0, -1])))
    peer.close()
    return tokens[len(PROMPT):]


def main():
    cameo, source, examples, runtime, archive, compiler, work = (pathlib.Path(shutil.which(each) or each).resolve() for each in sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    path = work / "decoder.onnx"
    caches = write_exact(source, path)
    aliases = [f"--alias={name}={name.replace('past_key_values', 'present')}" for name in caches]
    run(cameo, "compile", path, *aliases, "--threads=2", cwd=work)
    run(cameo, "compile", path, *aliases, "--emit=lib", cwd=work)
    run(compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", examples / "generate.c", "decoder.o", "-I.", f"-I{runtime / 'include'}", archive, "-lm", "-lpthread", "-o", "generate",
        cwd=work)
    environment = {**os.environ, "PYTHONPATH": str(runtime / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    programs = {"generate.c": [work / "generate"], "generate.py": [sys.executable, examples / "generate.py", work / "decoder.so"]}

    def generate(program, *options):
        arguments = [*PROMPT, "--steps", STEPS, *options] if program == "generate.py" else ["--steps", STEPS, *options, *PROMPT]
        return [int(word) for word in run(*programs[program], *arguments, env=environment).split()]

    library = find_library()
    expected = likeliest(library, path, caches) if library else generate("generate.c")
    if not library:
        print("ONNX Runtime was not found: the programs are compared with each other")
    wrong = []
    for program in programs:
        for options in ([], ["--rows", ROWS], ["--threads", 2], ["--temperature", 0.7, "--top-k", 1]):
            if (tokens := generate(program, *options)) != expected:
                wrong.append(f"{program} {options}: expected {expected}, got {tokens}")
        draws = {tuple(generate(program, "--temperature", 2.0, "--seed", seed)) for seed in (1, 2, 1)}
        if len(draws) != 2:
            wrong.append(f"{program}: expected the tokens of a seed to be the same, and those of another one others, got {draws}")
    print("\n".join(wrong) or f"{len(programs)} programs: {expected}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
