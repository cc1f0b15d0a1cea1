"""ResNet-18 and ResNet-50 as torchvision defines them."""

from conv_net import ConvNet
from quantize import Quantizer

# The last BatchNorm of a branch is weak, as training from zero leaves it; this keeps the sum from growing over the blocks.
BRANCH_GAIN = 0.5


def basic_block(net, x, width, stride):
    y = net.relu(net.conv_norm(x, width, 3, stride, 1, name="conv1", norm="bn1"))
    y = net.conv_norm(y, width, 3, 1, 1, gain=BRANCH_GAIN, name="conv2", norm="bn2")
    return net.relu(net.add(y, shortcut(net, x, y, stride)))


def bottleneck(net, x, width, stride):
    y = net.relu(net.conv_norm(x, width, 1, name="conv1", norm="bn1"))
    y = net.relu(net.conv_norm(y, width, 3, stride, 1, name="conv2", norm="bn2"))
    y = net.conv_norm(y, 4 * width, 1, gain=BRANCH_GAIN, name="conv3", norm="bn3")
    return net.relu(net.add(y, shortcut(net, x, y, stride)))


def shortcut(net, x, y, stride):
    if x.shape == y.shape:
        return x
    return net.conv_norm(x, y.channels, 1, stride, name="downsample.0", norm="downsample.1")


def resnet(name, options, opset, block, depths, keep_norm):
    net = ConvNet(name, opset, options, keep_norm=keep_norm)
    width = options.pick(64, 8)
    size = options.pick(224, 64)
    x = net.image("input", 3, size, size)
    x = net.relu(net.conv_norm(x, width, 7, 2, 3, name="conv1", norm="bn1"))
    x = net.max_pool(x, 3, 2, 1)
    for stage, depth in enumerate(depths):
        for index in range(depth):
            with net.scope(f"layer{stage + 1}.{index}"):
                x = block(net, x, width << stage, 2 if stage > 0 and index == 0 else 1)
    x = net.flatten(net.global_average_pool(x))
    net.output(net.linear(x, options.pick(1000, 10)), "output")
    return net


def resnet18(options):
    return resnet("resnet18", options, 13, basic_block, [2, 2, 2, 2], keep_norm=False)


def resnet50(options):
    return resnet("resnet50", options, 14, bottleneck, [3, 4, 6, 3], keep_norm=True)


def resnet18_qdq(options):
    return Quantizer(resnet18(options), "resnet18_qdq")
