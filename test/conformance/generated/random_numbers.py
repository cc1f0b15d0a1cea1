"""Operators of random numbers. Their generator is documented in docs/operators.md, so that NumPy computes the same numbers."""

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(23)


def mix(x):
    x = numpy.asarray(x, numpy.uint32)
    with numpy.errstate(over="ignore"):
        x = (x ^ x >> numpy.uint32(16)) * numpy.uint32(0x7FEB352D)
        x = (x ^ x >> numpy.uint32(15)) * numpy.uint32(0x846CA68B)
    return x ^ x >> numpy.uint32(16)


def uniform(shape, seed, stream=0):
    start = (int(mix(numpy.float32(seed).view(numpy.uint32))) + stream) % 2**32
    bits = mix(mix(numpy.arange(numpy.prod(shape, dtype=int))) ^ mix(start))
    return ((bits >> numpy.uint32(8)) * numpy.float32(2**-24)).astype(numpy.float32).reshape(shape)


def normal(shape, seed):
    first, second = numpy.float32(1) - uniform(shape, seed), uniform(shape, seed, 1)
    return numpy.sqrt(numpy.float32(-2) * numpy.log(first)) * numpy.cos(numpy.float32(2 * numpy.pi) * second)


def write_cases(folder):
    like = RANDOM.standard_normal((2, 5, 3))
    write_case(folder, "random_uniform", "RandomUniform", [], [uniform((3, 700), 7.5) * 4 - 1], opset=22, shape=[3, 700], low=-1.0, high=3.0, seed=7.5)
    write_case(folder, "random_uniform_large", "RandomUniform", [], [uniform((20000,), 1)], opset=22, shape=[20000], seed=1.0)
    write_case(folder, "random_uniform_like", "RandomUniformLike", [like.astype(numpy.int32)], [uniform(like.shape, 0).astype(numpy.float64)],
               opset=22, dtype=11, seed=0.0)
    write_case(folder, "random_normal", "RandomNormal", [], [(normal((4, 9), 3) * 2 + 1).astype(numpy.float16)], opset=22, shape=[4, 9], dtype=10,
               mean=1.0, scale=2.0, seed=3.0)
    write_case(folder, "random_normal_like", "RandomNormalLike", [like.astype(numpy.float32)], [normal(like.shape, -2)], opset=22, seed=-2.0)
    chance = RANDOM.uniform(0, 1, (6, 7)).astype(numpy.float32)
    write_case(folder, "random_bernoulli", "Bernoulli", [chance], [(uniform(chance.shape, 5) < chance).astype(numpy.int8)], opset=22, dtype=3, seed=5.0)
    scores = RANDOM.standard_normal((3, 4)).astype(numpy.float32)
    shift = -numpy.log(-numpy.log(uniform((3, 10, 4), 9)))
    write_case(folder, "random_multinomial", "Multinomial", [scores], [(scores[:, None] + shift).argmax(2)], opset=22, sample_size=10, dtype=7, seed=9.0)
    for name, training in (("training", True), ("inference", False)):
        x, ratio = RANDOM.standard_normal((4, 5)).astype(numpy.float32), numpy.array(0.25, numpy.float32)
        mask = (uniform(x.shape, 11) >= ratio) | (not training)
        y = numpy.where(mask, x / (1 - ratio) if training else x, numpy.float32(0))
        write_case(folder, f"dropout_{name}", "Dropout", [x, ratio, numpy.array(training)], [y.astype(numpy.float32), mask], opset=22, seed=11)
