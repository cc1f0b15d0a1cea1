"""A level of Stable Diffusion's U-Net in f16 as PyTorch's exporter writes it: residual blocks under a time's embedding, GroupNorm by InstanceNormalization, a transformer that looks at
the image and at a text, down by a convolution and up by Resize. Norms and the time's angles are computed in f32, as converters leave them.
"""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from graph_builder import Value
from transformer import TransformerNet

@dataclass(frozen=True)
class Sizes:
    width: int = 320
    head_width: int = 40
    text_width: int = 768
    text_length: int = 77
    image: int = 64
    groups: int = 32


SMALL = Sizes(width=32, head_width=8, text_width=24, text_length=7, image=8, groups=8)


class DiffusionNet(TransformerNet):
    def __init__(self, options):
        super().__init__("sd_unet_block", 17, options, norm_epsilon=1e-5)
        self.sizes = options.pick(Sizes(), SMALL)

    # Constants and weights are f16, and so are all values after the casts of the inputs.

    def initializer(self, leaf, array):
        return super().initializer(leaf, array.astype(np.float16))

    def half(self, x):
        return self.node("Cast", [x], to=TensorProto.FLOAT16)

    def number(self, value):
        return self.constant(value, np.float16)

    def in_f32(self, x, make):
        return self.half(make(self.node("Cast", [x], to=TensorProto.FLOAT)))

    def sigmoid_unit(self, x):
        return self.node("Mul", [x, self.node("Sigmoid", [x])])

    def conv(self, x, inputs, outputs, kernel, name, stride=1, gain=1.0):
        with self.scope(name):
            weight = self.normal_initializer("weight", (outputs, inputs, kernel, kernel), gain / np.sqrt(inputs * kernel**2))
            return self.node("Conv", [x, weight, self.bias(outputs)], dilations=[1, 1], group=1, kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4, strides=[stride] * 2)

    def group_norm(self, x, width, name):
        groups = self.sizes.groups
        with self.scope(name):
            y = self.node("Reshape", [x, self.constant([0, groups, -1], np.int64)])
            ones, zeros = self.number(np.ones(groups)), self.number(np.zeros(groups))
            y = self.node("InstanceNormalization", [y, ones, zeros], epsilon=1e-5)
            y = self.node("Reshape", [y, self.node("Shape", [x])])
            weight, bias = (self.normal_initializer(leaf, (width, 1, 1), 0.1, mean) for leaf, mean in (("weight", 1.0), ("bias", 0.0)))
            return self.node("Add", [self.node("Mul", [y, weight]), bias])

    def norm(self, x, width, name):
        """Adds LayerNormalization in f32, with weights of f16."""
        with self.scope(name):
            weights = [self.node("Cast", [self.normal_initializer(leaf, (width,), 0.1, mean)], to=TensorProto.FLOAT) for leaf, mean in (("weight", 1.0), ("bias", 0.0))]
            return self.in_f32(x, lambda y: self.node("LayerNormalization", [y, *weights], axis=-1, epsilon=self.norm_epsilon))

    def embed_time(self, step):
        """Returns the embedding of the time step, of shape (batch, 4 * width)."""
        width = self.sizes.width
        half = width // 2
        frequencies = self.constant(np.exp(-np.log(10000) * np.arange(half) / half).astype(np.float32)[None])
        angles = self.node("Mul", [self.node("Unsqueeze", [self.node("Cast", [step], to=TensorProto.FLOAT), self.constant([1], np.int64)]), frequencies])
        x = self.half(self.node("Concat", [self.node("Cos", [angles]), self.node("Sin", [angles])], axis=-1))
        for name, inputs, gain in (("linear_1", width, 1.4), ("linear_2", 4 * width, 1.4)):
            x = self.sigmoid_unit(x) if name == "linear_2" else x
            with self.scope(name):
                weight = self.matrix(inputs, 4 * width, gain, transposed=True)
                x = self.node("Gemm", [x, weight, self.bias(4 * width)], alpha=1.0, beta=1.0, transB=1)
        return x

    def residual(self, x, time, inputs, outputs, name):
        with self.scope(name):
            y = self.conv(self.sigmoid_unit(self.group_norm(x, inputs, "norm1")), inputs, outputs, 3, "conv1")
            with self.scope("time_emb_proj"):
                weight = self.matrix(4 * self.sizes.width, outputs, 1.0, transposed=True)
                shift = self.node("Gemm", [self.sigmoid_unit(time), weight, self.bias(outputs)], alpha=1.0, beta=1.0, transB=1)
            y = self.node("Add", [y, self.node("Unsqueeze", [self.node("Unsqueeze", [shift, self.constant([2], np.int64)]), self.constant([3], np.int64)])])
            y = self.conv(self.sigmoid_unit(self.group_norm(y, outputs, "norm2")), outputs, outputs, 3, "conv2", gain=0.7)
            x = x if inputs == outputs else self.conv(x, inputs, outputs, 1, "conv_shortcut")
            return self.node("Div", [self.node("Add", [x, y]), self.number(1.0)])

    def attention(self, x, seen, seen_width, width, name):
        head = self.sizes.head_width
        heads, parts = width // head, []
        with self.scope(name):
            for each, inputs, projection in ((x, width, "to_q"), (seen, seen_width, "to_k"), (seen, seen_width, "to_v")):
                with self.scope(projection):
                    y = self.node("MatMul", [each, self.matrix(inputs, width, 1.0)])
                y = self.node("Transpose", [self.reshape(y, [0, -1, heads, head])], perm=[0, 2, 1, 3])
                parts.append(y)
            scale = self.node("Sqrt", [self.number(head ** -0.5)])
            query, key = self.node("Mul", [parts[0], scale]), self.node("Mul", [self.node("Transpose", [parts[1]], perm=[0, 1, 3, 2]), scale])
            weights = self.node("Softmax", [self.node("MatMul", [query, key])], axis=-1)
            mixed = self.node("Transpose", [self.node("MatMul", [weights, parts[2]])], perm=[0, 2, 1, 3])
            return self.linear(self.reshape(mixed, [0, -1, width]), width, width, 0.7, "to_out.0")

    def feed_forward(self, x, width):
        """Adds a gated feed-forward layer: one half of a wide product is multiplied by the GELU of the other, computed with the error function."""
        with self.scope("ff"):
            y = self.linear(x, width, 8 * width, name="net.0.proj")
            value, gate = self.node("Split", [y, self.constant([4 * width, 4 * width], np.int64)], outputs=2, axis=-1)
            error = self.node("Erf", [self.node("Div", [gate, self.number(np.sqrt(2.0))])])
            gate = self.node("Mul", [self.node("Mul", [gate, self.node("Add", [error, self.number(1.0)])]), self.number(0.5)])
            return self.linear(self.node("Mul", [value, gate]), 4 * width, width, name="net.2")

    def transformer(self, x, text, width, name):
        with self.scope(name):
            y = self.conv(self.group_norm(x, width, "norm"), width, width, 1, "proj_in")
            shape = self.node("Shape", [y])
            rows = self.reshape(self.node("Transpose", [y], perm=[0, 2, 3, 1]), [0, -1, width])
            for index, (seen, seen_width) in enumerate(((None, width), (text, self.sizes.text_width))):
                normal = self.norm(rows, width, f"norm{index + 1}")
                rows = self.node("Add", [self.attention(normal, seen or normal, seen_width, width, f"attn{index + 1}"), rows])
            rows = self.node("Add", [self.feed_forward(self.norm(rows, width, "norm3"), width), rows])
            # Restores the original shape of the image.
            batch, height, columns = (self.node("Gather", [shape, self.constant(axis, np.int64)], axis=0) for axis in (0, 2, 3))
            y = self.node("Transpose", [self.reshape_computed(rows, [batch, height, columns, width])], perm=[0, 3, 1, 2])
            return self.node("Add", [self.conv(y, width, width, 1, "proj_out"), x])


def sd_unet_block(options):
    net = DiffusionNet(options)
    sizes = net.sizes
    batch, width = options.batch, sizes.width
    sample = net.input("sample", (batch, 4, sizes.image, sizes.image), TensorProto.FLOAT16)
    step = net.input("timestep", (batch,), TensorProto.INT64)
    text = net.input("encoder_hidden_states", (batch, sizes.text_length, sizes.text_width), TensorProto.FLOAT16)
    with net.scope("time_embedding"):
        time = net.embed_time(step)
    x = net.conv(sample, 4, width, 3, "conv_in")
    x = fine = net.transformer(net.residual(x, time, width, width, "down_blocks.0.resnets.0"), text.name, width, "down_blocks.0.attentions.0")
    x = net.conv(x, width, width, 3, "down_blocks.0.downsamplers.0.conv", stride=2)
    x = net.residual(x, time, width, 2 * width, "mid_block.resnets.0")
    x = net.transformer(x, text.name, 2 * width, "mid_block.attentions.0")
    x = net.node("Resize", [x, "", net.constant([1.0, 1.0, 2.0, 2.0])], mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric")
    x = net.node("Concat", [net.conv(x, 2 * width, width, 3, "up_blocks.0.upsamplers.0.conv"), fine], axis=1)
    x = net.residual(x, time, 2 * width, width, "up_blocks.0.resnets.0")
    x = net.sigmoid_unit(net.group_norm(x, width, "conv_norm_out"))
    net.output(Value(net.conv(x, width, 4, 3, "conv_out"), (batch, 4, sizes.image, sizes.image)), "out_sample", element=TensorProto.FLOAT16)
    return net
