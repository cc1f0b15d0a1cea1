"""Layers of convolution networks as exporters write them, with weights, biases and statistics that fit their input.

One class serves 1-D and 2-D networks: the rank follows from the input. A BatchNormalization stays a node of its own or is
folded into the convolution, as the network asks; both come from the same random numbers.
"""

from math import prod

import numpy as np

from graph_builder import GraphBuilder
from spread import Spread, concatenate

NORM_EPSILON = 1e-5

# Mean of the values handed to activations, in their standard deviations. At zero, half of every ReLU's inputs is cut off and a
# deep network amplifies small differences with each layer; this much keeps rounding errors from growing to visible size.
LIFT = 0.3


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def per_axis(value, rank):
    return [value] * rank if isinstance(value, int) else list(value)


class ConvNet(GraphBuilder):
    def __init__(self, name, opset, options, keep_norm=False, norm_epsilon=NORM_EPSILON):
        super().__init__(name, opset, options)
        self.keep_norm = keep_norm
        self.norm_epsilon = norm_epsilon

    def image(self, name, channels, *size, dims=None):
        """Adds an input of images; `dims` are its sizes in the file, names of symbolic dimensions, if these are not `size`."""
        shape = (self.options.batch, channels, *size)
        image = self.input(name, (self.options.batch, channels, *(dims or size)), spread=Spread.standard(channels))
        return self.value(image.name, shape, image.spread)

    def image_channels_last(self, name, channels, *size):
        x = self.input(name, (self.options.batch, *size, channels), spread=Spread.standard(channels))
        rank = len(size)
        first = self.node("Transpose", [x], perm=[0, rank + 1, *range(1, rank + 1)])
        return self.value(first, (self.options.batch, channels, *size), x.spread)

    # Weights

    def _filter(self, x, out_channels, kernel, groups, gain=1.0):
        """Returns random filters, and the spread of their results before any bias."""
        in_group = x.channels // groups
        taps = prod(kernel)
        std = gain / np.sqrt(in_group * taps * x.spread.variance.mean())
        weight = self.normal("weight", (out_channels, in_group, *kernel), std)
        # Trained filters differ in strength; without this, quantisation per channel would be no better than per tensor.
        strength = np.exp(0.2 * self.random("strength").standard_normal(out_channels)).astype(np.float32)
        weight *= strength.reshape(-1, *[1] * (weight.ndim - 1))
        grouped = weight.reshape(groups, out_channels // groups, in_group, taps)
        mean = np.einsum("goit,gi->go", grouped, x.spread.mean.reshape(groups, in_group))
        variance = np.einsum("goit,goit,gi->go", grouped, grouped, x.spread.variance.reshape(groups, in_group))
        return weight, Spread(mean.reshape(-1), np.sqrt(variance).reshape(-1))

    def _centring_bias(self, spread, gain):
        """Returns a bias that removes the mean of the filters' results for a one-sided input, so that results depend on the input."""
        return gain * (LIFT + 0.2 * self.random("bias").standard_normal(len(spread.mean))) - spread.mean

    def _norm_parameters(self, spread, gain):
        """Returns scale, shift and running statistics of a BatchNorm that has seen values of roughly this spread."""
        count = len(spread.mean)
        scale = gain * (1.0 + 0.15 * self.random("norm.weight").standard_normal(count)).clip(0.5, 1.5)
        shift = gain * (LIFT + 0.2 * self.random("norm.bias").standard_normal(count))
        mean = spread.mean + 0.1 * spread.std * self.random("norm.running_mean").standard_normal(count)
        variance = spread.variance * self.random("norm.running_var").uniform(0.8, 1.25, count)
        return [array.astype(np.float32) for array in (scale, shift, mean, variance)]

    def _after_norm(self, spread, parameters):
        scale, shift, mean, variance = (array.astype(np.float64) for array in parameters)
        factor = scale / np.sqrt(variance + self.norm_epsilon)
        return factor, shift - mean * factor, spread.affine(factor, shift - mean * factor)

    # Convolutions

    def _conv_node(self, x, inputs, kernel, stride, padding, dilation, groups):
        rank = len(kernel)
        stride, dilation = per_axis(stride, rank), per_axis(dilation, rank)
        padding = per_axis(padding, rank)
        pads = padding if len(padding) == 2 * rank else padding * 2
        out = self.node("Conv", [x] + inputs, dilations=dilation, group=groups, kernel_shape=kernel, pads=pads, strides=stride)
        size = [
            (x.shape[2 + i] + pads[i] + pads[rank + i] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1
            for i in range(rank)
        ]
        return out, size

    def conv(self, x, out_channels, kernel=1, stride=1, padding=0, dilation=1, groups=1, gain=1.0, name="conv"):
        """Adds a convolution with bias, for networks without norms."""
        kernel = per_axis(kernel, len(x.shape) - 2)
        with self.scope(name):
            weight, spread = self._filter(x, out_channels, kernel, groups, gain)
            shift = self._centring_bias(spread, gain)
            inputs = [self.initializer("weight", weight), self.initializer("bias", shift.astype(np.float32))]
            out, size = self._conv_node(x, inputs, kernel, stride, padding, dilation, groups)
        return self.value(out, (x.shape[0], out_channels, *size), spread.affine(1.0, shift))

    def conv_plain(self, x, out_channels, kernel=1, stride=1, padding=0, name="conv"):
        """Adds a convolution without bias and norm, for networks that normalise later."""
        kernel = per_axis(kernel, len(x.shape) - 2)
        with self.scope(name):
            weight, spread = self._filter(x, out_channels, kernel, 1)
            out, size = self._conv_node(x, [self.initializer("weight", weight)], kernel, stride, padding, 1, 1)
        return self.value(out, (x.shape[0], out_channels, *size), spread)

    def conv_norm(
        self, x, out_channels, kernel=1, stride=1, padding=0, dilation=1, groups=1, gain=1.0, name="conv", norm="bn"
    ):
        """Adds a convolution without bias, and its BatchNorm, which is kept or folded."""
        kernel = per_axis(kernel, len(x.shape) - 2)
        with self.scope(name):
            weight, spread = self._filter(x, out_channels, kernel, groups)
            parameters = self._norm_parameters(spread, gain)
            factor, shift, after = self._after_norm(spread, parameters)
            inputs = []
            if not self.keep_norm:
                weight *= factor.astype(np.float32).reshape(-1, *[1] * (weight.ndim - 1))
                inputs = [self.initializer("bias", shift.astype(np.float32))]
            inputs.insert(0, self.initializer("weight", weight))
            out, size = self._conv_node(x, inputs, kernel, stride, padding, dilation, groups)
        shape = (x.shape[0], out_channels, *size)
        if self.keep_norm:
            out = self._norm_node(out, parameters, norm)
        return self.value(out, shape, after)

    def conv_transpose(self, x, out_channels, kernel, stride, name):
        """Adds a transposed convolution with bias. Each input element writes its own block of outputs."""
        kernel = per_axis(kernel, len(x.shape) - 2)
        with self.scope(name):
            std = 1.0 / np.sqrt(x.channels * x.spread.variance.mean())
            weight = self.normal("weight", (x.channels, out_channels, *kernel), std)
            taps = weight.reshape(x.channels, out_channels, -1).astype(np.float64)
            mean = np.einsum("iot,i->o", taps, x.spread.mean) / taps.shape[2]
            variance = np.einsum("iot,iot,i->o", taps, taps, x.spread.variance) / taps.shape[2]
            inputs = [self.initializer("weight", weight), self.initializer("bias", (-mean).astype(np.float32))]
            rank = len(kernel)
            out = self.node(
                "ConvTranspose", [x] + inputs, dilations=[1] * rank, group=1, kernel_shape=kernel, pads=[0] * 2 * rank,
                strides=per_axis(stride, rank),
            )
        size = [length * step for length, step in zip(x.shape[2:], per_axis(stride, rank))]
        return self.value(out, (x.shape[0], out_channels, *size), Spread(0.0 * mean, np.sqrt(variance)))

    # Normalisation and activation

    def _norm_node(self, x, parameters, name):
        with self.scope(name):
            names = ("weight", "bias", "running_mean", "running_var")
            inputs = [self.initializer(leaf, array) for leaf, array in zip(names, parameters)]
            attributes = {"epsilon": self.norm_epsilon, "momentum": 0.9}
            if self.opset >= 14:
                attributes["training_mode"] = 0
            return self.node("BatchNormalization", [x] + inputs, **attributes)

    def norm(self, x, name="bn"):
        """Adds a BatchNorm without a convolution before it."""
        with self.scope(name):
            parameters = self._norm_parameters(x.spread, 1.0)
        _, _, after = self._after_norm(x.spread, parameters)
        return self.value(self._norm_node(x, parameters, name), x.shape, after)

    def relu(self, x):
        return self.value(self.node("Relu", [x]), x.shape, x.spread.map(lambda v: np.maximum(v, 0.0)))

    def relu6(self, x):
        limits = [self.constant(0.0), self.constant(6.0)]
        return self.value(self.node("Clip", [x] + limits), x.shape, x.spread.map(lambda v: v.clip(0.0, 6.0)))

    def sigmoid(self, x):
        return self.value(self.node("Sigmoid", [x]), x.shape, x.spread.map(sigmoid))

    def silu(self, x):
        gate = self.node("Sigmoid", [x])
        return self.value(self.node("Mul", [x, gate]), x.shape, x.spread.map(lambda v: v * sigmoid(v)))

    def hard_swish(self, x):
        spread = x.spread.map(lambda v: v * (v / 6.0 + 0.5).clip(0.0, 1.0))
        return self.value(self.node("HardSwish", [x]), x.shape, spread)

    # Joining

    def add(self, x, y):
        return self.value(self.node("Add", [x, y]), x.shape, x.spread.plus(y.spread))

    def multiply(self, x, gate):
        return self.value(self.node("Mul", [x, gate]), x.shape, x.spread.times(gate.spread))

    def concat(self, values):
        shape = (values[0].shape[0], sum(v.channels for v in values), *values[0].shape[2:])
        return self.value(self.node("Concat", values, axis=1), shape, concatenate([v.spread for v in values]))

    def identity(self, x):
        return self.value(self.node("Identity", [x]), x.shape, x.spread)

    def dropout(self, x):
        """Adds a Dropout in its inference form, which exporters keep on request. It is an identity."""
        inputs = [x, self.constant(0.5), self.constant(False, np.bool_)]
        return self.value(self.node("Dropout", inputs), x.shape, x.spread)

    # Pooling

    def _pool(self, op_type, x, kernel, stride, padding, ceil_mode, spread, **attributes):
        rank = len(x.shape) - 2
        out = self.node(
            op_type, [x], ceil_mode=int(ceil_mode), kernel_shape=[kernel] * rank, pads=[padding] * 2 * rank,
            strides=[stride] * rank, **attributes,
        )
        up = stride - 1 if ceil_mode else 0
        size = [(length + 2 * padding - kernel + up) // stride + 1 for length in x.shape[2:]]
        return self.value(out, (*x.shape[:2], *size), spread)

    def max_pool(self, x, kernel, stride, padding=0, ceil_mode=False):
        spread = x.spread.maximum_of(kernel ** (len(x.shape) - 2))
        return self._pool("MaxPool", x, kernel, stride, padding, ceil_mode, spread)

    def average_pool(self, x, kernel, stride, padding=0):
        spread = x.spread.average_of(kernel ** (len(x.shape) - 2))
        return self._pool("AveragePool", x, kernel, stride, padding, False, spread, count_include_pad=1)

    def global_average_pool(self, x):
        shape = (*x.shape[:2], *[1] * (len(x.shape) - 2))
        return self.value(self.node("GlobalAveragePool", [x]), shape, x.spread.average_of(prod(x.shape[2:])))

    def reduce_mean(self, x, keep=True):
        """Adds global average pooling as exporters write a mean over the spatial dimensions."""
        rank = len(x.shape) - 2
        shape = (*x.shape[:2], *[1] * rank) if keep else x.shape[:2]
        out = self.node("ReduceMean", [x], axes=list(range(2, 2 + rank)), keepdims=int(keep))
        return self.value(out, shape, x.spread.average_of(prod(x.shape[2:])))

    # Heads

    def squeeze(self, x):
        """Removes the spatial dimensions, which have size 1."""
        axes = self.constant(list(range(2, len(x.shape))), np.int64)
        return self.value(self.node("Squeeze", [x, axes]), x.shape[:2], x.spread)

    def flatten(self, x):
        positions = prod(x.shape[2:])
        spread = Spread(np.repeat(x.spread.mean, positions), np.repeat(x.spread.std, positions))
        return self.value(self.node("Flatten", [x], axis=1), (x.shape[0], x.channels * positions), spread)

    def _linear_parameters(self, x, out_features, gain):
        weight, spread = self._filter(x, out_features, [], 1, gain)
        shift = self._centring_bias(spread, gain)
        return weight, shift.astype(np.float32), spread.affine(1.0, shift)

    def linear(self, x, out_features, gain=1.0, name="fc"):
        """Adds a fully connected layer as Gemm. The weight is stored output-major, as in PyTorch."""
        with self.scope(name):
            weight, shift, spread = self._linear_parameters(x, out_features, gain)
            inputs = [self.initializer("weight", weight), self.initializer("bias", shift)]
            out = self.node("Gemm", [x] + inputs, alpha=1.0, beta=1.0, transA=0, transB=1)
        return self.value(out, (x.shape[0], out_features), spread)

    def linear_by_matmul(self, x, out_features, gain=1.0, name="fc"):
        """Adds a fully connected layer as MatMul and Add. The weight is stored input-major, as in TensorFlow."""
        with self.scope(name):
            weight, shift, spread = self._linear_parameters(x, out_features, gain)
            product = self.node("MatMul", [x, self.initializer("kernel", weight.T)])
            out = self.node("Add", [product, self.initializer("bias", shift)])
        return self.value(out, (x.shape[0], out_features), spread)
