#!/usr/bin/env python3
"""Installs a build tree, moves the prefix, and looks at what is in it and whether the programs run there.

usage: install_moved.py CMAKE BUILD MOVED LLVM_TOOLS
"""

import os
import pathlib
import shutil
import subprocess
import sys


def output(*command, **options):
    return subprocess.run([str(each) for each in command], check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def expect(condition, message):
    if not condition:
        sys.exit(f"install_moved.py: {message}")


def check_pages(prefix):
    pages = sorted((prefix / "share/man/man1").iterdir())
    listed = output(prefix / "bin/cameo", "--help").split("commands:\n")[1].split("\n\n")[0]
    commands = [line.split()[0] for line in listed.splitlines()]
    names = [page.name for page in pages]
    expected = sorted(["cameo.1", *(f"cameo-{command}.1" for command in commands)])
    expect(names == expected, f"expected the pages {expected}, got {names}")
    if shutil.which("groff"):
        for page in pages:
            result = subprocess.run(["groff", "-man", "-ww", "-z", page], stderr=subprocess.PIPE, text=True)
            expect(result.returncode == 0 and not result.stderr, f"{page}: {result.stderr}")


def check_plugin(prefix, tools):
    """Checks that the distribution's mlir-opt loads the plugin, if both exist."""
    for plugin in prefix.glob("lib/*/cameo/cameo-plugin.so"):
        if (tools / "mlir-opt").exists():
            module = output(tools / "mlir-opt", f"--load-dialect-plugin={plugin}", "--show-dialects", stdin=subprocess.DEVNULL)
            expect("schedule" in module and "onnx" in module, f"{plugin}: expected its dialects, got {module}")


def main():
    cmake, build, moved = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    first = moved.with_name(moved.name + "-before")
    for each in (first, moved):
        shutil.rmtree(each, ignore_errors=True)
    output(cmake, "--install", build, "--prefix", first)
    first.rename(moved)
    for name in ("bin/cameo", "bin/cameo-opt", "bin/cameo-worker", "include/cameo/abi.h", "include/cameo/runtime.h", "include/cameo/compiler.h", "include/cameo-compiler/dialects/Task/TaskDialect.h",
                 "include/cameo-compiler/dialects/Onnx/Ops/OnnxActivationOps.h.inc", "share/cameo/python/cameo.py", "lib/cmake/Cameo/CameoConfig.cmake",
                 "share/bash-completion/completions/cameo", "share/zsh/vendor-completions/_cameo",
                 "share/fish/vendor_completions.d/cameo.fish", f"lib/{os.uname().machine}-linux-gnu/libcameo_rt.a"):
        expect((moved / name).is_file(), f"expected {name}, got nothing")
    texts = [path for path in moved.rglob("*") if path.is_file() and path.suffix in (".cmake", ".pc", ".h", ".1")]
    for path in texts:
        expect(str(first) not in path.read_text() and str(build) not in path.read_text(), f"{path}: has a path of the build or of the first prefix")
    expect(output(moved / "bin/cameo", "--version").startswith("cameo "), "cameo --version")
    check_plugin(moved, pathlib.Path(sys.argv[4]))
    check_pages(moved)
    print(f"{len(texts)} texts name no folder; the programs run in {moved}")


if __name__ == "__main__":
    main()
