"""Training form of BatchNormalization before it had `training_mode`: with five outputs, or some of them. Before version 9, `spatial` 0 normalises each element of
an instance by itself."""

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(41)


def batch_normalization(x, scale, bias, mean, variance, *, momentum, epsilon, spatial=1):
    """The saved variance of ONNX Runtime is the reciprocal of the standard deviation, as in Caffe2, from which this form comes."""
    axes = (0, *range(2, x.ndim)) if spatial else 0
    wide = lambda values: values.reshape(-1, *[1] * (x.ndim - 2)) if spatial else values
    batch_mean, batch_variance = x.mean(axes), x.var(axes)
    inverse = 1 / numpy.sqrt(batch_variance + epsilon)
    y = (x - wide(batch_mean)) * wide(inverse) * wide(scale) + wide(bias)
    return y, mean * momentum + batch_mean * (1 - momentum), variance * momentum + batch_variance * (1 - momentum), batch_mean, inverse


def write_cases(folder):
    for opset, shape, spatial in ((7, (4, 3), {}), (9, (2, 3, 5, 4), {}), (7, (4, 3, 2, 5), {"spatial": 0})):
        channels = shape[1:] if spatial else shape[1:2]
        inputs = [RANDOM.uniform(0.5, 2, size).astype(numpy.float32) for size in (shape, channels, channels, channels, channels)]
        for name, kept, attributes in (("all", (0, 1, 2, 3, 4), {}), ("running", (0, 1, 2), {"momentum": 0.7}), ("saved", (0, 4), {"epsilon": 0.1})):
            attributes = {**attributes, **spatial}
            outputs = batch_normalization(*inputs, **{"momentum": 0.9, "epsilon": 1e-5, **attributes})
            write_case(folder, f"batch_normalization_training_{name}_{opset}{'_elements' if spatial else ''}", "BatchNormalization", inputs,
                       [each.astype(numpy.float32) if i in kept else None for i, each in enumerate(outputs)], opset=opset, **attributes)
