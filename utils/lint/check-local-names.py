#!/usr/bin/env python3
"""Checks that no two files of a library or program give one name to things of their own.

With CAMEO_UNITY they are compiled eight at a time, and what one of them has in an anonymous namespace, or static, the others see. Other builds do not
notice. Files that stand behind LLVM share units with each other only, and those behind APART with none.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
LIBRARY = re.compile(r"^\s*(?:cameo_add_library|cameo_add_unit_test|add_executable)\(([\w-]+)(.*?)\)\s*$", re.M | re.S)
KEYWORDS = {"LLVM", "APART", "ONNX", "PRECOMPILED", "DEPENDS", "LINK", "OPTIONS"}
# Matches at the beginning of a line, like all declarations at file scope. A declaration that ends there defines no type.
TYPE = re.compile(r"(?:template <[^>]*> )?(?:class|struct|union|enum(?: class)?) (\w+)(?: final)?\s*[:{]")
CONSTANT = re.compile(r"(?:static )?(?:inline )?(?:constexpr|const) [\w:<>,&* ]*?\b(\w+)(?:\[[^\]]*\])*\s*(?:=|\{)")
FUNCTION = re.compile(r"(?:template <.*> )?(?:static )?(?:constexpr |inline )*[A-Za-z_][\w:<>,&* ]*[ &*>](\w+)\(")


def libraries():
    """Yields the name of each library or program and files of it that are compiled together."""
    for lists in sorted(ROOT.glob("**/CMakeLists.txt")):
        if lists.relative_to(ROOT).parts[0] in ("build", "docs"):
            continue
        for name, body in LIBRARY.findall(re.sub(r"#[^\n]*", "", lists.read_text())):
            groups, behind = {None: [], "LLVM": []}, None
            for word in body.split():
                behind = word if word in KEYWORDS else behind
                if behind in groups and (path := lists.parent / word).suffix == ".cpp" and path.exists():
                    groups[behind].append(path)
            for files in groups.values():
                yield name, files


def parameters(text, start):
    """Returns the types between the parenthesis at `start` and the matching one."""
    depth, at = 0, start
    while at < len(text):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            break
    return tuple(re.sub(r"(?<=[ &*])\w+(\s*=.*)?$", "", " ".join(part.split())).strip() for part in text[start + 1 : at - 1].split(","))


def local_names(path):
    """Yields the name, with the types that distinguish overloads, and the line of each file-local declaration."""
    text, inside, offset = path.read_text(), False, 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        begin, offset = offset, offset + len(line)
        if line.startswith("namespace {"):
            inside = True
        elif line.startswith("} // namespace\n"):
            inside = False
        elif inside or line.startswith("static "):
            for pattern in (TYPE, CONSTANT):
                if found := pattern.match(line):
                    yield (found[1],), number
                    break
            else:
                if found := FUNCTION.match(line):
                    yield (found[1], parameters(text, begin + found.end() - 1)), number


def main():
    failures = []
    for library, files in libraries():
        first = {}
        for path in files:
            for key, number in local_names(path):
                other, line = first.setdefault(key, (path, number))
                if other != path:
                    failures.append(f"{path.relative_to(ROOT)}:{number}: error: '{key[0]}' is a name of {other.relative_to(ROOT)}:{line}, too: expected another one in {library}")
    print("\n".join(failures), end="\n" if failures else "")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
