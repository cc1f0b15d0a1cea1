#!/usr/bin/env python3
"""Threads with points along several dimensions, run by the emulator with every access checked, and compared with NumPy.

usage: gpu_points.py CAMEO EMULATOR WORK_FOLDER

Transposes of few channels, with and without padding, of element types of 1 to 8 bytes, and depthwise convolutions of small integers. All results are the same bytes.
"""

import pathlib
import re
import subprocess
import sys

from emulated import client_for, environment, numpy
from onnx import helper, numpy_helper, save

# shape and permutation; elements of padding behind and before each dimension of the result, or none; element type; the points of a thread as the compiler says them
TRANSPOSES = [
    ((2, 3, 224, 224), (0, 2, 3, 1), None, "float16", "8 x 3 points"),
    ((2, 3, 224, 224), (0, 2, 3, 1), None, "float32", "4 x 3 points"),
    ((2, 3, 224, 224), (0, 2, 3, 1), None, "uint8", "8 x 3 points"),
    ((2, 3, 224, 112), (0, 2, 3, 1), None, "int64", "2 x 3 points"),
    ((1, 5, 224, 220), (0, 2, 3, 1), None, "float16", "4 x 5 points"),
    ((1, 6, 321, 321), (0, 2, 3, 1), None, "float16", "6 points"),
    ((2, 3, 100, 2, 100, 2), (0, 2, 4, 1, 3, 5), ((0, 2, 1, 0, 0, 0), (0, 1, 3, 1, 0, 0)), "float16", "2 x 2 x 3 points"),
    ((2, 3, 100, 2, 100, 3), (0, 2, 4, 1, 3, 5), ((0, 1, 0, 0, 0, 0), (0, 0, 1, 1, 0, 0)), "float16", "2 x 3 x 3 points"),
    ((2, 3, 75, 75, 4), (0, 2, 3, 1, 4), ((0, 1, 1, 1, 0), (0, 1, 1, 0, 0)), "uint8", "4 x 3 points"),
]
# images, channels, side, window, stride; element type; the points
CONVOLUTIONS = [
    (3, 64, 64, 3, 1, "float16", "8 x 4 points"),
    (4, 64, 79, 3, 2, "float32", "4 x 4 points"),
    (4, 64, 70, 5, 1, "float16", "8 x 2 points"),
]
ARCHITECTURES = ["sm_80", "sm_90a", "sm_120"]
MODES = [("forward", "late"), ("backward", "early")]


def make_transpose(path, shape, order, pads, kind):
    generator = numpy.random.default_rng(sum(shape))
    x = generator.integers(0, 100, shape).astype(kind)
    proto = numpy_helper.from_array(x).data_type
    nodes, constants = [helper.make_node("Transpose", ["x"], ["turned"], perm=order)], []
    want = numpy.transpose(x, order)
    if pads:
        constants.append(numpy_helper.from_array(numpy.array([*pads[0], *pads[1]], numpy.int64), "pads"))
        nodes.append(helper.make_node("Pad", ["turned", "pads"], ["y"]))
        want = numpy.pad(want, list(zip(*pads)))
    else:
        nodes[0].output[0] = "y"
    graph = helper.make_graph(nodes, "points", [helper.make_tensor_value_info("x", proto, shape)], [helper.make_tensor_value_info("y", proto, want.shape)], constants)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return x, want


def make_convolution(path, images, channels, side, window, stride, kind):
    generator = numpy.random.default_rng(side)
    x, w = generator.integers(0, 8, (images, channels, side, side)).astype(kind), generator.integers(-3, 4, (channels, 1, window, window)).astype(kind)
    out, pad = (side - 1) // stride + 1, window // 2
    padded, want = numpy.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad))), numpy.zeros((images, channels, out, out), kind)
    for row in range(window):
        for column in range(window):
            want += padded[:, :, row:row + side:stride, column:column + side:stride] * w[:, 0, row, column].reshape(-1, 1, 1)
    proto = numpy_helper.from_array(x).data_type
    node = helper.make_node("Conv", ["x", "w"], ["y"], group=channels, pads=[pad] * 4, strides=[stride] * 2)
    graph = helper.make_graph([node], "points", [helper.make_tensor_value_info("x", proto, x.shape)], [helper.make_tensor_value_info("y", proto, want.shape)], [numpy_helper.from_array(w, "w")])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return x, want


def main():
    cameo, emulator, work = client_for(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    failed = 0
    for number, case in enumerate([*TRANSPOSES, *CONVOLUTIONS]):
        folder = work / str(number)
        (folder / "in").mkdir(parents=True, exist_ok=True)
        x, want = (make_convolution if case in CONVOLUTIONS else make_transpose)(folder / "net.onnx", *case[:-1])
        numpy.save(folder / "in" / "x.npy", x)
        for place, architecture in enumerate(ARCHITECTURES):
            tasks = subprocess.run([cameo, "compile", folder / "net.onnx", f"--gpu={architecture}", "--emit=nests", "-o", "-"], check=True, text=True, stdout=subprocess.PIPE).stdout
            is_meant = case[-1] in tasks
            subprocess.run([cameo, "compile", folder / "net.onnx", f"--gpu={architecture}", "--gpu-code=host", "--emit=lib", "-o", folder / "net.so"], check=True)
            order, copies = MODES[(number + place) % len(MODES)]
            subprocess.run([cameo, "run", folder / "net.so", "--inputs", folder / "in", "--output-dir", folder / "out"], check=True, stdout=subprocess.DEVNULL,
                           env=environment(emulator, CAMEO_EMULATOR_CHECK="on", CAMEO_EMULATOR_ORDER=order, CAMEO_EMULATOR_COPIES=copies))
            is_equal = numpy.array_equal(numpy.load(folder / "out" / "y.npy"), want)
            points = "" if is_meant else ", points: " + ", ".join(re.findall('description = "(.*?)"', tasks))
            print(f"{case} {architecture} {order} {copies}: {'equal' if is_equal else 'WRONG'}{points}", flush=True)
            failed += not (is_equal and is_meant)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
