#!/usr/bin/env python3
"""Compares cameo and cameo-opt with the clients that replace them in lit tests: results, folder, environment, streams, limits, and the effect of signals.

usage: test_program_server.py CAMEO CAMEO_OPT PROGRAM_SERVER CLIENTS MODEL
"""

import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time


def processes_of(server):
    """Returns the ids of the processes that the server runs."""
    return pathlib.Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()


def wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "nothing happened in 60 s"
        time.sleep(0.01)


def check_same(programs, clients, model, work):
    """Runs each command line with the program and with its client, in folders with equal content, and compares the results."""
    text = b'<ir_version: 8, opset_import: ["" : 17]>\nnet (float[4] x) => (float[4] y) { y = Relu (x) }\n'
    small = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))}
    lines = [("cameo", [], {}), ("cameo", ["--version"], {}), ("cameo", ["check", model], {}), ("cameo", ["check", "none.onnx"], {}),
             ("cameo", ["compile", model, "-o", "out.o"], {}), ("cameo", ["compile", model, "-o", "mask.o"], {"umask": 0o77}),
             ("cameo", ["compile", model, "-o", "cpu.o"], {"env": {**os.environ, "CAMEO_CPU": "x86-64"}}), ("cameo", ["compile", model, "-o", "large.o"], small),
             ("cameo", ["compile", "/dev/stdin", "-o", "in.o"], {"input": text}), ("cameo", ["tasks", model], {"preexec_fn": lambda: os.close(2)}),
             ("cameo-opt", ["--version"], {}), ("cameo-opt", ["-"], {"input": b"module { }"}), ("cameo-opt", ["-", "--none"], {"input": b"module { }"}),
             ("cameo-opt", ["-"], {"input": b"module { wrong }"})]
    for name, line, options in lines:
        results, folders = [], []
        for program in (programs[name], str(clients / name)):
            # The same path for both, because messages and objects may contain it.
            folder = work / "here"
            folder.mkdir()
            result = subprocess.run([program, *line], executable=program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, check=False, **options)
            said = result.stderr.replace(program.encode(), b"") if result.returncode >= 0 else b""  # a stack trace has addresses
            results.append((result.returncode, result.stdout.replace(program.encode(), b""), said))
            folders.append({path.name: (path.stat().st_mode, path.read_bytes()) for path in folder.iterdir()})
            for path in folder.iterdir():
                path.unlink()
            folder.rmdir()
        assert results[0] == results[1], (name, line, results)
        assert folders[0] == folders[1], (name, line, [[*folder] for folder in folders])


def check_signals(server, client):
    """A program that waits for its input is ended by a signal to the client, by a signal to the program, and by the end of the client."""
    def start():
        process = subprocess.Popen([client, "-"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        wait_until(lambda: processes_of(server))
        time.sleep(0.1)  # until it forwards signals
        return process

    process = start()
    process.send_signal(signal.SIGTERM)
    assert process.wait() == -signal.SIGTERM and not processes_of(server)
    process = start()
    os.kill(int(processes_of(server)[0]), signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL and not processes_of(server)
    process = start()
    process.kill()
    assert process.wait() == -signal.SIGKILL
    wait_until(lambda: not processes_of(server))


def main():
    cameo, cameo_opt, program, clients, model = sys.argv[1:]
    clients = pathlib.Path(clients)
    server = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    os.environ["CAMEO_PROGRAM_SERVER"] = server.stdout.readline().strip()
    with tempfile.TemporaryDirectory() as work:
        check_same({"cameo": cameo, "cameo-opt": cameo_opt}, clients, model, pathlib.Path(work))
    check_signals(server, str(clients / "cameo-opt"))
    # The server ends with its input, and later requests fail with a message.
    server.communicate()
    assert server.returncode == 0
    refused = subprocess.run([clients / "cameo"], capture_output=True, text=True, check=False)
    assert refused.returncode == 127 and refused.stderr == f"program-client: error: {os.environ['CAMEO_PROGRAM_SERVER']}: Connection refused\n", refused
    print("programs behind the server behave as the programs")


if __name__ == "__main__":
    main()
