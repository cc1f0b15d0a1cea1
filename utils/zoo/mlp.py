"""Fully connected networks: one for digits, and one small enough to read in full."""

from conv_net import ConvNet
from spread import Spread


def stack(net, widths):
    x = net.input("input", (net.options.batch, widths[0]), spread=Spread.standard(widths[0]))
    for index, width in enumerate(widths[1:]):
        x = net.linear(x, width, name=f"layers.{2 * index}")
        if index + 2 < len(widths):
            x = net.relu(x)
    return x


def mlp(options):
    net = ConvNet("mlp", 13, options)
    net.output(stack(net, options.pick([784, 256, 128, 10], [64, 32, 16, 10])), "output")
    return net


def mlp_tiny(options):
    net = ConvNet("mlp_tiny", 15, options)
    x = stack(net, options.pick([16, 32, 4], [8, 8, 4]))
    net.output(net.node("Softmax", [x], axis=-1), "output", x.shape)
    return net
