"""Runs compiled models with NumPy arrays in and out; one file, no build.

    $ cameo compile net.onnx --emit=lib            # net.so

    import cameo
    model = cameo.load("net.so")
    out = model(x=array)                           # {"y": array, ...}

Needs Python 3.9, NumPy and a shared library of this machine's architecture that holds its runtime, as --emit=lib makes them.
What is wrong with a call is an exception before the model runs: TypeError for names and element types, ValueError for shapes and
sizes; a status of the model itself is a cameo.Error. An array is passed as it is where it is C-contiguous and aligned, and copied
otherwise. Element types that NumPy lacks are their bits: bfloat16 in uint16, all floats of 8 bits and numbers of 4 and 2 bits in
uint8, one per byte; arrays of ml_dtypes are taken, too. Strings are str, in arrays of objects.

A model may be called from several threads at once: each call has memory of its own, and lets other Python threads run meanwhile.
"""

import collections
import ctypes
import math
import mmap
import operator
import os
import stat
import struct
import weakref

import numpy as np

__all__ = ["Error", "Model", "Tensor", "load"]

ABI_VERSION = 4  # CAMEO_ABI_VERSION of cameo/abi.h, whose structs are mirrored by the classes below
ALIGNMENT = 64
TEXT_AREA_FULL = 6
STRING = 8

# By cameo_element_type: the type in NumPy, and the name of a type that NumPy lacks.
ELEMENT_TYPES = {
    1: ("float32", None), 2: ("uint8", None), 3: ("int8", None), 4: ("uint16", None), 5: ("int16", None), 6: ("int32", None),
    7: ("int64", None), 8: ("object", "string"), 9: ("bool", None), 10: ("float16", None), 11: ("float64", None),
    12: ("uint32", None), 13: ("uint64", None), 16: ("uint16", "bfloat16"), 17: ("uint8", "float8_e4m3fn"),
    18: ("uint8", "float8_e4m3fnuz"), 19: ("uint8", "float8_e5m2"), 20: ("uint8", "float8_e5m2fnuz"), 21: ("uint8", "uint4"),
    22: ("uint8", "int4"), 23: ("uint8", "float4_e2m1fn"), 24: ("uint8", "float8_e8m0fnu"), 25: ("uint8", "uint2"),
    26: ("uint8", "int2"),
}


class Error(RuntimeError):
    """A model that cannot be used, or a run that failed; `status` is the cameo_status, or None."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


# ---- cameo/abi.h ----

class _TensorDescription(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_int64)), ("size_bytes", ctypes.c_uint64),
                ("rank", ctypes.c_int32), ("element_type", ctypes.c_int32)]


class _TextArea(ctypes.Structure):
    _fields_ = [("memory", ctypes.c_void_p), ("capacity", ctypes.c_uint64), ("used", ctypes.c_uint64)]


class _Context(ctypes.Structure):
    _fields_ = [("abi_version", ctypes.c_uint32), ("thread_count", ctypes.c_int32), ("parallel_for", ctypes.c_void_p),
                ("parallel_user", ctypes.c_void_p), ("profile", ctypes.c_void_p), ("profile_user", ctypes.c_void_p),
                ("weights", ctypes.c_void_p)]


class _ModelDescription(ctypes.Structure):
    _fields_ = [("abi_version", ctypes.c_uint32), ("struct_bytes", ctypes.c_uint32), ("name", ctypes.c_char_p),
                ("target", ctypes.c_char_p), ("inputs", ctypes.POINTER(_TensorDescription)),
                ("outputs", ctypes.POINTER(_TensorDescription)), ("tasks", ctypes.c_void_p),
                ("symbols", ctypes.POINTER(ctypes.c_char_p)), ("derived", ctypes.POINTER(ctypes.c_char_p)),
                ("input_count", ctypes.c_uint32), ("output_count", ctypes.c_uint32), ("task_count", ctypes.c_uint32),
                ("symbol_count", ctypes.c_uint32), ("derived_count", ctypes.c_uint32), ("greatest_count", ctypes.c_uint32),
                ("makes_texts", ctypes.c_uint32), ("weights_bytes", ctypes.c_uint64),
                ("external_weights_hash", ctypes.c_uint64), ("shared_inputs", ctypes.POINTER(ctypes.c_int32)),
                ("derived_size", ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_uint32)),
                ("workspace_size", ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)),
                ("run", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
                                         ctypes.c_void_p))]


class _Library(ctypes.Structure):
    """cameo_library of cameo/runtime.h."""
    _fields_ = [("abi_version", ctypes.c_uint32), ("struct_bytes", ctypes.c_uint32),
                ("status_message", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_int)),
                ("thread_pool_create", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))),
                ("thread_pool_destroy", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
                ("thread_pool_size", ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)),
                ("thread_pool_parallel_for", ctypes.c_void_p)]


# ---- what a library holds ----

def _map_file(path):
    # Opening a FIFO would block until it has a writer.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{path}: expected a regular file")
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if status.st_size else b""


def _find_descriptions(path):
    """Returns the prefixes of the models in a library: those of its data symbols in .dynsym that end in _description (ELF-64, System V ABI)."""
    suffix = b"_description"
    image = _map_file(path)
    try:
        if image[:6] != b"\x7fELF\x02\x01":
            raise ValueError(f"{path}: expected an ELF shared library of 64 bits")
        offset, = struct.unpack_from("<Q", image, 40)
        entry_bytes, count = struct.unpack_from("<HH", image, 58)
        sections = [struct.unpack_from("<IIQQQQIIQQ", image, offset + entry_bytes * index) for index in range(count)]
        prefixes = []
        for _, kind, _, _, begin, size, link, _, _, entry in sections:
            if kind != 11:  # SHT_DYNSYM
                continue
            names = sections[link][4]
            for at in range(begin, begin + size, entry):
                name, info, _, section = struct.unpack_from("<IBBH", image, at)
                text = image[names + name:image.find(b"\0", names + name)]
                if info & 15 == 1 and section != 0 and text.endswith(suffix):  # STT_OBJECT
                    prefixes.append(text[:-len(suffix)].decode())
        return prefixes
    except (struct.error, IndexError, OverflowError) as error:
        raise ValueError(f"{path}: expected an ELF shared library, got a damaged one") from error


class Tensor:
    """An input or output: `name`, `dtype` and `shape`. In `shape`, a str is the name of a dynamic size, and "?" is a data-dependent size. `type` is
    ONNX's name of an element type that NumPy lacks, and otherwise that of `dtype`. `shared_input` is the name of the input whose array an output may
    share, or None."""

    shared_input = None

    def __init__(self, description, symbols, derived):
        self.name = description.name.decode()
        dtype, name = ELEMENT_TYPES[description.element_type]
        self.dtype = np.dtype(dtype)
        self.type = name or dtype
        self.is_text = description.element_type == STRING
        self._sizes = [description.shape[axis] for axis in range(description.rank)]
        names = symbols + [f"({text})" for text in derived]
        self.shape = tuple(size if size >= 0 else names[-1 - size] if -1 - size < len(names) else "?" for size in self._sizes)
        self.is_data_sized = any(-1 - size >= len(names) for size in self._sizes)

    def __repr__(self):
        return f"Tensor({self.name!r}, {self.type}, {self.shape})"


def load(path, *, threads=1, weights=None, prefix=None):
    """Returns the model in the shared library at `path`.

    `threads` is the number of threads of a run, including the caller's; 0 takes CAMEO_NUM_THREADS, or else one per CPU. They do not survive a fork.
    `weights` is the file of a model that was compiled with --weights. `prefix` selects a model of a library with several.
    Raises OSError if a file cannot be read or loaded, ValueError if the library has no such model, and Error if its version differs.
    """
    return Model(os.fspath(path), threads, weights, prefix)


class Model:
    """A compiled model, which `load` returns. `inputs` and `outputs` are lists of Tensor, and `symbols` are the names of the dynamic sizes. `target` is
    the target that it was compiled for. `cpu` is the processor whose code runs; None if there is code for several, but none for this machine."""

    def __init__(self, path, threads, weights, prefix):
        prefixes = _find_descriptions(path)
        if prefix is not None and prefix not in prefixes:
            raise ValueError(f"{path}: expected a model with the prefix '{prefix}', found {', '.join(prefixes) or 'none'}")
        if prefix is None and len(prefixes) != 1:
            raise ValueError(f"{path}: expected a shared library with one compiled model, found {len(prefixes)}")
        # The loader searches a name without a folder in the system's folders.
        self._library = ctypes.CDLL(os.path.abspath(path))
        prefix = prefix or prefixes[0]
        self._model = model = _ModelDescription.in_dll(self._library, f"{prefix}_description")
        if model.abi_version != ABI_VERSION or model.struct_bytes != ctypes.sizeof(_ModelDescription):
            raise Error(f"{path}: expected a model of ABI version {ABI_VERSION}, got {model.abi_version}", 2)
        self.name = model.name.decode()
        self.target = model.target.decode()
        self.cpu = self.target.rpartition("/")[2]
        if "," in self.cpu:
            choose = getattr(self._library, f"{prefix}_cpu")
            choose.restype = ctypes.c_char_p
            name = choose()
            self.cpu = name.decode() if name else None
        self.symbols = [model.symbols[i].decode() for i in range(model.symbol_count)]
        derived = [model.derived[i].decode() for i in range(model.derived_count)]
        self.inputs = [Tensor(model.inputs[i], self.symbols, derived) for i in range(model.input_count)]
        self.outputs = [Tensor(model.outputs[i], self.symbols, derived) for i in range(model.output_count)]
        for tensor, shared in zip(self.outputs, model.shared_inputs[:model.output_count] if model.shared_inputs else []):
            tensor.shared_input = self.inputs[shared].name if shared >= 0 else None
        self._context = _Context(abi_version=ABI_VERSION, thread_count=1)
        self._functions = self._find_functions(path)
        if threads != 1:
            self._start_threads(path, operator.index(threads))
        if model.external_weights_hash:
            self._map_weights(path, weights)
        self._workspaces = collections.deque()  # of finished calls
        self._text_area_bytes = 4096

    def __repr__(self):
        return f"Model({self.name!r}, inputs={self.inputs}, outputs={self.outputs})"

    def _find_functions(self, path):
        """Returns the functions of the runtime; None if the library was linked by other means and does not export them."""
        try:
            functions = _Library.in_dll(self._library, "cameo_library")
        except ValueError:
            return None
        if functions.abi_version != ABI_VERSION or functions.struct_bytes != ctypes.sizeof(_Library):
            raise Error(f"{path}: expected a runtime of ABI version {ABI_VERSION}, got {functions.abi_version}", 2)
        return functions

    def _check(self, what, status):
        if status:
            message = self._functions.status_message(status).decode() if self._functions else f"status {status}"
            raise Error(f"{what}: {message}", status)

    def _start_threads(self, path, threads):
        functions = self._functions
        if functions is None:
            raise Error(f"{path}: the library has no threads: link it with -Wl,-u,cameo_library and libcameo_rt.a, as --emit=lib does")
        if not 0 <= threads < 2**31:
            raise ValueError(f"threads: expected a number of 0 or more, got {threads}")
        pool = ctypes.c_void_p()
        self._check("cannot start the threads", functions.thread_pool_create(threads, ctypes.byref(pool)))
        self._context.thread_count = functions.thread_pool_size(pool)
        self._context.parallel_for = functions.thread_pool_parallel_for
        self._context.parallel_user = pool.value
        # Copies of the model share the context. When Python exits, a thread of the program may still run the model.
        weakref.finalize(self._context, functions.thread_pool_destroy, pool).atexit = False

    def _map_weights(self, path, weights):
        if weights is None:
            raise ValueError(f"{path}: the model's weights are in a separate file: name it with weights=")
        mapping = _map_file(weights)
        expected = struct.pack("<8sIIQQ", b"CAMEOWTS", ABI_VERSION, 0, self._model.weights_bytes, self._model.external_weights_hash)
        if mapping[:len(expected)] != expected or len(mapping) < ALIGNMENT + self._model.weights_bytes:
            raise Error(f"{weights}: expected the weights of '{self.name}'", 4)
        self._weights = np.frombuffer(mapping, np.uint8)
        self._context.weights = self._weights.ctypes.data + ALIGNMENT

    # ---- running ----

    def __call__(self, *arrays, **named):
        """Runs the model with inputs by position or by name. Returns a dict of the outputs, in the model's order."""
        if len(arrays) > len(self.inputs):
            raise TypeError(f"expected {len(self.inputs)} inputs, got {len(arrays)}")
        given = {tensor.name: array for tensor, array in zip(self.inputs, arrays)}
        for name in named:
            if name in given:
                raise TypeError(f"input '{name}' is given twice")
        return self.run({**given, **named})

    def run(self, inputs, outputs=None, sizes=None):
        """Runs the model with a mapping from names to arrays. `outputs` holds arrays, by name, that receive results in place. They must be
        C-contiguous and have the types and shapes of the outputs; for a data-dependent shape, the largest one. For an output with a `shared_input`, a
        cache, it may be the array of that input. `sizes` are the values of symbols that no input's shape determines."""
        self._check_names("input", inputs, self.inputs, all_of_them=True)
        self._check_names("output", outputs or {}, self.outputs)
        arrays = [_to_array(tensor, inputs[tensor.name]) for tensor in self.inputs]
        symbols = self._resolve_symbols(arrays, sizes or {})
        for tensor, array in zip(self.inputs, arrays):
            if array.shape != self._shape(tensor, symbols):
                raise ValueError(f"input '{tensor.name}': expected shape {_shape_text(tensor.shape)}{self._sizes_text(tensor, symbols)}, "
                                 f"got {_shape_text(array.shape)}")
        needed = self._model.workspace_size(symbols)
        if needed == 2**64 - 1:
            raise ValueError("the model does not accept these sizes: a dimension would be negative or too large, or two would differ "
                             f"that its nodes join{self._sizes_text(None, symbols)}")
        results = [self._make_output(tensor, (outputs or {}).get(tensor.name), arrays, symbols) for tensor in self.outputs]
        given = [(name, array) for name, array in (outputs or {}).items()]
        for number, (name, array) in enumerate(given):
            for other, memory in given[:number]:
                if np.may_share_memory(array, memory):
                    raise ValueError(f"output '{name}': expected other memory than that of '{other}'")
        workspace = self._take_workspace(needed)
        try:
            return self._run(arrays, results, symbols, workspace)
        finally:
            self._workspaces.append(workspace)

    def _run(self, arrays, results, symbols, workspace):
        strings = [_to_strings(tensor, array) if tensor.is_text else None for tensor, array in zip(self.inputs, arrays)]
        inputs = (ctypes.c_void_p * max(1, len(arrays)))(*[
            ctypes.addressof(string) if string is not None else array.ctypes.data for string, array in zip(strings, arrays)])
        shapes = [(ctypes.c_int64 * max(1, len(tensor.shape)))() for tensor in self.outputs if tensor.is_data_sized]
        pointers = [result.ctypes.data for result in results] + [ctypes.addressof(shape) for shape in shapes]
        area = _TextArea()
        if self._model.makes_texts:
            pointers.append(ctypes.addressof(area))
        outputs = (ctypes.c_void_p * max(1, len(pointers)))(*pointers)
        status = TEXT_AREA_FULL
        bytes_ = self._text_area_bytes
        while status == TEXT_AREA_FULL:
            # The strings that a run makes may depend on other strings, so one larger area may not be enough.
            memory = ctypes.create_string_buffer(bytes_ if self._model.makes_texts else 1)
            area.memory, area.capacity = ctypes.addressof(memory), len(memory)
            status = self._model.run(inputs, outputs, symbols, workspace, ctypes.byref(self._context))
            bytes_ = max(area.used, 2 * bytes_)
        self._check("run", status)
        if self._model.makes_texts:
            self._text_area_bytes = len(memory)
        shapes = iter(shapes)
        return {tensor.name: _finish_output(tensor, result, next(shapes) if tensor.is_data_sized else None)
                for tensor, result in zip(self.outputs, results)}

    def _take_workspace(self, needed):
        """Returns the aligned memory of a finished call, or new memory if that is too small."""
        try:
            workspace = self._workspaces.pop()
        except IndexError:
            workspace = None
        if workspace is None or len(workspace) < needed:
            memory = np.empty(needed + ALIGNMENT, np.uint8)
            begin = -memory.ctypes.data % ALIGNMENT
            workspace = (ctypes.c_char * (needed or 1)).from_buffer(memory, begin)
        return workspace

    # ---- names, sizes and shapes ----

    def _check_names(self, kind, given, tensors, all_of_them=False):
        names = [tensor.name for tensor in tensors]
        for name in given:
            if name not in names:
                raise TypeError(f"unexpected {kind} '{name}': the model has {', '.join(names) or 'none'}")
        for name in names if all_of_them else []:
            if name not in given:
                raise TypeError(f"missing {kind} '{name}'")

    def _resolve_symbols(self, arrays, sizes):
        for name in sizes:
            if name not in self.symbols:
                raise TypeError(f"unexpected size '{name}': the model has {', '.join(self.symbols) or 'none'}")
        known = {self.symbols.index(name): operator.index(size) for name, size in sizes.items()}
        for tensor, array in zip(self.inputs, arrays):
            if array.ndim != len(tensor.shape):
                raise ValueError(f"input '{tensor.name}': expected shape {_shape_text(tensor.shape)}, got {_shape_text(array.shape)}")
            for stated, size in zip(tensor._sizes, array.shape):
                if stated < 0 and -1 - stated < len(self.symbols):
                    known.setdefault(-1 - stated, size)
        for index, name in enumerate(self.symbols):
            if index not in known:
                raise ValueError(f"dimension '{name}' has no size: give one with sizes={{'{name}': SIZE}}")
            if not -2**63 <= known[index] < 2**63:
                raise ValueError(f"dimension '{name}': expected a size of 64 bits, got {known[index]}")
        return (ctypes.c_int64 * max(1, len(self.symbols)))(*[known[index] for index in range(len(self.symbols))])

    def _shape(self, tensor, symbols):
        """Returns the shape, with the largest sizes if they depend on data; None if the sizes are invalid."""
        count = len(self.symbols)
        shape = tuple(size if size >= 0 else symbols[-1 - size] if -1 - size < count
                      else self._model.derived_size(symbols, -1 - size - count) for size in tensor._sizes)
        return shape if min(shape, default=0) >= 0 else None

    def _sizes_text(self, tensor, symbols):
        if not self.symbols or tensor is not None and all(size >= 0 for size in tensor._sizes):
            return ""
        return ", where " + ", ".join(f"{name} is {size}" for name, size in zip(self.symbols, symbols))

    def _make_output(self, tensor, given, arrays, symbols):
        shape = self._shape(tensor, symbols)
        if shape is None:
            raise ValueError(f"output '{tensor.name}': shape {_shape_text(tensor.shape)} is no shape for these sizes"
                             f"{self._sizes_text(tensor, symbols)}")
        if given is None:
            # For strings, an array of addresses.
            if math.prod(shape) >= 2**60:
                raise MemoryError(f"output '{tensor.name}': shape {_shape_text(shape)} is too large")
            return np.empty(shape, np.uint64 if tensor.is_text else tensor.dtype)
        if tensor.is_text:
            raise TypeError(f"output '{tensor.name}': expected no array for strings")
        if not isinstance(given, np.ndarray):
            raise TypeError(f"output '{tensor.name}': expected an array, got {type(given).__name__}")
        if not _has_type(given, tensor):
            raise TypeError(f"output '{tensor.name}': expected elements of type {tensor.dtype}, got {given.dtype}")
        if given.shape != shape:
            raise ValueError(f"output '{tensor.name}': expected shape {_shape_text(shape)}, got {_shape_text(given.shape)}")
        if not (given.flags.c_contiguous and given.flags.aligned and given.flags.writeable):
            raise ValueError(f"output '{tensor.name}': expected an array that is C-contiguous, aligned and writeable")
        for source, array in zip(self.inputs, arrays):
            is_cache = source.name == tensor.shared_input and array.ctypes.data == given.ctypes.data and array.nbytes == given.nbytes
            if not is_cache and np.may_share_memory(given, array):
                raise ValueError(f"output '{tensor.name}': expected other memory than that of the inputs"
                                 + (f", or all of '{tensor.shared_input}'" if tensor.shared_input else ""))
        return given


# ---- elements ----

def _shape_text(shape):
    return "x".join(map(str, shape)) if shape else "scalar"


def _has_type(array, tensor):
    """Whether the type matches, also by name for types of ml_dtypes, whose bits NumPy can hold."""
    return array.dtype == tensor.dtype or tensor.type != tensor.dtype.name and tensor.type == array.dtype.name


def _to_array(tensor, value):
    """Returns `value` as a C-contiguous and aligned array of the tensor's type. Arrays must already have this type; numbers and lists are
    converted."""
    array = np.asarray(value)
    if tensor.is_text:
        if array.dtype.kind not in "USO" and array.size:
            raise TypeError(f"input '{tensor.name}': expected strings, got {array.dtype}")
        return array
    if not _has_type(array, tensor):
        converted = None if isinstance(value, (np.ndarray, np.generic)) else _convert(array, tensor.dtype)
        if converted is None:
            raise TypeError(f"input '{tensor.name}': expected elements of type {_type_text(tensor)}, got {array.dtype}")
        array = converted
    return np.require(array, requirements=["C", "A"])


def _convert(array, dtype):
    """Converts numbers of Python to `dtype`: integers exactly, floats with rounding. Returns None if they are of another kind or out of range."""
    if array.dtype.kind not in ("biu" if dtype.kind in "biu" else "biuf") and array.size:
        return None
    if dtype.kind == "f" or array.size == 0:
        return array.astype(dtype)
    least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return array.astype(dtype) if least <= int(array.min()) and int(array.max()) <= most else None


def _type_text(tensor):
    return tensor.type if tensor.type == str(tensor.dtype) else f"{tensor.type} (bits in {tensor.dtype})"


def _to_strings(tensor, array):
    """Returns an array of C strings, which keeps their memory alive."""
    encoded = []
    for string in array.ravel().tolist():
        data = string.encode("utf-8", "surrogateescape") if isinstance(string, str) else string
        if not isinstance(data, bytes):
            raise TypeError(f"input '{tensor.name}': expected strings, got {type(string).__name__}")
        if b"\0" in data:
            raise ValueError(f"input '{tensor.name}': expected strings without zero bytes, got {string!r}")
        encoded.append(data)
    return (ctypes.c_char_p * max(1, len(encoded)))(*encoded)


def _finish_output(tensor, result, shape):
    """Cuts an output to its actual shape. Strings are copied out of the model's memory."""
    if shape is not None:
        sizes = tuple(shape[:result.ndim])
        whole = result
        result = whole.reshape(-1)[:math.prod(sizes)].reshape(sizes)
        # Copied, so that a small part does not keep all of the memory alive. Arrays of the caller are not copied.
        if whole.base is None and 2 * result.nbytes < whole.nbytes:
            result = result.copy()
    if not tensor.is_text:
        return result
    strings = np.empty(result.shape, object)
    strings.ravel()[:] = [ctypes.string_at(address).decode("utf-8", "surrogateescape") for address in result.ravel().tolist()]
    return strings
