"""Fourier transforms of lengths with one, two and three factors and with a large prime factor, of signals that are cut or filled with zeros."""

import numpy

import backend_case

RANDOM = numpy.random.default_rng(14)


def parts(spectrum, dtype=numpy.float32):
    return numpy.stack([spectrum.real, spectrum.imag], axis=-1).astype(dtype)


def write_case(folder, name, operator, inputs, outputs, **attributes):
    """Writes a test whose sizes and windows are constant."""
    backend_case.write_case(folder, name, operator, inputs, outputs, constants=[i for i in range(1, len(inputs)) if inputs[i] is not None], **attributes)


def write_transforms(folder):
    for length in (1, 7, 64, 100, 509, 1024, 2187):
        signal = RANDOM.standard_normal((2, length)).astype(numpy.float32)
        full, half = numpy.fft.fft(signal), numpy.fft.rfft(signal)
        real, axis = signal[..., None], numpy.array(1)
        write_case(folder, f"dft_{length}", "DFT", [real, None, axis], [parts(full)], opset=20)
        write_case(folder, f"dft_{length}_onesided", "DFT", [real, None, axis], [parts(half)], opset=20, onesided=1)
        write_case(folder, f"dft_{length}_inverse", "DFT", [parts(full), None, axis], [parts(signal + 0j)], opset=20, inverse=1)
        write_case(folder, f"dft_{length}_inverse_onesided", "DFT", [parts(half), numpy.array(length), axis], [real], opset=20, inverse=1, onesided=1)
    for length, asked in ((8, 5), (8, 16), (100, 64), (100, 480)):
        signal = RANDOM.standard_normal((2, length)).astype(numpy.float32)
        inputs = [signal[..., None], numpy.array(asked), numpy.array(1)]
        write_case(folder, f"dft_{length}_to_{asked}", "DFT", inputs, [parts(numpy.fft.fft(signal, n=asked))], opset=20)
    for dtype in (numpy.float64, numpy.float16):
        image = RANDOM.standard_normal((2, 96, 40)).astype(dtype)
        spectrum = numpy.fft.fft(image.astype(numpy.float64), axis=1)
        write_case(folder, f"dft_{image.dtype.name}", "DFT", [image[..., None], None, numpy.array(1)], [parts(spectrum, dtype)], opset=20)


def write_frames(folder):
    signal = RANDOM.standard_normal((2, 3000)).astype(numpy.float32)
    for length, step in ((20, 5), (400, 160), (512, 512), (1024, 300)):
        frames = numpy.stack([signal[:, at:at + length] for at in range(0, 3000 - length + 1, step)], axis=1)
        window = numpy.hanning(length).astype(numpy.float32)
        inputs = [signal[..., None], numpy.array(step)]
        write_case(folder, f"stft_{length}_{step}", "STFT", inputs + [window], [parts(numpy.fft.rfft(frames * window))], opset=17, onesided=1)
        plain = inputs + [None, numpy.array(length)]
        write_case(folder, f"stft_{length}_{step}_two_sided", "STFT", plain, [parts(numpy.fft.fft(frames))], opset=17, onesided=0)


def write_cases(folder):
    write_transforms(folder)
    write_frames(folder)
