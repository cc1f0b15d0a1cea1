"""Inputs of networks that take not all numbers, in files as `cameo --inputs` reads them."""

import shutil

import numpy as np
import onnx


def write_inputs(model, folder, given, sizes):
    """Writes inputs and returns the option that names their folder. `given` holds the numbers of some inputs, one for all elements or one for each;
    other inputs are random. `sizes` are options --dim=NAME=SIZE."""
    random = np.random.default_rng(3)
    named = dict(size.removeprefix("--dim=").rsplit("=", 1) for size in sizes)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for info in onnx.load(str(model)).graph.input:
        tensor = info.type.tensor_type
        kind = np.dtype(onnx.mapping.TENSOR_TYPE_TO_NP_TYPE[tensor.elem_type])
        shape = [int(named[dim.dim_param]) if dim.dim_param else dim.dim_value for dim in tensor.shape.dim]
        if info.name in given:
            array = np.broadcast_to(np.array(given[info.name], kind), shape)
        else:
            array = random.standard_normal(shape).astype(kind) if kind.kind == "f" else random.integers(0, 2, shape).astype(kind)
        np.save(folder / info.name, array)
    return [f"--inputs={folder}"]
