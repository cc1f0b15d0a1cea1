"""Mutations of a tuning record: of the bytes of its line, of its JSON fields, and of the steps of its schedule.

A changed schedule becomes the best of its task, so that compiling tries it.
"""

import json
import re

import onnx

from mutations import INTEGERS, mutate_bytes

CONTROLS = '"\\u001b[2J\\u001b]0;title\\u0007\\r\\u0000\\u009b1m\\u202e"'
# Texts of JSON values, and invalid ones.
VALUES = ("null", "true", '""', "[]", "{}", "NaN", "-Infinity", "1e999", "-1e999", "1e308", "5e-324", "-0", "0", "0.0", "1.5", "1e-300", '"x"', '"\\ud800"',
          CONTROLS, "[" * 100000 + "]" * 100000, '{"a":' * 5000 + "1" + "}" * 5000, "[" + "1," * 100000 + "1]", "[" + "1e-3," * 9998 + "1e-3]", '"' + "a" * 1000000 + '"',
          '"<script>&"', "9" * 400, *map(str, INTEGERS))
STEPS = ("tile<nest = 0, dim = {}, size = {}>", "vectorize<nest = 0, dim = {}, lanes = {}>", "parallel<nest = 0, loops = {}, inside = {}>", "pack<nest = 0, buffer = {}>",
         "prefetch<nest = 0, buffer = {}>", "dot<nest = 0, dim = {}>", "rfactor<nest = 0, loop = {}>", "flatten<nest = 0, dim = {}>", "inline<nest = {}>",
         "winograd<nest = 0, outputs = 4, rows = {}, columns = {}>", "winograd<nest = 0, outputs = 2, rows = {}, columns = {}, channels = {}, depth = {}>",
         "fuse<nest = 0, last = {}, size = {}>")
SMALL = (0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 64, 100, 1000)


def spell(record, place, text):
    """Returns the line of the record in which the value at `place`, a list of keys, is replaced by `text`."""
    mark = "the value that is spelled otherwise"
    copy = json.loads(json.dumps(record))
    inner = copy
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = mark
    return json.dumps(copy).replace(json.dumps(mark), text)


def places_of(value, place=()):
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield [*place, key]
        yield from places_of(inner, (*place, key))


def mutate_fields(random, record):
    place = random.choice(list(places_of(record)))
    kind = random.randrange(10)
    if kind == 0:
        record.pop(place[0])
        return json.dumps(record)
    if kind == 1:
        return json.dumps(record)[:-1] + f", {json.dumps(place[0])}: {random.choice(VALUES)}" + "}"
    if kind == 2:
        return spell(record, place, json.dumps(record[random.choice(list(record))]))
    return spell(record, place, random.choice(VALUES))


def random_step(random):
    numbers = INTEGERS if random.random() < 0.2 else SMALL
    step = random.choice(STEPS)
    return "#schedule." + step.format(*(random.choice(numbers) for _ in range(step.count("{}"))))


def nested(random):
    """Returns a deeply nested text, for recursive parsers."""
    depth = random.choice((3, 100, 100000))
    opening, closing = random.choice((("#schedule.steps<", ">"), ("[", "]"), ("(", ")"), ("{a = ", "}"), ("tuple<", ">"), ("vector<4xvector<", ">>"), ("// >\n<", "")))
    return opening * depth + closing * depth


def mutate_schedule(random, schedule):
    steps = re.findall(r"#schedule\.[a-z]+<[^<>]*>", schedule)
    kind = random.randrange(12)
    if kind == 0:
        return nested(random)
    if kind == 1:
        steps.insert(random.randrange(len(steps) + 1), nested(random))
    elif kind == 2:
        return mutate_bytes(random, onnx.ModelProto(), schedule.encode()).decode(errors="replace")
    elif kind == 3:
        dim, size = random.randrange(4), random.choice((2, 7, 100))
        steps += [f"#schedule.tile<nest = 0, dim = {dim}, size = {max(1, size - number)}>" for number in range(random.choice((5, 30, 1000, 100000)))]
    elif kind == 4 and steps:
        steps += [random.choice(steps)] * random.choice((1, 2, 100, 20000))
    elif kind == 5 and steps:
        steps.pop(random.randrange(len(steps)))
    elif kind == 6:
        random.shuffle(steps)
    elif kind < 9 or not steps:
        for _ in range(random.choice((1, 1, 2, 5))):
            steps.insert(random.randrange(len(steps) + 1), random_step(random))
    else:
        for _ in range(random.choice((1, 1, 2, 4))):
            at = random.randrange(len(steps))
            numbers = list(re.finditer(r"\d+", steps[at]))
            chosen = random.choice(numbers)
            value = random.choice(SMALL if random.random() < 0.7 else INTEGERS)
            steps[at] = steps[at][: chosen.start()] + str(value) + steps[at][chosen.end() :]
    return "#schedule.steps<" + ", ".join(steps) + ">"


def mutate_record(random, line):
    """Returns the bytes of a mutated record's line."""
    record = json.loads(line)
    chance = random.random()
    if chance < 0.2:
        return mutate_bytes(random, onnx.ModelProto(), line.encode())
    if chance < 0.55:
        return mutate_fields(random, record).encode()
    record["schedule"] = mutate_schedule(random, record["schedule"])
    record.update(level="release", costs=[1e-9], default_costs=[1.0], proof={"reference": "naive", "seed": 1, "max_abs": 0, "max_ulp": 0, "bound": 1})
    record.pop("error", None)
    return json.dumps(record).encode()
