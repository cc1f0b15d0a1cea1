"""Runs command lines of cameo within limits: by the command server (CommandServer.cpp), which starts no program for each, or by the program."""

import json
import os
import pathlib
import resource
import subprocess
import time
from dataclasses import dataclass


@dataclass
class Result:
    """The result of a command."""

    status: int  # exit status; negative: the number of a signal
    timed_out: bool
    seconds: float
    peak_bytes: int  # peak memory
    output: str
    errors: str


class CommandServer:
    """Communicates with one server, and restarts it after it has died. Not thread-safe."""

    def __init__(self, program, work, seconds, memory_bytes):
        """`seconds` limits the processor time of a command, and `memory_bytes` its address space; 0: no limit. `work` is the folder for the output of
        commands."""
        self.program = program
        self.seconds, self.memory_bytes = seconds, memory_bytes
        self.output = pathlib.Path(work) / f"printed-{id(self):x}.out"
        self.errors = self.output.with_suffix(".err")
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.communicate()
        for path in (self.output, self.errors):
            path.unlink(missing_ok=True)

    def ask(self, request):
        if not self.process or self.process.poll() is not None:
            self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def run(self, arguments, alone=False):
        """Returns the result of `cameo ARGUMENTS...`. `alone`: runs it in a new process."""
        request = {"arguments": [str(each) for each in arguments], "output": str(self.output), "errors": str(self.errors),
                   "seconds": self.seconds, "memory": self.memory_bytes, "alone": alone}
        try:
            answer = self.ask(request)
        except (BrokenPipeError, json.JSONDecodeError):
            # The server itself died, because of this command or for another reason. The second attempt shows which.
            self.process.kill()
            self.process.wait()
            answer = self.ask(request)
        if "failure" in answer:
            raise RuntimeError(f"command server: {answer['failure']}")
        return Result(**answer, output=self.output.read_text(errors="replace"), errors=self.errors.read_text(errors="replace"))


class Program:
    """Starts a program for each command, for compilers without a server: installed ones, and stand-ins in tests."""

    def __init__(self, program, seconds, memory_bytes):
        self.program = program
        self.seconds, self.memory_bytes = seconds, memory_bytes

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def limit(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.memory_bytes:
            resource.setrlimit(resource.RLIMIT_AS, (self.memory_bytes, self.memory_bytes))

    def run(self, arguments, alone=True):
        """As CommandServer.run, but every command runs in a new process, whatever `alone` is. The peak memory is unknown (0)."""
        started = time.monotonic()
        try:
            result = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                    timeout=self.seconds, preexec_fn=self.limit, check=False)
        except subprocess.TimeoutExpired as late:
            said = [(part or b"").decode(errors="replace") for part in (late.stdout, late.stderr)]
            return Result(-9, True, time.monotonic() - started, 0, *said)
        return Result(result.returncode, False, time.monotonic() - started, 0, result.stdout, result.stderr)


def runner_for(cameo, work, seconds, memory_bytes):
    """Returns the runner of commands for the compiler at the path `cameo`: its build's command server if there is one."""
    server = pathlib.Path(cameo).with_name("command-server")
    return CommandServer(str(server), work, seconds, memory_bytes) if server.exists() else Program(cameo, seconds, memory_bytes)


SERVERS = []  # program servers, which end with this process


def client_for(cameo):
    """Returns a program that does what the compiler at the path `cameo` does and starts faster, for a test that starts it several times: the client of its build's program
    server, which this starts, or `cameo` itself if there is no server beside it."""
    server, client = (pathlib.Path(cameo).with_name(name) for name in ("program-server", "clients"))
    if not server.exists():
        return cameo
    SERVERS.append(subprocess.Popen([str(server)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    os.environ["CAMEO_PROGRAM_SERVER"] = SERVERS[-1].stdout.readline().strip()
    return str(client / "cameo")
