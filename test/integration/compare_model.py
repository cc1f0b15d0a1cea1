#!/usr/bin/env python3
"""One network of the zoo, compiled once and compared with both references: the naive path, and ONNX Runtime on one thread and two.
A network with dynamic sizes is compared at several of them, unless the options of `cameo compile` that are given state them.

usage: compare_model.py CAMEO MODEL.onnx WORK_FOLDER [OPTION...]

Exits 0 when all agree, 1 when not, 77 (skipped) when only the naive path was there to agree with: there is no ONNX Runtime.
"""

import json
import pathlib
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "utils/command-server"))
from command_server import runner_for
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "utils/zoo"))

RUN_OPTIONS = json.loads((pathlib.Path(__file__).parents[2] / "utils/zoo/run_options.json").read_text())
MERGED = [[f"--dim=decoder_sequence_length={new}", f"--dim=past_decoder_sequence_length={past}", f"--dim=encoder_sequence_length_out={states}"]
          for new, past, states in ((1, 7, 20), (5, 0, 0), (3, 4, 20))]
# The length of a mask, whose dimension is named `past_sequence_length + 1`, and which has a column for each token.
GROWING = [[f"--dim=sequence_length={new}", f"--dim=past_sequence_length={past}", f"--dim=past_sequence_length___1={new + past}"] for new, past in ((2, 6), (5, 0), (3, 4))]
GROUPED = [[f"--dim=sequence_length={new}", f"--dim=past_sequence_length={past}", f"--dim=total_sequence_length={new + past}"] for new, past in ((1, 7), (5, 0), (3, 4))]
SIZES = {"gemma2": GROWING, "gpt2_decode": [["--dim=past_length=5"], ["--dim=past_length=8"]], "gpt_oss_int4": GROUPED,
         "minilm": [["--dim=sequence_length=1"], ["--dim=sequence_length=19"]], "sam_decoder": [["--dim=num_points=1"], ["--dim=num_points=4"]],
         "t5_encoder": [["--dim=encoder_sequence_length=1"], ["--dim=encoder_sequence_length=23"]], "unet_any": [[f"--dim=height={height}", f"--dim=width={width}"] for height, width in ((48, 32), (16, 16), (80, 272))],
         "vits": [["--dim=phonemes=3"], ["--dim=phonemes=50"]], "whisper_decoder_merged": MERGED}
BATCHES = [["--dim=batch=1"], ["--dim=batch=3"]]
# Bounds for other forms than float32: float16 has 11 bits, and a rounding of an activation moves a product of bytes by a step of its scale.
FORM_BOUNDS = {"float16": "1e-2", "int8": "2e-2"}
SKIPPED, SECONDS = 77, 300


def call(runner, *command):
    """Runs `cameo COMMAND...`, and prints and returns its output and whether it succeeded. A command that fails after others in the same process is
    repeated in a new one."""
    print("$ cameo " + " ".join(map(str, command)), flush=True)
    result = runner.run(command)
    if result.status != 0:
        result = runner.run(command, alone=True)
    print(result.output + result.errors)
    return result.output + result.errors, result.status == 0


def compare(runner, model, library, against, sizes, options):
    """Returns the exit status for this reference."""
    bounds = [f"--bound={each}" for each in options.get("bounds", [])] + (["--rtol", options["rtol"]] if "rtol" in options else [])
    # The naive path is slow, so it runs once; the other reference runs with three seeds on one thread and on two.
    runs = [["--rounds=1"]] if against == "naive" else [["--rounds=3", f"--threads={threads}"] for threads in (1, 2)]
    failed = 0
    if "inputs" in options:  # they are the same in each round
        from run_inputs import write_inputs
        sizes = [write_inputs(model, library.parent / f"inputs{number}", options["inputs"], size) for number, size in enumerate(sizes)]
        runs = [["--threads=1"], ["--threads=2"]][:1 if against == "naive" else 2]
    for run in [run + size for size in sizes for run in runs]:
        text, is_equal = call(runner, "verify", model, "--library", library, "--against", against, *run, *bounds)
        if "ONNX Runtime was not found" in text:
            print("skipped: ONNX Runtime was not found")
            return SKIPPED
        failed |= not is_equal
    return int(failed)


def check_agrees(runner, model, library, bounds):
    """Whether `cameo check` says that the model compiles, and where that needs bounds, that it does not without."""
    agrees = call(runner, "check", model, *bounds)[1]
    if agrees and bounds:
        agrees = call(runner, "check", model)[1] == call(runner, "compile", model, "--emit=obj", "-o", library.with_suffix(".o"))[1]
    if not agrees:
        print(f"{model}: check and compile disagree")
    return agrees


def compare_with_all(runner, model, library, given):
    name, form = model.stem.removesuffix("_batch"), None
    sizes = [[]] if given else BATCHES if model.stem != name else None
    if name not in RUN_OPTIONS and name.rpartition("_")[2] in FORM_BOUNDS:
        name, _, form = name.rpartition("_")
    sizes = sizes or SIZES.get(name, [[]])
    options = {**RUN_OPTIONS.get(name, {}), **({"rtol": FORM_BOUNDS[form]} if form else {})}
    bounds = [f"--bound={each}" for each in options.get("bounds", [])]
    _, is_compiled = call(runner, "compile", model, "--emit=lib", "-o", library, "--threads=2", *given, *bounds)
    if not is_compiled or not check_agrees(runner, model, library, bounds):
        return 1
    statuses = {compare(runner, model, library, against, sizes, options) for against in ("naive", "onnxruntime")}
    library.unlink()
    return 1 if 1 in statuses else max(statuses)


def main():
    cameo, model, work, given = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]
    work = work / (model.stem + "-".join(["", *given]).replace("=", "-"))
    work.mkdir(parents=True, exist_ok=True)
    with runner_for(cameo, work, SECONDS, 0) as runner:
        return compare_with_all(runner, model, work / f"{model.stem}.so", given)


if __name__ == "__main__":
    sys.exit(main())
