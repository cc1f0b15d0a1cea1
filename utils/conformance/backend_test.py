"""Runs one ONNX backend test: stages its inputs, calls `cameo run`, compares the outputs."""

import pathlib
import re
import signal
import tempfile

import numpy
import onnx
from onnx import numpy_helper

from compare import difference, tolerances
from stored_value import Unsupported, read_tensor, read_value, tensor_type_of

UNSUPPORTED = re.compile(r"\b(unsupported|not supported|not implemented|no lowering)\b", re.IGNORECASE)
RUN_DECIDES = re.compile(r"known only at run time|dynamic size|not known before the model runs")
# What --constant takes.
NUMBERS = {getattr(onnx.TensorProto, name) for name in ("FLOAT", "DOUBLE", "BOOL", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64")}


# What shapes and axes are made of, and how many of them a vector has at most.
SIZES = (onnx.TensorProto.INT32, onnx.TensorProto.INT64)
MOST_SIZES = 8
MOST_BOUND = 1 << 16


class Failed(Exception):
    """The compiler or its output is wrong."""


def file_stem(name):
    """As the tools name the file of a tensor."""
    return "".join("_" if c in "/\\" or c < " " else c for c in name)


def make_symbolic(model):
    """Gives every size of the inputs a name, the same one for equal sizes. A size of 1 stays: it may broadcast. What the model states about
    results stays too: where data that the run reads decides a size (the shape of a Reshape), nothing else tells it."""
    constants = {tensor.name for tensor in model.graph.initializer}
    for value in model.graph.input:
        if value.name not in constants:
            for dim in tensor_type_of(value.type).shape.dim:
                if dim.HasField("dim_value") and dim.dim_value != 1:
                    dim.dim_param = f"n{dim.dim_value}"


def read_inputs(graph, data_set):
    """Pairs of input and stored value: input_i.pb, by the order of the graph's inputs."""
    constants = {tensor.name for tensor in graph.initializer}
    pairs = []
    for value in graph.input:
        if value.name in constants:
            continue
        source = data_set / f"input_{len(pairs)}.pb"
        if not source.exists():
            raise Failed(f"the test has no {source.name} for input '{value.name}'")
        pairs.append((value, read_value(source, value)))
    return pairs


def adopt_stored_shapes(graph, data_set):
    """Some models state another size for an input than that of the stored tensor, and sequences often no rank. Returns whether this one did."""
    changed = False
    for value, stored in read_inputs(graph, data_set):
        stated = tensor_type_of(value.type).shape
        for _, tensor in stored.tensors:
            matches = len(stated.dim) == len(tensor.dims) and all(
                not dim.HasField("dim_value") or dim.dim_value == size for dim, size in zip(stated.dim, tensor.dims))
            if matches or not (stored.is_sequence or tensor_type_of(value.type).HasField("shape")):
                continue
            del stated.dim[:]
            for size in tensor.dims:
                dim = stated.dim.add()
                if not stored.is_sequence:  # the elements of one may differ
                    dim.dim_value = size
            changed = True
    return changed


def stage_inputs(graph, data_set, folder):
    for _, stored in read_inputs(graph, data_set):
        for name, tensor in stored.tensors:
            (folder / (file_stem(name) + ".pb")).write_bytes(tensor.SerializeToString())


def numbers_of(tensor):
    """As --constant takes them."""
    return ",".join(str(number).lower() for number in numpy_helper.to_array(tensor).ravel().tolist())


def form_arguments(graph, data_set, fixed, bounds):
    """What the compiler must be told about inputs: lengths and sizes of elements of sequences, what is absent, the numbers of `fixed` ones, and bounds."""
    arguments = [part for name, bound in bounds.items() for part in ("--bound", f"{name}={bound}")]
    for value, stored in read_inputs(graph, data_set):
        if value.name in fixed:
            arguments += ["--constant", f"{value.name}={numbers_of(stored.tensors[0][1])}"]
        elif stored.is_absent:
            arguments += ["--absent", value.name]
        elif stored.is_sequence:
            arguments += ["--length", f"{value.name}={len(stored.tensors)}"]
            stated = tensor_type_of(value.type).shape.dim
            for name, tensor in stored.tensors:
                for axis, (dim, size) in enumerate(zip(stated, tensor.dims)):
                    arguments += [] if dim.HasField("dim_value") else ["--dim", f"{name}:{axis}={size}"]
    return arguments


def explain(result, model_path):
    """The first line that says what went wrong."""
    lines = result.errors.replace(f"{model_path}: ", "").splitlines()
    errors = [line for line in lines if "error:" in line] or lines or ["no message"]
    return errors[0].strip()


def call(runner, arguments, model_path, alone):
    result = runner.run(arguments, alone)
    if result.timed_out:
        raise Failed(f"no end after {runner.seconds:g} s")
    if result.status < 0:
        raise Failed(f"killed by {signal.Signals(-result.status).name}: {explain(result, model_path)}")
    if result.status != 0:
        reason = explain(result, model_path)
        raise (Unsupported if UNSUPPORTED.search(reason) else Failed)(reason)


def compare_outputs(graph, data_set, folder, rtol, atol):
    written = {path.stem for path in folder.glob("*.pb")}
    for i, value in enumerate(graph.output):
        for name, expected in read_value(data_set / f"output_{i}.pb", value).tensors:
            if file_stem(name) not in written:
                raise Failed(f"output '{name}' was not written")
            written.remove(file_stem(name))
            reason = difference(read_tensor(folder / (file_stem(name) + ".pb"), value.type), expected, rtol, atol)
            if reason:
                raise Failed(f"output '{name}': {reason}")
    if written:
        raise Failed(f"output '{min(written)}' was not expected")


def may_decide_sizes(tensor):
    """One number (of rounds, of a branch), or a vector of integers (a shape, axes)."""
    count = numpy.prod(tensor.dims, dtype=int)
    is_vector = len(tensor.dims) == 1 and 1 <= count <= MOST_SIZES and tensor.data_type in SIZES
    return is_vector or (count == 1 and tensor.data_type in NUMBERS)


def deciding_inputs(graph, data_set):
    """The inputs that decide sizes, rounds and branches, where inputs do."""
    return [value.name for value, stored in read_inputs(graph, data_set)
            if value.type.HasField("tensor_type") and stored.tensors and may_decide_sizes(stored.tensors[0][1])]


def bounds_of(graph, data_set):
    """Bounds of the inputs that may be sizes, somewhat larger than what is stored."""
    bounds = {}
    for value, stored in read_inputs(graph, data_set):
        has_length = all(dim.HasField("dim_value") for dim in tensor_type_of(value.type).shape.dim)
        if has_length and value.name in deciding_inputs(graph, data_set) and stored.tensors[0][1].data_type in SIZES:
            numbers = numpy_helper.to_array(stored.tensors[0][1])
            if numbers.size and 0 <= numbers.min() and numbers.max() <= MOST_BOUND:
                bounds[value.name] = int(numbers.max()) + 3
    return bounds


def run_data_set(test, model_path, graph, data_set, options, runner, alone, fixed=(), bounds={}):
    with tempfile.TemporaryDirectory(prefix="cameo-conformance-") as temporary:
        inputs, outputs = pathlib.Path(temporary, "in"), pathlib.Path(temporary, "out")
        inputs.mkdir()
        stage_inputs(graph, data_set, inputs)
        call(runner, ["run", model_path, "--inputs", inputs, "--output-dir", outputs, "--format", "pb", *form_arguments(graph, data_set, fixed, bounds),
                      *options.cameo_arguments], model_path, alone)
        compare_outputs(graph, data_set, outputs, *tolerances(test.name))


def run_all_sets(test, options, runner, alone):
    model_path = test / "model.onnx"
    model = onnx.load(str(model_path))
    data_sets = sorted(test.glob("test_data_set_*"))
    if not data_sets:
        raise Failed("no test_data_set_N")
    changed = adopt_stored_shapes(model.graph, data_sets[0])
    if options.dynamic:
        make_symbolic(model)
    with tempfile.TemporaryDirectory(prefix="cameo-conformance-") as temporary:
        if changed or options.dynamic:
            model_path = pathlib.Path(temporary, "model.onnx")
            onnx.save(model, str(model_path))
        how = ""
        for data_set in data_sets:
            try:
                run_data_set(test, model_path, model.graph, data_set, options, runner, alone)
            except Unsupported as reason:
                fixed, bounds = deciding_inputs(model.graph, data_set), bounds_of(model.graph, data_set)
                if not fixed or not RUN_DECIDES.search(str(reason)):
                    raise
                try:
                    if not bounds:
                        raise
                    run_data_set(test, model_path, model.graph, data_set, options, runner, alone, bounds=bounds)
                    how = f"with bounds: {', '.join(bounds)}"
                except Unsupported:
                    run_data_set(test, model_path, model.graph, data_set, options, runner, alone, fixed)
                    how = f"with constants: {', '.join(fixed)}"
        return how


def run_test(test, options, runner, alone=False):
    """(name, result, reason) of one folder. A pass has a reason where inputs had to be constants."""
    try:
        return test.name, "pass", run_all_sets(test, options, runner, alone)
    except Unsupported as reason:
        return test.name, "unsupported", str(reason)
    except Exception as reason:  # a test that cannot even be read must not end the run
        if not alone:
            return run_test(test, options, runner, alone=True)  # whatever ran before it in the same process
        return test.name, "fail", str(reason) if isinstance(reason, Failed) else f"{type(reason).__name__}: {reason}"
