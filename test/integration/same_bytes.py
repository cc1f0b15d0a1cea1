#!/usr/bin/env python3
"""Compiling the same model gives the same object and header, byte by byte: in another folder, at another time zone, in another language, and as another user.

usage: same_bytes.py CAMEO MODEL.onnx WORK_FOLDER
"""

import os
import pathlib
import shutil
import subprocess
import sys


def compile_in(folder, cameo, model, user=None, **environment):
    folder.mkdir(parents=True, exist_ok=True)
    # Whoever may not read the work folder has a copy in one of his own.
    shutil.copy(model, folder / "model.onnx")
    if user is not None:
        os.chown(folder, user, user)
    subprocess.run([cameo, "compile", "model.onnx", "-o", "model.o"], cwd=folder, user=user, group=user, extra_groups=None if user is None else [],
                   env=os.environ | environment, check=True)
    return [(folder / "model.o").read_bytes(), (folder / "model.h").read_bytes()]


def other_language():
    """Of all that are installed the one that differs most from C."""
    installed = subprocess.run(["locale", "-a"], stdout=subprocess.PIPE, text=True).stdout.split()
    found = [name for name in installed if name.startswith(("tr_", "de_", "fr_"))]
    return (found or [name for name in installed if "utf" in name.lower()] or ["POSIX"])[0]


def main():
    cameo, model, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    shutil.rmtree(work, ignore_errors=True)
    language = other_language()
    results = {
        "first": compile_in(work / "first", cameo, model, LC_ALL="C", TZ="UTC"),
        "second, with a % in its name": compile_in(work / "second, with a %s in its name", cameo, model),
        f"in {language}": compile_in(work / "third", cameo, model, LC_ALL=language, TZ="Asia/Tokyo", HOME="/nonexistent", USER="nobody"),
    }
    nobody = 65534
    if os.getuid() == 0 and not subprocess.run([cameo, "--version"], user=nobody, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        results["as nobody"] = compile_in(work / "fourth", cameo, model, user=nobody, HOME="/nonexistent", USER="nobody")
    different = [name for name, result in results.items() if result != results["first"]]
    if different:
        print(f"expected the bytes of {work}/first, got others: {', '.join(different)}")
        return 1
    print(f"{len(results['first'][0])} bytes of object and {len(results['first'][1])} of header are the same: {', '.join(results)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
