"""ONNX Runtime, through its C interface, in a process of its own that may crash.

As a program: `peer.py LIBRARY` reads pairs of a model's path and its inputs from standard input and answers each; as a module, Peer is the other
side of it. The places in the function table are those of utils/Driver/Run/OrtApi.h.
"""

import ctypes
import os
import pathlib
import pickle
import select
import struct
import subprocess
import sys

import numpy as np

from element_types import NAMES, STORAGE, number_of

API_VERSION = 17
# Cases in which ONNX Runtime 1.30 is wrong, or which the specification does not define: (operator, element type or None for all): description.
FAULTS = {
    ("Attention", "f64"): "multiplies by a scale rounded to float32",
    ("BlackmanWindow", "f64"): "takes factors rounded to float32",
    ("HammingWindow", "f64"): "takes a factor rounded to eight digits",
    ("GroupNormalization", "f64"): "normalises in float32",
    ("HardSwish", "f64"): "multiplies by a sixth rounded to float32",
    ("Gelu", "f64"): "approximates with constants rounded to float32",
    ("MeanVarianceNormalization", None): "takes the root of a variance that rounding made negative",
    ("ReduceSum", "i32"): "ends at the largest number instead of wrapping",
    ("ReduceL1", "i32"): "ends at the largest number instead of wrapping",
    ("ReduceSumSquare", "i64"): "ends at the largest number instead of wrapping",
    ("ReduceSumSquare", "i32"): "ends at the largest number instead of wrapping",
    ("Clip", "i64"): "leaves some numbers outside the limits",
    ("Min", "i64"): "takes the larger of some numbers",
    ("Max", "i64"): "takes the smaller of some numbers",
    ("Shrink", "i32"): "rounds integers to float32",
    ("Shrink", "i64"): "rounds integers to float32",
    ("Shrink", "u32"): "rounds integers to float32",
    ("Shrink", "u64"): "rounds integers to float32",
    ("Shrink", "f64"): "rounds numbers to float32",
    ("Relu", "i64"): "looks at the lower 32 bits alone",
    ("Sign", "i64"): "looks at the lower 32 bits alone",
}
# The same for operands without elements.
FAULTS_OF_EMPTY = {
    "Gemm": "leaves out beta where sums have no terms",
    "MatMul": "leaves sums of nothing of float16 as they were in memory",
    "Shape": "takes the empty shape of a scalar for one of a dimension",
    "MatMulInteger": "leaves sums of nothing as they were in memory",
}
# The same for nodes whose results have a dimension of size 1.
FAULTS_OF_ONE = {
    "AffineGrid": "puts the only point of a dimension at 1, PyTorch puts it at 0",
}

# On x86-64 without VNNI, these add two products of a u8 and an i8 in 16 bits, with saturation.
PAIRS_OF_BYTES = ("MatMulInteger", "ConvInteger", "QLinearMatMul", "QLinearConv")


def adds_pairs_of_bytes():
    return os.uname().machine == "x86_64" and not any(each.endswith("_vnni") for each in pathlib.Path("/proc/cpuinfo").read_text().split())


class Refused(Exception):
    """ONNX Runtime cannot load or run the model."""


class Runtime:
    def __init__(self, path):
        library = ctypes.CDLL(path)
        library.OrtGetApiBase.restype = ctypes.POINTER(ctypes.c_void_p * 2)
        get_api = ctypes.CFUNCTYPE(ctypes.POINTER(ctypes.c_void_p * 200), ctypes.c_uint32)(library.OrtGetApiBase().contents[0])
        self.table = get_api(API_VERSION).contents
        self.environment = self.out(3, 4, b"fuzz")  # only fatal errors
        self.memory = self.out(69, 1, 0)
        self.allocator = self.out(78)
        self.options = self.out(10)
        self.call(23, self.options, 0)
        self.call(24, self.options, 1)

    def function(self, place, result, *arguments):
        kinds = [ctypes.c_size_t if isinstance(each, int) else ctypes.c_char_p if isinstance(each, bytes) else None for each in arguments]
        types = [kind or (type(each) if isinstance(each, (ctypes._SimpleCData, ctypes.Array)) else ctypes.c_void_p) for kind, each in zip(kinds, arguments)]
        return ctypes.CFUNCTYPE(result, *types)(self.table[place])(*arguments)

    def call(self, place, *arguments):
        status = self.function(place, ctypes.c_void_p, *arguments)
        if status:
            message = ctypes.string_at(self.function(2, ctypes.c_void_p, ctypes.c_void_p(status)))
            self.function(93, None, ctypes.c_void_p(status))
            raise Refused(message.decode(errors="replace"))

    def out(self, place, *arguments):
        made = ctypes.c_void_p()
        self.call(place, *arguments, ctypes.byref(made))
        return made

    def run(self, path, inputs, outputs):
        """Runs a model. `inputs`: name to type and array. `outputs`: names. Returns the arrays of the outputs."""
        session, values, made = None, [], []
        try:
            session = self.out(7, self.environment, os.fsencode(path), self.options)
            for type_, array in inputs.values():
                array = np.ascontiguousarray(array)
                shape = (ctypes.c_int64 * max(1, array.ndim))(*array.shape)
                data = array.ctypes.data_as(ctypes.c_void_p)
                values.append((self.out(49, self.memory, data, array.nbytes, ctypes.cast(shape, ctypes.c_void_p), array.ndim, ctypes.c_int(number_of(type_))), array, shape))
            names = (ctypes.c_char_p * max(1, len(inputs)))(*[name.encode() for name in inputs])
            wanted = (ctypes.c_char_p * len(outputs))(*[name.encode() for name in outputs])
            given = (ctypes.c_void_p * max(1, len(inputs)))(*[value.value for value, _, _ in values])
            results = (ctypes.c_void_p * len(outputs))()
            self.call(9, session, ctypes.c_void_p(), ctypes.cast(names, ctypes.c_void_p), ctypes.cast(given, ctypes.c_void_p), len(inputs),
                      ctypes.cast(wanted, ctypes.c_void_p), len(outputs), ctypes.cast(results, ctypes.c_void_p))
            made = [ctypes.c_void_p(each) for each in results]
            return [self.read(value) for value in made]
        finally:
            for value in [*made, *[each[0] for each in values]]:
                self.function(96, None, value)
            if session:
                self.function(95, None, session)

    def read(self, value):
        info = self.out(65, value)
        kind, rank = ctypes.c_int(), ctypes.c_size_t()
        self.call(60, info, ctypes.byref(kind))
        self.call(61, info, ctypes.byref(rank))
        shape = (ctypes.c_int64 * max(1, rank.value))()
        self.call(62, info, ctypes.cast(shape, ctypes.c_void_p), rank.value)
        self.function(99, None, info)
        shape = tuple(shape[: rank.value])
        type_ = NAMES.get(kind.value)
        if type_ is None or type_ == "string":
            raise Refused("an element type that is not compared")
        dtype, count = np.dtype(STORAGE[type_][1]), int(np.prod(shape, dtype=np.int64))
        if count == 0:
            return np.zeros(shape, dtype)
        data = self.out(51, value)
        return np.frombuffer(ctypes.string_at(data, count * dtype.itemsize), dtype).reshape(shape)


class Peer:
    """Starts the process on demand, and again after a model has ended it."""

    def __init__(self, library, seconds=30):
        self.library, self.seconds, self.process = library, seconds, None

    def run(self, path, inputs, outputs):
        """Returns the outputs. Raises Refused, also if ONNX Runtime crashes."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([sys.executable, __file__, self.library], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        request = pickle.dumps((str(path), inputs, outputs))
        try:
            self.process.stdin.write(struct.pack("<Q", len(request)) + request)
            self.process.stdin.flush()
            if not select.select([self.process.stdout], [], [], self.seconds)[0]:
                raise EOFError
            head = self.process.stdout.read(8)
            if len(head) < 8:
                raise EOFError
            answer = pickle.loads(self.process.stdout.read(struct.unpack("<Q", head)[0]))
        except (EOFError, OSError):
            self.close()
            raise Refused("onnxruntime crashed or did not end")
        if isinstance(answer, str):
            raise Refused(answer)
        return answer

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


def find_library():
    """Finds the library as cameo does: ORT_LIBRARY, or the npm package in build/peers."""
    if "ORT_LIBRARY" in os.environ:
        return os.environ["ORT_LIBRARY"]
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine, "")
    found = sorted(pathlib.Path(__file__).resolve().parents[2].glob(f"build/peers/node_modules/onnxruntime-node/bin/napi-*/linux/{machine}/libonnxruntime.so*"))
    return str(found[0]) if found else None


def main():
    runtime = Runtime(sys.argv[1])
    reader, writer = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    while head := reader.read(8):
        path, inputs, outputs = pickle.loads(reader.read(struct.unpack("<Q", head)[0]))
        try:
            answer = runtime.run(path, inputs, outputs)
        except Refused as reason:
            answer = str(reason)
        data = pickle.dumps(answer)
        writer.write(struct.pack("<Q", len(data)) + data)
        writer.flush()


if __name__ == "__main__":
    main()
