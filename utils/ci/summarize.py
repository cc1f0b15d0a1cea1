#!/usr/bin/env python3
"""Counts the tests of one run: each case that lit ran counts for itself, and so does each CTest test.

usage: summarize.py FOLDER    (the folder with CTest's results.xml and lit's lit-results.json)

Prints what was skipped and why, what failed, and as the last line "N passed, N failed, N skipped". Exits 1 when a test failed
or none ran.
"""

import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

LIT_OUTCOME = {"PASS": "passed", "FLAKYPASS": "passed", "XFAIL": "passed", "UNSUPPORTED": "skipped", "SKIPPED": "skipped",
               "EXCLUDED": None}


def lit_results(path):
    for test in json.loads(path.read_text())["tests"]:
        outcome = LIT_OUTCOME.get(test["code"], "failed")
        if outcome:
            yield test["name"], outcome, test.get("output", "").strip().splitlines()[-1:] or [""]


def skip_reason(output):
    """Returns the line of a test's output with the reason why it was skipped."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for position, line in enumerate(lines):
        if line.lower().startswith("skipped:"):
            return line
        # GoogleTest prints the file, then "Skipped", then the reason.
        if re.search(r": Skipped$", line) and position + 1 < len(lines):
            return lines[position + 1]
    return lines[-1] if lines else ""


def ctest_results(path):
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        outcome = {"run": "passed", "fail": "failed"}.get(case.get("status"), "skipped")
        output = case.findtext("system-out") or ""
        yield case.get("name"), outcome, [skip_reason(output)]


def main():
    folder = pathlib.Path(sys.argv[1])
    results = []
    if (folder / "results.xml").exists():
        results += ctest_results(folder / "results.xml")
    if (folder / "lit-results.json").exists():
        # The cases of lit replace the one CTest test that ran them.
        results = [result for result in results if result[0] != "lit"] + list(lit_results(folder / "lit-results.json"))
    count = collections.Counter(outcome for _, outcome, _ in results)
    skipped = collections.Counter(reason[0] for _, outcome, reason in results if outcome == "skipped")
    for reason, number in skipped.most_common():
        print(f"skipped {number}: {reason}")
    for name, outcome, _ in results:
        if outcome == "failed":
            print(f"FAILED: {name}")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] or not results else 0


if __name__ == "__main__":
    sys.exit(main())
