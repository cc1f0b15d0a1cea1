"""A farm for tests: a server in a folder, agents and a key; and the part of NATS's protocol that reads and repeats messages."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

SKIPPED = 77
# A small population tests the farm as well, and is faster to propose.
SEARCH = "--search=population=256"


def find_python():
    """Returns a Python that agents of root can run as the user nobody, who cannot read home folders."""
    for path in filter(None, (sys.executable, shutil.which("python3", path="/usr/local/bin:/usr/bin"))):
        place = pathlib.Path(path).resolve()
        if all(each.stat().st_mode & 1 for each in (place, *place.parents)):
            return path
    return sys.executable


PYTHON = find_python()


def skip_unless_built(cameo):
    """Skips the test if cameo-farm is not built."""
    if not pathlib.Path(cameo).with_name("cameo-farm").exists():
        print("no cameo-farm: libnats-dev or libssl-dev was missing when this was built")
        sys.exit(SKIPPED)
    if not shutil.which("nats-server", path=f"{os.environ.get('PATH', '')}:/usr/sbin"):
        print("no nats-server (Debian: nats-server)")
        sys.exit(SKIPPED)


class Farm:
    """A context manager that ends all its processes. The server's folder is work/farm, or, with the command prefix `enter`, one in another mount namespace, which is visible here as `seen`."""

    def __init__(self, cameo, work):
        skip_unless_built(cameo)
        self.cameo, self.work = str(pathlib.Path(cameo).resolve()), pathlib.Path(work).resolve()
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.folder, self.url, self.key = self.work / "farm", self.work / "farm" / "url", self.work / "key"
        self.agents, self.enter, self.seen = {}, [], self.folder
        self.run("keygen", self.key)
        # CAMEO_FARM of a tuner with a short patience.
        self.hurried = self.work / "hurried"
        self.hurried.write_text(f"#!/bin/sh\nexec '{pathlib.Path(self.cameo).with_name('cameo-farm')}' \"$@\" --patience 3\n")
        self.hurried.chmod(0o755)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        for name in list(self.agents):
            self.kill(name)
        subprocess.run([*self.enter, self.cameo, "farm", "stop", self.folder], capture_output=True)

    def run(self, *words, expected=0):
        enter = self.enter if words and words[0] in ("start", "stop") else []
        done = subprocess.run([*enter, self.cameo, "farm", *map(str, words)], capture_output=True, text=True)
        assert done.returncode == expected, (words, done)
        return done.stdout if expected == 0 else done.stderr

    def start(self):
        # After the first start, the same port as before.
        self.run("start", self.folder, "--detach", *([] if self.url.exists() else ["--port", "0"]))

    def stop(self):
        self.run("stop", self.folder)

    def crash(self):
        os.kill(int((self.seen / "pid").read_text()), signal.SIGKILL)

    def status(self):
        return json.loads(self.run("status", "--server", self.url, "--json"))

    def agent(self, name, *more, key="test", trust=None):
        trust = ["--trust", trust or f"{self.key}.pub"] if trust is not False else []
        log = open(self.log(name), "a")
        self.agents[name] = subprocess.Popen([self.cameo, "farm", "agent", "--server", str(self.url), "--key", key, "--device", name, "--lock", str(self.work / f"{name}.lock"),
                                              *map(str, trust), *map(str, more)], stderr=log, stdout=log)

    @staticmethod
    def names(agents):
        return [f"device{number}" for number in range(agents)]

    def log(self, name):
        return self.work / f"{name}.log"

    def wait_for(self, name, text, seconds=30):
        deadline = time.time() + seconds
        while text not in self.log(name).read_text():
            assert time.time() < deadline, f"{name}: expected '{text}', got\n{self.log(name).read_text()}"
            time.sleep(0.05)

    def kill(self, name, how=signal.SIGKILL):
        agent = self.agents.pop(name)
        agent.send_signal(how)
        return agent.wait()

    def tune(self, model, records, *more, expected=0, key="test", signed=True, source=None, progress="none", **environment):
        signature = ["--signing-key", str(self.key)] if signed else []
        source = source or ["--measure", f"farm:{self.url}", "--key", key, *signature]
        search = [] if "--gpu" in more else [SEARCH]
        done = subprocess.run([self.cameo, "tune", str(model), "--records", str(records), "--progress", progress, *search, *source, *map(str, more)], capture_output=True, text=True,
                              env={**os.environ, **environment})
        assert done.returncode == expected, done.stderr
        return done.stdout + done.stderr


class PlainServer:
    """A nats-server with a configuration of the test, which has no `listen`. A context manager; farm.url is a file with its URL inside of it."""

    def __init__(self, farm, name, configuration):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        path = farm.work / f"{name}.conf"
        path.write_text(f'listen: "127.0.0.1:{port}"\n{configuration}')
        self.address = f"{'tls' if 'tls {' in configuration else 'nats'}://127.0.0.1:{port}"
        farm.url = farm.work / f"{name}.url"
        farm.url.write_text(f"{self.address}\n")
        program = shutil.which("nats-server", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        self.log = farm.work / f"{name}-server.log"
        self.process = subprocess.Popen([program, "-c", path], stdout=subprocess.DEVNULL, stderr=open(self.log, "w"))
        deadline = time.time() + 20
        while "Server is ready" not in self.log.read_text():
            assert self.process.poll() is None and time.time() < deadline, self.log.read_text()
            time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def make_certificate(work):
    """Writes server.crt and server.pem for this machine."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", work / "server.pem", "-out", work / "server.crt", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"], check=True, capture_output=True)


def records_of(path):
    """Returns the bytes of a file of records without the device that measured, the only difference between devices."""
    return re.sub(rb'"device":"[\w-]+",', b"", pathlib.Path(path).read_bytes())


def tasks_of(cameo, model):
    """Returns --tasks with all tasks: then the whole model is not compared at the end, which only this machine could do."""
    tasks = json.loads(subprocess.run([cameo, "tasks", model, "--json"], check=True, capture_output=True).stdout)["tasks"]
    return ["--tasks", ",".join(task["name"] for task in tasks)]


class Listener(threading.Thread):
    """Calls `heard(subject, payload)` for all messages of a subject; can publish, and reconnects when the server restarts."""

    def __init__(self, url_file, subject, heard):
        super().__init__(daemon=True)
        self.url_file, self.subject, self.heard, self.guard, self.socket = url_file, subject, heard, threading.Lock(), None
        self.ready = threading.Event()
        self.start()
        assert self.ready.wait(20), "no connection"

    def connect(self):
        credentials, address = pathlib.Path(self.url_file).read_text().strip().removeprefix("nats://").split("@")
        user, password = credentials.split(":")
        host, port = address.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=20)
        stream = self.socket.makefile("rb")
        stream.readline()
        options = json.dumps({"verbose": False, "pedantic": False, "user": user, "pass": password, "headers": True, "lang": "python", "version": "0", "protocol": 1})
        self.send(f"CONNECT {options}\r\nSUB {self.subject} 1\r\nPING\r\n".encode())
        return stream

    def send(self, data):
        with self.guard:
            self.socket.sendall(data)

    def publish(self, subject, payload):
        self.send(f"PUB {subject} {len(payload)}\r\n".encode() + payload + b"\r\n")

    def listen(self, stream):
        while line := stream.readline():
            words = line.split()
            if words[0] == b"PING":
                self.send(b"PONG\r\n")
            elif words[0] == b"PONG":
                self.ready.set()
            elif words[0] in (b"MSG", b"HMSG"):
                headers = int(words[-2]) if words[0] == b"HMSG" else 0
                body = stream.read(int(words[-1]) + 2)[:-2]
                self.heard(words[1].decode(), body[headers:])

    def run(self):
        while True:
            try:
                self.listen(self.connect())
            except OSError:
                pass
            time.sleep(0.2)
