"""GPT-2 small, one step of decoding: one new token per sequence, keys and values of the past as inputs.

The length of the past is symbolic. Position and causal mask are computed from it with Shape, Range and Slice, as a traced
model does, and the token table serves the last matrix product too, through a Transpose.
"""

from dataclasses import dataclass

import numpy as np

from graph_builder import Value
from transformer import TransformerNet

PAST = "past_length"
TOTAL = "past_length + 1"
MASKED = float(np.finfo(np.float32).min)


@dataclass(frozen=True)
class Sizes:
    layers: int = 12
    width: int = 768
    heads: int = 12
    vocabulary: int = 50257
    positions: int = 1024

    @property
    def head_width(self):
        return self.width // self.heads


SMALL = Sizes(layers=2, width=64, heads=4, vocabulary=500, positions=64)


class Gpt2Net(TransformerNet):
    def __init__(self, options):
        super().__init__("gpt2_decode", 14, options, norm_epsilon=1e-5)
        self.sizes = options.pick(Sizes(), SMALL)
        self.presents = []

    def past_input(self, layer, part):
        shape = (self.options.batch, self.sizes.heads, PAST, self.sizes.head_width)
        return self.input(f"past_key_values.{layer}.{part}", shape)

    def project(self, x, inputs, outputs, gain, name):
        """Adds the Conv1D of Transformers: a Gemm with tokens as rows, between two reshapes."""
        with self.scope(name):
            batch, tokens = self.dimension(x, 0), self.dimension(x, 1)
            rows = self.reshape(x, [-1, inputs])
            out = self.node("Gemm", [rows, self.matrix(inputs, outputs, gain), self.bias(outputs)], alpha=1.0, beta=1.0)
            return self.reshape_computed(out, [batch, tokens, outputs])

    def positions(self, input_ids, past_key):
        past, new = self.dimension(past_key, 2), self.dimension(input_ids, 1)
        end = self.node("Add", [past, new])
        places = self.node("Range", [past, end, self.constant(1, np.int64)])
        return self.node("Unsqueeze", [places, self.constant([0], np.int64)])

    def slice(self, x, start, end, axis):
        bounds = [self.as_vector(start), self.as_vector(end)]
        return self.node("Slice", [x, *bounds, self.constant([axis], np.int64), self.constant([1], np.int64)])

    def mask_future(self, scores, query, key, causal):
        """Masks scores with the rows of the new tokens and the columns of all tokens so far in the triangular buffer."""
        keys = self.dimension(key, 2)
        first = self.node("Sub", [keys, self.dimension(query, 2)])
        rows = self.slice(causal, first, keys, 2)
        allowed = self.slice(rows, self.constant(0, np.int64), keys, 3)
        return self.node("Where", [allowed, scores, self.constant(MASKED)])

    def split_heads(self, x):
        shape = [self.dimension(x, 0), self.dimension(x, 1), self.sizes.heads, self.sizes.head_width]
        return self.node("Transpose", [self.reshape_computed(x, shape)], perm=[0, 2, 1, 3])

    def attention(self, x, causal, past):
        width = self.sizes.width
        joined = self.project(x, width, 3 * width, 1.0, "c_attn")
        query, key, value = self.node("Split", [joined, self.constant([width] * 3, np.int64)], outputs=3, axis=2)
        query, key, value = (self.split_heads(part) for part in (query, key, value))
        key = self.node("Concat", [past[0], key], axis=-2)
        value = self.node("Concat", [past[1], value], axis=-2)
        self.presents += [key, value]
        scores = self.node("MatMul", [query, self.node("Transpose", [key], perm=[0, 1, 3, 2])])
        scores = self.node("Div", [scores, self.constant(np.sqrt(self.sizes.head_width))])
        weights = self.node("Softmax", [self.mask_future(scores, query, key, causal)], axis=-1)
        mixed = self.node("Transpose", [self.node("MatMul", [weights, value])], perm=[0, 2, 1, 3])
        mixed = self.reshape_computed(mixed, [self.dimension(mixed, 0), self.dimension(mixed, 1), width])
        return self.project(mixed, width, width, 0.7, "c_proj")

    def layer(self, x, causal, past):
        width = self.sizes.width
        with self.scope("attn"):
            y = self.attention(self.layer_norm(x, width, "ln_1"), causal, past)
        x = self.node("Add", [y, x])
        with self.scope("mlp"):
            y = self.project(self.layer_norm(x, width, "ln_2"), width, 4 * width, 1.0, "c_fc")
            y = self.project(self.gelu_by_tanh(y), 4 * width, width, 0.6, "c_proj")
        return self.node("Add", [x, y])


def declare_outputs(net, logits):
    sizes = net.sizes
    net.output_named(logits, "logits", 1, sizes.vocabulary)
    for index, present in enumerate(net.presents):
        name = f"present.{index // 2}.{('key', 'value')[index % 2]}"
        net.output(Value(present, (net.options.batch, sizes.heads, TOTAL, sizes.head_width)), name)


def gpt2_decode(options):
    net = Gpt2Net(options)
    sizes = net.sizes
    input_ids = net.token_input("input_ids", 1)
    pasts = [[net.past_input(layer, part) for part in ("key", "value")] for layer in range(sizes.layers)]
    triangle = np.tril(np.ones((sizes.positions, sizes.positions), dtype=np.bool_))[None, None]
    with net.scope("transformer"):
        causal = net.initializer("attn.bias", triangle)
        words = net.normal_initializer("wte.weight", (sizes.vocabulary, sizes.width), 1.5 / np.sqrt(sizes.width))
        places = net.normal_initializer("wpe.weight", (sizes.positions, sizes.width), 0.03)
        x = net.node("Gather", [words, input_ids])
        x = net.node("Add", [x, net.node("Gather", [places, net.positions(input_ids, pasts[0][0])])])
        for index in range(sizes.layers):
            with net.scope(f"h.{index}"):
                x = net.layer(x, causal, pasts[index])
        x = net.layer_norm(x, sizes.width, "ln_f")
    with net.scope("lm_head"):
        logits = net.node("MatMul", [x, net.node("Transpose", [words], perm=[1, 0])])
    declare_outputs(net, logits)
    return net
