#!/usr/bin/env python3
"""Products with weights of a few bits that DequantizeLinear has in blocks, as ai.onnx writes them: they stay packed, and agree with the naive path and ONNX Runtime.

usage: packed_weights.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, verify_against

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

RANDOM = np.random.default_rng(31)
DEPTH, COLUMNS = 512, 384
# ONNX's numbers of types, some newer than the installed module, and their bits.
TYPES = {"u4": (21, 4), "i4": (22, 4), "u8": (2, 8), "i8": (3, 8)}


def packed(name, shape, kind):
    """Returns a tensor of random numbers, several per byte, the first one in the lowest bits."""
    number, bits = TYPES[kind]
    size = int(np.prod(shape)) * bits // 8
    return TensorProto(name=name, dims=shape, data_type=number, raw_data=RANDOM.integers(0, 256, size).astype(np.uint8).tobytes())


def make_model(path, kind, *, block, columns_first, has_zeros, rows, gemm=False):
    shape, axis = ([COLUMNS, DEPTH], 1) if columns_first else ([DEPTH, COLUMNS], 0)
    blocks = list(shape)
    blocks[axis] //= block
    scales = (RANDOM.random(blocks) * 0.1 + 0.01).astype(np.float32)
    weights = [packed("w", shape, kind), numpy_helper.from_array(scales, "s"), *([packed("z", blocks, kind)] if has_zeros else [])]
    nodes = [helper.make_node("DequantizeLinear", [tensor.name for tensor in weights], ["real"], axis=axis, block_size=block)]
    if gemm:
        weights.append(numpy_helper.from_array(RANDOM.standard_normal(COLUMNS).astype(np.float32), "b"))
        nodes.append(helper.make_node("Gemm", ["x", "real", "b"], ["y"], transB=int(columns_first)))
    else:
        if columns_first:
            nodes.append(helper.make_node("Transpose", ["real"], ["turned"], perm=[1, 0]))
        nodes.append(helper.make_node("MatMul", ["x", "turned" if columns_first else "real"], ["y"]))
    value = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, path.stem, [value("x", TensorProto.FLOAT, [rows, DEPTH])], [value("y", TensorProto.FLOAT, [rows, COLUMNS])], weights)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), path)


def judge(tools, work, kind, **options):
    model, library = work / "packed.onnx", work / "packed.so"
    make_model(model, kind, **options)
    wrong = build(tools, model, library)
    if wrong:
        return wrong
    limit = DEPTH * COLUMNS * (TYPES[kind][1] + 2) / 8 + 64 * 1024
    if (size := library.with_suffix(".o").stat().st_size) > limit:
        return f"expected an object of at most {limit:.0f} bytes, got {size}"
    return verify_against(["naive", "onnxruntime"], tools, model, library, *(["--dim=n=5"] if options["rows"] == "n" else []))


def cases(tools, work):
    for kind in TYPES:
        for columns_first in (False, True):
            for has_zeros in (False, True):
                options = {"block": 32, "columns_first": columns_first, "has_zeros": has_zeros, "rows": 1 if has_zeros else 7}
                yield f"{kind} {options}", judge(tools, work, kind, **options)
    for options in ({"block": 64, "columns_first": True, "has_zeros": False, "rows": "n"}, {"block": 16, "columns_first": True, "has_zeros": True, "rows": 3, "gemm": True},
                    {"block": 128, "columns_first": False, "has_zeros": True, "rows": 3, "gemm": True}):
        yield f"{options}", judge(tools, work, "u4", **options)


if __name__ == "__main__":
    judge_all(cases)
