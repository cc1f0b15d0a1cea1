"""What the programs here that try many small models have in common: models are compiled to shared libraries of their own and judged.

usage of each: PROGRAM CAMEO RUNTIME_ARCHIVE C_COMPILER WORK_FOLDER

Importing this exits 77 (skipped) without the Python modules that write models. `tools` is what runs the compiler (command_server.py), the runtime's
archive and a C compiler. Functions that judge return the messages of what went wrong, or None.
"""

import hashlib
import pathlib
import platform
import subprocess
import sys

try:
    import numpy as np
    from onnx import helper, numpy_helper, save
except ImportError:
    print("skipped: the Python module onnx was not found")
    sys.exit(77)

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "utils/command-server"))
from command_server import runner_for

SECONDS = 300  # time limit of a command

def judge_all(cases):
    """Runs `cases(tools, work)`, which yields the name of each case and its failure or None, and exits the program."""
    work = pathlib.Path(sys.argv[4])
    work.mkdir(parents=True, exist_ok=True)
    count = failed = 0
    with runner_for(sys.argv[1], work, SECONDS, 0) as runner:
        for name, wrong in cases([runner, *sys.argv[2:4]], work):
            count += 1
            if wrong:
                failed += 1
                print(f"{name}:\n{wrong}", flush=True)
    print(f"{count} cases, {failed} failures")
    sys.exit(1 if failed else 0)


def processors():
    """Returns this processor and, on x86-64, ones with smaller vectors and smaller caches, the first without fused multiply-add."""
    return ["native", *(["x86-64", "x86-64-v3"] if platform.machine() == "x86_64" else [])]


def save_model(path, nodes, inputs, outputs, constants, opset=13):
    """Writes a model of one graph. Inputs and outputs are from helper.make_tensor_value_info, constants are arrays by name."""
    tensors = [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, path.stem, inputs, outputs, tensors)
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8), path)


def cameo(tools, *arguments):
    """Runs `cameo ARGUMENTS...`. A command that fails after others in the same process is repeated in a new one."""
    alone = arguments[0] not in ("compile", "run", "verify")
    result = tools[0].run(arguments, alone)
    if result.status != 0 and not alone:
        result = tools[0].run(arguments, alone=True)
    if result.status == 0:
        return None
    return result.output + result.errors or f"status {result.status}{f' after {SECONDS} s' if result.timed_out else ''}"


def link(tools, built, library):
    """Links with the system's linker directly, because a compiler driver takes longer to start."""
    command = ["ld", "-shared", "-o", library, built, tools[1], "-lm"]
    result = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return result.stdout if result.returncode != 0 else None


def build(tools, model, library, *options):
    """Compiles `model` with `options` and links it to `library`. The object is stored beside it."""
    built = library.with_suffix(".o")
    return cameo(tools, "compile", model, "-o", built, *options) or link(tools, built, library)


FORMS = ("--absent", "--bound", "--constant", "--dim", "--length")  # options of verify that change what is compiled
REFERENCES = {}  # libraries of the naive path, by the model's bytes and the compiler options


def find_reference(tools, model, *options):
    """Returns the library of the naive path of `model`, which is compiled on demand, and the failure or None."""
    source = hashlib.sha256(model.read_bytes()).digest(), options
    reference = REFERENCES.get(source) or model.with_name(f"naive-{len(REFERENCES)}.so")
    wrong = None if source in REFERENCES else cameo(tools, "compile", model, "--naive", "--emit=lib", "-o", reference, *options)
    if not wrong:
        REFERENCES[source] = reference
    return reference, wrong


def verify(tools, model, library, *options):
    """Compares `library` with the reference in `options`. By default that is the naive path, which is compiled once for all libraries of a model."""
    if "--against=onnxruntime" not in options:
        reference, wrong = find_reference(tools, model, *[option for option in options if str(option).startswith(FORMS)])
        if wrong:
            return wrong
        options = ("--reference", reference, *options)
    return cameo(tools, "verify", model, "--library", library, "--rtol=1e-5", *options)


def verify_against(references, tools, model, library, *options):
    """As verify, with each of the references. Prints a line if ONNX Runtime is not installed."""
    for reference in references:
        wrong = verify(tools, model, library, f"--against={reference}", *options)
        if wrong and "ONNX Runtime was not found" in wrong:
            print("ONNX Runtime was not found: compared with the naive path alone")
        elif wrong:
            return wrong
    return None
