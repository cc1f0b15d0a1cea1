#!/usr/bin/env python3
"""Compares the fields that docs/json.md has with those that the commands print.

usage: json_fields.py CAMEO PAGE PLANTED_FAULTS WORK_FOLDER

PLANTED_FAULTS is a plugin with which a bisection finds something. What only some machines can print may be missing: a peer, a schedule that fails, and a border that is faster. Exits 77
(skipped) without the onnx module.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

try:
    import onnx
    import onnx.parser
except ImportError:
    print("skipped: the Python module onnx was not found")
    sys.exit(77)

SECTION = re.compile(r"^## (cameo \w+ --\S+)$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^\| `([^`]+)` \|", re.MULTILINE)
# Objects whose fields have names from the model.
NAMED = {"opsets", "operators", "dims"}
SELDOM = {"theirs.name", "theirs.min_ms", "theirs.median_ms", "theirs.create_ms", "theirs.rss_mb", "ratio", "last_failure.kind", "last_failure.message",
          "disturbed", "error.number", "error.kind", "error.message", "origin", "default_costs[]", "each_nest[]", "devices[].name", "devices[].measured", "devices[].failed", "key", "device", "split", "merge", "with", "borders_kept[]", "dims.NAME[]",
          "tasks[].schedule.variants[].from", "tasks[].schedule.variants[].steps[]", "tasks[].schedule.variants[].loops[]"}
# Sections about files that commands of earlier sections write.
FILES = {"cameo tune --records=FILE": "net.jsonl"}

NET = """<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 4] x) => (float[2, 4] y) <float[4, 4] w = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}> {
  h = MatMul (x, w)
  i = Transpose <perm = [1, 0]> (h)
  j = Softmax (i)
  k = Transpose <perm = [1, 0]> (j)
  y = MatMul (k, w)
}
"""
UNKNOWN = """<ir_version: 8, opset_import: ["" : 17]>
unknown (float[3] x) => (float[3] y) { y = NoSuchOperator (x) }
"""
# The model in which the plugin plants faults.
TASK = """<ir_version: 8, opset_import: ["" : 17]>
task (float[4, 8] x) => (float[4, 8] y) { y = Softmax <axis = 1> (x) }
"""
# A decoder with a cache of tokens; the logits are their sum.
DECODER = """<ir_version: 11, opset_import: ["" : 24]>
decoder (int64[1, new] input_ids, int64[1, new] position_ids, float[1, rows, 4] past) => (float[1, rows, 4] logits, float[1, rows, 4] present)
<float[4, 4] words = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}, int64 zero = {0}> {
  x = Gather (words, input_ids)
  place = Gather <axis = 1> (position_ids, zero)
  present = TensorScatter <axis = 1> (past, x, place)
  logits = MatMul (present, words)
}
"""
# A model that the host of a GPU runs.
LOWER = """<ir_version: 8, opset_import: ["" : 17]>
lower (string[3] x) => (string[3] y) { y = StringNormalizer <case_change_action = "LOWER"> (x) }
"""
# A model that runs on a single thread of a GPU.
LARGEST = """<ir_version: 8, opset_import: ["" : 17]>
largest (float[4, 64] x) => (float[4, 3] y, int64[4, 3] i) <int64[1] k = {3}> { y, i = TopK (x, k) }
"""


def paths(value, prefix=""):
    """Yields the paths of all fields that are no containers. An empty container has none."""
    if isinstance(value, list):
        for each in value:
            yield from paths(each, f"{prefix}[]")
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from paths(each, f"{prefix}.NAME" if prefix in NAMED else f"{prefix}.{name}" if prefix else name)
    else:
        yield prefix


def values(text, isLines):
    return [json.loads(each) for each in (text.splitlines() if isLines else [text])]


def main():
    cameo, page, planted, work = (pathlib.Path(each).resolve() for each in sys.argv[1:5])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for name, text in (("net", NET), ("unknown", UNKNOWN), ("task", TASK), ("decoder", DECODER), ("largest", LARGEST), ("lower", LOWER)):
        (work / f"{name}.onnxtxt").write_text(text)
    onnx.save(onnx.parser.parse_model(NET), work / "net.onnx")  # for the peer
    subprocess.run([cameo, "compile", "net.onnxtxt"], cwd=work, check=True)
    commands = {
        "cameo check --json": [["check", "net.onnxtxt"], ["check", "unknown.onnxtxt"], ["check", "unknown.onnxtxt", "--extern-ops"], ["check", "largest.onnxtxt", "--gpu=sm_80"], ["check", "lower.onnxtxt", "--gpu=sm_80"]],
        "cameo tasks --json": [["tasks", "net.onnxtxt", "--schedule"], ["tasks", "net.onnxtxt", "--gpu=h100", "--kernels"]],
        "cameo size --json": [["size", "net.onnxtxt"], ["size", "net.o"]],
        "cameo bench --json": [["bench", "net.onnxtxt", "--runs=2", "--profile"], ["bench", "net.onnx", "--runs=2", "--against=onnxruntime"],
                               ["bench", "decoder.onnxtxt", "--runs=1", "--steps=2", "--prompt=3"]],
        "cameo verify --json": [["verify", "net.onnxtxt", "--bisect"], ["verify", "task.onnxtxt", "--bisect", f"--plugin={planted}"]],
        "cameo tune --progress=json": [["tune", "net.onnxtxt", "--trials=2", "--records=net.jsonl"], ["tune", "net.onnxtxt", "--trials=1", "--records=borders.jsonl", "--borders=1"]],
    }
    sections = dict(SECTION.findall(page.read_text()))
    wrong = [f"{command}: no section of {page.name}" for command in (*commands, *FILES) if command not in sections]
    wrong += [f"{command}: a section of {page.name} that nothing compares" for command in sections if command not in commands and command not in FILES]
    for command, section in sections.items():
        documented, printed = set(FIELD.findall(section)), set()
        option = command.split()[-1]
        for arguments in commands.get(command, []):
            result = subprocess.run([cameo, *arguments, option], cwd=work, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            if "ONNX Runtime was not found" in result.stderr:
                continue
            try:
                for value in values(result.stdout, "progress" in option):
                    printed.update(paths(value))
            except json.JSONDecodeError as error:
                wrong.append(f"{' '.join(arguments)}: {error}\n{result.stdout}{result.stderr}")
        if command in FILES:
            for value in values((work / FILES[command]).read_text(), isLines=True):
                printed.update(paths(value))
        wrong += [f"{command}: prints '{field}', which {page.name} does not have" for field in sorted(printed - documented)]
        wrong += [f"{command}: does not print '{field}' of {page.name}" for field in sorted(documented - printed - SELDOM)]
    print("\n".join(wrong) or f"{len(sections)} sections")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
