"""Axes that are inputs and known only at run time."""

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(12)


def parts(spectrum):
    return numpy.stack([spectrum.real, spectrum.imag], axis=-1).astype(numpy.float32)


def write_transforms(folder):
    signal = RANDOM.standard_normal((6, 6, 8)).astype(numpy.float32)
    for axis in (0, 1, -2):
        along = axis if axis >= 0 else axis + 1  # the input of the operator has one more dimension, that of the parts
        spectrum = numpy.fft.fft(signal, axis=along)
        half = numpy.fft.rfft(signal, axis=along)
        inputs = [signal[..., None], None, numpy.array(axis, numpy.int64)]
        write_case(folder, f"dft_read_axis_{axis}", "DFT", inputs, [parts(spectrum)], opset=20)
        write_case(folder, f"dft_read_axis_onesided_{axis}", "DFT", inputs, [parts(half)], opset=20, onesided=1)
        write_case(folder, f"dft_read_axis_inverse_{axis}", "DFT", [parts(spectrum)] + inputs[1:], [parts(signal + 0j)], opset=20, inverse=1)


def write_pads(folder):
    x = RANDOM.standard_normal((2, 4, 5)).astype(numpy.float32)
    for axes in ([0, 2], [-1, -3], [1]):
        pads = [1, 2][:len(axes)] + [0, -1][:len(axes)]
        around = [(0, 0)] * 3
        for number, axis in enumerate(axes):
            around[axis] = (pads[number], pads[len(axes) + number])
        kept = tuple(slice(0, size + min(after, 0)) for size, (_, after) in zip(x.shape, around))
        y = numpy.pad(x[kept], [(before, max(after, 0)) for before, after in around], constant_values=numpy.float32(1.5))
        name = "_".join(map(str, axes))
        write_case(folder, f"pad_read_axes_{name}", "Pad", [x, numpy.array(pads), numpy.array(1.5, numpy.float32), numpy.array(axes)], [y], opset=25)


def write_cases(folder):
    write_transforms(folder)
    write_pads(folder)
