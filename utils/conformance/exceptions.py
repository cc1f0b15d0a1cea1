"""The list of tests that do not pass: a change in either direction is an error, so that the list stays true."""

import sys


def read_exceptions(path):
    """Returns the reasons by test name. The file has one test per line, sorted: name, blanks, reason. '#' starts a comment line."""
    reasons = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, reason = line.partition(" ")
        if not reason.strip():
            sys.exit(f"conformance: error: {path}:{number}: expected a test and the reason why it does not pass, got '{line}'")
        if reasons and name <= next(reversed(reasons)):
            sys.exit(f"conformance: error: {path}:{number}: expected tests sorted by name, got '{name}'")
        reasons[name] = reason.strip()
    return reasons


def read_all_exceptions(paths):
    """Returns the reasons of several files. A test may be in only one of them."""
    reasons = {}
    for path in paths:
        for name, reason in read_exceptions(path).items():
            if name in reasons:
                sys.exit(f"conformance: error: {path}: {name} is already listed in another file")
            reasons[name] = reason
    return reasons


def broken_expectations(rows, exceptions, is_whole):
    """Returns lines about differences from the list. `is_whole` is false if only some of the tests ran."""
    lines = []
    for name, result, reason in rows:
        if result == "pass" and name in exceptions:
            lines.append(f"{name} passes although it is listed as an exception ({exceptions[name]}): remove it from the list")
        elif result != "pass" and name not in exceptions:
            lines.append(f"{name} does not pass and is no listed exception: {result}: {reason}")
    missing = sorted(set(exceptions) - {name for name, _, _ in rows}) if is_whole else []
    return lines + [f"{name} is listed as an exception, but there is no such test" for name in missing]
