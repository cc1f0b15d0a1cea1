"""Element types as graphs name them: number in ONNX, how NumPy stores them, and what they are."""

import numpy as np

# bfloat16 is stored as its bits.
STORAGE = {
    "f32": (1, np.float32), "u8": (2, np.uint8), "i8": (3, np.int8), "u16": (4, np.uint16), "i16": (5, np.int16), "i32": (6, np.int32),
    "i64": (7, np.int64), "string": (8, object), "bool": (9, np.bool_), "f16": (10, np.float16), "f64": (11, np.float64), "u32": (12, np.uint32),
    "u64": (13, np.uint64), "bf16": (16, np.uint16),
}
NAMES = {number: name for name, (number, _) in STORAGE.items()}
FLOATS = ("f32", "f64", "f16", "bf16")
SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = SIGNED + UNSIGNED
NUMBERS = FLOATS + INTEGERS
WIDE = ("f32", "f64", "f16", "bf16", "i32", "i64", "u32", "u64")
ANY = NUMBERS + ("bool",)
BITS = {"f32": 32, "f64": 64, "f16": 16, "bf16": 16, "bool": 8, **{name: int(name[1:]) for name in INTEGERS}}
# Largest magnitude of values in graphs, well inside the range of the type.
LARGEST = {"f32": 1e6, "f64": 1e6, "f16": 1e3, "bf16": 1e6}


def number_of(name):
    return STORAGE[name][0]


def to_storage(name, numbers):
    """Returns numbers as elements of the type, rounded if necessary."""
    if name != "bf16":
        with np.errstate(all="ignore"):
            return np.asarray(numbers).astype(STORAGE[name][1])
    numbers = np.asarray(numbers, np.float32)
    bits = numbers.reshape(-1).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16).reshape(numbers.shape)


def from_storage(name, array):
    """Returns stored elements as numbers that NumPy can compute with."""
    return (array.reshape(-1).astype(np.uint32) << 16).view(np.float32).reshape(array.shape) if name == "bf16" else array


def from_bytes(name, data, shape):
    if name == "string":
        strings = data.split(b"\0")[:-1]
        return np.array(strings, object).reshape(shape)
    return np.frombuffer(data, STORAGE[name][1]).reshape(shape)


def to_bytes(name, array):
    if name == "string":
        return b"".join(bytes(string) + b"\0" for string in array.ravel())
    return np.ascontiguousarray(array).tobytes()


def integer_range(name):
    bits = BITS[name]
    return (0, 2**bits - 1) if name in UNSIGNED else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
