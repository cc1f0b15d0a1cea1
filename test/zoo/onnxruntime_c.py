"""ONNX Runtime through its C interface, for systems where the Python package is missing but the shared library is at hand.

The functions sit in a table whose order the project promises to keep, so they are called by position.
"""

import ctypes
import os
import pathlib
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_size_t, c_void_p

import numpy as np

LIBRARY_VARIABLE = "ORT_LIBRARY"


def find_library():
    """The library that the variable names, or the one that utils/check fetched; None without either."""
    fetched = pathlib.Path(__file__).resolve().parents[2].glob("build/peers/node_modules/onnxruntime-node/bin/*/linux/*/libonnxruntime.so*")
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine)
    return os.environ.get(LIBRARY_VARIABLE) or next((str(path) for path in fetched if path.parent.name == machine), None)


_API_VERSION = 12
_POSITION = {
    "GetErrorMessage": 2, "CreateEnv": 3, "CreateSession": 7, "CreateSessionFromArray": 8, "Run": 9, "CreateSessionOptions": 10,
    "SetOptimizedModelFilePath": 11,
    "SetSessionGraphOptimizationLevel": 23, "SetIntraOpNumThreads": 24, "SessionGetOutputCount": 31, "SessionGetOutputName": 37,
    "CreateTensorWithDataAsOrtValue": 49, "GetTensorMutableData": 51, "GetTensorElementType": 60, "GetDimensionsCount": 61,
    "GetDimensions": 62, "GetTensorTypeAndShape": 65, "CreateCpuMemoryInfo": 69, "GetAllocatorWithDefaultOptions": 78,
    "ReleaseStatus": 93, "ReleaseSession": 95, "ReleaseValue": 96, "ReleaseTensorTypeAndShapeInfo": 99,
    "ReleaseSessionOptions": 100,
}
_ELEMENT = {
    1: np.float32, 2: np.uint8, 3: np.int8, 5: np.int16, 6: np.int32, 7: np.int64, 9: np.bool_, 10: np.float16, 11: np.float64,
}
_ELEMENT_CODE = {np.dtype(element): code for code, element in _ELEMENT.items()}


class Runtime:
    """The loaded library with one environment."""

    def __init__(self, path):
        library = ctypes.CDLL(path)
        library.OrtGetApiBase.restype = POINTER(c_void_p)
        get_api = ctypes.CFUNCTYPE(c_void_p, ctypes.c_uint32)(library.OrtGetApiBase()[0])
        self._library = library
        self._table = ctypes.cast(get_api(_API_VERSION), POINTER(c_void_p))
        self._environment = c_void_p()
        errors_only = 3
        self.call("CreateEnv", c_int(errors_only), b"zoo", byref(self._environment))
        self._memory = c_void_p()
        arena, default = 1, 0
        self.call("CreateCpuMemoryInfo", c_int(arena), c_int(default), byref(self._memory))
        self._allocator = c_void_p()
        self.call("GetAllocatorWithDefaultOptions", byref(self._allocator))

    def _function(self, name, result):
        # Arguments are passed as ctypes objects, which carry their own types.
        return ctypes.CFUNCTYPE(result)(self._table[_POSITION[name]])

    def call(self, name, *arguments):
        status = self._function(name, c_void_p)(*arguments)
        if status:
            message = self._function("GetErrorMessage", c_char_p)(c_void_p(status)).decode()
            self.release("ReleaseStatus", c_void_p(status))
            raise RuntimeError(f"{name}: {message}")

    def release(self, name, handle):
        self._function(name, None)(handle)


EXTENDED = 2  # the optimisations of this level do not depend on the processor


class Session:
    """One model. `optimise` off runs the nodes as written, for looking at what lies between them; with `saved` the model is written there as `level` leaves it."""

    def __init__(self, runtime, model, optimise=True, threads=1, level=99, saved=None):
        self._runtime = runtime
        self._session = c_void_p()
        options = c_void_p()
        runtime.call("CreateSessionOptions", byref(options))
        runtime.call("SetIntraOpNumThreads", options, c_int(threads))
        runtime.call("SetSessionGraphOptimizationLevel", options, c_int(level if optimise else 0))
        if saved:
            runtime.call("SetOptimizedModelFilePath", options, str(saved).encode())
        if isinstance(model, bytes):
            target = (model, c_size_t(len(model)))
            runtime.call("CreateSessionFromArray", runtime._environment, *target, options, byref(self._session))
        else:
            path = str(model).encode()
            runtime.call("CreateSession", runtime._environment, path, options, byref(self._session))
        runtime.release("ReleaseSessionOptions", options)
        self.output_names = self._output_names()

    def close(self):
        self._runtime.release("ReleaseSession", self._session)

    def _output_names(self):
        count = c_size_t()
        self._runtime.call("SessionGetOutputCount", self._session, byref(count))
        names = []
        for index in range(count.value):
            name = c_char_p()
            allocator = self._runtime._allocator
            self._runtime.call("SessionGetOutputName", self._session, c_size_t(index), allocator, byref(name))
            names.append(name.value.decode())
        return names

    def _tensor(self, array):
        value = c_void_p()
        shape = (c_int64 * array.ndim)(*array.shape)
        data = (array.ctypes.data_as(c_void_p), c_size_t(array.nbytes))
        kind = c_int(_ELEMENT_CODE[array.dtype])
        memory = self._runtime._memory
        self._runtime.call(
            "CreateTensorWithDataAsOrtValue", memory, *data, shape, c_size_t(array.ndim), kind, byref(value)
        )
        return value

    def _array(self, value):
        info, rank, kind, data = c_void_p(), c_size_t(), c_int(), c_void_p()
        call = self._runtime.call
        call("GetTensorTypeAndShape", value, byref(info))
        call("GetDimensionsCount", info, byref(rank))
        shape = (c_int64 * rank.value)()
        call("GetDimensions", info, shape, rank)
        call("GetTensorElementType", info, byref(kind))
        self._runtime.release("ReleaseTensorTypeAndShapeInfo", info)
        array = np.empty(tuple(shape), _ELEMENT[kind.value])
        call("GetTensorMutableData", value, byref(data))
        if array.nbytes:
            ctypes.memmove(array.ctypes.data, data, array.nbytes)
        return array

    def run(self, feeds):
        """Takes and returns arrays by name."""
        arrays = [np.ascontiguousarray(array) for array in feeds.values()]
        values = [self._tensor(array) for array in arrays]
        results = (c_void_p * len(self.output_names))()
        in_names = (c_char_p * len(feeds))(*[name.encode() for name in feeds])
        out_names = (c_char_p * len(results))(*[name.encode() for name in self.output_names])
        inputs = (c_void_p * len(values))(*[value.value for value in values])
        try:
            self._runtime.call(
                "Run", self._session, None, in_names, inputs, c_size_t(len(values)), out_names, c_size_t(len(results)), results
            )
            return {name: self._array(c_void_p(value)) for name, value in zip(self.output_names, results)}
        finally:
            for value in [*values, *(c_void_p(result) for result in results if result)]:
                self._runtime.release("ReleaseValue", value)
