#!/usr/bin/env python3
"""What cameo_add_model says to wrong arguments, and what find_package says to a version that is not there.

usage: add_model_errors.py CMAKE PREFIX WORK
"""

import pathlib
import shutil
import subprocess
import sys

# Lines of CMake, and the text that the error must contain.
CASES = [
    ("cameo_add_model(net)", "cameo_add_model(net): expected MODEL and the path of an ONNX file"),
    ("cameo_add_model(net MODEL)", "cameo_add_model(net): expected a value after MODEL"),
    ("cameo_add_model(net MODEL net.onnx MAX_ARENA)", "cameo_add_model(net): expected a value after MAX_ARENA"),
    ("cameo_add_model(net MODEL net.onnx SCHEDULES net.lock)", "cameo_add_model(net): unknown argument 'SCHEDULES'"),
    ("cameo_add_model(net MODEL net.onnx POLICY locked)", "POLICY locked requires RECORDS"),
    ("cameo_add_model(net MODEL net.onnx WEIGHTS inside)", "expected WEIGHTS external, got 'inside'"),
    ("cameo_add_model(net MODEL net.onnx DIM 4)", "expected DIM NAME=SIZE, got '4'"),
    ("cameo_add_model(net MODEL net.onnx GPU_MATH f16)", "GPU_MATH f16 requires GPU"),
    ("cameo_add_model(net MODEL net.onnx GPU)", "cameo_add_model(net): expected a value after GPU"),
    ("cameo_add_model(net MODEL net.onnx TARGET riscv64-linux-gnu)", "Cameo has no runtime for riscv64-linux-gnu: expected"),
    ("cameo_add_model(a::b MODEL net.onnx)", "expected the name of a target, got 'a::b'"),
    ("find_package(Cameo 99 REQUIRED)", "99"),
]


def main():
    cmake, prefix, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    failures = 0
    for number, (line, expected) in enumerate(CASES):
        (work / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.20)\nproject(wrong NONE)\nset(CMAKE_SYSTEM_PROCESSOR x86_64)\n"
                                             f"find_package(Cameo 0.1 REQUIRED)\n{line}\n")
        result = subprocess.run([cmake, "-S", work, "-B", work / str(number), f"-DCameo_DIR={prefix / 'lib/cmake/Cameo'}"], text=True,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        # CMake breaks lines of messages.
        message = " ".join(result.stderr.split())
        if result.returncode == 0 or expected not in message:
            print(f"{line}: expected {expected!r}, got {message!r}")
            failures += 1
    print(f"{len(CASES)} cases, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
