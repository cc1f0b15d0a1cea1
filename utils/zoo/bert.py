"""BERT base, in two dialects of the exporter, and a smaller one for embeddings of sentences.

Operator set 13: LayerNorm decomposed, shapes computed from Shape nodes, positions sliced out of a buffer.
Operator set 17: LayerNormalization as one node, constant shapes, the mask made of the least float.
"""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from transformer import TransformerNet

LEAST_FLOAT = float(np.finfo(np.float32).min)


@dataclass(frozen=True)
class Sizes:
    layers: int = 12
    width: int = 768
    heads: int = 12
    inner: int = 3072
    tokens: object = 128  # a number, or the name of a symbolic dimension
    vocabulary: int = 30522
    positions: int = 512

    @property
    def head_width(self):
        return self.width // self.heads


SMALL = Sizes(layers=2, width=64, heads=4, inner=128, tokens=16, vocabulary=500, positions=32)
MINILM = Sizes(layers=6, width=384, inner=1536, tokens="sequence_length")
MINILM_SMALL = Sizes(layers=2, width=48, heads=3, inner=96, tokens="sequence_length", vocabulary=500, positions=64)


class BertNet(TransformerNet):
    def __init__(self, name, opset, options, sizes, computed_shapes):
        super().__init__(name, opset, options, norm_epsilon=1e-12)
        self.sizes = sizes
        self.computed_shapes = computed_shapes

    def embedding(self, ids, rows, std, leaf):
        with self.scope(leaf):
            table = self.normal_initializer("weight", (rows, self.sizes.width), std)
            return self.node("Gather", [table, ids])

    def position_ids(self, input_ids):
        buffer = self.initializer("position_ids", np.arange(self.sizes.positions, dtype=np.int64)[None])
        end = self.as_vector(self.dimension(input_ids, 1)) if self.computed_shapes else self.constant([self.sizes.tokens], np.int64)
        start, axis, step = (self.constant([number], np.int64) for number in (0, 1, 1))
        return self.node("Slice", [buffer, start, end, axis, step])

    def embeddings(self, input_ids, token_type_ids):
        with self.scope("embeddings"):
            # The word has the largest weight, so that the output depends more on the words than on their positions.
            words = self.embedding(input_ids, self.sizes.vocabulary, 0.05, "word_embeddings")
            types = self.embedding(token_type_ids, 2, 0.01, "token_type_embeddings")
            x = self.node("Add", [words, types])
            places = self.embedding(self.position_ids(input_ids), self.sizes.positions, 0.02, "position_embeddings")
            return self.layer_norm(self.node("Add", [x, places]), self.sizes.width, "LayerNorm")

    def additive_mask(self, attention_mask):
        """Returns a mask that is 0 for tokens that may be attended to and very negative for others, in a shape that broadcasts over heads and
        queries."""
        mask = self.node("Unsqueeze", [attention_mask, self.constant([1], np.int64)])
        mask = self.node("Unsqueeze", [mask, self.constant([2], np.int64)])
        mask = self.node("Cast", [mask], to=TensorProto.FLOAT)
        absent = self.node("Sub", [self.constant(1.0), mask])
        return self.node("Mul", [absent, self.constant(LEAST_FLOAT if self.opset >= 17 else -10000.0)])

    def split_heads(self, x):
        heads, width = self.sizes.heads, self.sizes.head_width
        if self.computed_shapes:
            return self.reshape_computed(x, [self.dimension(x, 0), self.dimension(x, 1), heads, width])
        return self.reshape_tokens(x, heads, width)

    def join_heads(self, x):
        if self.computed_shapes:
            return self.reshape_computed(x, [self.dimension(x, 0), self.dimension(x, 1), self.sizes.width])
        return self.reshape_tokens(x, self.sizes.width)

    def attention(self, x, mask):
        width = self.sizes.width
        with self.scope("self"):
            query = self.linear(x, width, width, 1.3, "query")
            key = self.split_heads(self.linear(x, width, width, 1.3, "key"))
            value = self.split_heads(self.linear(x, width, width, 1.0, "value"))
            query = self.node("Transpose", [self.split_heads(query)], perm=[0, 2, 1, 3])
            value = self.node("Transpose", [value], perm=[0, 2, 1, 3])
            key = self.node("Transpose", [key], perm=[0, 2, 3, 1])
            scores = self.node("MatMul", [query, key])
            scores = self.node("Div", [scores, self.constant(np.sqrt(self.sizes.head_width))])
            weights = self.node("Softmax", [self.node("Add", [scores, mask])], axis=-1)
            mixed = self.node("Transpose", [self.node("MatMul", [weights, value])], perm=[0, 2, 1, 3])
            mixed = self.join_heads(mixed)
        with self.scope("output"):
            out = self.linear(mixed, width, width)
            return self.layer_norm(self.node("Add", [out, x]), width, "LayerNorm")

    def layer(self, x, mask):
        width, inner = self.sizes.width, self.sizes.inner
        with self.scope("attention"):
            x = self.attention(x, mask)
        with self.scope("intermediate"):
            y = self.linear(x, width, inner)
            y = self.gelu(y)
        with self.scope("output"):
            out = self.linear(y, inner, width)
            return self.layer_norm(self.node("Add", [out, x]), width, "LayerNorm")

    def pooler(self, x):
        with self.scope("pooler"):
            first = self.node("Gather", [x, self.constant(0, np.int64)], axis=1)
            with self.scope("dense"):
                weight = self.matrix(self.sizes.width, self.sizes.width, 0.8, transposed=True)
                out = self.node("Gemm", [first, weight, self.bias(self.sizes.width)], alpha=1.0, beta=1.0, transB=1)
            return self.node("Tanh", [out])


def bert(name, opset, options, sizes, computed_shapes):
    net = BertNet(name, opset, options, sizes, computed_shapes)
    tokens, width = net.sizes.tokens, net.sizes.width
    input_ids = net.token_input("input_ids", tokens)
    attention_mask = net.token_input("attention_mask", tokens)
    token_type_ids = net.token_input("token_type_ids", tokens)
    mask = net.additive_mask(attention_mask)
    x = net.embeddings(input_ids, token_type_ids)
    for index in range(net.sizes.layers):
        with net.scope(f"encoder.layer.{index}"):
            x = net.layer(x, mask)
    pooled = net.pooler(x)
    net.output_named(x, "last_hidden_state", tokens, width)
    net.output_named(pooled, "pooler_output", width)
    return net


def bert_base(options):
    return bert("bert_base", 13, options, options.pick(Sizes(), SMALL), computed_shapes=True)


def bert_base_opset17(options):
    return bert("bert_base_opset17", 17, options, options.pick(Sizes(), SMALL), computed_shapes=False)


def minilm(options):
    return bert("minilm", 14, options, options.pick(MINILM, MINILM_SMALL), computed_shapes=True)
