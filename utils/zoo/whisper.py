"""Whisper tiny's decoder as Optimum merges it: one If over `use_cache_branch`, of which one branch takes the prompt and makes all caches, and the other takes the
next tokens and the caches. That one leaves the caches of the encoder's states as they are: its outputs for them are empty.
"""

from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from onnx import TensorProto, helper

from transformer import TransformerNet

TOKENS, PAST = "decoder_sequence_length", "past_decoder_sequence_length"
STATES = "encoder_sequence_length_out"


@dataclass(frozen=True)
class Sizes:
    layers: int = 4
    width: int = 384
    heads: int = 6
    vocabulary: int = 51865
    positions: int = 448
    states: int = 1500

    @property
    def head_width(self):
        return self.width // self.heads


SMALL = Sizes(layers=2, width=64, heads=4, vocabulary=500, positions=64, states=20)


class WhisperNet(TransformerNet):
    def __init__(self, options):
        super().__init__("whisper_decoder_merged", 17, options, norm_epsilon=1e-5)
        self.sizes = options.pick(Sizes(), SMALL)
        self.shared = {}

    def initializer(self, leaf, array):
        """Returns the initializer of the outer graph, which both branches share."""
        name = self.parameter_name(leaf)
        if name not in self.shared:
            self.shared[name] = super().initializer(leaf, array)
        return self.shared[name]

    @contextmanager
    def branch(self, graphs, name):
        """Collects the nodes that are built inside in a graph. Its outputs are set as `branch_outputs`."""
        around, self._nodes = self._nodes, []
        yield
        outputs = [helper.make_tensor_value_info(each, TensorProto.FLOAT, None) for each in self.branch_outputs]
        graphs.append(helper.make_graph(self._nodes, name, [], outputs))
        self._nodes = around

    def heads(self, x):
        sizes = self.sizes
        return self.node("Transpose", [self.reshape(x, [0, -1, sizes.heads, sizes.head_width])], perm=[0, 2, 1, 3])

    def project(self, x, name, has_bias=True):
        width = self.sizes.width
        if has_bias:
            return self.heads(self.linear(x, width, width, name=name))
        with self.scope(name):
            return self.heads(self.node("MatMul", [x, self.matrix(width, width, 1.0)]))

    def mix(self, query, key, value, mask=None):
        scale = self.constant(self.sizes.head_width ** -0.5)
        scores = self.node("MatMul", [self.node("Mul", [query, scale]), self.node("Transpose", [key], perm=[0, 1, 3, 2])])
        scores = scores if mask is None else self.node("Add", [scores, mask])
        mixed = self.node("Transpose", [self.node("MatMul", [self.node("Softmax", [scores], axis=-1), value])], perm=[0, 2, 1, 3])
        return self.linear(self.reshape(mixed, [0, -1, self.sizes.width]), self.sizes.width, self.sizes.width, 0.7, "out_proj")

    def layer(self, x, mask, states, past):
        """Adds a layer. `past` are four caches, two of the decoder and two of the encoder's states; without it, the latter are computed from
        `states`."""
        width = self.sizes.width
        with self.scope("self_attn"):
            y = self.layer_norm(x, width, "layer_norm")
            query, key, value = self.project(y, "q_proj"), self.project(y, "k_proj", has_bias=False), self.project(y, "v_proj")
            if past:
                key, value = (self.node("Concat", [before, new], axis=2) for before, new in zip(past[:2], (key, value)))
            x = self.node("Add", [x, self.mix(query, key, value, mask)])
        with self.scope("encoder_attn"):
            query = self.project(self.layer_norm(x, width, "layer_norm"), "q_proj")
            if past:
                others = past[2:]
            else:
                others = [self.project(states, "k_proj", has_bias=False), self.project(states, "v_proj")]
            x = self.node("Add", [x, self.mix(query, *others)])
        y = self.gelu(self.linear(self.layer_norm(x, width, "final_layer_norm"), width, 4 * width, name="fc1"))
        x = self.node("Add", [x, self.linear(y, 4 * width, width, 0.6, "fc2")])
        if past:
            empty = np.zeros((0, self.sizes.heads, 1, self.sizes.head_width), np.float32)
            others = [self.constant(empty), self.constant(empty)]
        return x, [key, value, *others]

    def causal_mask(self, tokens, first):
        """Returns a mask that is 0 for tokens that may be attended to and the lowest number for others. Rows are the new tokens, columns are all
        tokens."""
        last = self.node("Add", [first, tokens])
        places = [self.node("Range", [start, last, self.constant(1, np.int64)]) for start in (first, self.constant(0, np.int64))]
        rows, columns = (self.node("Unsqueeze", [place, self.constant([axis], np.int64)]) for place, axis in zip(places, (1, 0)))
        later = self.node("Greater", [columns, rows])
        return self.node("Where", [later, self.constant(np.finfo(np.float32).min), self.constant(0.0)]), places[0]

    def decode(self, input_ids, states, pasts):
        sizes, presents = self.sizes, []
        with self.scope("decoder"):
            words = self.normal_initializer("embed_tokens.weight", (sizes.vocabulary, sizes.width), 1.5 / np.sqrt(sizes.width))
            places = self.normal_initializer("embed_positions.weight", (sizes.positions, sizes.width), 0.03)
            first = self.dimension(pasts[0][0], 2) if pasts else self.constant(0, np.int64)
            mask, numbers = self.causal_mask(self.dimension(input_ids, 1), first)
            x = self.node("Add", [self.node("Gather", [words, input_ids]), self.node("Gather", [places, numbers])])
            for index in range(sizes.layers):
                with self.scope(f"layers.{index}"):
                    x, present = self.layer(x, mask, states, pasts[index] if pasts else None)
                    presents += present
            x = self.layer_norm(x, sizes.width, "layer_norm")
        logits = self.node("MatMul", [x, self.node("Transpose", [words], perm=[1, 0])])
        self.branch_outputs = [self.node("Identity", [each]) for each in (logits, *presents)]


def whisper_decoder_merged(options):
    net = WhisperNet(options)
    sizes, batch = net.sizes, options.batch
    input_ids = net.token_input("input_ids", TOKENS)
    states = net.input("encoder_hidden_states", (batch, sizes.states, sizes.width))
    parts = [(kind, part) for kind in ("decoder", "encoder") for part in ("key", "value")]
    lengths = {"decoder": PAST, "encoder": STATES}
    pasts = [[net.input(f"past_key_values.{layer}.{kind}.{part}", (batch, sizes.heads, lengths[kind], sizes.head_width)) for kind, part in parts]
             for layer in range(sizes.layers)]
    condition = net.input("use_cache_branch", (1,), TensorProto.BOOL)
    graphs = []
    for name, given in (("no_past", None), ("with_past", pasts)):
        with net.branch(graphs, name), net.scope(name):
            # Parameters have the same names as outside of the branches.
            net._scopes, scopes = [], net._scopes
            net.decode(input_ids, states, given)
            net._scopes = scopes
    results = net.node("If", [condition], outputs=1 + 4 * sizes.layers, then_branch=graphs[1], else_branch=graphs[0])
    net.output(results[0], "logits", (batch, TOKENS, sizes.vocabulary))
    for index, result in enumerate(results[1:]):
        kind, part = parts[index % 4]
        shape = (f"{kind}_batch", sizes.heads, f"present_{kind}_length", sizes.head_width)
        net.output(result, f"present.{index // 4}.{kind}.{part}", shape)
    return net
