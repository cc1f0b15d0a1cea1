"""A decoder shaped like Gemma 2, but smaller (a quarter of a billion weights), as PyTorch's exporter writes it through Optimum: rotations and masks computed in the graph, scores and logits capped by tanh, every
other layer looks at a window of the last tokens, keys and values repeated for the query heads, caches that grow by a Concat, the embeddings' matrix used twice.
"""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto, numpy_helper

from graph_builder import Value
from transformer import TransformerNet

NEW, PAST = "sequence_length", "past_sequence_length"
LOWEST = np.finfo(np.float32).min


@dataclass(frozen=True)
class Sizes:
    layers: int = 18
    width: int = 640
    heads: int = 4
    shared_heads: int = 2
    head_width: int = 256
    inner: int = 2048
    vocabulary: int = 256000
    window: int = 512
    score_cap: float = 50.0
    logit_cap: float = 30.0


SMALL = Sizes(layers=2, width=64, heads=4, shared_heads=2, head_width=32, inner=96, vocabulary=500, window=4, score_cap=5.0, logit_cap=6.0)


class GemmaNet(TransformerNet):
    def __init__(self, options):
        super().__init__("gemma2", 17, options, norm_epsilon=1e-6)
        self.sizes = options.pick(Sizes(), SMALL)

    def rms_norm(self, x, name):
        """Adds an RMS norm whose weight is stored as the difference from 1."""
        with self.scope(name):
            square = self.node("ReduceMean", [self.node("Pow", [x, self.constant(2.0)])], axes=[-1])
            root = self.node("Sqrt", [self.node("Add", [square, self.constant(self.norm_epsilon)])])
            normal = self.node("Mul", [x, self.node("Div", [self.constant(1.0), root])])
            weight = self.normal_initializer("weight", (self.sizes.width,), 0.1)
            return self.node("Mul", [normal, self.node("Add", [self.constant(1.0), weight])])

    def project(self, x, inputs, outputs, gain, name):
        with self.scope(name):
            return self.node("MatMul", [x, self.matrix(inputs, outputs, gain)])

    def cap(self, x, limit):
        return self.node("Mul", [self.node("Tanh", [self.node("Div", [x, self.constant(limit)])]), self.constant(limit)])

    def rotations(self, positions):
        """Returns cosines and sines of shape (batch, 1, tokens, head width): a column of frequencies times a row of positions."""
        half = self.sizes.head_width // 2
        frequencies = self.constant((10000.0 ** (-np.arange(half) / half)).astype(np.float32).reshape(1, half, 1))
        batch = self.as_vector(self.dimension(positions, 0))
        shape = self.node("Concat", [batch, self.constant([-1], np.int64), self.constant([1], np.int64)], axis=0)
        # Replaces sizes of -1 by 1, because Expand does not accept them.
        unknown = self.node("Equal", [shape, self.constant([-1, -1, -1], np.int64)])
        ones = self.node("ConstantOfShape", [self.node("Shape", [shape])], value=numpy_helper.from_array(np.array([1], np.int64)))
        column = self.node("Expand", [frequencies, self.node("Where", [unknown, ones, shape])])
        row = self.node("Cast", [self.node("Unsqueeze", [positions, self.constant([1], np.int64)])], to=TensorProto.FLOAT)
        angles = self.node("Transpose", [self.node("MatMul", [column, row])], perm=[0, 2, 1])
        angles = self.node("Concat", [angles, angles], axis=-1)
        return [self.node("Unsqueeze", [self.node(each, [angles]), self.constant([1], np.int64)]) for each in ("Cos", "Sin")]

    def part(self, x, begin, end, axis):
        return self.node("Slice", [x, *[self.constant([number], np.int64) for number in (begin, end, axis, 1)]])

    def rotate(self, x, cosines, sines):
        """Applies the rotation. The second half of each head is negated and put before the first."""
        half = self.sizes.head_width // 2
        turned = self.node("Concat", [self.node("Neg", [self.part(x, half, np.iinfo(np.int64).max, 3)]), self.part(x, 0, half, 3)], axis=-1)
        return self.node("Add", [self.node("Mul", [x, cosines]), self.node("Mul", [turned, sines])])

    def repeat(self, x):
        """Repeats each head of keys or values for the query heads that share it."""
        sizes = self.sizes
        batch, length = self.dimension(x, 0), self.dimension(x, 2)
        times = sizes.heads // sizes.shared_heads
        wide = self.node("Unsqueeze", [x, self.constant([2], np.int64)])
        parts = [self.as_vector(batch), *[self.constant([number], np.int64) for number in (sizes.shared_heads, times)], self.as_vector(length), self.constant([sizes.head_width], np.int64)]
        wide = self.node("Expand", [wide, self.node("Concat", parts, axis=0)])
        return self.reshape_computed(wide, [batch, sizes.heads, length, sizes.head_width])

    def masks(self, attention_mask, new, total):
        """Returns two masks, which are 0 for tokens that may be attended to and the lowest number for others: for all earlier tokens, and for those
        in the window."""
        past = self.node("Sub", [total, new])
        one = self.constant(1, np.int64)
        rows = self.node("Unsqueeze", [self.node("Range", [past, total, one]), self.constant([1], np.int64)])
        columns = self.node("Unsqueeze", [self.node("Range", [self.constant(0, np.int64), total, one]), self.constant([0], np.int64)])
        hidden = self.node("Greater", [columns, rows])
        given = self.node("Equal", [self.node("Unsqueeze", [attention_mask, self.constant([1, 2], np.int64)]), self.constant(0, np.int64)])
        far = self.node("LessOrEqual", [columns, self.node("Sub", [rows, self.constant(self.sizes.window, np.int64)])])
        masks = []
        for each in (hidden, self.node("Or", [hidden, far])):
            each = self.node("Or", [self.node("Unsqueeze", [each, self.constant([0, 1], np.int64)]), given])
            masks.append(self.node("Where", [each, self.constant(LOWEST), self.constant(0.0)]))
        return masks

    def attention(self, x, past, mask, rotations):
        sizes = self.sizes
        batch, new = self.dimension(x, 0), self.dimension(x, 1)
        heads = []
        for name, count in (("q_proj", sizes.heads), ("k_proj", sizes.shared_heads), ("v_proj", sizes.shared_heads)):
            y = self.project(x, sizes.width, count * sizes.head_width, 1.0, name)
            y = self.reshape_computed(y, [batch, new, count, sizes.head_width])
            heads.append(self.node("Transpose", [y], perm=[0, 2, 1, 3]))
        query, key = (self.rotate(y, *rotations) for y in heads[:2])
        key, value = (self.node("Concat", [before, y], axis=2) for before, y in zip(past, (key, heads[2])))
        scores = self.node("MatMul", [query, self.node("Transpose", [self.repeat(key)], perm=[0, 1, 3, 2])])
        scores = self.cap(self.node("Mul", [scores, self.constant(sizes.head_width ** -0.5)]), sizes.score_cap)
        weights = self.node("Softmax", [self.node("Add", [scores, mask])], axis=-1)
        mixed = self.node("Transpose", [self.node("MatMul", [weights, self.repeat(value)])], perm=[0, 2, 1, 3])
        mixed = self.reshape_computed(mixed, [batch, new, sizes.heads * sizes.head_width])
        return self.project(mixed, sizes.heads * sizes.head_width, sizes.width, 0.7, "o_proj"), [key, value]

    def layer(self, x, past, mask, rotations):
        sizes = self.sizes
        with self.scope("self_attn"):
            y, present = self.attention(self.rms_norm(x, "input_layernorm"), past, mask, rotations)
            x = self.node("Add", [x, self.rms_norm(y, "post_attention_layernorm")])
        with self.scope("mlp"):
            y = self.rms_norm(x, "pre_feedforward_layernorm")
            gate = self.gelu_by_tanh(self.project(y, sizes.width, sizes.inner, 1.0, "gate_proj"))
            y = self.node("Mul", [gate, self.project(y, sizes.width, sizes.inner, 1.0, "up_proj")])
            y = self.project(y, sizes.inner, sizes.width, 1.0, "down_proj")
            return self.node("Add", [x, self.rms_norm(y, "post_feedforward_layernorm")]), present


def gemma2(options):
    net = GemmaNet(options)
    sizes, batch = net.sizes, options.batch
    ids = net.token_input("input_ids", NEW)
    attention_mask = net.token_input("attention_mask", f"{PAST} + 1")
    positions = net.token_input("position_ids", NEW)
    pasts = [[net.input(f"past_key_values.{layer}.{part}", (batch, sizes.shared_heads, PAST, sizes.head_width)) for part in ("key", "value")]
             for layer in range(sizes.layers)]
    presents = []
    with net.scope("model"):
        words = net.normal_initializer("embed_tokens.weight", (sizes.vocabulary, sizes.width), 1.0 / np.sqrt(sizes.width))
        x = net.node("Mul", [net.node("Gather", [words, ids]), net.constant(np.sqrt(sizes.width))])
        new = net.dimension(ids, 1)
        total = net.node("Add", [net.dimension(pasts[0][0], 2), new])
        masks, rotations = net.masks(attention_mask, new, total), net.rotations(positions)
        for index in range(sizes.layers):
            with net.scope(f"layers.{index}"):
                x, present = net.layer(x, pasts[index], masks[1 - index % 2], rotations)
                presents += present
        x = net.rms_norm(x, "norm")
    with net.scope("lm_head"):
        logits = net.cap(net.node("MatMul", [x, net.node("Transpose", [words], perm=[1, 0])]), sizes.logit_cap)
    net.output_named(logits, "logits", NEW, sizes.vocabulary)
    for index, present in enumerate(presents):
        net.output(Value(present, (batch, sizes.shared_heads, f"{PAST} + 1", sizes.head_width)), f"present.{index // 2}.{('key', 'value')[index % 2]}")
    return net
