"""The half of Segment Anything that runs for each click, as its repository exports it: points become tokens, a transformer looks both ways between tokens and an image's
embedding, masks are enlarged by transposed convolutions and weighed by small networks, and the best mask is brought to the size of the original image, which is an input.
"""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from graph_builder import Value
from transformer import TransformerNet

POINTS = "num_points"
MASKS = 4


@dataclass(frozen=True)
class Sizes:
    width: int = 256
    heads: int = 8
    inner: int = 2048
    depth: int = 2
    grid: int = 64
    image: int = 1024


SMALL = Sizes(width=32, heads=2, inner=48, depth=1, grid=8, image=64)


class SamNet(TransformerNet):
    def __init__(self, options):
        super().__init__("sam_decoder", 17, options, norm_epsilon=1e-5)
        self.sizes = options.pick(Sizes(), SMALL)

    def ints(self, *numbers):
        return self.constant(list(numbers), np.int64)

    # Prompts

    def encode_places(self, places):
        """Returns sines and cosines of random projections. `places` are in [0, 1]."""
        half = self.sizes.width // 2
        with self.scope("pe_layer"):
            directions = self.normal_initializer("positional_encoding_gaussian_matrix", (2, half), 1.0)
        centred = self.node("Sub", [self.node("Mul", [places, self.constant(2.0)]), self.constant(1.0)])
        angles = self.node("Mul", [self.node("MatMul", [centred, directions]), self.constant(2 * np.pi)])
        return self.node("Concat", [self.node("Sin", [angles]), self.node("Cos", [angles])], axis=-1)

    def embed_points(self, coordinates, labels):
        """Adds an embedding for each label from -1 (none) to 3 (a corner), which is selected by comparisons."""
        width = self.sizes.width
        places = self.node("Div", [self.node("Add", [coordinates, self.constant(0.5)]), self.constant(float(self.sizes.image))])
        encoded = self.encode_places(places)
        labels = self.node("Expand", [self.node("Unsqueeze", [labels, self.ints(-1)]), self.node("Shape", [encoded])])

        def equal(number):
            return self.node("Cast", [self.node("Equal", [labels, self.constant(float(number))])], to=TensorProto.FLOAT)

        absent = equal(-1)
        known = self.node("Cast", [self.node("Not", [self.node("Equal", [labels, self.constant(-1.0)])])], to=TensorProto.FLOAT)
        encoded = self.node("Mul", [encoded, known])
        encoded = self.node("Add", [encoded, self.node("Mul", [self.normal_initializer("not_a_point_embed.weight", (1, width), 1.0), absent])])
        for number in range(4):
            weight = self.normal_initializer(f"point_embeddings.{number}.weight", (1, width), 1.0)
            encoded = self.node("Add", [encoded, self.node("Mul", [weight, equal(number)])])
        return encoded

    def conv(self, x, inputs, outputs, kernel, stride, name):
        with self.scope(name):
            weight = self.normal_initializer("weight", (outputs, inputs, kernel, kernel), 1 / np.sqrt(inputs * kernel**2))
            return self.node("Conv", [x, weight, self.bias(outputs)], dilations=[1, 1], group=1, kernel_shape=[kernel] * 2, pads=[0] * 4, strides=[stride] * 2)

    def channel_norm(self, x, width, name):
        """Adds a norm over the channels of an image, as single operators."""
        with self.scope(name):
            centred = self.node("Sub", [x, self.node("ReduceMean", [x], axes=[1])])
            variance = self.node("ReduceMean", [self.node("Pow", [centred, self.constant(2.0)])], axes=[1])
            y = self.node("Div", [centred, self.node("Sqrt", [self.node("Add", [variance, self.constant(1e-6)])])])
            weight = self.normal_initializer("weight", (width, 1, 1), 0.1, mean=1.0)
            return self.node("Add", [self.node("Mul", [weight, y]), self.normal_initializer("bias", (width, 1, 1), 0.1)])

    def embed_mask(self, mask, has_mask):
        width = self.sizes.width
        with self.scope("mask_downscaling"):
            x = self.gelu(self.channel_norm(self.conv(mask, 1, width // 8, 2, 2, "0"), width // 8, "1"))
            x = self.gelu(self.channel_norm(self.conv(x, width // 8, width // 2, 2, 2, "3"), width // 2, "4"))
            x = self.conv(x, width // 2, width, 1, 1, "6")
        none = self.normal_initializer("no_mask_embed.weight", (1, width, 1, 1), 0.5)
        without = self.node("Mul", [self.node("Sub", [self.constant(1.0), has_mask]), none])
        return self.node("Add", [self.node("Mul", [has_mask, x]), without])

    # The transformer

    def attention(self, query, key, value, name, shrink=1):
        sizes = self.sizes
        inner = sizes.width // shrink
        parts = []
        with self.scope(name):
            for each, projection in ((query, "q_proj"), (key, "k_proj"), (value, "v_proj")):
                y = self.reshape(self.linear(each, sizes.width, inner, name=projection), [0, -1, sizes.heads, inner // sizes.heads])
                parts.append(self.node("Transpose", [y], perm=[0, 2, 1, 3]))
            scores = self.node("MatMul", [parts[0], self.node("Transpose", [parts[1]], perm=[0, 1, 3, 2])])
            scores = self.node("Div", [scores, self.constant(np.sqrt(inner / sizes.heads))])
            mixed = self.node("Transpose", [self.node("MatMul", [self.node("Softmax", [scores], axis=-1), parts[2]])], perm=[0, 2, 1, 3])
            return self.linear(self.reshape(mixed, [0, -1, inner]), inner, sizes.width, name="out_proj")

    def layer(self, tokens, places, pixels, pixel_places, is_first):
        width, inner = self.sizes.width, self.sizes.inner
        query = tokens if is_first else self.node("Add", [tokens, places])
        mixed = self.attention(query, query, tokens, "self_attn")
        tokens = self.layer_norm(mixed if is_first else self.node("Add", [tokens, mixed]), width, "norm1")
        seen = self.node("Add", [pixels, pixel_places])
        mixed = self.attention(self.node("Add", [tokens, places]), seen, pixels, "cross_attn_token_to_image", 2)
        tokens = self.layer_norm(self.node("Add", [tokens, mixed]), width, "norm2")
        with self.scope("mlp"):
            y = self.linear(self.node("Relu", [self.linear(tokens, width, inner, name="lin1")]), inner, width, name="lin2")
        tokens = self.layer_norm(self.node("Add", [tokens, y]), width, "norm3")
        mixed = self.attention(seen, self.node("Add", [tokens, places]), tokens, "cross_attn_image_to_token", 2)
        return tokens, self.layer_norm(self.node("Add", [pixels, mixed]), width, "norm4")

    def transform(self, tokens, pixels, pixel_places):
        places = tokens
        for index in range(self.sizes.depth):
            with self.scope(f"layers.{index}"):
                tokens, pixels = self.layer(tokens, places, pixels, pixel_places, index == 0)
        seen = self.node("Add", [pixels, pixel_places])
        mixed = self.attention(self.node("Add", [tokens, places]), seen, pixels, "final_attn_token_to_image", 2)
        return self.layer_norm(self.node("Add", [tokens, mixed]), self.sizes.width, "norm_final_attn"), pixels

    # Masks

    def perceptron(self, x, outputs, name):
        width = self.sizes.width
        with self.scope(name):
            for index, (to, gain) in enumerate(((width, 1.4), (width, 1.4), (outputs, 1.0))):
                x = self.linear(x, width, to, gain, f"layers.{index}")
                x = self.node("Relu", [x]) if index < 2 else x
            return x

    def enlarge(self, x):
        width = self.sizes.width
        for index, (inputs, outputs) in ((0, (width, width // 4)), (3, (width // 4, width // 8))):
            with self.scope(f"output_upscaling.{index}"):
                weight = self.normal_initializer("weight", (inputs, outputs, 2, 2), 1 / np.sqrt(inputs))
                x = self.node("ConvTranspose", [x, weight, self.bias(outputs)], dilations=[1, 1], group=1, kernel_shape=[2, 2], pads=[0] * 4, strides=[2, 2])
            x = self.gelu(self.channel_norm(x, outputs, "output_upscaling.1") if index == 0 else x)
        return x

    def predict(self, tokens, pixels):
        """Returns masks at four times the grid's resolution, and a score for each mask."""
        sizes = self.sizes
        first = self.node("Gather", [tokens, self.constant(0, np.int64)], axis=1)
        image = self.reshape(self.node("Transpose", [pixels], perm=[0, 2, 1]), [1, sizes.width, sizes.grid, sizes.grid])
        image = self.enlarge(image)
        weights = []
        for index in range(MASKS):
            token = self.node("Gather", [tokens, self.constant(1 + index, np.int64)], axis=1)
            weights.append(self.node("Unsqueeze", [self.perceptron(token, sizes.width // 8, f"output_hypernetworks_mlps.{index}"), self.ints(1)]))
        channels = self.reshape(image, [1, sizes.width // 8, -1])
        masks = self.node("MatMul", [self.node("Concat", weights, axis=1), channels])
        return self.reshape(masks, [1, MASKS, 4 * sizes.grid, 4 * sizes.grid]), self.perceptron(first, MASKS, "iou_prediction_head")

    def choose(self, masks, scores, points):
        """Selects a mask: the first one is for several points, the others are for one point."""
        count = self.node("Cast", [self.dimension(points, 1)], to=TensorProto.FLOAT)
        reward = self.node("Mul", [self.node("Sub", [count, self.constant(2.5)]), self.constant(np.array([1000] + [0] * (MASKS - 1), np.float32))])
        best = self.node("ArgMax", [self.node("Add", [scores, reward])], axis=1, keepdims=0)
        rows = self.constant([0], np.int64)
        place = self.node("Concat", [self.node("Unsqueeze", [each, self.ints(-1)]) for each in (rows, best)], axis=-1)
        return [self.node("Unsqueeze", [self.node("GatherND", [each, place]), self.ints(1)]) for each in (masks, scores)]

    def resize(self, x, sides):
        sizes = self.node("Concat", [self.node("Slice", [self.node("Shape", [x]), self.ints(0), self.ints(2)]), sides], axis=0)
        return self.node("Resize", [x, "", "", sizes], coordinate_transformation_mode="pytorch_half_pixel", cubic_coeff_a=-0.75, mode="linear", nearest_mode="floor")

    def to_original(self, masks, size):
        """Resizes to the model's size, removes the padding, and resizes to the original size (two floats: height, width)."""
        image = self.sizes.image
        masks = self.resize(masks, self.ints(image, image))
        longest = self.node("ReduceMax", [size], keepdims=0)
        scaled = self.node("Mul", [size, self.node("Div", [self.constant(float(image)), longest])])
        kept = self.node("Cast", [self.node("Floor", [self.node("Add", [scaled, self.constant(0.5)])])], to=TensorProto.INT64)
        masks = self.node("Slice", [masks, self.ints(0, 0), kept, self.ints(2, 3)])
        sides = self.node("Cast", [size], to=TensorProto.INT64)
        self.rename(kept, "kept_size")
        self.rename(sides, "original_size")
        return self.resize(masks, "original_size")


def sam_decoder(options):
    net = SamNet(options)
    sizes = net.sizes
    embedding = net.input("image_embeddings", (1, sizes.width, sizes.grid, sizes.grid))
    points, labels = net.input("point_coords", (1, POINTS, 2)), net.input("point_labels", (1, POINTS))
    mask, has_mask = net.input("mask_input", (1, 1, 4 * sizes.grid, 4 * sizes.grid)), net.input("has_mask_input", (1,))
    size = net.input("orig_im_size", (2,))
    with net.scope("prompt_encoder"):
        sparse, dense = net.embed_points(points, labels), net.embed_mask(mask, has_mask)
    with net.scope("mask_decoder"):
        own = net.node("Concat", [net.normal_initializer("iou_token.weight", (1, sizes.width), 1.0), net.normal_initializer("mask_tokens.weight", (MASKS, sizes.width), 1.0)], axis=0)
        own = net.node("Unsqueeze", [own, net.ints(0)])
        tokens = net.node("Concat", [own, sparse], axis=1)
        pixels = net.node("Transpose", [net.reshape(net.node("Add", [embedding, dense]), [1, sizes.width, -1])], perm=[0, 2, 1])
        places = net.normal_initializer("image_pe", (1, sizes.grid**2, sizes.width), 0.7)
        with net.scope("transformer"):
            tokens, pixels = net.transform(tokens, pixels, places)
        masks, scores = net.predict(tokens, pixels)
    chosen, score = net.choose(masks, scores, points)
    net.output(Value(net.to_original(chosen, size), (1, 1, "height", "width")), "masks")
    net.output(Value(score, (1, 1)), "iou_predictions")
    net.output(Value(chosen, (1, 1, 4 * sizes.grid, 4 * sizes.grid)), "low_res_masks")
    return net
