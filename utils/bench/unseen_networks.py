"""Published networks that utils/zoo does not have, so that no rule was taught by them: in their published sizes, for one image, recording or row, with random weights."""

import numpy as np
from onnx import TensorProto

from unseen_layers import BRANCH, Net

# FCOS with ResNet-18 and a feature pyramid, 320x320, 80 classes

def basic_block(net, x, inputs, outputs):
    stride = 1 if inputs == outputs else 2
    y = net.conv(net.relu_conv(x, inputs, outputs, 3, stride=stride), outputs, outputs, 3, gain=BRANCH)
    return net.node("Relu", [net.add(y, x if inputs == outputs else net.conv(x, inputs, outputs, 1, stride=stride))])


def pyramid(net, levels):
    """Returns levels at 1/8 to 1/128 of the image's size, all of 256 channels."""
    sides = [net.conv(x, width, 256, 1) for x, width in levels]
    for finer in (1, 0):
        larger = net.node("Resize", [sides[finer + 1], "", net.constant([1.0, 1.0, 2.0, 2.0])], mode="nearest", nearest_mode="floor",
                          coordinate_transformation_mode="asymmetric")
        sides[finer] = net.add(sides[finer], larger)
    results = [net.conv(side, 256, 256, 3) for side in sides]
    results.append(net.conv(results[-1], 256, 256, 3, stride=2))
    return [*results, net.conv(net.node("Relu", [results[-1]]), 256, 256, 3, stride=2)]


def group_norm(net, x, weight, bias, size):
    y = net.reshape(x, [0, 32, -1])
    y = net.node("InstanceNormalization", [y, net.constant(np.ones(32, np.float32)), net.constant(np.zeros(32, np.float32))], epsilon=1e-5)
    return net.add(net.multiply(net.reshape(y, [1, 256, size, size]), weight), bias)


def tower(net, levels, sizes, heads):
    """Adds four convolutions and several last ones, which all levels share. Returns a list for each of the last ones."""
    shared = [(net.conv_weights(256, 256, [3, 3]), net.parameter("scale", 256, 1, 1, mean=1.0), net.parameter("shift", 256, 1, 1)) for _ in range(4)]
    last = [net.conv_weights(256, count, [3, 3]) for count in heads]
    results = [[] for _ in heads]
    for x, size in zip(levels, sizes):
        for weights, scale, shift in shared:
            x = net.node("Relu", [group_norm(net, net.conv_with(x, weights, [3, 3]), scale, shift, size)])
        for result, weights, count in zip(results, last, heads):
            result.append(net.reshape(net.transpose(net.conv_with(x, weights, [3, 3]), 0, 2, 3, 1), [1, -1, count]))
    return results


def fcos_resnet18(net):
    x = net.relu_conv(net.input("image", (1, 3, 320, 320)), 3, 64, 7, stride=2)
    x = net.node("MaxPool", [x], kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2])
    levels = []
    for inputs, width in ((64, 64), (64, 128), (128, 256), (256, 512)):
        x = basic_block(net, basic_block(net, x, inputs, width), width, width)
        levels.append((x, width))
    sizes = (40, 20, 10, 5, 3)
    levels = pyramid(net, levels[1:])
    (classes,), (boxes, centres) = tower(net, levels, sizes, [80]), tower(net, levels, sizes, [4, 1])
    boxes = [net.node("Exp", [net.multiply(each, net.constant(0.3))]) for each in boxes]
    rows = sum(size**2 for size in sizes)
    centre = net.node("Sigmoid", [net.node("Concat", centres, axis=1)])
    scores = net.node("Sqrt", [net.multiply(net.node("Sigmoid", [net.node("Concat", classes, axis=1)]), centre)])
    net.output_named(scores, "scores", rows, 80)
    net.output_named(net.node("Concat", boxes, axis=1), "boxes", rows, 4)


# SVTR-T, a recogniser of words: attention to near and to all tokens, 32x100, 37 classes

def near(height, width):
    """Returns what is added to the scores of tokens, so that each attends to 7x11 tokens around it."""
    rows, columns = np.divmod(np.arange(height * width), width)
    far = (abs(rows[:, None] - rows) > 3) | (abs(columns[:, None] - columns) > 5)
    return np.where(far, np.float32(-np.inf), np.float32(0))[None, None]


def svtr_tiny(net):
    x = net.input("image", (1, 3, 32, 100))
    for inputs, width in ((3, 32), (32, 64)):
        x = net.gelu(net.conv(x, inputs, width, 3, stride=2, gain=1.4))
    x = net.add(net.transpose(net.reshape(x, [1, 64, 200]), 0, 2, 1), net.parameter("places", 1, 200, 64, std=0.3))
    blocks = 0
    for height, width, depth in ((8, 64, 3), (4, 128, 6), (2, 256, 3)):
        mask = net.constant(near(height, 25))
        for _ in range(depth):
            add_mask = (lambda scores: net.add(scores, mask)) if blocks < 6 else lambda scores: scores
            x = net.norm(net.add(x, net.attention(x, width, width // 32, add_mask)), width)
            x = net.norm(net.add(x, net.feed_forward(x, width)), width)
            blocks += 1
        if height > 2:
            x = net.conv(net.reshape(net.transpose(x, 0, 2, 1), [1, width, height, 25]), width, 2 * width, 3, stride=[2, 1])
            x = net.norm(net.transpose(net.reshape(x, [1, 2 * width, -1]), 0, 2, 1), 2 * width)
    x = net.node("ReduceMean", [net.reshape(net.transpose(x, 0, 2, 1), [1, 256, 2, 25])], axes=[2], keepdims=1)
    x = net.node("HardSwish", [net.conv(x, 256, 192, 1, gain=2.0)])
    x = net.dense(net.transpose(net.reshape(x, [1, 192, 25]), 0, 2, 1), 192, 37, 2.0)
    net.output_named(net.node("Softmax", [x], axis=-1), "characters", 25, 37)


# Conformer (M), an encoder of speech: attention with relative positions and depthwise convolutions, ten seconds of 80 features each hundredth

def relative_attention(net, x, places, length, width, heads):
    query, key, value = (net.dense(x, width, width) for _ in range(3))
    query = net.reshape(query, [0, -1, heads, width // heads])
    by_content, by_place = (net.transpose(net.add(query, net.parameter("bias", heads, width // heads)), 0, 2, 1, 3) for _ in range(2))
    key, value = (net.split_heads(each, heads, width) for each in (key, value))
    with net.scope(net.numbered("places")):
        places = net.split_heads(net.node("MatMul", [places, net.matrix(width, width, 1.0)]), heads, width)
    by_content, by_place = (net.node("MatMul", [each, net.transpose(other, 0, 1, 3, 2)]) for each, other in ((by_content, key), (by_place, places)))
    # Moves row i by i, so that column j of the result belongs to the distance from i to j.
    padded = net.node("Pad", [by_place, net.constant([0, 0, 0, 1, 0, 0, 0, 0], np.int64)])
    moved = net.slice(net.reshape(padded, [1, heads, 2 * length, length]), 2, 1, 2 * length)
    moved = net.slice(net.reshape(moved, [1, heads, length, 2 * length - 1]), 3, 0, length)
    return net.attend(net.multiply(net.add(by_content, moved), net.constant((width // heads) ** -0.5)), value, width)


def convolve(net, x, width):
    x = net.conv(net.transpose(x, 0, 2, 1), width, 2 * width, [1])
    value, gate = net.node("Split", [x, net.constant([width, width], np.int64)], outputs=2, axis=1)
    x = net.multiply(value, net.node("Sigmoid", [gate]))
    x = net.swish(net.conv(x, width, width, [31], gain=2.0, groups=width))
    return net.transpose(net.conv(x, width, width, [1]), 0, 2, 1)


def conformer_medium(net):
    width, heads, length = 256, 4, 249
    x = net.input("features", (1, 1000, 80))
    x = net.node("Unsqueeze", [x, net.constant([1], np.int64)])
    for inputs in (1, width):
        x = net.relu_conv(x, inputs, width, 3, stride=2, pads=[0] * 4)
    x = net.dense(net.reshape(net.transpose(x, 0, 2, 1, 3), [1, length, 19 * width]), 19 * width, width)
    angles = np.arange(length - 1, -length, -1)[:, None] * np.exp(-np.log(10000) * np.arange(0, width, 2) / width)
    places = net.initializer("places", np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(1, -1, width).astype(np.float32))
    half = net.constant(0.5)
    for _ in range(16):
        x = net.add(x, net.multiply(net.feed_forward(net.norm(x, width), width, net.swish), half))
        x = net.add(x, relative_attention(net, net.norm(x, width), places, length, width, heads))
        x = net.add(x, convolve(net, net.norm(x, width), width))
        x = net.add(x, net.multiply(net.feed_forward(net.norm(x, width), width, net.swish), half))
        x = net.norm(x, width)
    net.output_named(x, "states", length, width)


# GhostNet 1.0, 224x224. Each block: kernel, hidden channels, channels, whether it weighs channels, stride

GHOSTS = [(3, 16, 16, 0, 1), (3, 48, 24, 0, 2), (3, 72, 24, 0, 1), (5, 72, 40, 1, 2), (5, 120, 40, 1, 1), (3, 240, 80, 0, 2), (3, 200, 80, 0, 1),
          (3, 184, 80, 0, 1), (3, 184, 80, 0, 1), (3, 480, 112, 1, 1), (3, 672, 112, 1, 1), (5, 672, 160, 1, 2), (5, 960, 160, 0, 1), (5, 960, 160, 1, 1),
          (5, 960, 160, 0, 1), (5, 960, 160, 1, 1)]


def ghost(net, x, inputs, outputs, conv, gain):
    """Adds a convolution for half of the channels, and a depthwise one that makes the other half of them."""
    half = conv(x, inputs, outputs // 2, 1, gain=gain)
    return net.node("Concat", [half, conv(half, outputs // 2, outputs // 2, 3, groups=outputs // 2)], axis=1)


def weigh_channels(net, x, width):
    squeezed = (width // 4 + 2) // 4 * 4
    y = net.relu_conv(net.node("GlobalAveragePool", [x]), width, squeezed, 1)
    return net.multiply(x, net.node("HardSigmoid", [net.conv(y, squeezed, width, 1)], alpha=1 / 6, beta=0.5))


def ghostnet(net):
    x, width = net.relu_conv(net.input("image", (1, 3, 224, 224)), 3, 16, 3, stride=2), 16
    for kernel, hidden, outputs, weighed, stride in GHOSTS:
        y = ghost(net, x, width, hidden, net.relu_conv, gain=1.4)
        if stride == 2:
            y = net.conv(y, hidden, hidden, kernel, stride=2, groups=hidden)
        y = ghost(net, weigh_channels(net, y, hidden) if weighed else y, hidden, outputs, net.conv, gain=BRANCH)
        if stride == 2 or width != outputs:
            x = net.conv(net.conv(x, width, width, kernel, stride=stride, groups=width), width, outputs, 1)
        x, width = net.add(x, y), outputs
    x = net.node("GlobalAveragePool", [net.relu_conv(x, width, 960, 1)])
    x = net.node("Flatten", [net.relu_conv(x, 960, 1280, 1)], axis=1)
    net.output_named(net.dense(x, 1280, 1000), "classes", 1000)


# ConvNeXt-T, 224x224

def norm_channels(net, x, width):
    return net.transpose(net.norm(net.transpose(x, 0, 2, 3, 1), width), 0, 3, 1, 2)


def convnext_tiny(net):
    x, before = net.conv(net.input("image", (1, 3, 224, 224)), 3, 96, 4, stride=4, pads=[0] * 4), 96
    for width, depth in ((96, 3), (192, 3), (384, 9), (768, 3)):
        x = norm_channels(net, x, before)
        if width != before:
            x = net.conv(x, before, width, 2, stride=2, pads=[0] * 4)
        for _ in range(depth):
            y = net.transpose(net.conv(x, width, width, 7, groups=width), 0, 2, 3, 1)
            y = net.transpose(net.feed_forward(net.norm(y, width), width), 0, 3, 1, 2)
            x = net.add(x, net.multiply(y, net.parameter("scale", width, 1, 1, mean=1.0)))
        before = width
    x = net.node("Flatten", [norm_channels(net, net.node("GlobalAveragePool", [x]), before)], axis=1)
    net.output_named(net.dense(x, before, 1000), "classes", 1000)


# Swin-T, 224x224: attention inside of windows of 7x7, of which every other block moves the borders by 3

WINDOW = 7


def roll(net, x, by, size):
    for axis in (1, 2):
        x = net.node("Concat", [net.slice(x, axis, by % size, size), net.slice(x, axis, 0, by % size)], axis=axis)
    return x


def parts(size, shift):
    """Returns what is added to the scores of each window, whose tokens are from up to four parts of the image that do not meet there."""
    part = np.searchsorted([size - WINDOW, size - shift], np.arange(size), side="right")
    part = (3 * part[:, None] + part).reshape(size // WINDOW, WINDOW, size // WINDOW, WINDOW).transpose(0, 2, 1, 3).reshape(-1, 1, WINDOW**2)
    return np.where(part[..., None] == part[:, :, None], np.float32(0), np.float32(-100))


def window_attention(net, x, size, width, heads, shift):
    count, tokens = size // WINDOW, WINDOW**2
    places = net.parameter("places", 1, heads, tokens, tokens)

    def add_bias(scores):
        scores = net.add(scores, places)
        return net.add(scores, net.constant(parts(size, shift))) if shift else scores

    x = roll(net, x, shift, size) if shift else x
    x = net.transpose(net.reshape(x, [1, count, WINDOW, count, WINDOW, width]), 0, 1, 3, 2, 4, 5)
    x = net.attention(net.reshape(x, [count**2, tokens, width]), width, heads, add_bias)
    x = net.transpose(net.reshape(x, [1, count, count, WINDOW, WINDOW, width]), 0, 1, 3, 2, 4, 5)
    x = net.reshape(x, [1, size, size, width])
    return roll(net, x, -shift, size) if shift else x


def merge_patches(net, x, size, width):
    rows = [net.slice(x, 1, row, size, 2) for row in (0, 1)]
    x = net.norm(net.node("Concat", [net.slice(rows[row], 2, column, size, 2) for column in (0, 1) for row in (0, 1)], axis=3), 4 * width)
    with net.scope(net.numbered("merge")):
        return net.node("MatMul", [x, net.matrix(4 * width, 2 * width, 1.0)])


def swin_tiny(net):
    x, size, width = net.conv(net.input("image", (1, 3, 224, 224)), 3, 96, 4, stride=4, pads=[0] * 4), 56, 96
    x = net.norm(net.transpose(x, 0, 2, 3, 1), width)
    for depth in (2, 2, 6, 2):
        for block in range(depth):
            shift = WINDOW // 2 if block % 2 and size > WINDOW else 0
            x = net.add(x, window_attention(net, net.norm(x, width), size, width, width // 32, shift))
            x = net.add(x, net.feed_forward(net.norm(x, width), width))
        if size > WINDOW:
            x, size, width = merge_patches(net, x, size, width), size // 2, 2 * width
    x = net.node("ReduceMean", [net.norm(x, width)], axes=[1, 2], keepdims=0)
    net.output_named(net.dense(x, width, 1000), "classes", 1000)


# A temporal convolution network for images as sequences of 784 numbers: eight levels, kernel 7, distances 1 to 128

def tcn(net):
    x, inputs, width, kernel = net.input("sequence", (1, 1, 784)), 1, 25, 7
    for level in range(8):
        y, reach = x, (kernel - 1) << level
        for channels, gain in ((inputs, 1.4), (width, BRANCH)):
            y = net.conv(y, channels, width, [kernel], gain, dilation=1 << level, pads=[reach, reach])
            y = net.node("Relu", [net.slice(y, 2, 0, -reach)])
        x = net.node("Relu", [net.add(y, x if inputs == width else net.conv(x, inputs, width, [1]))])
        inputs = width
    x = net.node("Gather", [x, net.constant(-1, np.int64)], axis=2)
    net.output_named(net.node("LogSoftmax", [net.dense(x, width, 10)], axis=1), "classes", 10)


# FT-Transformer, for rows of the census data set Adult: six numbers and eight categories

CATEGORIES = [9, 16, 7, 15, 6, 5, 2, 42]


def gated_layer(net, x, width):
    x, gate = net.node("Split", [net.dense(x, width, 2 * 256), net.constant([256, 256], np.int64)], outputs=2, axis=-1)
    return net.dense(net.multiply(x, net.node("Relu", [gate])), 256, width, BRANCH)


def ft_transformer(net):
    width, heads = 192, 8
    numbers, categories = net.input("numbers", (1, 6)), net.input("categories", (1, 8), TensorProto.INT64)
    x = net.multiply(net.node("Unsqueeze", [numbers, net.constant([-1], np.int64)]), net.parameter("numbers", 6, width, std=1.0))
    offsets = net.constant(np.cumsum([0, *CATEGORIES[:-1]]), np.int64)
    y = net.node("Gather", [net.parameter("categories", sum(CATEGORIES), width, std=1.0), net.add(categories, offsets)], axis=0)
    x = net.node("Concat", [net.parameter("class", 1, 1, width, std=1.0), x, y], axis=1)
    x = net.add(x, net.parameter("bias", 1, 15, width))
    for block in range(3):
        y = net.norm(x, width) if block else x
        query, key, value = (net.split_heads(net.dense(y, width, width), heads, width) for _ in range(3))
        scores = net.node("MatMul", [query, net.transpose(key, 0, 1, 3, 2)])
        x = net.add(x, net.attend(net.node("Div", [scores, net.constant((width // heads) ** 0.5)]), value, width))
        x = net.add(x, gated_layer(net, net.norm(x, width), width))
    first = net.node("Gather", [x, net.constant(0, np.int64)], axis=1)
    net.output_named(net.dense(net.node("Relu", [net.norm(first, width)]), width, 1, 2.0), "income", 1)


NETWORKS = {function.__name__: function for function in (fcos_resnet18, svtr_tiny, conformer_medium, ghostnet, convnext_tiny, swin_tiny, tcn, ft_transformer)}


def make(name, path):
    net = Net(name)
    NETWORKS[name](net)
    path.write_bytes(net.model().SerializeToString(deterministic=True))
