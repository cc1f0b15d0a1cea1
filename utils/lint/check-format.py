#!/usr/bin/env python3
"""Checks that all C and C++ sources are laid out as .clang-format says; --write lays them out.

One version of clang-format decides, that of the compiler's LLVM: others break lines at other places.
"""

import concurrent.futures
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = "22"
SKIPPED = 77
SUFFIXES = ("*.c", "*.cpp", "*.h", "*.hpp")


def find_clang_format():
    """Returns the path of clang-format in the right version, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path and f"version {VERSION}." in subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout:
            return path
    return None


def list_sources():
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--", *SUFFIXES], capture_output=True, text=True, check=True)
    return [ROOT / name for name in done.stdout.split("\0") if name]


def run(program, options, files):
    return subprocess.run([program, *options, *files], capture_output=True, text=True, check=False)


def main():
    program = find_clang_format()
    if not program:
        print(f"skipped: no clang-format of version {VERSION} (Debian: clang-format-{VERSION})")
        return SKIPPED
    options = ["-i"] if "--write" in sys.argv[1:] else ["--dry-run", "--Werror"]
    try:
        sources = list_sources()
    except (OSError, subprocess.CalledProcessError):
        print("skipped: no git here, which lists the sources")
        return SKIPPED
    pieces = [sources[i : i + 40] for i in range(0, len(sources), 40)]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda files: run(program, options, files), pieces))
    for result in results:
        sys.stdout.write(result.stderr)
    if any(result.returncode for result in results):
        print("utils/lint/check-format.py --write lays them out")
        return 1
    print(f"{len(sources)} sources are laid out as .clang-format says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
