#!/usr/bin/env python3
"""Compares the answers of the command server with the results of the program for the same command lines."""

import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "utils/command-server"))
from command_server import CommandServer


def main():
    cameo, program, model = sys.argv[1:]
    lines = [["--version"], [], ["bogus"], ["check", model], ["check", "missing.onnx"], ["tasks", model], ["compile", "--emit=onnx", model, "-o", "-"],
             ["records", "show", "missing.jsonl"]]
    with tempfile.TemporaryDirectory() as work, CommandServer(program, work, 60, 0) as server:
        for line in lines:
            wanted = subprocess.run([cameo, *line], capture_output=True, check=False)
            for alone in (False, True):
                got = server.run(line, alone)
                assert (got.status, got.output, got.errors) == (wanted.returncode, wanted.stdout.decode(), wanted.stderr.decode()), (line, got, wanted)
                assert 0 < got.peak_bytes < 2 << 30 and not got.timed_out, got
        compiled = pathlib.Path(work) / "model.o"
        subprocess.run([cameo, "compile", model, "-o", compiled], check=True)
        wanted = compiled.read_bytes()
        assert server.run(["compile", model, "-o", compiled]).status == 0 and compiled.read_bytes() == wanted

        # The server survives the commands that it runs.
        server.seconds = 0
        assert server.run(["compile", model, "-o", compiled]).timed_out
        server.seconds, server.memory_bytes = 60, 1 << 20
        assert server.run(["check", model]).status not in (0, 1)
        server.memory_bytes = 0
        server.process.kill()
        assert server.run(["check", model]).status == 0
    print("the command server behaves as the program")


if __name__ == "__main__":
    main()
