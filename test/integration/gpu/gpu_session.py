#!/usr/bin/env python3
"""Packs cases for a machine with a GPU, runs them with the emulator, and plants a wrong one.

usage: gpu_session.py CAMEO LIBCAMEO_RT.a EMULATOR ZOO_FOLDER WORK_FOLDER
"""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
TESTS = pathlib.Path("/usr/share/libonnx-testdata/data/node")
SKIPPED = 77


def call(*command, status=0, **options):
    result = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    print("$", *command, f"-> {result.returncode}")
    print(result.stdout)
    if result.returncode != status:
        sys.exit(f"expected status {status}")


def main():
    cameo, runtime, emulator, zoo, work = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4]), pathlib.Path(sys.argv[5])
    if not TESTS.is_dir():
        print("skipped: libonnx-testdata is not installed")
        return SKIPPED
    shutil.rmtree(work, ignore_errors=True)
    call(ROOT / "utils/gpu/session/session", "make", "-o", work, "--gpu=sm_90a", "--gpu-code=host", "--both-launches", "--filter=softmax_axis|lstm|mod_mixed|nonzero_example|nonmaxsuppression_two|loop11", "--cameo", cameo, "--runtime", runtime, zoo / "mlp.onnx")

    def run(status):
        call(work / "run_cases", "cases", "results.txt", "60", status=status, cwd=work, env={**os.environ, "CAMEO_CUDA_DRIVER": emulator})
        return [line.split() for line in (work / "results.txt").read_text().splitlines()]

    rows = run(0)
    assert len(rows) > 10 and all(row[1] == "ok" for row in rows), rows
    assert {"net_mlp", "net_mlp_off"} <= {row[0] for row in rows}, rows
    # Cases in the results are not run again. A case with other results is wrong, and one with too few results fails.
    (work / "results.txt").write_text("".join(" ".join(row) + "\n" for row in rows[2:]))
    planted = work / "cases" / rows[0][0] / "outputs.bin"
    planted.write_bytes(bytes(byte ^ 64 for byte in planted.read_bytes()))
    short = work / "cases" / rows[1][0] / "inputs.bin"
    short.write_bytes(short.read_bytes()[1:])
    again = run(1)
    assert len(again) == len(rows) and [row[1] for row in again[-2:]] == ["wrong", "failed"], again
    shutil.rmtree(work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
