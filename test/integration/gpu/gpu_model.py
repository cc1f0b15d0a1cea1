#!/usr/bin/env python3
"""One network of the zoo for a GPU, run by the emulator with threads in both orders and copies that arrive late and early, and compared with the naive path. Where NVIDIA's assembler is
installed, it takes the kernels, too.

usage: gpu_model.py CAMEO EMULATOR MODEL.onnx WORK_FOLDER [float16|dependent|MATH]

With float16 the model is converted to it first, and its products use the matrix units. With dependent it is, too, launches begin before earlier ones have ended, and every access is checked. MATH is what these multiply of a model in float32, as --gpu-math has it.

Exits 0 when all agree, 1 when not.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import onnx

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "utils/command-server"))
from command_server import client_for
sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "utils/zoo"))
import float16
import run_inputs

ZOO = pathlib.Path(__file__).resolve().parents[3] / "utils/zoo"
RUN_OPTIONS = json.loads((ZOO / "run_options.json").read_text())
# Smaller sizes than in the run options.
SIZES = {"gemma2": ["--dim=sequence_length=2", "--dim=past_sequence_length=5", "--dim=past_sequence_length___1=7"], "gpt2_decode": ["--dim=past_length=5"],
         "gpt_oss_int4": ["--dim=sequence_length=1", "--dim=past_sequence_length=7", "--dim=total_sequence_length=8"], "t5_encoder": ["--dim=encoder_sequence_length=9"],
         "whisper_decoder_merged": ["--dim=decoder_sequence_length=1", "--dim=past_decoder_sequence_length=7", "--dim=encoder_sequence_length_out=15"]}
ARCHITECTURE, DEPENDENT_ARCHITECTURE = "sm_80", "sm_90a"


def call(*command, **environment):
    print("$ " + " ".join([f"{name}={value}" for name, value in environment.items()] + [str(part) for part in command]), flush=True)
    result = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **environment})
    print(result.stdout)
    return result.returncode


def main():
    cameo, emulator, model, work = client_for(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    work.mkdir(parents=True, exist_ok=True)
    form = sys.argv[5] if len(sys.argv) > 5 else "f32"
    is_dependent, is_half = form == "dependent", form in ("float16", "dependent")
    math = "f32" if is_half else form
    device = [f"--gpu={DEPENDENT_ARCHITECTURE if is_dependent else ARCHITECTURE}", f"--gpu-math={math}"]
    checks = {"CAMEO_EMULATOR_CHECK": "on"} if is_dependent else {}
    network = model.stem
    if is_half:
        half = work / f"{model.stem}_{form}.onnx"
        onnx.save(float16.halve(onnx.load(model)), half)
        model = half
    options = RUN_OPTIONS.get(network, {})
    sizes = SIZES.get(network) or [f"--dim={size}" for size in options.get("dims", [])]
    bounds = [f"--bound={each}" for each in options.get("bounds", [])]
    library = work / f"{model.stem}-gpu-{form}.so"
    if call(cameo, "compile", model, *bounds, *device, "--gpu-code=host", "--emit=lib", "-o", library):
        return 1
    reference = work / f"{model.stem}-naive-{form}.so"
    if call(cameo, "compile", model, *bounds, "--naive", "--emit=lib", "-o", reference, *sizes):
        return 1
    # The bounds of the options are for products of float32.
    given = [*sizes, *(["--rtol", options["rtol"]] if "rtol" in options and not is_half and math in ("f32", "3xtf32") else [])]
    if "inputs" in options:
        given += run_inputs.write_inputs(model, work / f"{model.stem}-gpu.inputs", options["inputs"], sizes)
    failed = 0
    for order, copies in (("forward", "late"), ("backward", "early")):
        failed |= call(cameo, "verify", model, "--library", library, "--reference", reference, *device, *given, CAMEO_CUDA_DRIVER=emulator, CAMEO_EMULATOR_ORDER=order, CAMEO_EMULATOR_COPIES=copies, **checks)
    for each in (library, reference):
        each.unlink()
    if shutil.which("ptxas") or os.path.exists("/usr/local/cuda/bin/ptxas"):
        failed |= call(cameo, "compile", model, *bounds, *device, "--gpu-code=binary", "-o", "/dev/null", CAMEO_CACHE="off")
    return failed


if __name__ == "__main__":
    sys.exit(main())
