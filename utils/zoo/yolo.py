"""A detector shaped like YOLOv8 as Ultralytics exports it with suppression inside: cross-stage blocks with Split and Concat, a pyramid of pools, levels joined both ways by
Resize, boxes as expected distances (a softmax over bins, and a convolution with their numbers), and rows of what NonMaxSuppression keeps.
"""

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from conv_net import ConvNet
from graph_builder import Value
from spread import Spread

BINS = 16
STRIDES = (8, 16, 32)


@dataclass(frozen=True)
class Sizes:
    image: int = 640
    width: int = 16
    repeats: tuple = (1, 2, 2, 1)
    classes: int = 80


SMALL = Sizes(image=64, width=4, repeats=(1, 1, 1, 1), classes=5)


class YoloNet(ConvNet):
    def __init__(self, options):
        super().__init__("yolov8", 17, options, norm_epsilon=1e-3)
        self.sizes = options.pick(Sizes(), SMALL)

    def block(self, x, width, kernel, stride, name):
        return self.silu(self.conv_norm(x, width, kernel, stride, padding=kernel // 2, name=name))

    def halves(self, x):
        half = x.channels // 2
        names = self.node("Split", [x, self.constant([half, half], np.int64)], outputs=2, axis=1)
        spreads = [Spread(x.spread.mean[part], x.spread.std[part]) for part in (slice(half), slice(half, None))]
        return [self.value(name, (x.shape[0], half, *x.shape[2:]), spread) for name, spread in zip(names, spreads)]

    def cross_stage(self, x, width, repeats, adds, name):
        """Passes one half through bottlenecks, and concatenates all intermediate results."""
        with self.scope(name):
            parts = self.halves(self.block(x, width, 1, 1, "cv1"))
            for index in range(repeats):
                with self.scope(f"m.{index}"):
                    y = self.block(self.block(parts[-1], width // 2, 3, 1, "cv1"), width // 2, 3, 1, "cv2")
                    parts.append(self.add(parts[-1], y) if adds else y)
            return self.block(self.concat(parts), width, 1, 1, "cv2")

    def pool_pyramid(self, x, name):
        with self.scope(name):
            parts = [self.block(x, x.channels // 2, 1, 1, "cv1")]
            for _ in range(3):
                parts.append(self.max_pool(parts[-1], 5, 1, padding=2))
            return self.block(self.concat(parts), x.channels, 1, 1, "cv2")

    def enlarge(self, x):
        y = self.node("Resize", [x, "", self.constant([1.0, 1.0, 2.0, 2.0])], mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric")
        return self.value(y, (*x.shape[:2], 2 * x.shape[2], 2 * x.shape[3]), x.spread)

    def backbone(self, x):
        """Returns features at 1/8, 1/16 and 1/32 of the image's size."""
        sizes, levels = self.sizes, []
        x = self.block(x, sizes.width, 3, 2, "model.0")
        for index, repeats in enumerate(sizes.repeats):
            width = sizes.width << (index + 1)
            x = self.block(x, width, 3, 2, f"model.{2 * index + 1}")
            x = self.cross_stage(x, width, repeats, True, f"model.{2 * index + 2}")
            levels.append(x)
        return [levels[1], levels[2], self.pool_pyramid(levels[3], "model.9")]

    def neck(self, fine, middle, coarse):
        repeats = self.sizes.repeats[0]
        joined = self.cross_stage(self.concat([self.enlarge(coarse), middle]), middle.channels, repeats, False, "model.12")
        finest = self.cross_stage(self.concat([self.enlarge(joined), fine]), fine.channels, repeats, False, "model.15")
        down = self.block(finest, fine.channels, 3, 2, "model.16")
        between = self.cross_stage(self.concat([down, joined]), middle.channels, repeats, False, "model.18")
        down = self.block(between, middle.channels, 3, 2, "model.19")
        return [finest, between, self.cross_stage(self.concat([down, coarse]), coarse.channels, repeats, False, "model.21")]

    def predict(self, levels):
        """Returns a tensor of (batch, bins of four sides and classes, cells of all levels)."""
        rows, outputs = [], 4 * BINS + self.sizes.classes
        for index, x in enumerate(levels):
            with self.scope(f"model.22.{index}"):
                boxes = self.conv(self.block(x, max(16, x.channels // 4), 3, 1, "cv2.0"), 4 * BINS, name="cv2.2")
                classes = self.conv(self.block(x, max(x.channels, self.sizes.classes), 3, 1, "cv3.0"), self.sizes.classes, name="cv3.2")
            joined = self.node("Concat", [boxes, classes], axis=1)
            rows.append(self.node("Reshape", [joined, self.constant([0, outputs, -1], np.int64)]))
        return self.node("Concat", rows, axis=2)

    def cells(self):
        """Returns centres, in cells, and strides."""
        centres, strides = [], []
        for stride in STRIDES:
            steps = np.arange(self.sizes.image // stride) + 0.5
            y, x = np.meshgrid(steps, steps, indexing="ij")
            centres.append(np.stack([x.ravel(), y.ravel()]))
            strides.append(np.full((1, x.size), stride))
        return [np.concatenate(each, axis=1).astype(np.float32) for each in (centres, strides)]

    def decode(self, distances):
        """Returns corners in pixels. The exporter computes centre and size, and converts back for the suppression."""
        centres, strides = self.cells()
        cells = strides.shape[1]
        bins = self.node("Reshape", [distances, self.constant([0, 4, BINS, cells], np.int64)])
        bins = self.node("Softmax", [self.node("Transpose", [bins], perm=[0, 2, 1, 3])], axis=1)
        numbers = self.initializer("model.22.dfl.conv.weight", np.arange(BINS, dtype=np.float32).reshape(1, BINS, 1, 1))
        sides = self.node("Conv", [bins, numbers], dilations=[1, 1], group=1, kernel_shape=[1, 1], pads=[0] * 4, strides=[1, 1])
        sides = self.node("Reshape", [sides, self.constant([0, 4, cells], np.int64)])
        near, far = self.node("Split", [sides, self.constant([2, 2], np.int64)], outputs=2, axis=1)
        anchors = self.constant(centres[None])
        low, high = self.node("Sub", [anchors, near]), self.node("Add", [anchors, far])
        middle = self.node("Div", [self.node("Add", [low, high]), self.constant(2.0)])
        boxes = self.node("Concat", [middle, self.node("Sub", [high, low])], axis=1)
        boxes = self.node("Mul", [boxes, self.constant(strides)])
        boxes = self.node("Transpose", [boxes], perm=[0, 2, 1])
        middle, size = self.node("Split", [boxes, self.constant([2, 2], np.int64)], outputs=2, axis=2)
        half = self.node("Div", [size, self.constant(2.0)])
        return self.node("Concat", [self.node("Sub", [middle, half]), self.node("Add", [middle, half])], axis=2)

    def keep(self, boxes, scores):
        """Returns rows of image, corners, class and score of the boxes that are kept."""
        limits = [self.constant([20], np.int64), self.constant([0.45]), self.constant([0.5])]
        kept = self.node("NonMaxSuppression", [boxes, scores, *limits], center_point_box=0)
        column = lambda which: self.node("Gather", [kept, self.constant(which, np.int64)], axis=1)
        found = self.node("GatherND", [boxes, column([0, 2])])
        chosen = self.node("Unsqueeze", [self.node("GatherND", [scores, kept]), self.constant([1], np.int64)])
        image, label = (self.node("Cast", [column([which])], to=TensorProto.FLOAT) for which in (0, 1))
        return self.node("Concat", [image, found, label, chosen], axis=1)


def yolov8(options):
    net = YoloNet(options)
    sizes = net.sizes
    image = net.image("images", 3, sizes.image, sizes.image)
    rows = net.predict(net.neck(*net.backbone(image)))
    distances, scores = net.node("Split", [rows, net.constant([4 * BINS, sizes.classes], np.int64)], outputs=2, axis=1)
    net.output(Value(net.keep(net.decode(distances), net.node("Sigmoid", [scores])), ("found", 7)), "output0")
    return net
