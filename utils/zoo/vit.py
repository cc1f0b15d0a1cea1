"""ViT-B/16: patches by convolution, a class token, queries, keys and values from one matrix."""

import numpy as np

from transformer import TransformerNet

PATCH = 16


class VitNet(TransformerNet):
    def __init__(self, options):
        super().__init__("vit_b16", 17, options, norm_epsilon=1e-6)
        self.image_size = options.pick(224, 64)
        self.width, self.heads, self.depth = options.pick((768, 12, 12), (64, 4, 2))
        self.patches = (self.image_size // PATCH) ** 2

    def linear_after(self, x, inputs, outputs, gain, name):
        with self.scope(name):
            product = self.node("MatMul", [x, self.matrix(inputs, outputs, gain)])
            return self.node("Add", [product, self.bias(outputs)])

    def patch_tokens(self, image):
        with self.scope("conv_proj"):
            weight = self.normal_initializer("weight", (self.width, 3, PATCH, PATCH), 1.0 / np.sqrt(3 * PATCH**2))
            x = self.node(
                "Conv", [image, weight, self.bias(self.width)], dilations=[1, 1], group=1, kernel_shape=[PATCH] * 2,
                pads=[0] * 4, strides=[PATCH] * 2,
            )
        batch = self.options.batch
        x = self.reshape(x, [batch if isinstance(batch, int) else 0, self.width, self.patches])
        return self.node("Transpose", [x], perm=[0, 2, 1])

    def with_class_token(self, x):
        token = self.normal_initializer("class_token", (1, 1, self.width), 1.0)
        if isinstance(self.options.batch, int):
            shape = self.constant([self.options.batch, 1, self.width], np.int64)
        else:
            batch = self.as_vector(self.dimension(x, 0))
            shape = self.node("Concat", [batch, self.constant([1, self.width], np.int64)], axis=0)
        return self.node("Concat", [self.node("Expand", [token, shape]), x], axis=1)

    def attention(self, x):
        head_width = self.width // self.heads
        joined = self.linear_after(x, self.width, 3 * self.width, 1.2, "in_proj")
        joined = self.reshape_tokens(joined, 3, self.heads, head_width)
        joined = self.node("Transpose", [joined], perm=[2, 0, 3, 1, 4])
        query, key, value = (self.node("Gather", [joined, self.constant(i, np.int64)], axis=0) for i in range(3))
        query = self.node("Mul", [query, self.constant(head_width**-0.5)])
        key = self.node("Transpose", [key], perm=[0, 1, 3, 2])
        weights = self.node("Softmax", [self.node("MatMul", [query, key])], axis=-1)
        mixed = self.node("Transpose", [self.node("MatMul", [weights, value])], perm=[0, 2, 1, 3])
        return self.linear_after(self.reshape_tokens(mixed, self.width), self.width, self.width, 1.0, "out_proj")

    def layer(self, x):
        with self.scope("self_attention"):
            x = self.node("Add", [x, self.attention(self.layer_norm(x, self.width, "ln_1"))])
        with self.scope("mlp"):
            y = self.layer_norm(x, self.width, "ln_2")
            y = self.gelu(self.linear_after(y, self.width, 4 * self.width, 1.0, "0"))
            return self.node("Add", [x, self.linear_after(y, 4 * self.width, self.width, 0.7, "3")])


def vit_b16(options):
    net = VitNet(options)
    image = net.input("input", (options.batch, 3, net.image_size, net.image_size))
    x = net.with_class_token(net.patch_tokens(image))
    with net.scope("encoder"):
        places = net.normal_initializer("pos_embedding", (1, net.patches + 1, net.width), 0.3)
        x = net.node("Add", [x, places])
        for index in range(net.depth):
            with net.scope(f"layers.{index}"):
                x = net.layer(x)
        x = net.layer_norm(x, net.width, "ln")
    first = net.node("Gather", [x, net.constant(0, np.int64)], axis=1)
    classes = options.pick(1000, 10)
    with net.scope("heads.head"):
        weight = net.matrix(net.width, classes, 1.5, transposed=True)
        logits = net.node("Gemm", [first, weight, net.bias(classes)], alpha=1.0, beta=1.0, transB=1)
    net.output_named(logits, "output", classes)
    return net
