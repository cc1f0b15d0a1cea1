"""Decoders with rotated, grouped queries and weights of four bits, as the model builder of onnxruntime-genai writes them for processors: one shaped like Llama, and one like gpt-oss, with
experts, sinks, and windows in every other layer.

One file for prompts and steps: the batch, the new tokens and those before them are symbolic. The mask tells how long each entry is. Names are the builder's.
"""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto, helper

from graph_builder import GraphBuilder, Value

CONTRIBUTED = "com.microsoft"
BLOCK = 32
BATCH, NEW, PAST, TOTAL = "batch_size", "sequence_length", "past_sequence_length", "total_sequence_length"


@dataclass(frozen=True)
class Sizes:
    layers: int = 22
    width: int = 2048
    heads: int = 32
    shared_heads: int = 4
    inner: int = 5632
    vocabulary: int = 32000
    positions: int = 2048

    @property
    def head_width(self):
        return self.width // self.heads


SMALL = Sizes(layers=2, width=128, heads=4, shared_heads=2, inner=192, vocabulary=500, positions=64)


@dataclass(frozen=True)
class ExpertSizes(Sizes):
    experts: int = 32
    chosen: int = 4
    window: int = 128


EXPERTS = ExpertSizes(layers=12, width=1024, heads=16, shared_heads=4, inner=1024, vocabulary=32000)
SMALL_EXPERTS = ExpertSizes(**vars(SMALL) | {"inner": 64}, experts=4, chosen=2, window=4)


class DecoderNet(GraphBuilder):
    accuracy = 4  # products may round activations to 8 bits

    def __init__(self, name, sizes, options):
        super().__init__(name, 21, options)
        self.sizes = sizes
        self.batch = BATCH if options.batch == "batch" else options.batch
        self.presents = []

    def model(self):
        made = super().model()
        made.opset_import.append(helper.make_opsetid(CONTRIBUTED, 1))
        return made

    def packed_weights(self, shape, gain):
        """Returns packed matrices for products, with a scale for each block of numbers: the bytes by block, and the scales."""
        *rows, inputs = shape
        blocks = inputs // BLOCK
        packed = self.random("qweight").integers(0, 256, (*rows, blocks, BLOCK // 2), dtype=np.uint8)
        spread = self.random("scales").random((*rows, blocks), dtype=np.float32) * np.float32(0.5) + np.float32(0.75)
        scales = spread * np.float32(gain / (4.6 * np.sqrt(inputs)))
        return packed, scales

    def product(self, x, inputs, outputs, gain, name):
        """Adds a product with packed weights without zero points."""
        with self.scope(name):
            packed, scales = self.packed_weights((outputs, inputs), gain)
            weights = [self.initializer("MatMul.weight_Q4", packed), self.initializer("MatMul.weight_scales", scales)]
            return self.node("MatMulNBits", [x, *weights], domain=CONTRIBUTED, K=inputs, N=outputs, bits=4, block_size=BLOCK, accuracy_level=self.accuracy)

    def norm_weight(self, name):
        with self.scope(name):
            return self.normal_initializer("weight", (self.sizes.width,), 0.1, mean=1.0)

    def norm(self, x, name):
        return self.node("SimplifiedLayerNormalization", [x, self.norm_weight(name)], axis=-1, epsilon=1e-5, stash_type=1)

    def add_and_norm(self, x, residual, name):
        """Returns the norm of the sum, and the sum."""
        results = self.node("SkipSimplifiedLayerNormalization", [residual, x, self.norm_weight(name)], outputs=4, domain=CONTRIBUTED, epsilon=1e-5)
        self._nodes[-1].output[1] = self._nodes[-1].output[2] = ""
        return results[0], results[3]

    def window_and_sink(self, layer):
        """Returns the number of last tokens that a layer attends to, -1 for all, and further inputs of GroupQueryAttention."""
        return -1, []

    def attention(self, x, past, lengths, layer):
        sizes = self.sizes
        columns = (sizes.heads + 2 * sizes.shared_heads) * sizes.head_width
        joined = self.product(x, sizes.width, columns, 1.0, "qkv_proj")
        window, more = self.window_and_sink(layer)
        mixed, *present = self.node("GroupQueryAttention", [joined, "", "", *past, *lengths, "cos_cache", "sin_cache", *more], outputs=3, domain=CONTRIBUTED,
                                    num_heads=sizes.heads, kv_num_heads=sizes.shared_heads, scale=float(1 / np.sqrt(sizes.head_width)), do_rotary=1,
                                    rotary_interleaved=0, local_window_size=window, softcap=0.0)
        self.presents += present
        return self.product(mixed, sizes.width, sizes.width, 0.7, "o_proj")

    def feed_forward(self, x):
        width, inner = self.sizes.width, self.sizes.inner
        gate, up = (self.product(x, width, inner, 1.0, f"{part}_proj") for part in ("gate", "up"))
        silu = self.node("Mul", [gate, self.node("Sigmoid", [gate])])
        return self.product(self.node("Mul", [silu, up]), inner, width, 1.0, "down_proj")

    def lengths(self, mask):
        """Returns the number of tokens of each entry minus one, and the number of the longest entry."""
        one = self.initializer("one", np.array([1], np.int64))
        counted = self.node("Sub", [self.node("ReduceSum", [mask, one], keepdims=1), one])
        total = self.node("Gather", [self.node("Shape", [mask]), self.initializer("first", np.array(1, np.int64))], axis=0)
        return [self.node("Cast", [counted], to=TensorProto.INT32), self.node("Cast", [total], to=TensorProto.INT32)]

    def rotation_caches(self):
        half = self.sizes.head_width // 2
        angles = np.outer(np.arange(self.sizes.positions), 10000.0 ** (-np.arange(half) / half))
        self.initializer("cos_cache", np.cos(angles).astype(np.float32))
        self.initializer("sin_cache", np.sin(angles).astype(np.float32))


class ExpertNet(DecoderNet):
    accuracy = 0  # no rounding, as the builder writes models for targets other than CPUs

    def window_and_sink(self, layer):
        sink = self.normal_initializer("sinks", (self.sizes.heads,), 1.0)
        return self.sizes.window if layer % 2 == 0 else -1, ["", "", sink]

    def feed_forward(self, x):
        """Applies some experts to each token. The gates are interleaved with the other numbers."""
        sizes = self.sizes
        with self.scope("router"):
            scores = self.node("MatMul", [x, self.normal_initializer("MatMul.weight", (sizes.width, sizes.experts), 2.0 / np.sqrt(sizes.width))])
            scores = self.node("Add", [scores, self.normal_initializer("Add.bias", (sizes.experts,), 0.1)])
            scores = self.node("Reshape", [scores, self.initializer("shape", np.array([-1, sizes.experts], np.int64))])
        layers = []
        for name, outputs, inputs, gain in (("gate_up_proj", 2 * sizes.inner, sizes.width, 1.0), ("down_proj", sizes.width, sizes.inner, 0.5)):
            with self.scope(f"experts.{name}"):
                packed, scales = self.packed_weights((sizes.experts, outputs, inputs), gain)
                layers += [self.initializer("qweight", packed.reshape(sizes.experts, outputs, -1)), self.initializer("scales", scales),
                           self.normal_initializer("bias", (sizes.experts, outputs), 0.05)]
        return self.node("QMoE", [x, scores, *layers], domain=CONTRIBUTED, k=sizes.chosen, activation_type="swiglu", activation_alpha=1.702, activation_beta=1.0, swiglu_limit=7.0,
                         swiglu_fusion=1, normalize_routing_weights=1, expert_weight_bits=4, block_size=BLOCK)


def llama_int4(options):
    return build(DecoderNet("llama_int4", options.pick(Sizes(), SMALL), options))


def gpt_oss_int4(options):
    return build(ExpertNet("gpt_oss_int4", options.pick(EXPERTS, SMALL_EXPERTS), options))


def build(net):
    sizes = net.sizes
    ids = net.input("input_ids", (net.batch, NEW), TensorProto.INT64)
    mask = net.input("attention_mask", (net.batch, TOTAL), TensorProto.INT64)
    pasts = [[net.input(f"past_key_values.{layer}.{part}", (net.batch, sizes.shared_heads, PAST, sizes.head_width)) for part in ("key", "value")]
             for layer in range(sizes.layers)]
    net.rotation_caches()
    lengths = net.lengths(mask)
    with net.scope("model"):
        residual = net.node("Gather", [net.normal_initializer("embed_tokens.weight", (sizes.vocabulary, sizes.width), 1.0), ids])
        x = net.norm(residual, "layers.0.input_layernorm")
        for layer in range(sizes.layers):
            with net.scope(f"layers.{layer}"):
                with net.scope("attn"):
                    x = net.attention(x, pasts[layer], lengths, layer)
                x, residual = net.add_and_norm(x, residual, "post_attention_layernorm")
                with net.scope("mlp"):
                    x = net.feed_forward(x)
            x, residual = net.add_and_norm(x, residual, f"layers.{layer + 1}.final_norm_layernorm" if layer + 1 == sizes.layers else f"layers.{layer + 1}.input_layernorm")
    logits = net.product(x, sizes.width, sizes.vocabulary, 1.0, "lm_head")
    net.output(logits, "logits", (net.batch, NEW, sizes.vocabulary))
    for index, present in enumerate(net.presents):
        shape = (net.batch, sizes.shared_heads, TOTAL, sizes.head_width)
        net.output(Value(present, shape), f"present.{index // 2}.{('key', 'value')[index % 2]}")
    return net
