"""EfficientNet-B0 the way a Keras model comes out of the TensorFlow converter: the image arrives channels-last and is
transposed, padding is uneven, squeeze-and-excitation averages with ReduceMean, dropouts are left as Identity, and the head is
MatMul, Add and Softmax."""

from conv_net import ConvNet

# expansion, channels, repeats, stride of the first, kernel
STAGES = [
    (1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3), (6, 112, 3, 1, 5), (6, 192, 4, 2, 5), (6, 320, 1, 1, 3),
]


def same_padding(x, kernel, stride):
    """Returns the padding of TensorFlow's SAME: ceil(size / stride) results, and the odd element of padding is at the end."""
    surplus = [max((-(-size // stride) - 1) * stride + kernel - size, 0) for size in x.shape[2:]]
    return [s // 2 for s in surplus] + [s - s // 2 for s in surplus]


def squeeze_excite(net, x, squeezed):
    y = net.reduce_mean(x)
    y = net.silu(net.conv(y, squeezed, 1, name="se_reduce"))
    return net.multiply(x, net.sigmoid(net.conv(y, x.channels, 1, name="se_expand")))


def mobile_block(net, x, expansion, channels, stride, kernel):
    hidden = x.channels * expansion
    y = x
    if expansion != 1:
        y = net.silu(net.conv_norm(y, hidden, 1, name="expand_conv", norm="expand_bn"))
    padding = same_padding(y, kernel, stride)
    y = net.silu(net.conv_norm(y, hidden, kernel, stride, padding, groups=hidden, name="dwconv", norm="bn"))
    y = squeeze_excite(net, y, max(1, x.channels // 4))
    residual = stride == 1 and x.channels == channels
    y = net.conv_norm(y, channels, 1, gain=0.6 if residual else 1.0, name="project_conv", norm="project_bn")
    return net.add(net.identity(y), x) if residual else y


def efficientnet_b0(options):
    net = ConvNet("efficientnet_b0", 13, options, norm_epsilon=1e-3)
    divisor = options.pick(1, 4)
    size = options.pick(224, 64)
    x = net.image_channels_last("input_1", 3, size, size)
    x = net.silu(net.conv_norm(x, 32 // divisor, 3, 2, same_padding(x, 3, 2), name="stem_conv", norm="stem_bn"))
    for stage, (expansion, channels, repeats, stride, kernel) in enumerate(STAGES, start=1):
        # Two repeats keep both kinds of block: one that changes the shape, and one with a residual.
        for repeat in range(options.pick(repeats, min(repeats, 2))):
            with net.scope(f"block{stage}{'abcd'[repeat]}"):
                x = mobile_block(net, x, expansion, channels // divisor, stride if repeat == 0 else 1, kernel)
    x = net.silu(net.conv_norm(x, 1280 // divisor, 1, name="top_conv", norm="top_bn"))
    x = net.identity(net.squeeze(net.global_average_pool(x)))
    x = net.linear_by_matmul(x, options.pick(1000, 10), gain=2.0, name="predictions")
    net.output(net.node("Softmax", [x], axis=-1), "predictions", x.shape)
    return net
