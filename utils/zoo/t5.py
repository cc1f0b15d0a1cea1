"""T5's encoder (small, version 1.1) as PyTorch's exporter writes it: the bias of relative positions is found in the graph, scores are not scaled, a gated GELU, all lengths symbolic."""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from transformer import TransformerNet

TOKENS = "encoder_sequence_length"
LOWEST = np.finfo(np.float32).min


@dataclass(frozen=True)
class Sizes:
    layers: int = 8
    width: int = 512
    heads: int = 6
    head_width: int = 64
    inner: int = 1024
    vocabulary: int = 32128
    buckets: int = 32
    farthest: int = 128


SMALL = Sizes(layers=2, width=64, heads=4, head_width=16, inner=96, vocabulary=500, buckets=8, farthest=20)


class T5Net(TransformerNet):
    def __init__(self, options):
        super().__init__("t5_encoder", 17, options, norm_epsilon=1e-6)
        self.sizes = options.pick(Sizes(), SMALL)

    def rms_norm(self, x, name):
        with self.scope(name):
            square = self.node("ReduceMean", [self.node("Pow", [x, self.constant(2.0)])], axes=[-1])
            root = self.node("Sqrt", [self.node("Add", [square, self.constant(self.norm_epsilon)])])
            normal = self.node("Mul", [x, self.node("Div", [self.constant(1.0), root])])
            return self.node("Mul", [self.normal_initializer("weight", (self.sizes.width,), 0.1, mean=1.0), normal])

    def project(self, x, inputs, outputs, gain, name):
        with self.scope(name):
            return self.node("MatMul", [x, self.matrix(inputs, outputs, gain)])

    def position_bias(self, ids):
        """Returns the bias of shape (1, heads, queries, keys). Short distances have a bucket each; long ones share buckets by their logarithm."""
        sizes = self.sizes
        half, exact = sizes.buckets // 2, sizes.buckets // 4
        length = self.dimension(ids, 1)
        places = self.node("Range", [self.constant(0, np.int64), length, self.constant(1, np.int64)])
        distance = self.node("Sub", [self.node("Unsqueeze", [places, self.constant([0], np.int64)]), self.node("Unsqueeze", [places, self.constant([1], np.int64)])])
        behind = self.node("Cast", [self.node("Greater", [distance, self.constant(0, np.int64)])], to=TensorProto.INT64)
        side = self.node("Mul", [behind, self.constant(half, np.int64)])
        distance = self.node("Abs", [distance])
        ratio = self.node("Div", [self.node("Cast", [distance], to=TensorProto.FLOAT), self.constant(float(exact))])
        growth = self.node("Div", [self.node("Log", [ratio]), self.constant(np.log(sizes.farthest / exact))])
        far = self.node("Cast", [self.node("Mul", [growth, self.constant(float(half - exact))])], to=TensorProto.INT64)
        far = self.node("Add", [far, self.constant(exact, np.int64)])
        # The exporter writes torch.full_like with the shape of the other operand.
        most = self.node("Expand", [self.constant(half - 1, np.int64), self.node("Shape", [far])])
        far = self.node("Min", [far, most])
        near = self.node("Less", [distance, self.constant(exact, np.int64)])
        bucket = self.node("Add", [side, self.node("Where", [near, distance, far])])
        table = self.normal_initializer("relative_attention_bias.weight", (sizes.buckets, sizes.heads), 1.0)
        bias = self.node("Transpose", [self.node("Gather", [table, bucket])], perm=[2, 0, 1])
        return self.node("Unsqueeze", [bias, self.constant([0], np.int64)])

    def attention(self, x, bias):
        sizes = self.sizes
        joined = sizes.heads * sizes.head_width
        batch = self.dimension(x, 0)
        heads = []
        for name, gain in (("q", sizes.head_width ** -0.5), ("k", 1.0), ("v", 1.0)):
            y = self.reshape_computed(self.project(x, sizes.width, joined, gain, name), [batch, -1, sizes.heads, sizes.head_width])
            heads.append(self.node("Transpose", [y], perm=[0, 2, 1, 3]))
        query, key, value = heads
        scores = self.node("MatMul", [query, self.node("Transpose", [key], perm=[0, 1, 3, 2])])
        weights = self.node("Softmax", [self.node("Add", [scores, bias])], axis=-1)
        mixed = self.node("Transpose", [self.node("MatMul", [weights, value])], perm=[0, 2, 1, 3])
        return self.project(self.reshape_computed(mixed, [batch, -1, joined]), joined, sizes.width, 0.7, "o")

    def layer(self, x, bias):
        sizes = self.sizes
        with self.scope("layer.0"):
            with self.scope("SelfAttention"):
                y = self.attention(self.rms_norm(x, "layer_norm"), bias)
            x = self.node("Add", [x, y])
        with self.scope("layer.1"):
            y = self.rms_norm(x, "layer_norm")
            gate = self.gelu_by_tanh(self.project(y, sizes.width, sizes.inner, 1.0, "wi_0"))
            y = self.node("Mul", [gate, self.project(y, sizes.width, sizes.inner, 1.0, "wi_1")])
            return self.node("Add", [x, self.project(y, sizes.inner, sizes.width, 1.0, "wo")])


def t5_encoder(options):
    net = T5Net(options)
    sizes = net.sizes
    ids, mask = net.token_input("input_ids", TOKENS), net.token_input("attention_mask", TOKENS)
    with net.scope("encoder"):
        x = net.node("Gather", [net.normal_initializer("embed_tokens.weight", (sizes.vocabulary, sizes.width), 1.0), ids])
        given = net.node("Cast", [net.node("Unsqueeze", [mask, net.constant([1, 2], np.int64)])], to=TensorProto.FLOAT)
        hidden = net.node("Mul", [net.node("Sub", [net.constant(1.0), given]), net.constant(LOWEST)])
        bias = None
        for index in range(sizes.layers):
            with net.scope(f"block.{index}"):
                # The first layer has the table, and all layers use its bias.
                bias = bias or net.node("Add", [net.position_bias(ids), hidden])
                x = net.layer(x, bias)
        x = net.rms_norm(x, "final_layer_norm")
    net.output_named(x, "last_hidden_state", TOKENS, sizes.width)
    return net
