#!/usr/bin/env python3
"""The zoo's decoder with packed weights: prompts, steps and what is between, compared with the naive path and with ONNX Runtime.

usage: decoder_model.py CAMEO MODEL.onnx WORK_FOLDER

Once as one library for all sizes, and once with the sizes of a step fixed. Products round activations to 8 bits, as the model allows: what differs in the last bits before
differs by a step where it is rounded. One step is compared without that.
Exits 0 when all agree, 1 when not; without ONNX Runtime the naive path alone is compared with. Exits 77 (skipped) without the onnx module.
"""

import pathlib
import shutil
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
try:
    import numpy as np
    import onnx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "utils/command-server"))
from command_server import runner_for

SECONDS = 300
BOUNDS = {"naive": "2e-2", "onnxruntime": "4e-2"}
EXACT = "3e-5"
# batch, new tokens, past tokens
RUNS = [(1, 6, 0), (1, 1, 6), (2, 1, 9), (1, 3, 4), (3, 5, 0)]


def write_inputs(model, folder, batch, new, past, capacity=None):
    """Writes inputs. `capacity` is the number of rows of caches, which are zero after `past`, and of columns of the mask."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    sizes = {"batch_size": batch, "sequence_length": new, "past_sequence_length": capacity or past, "total_sequence_length": capacity or past + new}
    random = np.random.default_rng(past)
    for info in model.graph.input:
        shape = [dim.dim_value or sizes[dim.dim_param] for dim in info.type.tensor_type.shape.dim]
        if info.name == "attention_mask":
            array = (np.arange(shape[1]) < past + new).astype(np.int64) * np.ones(shape, np.int64)
        elif info.name == "input_ids":
            array = random.integers(0, 400, shape)
        else:
            array = random.standard_normal(shape).astype(np.float32)
            array[:, :, past:] = 0
        np.save(folder / f"{info.name}.npy", array)
    return [f"--dim={name}={size}" for name, size in sizes.items()]


def verify(runner, reference, *arguments, bound=None):
    result = runner.run(["verify", *arguments, f"--against={reference}", f"--rtol={bound or BOUNDS[reference]}"])
    said = result.output + result.errors
    if result.status != 0 and "ONNX Runtime was not found" in said:
        print("ONNX Runtime was not found: compared with the naive path alone")
        return True
    print(f"{reference} {' '.join(map(str, arguments[1:]))}: {'agrees' if result.status == 0 else said}", flush=True)
    return result.status == 0


def main():
    cameo, path, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    # The model's own batch is 1. Here the batch is dynamic.
    model = onnx.load(str(path))
    for value in [*model.graph.input, *model.graph.output]:
        value.type.tensor_type.shape.dim[0].dim_param = "batch_size"
    opened, library = work / "decoder.onnx", work / "decoder.so"
    onnx.save(model, str(opened))
    with runner_for(cameo, work, SECONDS, 0) as runner:
        compiled = runner.run(["compile", opened, "--emit=lib", "-o", library, "--threads=2"])
        if compiled.status != 0:
            print(compiled.output + compiled.errors)
            return 1
        agree = True
        for batch, new, past in RUNS:
            folder = work / f"{batch}-{new}-{past}"
            dims = write_inputs(model, folder, batch, new, past)
            for reference in BOUNDS:
                agree &= verify(runner, reference, opened, "--library", library, "--inputs", folder, "--threads=2")
                if (batch, new, past) in RUNS[:2]:
                    agree &= verify(runner, reference, opened, "--inputs", folder, *dims)
        # A step with caches in buffers for the longest sequence.
        dims = write_inputs(model, work / "capacity", 1, 1, 6, capacity=16)
        for reference in BOUNDS:
            agree &= verify(runner, reference, opened, "--inputs", work / "capacity", *dims)
        for node in model.graph.node:
            for attribute in node.attribute:
                if attribute.name == "accuracy_level":
                    attribute.i = 0
        exact = work / "exact.onnx"
        onnx.save(model, str(exact))
        agree &= verify(runner, "naive", exact, "--inputs", work / "capacity", *dims, bound=EXACT)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
