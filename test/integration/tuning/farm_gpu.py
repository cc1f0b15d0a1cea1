#!/usr/bin/env python3
"""Tests a farm with GPU devices, which the emulator replaces: the same schedules are measured as without a farm, the records are used for compiling, and agents without a GPU are rejected.

usage: farm_gpu.py CAMEO EMULATOR MODEL WORK_FOLDER
"""

import json
import os
import pathlib
import subprocess
import sys

from farm_server import Farm

TUNE = ["--gpu", "a100", "--gpu-code", "host", "--trials", "12", "--trials-per-round", "4", "--repeats", "1", "--min-repeat-ms", "0.1"]


def main():
    cameo, emulator, model, work = sys.argv[1:]
    with Farm(cameo, work) as farm:
        os.environ["CAMEO_CUDA_DRIVER"] = "/nowhere/libcuda.so.1"
        farm.agent("none", "--gpu")
        assert farm.agents.pop("none").wait() == 1
        said = farm.log("none").read_text()
        assert "/nowhere/libcuda.so.1" in said and said.count("error: ") == 1 and "--gpu: the worker finds no GPU" in said, said
        # Without --gpu no GPU is needed.
        farm.agent("plain", key="plain")
        farm.wait_for("plain", "device plain of key")
        records = farm.work / "records.jsonl"
        said = farm.tune(model, records, *TUNE, key="plain", expected=1)
        assert said.count("error: ") == 1 and "expected devices with a GPU" in said and not records.exists(), said

        os.environ["CAMEO_CUDA_DRIVER"] = emulator
        for name in ("one", "two"):
            farm.agent(name, "--gpu", "--device", name)
            farm.wait_for(name, f"device {name} of key")
            assert "emulator" in farm.log(name).read_text() and "sandbox:" not in farm.log(name).read_text(), farm.log(name).read_text()
        said = farm.tune(model, records, *TUNE, "--parallel", "4")
        assert "candidates run on emulator" in said, said
        lines = [json.loads(line) for line in records.read_text().splitlines()]
        measured = [line for line in lines if line["level"] != "release"]
        winners = [line for line in lines if line["level"] == "release"]
        assert len(measured) > 8 and winners and all("error" not in line and "emulator" in line["machine"] and line["cpu"] == "a100" for line in lines), lines
        assert {line["device"] for line in lines} == {"one", "two"} and all(line["proof"]["reference"] == "naive" for line in winners), lines
        # With the returned costs, whichever device measured.
        again = farm.work / "again.jsonl"
        farm.tune(model, again, *TUNE, source=["--measure", f"replay:{records}", "--key", "test"])
        assert [json.loads(line)["schedule"] for line in again.read_text().splitlines()] == [line["schedule"] for line in lines], "another search"
        library = farm.work / "net.so"
        subprocess.run([cameo, "compile", model, "--gpu=a100", "--gpu-code=host", "--emit=lib", f"--records={records}", "--records-policy=locked", "-o", library], check=True)
        subprocess.run([cameo, "verify", model, "--library", library], check=True)
        print(f"{len(lines)} records of two devices with a GPU")
    return 0


if __name__ == "__main__":
    sys.exit(main())
