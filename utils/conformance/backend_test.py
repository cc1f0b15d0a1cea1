"""Runs one ONNX backend test: stages its inputs, calls `cameo run`, compares the outputs."""

import pathlib
import re
import signal
import subprocess
import tempfile

import onnx

from compare import difference, relative_tolerance

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


def read_tensor(path):
    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return tensor


def expect_tensor(value):
    if not value.type.HasField("tensor_type"):
        kind = value.type.WhichOneof("value") or "unknown_type"
        raise Unsupported(f"'{value.name}' is of {kind.replace('_', ' ')}: not supported")


def stage_inputs(graph, data_set, folder):
    """Copies input_i.pb to NAME.pb, by the order of the graph's inputs."""
    constants = {tensor.name for tensor in graph.initializer}
    names = [value.name for value in graph.input if value.name not in constants]
    for value in graph.input:
        expect_tensor(value)
    for i, name in enumerate(names):
        source = data_set / f"input_{i}.pb"
        if not source.exists():
            raise Failed(f"the test has no {source.name} for input '{name}'")
        (folder / (file_stem(name) + ".pb")).write_bytes(source.read_bytes())


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


def compare_outputs(graph, data_set, folder, rtol):
    for i, value in enumerate(graph.output):
        expect_tensor(value)
        actual = folder / (file_stem(value.name) + ".pb")
        if not actual.exists():
            raise Failed(f"output '{value.name}' was not written")
        reason = difference(read_tensor(actual), read_tensor(data_set / f"output_{i}.pb"), rtol)
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
        compare_outputs(graph, data_set, outputs, relative_tolerance(test.name))


def run_all_sets(test, options):
    model_path = test / "model.onnx"
    model = onnx.load(str(model_path))
    data_sets = sorted(test.glob("test_data_set_*"))
    if not data_sets:
        raise Failed("no test_data_set_N")
    if not options.dynamic:
        for data_set in data_sets:
            run_data_set(test, model_path, model.graph, data_set, options)
        return
    make_symbolic(model)
    with tempfile.TemporaryDirectory(prefix="cameo-conformance-") as temporary:
        symbolic = pathlib.Path(temporary, "model.onnx")
        onnx.save(model, str(symbolic))
        for data_set in data_sets:
            run_data_set(test, symbolic, model.graph, data_set, options)


def run_test(test, options):
    """(name, result, reason) of one folder."""
    try:
        run_all_sets(test, options)
        return test.name, "pass", ""
    except Unsupported as reason:
        return test.name, "unsupported", str(reason)
    except Exception as reason:  # a test that cannot even be read must not end the run
        return test.name, "fail", str(reason) if isinstance(reason, Failed) else f"{type(reason).__name__}: {reason}"
