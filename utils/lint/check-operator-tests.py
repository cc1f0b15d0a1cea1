#!/usr/bin/env python3
"""Checks that each operator of the onnx dialect stands in a test of its lowering or decomposition, each rule that a dialect states
(`conv_c1`) in a test of dialects, and each rule that its code checks (a comment `// conv_c1`) in what the dialect states.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
# The importer creates constants and absent values; nothing lowers them alone.
WITHOUT_LOWERING = {"Constant", "None"}
RULE = re.compile(r"(?<!\w)([a-z][a-z0-9]*(?:_[a-z0-9]+)*?_c\d+)(?!\d)")


def read_all(*folders, suffix):
    return {path: path.read_text(errors="replace") for folder in folders for path in sorted((ROOT / folder).rglob("*" + suffix))}


def main():
    declared = read_all("dialects", suffix=".td")
    lowered = "\n".join(read_all("test/passes/Graph", "test/passes/Lower", suffix=".mlir").values())
    verified = "\n".join(read_all("test/dialects", suffix=".mlir").values())
    tested, rules = set(re.findall(r"\bonnx\.(\w+)", lowered)), set(RULE.findall(verified))
    stated = set(RULE.findall("\n".join(declared.values())))
    problems, count = [], 0
    for path, text in declared.items():
        for number, line in enumerate(text.splitlines(), start=1):
            place = f"{path.relative_to(ROOT)}:{number}"
            operator = re.match(r"def Onnx_(\w+)Op : ", line)
            if operator and operator.group(1) not in tested | WITHOUT_LOWERING:
                problems.append(f"{place}: onnx.{operator.group(1)} is in no test of test/passes/Lower or test/passes/Graph")
            problems += [f"{place}: rule {rule} is in no test of test/dialects" for rule in RULE.findall(line) if rule not in rules]
            count += bool(operator)
    for path, text in read_all("dialects", suffix=".cpp").items():
        for number, line in enumerate(text.splitlines(), start=1):
            place = f"{path.relative_to(ROOT)}:{number}"
            comment = line.partition("//")[2]
            problems += [f"{place}: no dialect states rule {rule}" for rule in RULE.findall(comment) if rule not in stated]
    print("\n".join(problems) if problems else f"{count} operators and all rules have tests")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
