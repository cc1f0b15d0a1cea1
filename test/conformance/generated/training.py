"""Steps of optimisers after the first one, for several variables, in f32 and f64."""

import functools

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(19)
write_training = functools.partial(write_case, domain="ai.onnx.preview.training", opset=1)


def adam(rate, count, x, gradient, mean, squares, *, alpha, beta, epsilon, norm, post):
    gradient = norm * x + gradient
    mean, squares = alpha * mean + (1 - alpha) * gradient, beta * squares + (1 - beta) * gradient * gradient
    adjusted = rate * numpy.sqrt(1 - beta**count) / (1 - alpha**count) if count > 0 else rate
    return (1 - post) * (x - adjusted * mean / (numpy.sqrt(squares) + epsilon)), mean, squares


def adagrad(rate, count, x, gradient, squares, *, decay, epsilon, norm):
    gradient = norm * x + gradient
    squares = squares + gradient * gradient
    return x - rate / (1 + count * decay) * gradient / (numpy.sqrt(squares) + epsilon), squares


def momentum(rate, count, x, gradient, velocity, *, alpha, beta, norm, nesterov):
    gradient = norm * x + gradient
    velocity = alpha * velocity + (beta if count > 0 else 1) * gradient
    return x - rate * (gradient + alpha * velocity if nesterov else velocity), velocity


def write_step(folder, name, operator, step, kinds, element_type, count, **attributes):
    """Writes a step for two variables of different shapes; inputs are grouped by kind."""
    variables = [[RANDOM.uniform(0.5, 2, shape).astype(element_type) for _ in range(kinds)] for shape in ((3,), (2, 4))]
    rate, count = numpy.array(0.1, element_type), numpy.array(count, numpy.int64)
    results = [[part.astype(element_type) for part in step(rate, count, *variable)] for variable in variables]
    together = lambda groups: [part for kind in zip(*groups) for part in kind]
    write_training(folder, name, operator, [rate, count, *together(variables)], together(results), **attributes)


def write_cases(folder):
    for name, element_type, count in (("first", numpy.float32, 0), ("fifth", numpy.float32, 5), ("double", numpy.float64, 2)):
        write_step(folder, f"adam_{name}", "Adam", functools.partial(adam, alpha=0.8, beta=0.95, epsilon=1e-2, norm=0.1, post=0.2), 4,
                   element_type, count, alpha=0.8, beta=0.95, epsilon=1e-2, norm_coefficient=0.1, norm_coefficient_post=0.2)
        write_step(folder, f"adagrad_{name}", "Adagrad", functools.partial(adagrad, decay=0.2, epsilon=1e-2, norm=0.1), 3, element_type, count,
                   decay_factor=0.2, epsilon=1e-2, norm_coefficient=0.1)
        for mode in ("standard", "nesterov"):
            write_step(folder, f"momentum_{mode}_{name}", "Momentum",
                       functools.partial(momentum, alpha=0.8, beta=0.6, norm=0.1, nesterov=mode == "nesterov"), 3, element_type, count, alpha=0.8,
                       beta=0.6, norm_coefficient=0.1, mode=mode)
