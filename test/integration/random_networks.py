#!/usr/bin/env python3
"""Random networks, compared with the naive path and ONNX Runtime: what no one thought of standing next to each other.

usage: random_networks.py CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER [FIRST COUNT]

Each seed is a graph of convolutions, pools, products, normalisations, reductions, movements and elementwise ops, over planes or sequences, whose values
have one reader, several or none (these are the outputs); every third has names for the sizes of its input that only a run knows. Without FIRST and
COUNT a few seeds that are always the same. Exits 77 (skipped) without the onnx module.
"""

import sys

sys.dont_write_bytecode = True  # this folder may be read-only, and is part of a source tree
from model_library import build, judge_all, processors, save_model, verify_against

import numpy as np
from onnx import TensorProto, helper

DEFAULT_SEEDS = range(1, 41)
MOST_ELEMENTS = 60000


class RandomNetwork:
    """A graph of as many steps as its seed says. `named` are the axes of the input whose size has a name."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.constants, self.shapes, self.readers = [], {}, {}, {}
        self.planes = bool(self.random.random() < 0.7)
        shape = [self.pick(1, 1, 2, 3), self.pick(1, 3, 4, 8, 16, 24, 40), self.pick(5, 7, 8, 12, 17), self.pick(4, 6, 7, 14, 16)]
        self.shape = shape if self.planes else [shape[0], self.pick(3, 5, 12, 16), self.pick(8, 16, 24, 33, 48)]
        self.named = {}
        if seed % 3 == 0:
            free = [0, 2, 3] if self.planes else [0, 1]
            self.named = {axis: f"n{axis}" for axis in free if self.random.random() < 0.6}
        self.shapes["x"], self.readers["x"] = list(self.shape), 0
        for _ in range(self.pick(4, 8, 14, 20)):
            self.step()

    # What steps are made of.

    def pick(self, *choices):
        return choices[self.random.integers(len(choices))]

    def chance(self, share):
        return self.random.random() < share

    def value(self, suits=lambda shape: True):
        """A value whose shape suits, of the last ones rather; None without one."""
        suited = [name for name, shape in self.shapes.items() if suits(shape)]
        if not suited:
            return None
        return suited[-1 - min(int(self.random.exponential(1.5)), len(suited) - 1)]

    def node(self, kind, inputs, shape, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        for each in inputs:
            if each in self.readers:
                self.readers[each] += 1
        self.shapes[name], self.readers[name] = [int(size) for size in shape], 0
        return name

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants[name] = array
        return name

    def ints(self, *numbers):
        return self.constant(np.array(numbers, np.int64))

    def floats(self, *shape, scale=1.0):
        return self.constant((self.random.standard_normal(shape) * scale).astype(np.float32))

    def step(self):
        kinds = [self.conv, self.conv, self.depthwise, self.pool, self.unary, self.unary, self.binary, self.binary, self.broadcast, self.concat,
                 self.product, self.softmax, self.normalise, self.reduce, self.transpose, self.scale_channels]
        if not self.named:
            kinds += [self.crop, self.pad, self.reshape, self.gather, self.resize, self.transposed_conv, self.split, self.shuffle]
        for _ in range(8):
            before = len(self.nodes)
            self.pick(*kinds)()
            if len(self.nodes) > before:
                return

    # Steps; each adds nodes, or none where no value suits.

    def window(self, shape, kernel, strides, pads, dilations, ceil=False):
        rank, sizes = len(kernel), []
        for axis in range(rank):
            room = shape[2 + axis] + pads[axis] + pads[rank + axis] - dilations[axis] * (kernel[axis] - 1) - 1
            if room < 0 or shape[2 + axis] < dilations[axis] * (kernel[axis] - 1) + 1:
                return None
            sizes.append((-(-room // strides[axis]) if ceil else room // strides[axis]) + 1)
        return sizes

    def conv(self, depthwise=False):
        x = self.value(lambda shape: len(shape) == 4 and shape[1] > 1 - depthwise)
        if not x:
            return
        shape = self.shapes[x]
        kernel = [self.pick(1, 1, 2, 3, 3, 5), 0]
        kernel[1] = kernel[0] if self.chance(0.8) else self.pick(1, 3)
        strides, dilations = [self.pick(1, 1, 1, 2)] * 2, [self.pick(1, 1, 1, 2)] * 2
        pads = [self.pick(0, kernel[0] // 2, kernel[0] // 2), self.pick(0, kernel[1] // 2)] * 2
        if self.chance(0.2):
            pads = [self.pick(0, 1, 2) for _ in range(4)]
        sizes = self.window(shape, kernel, strides, pads, dilations)
        if not sizes:
            return
        groups = shape[1] if depthwise else self.pick(1, 1, 1, *[count for count in (2, 3, 4) if shape[1] % count == 0])
        width = groups * (self.pick(1, 1, 2) if depthwise else max(1, self.pick(1, 3, 8, 16, 20, 32, 48) // groups))
        if width > 96:
            return
        weights = self.floats(width, shape[1] // groups, *kernel, scale=(shape[1] // groups * kernel[0] * kernel[1]) ** -0.5)
        bias = [self.floats(width, scale=0.3)] if self.chance(0.6) else []
        y = self.node("Conv", [x, weights, *bias], [shape[0], width, *sizes], kernel_shape=kernel, strides=strides, pads=pads, dilations=dilations,
                      group=groups)
        if self.chance(0.4):
            self.node(self.pick("Relu", "Sigmoid", "HardSwish", "LeakyRelu"), [y], self.shapes[y])

    def depthwise(self):
        self.conv(depthwise=True)

    def transposed_conv(self):
        x = self.value(lambda shape: len(shape) == 4 and np.prod(shape) < 8000)
        if not x:
            return
        shape, kernel, stride = self.shapes[x], self.pick(2, 3, 4), self.pick(1, 2)
        width, pad = self.pick(1, 3, 8, 16), self.pick(0, 1)
        sizes = [stride * (size - 1) + kernel - 2 * pad for size in shape[2:]]
        if min(sizes) > 0:
            self.node("ConvTranspose", [x, self.floats(shape[1], width, kernel, kernel, scale=shape[1] ** -0.5)], [shape[0], width, *sizes],
                      kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4)

    def pool(self):
        x = self.value(lambda shape: len(shape) == 4)
        if not x:
            return
        shape = self.shapes[x]
        if self.chance(0.2):
            self.node(self.pick("GlobalAveragePool", "GlobalMaxPool"), [x], [*shape[:2], 1, 1])
            return
        kernel, stride, pad = [self.pick(2, 3)] * 2, [self.pick(1, 2, 2)] * 2, [self.pick(0, 1)] * 4
        ceil = bool(self.chance(0.3)) and not self.named and pad[0] == 0
        sizes = self.window(shape, kernel, stride, pad, [1, 1], ceil)
        if not sizes:
            return
        attributes = {"count_include_pad": self.pick(0, 1)} if self.chance(0.5) and not ceil else None
        self.node("MaxPool" if attributes is None else "AveragePool", [x], [*shape[:2], *sizes], kernel_shape=kernel, strides=stride, pads=pad,
                  **(attributes or {}), **({"ceil_mode": 1} if ceil else {}))

    def unary(self):
        x = self.value()
        kind, attributes = self.pick(("Relu", {}), ("Sigmoid", {}), ("Tanh", {}), ("LeakyRelu", {"alpha": 0.1}), ("HardSwish", {}), ("Abs", {}), ("Neg", {}),
                                     ("Erf", {}), ("Softplus", {}), ("Elu", {"alpha": 0.7}), ("Identity", {}), ("Sin", {}))
        self.node(kind, [x], self.shapes[x], **attributes)

    def binary(self):
        x = self.value()
        y = self.value(lambda shape: shape == self.shapes[x])
        self.node(self.pick("Add", "Mul", "Sub", "Max", "Min"), [x, y], self.shapes[x])

    def broadcast(self):
        x = self.value(lambda shape: len(shape) >= 2)
        if not x:
            return
        shape = self.shapes[x]
        other = self.pick([], [1], [shape[1], *[1] * (len(shape) - 2)], *([] if self.named else [[shape[-1]]]))
        inputs = [x, self.floats(*other)]
        self.node(self.pick("Add", "Mul", "Sub", "Div"), inputs if self.chance(0.7) else inputs[::-1], shape) if self.chance(0.85) else self.node(
            "PRelu", inputs, shape)
        if self.nodes[-1].op_type == "Div":  # nothing is near zero
            self.nodes[-1].op_type = "Add"

    def scale_channels(self):
        x = self.value(lambda shape: len(shape) == 4 and 1 < shape[1] <= 48)
        if not x:
            return
        shape = self.shapes[x]
        mean = self.node("GlobalAveragePool", [x], [*shape[:2], 1, 1])
        few = self.node("Conv", [mean, self.floats(4, shape[1], 1, 1, scale=0.5)], [shape[0], 4, 1, 1], kernel_shape=[1, 1])
        all_of_them = self.node("Conv", [few, self.floats(shape[1], 4, 1, 1, scale=0.5)], [*shape[:2], 1, 1], kernel_shape=[1, 1])
        self.node("Mul", [x, self.node(self.pick("Sigmoid", "Tanh"), [all_of_them], self.shapes[all_of_them])], shape)

    def concat(self):
        x = self.value()
        shape = self.shapes[x]
        axis = 1 if self.named else int(self.random.integers(len(shape)))
        suits = lambda other: len(other) == len(shape) and all(a == b for i, (a, b) in enumerate(zip(other, shape)) if i != axis)
        parts = [x, *[self.value(suits) for _ in range(self.pick(1, 1, 2))]]
        result = [sum(self.shapes[part][axis] for part in parts) if i == axis else size for i, size in enumerate(shape)]
        if np.prod(result) < MOST_ELEMENTS and (not self.named or len(shape) == 4):
            self.node("Concat", parts, result, axis=axis if self.chance(0.5) else axis - len(shape))

    def product(self):
        x = self.value(lambda shape: len(shape) >= 2 and np.prod(shape[:-1]) < 2000 and (not self.named or len(shape) == 3))
        if not x:
            return
        shape = self.shapes[x]
        if self.named and shape[-1] != self.shape[-1]:
            return
        if len(shape) >= 3 and self.chance(0.3) and shape[-2] < 64:
            flipped = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
            y = self.node("Transpose", [x], [shape[axis] for axis in flipped], perm=flipped)
            scores = self.node("MatMul", [x, y], [*shape[:-1], shape[-2]])
            scores = self.node("Mul", [scores, self.constant(np.float32(shape[-1] ** -0.5))], self.shapes[scores])
            weights = self.node("Softmax", [scores], self.shapes[scores], axis=-1)
            self.node("MatMul", [weights, x], shape)
            return
        width = self.pick(1, 5, 16, 24, 33, 64)
        y = self.node("MatMul", [x, self.floats(shape[-1], width, scale=shape[-1] ** -0.5)], [*shape[:-1], width])
        if self.chance(0.5):
            self.node("Add", [y, self.floats(width)], self.shapes[y])

    def softmax(self):
        x = self.value(lambda shape: len(shape) >= 2)
        if x:
            self.node(self.pick("Softmax", "Softmax", "LogSoftmax"), [x], self.shapes[x], axis=self.pick(-1, 1))

    def normalise(self):
        x = self.value(lambda shape: len(shape) in (3, 4) and min(shape[-1], shape[-2]) > 1)
        if not x:
            return
        shape, channels = self.shapes[x], self.shapes[x][1]
        if len(shape) == 4 and self.chance(0.5):
            numbers = [self.constant((self.random.random(channels) + 0.5).astype(np.float32)) for _ in range(4)]
            self.node("BatchNormalization", [x, *numbers], shape, epsilon=1e-3)
        elif len(shape) == 4 and self.chance(0.5) and shape[2] * shape[3] > 8:
            self.node("InstanceNormalization", [x, self.floats(channels), self.floats(channels)], shape, epsilon=1e-2)
        elif not self.named or (len(shape) == 3 and shape[-1] == self.shape[-1]):
            self.node("LayerNormalization", [x, self.floats(shape[-1]), self.floats(shape[-1])], shape, axis=-1, epsilon=1e-2)

    def reduce(self):
        x = self.value(lambda shape: len(shape) >= 2)
        if not x:
            return
        shape, keeps = self.shapes[x], self.pick(0, 1, 1)
        count = self.pick(1, 1, 2)
        axes = sorted({int(axis) for axis in self.random.integers(1, len(shape), count)})
        kept = [1 if axis in axes else size for axis, size in enumerate(shape) if axis not in axes or keeps]
        self.node(self.pick("ReduceMean", "ReduceMax", "ReduceMin", "ReduceL2"), [x], kept, axes=axes, keepdims=keeps)

    def transpose(self):
        x = self.value(lambda shape: len(shape) >= 2)
        if x and not self.named:
            perm = [int(axis) for axis in self.random.permutation(len(self.shapes[x]))]
            self.node("Transpose", [x], [self.shapes[x][axis] for axis in perm], perm=perm)

    def crop(self):
        x = self.value(lambda shape: max(shape, default=0) > 2)
        shape = list(self.shapes[x]) if x else []
        axes = [axis for axis, size in enumerate(shape) if size > 2 and self.chance(0.5)]
        if not axes:
            return
        starts, ends, steps = [], [], []
        for axis in axes:
            size, step = shape[axis], self.pick(1, 1, 1, 2, -1)
            first, last = sorted(int(place) for place in self.random.choice(size + 1, 2, replace=False))
            starts.append(first if step > 0 else last - 1)
            ends.append(last if step > 0 else (first - 1 if first > 0 else -size - 1))
            steps.append(step)
            shape[axis] = -(-(last - first) // abs(step))
        self.node("Slice", [x, self.ints(*starts), self.ints(*ends), self.ints(*axes), self.ints(*steps)], shape)

    def pad(self):
        x = self.value(lambda shape: len(shape) >= 2 and np.prod(shape) < MOST_ELEMENTS // 4)
        if not x:
            return
        shape, mode = self.shapes[x], self.pick("constant", "constant", "edge", "reflect")
        most = [min(2, size - 1) if mode == "reflect" else 2 for size in shape]
        pads = [int(self.random.integers(limit + 1)) if limit > 0 and self.chance(0.6) else 0 for limit in [*most, *most]]
        padded = [size + pads[axis] + pads[axis + len(shape)] for axis, size in enumerate(shape)]
        self.node("Pad", [x, self.ints(*pads), *([self.constant(np.float32(0.5))] if mode == "constant" and self.chance(0.4) else [])], padded, mode=mode)

    def reshape(self):
        x = self.value(lambda shape: len(shape) >= 2)
        if not x:
            return
        shape = self.shapes[x]
        at = int(self.random.integers(len(shape) - 1))
        merged = [*shape[:at], shape[at] * shape[at + 1], *shape[at + 2:]]
        splits = [count for count in (2, 3, 4, 8) if shape[at] % count == 0]
        if splits and self.chance(0.5) and len(shape) < 6:
            count = self.pick(*splits)
            merged = [*shape[:at], *self.pick([count, shape[at] // count], [shape[at] // count, count]), *shape[at + 1:]]
        self.node("Reshape", [x, self.ints(*merged)], merged)

    def shuffle(self):
        """Channels of groups in turns, as ShuffleNet has them, and pixels as channels."""
        x = self.value(lambda shape: len(shape) == 4 and shape[1] % 4 == 0)
        if not x:
            return
        n, c, h, w = self.shapes[x]
        if self.chance(0.4):
            self.node("DepthToSpace", [x], [n, c // 4, 2 * h, 2 * w], blocksize=2, mode=self.pick("DCR", "CRD"))
            return
        parts = self.node("Reshape", [x, self.ints(n, 4, c // 4, h, w)], [n, 4, c // 4, h, w])
        turned = self.node("Transpose", [parts], [n, c // 4, 4, h, w], perm=[0, 2, 1, 3, 4])
        self.node("Reshape", [turned, self.ints(n, c, h, w)], [n, c, h, w])

    def gather(self):
        x = self.value(lambda shape: len(shape) >= 2)
        if not x:
            return
        shape = self.shapes[x]
        axis = int(self.random.integers(len(shape)))
        places = self.random.integers(-shape[axis], shape[axis], self.pick(1, 3, 6))
        self.node("Gather", [x, self.ints(*places)], [*shape[:axis], len(places), *shape[axis + 1:]], axis=axis)

    def resize(self):
        x = self.value(lambda shape: len(shape) == 4 and np.prod(shape) < MOST_ELEMENTS // 4)
        if not x:
            return
        shape = self.shapes[x]
        sizes = [self.pick(2 * size, size + 1, max(1, size // 2)) for size in shape[2:]]
        self.node("Resize", [x, "", "", self.ints(*shape[:2], *sizes)], [*shape[:2], *sizes], mode=self.pick("nearest", "linear"),
                  coordinate_transformation_mode=self.pick("half_pixel", "asymmetric", "align_corners"), nearest_mode="floor")

    def split(self):
        x = self.value(lambda shape: any(size % 2 == 0 for size in shape))
        if not x:
            return
        shape = self.shapes[x]
        axis = self.pick(*[axis for axis, size in enumerate(shape) if size % 2 == 0])
        half = [size // 2 if place == axis else size for place, size in enumerate(shape)]
        first = self.node("Split", [x], half, axis=axis)
        second = first + "b"
        self.nodes[-1].output.append(second)
        self.shapes[second], self.readers[second] = list(half), 0

    def save(self, path):
        """Writes the model; its outputs are the values that nothing reads."""
        sizes = [self.named.get(axis, size) for axis, size in enumerate(self.shape)]
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name, count in self.readers.items() if count == 0]
        save_model(path, self.nodes, [helper.make_tensor_value_info("x", TensorProto.FLOAT, sizes)], outputs, self.constants, opset=17)


def judge(tools, work, seed):
    model, library = work / f"random-{seed}.onnx", work / f"random-{seed}.so"
    network = RandomNetwork(seed)
    network.save(model)
    sizes = [f"--dim={name}={network.shape[axis]}" for axis, name in network.named.items()]
    processor = processors()[seed % len(processors())]
    # Values near one another cancel, and what is left is an output here.
    wrong = (build(tools, model, library, "--threads=2", f"--cpu={processor}") or
             verify_against(["naive", "onnxruntime"], tools, model, library, "--threads=2", "--atol=1e-6", *sizes))
    if not wrong:
        for path in (model, library, library.with_suffix(".o"), library.with_suffix(".h")):
            path.unlink(missing_ok=True)
    return wrong


def cases(tools, work):
    seeds = range(int(sys.argv[5]), int(sys.argv[5]) + int(sys.argv[6])) if len(sys.argv) > 6 else DEFAULT_SEEDS
    for seed in seeds:
        yield f"seed {seed}", judge(tools, work, seed)


if __name__ == "__main__":
    judge_all(cases)
