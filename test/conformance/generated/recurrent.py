"""Recurrent layers in double precision, step by step: directions, layouts, lengths, activations, states and peepholes."""

import numpy

from backend_case import write_case

RANDOM = numpy.random.default_rng(21)
STEPS, BATCH, INPUT, HIDDEN = 5, 3, 4, 3
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
DEFAULTS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
# With the alpha and beta that the nodes have as attributes.
ACTIVATIONS = {
    "Tanh": (numpy.tanh, 0, 0), "Sigmoid": (lambda x: 1 / (1 + numpy.exp(-x)), 0, 0), "Relu": (lambda x: numpy.maximum(x, 0), 0, 0),
    "HardSigmoid": (lambda x: numpy.clip(0.3 * x + 0.4, 0, 1), 0.3, 0.4), "Softsign": (lambda x: x / (1 + abs(x)), 0, 0),
    "LeakyRelu": (lambda x: numpy.where(x < 0, 0.2 * x, x), 0.2, 0), "Elu": (lambda x: numpy.where(x < 0, 0.7 * (numpy.exp(x) - 1), x), 0.7, 0),
    "Affine": (lambda x: 1.2 * x + 0.1, 1.2, 0.1), "ScaledTanh": (lambda x: 1.1 * numpy.tanh(0.8 * x), 1.1, 0.8),
}
MIXED = ["HardSigmoid", "Softsign", "LeakyRelu", "Sigmoid", "Elu", "Affine"]


def random(*shape):
    return (RANDOM.standard_normal(shape) / 2).astype(numpy.float32)


def step(kind, x, h, c, w, r, b, p, act, *, couples, scales_bias):
    """Returns the next hidden and cell state of one row; `act` clips and applies the n-th activation."""
    part = lambda v, n: v[n * HIDDEN:(n + 1) * HIDDEN]
    wide = GATES[kind] * HIDDEN
    from_x, from_h = x @ w.T + b[:wide], h @ r.T + b[wide:]
    if kind == "RNN":
        return act(0, from_x + from_h), c
    if kind == "GRU":
        update, reset = (act(0, part(from_x, n) + part(from_h, n)) for n in (0, 1))
        hidden = reset * part(from_h, 2) if scales_bias else (reset * h) @ part(r, 2).T + part(b[wide:], 2)
        return (1 - update) * act(1, part(from_x, 2) + hidden) + update * h, c
    gates = from_x + from_h
    entry = act(0, part(gates, 0) + part(p, 0) * c)
    forget = 1 - entry if couples else act(0, part(gates, 2) + part(p, 2) * c)
    cell = forget * c + entry * act(1, part(gates, 3))
    return act(0, part(gates, 1) + part(p, 1) * cell) * act(2, cell, clips=False), cell


def run(kind, x, w, r, b, lengths, h0, c0, p, *, direction, names, clip, couples, scales_bias):
    directions, per = len(w), len(DEFAULTS[kind])
    y = numpy.zeros((STEPS, directions, BATCH, HIDDEN))
    last = numpy.zeros((2, directions, BATCH, HIDDEN))
    for d in range(directions):
        def act(number, value, clips=True, d=d):
            return ACTIVATIONS[names[d * per + number]][0](numpy.clip(value, -clip, clip) if clip and clips else value)
        for row in range(BATCH):
            h, c = (numpy.zeros(HIDDEN) if start is None else start[d, row].astype(float) for start in (h0, c0))
            times = range(STEPS if lengths is None else lengths[row])
            for time in reversed(times) if direction == "reverse" or d == 1 else times:
                h, c = step(kind, x[time, row].astype(float), h, c, w[d].astype(float), r[d].astype(float),
                            numpy.zeros(2 * GATES[kind] * HIDDEN) if b is None else b[d].astype(float),
                            numpy.zeros(3 * HIDDEN) if p is None else p[d].astype(float), act, couples=couples, scales_bias=scales_bias)
                y[time, d, row] = h
            last[:, d, row] = h, c
    return [array.astype(numpy.float32) for array in (y, *last)]


def write_layer(folder, name, kind, direction="forward", layout=0, bias=True, lengths=None, states=False, activations=None, clip=None, special=False,
                wants_all=True, all_numbers=True):
    """Writes a test. `special`: peepholes and coupled gates of an LSTM, linear_before_reset of a GRU. `all_numbers`: alpha and beta also for functions without them."""
    directions, is_lstm = 2 if direction == "bidirectional" else 1, kind == "LSTM"
    wide = GATES[kind] * HIDDEN
    start = lambda wanted: random(directions, BATCH, HIDDEN) if wanted else None
    inputs = [random(STEPS, BATCH, INPUT), random(directions, wide, INPUT), random(directions, wide, HIDDEN), random(directions, 2 * wide) if bias else None,
              None if lengths is None else numpy.array(lengths, numpy.int32), start(states), start(states and is_lstm),
              random(directions, 3 * HIDDEN) if special and is_lstm else None]
    names = (activations or DEFAULTS[kind] * directions)[:len(DEFAULTS[kind]) * directions]
    outputs = run(kind, *inputs, direction=direction, names=names, clip=clip, couples=special, scales_bias=special)
    if layout:
        swap = lambda array: None if array is None else array.swapaxes(0, 1).copy()
        inputs[0], inputs[5], inputs[6] = map(swap, (inputs[0], inputs[5], inputs[6]))
        outputs = [outputs[0].transpose(2, 0, 1, 3).copy(), swap(outputs[1]), swap(outputs[2])]
    attributes = dict(hidden_size=HIDDEN, direction=direction, layout=layout, **({"clip": clip} if clip else {}))
    if activations:
        alpha, beta = ([float(ACTIVATIONS[each][number]) for each in names if all_numbers or ACTIVATIONS[each][number]] for number in (1, 2))
        attributes.update(activations=names, activation_alpha=alpha, activation_beta=beta)
    if special and kind != "RNN":
        attributes["input_forget" if is_lstm else "linear_before_reset"] = 1
    inputs = inputs if is_lstm else inputs[:6]
    while inputs[-1] is None:
        inputs.pop()
    outputs = outputs if is_lstm else outputs[:2]
    write_case(folder, f"{kind.lower()}_{name}", kind, inputs, outputs if wants_all else [None] + outputs[1:], opset=22, **attributes)


def write_cases(folder):
    lengths = [5, 2, 3]
    for kind in GATES:
        write_layer(folder, "batch_first", kind, layout=1)
        write_layer(folder, "reverse_lengths", kind, direction="reverse", lengths=lengths, states=True, wants_all=False)
        write_layer(folder, "both_lengths", kind, direction="bidirectional", lengths=lengths, states=True)
        write_layer(folder, "both_activations", kind, direction="bidirectional", layout=1, bias=False, lengths=lengths, activations=MIXED, clip=0.8)
        write_layer(folder, "fewer_numbers", kind, direction="bidirectional", activations=["Softsign", *MIXED], all_numbers=False)
        write_layer(folder, "special", kind, direction="reverse", layout=1, lengths=lengths, states=True,
                    activations=["Sigmoid", "ScaledTanh", "Tanh"], special=True)
        write_layer(folder, "special_clip", kind, bias=False, states=True, activations=["Sigmoid", "Relu", "Tanh"], clip=0.5, special=True, wants_all=False)
