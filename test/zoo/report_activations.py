#!/usr/bin/python3
"""Runs models of the zoo in ONNX Runtime and reports whether their activations are sane.

    ORT_LIBRARY=.../libonnxruntime.so.1 report_activations.py [--layers] MODEL.onnx...

One line per model: rms, least and largest element of every output; the smallest and largest rms among all float results of
nodes; the largest share of ReLU channels that never fire; and how much the output moves for an input moved by a thousandth
(1 is neutral; far above, rounding differences between two correct compilers would show as errors).
"""

import argparse
import json
import os
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from onnxruntime_c import LIBRARY_VARIABLE, Runtime, Session, find_library

SYMBOL_SIZE = 3  # stands in for every symbolic dimension; for one of tokens before and new ones, twice that
RUN_OPTIONS = json.loads((pathlib.Path(__file__).resolve().parents[2] / "utils/zoo/run_options.json").read_text())
TOKEN_LIMIT = 400  # smaller than the least vocabulary in the zoo


def size_of(dim):
    """Returns the size that stands in for a dimension. Sides of images are multiples of 16, as the levels of a U-Net ask for."""
    if dim.dim_param in ("height", "width"):
        return 16 * SYMBOL_SIZE
    return dim.dim_value or (2 * SYMBOL_SIZE if " + " in dim.dim_param else SYMBOL_SIZE)


def random_feeds(model, seed=1):
    rng = np.random.Generator(np.random.PCG64(seed))
    feeds, given = {}, RUN_OPTIONS.get(model.graph.name, {}).get("inputs", {})
    for info in model.graph.input:
        kind = info.type.tensor_type
        shape = [size_of(dim) for dim in kind.shape.dim]
        if info.name in given:
            feeds[info.name] = np.broadcast_to(np.array(given[info.name], onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[kind.elem_type]), shape).copy()
        elif kind.elem_type in (TensorProto.FLOAT, TensorProto.FLOAT16):
            feeds[info.name] = rng.standard_normal(shape, dtype=np.float32).astype(onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[kind.elem_type])
        elif kind.elem_type == TensorProto.BOOL:
            feeds[info.name] = np.ones(shape, bool)
        elif info.name == "attention_mask":
            feeds[info.name] = (np.arange(shape[-1]) < max(1, shape[-1] - 5)).astype(np.int64) * np.ones(shape, np.int64)
        else:
            feeds[info.name] = rng.integers(0, 2 if info.name == "token_type_ids" else TOKEN_LIMIT, shape)
    return feeds


def relative_rms(difference, reference):
    return float(np.sqrt(np.mean(np.square(difference)) / np.mean(np.square(reference))))


def rms(array):
    return float(np.sqrt(np.mean(np.square(array, dtype=np.float64))))


def moved_feeds(feeds, size):
    rng = np.random.Generator(np.random.PCG64(2))
    noise = {n: rng.standard_normal(a.shape, dtype=np.float32) for n, a in feeds.items() if a.dtype == np.float32}
    return {n: a + np.float32(size) * noise[n] if n in noise else a for n, a in feeds.items()}


def with_all_results(model):
    """A copy of the model in which every result of a node is an output of the graph."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    known = {info.name for info in copy.graph.output}
    for node in copy.graph.node:
        for name in node.output:
            if name and name not in known and node.op_type != "Constant":
                copy.graph.output.append(helper.make_empty_tensor_value_info(name))
    return copy.SerializeToString()


def dead_share(array):
    """Share of channels whose activations are all zero."""
    channels = np.moveaxis(array, 1, 0).reshape(array.shape[1], -1)
    return float((channels == 0).all(axis=1).mean())


def inspect(runtime, path, model):
    """The outputs, every node's result, and how far the first output moves for a small move of the inputs."""
    feeds = random_feeds(model)
    session = Session(runtime, path, threads=2)
    outputs = session.run(feeds)
    growth = None
    if any(array.dtype == np.float32 for array in feeds.values()):
        name = session.output_names[0]
        moved = session.run(moved_feeds(feeds, 1e-3))
        growth = relative_rms(moved[name] - outputs[name], outputs[name]) / 1e-3
    session.close()

    session = Session(runtime, with_all_results(model), optimise=False, threads=2)
    results = session.run(feeds)
    session.close()
    return outputs, results, growth


def print_report(path, model, outputs, results, growth, show_layers):
    name = os.path.basename(path)
    levels, dead, finite = [], 0.0, True
    for node in model.graph.node:
        array = results.get(node.output[0])
        if array is None or array.dtype != np.float32 or not array.size:
            continue
        finite &= bool(np.isfinite(array).all())
        levels.append(rms(array))
        if node.op_type == "Relu" and array.ndim > 2:
            dead = max(dead, dead_share(array))
        if show_layers:
            print(f"  {node.op_type:20} {rms(array):9.3f} mean {array.mean():9.3f} max {array.max():9.3f}  {node.output[0]}")
    shown = [(key, array) for key, array in outputs.items() if not key.startswith("present")]
    stats = "  ".join(f"{key} rms {rms(a):.3g} min {a.min():.3g} max {a.max():.3g}" for key, a in shown)
    moved = "-" if growth is None else f"{growth:.2f}"
    print(f"{name}: {stats}; layers' rms {min(levels):.3g}..{max(levels):.3g}; dead {dead:.0%}; moved {moved}; finite {finite}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", action="store_true", help="list every float result as well")
    parser.add_argument("models", nargs="+", metavar="MODEL.onnx")
    arguments = parser.parse_args()
    library = find_library()
    if not library:
        sys.exit(f"error: set {LIBRARY_VARIABLE} to the path of libonnxruntime.so")
    runtime = Runtime(library)
    for path in arguments.models:
        model = onnx.load(path)
        print_report(path, model, *inspect(runtime, path, model), arguments.layers)


if __name__ == "__main__":
    main()
