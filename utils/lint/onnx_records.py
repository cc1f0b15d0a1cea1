"""The operators of the onnx dialect as its .td files declare them."""

import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DIALECT = os.path.join(ROOT, "dialects", "Onnx")
OPERATORS = os.path.join(DIALECT, "Ops")
# Operators that ONNX does not have: the stand-in for an absent input, a function of the user, trees in the form that the importer creates, and the
# operators that those with data-dependent sizes and those on strings are decomposed into.
OWN_OPERATORS = {"None", "Extern", "Prefix", "Choose", "CountedNonZero", "CountedUnique", "CountedNonMaxSuppression", "TreeEnsemble", "BlockedMatMul", "Frames", "ChangeCase",
                 "FindText", "CountParts", "TakePart"}


def find_tblgen():
    """Returns the path of llvm-tblgen: that of the LLVM that the build uses, or LLVM_TBLGEN."""
    for candidate in (os.environ.get("LLVM_TBLGEN"), "/usr/lib/llvm-22/bin/llvm-tblgen"):
        if candidate and os.path.exists(candidate):
            return candidate
    return None


def read_records(tblgen, path):
    """Returns the records of a .td file from llvm-tblgen."""
    include = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(tblgen))), "include")
    text = subprocess.run([tblgen, "--dump-json", "-I", ROOT, "-I", include, path], check=True, capture_output=True,
                          text=True).stdout
    return json.loads(text)


def superclasses(records, definition):
    return set(records[definition]["!superclasses"])


def read_operator(records, name):
    """Returns the counts, operands and attributes of one operator as declared in the .td file."""
    record = records[name]
    operands, attributes, types = [], {}, []
    for value, label in record["arguments"]["args"]:
        kinds = superclasses(records, value["def"])
        if "Attr" in kinds:
            attributes[label] = records[value["def"]]
        else:
            operands.append(kinds)
            types.append((label, records[value["def"]]["summary"]))
    return {
        "name": record["opName"],
        "summary": record["summary"],
        "description": record["description"],
        "since": number_of(record, "getSinceVersion"),
        "inputs": (number_of(record, "getMinInputs"), number_of(record, "getMaxInputs")),
        "outputs": (number_of(record, "getMinOutputs"), number_of(record, "getMaxOutputs")),
        "operands": operands,
        "types": types,
        "results": [superclasses(records, value["def"]) for value, _ in record["results"]["args"]],
        "attributes": attributes,
    }


def number_of(record, function):
    body = record["extraClassDefinition"].split(function + "() { return", 1)[1]
    return int(body.split(";", 1)[0])


def read_operators(tblgen, file):
    """Returns all operators of a family, in the order of the file."""
    path = os.path.join(OPERATORS, file)
    records = read_records(tblgen, path)
    operators = [read_operator(records, name) for name in records["!instanceof"].get("Onnx_Op", [])]
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    return sorted(operators, key=lambda operator: text.find(f'"{operator["name"]}"'))
