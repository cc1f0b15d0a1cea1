"""Layers of published networks, with random weights that keep the scale of what passes through them."""

import sys

import numpy as np

from results_file import ROOT

sys.path.append(str(ROOT / "utils/zoo"))
from graph_builder import Options
from transformer import TransformerNet

# Scale of results that are added to others, which keeps sums from growing over the blocks.
BRANCH = 0.5


class Net(TransformerNet):
    """Layers that number themselves. Batch normalization is part of the weights of convolutions, as exporters fold it."""

    def __init__(self, name):
        super().__init__(name, 17, Options(), norm_epsilon=1e-5)
        self.layers = 0

    def numbered(self, kind):
        self.layers += 1
        return f"{kind}.{self.layers}"

    def conv_weights(self, inputs, outputs, kernel, gain=1.0):
        with self.scope(self.numbered("conv")):
            return [self.normal_initializer("weight", (outputs, inputs, *kernel), gain / np.sqrt(inputs * np.prod(kernel))), self.bias(outputs)]

    def conv_with(self, x, weights, kernel, stride=1, groups=1, dilation=1, pads=None):
        rank = len(kernel)
        strides = [stride] * rank if isinstance(stride, int) else stride
        pads = [dilation * (each - 1) // 2 for each in kernel] * 2 if pads is None else pads
        return self.node("Conv", [x, *weights], dilations=[dilation] * rank, group=groups, kernel_shape=kernel, pads=pads, strides=strides)

    def conv(self, x, inputs, outputs, kernel, gain=1.0, groups=1, **attributes):
        kernel = [kernel] * 2 if isinstance(kernel, int) else kernel
        return self.conv_with(x, self.conv_weights(inputs // groups, outputs, kernel, gain), kernel, groups=groups, **attributes)

    def relu_conv(self, *arguments, gain=1.4, **attributes):
        return self.node("Relu", [self.conv(*arguments, gain=gain, **attributes)])

    def dense(self, x, inputs, outputs, gain=1.0):
        return self.linear(x, inputs, outputs, gain, self.numbered("dense"))

    def norm(self, x, width):
        return self.layer_norm(x, width, self.numbered("norm"))

    def parameter(self, kind, *shape, std=0.1, mean=0.0):
        return self.normal_initializer(self.numbered(kind), shape, std, mean)

    def add(self, x, y):
        return self.node("Add", [x, y])

    def multiply(self, x, y):
        return self.node("Mul", [x, y])

    def swish(self, x):
        return self.multiply(x, self.node("Sigmoid", [x]))

    def transpose(self, x, *order):
        return self.node("Transpose", [x], perm=order)

    def slice(self, x, axis, begin, end, step=1):
        return self.node("Slice", [x, *(self.constant([each], np.int64) for each in (begin, end, axis, step))])

    def split_heads(self, x, heads, width):
        return self.transpose(self.reshape(x, [0, -1, heads, width // heads]), 0, 2, 1, 3)

    def attend(self, scores, value, width):
        mixed = self.transpose(self.node("MatMul", [self.node("Softmax", [scores], axis=-1), value]), 0, 2, 1, 3)
        return self.dense(self.reshape(mixed, [0, -1, width]), width, width, BRANCH)

    def attention(self, x, width, heads, add_bias=lambda scores: scores):
        """Adds attention with one matrix for queries, keys and values. `add_bias` makes scores of scores."""
        joined = self.reshape(self.dense(x, width, 3 * width), [0, -1, 3, heads, width // heads])
        joined = self.transpose(joined, 2, 0, 3, 1, 4)
        query, key, value = (self.node("Gather", [joined, self.constant(each, np.int64)], axis=0) for each in range(3))
        query = self.multiply(query, self.constant((width // heads) ** -0.5))
        return self.attend(add_bias(self.node("MatMul", [query, self.transpose(key, 0, 1, 3, 2)])), value, width)

    def feed_forward(self, x, width, activation=None):
        return self.dense((activation or self.gelu)(self.dense(x, width, 4 * width)), 4 * width, width, BRANCH)
