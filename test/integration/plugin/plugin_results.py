#!/usr/bin/env python3
"""Compares models with operators of plugins with NumPy, and checks the errors for libraries that are not valid plugins.

usage: plugin_results.py PREFIX ACME.so ROWS.so C_COMPILER WORK_FOLDER

Exits 77 (skipped) without the Python modules numpy and onnx.
"""

import ctypes
import json
import pathlib
import shutil
import subprocess
import sys

try:
    import numpy as np
    from onnx import TensorProto, helper, save
except ImportError:
    print("skipped: the Python module onnx was not found")
    sys.exit(77)

FLOAT, HALF, DOUBLE = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE
TYPES = {FLOAT: np.float32, HALF: np.float16, DOUBLE: np.float64}
failures = []


class Tools:
    def __init__(self):
        self.prefix, self.acme, self.rows = map(pathlib.Path, sys.argv[1:4])
        self.compiler, self.work = sys.argv[4], pathlib.Path(sys.argv[5])

    def cameo(self, *arguments):
        result = subprocess.run([str(each) for each in (self.prefix / "bin/cameo", *arguments)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                cwd=self.work)
        return result.returncode, result.stdout


def expect(condition, message):
    if not condition:
        failures.append(message)
        print(message, flush=True)


def save_model(path, nodes, inputs, outputs, **opsets):
    imports = [helper.make_opsetid("", 20), helper.make_opsetid("com.acme", 1), helper.make_opsetid("org.test-rows", opsets.get("rows", 2))]
    values = [[helper.make_tensor_value_info(*each) for each in side] for side in (inputs, outputs)]
    save(helper.make_model(helper.make_graph(nodes, path.stem, *values), opset_imports=imports, ir_version=10), path)
    return path


def softclip(x, limit):
    return limit * np.tanh(x / limit)


def models(work):
    """Yields the name, the model, its plugins out of (acme, rows), the inputs and the expected outputs of each case."""
    random = np.random.default_rng(0)
    acme, rows = "com.acme", "org.test-rows"
    for kind, name in ((FLOAT, "float"), (HALF, "half"), (DOUBLE, "double")):
        x = (3 * random.standard_normal((5, 33))).astype(TYPES[kind])
        nodes = [helper.make_node("Softclip", ["x"], ["c"], domain=acme, limit=0.75), helper.make_node("Add", ["c", "x"], ["y"])]
        path = save_model(work / f"fused_{name}.onnx", nodes, [("x", kind, [5, 33])], [("y", kind, [5, 33])])
        yield path, (True, False), {"x": x}, {"y": softclip(x.astype(np.float64), 0.75) + x}
    x = random.standard_normal((4, 3, 20)).astype(np.float32)
    # The default of the attribute; dynamic sizes; a dimension name that a node fixes to a number.
    path = save_model(work / "open.onnx", [helper.make_node("Softclip", ["x"], ["y"], domain=acme)], [("x", FLOAT, ["N", 3, "M"])], [("y", FLOAT, ["N", 3, "M"])])
    yield path, (True, False), {"x": x}, {"y": softclip(x, 1.0)}
    bias = random.standard_normal((4, 3)).astype(np.float32)
    for number, (inputs, outputs) in enumerate(((["x"], ["s"]), (["x", "bias"], ["s"]), (["x"], ["s", "m"]), (["x", ""], ["s", ""]))):
        nodes = [helper.make_node("Relu", ["x0"], ["x"]), helper.make_node("Conv", inputs, outputs, domain=rows)]
        graph_inputs = [("x0", FLOAT, ["N", 3, 20])] + ([("bias", FLOAT, ["N", 3])] if "bias" in inputs else [])
        graph_outputs = [(name, FLOAT, ["N", 3]) for name in outputs if name]
        path = save_model(work / f"rows_{number}.onnx", nodes, graph_inputs, graph_outputs)
        relu = np.maximum(x, 0)
        expected = {"s": relu.sum(-1) + (bias if "bias" in inputs else 0), "m": relu.max(-1)}
        yield path, (False, True), {"x0": x, **({"bias": bias} if "bias" in inputs else {})}, {name: expected[name] for name in outputs if name}
    # Operators with ONNX's names but other semantics, one that only a pass of the plugin implements, and both plugins at once.
    nodes = [helper.make_node("Identity", ["x"], ["a"], domain=rows), helper.make_node("Twice", ["a"], ["b"], domain=rows),
             helper.make_node("Softclip", ["b"], ["y"], domain=acme, limit=8.0)]
    path = save_model(work / "both.onnx", nodes, [("x", FLOAT, [4, 3, 20])], [("y", FLOAT, [4, 3, 20])])
    yield path, (True, True), {"x": x}, {"y": softclip(4 * x, 8.0)}


def check_results(tools):
    for path, uses, inputs, outputs in models(tools.work):
        plugins = [f"--plugin={plugin}" for plugin, used in zip((tools.acme, tools.rows), uses) if used]
        data = tools.work / path.stem
        data.mkdir()
        for name, array in inputs.items():
            np.save(data / f"{name}.npy", array)
        for path_option in ([], ["--naive"]):
            status, text = tools.cameo("run", path, *plugins, "--inputs", data, "--output-dir", data / "out", *path_option)
            expect(status == 0, f"{path.stem} {path_option}: {text}")
            for name, expected in outputs.items() if status == 0 else ():
                got = np.load(data / "out" / f"{name}.npy").astype(np.float64)
                tolerance = 4e-3 if "half" in path.stem else 1e-5
                expect(got.shape == expected.shape and np.allclose(got, expected, rtol=tolerance, atol=tolerance), f"{path.stem} {path_option}: {name} is wrong")
        for command in (["check", path], ["verify", path, "--inputs", data], ["verify", path, "--inputs", data, "--against=float64"],
                        ["tasks", path], ["compile", path, "-o", data / "net.o", "--target=aarch64-linux-gnu"]):
            if command[-1] == "--against=float64" and "double" in path.stem:
                continue
            status, text = tools.cameo(*command, *plugins)
            expect(status == 0, f"{path.stem}: {command[0]}: {text}")


def expect_error(tools, wanted, *command):
    status, text = tools.cameo(*command)
    lines = [line for line in text.splitlines() if "error" in line]
    expect(status == 1 and len(lines) == 1 and wanted in lines[0], f"{' '.join(map(str, command))}: expected one error with '{wanted}', got status {status}\n{text}")


def check_errors(tools):
    softclip = next(models(tools.work))[0]
    rows = tools.work / "rows_0.onnx"
    expect_error(tools, "unsupported operator com.acme.Softclip-1, which no --plugin provides and --extern-ops does not name (1 node)", "compile", softclip)
    expect_error(tools, "unsupported operator com.acme.Softclip-1, which no --plugin provides", "compile", softclip, f"--plugin={tools.rows}")
    status, text = tools.cameo("check", softclip)
    expect(status == 1 and "com.acme.Softclip-1, which no --plugin provides" in text, f"check without the plugin: {text}")
    # --extern-ops does not replace operators of a plugin unless it names them; then the type rule of the plugin still applies.
    for option, is_named in (("--extern-ops", False), ("--extern-ops=com.acme:Softclip", True)):
        status, text = tools.cameo("check", softclip, f"--plugin={tools.acme}", option)
        expect(status == 0 and ("com.acme.Softclip-1: left to the program's function" in text) == is_named, f"check with a plugin and {option}: {text}")
    old = save_model(tools.work / "old.onnx", [helper.make_node("Conv", ["x"], ["y"], domain="org.test-rows")], [("x", FLOAT, [2, 3])], [("y", FLOAT, [2])], rows=1)
    expect_error(tools, "operator that was introduced in operator set 2 org.test-rows.Conv-1", "compile", old, f"--plugin={tools.rows}")
    node = helper.make_node("Softclip", ["x"], ["y"], domain="com.acme", slope=1.0)
    wrong = save_model(tools.work / "wrong.onnx", [node], [("x", FLOAT, [2, 3])], [("y", FLOAT, [2, 3])])
    expect_error(tools, "unknown attribute 'slope' of operator Softclip", "compile", wrong, f"--plugin={tools.acme}")
    scalar = save_model(tools.work / "scalar.onnx", [helper.make_node("Conv", ["x"], ["y"], domain="org.test-rows")], [("x", FLOAT, [])], [("y", FLOAT, [])])
    expect_error(tools, "expected rows, got a number", "compile", scalar, f"--plugin={tools.rows}")

    expect_error(tools, "plugin /nowhere/acme.so: ", "compile", rows, "--plugin=/nowhere/acme.so")
    text = tools.work / "text.so"
    text.write_text("no library\n")
    expect_error(tools, f"plugin {text}: ", "compile", rows, f"--plugin={text}")
    other = tools.work / "other.so"
    source = tools.work / "other.c"
    source.write_text("int other;\n")
    subprocess.run([tools.compiler, "-shared", "-fPIC", "-o", other, source], check=True)
    expect_error(tools, f"plugin {other}: expected a library that exports cameoPluginVersion and cameoRegisterPlugin", "compile", rows, f"--plugin={other}")
    source.write_text('const char *cameoPluginVersion(void) { return "0"; }\nvoid cameoRegisterPlugin(void *registry) {}\n')
    newer = tools.work / "version.so"
    subprocess.run([tools.compiler, "-shared", "-fPIC", "-o", newer, source], check=True)
    expect_error(tools, f"plugin {newer}: expected a plugin of version '", "compile", rows, f"--plugin={newer}")
    expect_error(tools, "is given twice", "compile", rows, f"--plugin={tools.rows}", f"--plugin={tools.rows}")


def check_steps(tools):
    """Tunes with a schedule step of a plugin, and compiles with a record that contains it."""
    model = save_model(tools.work / "transposed.onnx", [helper.make_node("Transpose", ["x"], ["y"], perm=[1, 0])], [("x", FLOAT, [64, 48])], [("y", FLOAT, [48, 64])])
    records = tools.work / "transposed.jsonl"
    status, text = tools.cameo("tune", model, f"--records={records}", "--trials=2", "--progress=none")
    expect(status == 0, f"tune: {text}")
    lines = [json.loads(line) for line in records.read_text().splitlines()]
    line = next(each for each in lines if each["level"] == "release")
    line.pop("default_costs", None)  # it need not be faster
    line["schedule"] = "#schedule.steps<#com_acme.square<nest = 0, size = 8>>"
    records.write_text(json.dumps(line) + "\n")
    with_plugin = ("compile", model, f"--records={records}", "--records-policy=locked", f"--plugin={tools.acme}")
    status, text = tools.cameo(*with_plugin, "--emit=lib", f"-o={tools.work / 'transposed.so'}")
    expect(status == 0, f"compile with a step of the plugin: {text}")
    x = np.random.default_rng(0).standard_normal((64, 48)).astype(np.float32)
    data = tools.work / "transposed"
    data.mkdir()
    np.save(data / "x.npy", x)
    status, text = tools.cameo("run", tools.work / "transposed.so", f"--inputs={data}", f"--output-dir={data}")
    expect(status == 0 and np.array_equal(np.load(data / "y.npy"), x.T), f"run with a step of the plugin: {text}")
    status, text = tools.cameo(*with_plugin[:-1])
    expect(status == 1 and "its record's schedule cannot be parsed by this version" in text, f"compile without the plugin: {text}")
    status, text = tools.cameo("records", "migrate", records, f"--model={model}", f"--plugin={tools.acme}", "-o", tools.work / "migrated.jsonl")
    expect(status == 0, f"migrate with a step of the plugin: {text}")


def check_library(tools):
    """Uses the compiler as a library with and without the plugin in one process."""
    library = ctypes.CDLL(str(next(tools.prefix.glob("lib/**/libcameo.so"))))
    library.cameo_compiler_create.restype = ctypes.c_void_p
    handler_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
    messages = []
    handler = handler_type(lambda user, severity, place, message: messages.append(message.decode()))
    statuses = []
    for plugins in ([f"--plugin={tools.acme}"], []):
        compiler = ctypes.c_void_p(library.cameo_compiler_create())
        library.cameo_compiler_set_message_handler(compiler, handler, None)
        for argument in (tools.work / "fused_float.onnx", f"-o={tools.work / 'library.o'}", *plugins):
            library.cameo_compiler_add_argument(compiler, str(argument).encode())
        statuses.append(library.cameo_compiler_run(compiler))
        library.cameo_compiler_destroy(compiler)
    expect(statuses[0] == 0 and statuses[1] != 0, f"compiled with and without the plugin: {statuses}, {messages}")
    expect(any("which no --plugin provides" in each for each in messages), f"expected an error without the plugin, got {messages}")


def main():
    tools = Tools()
    shutil.rmtree(tools.work, ignore_errors=True)
    tools.work.mkdir(parents=True)
    check_results(tools)
    check_errors(tools)
    check_steps(tools)
    check_library(tools)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
