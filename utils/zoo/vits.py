"""Speech shaped like VITS (Piper, Kokoro) as PyTorch's exporter writes it, without its noise: an encoder of phonemes, a predictor of how many frames each one takes, which
decides how long all behind it is, a flow of affine couplings, and a generator of waves by transposed convolutions.
"""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from graph_builder import Value
from transformer import TransformerNet

PHONEMES, SAMPLES = "phonemes", "samples"


@dataclass(frozen=True)
class Sizes:
    layers: int = 6
    width: int = 192
    heads: int = 2
    inner: int = 768
    vocabulary: int = 256
    couplings: int = 4
    flow_layers: int = 4
    channels: int = 256
    rates: tuple = (8, 8, 4)


SMALL = Sizes(layers=1, width=16, heads=2, inner=32, vocabulary=500, couplings=2, flow_layers=2, channels=16, rates=(4, 2))
SLOPE = 0.1


class VitsNet(TransformerNet):
    def __init__(self, options):
        super().__init__("vits", 17, options, norm_epsilon=1e-5)
        self.sizes = options.pick(Sizes(), SMALL)

    # Layers over channels, length

    def conv(self, x, inputs, outputs, kernel, name, dilation=1, gain=1.0):
        with self.scope(name):
            weight = self.normal_initializer("weight", (outputs, inputs, kernel), gain / np.sqrt(inputs * kernel))
            padding = dilation * (kernel - 1) // 2
            return self.node("Conv", [x, weight, self.bias(outputs)], dilations=[dilation], group=1, kernel_shape=[kernel], pads=[padding, padding], strides=[1])

    def channel_norm(self, x, width, name):
        """Adds a LayerNorm over the channels, which the exporter moves to the end and back."""
        y = self.layer_norm(self.node("Transpose", [x], perm=[0, 2, 1]), width, name)
        return self.node("Transpose", [y], perm=[0, 2, 1])

    def masked(self, x, mask):
        return self.node("Mul", [x, mask])

    # Phonemes

    def attention(self, x, mask):
        width, heads = self.sizes.width, self.sizes.heads
        batch, length = self.dimension(x, 0), self.dimension(x, 2)
        parts = []
        for name in ("conv_q", "conv_k", "conv_v"):
            y = self.reshape_computed(self.conv(x, width, width, 1, name), [batch, heads, width // heads, length])
            parts.append(self.node("Transpose", [y], perm=[0, 1, 3, 2]))
        query, key, value = parts
        scores = self.node("MatMul", [self.node("Div", [query, self.constant(np.sqrt(width / heads))]), self.node("Transpose", [key], perm=[0, 1, 3, 2])])
        hidden = self.node("Equal", [mask, self.constant(0.0)])
        scores = self.node("Where", [hidden, self.constant(-1e4), scores])
        mixed = self.node("Transpose", [self.node("MatMul", [self.node("Softmax", [scores], axis=-1), value])], perm=[0, 1, 3, 2])
        return self.conv(self.reshape_computed(mixed, [batch, width, length]), width, width, 1, "conv_o", gain=0.7)

    def encode(self, ids, lengths):
        """Returns the channels of phonemes, and a mask that is 1 for valid ones."""
        sizes = self.sizes
        words = self.normal_initializer("emb.weight", (sizes.vocabulary, sizes.width), sizes.width ** -0.5)
        x = self.node("Mul", [self.node("Gather", [words, ids]), self.constant(np.sqrt(sizes.width))])
        x = self.node("Transpose", [x], perm=[0, 2, 1])
        places = self.node("Range", [self.constant(0, np.int64), self.dimension(x, 2), self.constant(1, np.int64)])
        counts = self.node("Less", [self.node("Unsqueeze", [places, self.constant([0], np.int64)]), self.node("Unsqueeze", [lengths, self.constant([1], np.int64)])])
        mask = self.node("Cast", [self.node("Unsqueeze", [counts, self.constant([1], np.int64)])], to=TensorProto.FLOAT)
        pairs = self.node("Mul", [self.node("Unsqueeze", [mask, self.constant([2], np.int64)]), self.node("Unsqueeze", [mask, self.constant([3], np.int64)])])
        x = self.masked(x, mask)
        for index in range(sizes.layers):
            with self.scope(f"encoder.{index}"):
                x = self.channel_norm(self.node("Add", [x, self.attention(x, pairs)]), sizes.width, "norm_1")
                y = self.node("Relu", [self.conv(self.masked(x, mask), sizes.width, sizes.inner, 3, "conv_1")])
                y = self.masked(self.conv(self.masked(y, mask), sizes.inner, sizes.width, 3, "conv_2"), mask)
                x = self.channel_norm(self.node("Add", [x, y]), sizes.width, "norm_2")
        return self.masked(x, mask), mask

    def predict_durations(self, x, mask, length_scale):
        width = self.sizes.width
        with self.scope("dp"):
            y = self.channel_norm(self.node("Relu", [self.conv(self.masked(x, mask), width, width, 3, "conv_1")]), width, "norm_1")
            logarithms = self.masked(self.conv(self.masked(y, mask), width, 1, 1, "proj", gain=0.5), mask)
        frames = self.node("Mul", [self.masked(self.node("Exp", [logarithms]), mask), length_scale])
        return self.node("Ceil", [frames])

    def align(self, durations, mask):
        """Returns a matrix of frames and phonemes that is 1 where a phoneme has a frame, and a mask that is 1 for valid frames."""
        total = self.node("Clip", [self.node("ReduceSum", [durations, self.constant([1, 2], np.int64)], keepdims=0), self.constant(1.0)])
        totals = self.node("Cast", [total], to=TensorProto.INT64)
        longest = self.node("ReduceMax", [totals], keepdims=0)
        self.frame_count = longest
        places = self.node("Range", [self.constant(0, np.int64), longest, self.constant(1, np.int64)])
        counts = self.node("Less", [self.node("Unsqueeze", [places, self.constant([0], np.int64)]), self.node("Unsqueeze", [totals, self.constant([1], np.int64)])])
        frame_mask = self.node("Cast", [self.node("Unsqueeze", [counts, self.constant([1], np.int64)])], to=TensorProto.FLOAT)
        ends = self.node("CumSum", [self.node("Squeeze", [durations, self.constant([1], np.int64)]), self.constant(1, np.int64)])
        before = self.node("Less", [self.node("Cast", [places], to=TensorProto.FLOAT), self.node("Unsqueeze", [ends, self.constant([2], np.int64)])])
        path = self.node("Cast", [before], to=TensorProto.FLOAT)
        # A phoneme has the frames before its end that no earlier phoneme has.
        earlier = self.node("Slice", [path, *[self.constant([number], np.int64) for number in (0, -1, 1)]])
        earlier = self.node("Pad", [earlier, self.constant([0, 1, 0, 0, 0, 0], np.int64), self.constant(0.0)], mode="constant")
        path = self.node("Sub", [path, earlier])
        path = self.masked(self.node("Mul", [path, self.node("Transpose", [mask], perm=[0, 2, 1])]), frame_mask)
        return self.node("Transpose", [path], perm=[0, 2, 1]), frame_mask

    # Frames

    def gated_stack(self, x, mask, width, name):
        """Adds dilated convolutions. One half of their channels gates the other."""
        with self.scope(name):
            total = None
            for index in range(self.sizes.flow_layers):
                y = self.conv(x, width, 2 * width, 5, f"in_layers.{index}")
                opened, gate = self.node("Split", [y, self.constant([width, width], np.int64)], outputs=2, axis=1)
                y = self.node("Mul", [self.node("Tanh", [opened]), self.node("Sigmoid", [gate])])
                y = self.conv(y, width, 2 * width, 1, f"res_skip_layers.{index}")
                residual, skip = self.node("Split", [y, self.constant([width, width], np.int64)], outputs=2, axis=1)
                x = self.masked(self.node("Add", [x, residual]), mask)
                total = skip if total is None else self.node("Add", [total, skip])
            return self.masked(total, mask)

    def unflow(self, x, mask):
        """Inverts the couplings: reverses the channels, then shifts the second half by a function of the first."""
        half = self.sizes.width // 2
        for index in reversed(range(self.sizes.couplings)):
            x = self.node("Slice", [x, *[self.constant([number], np.int64) for number in (-1, np.iinfo(np.int64).min + 1, 1, -1)]])
            first, second = self.node("Split", [x, self.constant([half, half], np.int64)], outputs=2, axis=1)
            with self.scope(f"flow.flows.{2 * index}"):
                y = self.masked(self.conv(first, half, self.sizes.width, 1, "pre"), mask)
                y = self.conv(self.gated_stack(y, mask, self.sizes.width, "enc"), self.sizes.width, half, 1, "post", gain=0.3)
            x = self.node("Concat", [first, self.node("Mul", [self.node("Sub", [second, y]), mask])], axis=1)
        return x

    def generate(self, x):
        sizes = self.sizes
        with self.scope("dec"):
            width = sizes.channels
            x = self.conv(x, sizes.width, width, 7, "conv_pre")
            for index, rate in enumerate(sizes.rates):
                x = self.node("LeakyRelu", [x], alpha=SLOPE)
                with self.scope(f"ups.{index}"):
                    weight = self.normal_initializer("weight", (width, width // 2, 2 * rate), 1 / np.sqrt(2 * width))
                    x = self.node("ConvTranspose", [x, weight, self.bias(width // 2)], dilations=[1], group=1, kernel_shape=[2 * rate], pads=[rate // 2, rate - rate // 2], strides=[rate])
                width //= 2
                blocks = []
                for number, kernel in enumerate((3, 7)):
                    y = x
                    for dilation in (1, 3):
                        with self.scope(f"resblocks.{2 * index + number}.{dilation}"):
                            moved = self.conv(self.node("LeakyRelu", [y], alpha=SLOPE), width, width, kernel, "convs1", dilation, gain=0.7)
                            y = self.node("Add", [y, moved])
                    blocks.append(y)
                x = self.node("Div", [self.node("Add", blocks), self.constant(2.0)])
            x = self.conv(self.node("LeakyRelu", [x], alpha=0.01), width, 1, 7, "conv_post")
            return self.node("Tanh", [x])


def vits(options):
    net = VitsNet(options)
    ids = net.token_input("input", PHONEMES)
    lengths = net.token_input("input_lengths")
    scale = net.input("length_scale", (1,))
    with net.scope("enc_p"):
        x, mask = net.encode(ids, lengths)
        means = net.masked(net.conv(x, net.sizes.width, net.sizes.width, 1, "proj"), mask)
    path, frame_mask = net.align(net.predict_durations(x, mask, scale), mask)
    frames = net.node("Transpose", [net.node("MatMul", [path, net.node("Transpose", [means], perm=[0, 2, 1])])], perm=[0, 2, 1])
    wave = net.generate(net.masked(net.unflow(frames, frame_mask), frame_mask))
    net.output(Value(wave, (options.batch, 1, SAMPLES)), "output")
    net.rename(net.frame_count, "frames")  # the caller states its bound
    return net
