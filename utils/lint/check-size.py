#!/usr/bin/env python3
"""Checks that no file is longer than 500 lines: what is longer does more than one thing.

Generated files are exempt when one of their first five lines says so. Files above 300 lines are listed, as advice, with -v.
"""

import pathlib
import sys

LIMIT, ADVICE = 500, 300
arguments = [argument for argument in sys.argv[1:] if argument != "-v"]
ROOT = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2]).resolve()
SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".td", ".py", ".cmake", ".sh", ".mlir"}
TOPS = ("dialects", "frontend", "passes", "autotune", "runtime", "utils", "test")


def is_generated(lines):
    return any("generated" in line.lower() and "do not edit" in line.lower() for line in lines[:5])


def main():
    too_long, long, count = [], [], 0
    for path in (path for top in TOPS for path in sorted((ROOT / top).rglob("*"))):
        if path.suffix not in SUFFIXES or not path.is_file():
            continue
        lines = path.read_text(errors="replace").splitlines()
        count += 1
        if is_generated(lines):
            continue
        if len(lines) > LIMIT:
            too_long.append((len(lines), path))
        elif len(lines) > ADVICE:
            long.append((len(lines), path))
    for lines, path in too_long:
        print(f"{path.relative_to(ROOT)}:{LIMIT + 1}: {lines} lines, expected at most {LIMIT}")
    if "-v" in sys.argv:
        for lines, path in sorted(long, reverse=True):
            print(f"{path.relative_to(ROOT)}: {lines} lines, more than {ADVICE} is often two subjects")
    if not too_long:
        print(f"{count} files have at most {LIMIT} lines")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
