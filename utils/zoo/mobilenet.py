"""MobileNetV2 as torchvision defines it: inverted residuals, depthwise convolutions, ReLU6 as Clip."""

from conv_net import ConvNet

# expansion, channels, repeats, stride of the first
STAGES = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]


def inverted_residual(net, x, expansion, channels, stride):
    hidden = x.channels * expansion
    y, layer = x, 0
    if expansion != 1:
        y = net.relu6(net.conv_norm(y, hidden, 1, name="conv.0.0", norm="conv.0.1"))
        layer = 1
    y = net.relu6(net.conv_norm(y, hidden, 3, stride, 1, groups=hidden, name=f"conv.{layer}.0", norm=f"conv.{layer}.1"))
    residual = stride == 1 and x.channels == channels
    y = net.conv_norm(y, channels, 1, gain=0.6 if residual else 1.0, name=f"conv.{layer + 1}", norm=f"conv.{layer + 2}")
    return net.add(x, y) if residual else y


def mobilenetv2(options):
    net = ConvNet("mobilenetv2", 13, options)
    divisor = options.pick(1, 4)
    size = options.pick(224, 64)
    x = net.image("input", 3, size, size)
    with net.scope("features.0"):
        x = net.relu6(net.conv_norm(x, 32 // divisor, 3, 2, 1, name="0", norm="1"))
    index = 1
    for expansion, channels, repeats, stride in STAGES:
        for repeat in range(repeats):
            with net.scope(f"features.{index}"):
                x = inverted_residual(net, x, expansion, channels // divisor, stride if repeat == 0 else 1)
            index += 1
    with net.scope(f"features.{index}"):
        x = net.relu6(net.conv_norm(x, 1280 // divisor, 1, name="0", norm="1"))
    x = net.flatten(net.global_average_pool(x))
    net.output(net.linear(x, options.pick(1000, 10), name="classifier.1"), "output")
    return net
