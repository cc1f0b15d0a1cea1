"""Models that are there: run behind guard pages, on random inputs or those that ONNX's backend tests store."""

import json
import pathlib
import re
import subprocess

import numpy as np
import onnx

from case import Case
from element_types import FLOATS, NAMES, STORAGE, to_storage

RUN_OPTIONS = json.loads((pathlib.Path(__file__).parents[1] / "zoo/run_options.json").read_text())
# Sizes of named dimensions. In each run, all names of a model have the same size, unless the model has run options. Names that are sums, as exporters
# write them, are added up.
SIZES = (3, 1, 8)


class NotTried(Exception):
    """The model cannot be run here; the message is the reason."""


def find_models(paths):
    """Returns model files: those given, those in folders, and those of backend tests (folders with model.onnx)."""
    found = []
    for path in paths:
        found += [path] if path.is_file() else sorted(path.rglob("*.onnx"))
    return found


def run_options(path):
    return RUN_OPTIONS.get(path.stem.removesuffix("_batch"), {})


def size_of(dim, named, sizes):
    if dim.HasField("dim_value"):
        return dim.dim_value
    terms = [term.strip() for term in dim.dim_param.split("+")]
    return sum(int(term) if term.isdigit() else sizes.get(term, named) for term in terms)


def shape_of(info, named, sizes):
    tensor = info.type.tensor_type
    if not tensor.HasField("shape"):
        raise NotTried(f"input '{info.name}' has no rank")
    return [size_of(dim, named, sizes) for dim in tensor.shape.dim]


def random_array(random, type_, shape, largest):
    if type_ == "bool":
        return random.random(shape) < 0.5
    if type_ in FLOATS:
        return to_storage(type_, random.uniform(-1, 1, shape))
    return random.integers(0, largest, shape, endpoint=True).astype(STORAGE[type_][1])


def random_feed(model, path, named):
    random, feed = np.random.default_rng(1), {}
    largest = int(run_options(path).get("largest-integer", 1))
    sizes = {name: int(size) for name, size in (each.split("=") for each in run_options(path).get("dims", []))}
    for info in model.graph.input:
        type_ = NAMES.get(info.type.tensor_type.elem_type) if info.type.HasField("tensor_type") else None
        if type_ is None or type_ == "string":
            raise NotTried(f"input '{info.name}' is no tensor of numbers that NumPy has")
        feed[info.name] = random_array(random, type_, shape_of(info, named, sizes), largest)
    return feed


def stored_feed(model, data_set):
    """Returns the stored inputs of a backend test."""
    from stored_value import Unsupported, read_value
    feed = {}
    for info in model.graph.input:
        source = data_set / f"input_{len(feed)}.pb"
        if not source.exists() or not info.type.HasField("tensor_type"):
            raise NotTried(f"input '{info.name}' is no tensor")
        try:
            (_, tensor), = read_value(source, info).tensors
        except Unsupported as reason:
            raise NotTried(str(reason)) from None
        type_ = NAMES.get(tensor.data_type)
        if type_ is None:
            raise NotTried(f"element type {tensor.data_type}")
        array = onnx.numpy_helper.to_array(tensor) if type_ != "bf16" else np.frombuffer(tensor.raw_data, np.uint16).reshape(tuple(tensor.dims))
        feed[info.name] = np.array([str(each).encode() if not isinstance(each, bytes) else each for each in array.ravel()] + [None], object)[:-1].reshape(array.shape) \
            if type_ == "string" else array
    return feed


def named_by_size(model):
    from backend_test import make_symbolic
    make_symbolic(model)


def drop_given_inputs(graph):
    """Removes inputs that are constants as well, as in models before IR version 4."""
    constants = {tensor.name for tensor in graph.initializer}
    for info in [each for each in graph.input if each.name in constants]:
        graph.input.remove(info)


def given_case(path, open_=False):
    """Returns the model at `path` with inputs for its runs. Its outputs are unknown. With `open_`, the dimensions of a backend test's inputs get
    names."""
    model = onnx.load(str(path))
    drop_given_inputs(model.graph)
    sets = sorted(path.parent.glob("test_data_set_*"))
    if sets:
        feeds = [stored_feed(model, each) for each in sets]
        for info in model.graph.input:
            stated, array = info.type.tensor_type.shape.dim, feeds[0][info.name]
            if len(stated) != array.ndim or any(dim.dim_value not in (0, size) for dim, size in zip(stated, array.shape)):
                raise NotTried(f"input '{info.name}' is not of the stated shape")
        if open_:
            named_by_size(model)
    else:
        named = any(not dim.HasField("dim_value") for info in model.graph.input if info.type.HasField("tensor_type") for dim in info.type.tensor_type.shape.dim)
        feeds = [random_feed(model, path, size) for size in (SIZES if named else SIZES[:1])]
    for info in model.graph.input:  # gives unnamed dynamic sizes a name, and makes all names identifiers
        for axis, dim in enumerate(info.type.tensor_type.shape.dim):
            if not dim.HasField("dim_value"):
                dim.dim_param = re.sub(r"\W", "_", dim.dim_param) or f"{info.name}_{axis}"
    for info in model.graph.output:
        if not info.type.HasField("tensor_type"):
            raise NotTried(f"output '{info.name}' is no tensor")
        if info.type.tensor_type.elem_type not in NAMES:
            raise NotTried(f"output '{info.name}': element type {info.type.tensor_type.elem_type}")
    return Case(model, feeds, {}, str(path))
