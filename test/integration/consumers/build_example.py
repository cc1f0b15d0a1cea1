#!/usr/bin/env python3
"""Builds one of docs/examples as a stranger would, with the package in a given place, and compares what its program prints with arithmetic.

A tool that is missing is a skip (77).
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

EMULATORS = {"aarch64-linux-gnu": "qemu-aarch64"}
# Output of both models, and of the first alone, for 1 -2 3 -4: the first multiplies by three, the second sets negative numbers to zero.
TWO_MODELS = "3 0 9 0\n"
PROGRAMS = {"embed": "embed", "superbuild": "two_models/two_models"}
RESULTS = {"rust": "3 -6 9 -12\n", "embed": "ELF object and its header\n"}


def run(*command, **options):
    result = subprocess.run([str(each) for each in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {result.stdout}")
    return result.stdout


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            print(f"skipped: {program} was not found")
            sys.exit(77)


def cross_options(triple):
    """Returns the settings of a toolchain file."""
    if not triple:
        return []
    return ["-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={triple.split('-')[0]}", f"-DCMAKE_C_COMPILER={triple}-gcc", f"-DCMAKE_CXX_COMPILER={triple}-g++"]


def with_cmake(arguments, source):
    need("ninja" if arguments.generator == "Ninja" else "make")
    build = arguments.work / "build"
    where = f"-DCAMEO_PREFIX={arguments.package.parents[2]}" if source.name == "superbuild" else f"-DCameo_DIR={arguments.package}"
    run(arguments.cmake, "-S", source, "-B", build, "-G", arguments.generator, where, *cross_options(arguments.cross))
    run(arguments.cmake, "--build", build)
    return build / PROGRAMS.get(source.name, "two_models")


def package_environment(arguments):
    prefix = arguments.package.parents[2]
    triple = arguments.cross or f"{os.uname().machine}-linux-gnu"
    return prefix, {**os.environ, "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}", "PKG_CONFIG_PATH": str(prefix / "lib" / triple / "pkgconfig")}


def with_make(arguments, source):
    need("make", "pkg-config")
    _, environment = package_environment(arguments)
    cross = [f"CC={arguments.cross}-gcc", f"CAMEOFLAGS=--target={arguments.cross}"] if arguments.cross else []
    run("make", "-C", source, *cross, env=environment)
    return source / "two_models"


def with_meson(arguments, source):
    need("meson", "ninja", "pkg-config")
    _, environment = package_environment(arguments)
    build = arguments.work / "build"
    run("meson", "setup", build, source, env=environment)
    run("meson", "compile", "-C", build, env=environment)
    return build / "two_models"


def with_rust(arguments, source):
    need("rustc")
    prefix, _ = package_environment(arguments)
    run(prefix / "bin/cameo", "compile", source.parent / "scale.onnxtxt", "-o", source / "scale.o")
    runtime = prefix / "lib" / f"{os.uname().machine}-linux-gnu"
    run("rustc", source / "main.rs", "-o", source / "program", "-C", f"link-arg={source / 'scale.o'}", "-L", runtime, "-l", "static=cameo_rt", "-l", "m")
    return source / "program"


# Bazel would fetch these repositories. The version of Debian (bazel-bootstrap) gets files with the names of rules that it has built in.
BAZEL_RULES = {
    "rules_cc/cc": "cc_binary cc_import cc_library cc_proto_library cc_test cc_toolchain cc_toolchain_suite fdo_prefetch_hints fdo_profile objc_import objc_library",
    "rules_java/java": "java_binary java_import java_library java_lite_proto_library java_package_configuration java_plugin java_proto_library java_runtime java_test "
    "java_toolchain",
    "rules_proto/proto": "proto_lang_toolchain proto_library",
}


def with_bazel(arguments, source):
    need("bazel-4")
    prefix, environment = package_environment(arguments)
    options = []
    for package, rules in BAZEL_RULES.items():
        folder = arguments.work / "rules" / package
        folder.mkdir(parents=True)
        (folder.parent / "WORKSPACE").touch()
        (folder / "BUILD").write_text('alias(name = "toolchain_type", actual = "@bazel_tools//tools/cpp:toolchain_type", visibility = ["//visibility:public"])\n')
        (folder / "defs.bzl").write_text("".join(f"{rule} = native.{rule}\n" for rule in rules.split()))
        options.append(f"--override_repository={folder.parent.name}={folder.parent}")
    # Bazel accepts no blanks in the path of a workspace.
    workspace = arguments.work / "bazel"
    shutil.copytree(source, workspace)
    runtime = prefix / "lib" / f"{os.uname().machine}-linux-gnu"
    run("bazel-4", "--batch", f"--output_user_root={arguments.work / 'output'}", "build", "//:two_models", "--spawn_strategy=local", f"--action_env=PATH={environment['PATH']}",
        f"--copt=-I{prefix / 'include'}", f"--linkopt=-L{runtime}", *options, cwd=workspace, env=environment)
    return workspace / "bazel-bin/two_models"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--example", type=pathlib.Path, required=True)
    parser.add_argument("--package", type=pathlib.Path, required=True, help="folder of CameoConfig.cmake")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--generator", required=True, help="of CMake, or Makefile, Meson, Rust, Bazel")
    parser.add_argument("--cross", help="triple of another machine")
    arguments = parser.parse_args()
    if arguments.cross:
        need(f"{arguments.cross}-gcc", f"{arguments.cross}-g++", EMULATORS[arguments.cross])
    # A copy with only the example and the models beside it. Its path has blanks, which scripts often forget to quote.
    shutil.rmtree(arguments.work, ignore_errors=True)
    for name in (arguments.example.name, "c", "cpp"):
        shutil.copytree(arguments.example.parent / name, arguments.work / "my project" / name, dirs_exist_ok=True)
    for model in arguments.example.parent.glob("*.onnxtxt"):
        shutil.copy(model, arguments.work / "my project")
    build = {"Makefile": with_make, "Meson": with_meson, "Rust": with_rust, "Bazel": with_bazel}.get(arguments.generator, with_cmake)
    program = build(arguments, arguments.work / "my project" / arguments.example.name)
    emulator = [EMULATORS[arguments.cross], "-L", f"/usr/{arguments.cross}"] if arguments.cross else []
    printed = run(*emulator, program)
    expected = RESULTS.get(arguments.example.name, TWO_MODELS)
    if printed != expected:
        sys.exit(f"expected {expected!r}, got {printed!r}")
    print(f"{arguments.example.name}: {printed}", end="")


if __name__ == "__main__":
    main()
