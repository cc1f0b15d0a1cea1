"""Runs command lines of cameo by the command server (CommandServer.cpp), which starts no program for each, within limits."""

import json
import pathlib
import subprocess
from dataclasses import dataclass


@dataclass
class Result:
    """How a command ended."""

    status: int  # of its exit; a signal's number below 0
    timed_out: bool
    seconds: float
    peak_bytes: int  # of memory in use
    output: str
    errors: str


class CommandServer:
    """Speaks with one server, and starts it anew when it dies. Not for several threads."""

    def __init__(self, program, work, seconds, memory_bytes):
        """`memory_bytes` of address space, 0 for no limit; `work` is the folder for what commands print."""
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
        """The result of `cameo ARGUMENTS...`; `alone`: in a process that ran nothing else before."""
        request = {"arguments": [str(each) for each in arguments], "output": str(self.output), "errors": str(self.errors),
                   "seconds": self.seconds, "memory": self.memory_bytes, "alone": alone}
        try:
            answer = self.ask(request)
        except (BrokenPipeError, json.JSONDecodeError):
            # The server itself died, of this command or by someone's hand: which, the second time tells.
            self.process.kill()
            self.process.wait()
            answer = self.ask(request)
        if "failure" in answer:
            raise RuntimeError(f"command server: {answer['failure']}")
        return Result(**answer, output=self.output.read_text(errors="replace"), errors=self.errors.read_text(errors="replace"))
