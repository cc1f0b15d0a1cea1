"""Runs one ONNX backend test: stages its inputs, calls `cameo run`, compares the outputs."""

import pathlib
import re
import signal
import tempfile

import numpy
import onnx
from onnx import numpy_helper

from compare import difference, tolerances
from stored_value import Unsupported, read_message, read_tensor, read_value, tensor_type_of

UNSUPPORTED = re.compile(r"\b(unsupported|not supported|not implemented|no lowering)\b", re.IGNORECASE)
RUN_DECIDES = re.compile(r"known only at run time|dynamic size|not known before the model runs")
# Element types of shapes and axes, and the maximum length of such a vector.
SIZES = (onnx.TensorProto.INT32, onnx.TensorProto.INT64)
MOST_SIZES = 8
MOST_BOUND = 1 << 16


class Failed(Exception):
    """The compiler or its output is wrong."""


def file_stem(name):
    """Returns the name of a tensor's file as the tools write it."""
    return "".join("_" if c in "/\\" or c < " " else c for c in name)


def make_symbolic(model):
    """Replaces the sizes of the inputs by names; equal sizes get the same name. A size of 1 stays, because it may broadcast. Stated shapes of results
    stay too, because nothing else defines a data-dependent size, such as in the shape of a Reshape."""
    constants = {tensor.name for tensor in model.graph.initializer}
    for value in model.graph.input:
        if value.name not in constants:
            for dim in tensor_type_of(value.type).shape.dim:
                if dim.HasField("dim_value") and dim.dim_value != 1:
                    dim.dim_param = f"n{dim.dim_value}"


def read_inputs(graph, data_set):
    """Returns pairs of an input and its stored value, from input_i.pb in the order of the graph's inputs."""
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
    """Takes the shapes of inputs from the stored tensors, because some models state another size, and sequences often have no rank. Returns whether a
    shape has changed."""
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
                if not stored.is_sequence:  # elements of a sequence may differ
                    dim.dim_value = size
            changed = True
    return changed


def stage_inputs(graph, data_set, folder):
    for _, stored in read_inputs(graph, data_set):
        for name, tensor in stored.tensors:
            (folder / (file_stem(name) + ".pb")).write_bytes(tensor.SerializeToString())


def form_arguments(graph, data_set, bounds):
    """Returns the compiler's arguments for the inputs: lengths and element sizes of sequences, absent inputs, and bounds."""
    arguments = [part for name, bound in bounds.items() for part in ("--bound", f"{name}={bound}")]
    for value, stored in read_inputs(graph, data_set):
        if stored.is_absent:
            arguments += ["--absent", value.name]
        elif stored.is_sequence:
            arguments += ["--length", f"{value.name}={len(stored.tensors)}"]
            stated = tensor_type_of(value.type).shape.dim
            for name, tensor in stored.tensors:
                for axis, (dim, size) in enumerate(zip(stated, tensor.dims)):
                    arguments += [] if dim.HasField("dim_value") else ["--dim", f"{name}:{axis}={size}"]
    return arguments


def explain(result, model_path):
    """Returns the first line with an error."""
    lines = result.errors.replace(f"{model_path}: ", "").splitlines()
    errors = [line for line in lines if "error:" in line] or lines or ["no message"]
    return errors[0].strip()


def call(runner, arguments, model_path, alone):
    result = runner.run(arguments, alone)
    if result.timed_out:
        raise Failed(f"still running after {runner.seconds:g} s")
    if result.status < 0:
        raise Failed(f"killed by {signal.Signals(-result.status).name}: {explain(result, model_path)}")
    if result.status != 0:
        reason = explain(result, model_path)
        raise (Unsupported if UNSUPPORTED.search(reason) else Failed)(reason)


def expect_check(runner, model_path, arguments, alone, refusal):
    """Fails unless `cameo check` says of the model what the compiler did, whose reason to refuse it `refusal` is, or None."""
    result = runner.run(["check", model_path, *arguments], alone)
    if result.status not in (0, 1):
        raise Failed(f"cameo check ended with status {result.status}")
    if result.status == 0 and refusal is not None:
        raise Failed(f"cameo check calls the model supported, the compiler says: {refusal}")
    if result.status == 1 and refusal is None:
        said = (result.output + result.errors).replace("\n", "; ")
        raise Failed(f"cameo check refuses what the compiler takes: {said}")


def take_decided(written, folder, name, what):
    """Returns the number that a run wrote beside an output, its length or whether it is present; None if it wrote none."""
    stem = file_stem(f"{name}_{what}")
    if stem not in written:
        return None
    written.remove(stem)
    return numpy_helper.to_array(read_message(folder / (stem + ".pb"), onnx.TensorProto)).item()


def compare_outputs(graph, data_set, folder, rtol, atol):
    written = {path.stem for path in folder.glob("*.pb")}
    for i, value in enumerate(graph.output):
        stored = read_value(data_set / f"output_{i}.pb", value)
        if not value.type.HasField("tensor_type"):
            present, length = (take_decided(written, folder, value.name, what) for what in ("present", "length"))
            if present is not None and present == stored.is_absent:
                raise Failed(f"output '{value.name}' is {'present' if present else 'absent'}")
            if length is not None and not stored.is_absent and length != len(stored.tensors):
                raise Failed(f"output '{value.name}' has the length {length}, expected {len(stored.tensors)}")
            if present is False or length is not None:  # the elements behind the length hold anything
                kept = {file_stem(name) for name, _ in stored.tensors}
                written -= {stem for stem in written if re.fullmatch(re.escape(file_stem(value.name)) + r"(_\d+)?", stem) and stem not in kept}
        for name, expected in stored.tensors:
            if file_stem(name) not in written:
                raise Failed(f"output '{name}' was not written")
            written.remove(file_stem(name))
            reason = difference(read_tensor(folder / (file_stem(name) + ".pb"), value.type), expected, rtol, atol)
            if reason:
                raise Failed(f"output '{name}': {reason}")
    if written:
        raise Failed(f"output '{min(written)}' was not expected")


def may_decide_sizes(tensor):
    """Whether the tensor is an integer, such as an iteration count, or a short vector of integers, such as a shape or axes."""
    count = numpy.prod(tensor.dims, dtype=int)
    return tensor.data_type in SIZES and (count == 1 or (len(tensor.dims) == 1 and 1 <= count <= MOST_SIZES))


def bounds_of(graph, data_set):
    """Returns bounds of the inputs that may be sizes, somewhat larger than the stored numbers."""
    bounds = {}
    for value, stored in read_inputs(graph, data_set):
        has_length = all(dim.HasField("dim_value") for dim in tensor_type_of(value.type).shape.dim)
        if has_length and value.type.HasField("tensor_type") and stored.tensors and may_decide_sizes(stored.tensors[0][1]):
            numbers = numpy_helper.to_array(stored.tensors[0][1])
            if numbers.size and 0 <= numbers.min() and numbers.max() <= MOST_BOUND:
                bounds[value.name] = int(numbers.max()) + 3
    return bounds


def run_data_set(test, model_path, graph, data_set, options, runner, alone, bounds={}):
    with tempfile.TemporaryDirectory(prefix="cameo-conformance-") as temporary:
        inputs, outputs = pathlib.Path(temporary, "in"), pathlib.Path(temporary, "out")
        inputs.mkdir()
        stage_inputs(graph, data_set, inputs)
        forms = form_arguments(graph, data_set, bounds)
        refusal = None
        try:
            call(runner, ["run", model_path, "--inputs", inputs, "--output-dir", outputs, "--format", "pb", *forms, *options.cameo_arguments], model_path, alone)
        except Unsupported as reason:
            refusal = reason
        expect_check(runner, model_path, [*forms, *(each for each in options.cameo_arguments if each.startswith("--gpu="))], alone, refusal)
        if refusal is not None:
            raise refusal
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
                bounds = bounds_of(model.graph, data_set)
                if not bounds or not RUN_DECIDES.search(str(reason)):
                    raise
                run_data_set(test, model_path, model.graph, data_set, options, runner, alone, bounds)
                how = f"with bounds: {', '.join(bounds)}"
        return how


def run_test(test, options, runner, alone=False):
    """Returns (name, result, reason) of one folder. A pass has a reason if it needs bounds."""
    try:
        return test.name, "pass", run_all_sets(test, options, runner, alone)
    except Unsupported as reason:
        return test.name, "unsupported", str(reason)
    except Exception as reason:  # a test that cannot be read must not end the run
        if not alone:
            return run_test(test, options, runner, alone=True)  # earlier tests in the same process may be the cause
        return test.name, "fail", str(reason) if isinstance(reason, Failed) else f"{type(reason).__name__}: {reason}"
