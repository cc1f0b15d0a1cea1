"""A text classifier: an embedding, two bidirectional LSTM layers, the largest of each feature over time, a linear head."""

from dataclasses import dataclass

import numpy as np

from transformer import TransformerNet


@dataclass(frozen=True)
class Sizes:
    vocabulary: int = 20000
    tokens: int = 64
    embedding: int = 128
    hidden: int = 256
    classes: int = 4


SMALL = Sizes(vocabulary=500, tokens=12, embedding=16, hidden=16)


class LstmNet(TransformerNet):
    def __init__(self, options):
        super().__init__("lstm_text", 14, options, norm_epsilon=0.0)
        self.sizes = options.pick(Sizes(), SMALL)

    def zero_state(self, x):
        """Computes the initial states in the graph, because the batch may be dynamic."""
        batch = self.as_vector(self.dimension(x, 1))
        parts = [self.constant([2], np.int64), batch, self.constant([self.sizes.hidden], np.int64)]
        return self.node("ConstantOfShape", [self.node("Concat", parts, axis=0)])

    def lstm(self, x, inputs, name):
        """Adds one bidirectional layer. x and the result are [tokens, batch, features]."""
        hidden = self.sizes.hidden
        state, cell = self.zero_state(x), self.zero_state(x)
        with self.scope(name):
            weight = self.normal_initializer("weight_ih", (2, 4 * hidden, inputs), 1.2 / np.sqrt(inputs))
            recurrence = self.normal_initializer("weight_hh", (2, 4 * hidden, hidden), 0.8 / np.sqrt(hidden))
            bias = self.normal("bias", (2, 8 * hidden), 0.1)
            # ONNX orders the gates input, output, forget, cell. Training starts with the forget gate open.
            bias[:, 2 * hidden : 3 * hidden] += 1.0
            y, _, _ = self.node(
                "LSTM", [x, weight, recurrence, self.initializer("bias", bias), "", state, cell], outputs=3,
                direction="bidirectional", hidden_size=hidden,
            )
            y = self.node("Transpose", [y], perm=[0, 2, 1, 3])
            return self.reshape(y, [0, 0, 2 * hidden])


def lstm_text(options):
    net = LstmNet(options)
    sizes = net.sizes
    input_ids = net.token_input("input_ids", sizes.tokens)
    table = net.normal_initializer("embedding.weight", (sizes.vocabulary, sizes.embedding), 1.0)
    x = net.node("Transpose", [net.node("Gather", [table, input_ids])], perm=[1, 0, 2])
    x = net.lstm(x, sizes.embedding, "lstm.0")
    x = net.lstm(x, 2 * sizes.hidden, "lstm.1")
    x = net.node("ReduceMax", [x], axes=[0], keepdims=0)
    with net.scope("fc"):
        weight = net.matrix(2 * sizes.hidden, sizes.classes, 2.5, transposed=True)
        logits = net.node("Gemm", [x, weight, net.bias(sizes.classes)], alpha=1.0, beta=1.0, transB=1)
    net.output_named(logits, "logits", sizes.classes)
    return net
