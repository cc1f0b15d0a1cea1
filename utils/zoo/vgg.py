"""VGG-11 without BatchNorm as torchvision defines it."""

from conv_net import ConvNet

# channels of the convolutions; None is a pool
LAYERS = [64, None, 128, None, 256, 256, None, 512, 512, None, 512, 512, None]


def vgg11(options):
    net = ConvNet("vgg11", 13, options)
    size = options.pick(224, 64)
    x = net.image("input", 3, size, size)
    index = 0
    for channels in LAYERS:
        if channels is None:
            x = net.max_pool(x, 2, 2)
            index += 1
        else:
            x = net.relu(net.conv(x, options.pick(channels, channels // 8), 3, padding=1, name=f"features.{index}"))
            index += 2
    # The adaptive pool to 7x7 has an input of this size, so it is exported as a pool of one element.
    x = net.flatten(net.average_pool(x, 1, 1))
    hidden = options.pick(4096, 64)
    x = net.dropout(net.relu(net.linear(x, hidden, name="classifier.0")))
    x = net.dropout(net.relu(net.linear(x, hidden, name="classifier.3")))
    net.output(net.linear(x, options.pick(1000, 10), name="classifier.6"), "output")
    return net
