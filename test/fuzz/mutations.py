"""Mutations of an ONNX model: of the bytes of its file, of the fields of its messages, and of the types of its inputs.

A field keeps its type, so mutations of the second kind pass the parser and reach the importer, verifiers and shape inference. Those of the third kind reach
the rules of operators, since no other value has a stated type.
"""

from google.protobuf.descriptor import FieldDescriptor

INTEGERS = (-(2**63), -(2**31) - 1, -2, -1, 0, 1, 2, 3, 7, 17, 64, 1 << 16, 2**31 - 1, 2**31, 2**32, 2**62, 2**63 - 1)
SHAPES = ((), (0,), (3,), (2, 3), (2, 3, 4), (2, 3, 4, 5), (0, 4, 8), (1,) * 9, ("a",), ("a", "b", "c"), ("a", "b", "a", 4))
FLOATS = (0.0, -0.0, 1.0, -1.0, 1e-30, 3e38, float("inf"), float("-inf"), float("nan"))


# ---- bytes ----

def weight_ranges(model, data):
    """Returns the ranges of raw weights in `data`, whose mutation would not change the structure."""
    ranges, start = [], 0
    for tensor in model.graph.initializer:
        if len(tensor.raw_data) >= 16:
            position = data.find(tensor.raw_data, start)
            if position >= 0:
                ranges.append((position, position + len(tensor.raw_data)))
    return ranges


def choose_position(random, size, ranges):
    for _ in range(20):
        position = random.randrange(size)
        if not any(begin <= position < end for begin, end in ranges):
            return position
    return position


def mutate_bytes(random, model, data):
    """Returns `data` with one to eight changes."""
    ranges = weight_ranges(model, data)
    result = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        if not result:
            break
        position = choose_position(random, len(result), ranges)
        length = random.choice((1, 1, 2, 4, 16, 64))
        kind = random.randrange(6)
        if kind == 0:
            result[position] ^= 1 << random.randrange(8)
        elif kind == 1:
            result[position] = random.choice((0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)))
        elif kind == 2 and len(result) > length + 1:
            del result[position : position + length]
        elif kind == 3:
            result[position:position] = result[position : position + length]
        elif kind == 4:
            result[position:position] = random.randbytes(length)
        elif len(result) > 64 and random.random() < 0.3:
            del result[position:]
    return bytes(result) or b"\0"


# ---- fields ----

def all_messages(message):
    """Yields `message` and all messages in it, except data of tensors."""
    found = [message]
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for each in value if field.label == FieldDescriptor.LABEL_REPEATED else [value]:
                found += all_messages(each)
    return found


def all_names(model):
    return sorted({name for node in model.graph.node for name in [*node.input, *node.output]} | {"", "nowhere", "a\nb"})


def new_scalar(random, field, old, names):
    kinds = FieldDescriptor
    if field.cpp_type in (kinds.CPPTYPE_FLOAT, kinds.CPPTYPE_DOUBLE):
        return random.choice(FLOATS)
    if field.cpp_type == kinds.CPPTYPE_STRING:
        if field.type == kinds.TYPE_BYTES:
            return bytes(old)[: random.randrange(len(old) + 1)] + random.choice((b"", b"\xff\x00", b"NOTSET", b"VALID"))
        return random.choice((random.choice(names), old[: random.randrange(len(old) + 1)], old + "x"))
    if field.cpp_type == kinds.CPPTYPE_ENUM:
        return random.choice(field.enum_type.values).number
    bits = 32 if field.cpp_type in (kinds.CPPTYPE_INT32, kinds.CPPTYPE_UINT32) else 64
    low, high = (0, 2**bits - 1) if field.cpp_type in (kinds.CPPTYPE_UINT32, kinds.CPPTYPE_UINT64) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    value = random.choice((*INTEGERS, old + 1, old - 1, old * 2, random.randrange(30)))
    return min(max(value, low), high)


def mutate_repeated(random, field, values, names):
    kind = random.randrange(4)
    index = random.randrange(len(values))
    is_message = field.type == FieldDescriptor.TYPE_MESSAGE
    if kind == 0:
        del values[index]
    elif kind == 1:
        values.insert(index, values[index]) if not is_message else values.add().CopyFrom(values[index])
    elif kind == 2 and len(values) > 1:
        other = random.randrange(len(values))
        if is_message:
            copy = type(values[index])()
            copy.CopyFrom(values[index])
            values[index].CopyFrom(values[other])
            values[other].CopyFrom(copy)
        else:
            values[index], values[other] = values[other], values[index]
    elif not is_message:
        values[index] = new_scalar(random, field, values[index], names)


def mutate_fields(random, model):
    """Changes one to four fields of `model` in place, and returns it."""
    names = all_names(model)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        message = random.choice(all_messages(model))
        fields = [(field, value) for field, value in message.ListFields()]
        if not fields:
            continue
        field, value = random.choice(fields)
        if field.label == FieldDescriptor.LABEL_REPEATED:
            mutate_repeated(random, field, value, names)
        elif field.type == FieldDescriptor.TYPE_MESSAGE or random.random() < 0.2:
            message.ClearField(field.name)
        else:
            setattr(message, field.name, new_scalar(random, field, value, names))


# ---- types ----

def retype(random, value):
    """Gives an input another shape, and sometimes another element type."""
    tensor = value.type.tensor_type
    tensor.shape.ClearField("dim")
    for size in random.choice(SHAPES):
        tensor.shape.dim.add(**{"dim_param" if isinstance(size, str) else "dim_value": size})
    if not tensor.elem_type or random.random() < 0.25:
        tensor.elem_type = random.randrange(1, 17)


def mutate_types(random, model):
    """Changes the types of one or more inputs of `model` in place; constants may become inputs."""
    graph = model.graph
    del graph.value_info[:]
    for output in graph.output:
        output.type.tensor_type.ClearField("shape")
    for index in reversed(range(len(graph.initializer))):
        if random.random() < 0.25:
            graph.input.add(name=graph.initializer[index].name)
            retype(random, graph.input[-1])
            del graph.initializer[index]
    tensors = [value for value in graph.input if value.type.HasField("tensor_type")]
    for value in random.sample(tensors, random.randint(min(1, len(tensors)), len(tensors))):
        retype(random, value)
