#!/usr/bin/env python3
"""Products and convolutions that four warps of an sm_90a multiply together, run by the emulator with every access checked, and compared with NumPy in float64.

usage: gpu_groups.py CAMEO EMULATOR WORK_FOLDER

Edges that tiles do not divide, operands stored either way, constants, batches, sums that blocks divide, strides, and what is computed behind a product. Where NVIDIA's assembler is installed, it takes the kernels, too.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from emulated import client_for, environment, numpy, onnx
from onnx import TensorProto, helper, numpy_helper

TYPES = {"float16": TensorProto.FLOAT16, "bfloat16": TensorProto.BFLOAT16}
BOUNDS = {"float16": 2e-3, "bfloat16": 1.5e-2}  # of the largest result
# batch, rows, columns, depth; whether the left and the right operand are turned around, whether the right one is a constant; element type; rows, columns and steps of a block, stages, and how many blocks
# divide a sum
PRODUCTS = [
    (1, 200, 136, 328, "", "", False, "float16", 64, 64, 64, 4, 1),
    (1, 136, 264, 200, "", "", True, "float16", 128, 256, 64, 3, 1),
    (1, 136, 192, 136, "", "turned", False, "float16", 64, 128, 32, 4, 1),
    (1, 128, 72, 264, "turned", "", False, "bfloat16", 128, 32, 64, 4, 1),
    (1, 136, 72, 328, "", "turned", False, "float16", 64, 64, 128, 3, 1),
    (1, 192, 40, 136, "turned", "turned", False, "float16", 64, 16, 16, 3, 1),
    (3, 72, 72, 160, "", "", False, "float16", 64, 64, 64, 3, 1),
    (1, 64, 136, 512, "", "", True, "bfloat16", 64, 128, 64, 4, 2),
    (1, 500, 136, 264, "", "", True, "float16", 256, 128, 64, 4, 1),
]


def forms():
    """Returns products for all columns and steps of a block that rules choose and three stages of which fit, with both orders of each operand."""
    shared = 227 * 1024
    sizes = [(columns, steps) for columns in (16, 32, 64, 128, 256) for steps in (16, 32, 64, 128) if 3 * 2 * steps * (64 + columns) <= shared]
    for number, (columns, steps) in enumerate(sizes):
        for right in ("", "turned"):
            left = "turned" if (number % 2 == 0) == (right == "") else ""
            yield 1, 72, columns + 8, 2 * steps + 8, left, right, False, "bfloat16" if number % 3 == 0 else "float16", 64, columns, steps, 3, 1


# images, side, channels, filters, window, stride; the same of a block, whose rows are 4 x 16 pixels
CONVOLUTIONS = [(1, 18, 64, 72, 3, 1, 64, 64, 4), (2, 14, 128, 136, 1, 2, 128, 64, 3), (2, 9, 32, 40, 3, 2, 32, 32, 4)]
# Results are scaled and shifted by vectors of float32 along the columns, which a block has in shared memory; the second one is not constant.
SCALED = [(1, 136, 264, 328, "", "", True, "float16", 64, 128, 64, 4, 1), (1, 72, 130, 256, "", "turned", False, "bfloat16", 64, 64, 64, 4, 1), (1, 64, 256, 512, "", "", True, "float16", 64, 256, 64, 3, 2)]
KIND = 5  # of wgmma, in the nests that cameo prints
MODES = [("forward", "late"), ("backward", "early")]
# Without a record: rules choose such products, too.
RULED_PRODUCT = (1, 1024, 256, 64, "", "", True, "float16")
RULED_CONVOLUTION = (1, 56, 64, 128, 3, 2)


def numbers(generator, shape):
    """Returns numbers that both types have."""
    return numpy.round(generator.standard_normal(shape) * 16).clip(-120, 120) / 64


class Model:
    """Inputs and outputs are float32; the product is of `kind`."""

    def __init__(self, kind):
        self.kind, self.nodes, self.inputs, self.constants = kind, [], {}, []

    def add(self, operation, *operands, **attributes):
        self.nodes.append(helper.make_node(operation, list(operands), [f"t{len(self.nodes)}"], **attributes))
        return self.nodes[-1].output[0]

    def operand(self, name, array, is_constant):
        if is_constant:
            self.constants.append(numpy_helper.from_array(array.astype(numpy.float32), name))
        else:
            self.inputs[name] = array.astype(numpy.float32)
        return self.add("Cast", name, to=TYPES[self.kind])

    def save(self, path, result):
        self.nodes.append(helper.make_node("Cast", [result], ["y"], to=TensorProto.FLOAT))
        graph = helper.make_graph(self.nodes, "product", [helper.make_tensor_value_info(name, TensorProto.FLOAT, array.shape) for name, array in self.inputs.items()],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], self.constants)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def make_product(path, shape):
    batch, rows, columns, depth, left, right, is_constant, kind, *_ = shape
    generator = numpy.random.default_rng(rows + depth)
    outer = (batch,) if batch > 1 else ()
    a, b = numbers(generator, (*outer, rows, depth)), numbers(generator, (*outer, depth, columns))
    bias = numbers(generator, (columns,))
    model = Model(kind)
    swap = lambda array: numpy.swapaxes(array, -1, -2)
    turn = lambda name: model.add("Transpose", name, perm=[*range(len(outer)), len(outer) + 1, len(outer)])
    x = model.operand("x", swap(a) if left else a, False)
    w = model.operand("w", swap(b) if right else b, is_constant)
    product = model.add("MatMul", turn(x) if left else x, turn(w) if right else w)
    result = model.add("Relu", model.add("Add", product, model.operand("bias", bias, True)))
    model.save(path, result)
    return model.inputs, numpy.maximum(a @ b + bias, 0)


def make_scaled(path, shape):
    _, rows, columns, depth, _, right, is_constant, kind, *_ = shape
    generator = numpy.random.default_rng(columns + depth)
    a, b = numbers(generator, (rows, depth)), numbers(generator, (depth, columns))
    scale, shift = numbers(generator, (columns,)), numbers(generator, (columns,))
    model = Model(kind)
    x, w = model.operand("x", a, False), model.operand("w", b.T if right else b, is_constant)
    product = model.add("Cast", model.add("MatMul", x, model.add("Transpose", w, perm=[1, 0]) if right else w), to=TensorProto.FLOAT)
    model.constants.append(numpy_helper.from_array(scale.astype(numpy.float32), "scale"))
    model.inputs["shift"] = shift.astype(numpy.float32)
    model.save(path, model.add("Relu", model.add("Add", model.add("Mul", product, "scale"), "shift")))
    return model.inputs, numpy.maximum(a @ b * scale + shift, 0)


def make_convolution(path, shape):
    images, side, channels, filters, window, stride, *_ = shape
    generator = numpy.random.default_rng(side + filters)
    x, w = numbers(generator, (images, channels, side, side)), numbers(generator, (filters, channels, window, window))
    model = Model("float16")
    pad = window // 2
    result = model.add("Conv", model.operand("x", x, False), model.operand("w", w, True), pads=[pad] * 4, strides=[stride] * 2)
    model.save(path, result)
    padded = numpy.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    places = range(0, side + 2 * pad - window + 1, stride)
    expected = numpy.zeros((images, filters, len(places), len(places)))
    for row, top in enumerate(places):
        for column, begin in enumerate(places):
            expected[:, :, row, column] = numpy.tensordot(padded[:, :, top:top + window, begin:begin + window], w, ([1, 2, 3], [1, 2, 3]))
    return model.inputs, expected


def steps_of(parallel, depth, columns, stages, is_packed, split=None):
    """Returns the steps of a nest: `parallel` has the points of a block and of a warp along each dimension, `depth` the steps of a fetch along those behind; `split` is the share of a block along the first of
    these."""
    tiles = [(dim, block, "block") for dim, (block, _) in enumerate(parallel)]
    first = len(parallel)
    tiles += [(first, split, "block")] if split else []
    tiles += [(first + dim, size, None) for dim, size in enumerate(depth)]
    tiles += [(dim, warp, "warp") for dim, (block, warp) in enumerate(parallel) if warp < block]
    steps = ["pack<nest = 0, buffer = 1>"] if is_packed else []
    steps += [f"tile<nest = 0, dim = {dim}, size = {size}>" for dim, size, _ in tiles]
    steps += [f"bind<nest = 0, loop = {loop}, to = {to}>" for loop, (_, _, to) in enumerate(tiles) if to]
    steps += [f"cache<nest = 0, buffer = {buffer}, stages = {stages}, copy = async>" for buffer in (0, 1)]
    return [*steps, f"tensor<nest = 0, kind = wgmma, m = 64, n = {columns}, k = 16>"]


def product_steps(shape):
    batch, _, _, depth, *_, rows, columns, steps, stages, splits = shape
    outer = [(1, 1)] if batch > 1 else []
    return steps_of([*outer, (rows, 16), (columns, columns)], [steps], columns, stages, False, depth // splits if splits > 1 else None)


def convolution_steps(shape):
    images, _, _, _, window, _, columns, steps, stages = shape
    # The images of a window of 1 are further rows.
    outer = [(1, 1)] if images > 1 and window > 1 else []
    return steps_of([*outer, (4, 1), (16, 16), (columns, columns)], [steps, *([1, 1] if window > 1 else [])], columns, stages, True)


def write_record(cameo, folder, steps):
    """Writes a record of the task of the product, as if its schedule had been measured."""
    tasks = subprocess.run([cameo, "compile", folder / "product.onnx", "--gpu=sm_90a", "--emit=linalg", "-o", "-"], check=True, text=True, stdout=subprocess.PIPE).stdout
    key, = re.findall(r'task\.def @\w*(?:mat_mul|conv)\w*\(.*key = "(\w+)"', tasks)
    record = {"format": 1, "task": key, "name": "product", "flops": 1, "triple": "nvptx64-nvidia-cuda", "cpu": "sm_90a", "extensions": ["sm_90a"], "threads": 1,
              "schedule": f"#schedule.steps<{', '.join(f'#schedule.{step}' for step in steps)}>", "level": "release", "costs": [1e-3], "round": 0, "seed": 0, "time": "2026-01-01T00:00:00Z",
              "proof": {"reference": "naive", "seed": 1, "max_abs": 0, "max_ulp": 0, "bound": 1}}
    (folder / "record.jsonl").write_text(json.dumps(record) + "\n")


def is_accepted(cameo, folder, options):
    """Whether NVIDIA's assembler takes the kernels without spilled registers, and keeps products under way (it warns of those that it does not with C75 and two digits)."""
    result = subprocess.run([cameo, "compile", folder / "product.onnx", *options, "--gpu-code=binary", "-o", folder / "product.o"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                            env={**os.environ, "CAMEO_CACHE": "off"})
    return result.returncode == 0 and "spills" not in result.stdout and "C75" not in result.stdout


def run_all(cases, marker, gpu="sm_90a"):
    """Runs `cases`, each a function that writes a model, one that returns its steps or None, and the shape that both take, and returns the exit status. `marker` stands in the nests of the kernels that are meant."""
    cameo, emulator, work = client_for(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    failed = 0
    has_ptxas = bool(shutil.which("ptxas")) or os.path.exists("/usr/local/cuda/bin/ptxas")
    for number, (make, steps, shape) in enumerate(cases):
        folder = work / make.__name__ / gpu / str(number)
        (folder / "in").mkdir(parents=True, exist_ok=True)
        inputs, want = make(folder / "product.onnx", shape)
        for name, array in inputs.items():
            numpy.save(folder / "in" / f"{name}.npy", array)
        options = [f"--gpu={gpu}"]
        if steps:
            write_record(cameo, folder, steps(shape))
            options.append(f"--records={folder / 'record.jsonl'}")
        nests = subprocess.run([cameo, "compile", folder / "product.onnx", *options, "--emit=nests", "-o", "-"], check=True, text=True, stdout=subprocess.PIPE).stdout
        is_meant = marker in nests
        subprocess.run([cameo, "compile", folder / "product.onnx", *options, "--gpu-code=host", "--emit=lib", "-o", folder / "product.so"], check=True)
        is_taken = not has_ptxas or is_accepted(cameo, folder, options)
        order, copies = MODES[number % len(MODES)]
        subprocess.run([cameo, "run", folder / "product.so", "--inputs", folder / "in", "--output-dir", folder / "out"], check=True, stdout=subprocess.DEVNULL,
                       env=environment(emulator, CAMEO_EMULATOR_CHECK="on", CAMEO_EMULATOR_ORDER=order, CAMEO_EMULATOR_COPIES=copies))
        got = numpy.load(folder / "out" / "y.npy").astype(numpy.float64)
        error = numpy.abs(got - want).max() / numpy.abs(want).max()
        is_good = bool(error <= BOUNDS["bfloat16" if "bfloat16" in shape else "float16"] and is_meant and is_taken)
        print(f"{shape} {gpu} {order} {copies}: {error:.3g}{'' if is_good else ': WRONG'}{'' if is_meant else ', by other kernels'}{'' if is_taken else ', not as ptxas likes it'}", flush=True)
        failed += not is_good
    return int(failed > 0)


def main():
    cases = [*((make_product, product_steps, shape) for shape in (*PRODUCTS, *forms())), *((make_scaled, product_steps, shape) for shape in SCALED), *((make_convolution, convolution_steps, shape) for shape in CONVOLUTIONS), (make_product, None, RULED_PRODUCT),
             (make_convolution, None, RULED_CONVOLUTION)]
    return run_all(cases, f"tensor = [{KIND}, ")


if __name__ == "__main__":
    sys.exit(main())
