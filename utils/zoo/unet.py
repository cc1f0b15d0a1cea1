"""A small U-Net: four levels down by MaxPool, four up by ConvTranspose, each joined with the level it came from."""

from conv_net import ConvNet


def double_conv(net, x, width):
    x = net.relu(net.conv_norm(x, width, 3, padding=1, name="conv.0", norm="conv.1"))
    return net.relu(net.conv_norm(x, width, 3, padding=1, name="conv.3", norm="conv.4"))


def build(name, options, size, keep_norm, dims=None):
    net = ConvNet(name, 16, options, keep_norm=keep_norm)
    width = options.pick(32, 4)
    x = net.image("input", 3, size, size, dims=dims)
    levels = []
    for level in range(4):
        with net.scope(f"down.{level}"):
            x = double_conv(net, x, width << level)
            levels.append(x)
            x = net.max_pool(x, 2, 2)
    with net.scope("bottleneck"):
        x = double_conv(net, x, width << 4)
    for level in reversed(range(4)):
        with net.scope(f"up.{level}"):
            x = net.conv_transpose(x, width << level, 2, 2, name="up")
            x = double_conv(net, net.concat([levels[level], x]), width << level)
    net.output(net.conv(x, 2, 1, name="head"), "output", shape=(options.batch, 2, *(dims or (size, size))))
    return net


def unet(options):
    return build("unet", options, options.pick(256, 32), keep_norm=True)


def unet_512(options):
    return build("unet_512", options, options.pick(512, 48), keep_norm=False)


def unet_any(options):
    """Takes images of any size whose sides are multiples of 16."""
    return build("unet_any", options, options.pick(256, 48), keep_norm=False, dims=("height", "width"))
