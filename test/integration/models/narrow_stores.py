#!/usr/bin/env python3
"""Results that are stored narrower than they were computed: their numbers, and the bytes before and behind each output.

usage: narrow_stores.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Every cast to fewer bits, comparisons and quantised numbers, of sizes that leave one lane and more of each vector; and casts behind transposes, sums and
products, which are also run on two threads. Exits 77 (skipped) without the onnx module.
"""

import ctypes
import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify

import numpy as np
from onnx import TensorProto, helper

TYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16, "float64": TensorProto.DOUBLE, "int8": TensorProto.INT8,
         "int16": TensorProto.INT16, "int32": TensorProto.INT32, "int64": TensorProto.INT64, "uint8": TensorProto.UINT8,
         "uint16": TensorProto.UINT16, "uint32": TensorProto.UINT32, "uint64": TensorProto.UINT64, "bool": TensorProto.BOOL}
SIZES = [1, 2, 3, 5, 8, 9, 16, 17, 25, 33, 49, 65, 97, 129]
GUARD = 256  # bytes
FILL = 0xA5


def value(name, kind, shape):
    return helper.make_tensor_value_info(name, TYPES[kind], shape)


def casts(size):
    """All casts in one model; each output has its own memory."""
    inputs, nodes, outputs, arrays = [], [], [], {}
    random = np.random.default_rng(size)
    for kind in ("int64", "uint64", "int32", "int16", "float64", "float32"):
        arrays[kind] = random.integers(0, 100, size).astype(kind)
        inputs.append(value(kind, kind, [size]))
        for to in TYPES:
            if np.dtype(to).itemsize < np.dtype(kind).itemsize:
                nodes.append(helper.make_node("Cast", [kind], [f"{kind}_{to}"], to=TYPES[to]))
                outputs.append(value(f"{kind}_{to}", to, [size]))
    for name, operator, further in (("less", "Less", ["int64", "zero"]), ("odd", "IsNaN", ["float64"])):
        nodes.append(helper.make_node(operator, further, [name]))
        outputs.append(value(name, "bool", [size]))
    nodes.append(helper.make_node("QuantizeLinear", ["float32", "scale", "point"], ["quantised"]))
    outputs.append(value("quantised", "uint8", [size]))
    constants = {"zero": np.int64(50), "scale": np.float32(0.5), "point": np.uint8(3)}
    return nodes, inputs, outputs, constants, arrays


def behind_transposes():
    nodes = [helper.make_node("Transpose", ["x"], ["t"]), helper.make_node("Cast", ["t"], ["y"], to=TYPES["int32"]),
             helper.make_node("Cast", ["t"], ["z"], to=TYPES["int8"])]
    arrays = {"x": np.random.default_rng(1).integers(-100, 100, (9, 200))}
    return nodes, [value("x", "int64", [9, 200])], [value("y", "int32", [200, 9]), value("z", "int8", [200, 9])], {}, arrays


def behind_sums():
    nodes = [helper.make_node("ReduceSum", ["x", "axes"], ["s"], keepdims=0), helper.make_node("Cast", ["s"], ["y"], to=TYPES["int32"]),
             helper.make_node("Cast", ["s"], ["z"], to=TYPES["uint16"])]
    arrays = {"x": np.random.default_rng(2).integers(0, 100, (200, 5, 9))}
    return nodes, [value("x", "int64", [200, 5, 9])], [value("y", "int32", [200, 9]), value("z", "uint16", [200, 9])], {"axes": np.array([1])}, arrays


def behind_products(kind, to):
    nodes = [helper.make_node("MatMul", ["x", "w"], ["p"]), helper.make_node("Cast", ["p"], ["y"], to=TYPES[to])]
    random = np.random.default_rng(3)
    arrays = {"x": random.integers(-3, 4, (1000, 7)).astype(kind)}
    return nodes, [value("x", kind, [1000, 7])], [value("y", to, [1000, 25])], {"w": random.integers(-3, 4, (7, 25)).astype(kind)}, arrays


def models():
    for size in SIZES:
        yield f"casts of {size}", casts(size)
    yield "casts behind transposes", behind_transposes()
    yield "casts behind sums", behind_sums()
    for kind, to in (("int64", "int32"), ("int64", "int8"), ("int32", "int8"), ("float64", "float32"), ("float32", "float16"), ("float32", "int8")):
        yield f"product of {kind} as {to}", behind_products(kind, to)


class Description(ctypes.Structure):
    """cameo_model_description of abi.h."""
    _fields_ = [("versions", ctypes.c_uint32 * 2), ("pointers", ctypes.c_void_p * 7), ("counts", ctypes.c_uint32 * 7),
                ("weights", ctypes.c_uint64 * 2), ("shared_inputs", ctypes.c_void_p), ("derived_size", ctypes.c_void_p),
                ("workspace_size", ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)),
                ("run", ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 5))]


def addresses(arrays):
    return (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])


def broken_guards(library, stem, inputs, outputs, arrays):
    """Returns the names of outputs around which a run wrote."""
    description = Description.in_dll(ctypes.CDLL(str(library)), f"{stem}_description")
    sizes = [int(np.prod([dim.dim_value for dim in output.type.tensor_type.shape.dim])) for output in outputs]
    kinds = {number: kind for kind, number in TYPES.items()}
    bytes_of = [size * np.dtype(kinds[output.type.tensor_type.elem_type]).itemsize for size, output in zip(sizes, outputs)]
    memory = [np.full(GUARD + count + GUARD, FILL, np.uint8) for count in bytes_of]
    workspace = np.zeros(description.workspace_size(None) + 64, np.uint8)
    status = description.run(addresses([np.ascontiguousarray(arrays[each.name]) for each in inputs]), addresses([each[GUARD:] for each in memory]), None,
                             workspace.ctypes.data + -workspace.ctypes.data % 64, None)
    if status != 0:
        return f"status {status}"
    wrong = [output.name for output, each, count in zip(outputs, memory, bytes_of)
             if (each[:GUARD] != FILL).any() or (each[GUARD + count:] != FILL).any()]
    return f"bytes beside {', '.join(wrong)} were written" if wrong else None


def cases(tools, work):
    for number, (name, (nodes, inputs, outputs, constants, arrays)) in enumerate(models()):
        model, folder = work / f"narrow{number}.onnx", work / f"inputs{number}"
        save_model(model, nodes, inputs, outputs, constants, opset=19)
        folder.mkdir(exist_ok=True)
        for each, array in arrays.items():
            np.save(folder / f"{each}.npy", array)
        for processor in processors():
            library = work / f"narrow{number}_{processor}.so"
            yield f"{name} {processor}", (build(tools, model, library, f"--cpu={processor}") or
                                          broken_guards(library, f"narrow{number}", inputs, outputs, arrays) or
                                          verify(tools, model, library, f"--inputs={folder}", "--threads=2"))


if __name__ == "__main__":
    judge_all(cases)
