#!/usr/bin/env python3
"""Strided convolutions of few channels, which become convolutions of blocks of pixels, run by the emulator with every access checked, and compared with NumPy in float64.

usage: gpu_strides.py CAMEO EMULATOR WORK_FOLDER

First convolutions of networks, patches, audio, unequal strides and pads, and those that stay as they are.
"""

import itertools
import pathlib
import re
import subprocess
import sys

from emulated import client_for, environment, numpy
from gpu_groups import BOUNDS, Model, numbers

# images, channels, filters; size, window, stride, and pads before and behind, of each axis; element type; the channels of blocks, or none
CONVOLUTIONS = [
    (2, 3, 64, [(32, 7, 2, 3, 3), (24, 7, 2, 3, 3)], "float16", 16),
    (1, 3, 32, [(18, 3, 2, 0, 1), (20, 3, 2, 1, 1)], "float16", 16),
    (2, 3, 40, [(32, 8, 8, 0, 0), (24, 8, 8, 0, 0)], "bfloat16", 192),
    (1, 3, 24, [(20, 5, 2, 2, 2), (18, 3, 1, 1, 1)], "float16", None),
    (3, 4, 48, [(27, 6, 3, 1, 4), (20, 5, 2, 2, 1)], "bfloat16", None),
    (2, 4, 24, [(24, 7, 4, 2, 3), (20, 6, 2, 2, 2)], "float16", 32),
    (2, 2, 24, [(160, 16, 8, 5, 7)], "float16", 16),
    (1, 3, 24, [(21, 7, 2, 3, 3), (24, 7, 2, 3, 3)], "float16", None),
    (1, 1, 24, [(80, 10, 5, 0, 0)], "float16", None),
    (2, 8, 24, [(20, 3, 2, 1, 1), (20, 3, 2, 1, 1)], "float16", None),
]
ARCHITECTURES = ["sm_80", "sm_90a", "sm_120"]
MODES = [("forward", "late"), ("backward", "early")]


def make_convolution(path, shape):
    images, channels, filters, axes, kind, _ = shape
    generator = numpy.random.default_rng(filters + axes[0][0])
    x, w = numbers(generator, (images, channels, *(axis[0] for axis in axes))), numbers(generator, (filters, channels, *(axis[1] for axis in axes)))
    bias = numbers(generator, (filters,))
    model = Model(kind)
    result = model.add("Conv", model.operand("x", x, False), model.operand("w", w, True), model.operand("b", bias, True), pads=[axis[3] for axis in axes] + [axis[4] for axis in axes],
                       strides=[axis[2] for axis in axes])
    model.save(path, model.add("Relu", result))
    padded = numpy.pad(x, [(0, 0), (0, 0), *(axis[3:] for axis in axes)])
    sizes = [(size + before + behind - window) // stride + 1 for size, window, stride, before, behind in axes]
    expected = numpy.zeros((images, filters, *sizes))
    for place in itertools.product(*(range(size) for size in sizes)):
        seen = padded[(slice(None), slice(None), *(slice(at * axis[2], at * axis[2] + axis[1]) for at, axis in zip(place, axes)))]
        every = list(range(1, 2 + len(axes)))
        expected[(slice(None), slice(None), *place)] = numpy.tensordot(seen, w, (every, every))
    return model.inputs, numpy.maximum(expected + bias.reshape(1, -1, *(1 for _ in axes)), 0)


def main():
    cameo, emulator, work = client_for(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    failed = 0
    for number, shape in enumerate(CONVOLUTIONS):
        folder = work / str(number)
        (folder / "in").mkdir(parents=True, exist_ok=True)
        inputs, want = make_convolution(folder / "net.onnx", shape)
        for name, array in inputs.items():
            numpy.save(folder / "in" / f"{name}.npy", array)
        for place, architecture in enumerate(ARCHITECTURES):
            tasks = subprocess.run([cameo, "compile", folder / "net.onnx", f"--gpu={architecture}", "--emit=linalg", "-o", "-"], check=True, text=True, stdout=subprocess.PIPE).stdout
            weights = {int(channels) for channels in re.findall(rf"task.def @\w*conv\w*\(.*tensor<{shape[2]}x(\d+)x[\dx]*b?f16>", tasks)}
            is_meant = weights == {shape[5] or shape[1]}
            subprocess.run([cameo, "compile", folder / "net.onnx", f"--gpu={architecture}", "--gpu-code=host", "--emit=lib", "-o", folder / "net.so"], check=True)
            order, copies = MODES[(number + place) % len(MODES)]
            subprocess.run([cameo, "run", folder / "net.so", "--inputs", folder / "in", "--output-dir", folder / "out"], check=True, stdout=subprocess.DEVNULL,
                           env=environment(emulator, CAMEO_EMULATOR_CHECK="on", CAMEO_EMULATOR_ORDER=order, CAMEO_EMULATOR_COPIES=copies))
            got = numpy.load(folder / "out" / "y.npy").astype(numpy.float64)
            error = numpy.abs(got - want).max() / numpy.abs(want).max()
            is_good = bool(error <= BOUNDS[shape[4]] and is_meant)
            print(f"{shape} {architecture} {order} {copies}: {error:.3g}{'' if is_good else ': WRONG'}{'' if is_meant else f', channels {weights}'}", flush=True)
            failed += not is_good
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
