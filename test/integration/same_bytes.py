#!/usr/bin/env python3
"""Compiling the same model twice gives the same object and header, byte by byte; also from another folder.

usage: same_bytes.py CAMEO MODEL.onnx WORK_FOLDER
"""

import pathlib
import subprocess
import sys


def main():
    cameo, model, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    results = []
    for name in ("first", "second"):
        folder = work / name
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([cameo, "compile", model, "-o", "model.o"], cwd=folder, check=True)
        results.append([(folder / "model.o").read_bytes(), (folder / "model.h").read_bytes()])
    if results[0] != results[1]:
        print("the two compilations differ: " + " ".join(f"{work / name}/model.o" for name in ("first", "second")))
        return 1
    print(f"{len(results[0][0])} bytes of object and {len(results[0][1])} of header are the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
