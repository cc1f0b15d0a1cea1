"""SqueezeNet 1.1 as torchvision defines it: no BatchNorm, pools that round up, a Dropout the exporter left in."""

from conv_net import ConvNet

# squeeze width and expand width of the fire modules; None is a pool
STAGES = [(16, 64), (16, 64), None, (32, 128), (32, 128), None, (48, 192), (48, 192), (64, 256), (64, 256)]


def fire(net, x, squeeze, expand):
    x = net.relu(net.conv(x, squeeze, 1, name="squeeze"))
    left = net.relu(net.conv(x, expand, 1, name="expand1x1"))
    right = net.relu(net.conv(x, expand, 3, padding=1, name="expand3x3"))
    return net.concat([left, right])


def squeezenet11(options):
    net = ConvNet("squeezenet11", 13, options)
    divisor = options.pick(1, 4)
    size = options.pick(224, 64)
    x = net.image("input", 3, size, size)
    x = net.relu(net.conv(x, 64 // divisor, 3, 2, name="features.0"))
    x = net.max_pool(x, 3, 2, ceil_mode=True)
    for index, stage in enumerate(STAGES, start=3):
        with net.scope(f"features.{index}"):
            if stage is None:
                x = net.max_pool(x, 3, 2, ceil_mode=True)
            else:
                x = fire(net, x, stage[0] // divisor, stage[1] // divisor)
    with net.scope("classifier"):
        x = net.dropout(x)
        x = net.relu(net.conv(x, options.pick(1000, 10), 1, name="1"))
    net.output(net.flatten(net.global_average_pool(x)), "output")
    return net
