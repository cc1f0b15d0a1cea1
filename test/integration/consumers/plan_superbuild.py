#!/usr/bin/env python3
"""A project that contains Cameo with add_subdirectory: configured, and its plan looked at. (Building it takes as long as building Cameo.)

usage: plan_superbuild.py CMAKE SOURCE C_COMPILER CXX_COMPILER PREFIX_PATH WORK
"""

import pathlib
import re
import shutil
import subprocess
import sys

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(contains C CXX)
add_subdirectory("{source}" cameo EXCLUDE_FROM_ALL)
add_subdirectory(models)
add_executable(two_models "{source}/docs/examples/c/main.c")
target_link_libraries(two_models PRIVATE scale::scale clip::clip)
"""
MODELS = """cameo_add_model(scale MODEL "{source}/docs/examples/scale.onnxtxt")
cameo_add_model(clip MODEL "{source}/docs/examples/clip.onnxtxt")
"""


def run(*command):
    result = subprocess.run([str(each) for each in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {result.stdout}")
    return result.stdout


def main():
    cmake, source, c_compiler, cxx_compiler, prefix_path = sys.argv[1:6]
    work = pathlib.Path(sys.argv[6])
    shutil.rmtree(work, ignore_errors=True)
    (work / "models").mkdir(parents=True)
    (work / "CMakeLists.txt").write_text(PROJECT.format(source=source))
    (work / "models/CMakeLists.txt").write_text(MODELS.format(source=source))
    build = work / "build"
    run(cmake, "-S", work, "-B", build, "-G", "Ninja", f"-DCMAKE_C_COMPILER={c_compiler}", f"-DCMAKE_CXX_COMPILER={cxx_compiler}",
        f"-DCMAKE_PREFIX_PATH={prefix_path}", "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld", "-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=lld")
    plan = run(cmake, "--build", build, "--target", "two_models", "--", "-n")
    # The compiler first, then the models, then the program, with the runtime; no test of Cameo's.
    order = [plan.find(each) for each in ("bin/cameo", "scale.onnxtxt", "executable two_models")]
    if -1 in order or order != sorted(order):
        sys.exit(f"expected the compiler, the models and the program in this order, got {plan}")
    if "libcameo_rt.a" not in plan or re.search(r"cameo/test/", plan):
        sys.exit(f"expected the runtime and no tests in the plan, got {plan}")
    rules = (build / "build.ninja").read_text()
    if "cameo/test/" in rules:
        sys.exit("expected no tests of Cameo in a project that contains it")
    print(f"{len(plan.splitlines())} steps")


if __name__ == "__main__":
    main()
