#!/usr/bin/env python3
"""What cameo_add_model makes again: nothing when nothing changed, and one model when its file, its external data or its records change; all when the
compiler does.

usage: rebuild_models.py CMAKE GENERATOR PREFIX EXAMPLES WORK
"""

import pathlib
import shutil
import subprocess
import sys
import time

PROJECT = """cmake_minimum_required(VERSION 3.20)
project(rebuild C)
find_package(Cameo REQUIRED)
cameo_add_model(scale MODEL scale.onnx RECORDS scale.jsonl)
cameo_add_model(clip MODEL clip.onnxtxt MAX_ARENA 1M MAX_TEXT 64K MAX_WEIGHTS 1M)
cameo_add_model(outside MODEL outside.onnxtxt WEIGHTS external THREADS 2 OPTIONS --winograd=off)
get_target_property(weights outside CAMEO_WEIGHTS_FILE)
file(WRITE ${CMAKE_BINARY_DIR}/weights.txt ${weights})
add_executable(two_models main.c)
target_link_libraries(two_models PRIVATE scale::scale clip::clip)
"""


def run(*command):
    result = subprocess.run([str(each) for each in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {result.stdout}")
    return result.stdout


class Project:
    def __init__(self, cmake, generator, prefix, examples, work):
        shutil.rmtree(work, ignore_errors=True)
        self.cmake, self.source, self.build = cmake, work / "my project", work / "build"
        # A copy of the installation, because the test touches its compiler.
        self.prefix = work / "prefix"
        shutil.copytree(prefix, self.prefix)
        self.source.mkdir()
        shutil.copy(examples / "c/main.c", self.source)
        shutil.copy(examples / "clip.onnxtxt", self.source)
        shutil.copy(examples / "scale.onnxtxt", self.source / "outside.onnxtxt")
        (self.source / "CMakeLists.txt").write_text(PROJECT)
        (self.source / "scale.jsonl").touch()
        self.write_scale(3)
        run(cmake, "-S", self.source, "-B", self.build, "-G", generator, f"-DCameo_DIR={self.prefix / 'lib/cmake/Cameo'}")

    def write_scale(self, factor):
        writer = pathlib.Path(__file__).parents[2] / "utils/cameo/Inputs/write_external.py"
        run(sys.executable, writer, self.source / "scale.onnx", factor)

    def times(self):
        return {path.name: path.stat().st_mtime_ns for path in (*self.build.glob("two_models"), *self.build.glob("*.cameo/*.o"))}

    def expect(self, why, made, printed):
        """Builds, and compares the files that were rebuilt and the output of the program."""
        before = self.times()
        run(self.cmake, "--build", self.build)
        after = self.times()
        again = sorted(name for name in after if after[name] != before.get(name))
        if again != sorted(made):
            sys.exit(f"{why}: expected {made} to be made again, got {again}")
        output = run(self.build / "two_models")
        if output != printed:
            sys.exit(f"{why}: expected {printed!r}, got {output!r}")
        print(f"{why}: {', '.join(again) or 'nothing'}")
        # Make compares times, which file systems and kernels round.
        time.sleep(0.1)


def main():
    try:
        import onnx  # noqa: F401
    except ImportError:
        print("skipped: the Python module onnx was not found")
        sys.exit(77)
    project = Project(sys.argv[1], sys.argv[2], *map(pathlib.Path, sys.argv[3:6]))
    source = project.source
    project.expect("the first build", ["clip.o", "outside.o", "scale.o", "two_models"], "3 0 9 0\n")
    weights = pathlib.Path((project.build / "weights.txt").read_text())
    if not weights.stat().st_size:
        sys.exit(f"{weights}: expected weights")
    project.expect("nothing changed", [], "3 0 9 0\n")

    model, data = source / "scale.onnx", source / "scale.bin"
    unchanged = model.read_bytes()
    project.write_scale(5)
    if model.read_bytes() != unchanged:
        sys.exit("expected only the external data to change")
    (source / "clip.onnxtxt").write_text((source / "clip.onnxtxt").read_text().replace("Relu(x)", "Abs(x)"))
    project.expect("model of one, model and external data of the other", ["clip.o", "scale.o", "two_models"], "5 10 15 20\n")
    data.write_bytes(data.read_bytes()[:12] + bytes(4))
    project.expect("external data", ["scale.o", "two_models"], "5 10 15 0\n")
    (source / "clip.onnxtxt").write_text((source / "clip.onnxtxt").read_text().replace("Abs(x)", "Neg(x)"))
    project.expect("a model", ["clip.o", "two_models"], "-5 10 -15 0\n")
    (source / "scale.jsonl").touch()
    project.expect("records", ["scale.o", "two_models"], "-5 10 -15 0\n")
    (project.prefix / "bin/cameo").touch()
    project.expect("the compiler", ["clip.o", "outside.o", "scale.o", "two_models"], "-5 10 -15 0\n")
    project.expect("nothing changed after all that", [], "-5 10 -15 0\n")

    (source / "clip.onnxtxt").write_text("no model")
    failed = subprocess.run([project.cmake, "--build", project.build], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if failed.returncode == 0 or "clip.onnxtxt" not in failed.stdout:
        sys.exit(f"expected the build to fail and name the model, got {failed.stdout}")


if __name__ == "__main__":
    main()
