"""A one-stage detector: two levels of features joined by Resize, boxes and class scores per cell, a Loop over the classes that
weighs their scores, NonMaxSuppression, and the boxes, scores and labels it keeps, as many as the image has."""

import numpy as np
from onnx import TensorProto, helper

from conv_net import ConvNet
from graph_builder import Value

CLASSES = 8
STRIDES = (8, 16)


def block(net, x, width, stride, name):
    return net.relu(net.conv(x, width, 3, stride, padding=1, name=name))


def backbone(net, x, width):
    """Returns features at 1/8 and 1/16 of the image's size."""
    for number, (factor, stride) in enumerate([(1, 2), (2, 2), (2, 1), (4, 2), (4, 1)]):
        x = block(net, x, factor * width, stride, f"backbone.{number}")
    fine = x
    coarse = block(net, fine, 8 * width, 2, "backbone.5")
    return fine, coarse


def join(net, fine, coarse, width):
    """Adds the enlarged coarse level to the fine one."""
    coarse = net.conv(coarse, width, name="lateral.1")
    larger = net.node(
        "Resize", [coarse, "", net.constant([1.0, 1.0, 2.0, 2.0])], mode="nearest", nearest_mode="floor",
        coordinate_transformation_mode="asymmetric",
    )
    size = (*coarse.shape[:2], *(2 * length for length in coarse.shape[2:]))
    return net.add(net.conv(fine, width, name="lateral.0"), net.value(larger, size, coarse.spread)), coarse


def predict(net, levels):
    """Returns rows with the four numbers of a box and a score per class, one for each cell of each level."""
    rows = []
    for number, level in enumerate(levels):
        with net.scope(f"head.{number}"):
            x = block(net, level, level.channels, 1, "tower")
            x = net.conv(x, 4 + CLASSES, name="prediction")
            rows.append(net.node("Reshape", [net.node("Transpose", [x], perm=[0, 2, 3, 1]),
                                             net.constant([0, -1, 4 + CLASSES], np.int64)]))
    return net.node("Concat", rows, axis=1)


def cells_of(size):
    """Returns centre and stride of each cell in pixels."""
    centres = []
    for stride in STRIDES:
        steps = (np.arange(size // stride) + 0.5) * stride
        grid = np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1).reshape(-1, 2)
        centres.append(np.concatenate([grid, np.full((len(grid), 1), stride)], axis=1))
    return (np.concatenate(centres) / size).astype(np.float32)[None]


def decode_boxes(net, numbers, size):
    """Returns corners (top, left, bottom, right) in pixels, from a shift of the cell's centre and a size in strides."""
    cells = cells_of(size)
    shift, extent = net.node("Split", [numbers, net.constant([2, 2], np.int64)], outputs=2, axis=2)
    stride = net.initializer("stride", cells[..., 2:])
    middle = net.node("Add", [net.initializer("centre", cells[..., :2]), net.node("Mul", [net.node("Tanh", [shift]), stride])])
    bounded = net.node("Clip", [extent, net.constant(-2.0), net.constant(2.0)])
    half = net.node("Mul", [net.node("Exp", [bounded]), stride])
    return net.node("Concat", [net.node("Sub", [middle, half]), net.node("Add", [middle, half])], axis=2)


def weigh_scores(net, scores, cells):
    """Divides the scores of each class by their maximum, class by class, as exporters write a loop."""
    info = helper.make_tensor_value_info
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["condition"], ["condition_out"]),
            helper.make_node("Gather", [scores, "class"], ["row"], axis=1),
            helper.make_node("ReduceMax", ["row"], ["greatest"], axes=[1], keepdims=1),
            helper.make_node("Div", ["row", "greatest"], ["weighed"]),
        ],
        "one_class",
        [info("class", TensorProto.INT64, []), info("condition", TensorProto.BOOL, [])],
        [info("condition_out", TensorProto.BOOL, []), info("weighed", TensorProto.FLOAT, [net.options.batch, cells])],
    )
    weighed = net.node("Loop", [net.constant(CLASSES, np.int64), net.constant(True, np.bool_)], body=body)
    return net.node("Transpose", [weighed], perm=[1, 0, 2])


def detector(options):
    net = ConvNet("detector", 16, options)
    width, size = options.pick((24, 320), (4, 64))
    x = net.image("image", 3, size, size)
    fine, coarse = backbone(net, x, width)
    levels = join(net, fine, coarse, 4 * width)
    cells = sum((size // stride) ** 2 for stride in STRIDES)
    numbers, scores = net.node("Split", [predict(net, levels), net.constant([4, CLASSES], np.int64)], outputs=2, axis=2)
    boxes = decode_boxes(net, numbers, size)
    scores = weigh_scores(net, net.node("Transpose", [net.node("Sigmoid", [scores])], perm=[0, 2, 1]), cells)
    limits = [net.constant([100], np.int64), net.constant([0.5]), net.constant([0.9])]
    kept = net.node("NonMaxSuppression", [boxes, scores, *limits])
    # Each row of the result: image, class, box.
    column = lambda which: net.node("Gather", [kept, net.constant(which, np.int64)], axis=1)
    found = net.node("GatherND", [boxes, column([0, 2])])
    net.output(Value(found, ("found", 4)), "boxes")
    net.output(Value(net.node("GatherND", [scores, kept]), ("found",)), "scores")
    net.output(Value(column(1), ("found",)), "labels", element=TensorProto.INT64)
    return net
