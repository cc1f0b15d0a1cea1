#!/usr/bin/env python3
"""Builds a copy of a plugin project with the CMake package of an installation.

usage: build_plugin.py CMAKE PREFIX PROJECT WORK_FOLDER

The copy is WORK_FOLDER/plugin, the library in WORK_FOLDER/build.
"""

import os
import pathlib
import shutil
import subprocess
import sys


def main():
    cmake, prefix, project, work = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(project, work / "plugin")
    environment = {**os.environ, "Cameo_DIR": str(prefix / "lib/cmake/Cameo")}
    if ccache := shutil.which("ccache"):  # use the compiler cache, as the build of the tree does
        environment["CMAKE_CXX_COMPILER_LAUNCHER"] = ccache
    for command in ([cmake, "-S", work / "plugin", "-B", work / "build"], [cmake, "--build", work / "build", "--parallel", "2"]):
        subprocess.run([str(each) for each in command], check=True, env=environment)
    # A second build has nothing to do.
    again = subprocess.run([cmake, "--build", str(work / "build"), "--verbose"], check=True, text=True, stdout=subprocess.PIPE).stdout
    if ".o -c" in again or "mlir-tblgen" in again:
        sys.exit(f"expected nothing to build, got\n{again}")


if __name__ == "__main__":
    main()
