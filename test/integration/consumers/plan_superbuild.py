#!/usr/bin/env python3
"""Projects that contain Cameo, with add_subdirectory, with FetchContent as docs/cmake.md has it, and as docs/examples/superbuild has it: configured, and
their plans looked at. (Building them takes as long as building Cameo.)

usage: plan_superbuild.py CMAKE SOURCE C_COMPILER CXX_COMPILER PREFIX_PATH WORK
"""

import json
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


def check_plan(cmake, project, compilers, *options):
    """Configures a project whose program two_models links models, and checks the order of its build steps."""
    build = project / "build"
    run(cmake, "-S", project, "-B", build, "-G", "Ninja", *compilers, *options)
    plan = run(cmake, "--build", build, "--target", "two_models", "--", "-n")
    # The compiler comes first, then the models, then the program with the runtime. No test of Cameo is built.
    order = [plan.find(each) for each in ("bin/cameo", "scale.onnxtxt", "executable two_models")]
    if -1 in order or order != sorted(order):
        sys.exit(f"expected the compiler, the models and the program in this order, got {plan}")
    tests = re.compile(r"cameo(-build)?/test/")
    if "libcameo_rt.a" not in plan or tests.search(plan):
        sys.exit(f"expected the runtime and no tests in the plan, got {plan}")
    if tests.search((build / "build.ninja").read_text()):
        sys.exit("expected no tests of Cameo in a project that contains it")
    print(f"{project.name}: {len(plan.splitlines())} steps")


def check_mapped_paths(build, source):
    """Checks that CAMEO_MAP_PATHS makes the compilers remove the path of the sources."""
    commands = [each for each in json.loads((build / "compile_commands.json").read_text()) if pathlib.Path(each["file"]).is_relative_to(source)]
    unmapped = [each["file"] for each in commands if f"-ffile-prefix-map={source}/=" not in each["command"]]
    # Programs of the containing project have their own flags.
    if not commands or set(unmapped) - {str(source / "docs/examples/c/main.c")}:
        sys.exit(f"expected mapped paths in all commands of {build}, got {unmapped[:5]}")
    pool = next(each for each in commands if each["file"].endswith("runtime/src/thread_pool.c"))
    probe, out = build / "probe.c", build / "probe.o"
    probe.write_text(f'#line 1 "{source}/runtime/src/probe.c"\nconst char *path(void) {{ return __FILE__; }}\n')
    command = pool["command"].replace(pool["file"], str(probe)).split()
    run(*[str(out) if before == "-o" else word for before, word in zip(["", *command], command)])
    held = out.read_bytes()
    if b"runtime/src/probe.c" not in held or str(source).encode() in held:
        sys.exit(f"expected a path in the repository in what {' '.join(command)} makes")


def with_add_subdirectory(work, source):
    project = work / "contains"
    (project / "models").mkdir(parents=True)
    (project / "CMakeLists.txt").write_text(PROJECT.format(source=source))
    (project / "models/CMakeLists.txt").write_text(MODELS.format(source=source))
    return project


def with_fetch_content(work, source):
    """Returns the project in docs/cmake.md, word by word, with the models."""
    page = (source / "docs/cmake.md").read_text()
    blocks = [block for block in re.findall(r"^```cmake\n(.*?)^```$", page, re.MULTILINE | re.DOTALL) if "FetchContent_Declare" in block]
    if len(blocks) != 1:
        sys.exit(f"docs/cmake.md: expected one project with FetchContent, got {len(blocks)}")
    project = work / "fetches"
    shutil.copytree(source / "docs/examples/c", project)
    (project / "CMakeLists.txt").write_text(blocks[0])
    for model in (source / "docs/examples").glob("*.onnxtxt"):
        shutil.copy(model, work)
    return project


def check_superbuild(cmake, work, source):
    """Checks that, without an installation, Cameo is built and installed before the program is configured. The page must show the rules of the
    example."""
    example, build = source / "docs/examples/superbuild", work / "superbuild"
    rules = example.joinpath("CMakeLists.txt").read_text()
    if rules[rules.index("if(NOT CAMEO_PREFIX)"):] not in (source / "docs/cmake.md").read_text():
        sys.exit("docs/cmake.md: expected the rules of docs/examples/superbuild")
    run(cmake, "-S", example, "-B", build, "-G", "Ninja")
    plan = run(cmake, "--build", build, "--", "-n")
    steps = ("configure step for 'cameo'", "build step for 'cameo'", "install step for 'cameo'", "configure step for 'two_models'", "build step for 'two_models'")
    order = [plan.find(each) for each in steps]
    if -1 in order or order != sorted(order):
        sys.exit(f"expected the steps {steps} in this order, got {plan}")


def main():
    cmake, source, c_compiler, cxx_compiler, prefix_path = sys.argv[1:6]
    source, work = pathlib.Path(source), pathlib.Path(sys.argv[6])
    shutil.rmtree(work, ignore_errors=True)
    compilers = [f"-DCMAKE_C_COMPILER={c_compiler}", f"-DCMAKE_CXX_COMPILER={cxx_compiler}", f"-DCMAKE_PREFIX_PATH={prefix_path}",
                 "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld", "-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=lld"]
    contains = with_add_subdirectory(work, source)
    check_plan(cmake, contains, compilers, "-DCAMEO_MAP_PATHS=ON")
    check_mapped_paths(contains / "build", source)
    check_plan(cmake, with_fetch_content(work, source), compilers, f"-DFETCHCONTENT_SOURCE_DIR_CAMEO={source}", "-DFETCHCONTENT_FULLY_DISCONNECTED=ON")
    check_superbuild(cmake, work, source)


if __name__ == "__main__":
    main()
