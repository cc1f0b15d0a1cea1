"""DenseNet-121 as torchvision defines it. Its first BatchNorm of each layer has no convolution before it and stays."""

from conv_net import ConvNet


def dense_layer(net, x, growth):
    y = net.relu(net.norm(x, name="norm1"))
    y = net.relu(net.conv_norm(y, 4 * growth, 1, name="conv1", norm="norm2"))
    return net.conv_plain(y, growth, 3, padding=1, name="conv2")


def transition(net, x):
    x = net.relu(net.norm(x, name="norm"))
    return net.average_pool(net.conv_plain(x, x.channels // 2, 1, name="conv"), 2, 2)


def densenet121(options):
    net = ConvNet("densenet121", 13, options)
    growth = options.pick(32, 8)
    size = options.pick(224, 64)
    depths = options.pick([6, 12, 24, 16], [2, 3, 3, 2])
    x = net.image("input", 3, size, size)
    x = net.relu(net.conv_norm(x, 2 * growth, 7, 2, 3, name="features.conv0", norm="features.norm0"))
    x = net.max_pool(x, 3, 2, 1)
    for block, depth in enumerate(depths, start=1):
        features = [x]
        for layer in range(1, depth + 1):
            with net.scope(f"features.denseblock{block}.denselayer{layer}"):
                joined = net.concat(features)
                features.append(dense_layer(net, joined, growth))
        x = net.concat(features)
        if block < len(depths):
            with net.scope(f"features.transition{block}"):
                x = transition(net, x)
    x = net.relu(net.norm(x, name="features.norm5"))
    x = net.flatten(net.global_average_pool(x))
    net.output(net.linear(x, options.pick(1000, 10), name="classifier"), "output")
    return net
