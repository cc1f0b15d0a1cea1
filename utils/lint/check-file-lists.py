#!/usr/bin/env python3
"""Checks that every source file is named in the CMakeLists.txt of its folder or of a folder above it.

A file that no list names is not built and not tested, and nobody notices.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
SUFFIXES = {".c", ".cpp"}
# Folders of files that tests compile, or that are data: a program names them.
EXEMPT = {"Inputs"}


def lists_above(path):
    """Yields the CMakeLists.txt that may name `path`, nearest first, with the name that they would use."""
    for folder in path.parents:
        lists = folder / "CMakeLists.txt"
        if lists.exists():
            yield lists, path.relative_to(folder).as_posix()
        if folder == ROOT:
            return


def is_named(path):
    for lists, name in lists_above(path):
        text = lists.read_text()
        if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", text):
            return True
    return re.search(rf"\b{re.escape(path.name)}\b", text_of_scripts(path)) is not None


def text_of_scripts(path):
    """Returns the text of other files that may use it: programs that compile an example, templates and fragments of CMake."""
    suffixes = {"", ".py", ".sh", ".test", ".in", ".cmake"}
    scripts = [each for each in path.parent.iterdir() if each.is_file() and each.suffix in suffixes]
    return "".join(each.read_text(errors="replace") for each in scripts)


def main():
    files = [
        path
        for top in ("dialects", "frontend", "passes", "autotune", "runtime", "utils", "test")
        for path in sorted((ROOT / top).rglob("*"))
        if path.suffix in SUFFIXES and not EXEMPT & set(path.parts)
    ]
    missing = [path for path in files if not is_named(path)]
    for path in missing:
        print(f"{path.relative_to(ROOT)}:1: not named in any CMakeLists.txt")
    if not missing:
        print(f"{len(files)} sources are named in their CMakeLists.txt")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
