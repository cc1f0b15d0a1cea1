"""The list of tests that do not pass: a change in either direction is an error, so that the list stays true."""

import sys


def read_exceptions(path):
    """Reasons by test name. One test per line, sorted: name, blanks, reason; '#' starts a comment line."""
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
    """Those of several files; a test stands in one of them."""
    reasons = {}
    for path in paths:
        for name, reason in read_exceptions(path).items():
            if name in reasons:
                sys.exit(f"conformance: error: {path}: {name} is already listed in another file")
            reasons[name] = reason
    return reasons


def broken_expectations(rows, exceptions, is_whole):
    """What differs from the list. `is_whole` is false when only some of the tests ran."""
    lines = []
    for name, result, reason in rows:
        if result == "pass" and name in exceptions:
            lines.append(f"{name} passes although it is listed as an exception ({exceptions[name]}): remove it from the list")
        elif result != "pass" and name not in exceptions:
            lines.append(f"{name} does not pass and is no listed exception: {result}: {reason}")
    missing = sorted(set(exceptions) - {name for name, _, _ in rows}) if is_whole else []
    return lines + [f"{name} is listed as an exception, but there is no such test" for name in missing]
