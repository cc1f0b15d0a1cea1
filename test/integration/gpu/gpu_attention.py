#!/usr/bin/env python3
"""Attention of many shapes for a GPU, without scores in memory, run by the emulator with every access checked, and compared with NumPy in float64.

usage: gpu_attention.py CAMEO EMULATOR WORK_FOLDER

Lengths and sizes that tiles do not divide, keys of another number than queries, keys stored either way, batches, masks that are added, rows without any key, and scores that
another operator changes.
"""

import pathlib
import subprocess
import sys

from emulated import client_for, environment, numpy, onnx
from onnx import TensorProto, helper, numpy_helper

# batch, heads, queries, keys, depth, features; the dimension that the mask has numbers for; element type; precision of float32 products (--gpu-math)
SHAPES = [
    (1, 3, 128, 128, 64, 64, "keys", "float32", "f32"),
    (2, 3, 37, 41, 20, 20, "keys", "float32", "f32"),
    (1, 4, 97, 97, 64, 64, None, "float32", "f32"),
    (2, 2, 7, 60, 33, 33, "rows", "float32", "f32"),
    (1, 2, 100, 60, 80, 80, "causal", "float32", "f32"),
    (3, 2, 64, 9, 5, 17, "scores", "float32", "f32"),
    (1, 2, 65, 65, 32, 64, "where", "float32", "f32"),
    (1, 3, 70, 50, 64, 64, "turned", "float32", "f32"),
    (2, 2, 20, 33, 16, 16, "empty", "float32", "f32"),
    (1, 2, 60, 60, 64, 64, "capped", "float32", "f32"),
    (1, 2, 64, 30, 128, 128, "keys", "float32", "f32"),
    (2, 2, 50, 33, 40, 40, "causal", "float16", "f32"),
    # These use the tensor cores.
    (1, 4, 50, 40, 64, 64, "keys", "float16", "f32"),
    (1, 2, 97, 161, 64, 64, "causal", "float16", "f32"),
    (2, 2, 33, 70, 128, 128, "empty", "float16", "f32"),
    (1, 2, 70, 66, 80, 48, "turned", "float16", "f32"),
    (1, 2, 40, 70, 32, 64, "capped", "float16", "f32"),
    (1, 2, 48, 30, 64, 64, None, "bfloat16", "f32"),
    (1, 3, 65, 100, 96, 112, "where", "bfloat16", "f32"),
    (1, 2, 50, 61, 64, 64, "keys", "float32", "tf32"),
    (2, 2, 37, 41, 32, 48, "rows", "float32", "3xtf32"),
    (1, 2, 40, 50, 80, 64, "turned", "float32", "3xtf32"),
    (1, 2, 60, 45, 64, 32, "scores", "float32", "f16"),
    (1, 2, 33, 47, 48, 64, "turned", "float32", "bf16"),
]
TYPES = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16, "bfloat16": TensorProto.BFLOAT16}
BOUNDS = {"float32": 3e-5, "float16": 5e-3, "bfloat16": 4e-2}
MATH_BOUNDS = {"tf32": 3e-3, "f16": 5e-3, "bf16": 4e-2}
# The shapes alternate between both launches and both orders, because each run of the emulator takes seconds.
MODES = [[("dispatch", "forward"), ("persistent", "backward")], [("dispatch", "backward"), ("persistent", "forward")]]
MATRIX_SIDES = 16


def make_inputs(shape):
    batch, heads, queries, keys, depth, features, mask, *_ = shape
    generator = numpy.random.default_rng(queries)
    inputs = {"q": generator.standard_normal((batch, heads, queries, depth)), "k": generator.standard_normal((batch, heads, keys, depth)),
              "v": generator.standard_normal((batch, heads, keys, features))}
    if mask == "turned":
        inputs["k"] = inputs["k"].transpose(0, 1, 3, 2)
    if mask in ("keys", "empty"):
        inputs["mask"] = numpy.where(generator.uniform(size=(batch, 1, 1, keys)) < 0.3, -numpy.inf, 0)
        if mask == "empty":
            inputs["mask"][0] = -numpy.inf
    if mask == "rows":
        inputs["mask"] = generator.standard_normal((1, 1, queries, keys))
    if mask == "scores":
        inputs["mask"] = generator.standard_normal((batch, heads, queries, keys)) * 50
    if mask in ("causal", "where"):
        allowed = numpy.tril(numpy.ones((1, 1, queries, keys), bool))
        inputs["mask"] = allowed if mask == "where" else numpy.where(allowed, 0, -numpy.inf)
    return {name: array if array.dtype == bool else array.astype(numpy.float32) for name, array in inputs.items()}


def make_model(path, shape, inputs):
    """Other types than float32 are cast to from the inputs, and cast back at the end."""
    *_, depth, _, mask, form, _ = shape
    nodes, constants = [], {"scale": 1 / numpy.sqrt(depth), "few": 1.5, "least": -1e9}

    def add(operation, *operands, **attributes):
        nodes.append(helper.make_node(operation, list(operands), [f"t{len(nodes)}"], **attributes))
        return nodes[-1].output[0]

    def cast(name):
        return name if form == "float32" or inputs.get(name, numpy.zeros(())).dtype == bool else add("Cast", name, to=TYPES[form])

    own = {name: cast(name) for name in [*inputs, *constants]}
    turned = own["k"] if mask == "turned" else add("Transpose", own["k"], perm=[0, 1, 3, 2])
    scores = add("Mul", add("MatMul", own["q"], turned), own["scale"])
    if mask == "capped":
        scores = add("Mul", add("Tanh", add("Div", scores, own["few"])), own["few"])
    elif mask == "where":
        scores = add("Where", own["mask"], scores, own["least"])
    elif "mask" in inputs:
        scores = add("Add", scores, own["mask"])
    heads = add("MatMul", add("Softmax", scores, axis=-1), own["v"])
    result = add("Transpose", heads, perm=[0, 2, 1, 3])
    nodes.append(helper.make_node("Cast", [result], ["y"], to=TensorProto.FLOAT))
    kinds = {numpy.dtype(bool): TensorProto.BOOL, numpy.dtype(numpy.float32): TensorProto.FLOAT}
    graph = helper.make_graph(nodes, "attention", [helper.make_tensor_value_info(name, kinds[array.dtype], array.shape) for name, array in inputs.items()],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                              [numpy_helper.from_array(numpy.float32(value), name) for name, value in constants.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def expected(shape, inputs):
    *_, depth, _, mask, _, _ = shape
    wide = {name: array if array.dtype == bool else array.astype(numpy.float64) for name, array in inputs.items()}
    scores = wide["q"] @ (wide["k"] if mask == "turned" else wide["k"].transpose(0, 1, 3, 2)) / numpy.sqrt(depth)
    if mask == "capped":
        scores = numpy.tanh(scores / 1.5) * 1.5
    elif mask == "where":
        scores = numpy.where(wide["mask"], scores, -1e9)
    elif "mask" in wide:
        scores = scores + wide["mask"]
    with numpy.errstate(invalid="ignore"):
        weights = numpy.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True) @ wide["v"]).transpose(0, 2, 1, 3)


def main():
    cameo, emulator, work = client_for(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    failed = 0
    for number, shape in enumerate(SHAPES):
        folder = work / str(number)
        (folder / "in").mkdir(parents=True, exist_ok=True)
        inputs = make_inputs(shape)
        make_model(folder / "attention.onnx", shape, inputs)
        for name, array in inputs.items():
            numpy.save(folder / "in" / f"{name}.npy", array)
        *_, depth, features, _, form, math = shape
        options = ["--gpu=sm_80", f"--gpu-math={math}"]
        nests = subprocess.run([cameo, "compile", folder / "attention.onnx", *options, "--emit=nests", "-o", "-"], check=True, text=True, stdout=subprocess.PIPE).stdout
        hasTensor = (form != "float32" or math != "f32") and depth % MATRIX_SIDES == 0 and features % MATRIX_SIDES == 0
        isOnline = "online = " in nests and ("tensor = " in nests) == hasTensor
        want = expected(shape, inputs)
        for launch, order in MODES[number % len(MODES)]:
            subprocess.run([cameo, "compile", folder / "attention.onnx", *options, "--gpu-code=host", f"--gpu-launch={launch}", "--emit=lib", "-o", folder / "attention.so"], check=True)
            subprocess.run([cameo, "run", folder / "attention.so", "--inputs", folder / "in", "--output-dir", folder / "out"], check=True, stdout=subprocess.DEVNULL,
                           env=environment(emulator, CAMEO_EMULATOR_CHECK="on", CAMEO_EMULATOR_ORDER=order))
            got = numpy.load(folder / "out" / "y.npy").astype(numpy.float64)
            isRight = numpy.isnan(got) == numpy.isnan(want)
            error = numpy.nanmax(numpy.abs(got - want)) / numpy.nanmax(numpy.abs(want))
            isGood = bool(isRight.all() and error <= MATH_BOUNDS.get(math, BOUNDS[form]) and isOnline)
            print(f"{shape} {launch} {order}: {error:.3g}{'' if isGood else ': WRONG'}{'' if isOnline else ', by other kernels'}", flush=True)
            failed += not isGood
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
