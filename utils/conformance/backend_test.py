"""Runs one ONNX backend test: stages its inputs, calls `cameo run`, compares the outputs."""

import pathlib
import re
import signal
import subprocess
import tempfile

import onnx

from compare import difference, tolerances

UNSUPPORTED = re.compile(r"\b(unsupported|not supported|not implemented|no lowering)\b", re.IGNORECASE)


class Unsupported(Exception):
    """The test asks for what the compiler says it does not do."""


class Failed(Exception):
    """The compiler or its output is wrong."""


def file_stem(name):
    """As the tools name the file of a tensor."""
    return "".join("_" if c in "/\\" or c < " " else c for c in name)


def make_symbolic(model):
    """Gives every size of the inputs a name, the same one for equal sizes. A size of 1 stays: it may broadcast."""
    constants = {tensor.name for tensor in model.graph.initializer}
    for value in model.graph.input:
        if value.name not in constants and value.type.HasField("tensor_type"):
            for dim in value.type.tensor_type.shape.dim:
                if dim.HasField("dim_value") and dim.dim_value != 1:
                    dim.dim_param = f"n{dim.dim_value}"
    del model.graph.value_info[:]
    for value in model.graph.output:
        if value.type.HasField("tensor_type"):
            value.type.tensor_type.ClearField("shape")


def read_tensor(path, value):
    """The stored tensor of an input or output. Numpy has no bfloat16: some writers stored its bits as uint16."""
    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.read_bytes())
    stated = value.type.tensor_type.elem_type
    if stated == onnx.TensorProto.BFLOAT16 and tensor.data_type == onnx.TensorProto.UINT16:
        tensor.data_type = stated
    return tensor


def expect_tensor(value):
    if not value.type.HasField("tensor_type"):
        kind = value.type.WhichOneof("value") or "unknown_type"
        raise Unsupported(f"'{value.name}' is of {kind.replace('_', ' ')}: not supported")


def read_inputs(graph, data_set):
    """Pairs of input and stored tensor: input_i.pb, by the order of the graph's inputs."""
    constants = {tensor.name for tensor in graph.initializer}
    pairs = []
    for value in graph.input:
        expect_tensor(value)
        if value.name in constants:
            continue
        source = data_set / f"input_{len(pairs)}.pb"
        if not source.exists():
            raise Failed(f"the test has no {source.name} for input '{value.name}'")
        pairs.append((value, read_tensor(source, value)))
    return pairs


def adopt_stored_shapes(graph, data_set):
    """Some models state another size for an input than that of the stored tensor. Returns whether this one did."""
    changed = False
    for value, tensor in read_inputs(graph, data_set):
        stated = value.type.tensor_type.shape.dim
        matches = len(stated) == len(tensor.dims) and all(
            not dim.HasField("dim_value") or dim.dim_value == size for dim, size in zip(stated, tensor.dims))
        if value.type.tensor_type.HasField("shape") and not matches:
            del stated[:]
            for size in tensor.dims:
                stated.add().dim_value = size
            changed = True
    return changed


def stage_inputs(graph, data_set, folder):
    for value, tensor in read_inputs(graph, data_set):
        (folder / (file_stem(value.name) + ".pb")).write_bytes(tensor.SerializeToString())


def explain(process, model_path):
    """The first line that says what went wrong."""
    lines = process.stderr.decode(errors="replace").replace(f"{model_path}: ", "").splitlines()
    errors = [line for line in lines if "error:" in line] or lines or ["no message"]
    return errors[0].strip()


def call(command, model_path, timeout):
    try:
        process = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"no end after {timeout} s") from None
    if process.returncode < 0:
        raise Failed(f"killed by {signal.Signals(-process.returncode).name}: {explain(process, model_path)}")
    if process.returncode != 0:
        reason = explain(process, model_path)
        raise (Unsupported if UNSUPPORTED.search(reason) else Failed)(reason)


def compare_outputs(graph, data_set, folder, rtol, atol):
    for i, value in enumerate(graph.output):
        expect_tensor(value)
        actual = folder / (file_stem(value.name) + ".pb")
        if not actual.exists():
            raise Failed(f"output '{value.name}' was not written")
        reason = difference(read_tensor(actual, value), read_tensor(data_set / f"output_{i}.pb", value), rtol, atol)
        if reason:
            raise Failed(f"output '{value.name}': {reason}")


def run_data_set(test, model_path, graph, data_set, options):
    with tempfile.TemporaryDirectory(prefix="cameo-conformance-") as temporary:
        inputs, outputs = pathlib.Path(temporary, "in"), pathlib.Path(temporary, "out")
        inputs.mkdir()
        stage_inputs(graph, data_set, inputs)
        for value in graph.output:
            expect_tensor(value)
        call([options.cameo, "run", str(model_path), "--inputs", str(inputs), "--output-dir", str(outputs), "--format", "pb"]
             + options.cameo_arguments, model_path, options.timeout)
        compare_outputs(graph, data_set, outputs, *tolerances(test.name))


def run_all_sets(test, options):
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
        for data_set in data_sets:
            run_data_set(test, model_path, model.graph, data_set, options)


def run_test(test, options):
    """(name, result, reason) of one folder."""
    try:
        run_all_sets(test, options)
        return test.name, "pass", ""
    except Unsupported as reason:
        return test.name, "unsupported", str(reason)
    except Exception as reason:  # a test that cannot even be read must not end the run
        return test.name, "fail", str(reason) if isinstance(reason, Failed) else f"{type(reason).__name__}: {reason}"
