#!/usr/bin/python3
"""Compares the onnx dialect with the ONNX schemas that are installed (package python3-onnx).

Per operator: the operator set it dates from, counts of inputs and outputs, names and defaults of attributes. The
installed schemas end at some operator set; a newer operator is only checked against itself (counts against operands).
Also: each labelled constraint of the dialect (conv_c1) has a test that is named after it.
Exit code 1 when something differs; each difference is one line.
"""
import math
import os
import re
import sys

sys.dont_write_bytecode = True  # the folder may be read-only, and is part of a source tree
from onnx_records import DIALECT, OPERATORS, OWN_OPERATORS, ROOT, find_tblgen, read_operators

TESTS = [os.path.join(ROOT, "test", "dialects", "Onnx", *part) for part in ((), ("Invalid",))]

# Attributes that ONNX does not have: the layout of activations, which passes/Layout chooses, and the bound of a part and the rounding of a state, which the importer
# finds.
OWN_ATTRIBUTES = {"channels_last", "most", "rounded_state"}
# The importer converts other forms of a constant to `value`.
DROPPED_ATTRIBUTES = {
    "Constant": {"sparse_value", "value_float", "value_floats", "value_int", "value_ints", "value_string",
                 "value_strings"},
}


def read_all(folder, ending):
    texts = []
    for file in sorted(os.listdir(folder)):
        if file.endswith(ending):
            with open(os.path.join(folder, file), encoding="utf-8") as stream:
                texts.append(stream.read())
    return "\n".join(texts)


def check_labels():
    """Yields labels in the code for which there is no test function of that name. A suffix distinguishes several tests of one rule."""
    tests = "\n".join(read_all(folder, ".mlir") for folder in TESTS)
    for label in sorted(set(re.findall(r"\b[a-z]+_c[0-9]+\b", read_all(DIALECT, ".cpp") + read_all(OPERATORS, ".cpp")))):
        if not re.search(rf"@{label}[_(]", tests):
            yield f"{label}: expected a test function of that name in test/dialects/Onnx"


def expected_counts(kinds):
    """Returns the minimum and maximum count that declarations of operands or results allow."""
    if kinds and "Variadic" in kinds[-1]:
        return len(kinds), -1
    required = [i + 1 for i, kind in enumerate(kinds) if "Onnx_Optional" not in kind]
    return max(required, default=0), len(kinds)


def check_against_itself(operator):
    for what, stated, kinds in (("inputs", operator["inputs"], operator["operands"]),
                                ("outputs", operator["outputs"], operator["results"])):
        expected = expected_counts(kinds)
        if stated != expected:
            yield f"expected {what} {list(expected)} from the declarations, got {list(stated)}"


def default_text(attribute):
    text = attribute.get("defaultValue")
    return text if text not in (None, "") else None


def is_optional(attribute):
    return bool(attribute.get("isOptional")) or default_text(attribute) is not None


def same_default(attribute, value):
    text = default_text(attribute)
    if text is None:
        return value is None
    text = text.strip('"')
    if isinstance(value, bytes):
        return text == value.decode()
    if isinstance(value, float):
        return math.isclose(float(text.rstrip("f")), value, rel_tol=1e-6)
    if isinstance(value, (list, tuple)):
        words = [word.strip().strip('\\"') for word in text.strip("{}").split(",")]
        return words == [item.decode() if isinstance(item, bytes) else str(item) for item in value]
    return value is not None and text == str(value)


def schema_default(attribute, helper):
    if not attribute.default_value.name:
        return None
    return helper.get_attribute_value(attribute.default_value)


def check_counts(operator, schema):
    unbounded = 2**31 - 1
    for what, own, least, greatest in (("inputs", operator["inputs"], schema.min_input, schema.max_input),
                                       ("outputs", operator["outputs"], schema.min_output, schema.max_output)):
        theirs = (least, -1 if greatest == unbounded else greatest)
        if own != theirs:
            yield f"expected {what} {list(theirs)}, got {list(own)}"


def check_attributes(operator, schema, helper):
    own = {name: value for name, value in operator["attributes"].items() if name not in OWN_ATTRIBUTES}
    theirs = {name: value for name, value in schema.attributes.items()
              if name not in DROPPED_ATTRIBUTES.get(operator["name"], ())}
    for name in sorted(own.keys() - theirs.keys()):
        yield f"attribute '{name}' is not ONNX's"
    for name in sorted(theirs.keys() - own.keys()):
        yield f"attribute '{name}' is missing"
    for name in sorted(own.keys() & theirs.keys()):
        if theirs[name].required and is_optional(own[name]) and operator["name"] not in DROPPED_ATTRIBUTES:
            yield f"attribute '{name}' is required by ONNX"
        value = schema_default(theirs[name], helper)
        if not same_default(own[name], value):
            yield f"attribute '{name}': expected default {value!r}, got {default_text(own[name])!r}"


def check_against_schema(operator, schema, helper):
    if schema.since_version != operator["since"]:
        yield f"expected operator set {schema.since_version}, got {operator['since']}"
    yield from check_counts(operator, schema)
    yield from check_attributes(operator, schema, helper)


def main():
    differences = list(check_labels())
    tblgen = find_tblgen()
    try:
        from onnx import defs, helper
    except ImportError:
        defs = None
    if tblgen and defs:
        summary = check_operators(tblgen, defs, helper, differences)
    else:
        summary = f"schemas skipped, {'python3-onnx' if tblgen else 'llvm-tblgen'} is not installed"
    print("\n".join(differences + [f"check-onnx-schemas: {summary}, {len(differences)} differences"]))
    return 1 if differences else 0


def check_operators(tblgen, defs, helper, differences):
    """Appends to the differences. Returns a string about what was compared."""
    newest = defs.onnx_opset_version()
    compared, alone = 0, 0
    for file in sorted(os.listdir(OPERATORS)):
        if not file.endswith(".td"):
            continue
        for operator in read_operators(tblgen, file):
            if operator["name"] in OWN_OPERATORS:
                continue
            found = list(check_against_itself(operator))
            if operator["since"] <= newest:
                found += check_against_schema(operator, defs.get_schema(operator["name"], newest), helper)
                compared += 1
            else:
                alone += 1
            differences += [f"{file}: {operator['name']}: {text}" for text in found]
    return f"{compared} operators compared with operator set {newest}, {alone} newer ones with themselves"


if __name__ == "__main__":
    sys.exit(main())
