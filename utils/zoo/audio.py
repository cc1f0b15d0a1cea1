"""A 1-D network on the raw waveform: a wide strided convolution, plain blocks, then depthwise separable blocks with HardSwish."""

from conv_net import ConvNet


def plain_block(net, x, width, kernel, stride, padding):
    x = net.relu(net.conv_norm(x, width, kernel, stride, padding, name="conv", norm="bn"))
    return net.max_pool(x, 4, 4)


def separable_block(net, x, width, stride):
    y = net.conv_norm(x, x.channels, 9, stride, 4, groups=x.channels, name="depthwise", norm="bn1")
    y = net.hard_swish(y)
    residual = stride == 1 and width == x.channels
    y = net.conv_norm(y, width, 1, gain=0.6 if residual else 1.0, name="pointwise", norm="bn2")
    return net.add(x, y) if residual else net.hard_swish(y)


def audio_cnn(options):
    net = ConvNet("audio_cnn", 15, options, keep_norm=True)
    width = options.pick(64, 8)
    x = net.image("waveform", 1, options.pick(16000, 4000))
    with net.scope("block1"):
        x = plain_block(net, x, width, 80, 4, 38)
    with net.scope("block2"):
        x = plain_block(net, x, width, 3, 1, 1)
    for index, (factor, stride) in enumerate([(2, 2), (2, 1), (4, 2), (4, 1)], start=3):
        with net.scope(f"block{index}"):
            x = separable_block(net, x, width * factor, stride)
    x = net.reduce_mean(x, keep=False)
    x = net.linear(x, options.pick(35, 10), name="fc")
    net.output(net.node("LogSoftmax", [x], axis=-1), "output", x.shape)
    return net
