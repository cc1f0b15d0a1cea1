"""Inception v3 as torchvision defines it, with the re-normalisation of the input its pretrained form carries."""

import numpy as np

from conv_net import ConvNet
from spread import concatenate

# Constants of torchvision: mean and deviation per channel that the caller normalised by.
CHANNEL_MEAN, CHANNEL_STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


class InceptionNet(ConvNet):
    def __init__(self, options):
        super().__init__("inception_v3", 15, options, norm_epsilon=1e-3)

    def width(self, channels):
        return self.options.pick(channels, channels // 8)

    def basic(self, x, channels, kernel=1, stride=1, padding=0, name="conv"):
        with self.scope(name):
            return self.relu(self.conv_norm(x, self.width(channels), kernel, stride, padding))

    def chain(self, x, branch, *layers):
        """Adds convolutions one after the other. Each is given as (channels, kernel, stride, padding)."""
        for index, layer in enumerate(layers, start=1):
            x = self.basic(x, *layer, name=f"{branch}_{index}")
        return x

    def renormalise(self, x):
        planes, spreads = [], []
        for channel, (mean, std) in enumerate(zip(CHANNEL_MEAN, CHANNEL_STD)):
            plane = self.node("Gather", [x, self.constant(channel, np.int64)], axis=1)
            plane = self.node("Unsqueeze", [plane, self.constant([1], np.int64)])
            plane = self.node("Mul", [plane, self.constant(std / 0.5)])
            planes.append(self.node("Add", [plane, self.constant((mean - 0.5) / 0.5)]))
            spreads.append(x.spread.channel(channel).affine(std / 0.5, (mean - 0.5) / 0.5))
        return self.value(self.node("Concat", planes, axis=1), x.shape, concatenate(spreads))


def block_a(net, x, pooled):
    return net.concat([
        net.basic(x, 64, name="branch1x1"),
        net.chain(x, "branch5x5", (48, 1), (64, 5, 1, 2)),
        net.chain(x, "branch3x3dbl", (64, 1), (96, 3, 1, 1), (96, 3, 1, 1)),
        net.basic(net.average_pool(x, 3, 1, 1), pooled, name="branch_pool"),
    ])


def block_b(net, x):
    return net.concat([
        net.basic(x, 384, 3, 2, name="branch3x3"),
        net.chain(x, "branch3x3dbl", (64, 1), (96, 3, 1, 1), (96, 3, 2)),
        net.max_pool(x, 3, 2),
    ])


def block_c(net, x, c):
    row, column = ([1, 7], 1, [0, 3]), ([7, 1], 1, [3, 0])
    return net.concat([
        net.basic(x, 192, name="branch1x1"),
        net.chain(x, "branch7x7", (c, 1), (c, *row), (192, *column)),
        net.chain(x, "branch7x7dbl", (c, 1), (c, *column), (c, *row), (c, *column), (192, *row)),
        net.basic(net.average_pool(x, 3, 1, 1), 192, name="branch_pool"),
    ])


def block_d(net, x):
    row, column = ([1, 7], 1, [0, 3]), ([7, 1], 1, [3, 0])
    return net.concat([
        net.chain(x, "branch3x3", (192, 1), (320, 3, 2)),
        net.chain(x, "branch7x7x3", (192, 1), (192, *row), (192, *column), (192, 3, 2)),
        net.max_pool(x, 3, 2),
    ])


def block_e(net, x):
    def fork(y, branch):
        left = net.basic(y, 384, [1, 3], 1, [0, 1], name=f"{branch}a")
        right = net.basic(y, 384, [3, 1], 1, [1, 0], name=f"{branch}b")
        return net.concat([left, right])

    return net.concat([
        net.basic(x, 320, name="branch1x1"),
        fork(net.basic(x, 384, name="branch3x3_1"), "branch3x3_2"),
        fork(net.chain(x, "branch3x3dbl", (448, 1), (384, 3, 1, 1)), "branch3x3dbl_3"),
        net.basic(net.average_pool(x, 3, 1, 1), 192, name="branch_pool"),
    ])


MIXED = [
    ("5b", block_a, [32]), ("5c", block_a, [64]), ("5d", block_a, [64]), ("6a", block_b, []), ("6b", block_c, [128]),
    ("6c", block_c, [160]), ("6d", block_c, [160]), ("6e", block_c, [192]), ("7a", block_d, []), ("7b", block_e, []),
    ("7c", block_e, []),
]


def inception_v3(options):
    net = InceptionNet(options)
    size = options.pick(299, 107)
    x = net.renormalise(net.image("input", 3, size, size))
    x = net.basic(x, 32, 3, 2, name="Conv2d_1a_3x3")
    x = net.basic(x, 32, 3, name="Conv2d_2a_3x3")
    x = net.basic(x, 64, 3, padding=1, name="Conv2d_2b_3x3")
    x = net.max_pool(x, 3, 2)
    x = net.basic(x, 80, name="Conv2d_3b_1x1")
    x = net.basic(x, 192, 3, name="Conv2d_4a_3x3")
    x = net.max_pool(x, 3, 2)
    for name, block, arguments in MIXED:
        with net.scope(f"Mixed_{name}"):
            x = block(net, x, *arguments)
    x = net.flatten(net.global_average_pool(x))
    net.output(net.linear(x, options.pick(1000, 10)), "output")
    return net
