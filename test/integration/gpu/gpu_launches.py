#!/usr/bin/env python3
"""Launches of whole networks at batch 1 on a GPU, which may only become fewer: what each was when this was last looked at is below.

usage: gpu_launches.py CAMEO ZOO_SCRIPT WORK_FOLDER

Exits 0 when no network has more, 1 when one has.
"""

import pathlib
import subprocess
import sys

ARCHITECTURE = "sm_90a"
# The networks of utils/zoo in full size, because their schedules differ from those of the small ones.
MOST = {"resnet50": 56, "mobilenetv2": 55, "bert_base_opset17": 88, "vit_b16": 101, "gpt2_decode": 212}


def count(cameo, zoo, name, work):
    model = work / f"{name}.onnx"
    subprocess.run([sys.executable, zoo, "make", name, "-o", work], check=True, stdout=subprocess.DEVNULL)
    loops = subprocess.run([cameo, "compile", model, f"--gpu={ARCHITECTURE}", "--gpu-code=host", "--emit=loops", "-o", "-"], check=True, text=True, stdout=subprocess.PIPE).stdout
    model.unlink()
    return loops.count("task.dispatch @")


def main():
    cameo, zoo, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    more = False
    for name, most in MOST.items():
        launches = count(cameo, zoo, name, work)
        print(f"{name}: {launches} launches, at most {most}")
        more |= launches > most
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main())
