"""Compiles a case on both paths, runs it behind guard pages, and compares all results."""

import dataclasses
import os
import pathlib
import platform
import re
import shutil
import signal
import struct
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "command-server"))
from command_server import runner_for
from case import with_wider_halves
from element_types import FLOATS, from_bytes, to_bytes
from peer import FAULTS, FAULTS_OF_EMPTY, FAULTS_OF_ONE, PAIRS_OF_BYTES, Refused, adds_pairs_of_bytes
from tolerances import difference, numbers, worst

COMPILE_SECONDS = 60
MEMORY_BYTES = 6 << 30
AT_END, AT_BEGIN = 0, 1
KINDS = ("somewhere", "input", "output", "workspace", "dimensions of output", "strings of input", "text area", "sizes")
INVALID_ARGUMENT = 1
UNSUPPORTED = re.compile(r"\b(not supported|unsupported|no lowering|known only at run time)\b")


@dataclasses.dataclass
class Level:
    """A processor to generate code for."""

    name: str
    options: tuple
    compiler: str = "cc"
    emulator: tuple = ()
    needs: tuple = ()
    driver: str = ""         # library in the build's lib folder that runs kernels instead of a GPU


LEVELS = {level.name: level for level in (
    Level("native", ("--cpu=native",)),
    Level("avx512", ("--target=x86_64-linux-gnu", "--cpu=x86-64-v4"), needs=("avx512f", "avx512bw", "avx512dq", "avx512vl")),
    Level("avx2", ("--target=x86_64-linux-gnu", "--cpu=x86-64-v3"), needs=("avx2", "fma")),
    Level("sse2", ("--target=x86_64-linux-gnu", "--cpu=x86-64"), needs=("sse2",)),
    Level("aarch64", ("--target=aarch64-linux-gnu",), "aarch64-linux-gnu-gcc", ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")),
    Level("gpu", ("--cpu=native", "--gpu=sm_80", "--gpu-code=host"), driver="cameo-gpu-emulator.so"),
)}


def is_available(level):
    if level.emulator:
        return platform.machine() == "aarch64" or all(shutil.which(program) for program in (level.compiler, level.emulator[0]))
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    return all(need in flags for need in level.needs)


@dataclasses.dataclass
class Failure:
    kind: str    # must stay the same while a model is reduced
    detail: str

    def __str__(self):
        return f"{self.kind}: {self.detail}"


class Unsupported(Exception):
    """The compiler reports that it does not support the model."""


class Found(Exception):
    def __init__(self, kind, detail):
        super().__init__(detail)
        self.failure = Failure(kind, detail)


def signature(message):
    """Returns a message without the parts that differ between models."""
    message = re.sub(r"^.*?(error|LLVM ERROR|Assertion)", r"\1", message)
    message = re.sub(r"'[^']*'", "'_'", re.sub(r"\"[^\"]*\.onnx\"", "'_'", message))
    return re.sub(r"-?\d+", "N", re.sub(r"tensor<[^>]*>", "tensor<>", message))[:160]


@dataclasses.dataclass
class Tools:
    """The tools of one thread, because the compiler runs one command at a time."""

    compiler: object         # runs commands (command_server.py)
    runtime: str             # libcameo_rt.a of this machine
    runtimes: dict           # runtimes of other levels
    harnesses: dict          # compiled guarded_run, by level
    libraries: pathlib.Path  # folder of the drivers
    peer: object = None

    def harness(self, level):
        return self.harnesses.get(level.name, self.harnesses["native"])


def build_harnesses(cameo, libraries, levels, work, limited=True):
    """Returns tools with guarded_run compiled for each level's architecture. `limited`: the compiler may use MEMORY_BYTES, which sanitizers
    exceed."""
    here, root = pathlib.Path(__file__).parent, pathlib.Path(__file__).resolve().parents[2]
    libraries = pathlib.Path(libraries or pathlib.Path(cameo).resolve().parents[1] / "lib")
    work.mkdir(parents=True, exist_ok=True)
    compiler = runner_for(cameo, work, COMPILE_SECONDS, MEMORY_BYTES if limited else 0)
    tools = Tools(compiler, str(libraries / "libcameo_rt.a"), {}, {}, libraries)
    for level in [LEVELS["native"], *[each for each in levels if each.emulator]]:
        runtime = libraries / "aarch64-linux-gnu/libcameo_rt.a" if level.emulator else libraries / "libcameo_rt.a"
        program = work / f"guarded_run-{level.name}"
        subprocess.run([level.compiler, "-O1", "-Wall", "-Wextra", "-Werror", f"-I{root / 'runtime/include'}", str(here / "guarded_run.c"), str(runtime), "-o", str(program),
                        "-ldl", "-lm", "-lpthread"], check=True)
        tools.runtimes[level.name], tools.harnesses[level.name] = str(runtime), str(program)
    return tools


class Judge:
    def __init__(self, tools, level, work, compare=True, run_seconds=20):
        self.tools, self.level, self.work, self.compare, self.run_seconds = tools, level, work, compare, run_seconds
        self.notes = []

    # ---- compiling ----

    def compile(self, model, name, level, *options):
        """Returns the library that the compiler makes of `model` (a path). Raises Found or Unsupported."""
        library = self.work / f"{name}.so"
        self.run_compiler(model, name, level, "--emit=lib", "-o", library, *options)
        return library

    def compile_and_link(self, model, name, level, *options):
        """As compile, but the compiler makes an object, which the level's own linker links."""
        built, library = self.work / f"{name}.o", self.work / f"{name}.so"
        self.run_compiler(model, name, level, "-o", built, *options)
        linked = subprocess.run([level.compiler, "-shared", "-Wl,-z,defs", "-o", str(library), str(built), self.tools.runtimes.get(level.name, self.tools.runtime), "-lm"],
                                capture_output=True, text=True)
        if linked.returncode != 0:
            missing = re.findall(r"undefined reference to `?'?([\w@]+)", linked.stderr)
            raise Found(f"{name}: cannot be linked: {' '.join(sorted(set(missing)))}", linked.stderr[-1000:])
        return library

    def run_compiler(self, model, name, level, *options):
        result = self.tools.compiler.run(["compile", model, "--prefix=m", *level.options, *options])
        if result.timed_out:
            raise Found(f"{name}: compiling does not end", f"after {COMPILE_SECONDS} s")
        lines = [line for line in result.errors.splitlines() if re.search(r"error:|ERROR|Assertion|Sanitizer", line)] or result.errors.splitlines() or ["no message"]
        if result.status < 0 or result.status > 1:
            frames = re.findall(r"#\d+ 0x\w+ ((?:mlir|cameo|\(anonymous)[^(]*)", result.errors)
            how = signal.Signals(-result.status).name if result.status < 0 else f"status {result.status}"
            raise Found(f"{name}: compiler crashes: {signature(lines[0])}{' in ' + frames[0] if frames else ''}", f"{how}\n{result.errors[-3000:]}")
        if result.status == 1:
            if UNSUPPORTED.search(result.errors):
                raise Unsupported(signature(lines[0]))
            raise Found(f"{name}: compiler refuses: {signature(lines[0])}", result.errors[-2000:])

    # ---- running ----

    def request(self, case, run, placement, parts, sizes=None):
        types = case.input_types()
        symbols = case.symbols(run) if sizes is None else sizes
        data = struct.pack("<QQQ", placement, parts, len(symbols))
        data += b"".join(struct.pack("<Q", len(name.encode())) + name.encode() + struct.pack("<q", size) for name, size in symbols.items())
        data += struct.pack("<Q", len(types))
        for name, type_ in types.items():
            content = to_bytes(type_, case.feeds[run][name])
            data += struct.pack("<Q", len(content)) + content
        return data

    def run(self, library, level, requests, name):
        """Returns the answers to `requests`: (status, raw parts of arrays). Raises Found at the first fault."""
        emulator = list(level.emulator) if platform.machine() != "aarch64" else []
        command = [*emulator, self.tools.harness(level), str(library), "m", str(self.run_seconds)]
        environment = {**os.environ, "CAMEO_CUDA_DRIVER": str(self.tools.libraries / level.driver)} if level.driver else None
        result = subprocess.run(command, input=struct.pack("<Q", len(requests)) + b"".join(requests), capture_output=True, timeout=self.run_seconds * len(requests) + 30, env=environment)
        reader, answers = Reader(result.stdout), []
        for _ in requests:
            if reader.left() < 8:
                raise Found(f"{name}: run ends the harness", f"status {result.returncode} {result.stderr.decode(errors='replace')[-500:]}")
            answers.append(self.answer(reader, name))
        return answers

    def answer(self, reader, name):
        outcome = reader.word()
        if outcome == 0:
            status = reader.word()
            return status, [reader.output() for _ in range(reader.word())] if status == 0 else []
        if outcome == 1:
            number, kind, which, offset, size, is_store = (reader.word() for _ in range(6))
            what = "store" if is_store else "access"
            if kind == 0:
                raise Found(f"{name}: run: {signal.Signals(number).name}", f"at address {offset & (2**64 - 1):#x}")
            side = "before" if offset < 0 else "behind" if offset >= size else "to read-only" if is_store else "inside"
            raise Found(f"{name}: run: {what} {side} {KINDS[kind]}", f"{KINDS[kind]} {which} of {size} bytes, at offset {offset}")
        if outcome == 2:
            kind, which, offset = (reader.word() for _ in range(3))
            raise Found(f"{name}: run: store {'before' if offset < 0 else 'behind'} {KINDS[kind]}", f"{KINDS[kind]} {which}, at offset {offset}")
        if outcome == 3:
            raise Found(f"{name}: run does not end", f"after {self.run_seconds} s")
        if outcome == 4:
            return None, []
        raise Found(f"{name}: library cannot be used", reader.bytes(reader.word()).decode(errors="replace"))

    # ---- the whole ----

    def judge(self, case):
        """Returns the failure, or None. Raises Unsupported."""
        try:
            self.check(case)
        except Found as found:
            return found.failure
        return None

    def check(self, case):
        self.work.mkdir(parents=True, exist_ok=True)
        model = self.work / "model.onnx"
        model.write_bytes(case.model.SerializeToString())
        native, runs = LEVELS["native"], range(len(case.feeds))
        optimised = self.compile_and_link(model, "optimised", self.level, *([] if self.level.driver else ["--threads=2"]))
        names = list(case.symbols(0))
        requests = [self.request(case, run, AT_END, 0) for run in runs] + [self.request(case, run, AT_BEGIN, 3) for run in runs]
        answers = self.run(optimised, self.level, requests, "optimised")
        results = self.outputs(case, answers, "optimised")
        first, second = results[: len(runs)], results[len(runs) :]
        self.check_shapes(case, first, "optimised")
        self.check_equal(case, first, second, "optimised")
        if names:
            self.check_other_sizes(case, optimised, names)
        if not self.compare:
            return
        naive = self.compile(model, "naive", native, "--naive")
        plain = self.outputs(case, self.run(naive, native, [self.request(case, run, AT_END, 0) for run in runs], "naive"), "naive")
        self.check_shapes(case, plain, "naive")
        references = self.references(case)
        others = self.peer_outputs(case, model)
        types = case.output_types()
        for run in runs:
            for index, type_ in enumerate(types):
                self.compare_output(case, type_, index, run, first[run][index], plain[run][index], references and references[run][index],
                                    others[run][index] if others else None)

    def outputs(self, case, answers, name):
        types, made = case.output_types(), []
        for status, outputs in answers:
            if status == INVALID_ARGUMENT:
                raise Found(f"{name}: run refuses its sizes", str([case.symbols(run) for run in range(len(case.feeds))]))
            if status != 0:
                raise Found(f"{name}: run ends with status {status}", "")
            made.append([from_bytes(type_, data, shape) for type_, (shape, data) in zip(types, outputs)])
        return made

    def check_shapes(self, case, results, name):
        for run, outputs in enumerate(results):
            for info, array in zip(case.model.graph.output, outputs):
                known = case.values.get(info.name)
                if known and known["shapes"] is not None and tuple(known["shapes"][run]) != array.shape:
                    raise Found(f"{name}: wrong shape", f"output '{info.name}': expected {list(known['shapes'][run])}, got {list(array.shape)}")

    def check_equal(self, case, first, second, name):
        """Checks that two runs agree bit by bit. They use different memory and execute parallel ranges in a different order."""
        for run, (a, b) in enumerate(zip(first, second)):
            for info, type_, x, y in zip(case.model.graph.output, case.output_types(), a, b):
                if x.shape != y.shape or to_bytes(type_, x) != to_bytes(type_, y):
                    differ = np.argwhere(x != y) if x.shape == y.shape else []
                    raise Found(f"{name}: two runs differ", f"output '{info.name}', run {run}: {len(differ)} of {x.size} elements, at {differ[0].tolist() if len(differ) else '?'}")

    def check_other_sizes(self, case, library, names):
        """Checks sizes that are not those of a run: the model must reject them, or run without accessing memory out of bounds."""
        random = np.random.default_rng(len(case.model.graph.node) * 1000 + len(case.values))
        requests = []
        for _ in range(6):
            sizes = {name: int(random.choice([0, 1, 2, 3, 5, 7, 8, 16, 17, 33, 100, 129])) for name in names}
            if random.random() < 0.5:  # change only one size
                kept = case.symbols(0)
                changed = names[random.integers(len(names))]
                sizes = {name: sizes[name] if name == changed else kept[name] for name in names}
            if random.random() < 0.1:
                sizes[names[0]] = int(random.choice([-1, 2**31, 2**40, 2**62]))
            requests.append((sizes, self.request(case, 0, AT_END, 0, sizes)))
        for sizes, request in requests:
            try:
                (status, _), = self.run(library, self.level, [request], "optimised")
            except Found as found:
                found.failure.kind = found.failure.kind.replace("run", "run of other sizes", 1)
                found.failure.detail += f", sizes {sizes}"
                raise
            if status not in (None, 0, INVALID_ARGUMENT):
                raise Found(f"optimised: run of other sizes ends with status {status}", str(sizes))

    def references(self, case):
        """Returns the outputs of the naive path in float64; None if no value is a float."""
        if not any(value["type"] in FLOATS for value in case.values.values()):
            return None
        wide = with_wider_halves(case)
        path = self.work / "wide.onnx"
        path.write_bytes(wide.model.SerializeToString())
        native = LEVELS["native"]
        try:
            library = self.compile(path, "wide", native, "--wide")
        except Found as found:
            if wide is case:
                raise
            self.notes.append(f"no wide reference: {found.failure.kind}")  # an operator may support float16 but not float32
            return None
        answers = self.run(library, native, [self.request(wide, run, AT_END, 0) for run in range(len(wide.feeds))], "wide")
        return self.outputs(wide, answers, "wide")

    def peer_outputs(self, case, model):
        if self.tools.peer is None or "string" in case.output_types() or "string" in case.input_types().values():
            return None
        types = case.input_types()
        for node in case.nodes():
            faults = [FAULTS.get((node.op_type, type_)) for type_ in {value["type"] for value in case.values.values()} | {None}]
            if case.has_empty():
                faults.append(FAULTS_OF_EMPTY.get(node.op_type))
            if case.has_one(node):
                faults.append(FAULTS_OF_ONE.get(node.op_type))
            if node.op_type in PAIRS_OF_BYTES and {"u8", "i8"} <= case.types() and adds_pairs_of_bytes():
                faults.append("limits sums of two products to 16 bits")
            for fault in filter(None, faults):
                self.notes.append(f"onnxruntime: its {node.op_type} {fault}")
                return None
        try:
            return [self.tools.peer.run(model, {name: (types[name], feed[name]) for name in types}, [each.name for each in case.model.graph.output]) for feed in case.feeds]
        except Refused as reason:
            self.notes.append(f"onnxruntime: {str(reason)[:200]}")
            return None

    def compare_output(self, case, type_, index, run, optimised, naive, reference, other):
        name = case.model.graph.output[index].name
        where = f"output '{name}' ({type_}), run {run}: "
        allowed, wide_type = 0.0, type_
        if reference is not None and type_ in FLOATS:
            wide_type = "f32" if type_ in ("f16", "bf16") else type_
            if naive.shape == reference.shape:
                allowed = worst(numbers(type_, naive), numbers(wide_type, reference))
        wrong = difference(case, type_, optimised, naive, allowed=allowed)
        if wrong:
            against = reference is not None and difference(case, type_, optimised, reference, wide_type)
            raise Found("optimised and naive path differ" if against or reference is None or type_ not in FLOATS else "naive path is wrong", where + wrong + (f"; float64: {against}" if against else ""))
        if reference is not None:
            wrong = difference(case, type_, naive, reference, wide_type, 0.0)
            if wrong and type_ not in FLOATS:
                raise Found("wide and naive path differ", where + wrong)
        if other is not None:
            if other.shape != naive.shape and name in case.values:  # the shape is as expected
                self.notes.append(f"its shape {list(other.shape)} for {list(naive.shape)}")
                return
            wrong = difference(case, type_, naive, other, allowed=allowed)
            if wrong:
                raise Found("onnxruntime differs", where + wrong)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def left(self):
        return len(self.data) - self.at

    def bytes(self, count):
        self.at += count
        return self.data[self.at - count : self.at]

    def word(self):
        return struct.unpack("<q", self.bytes(8))[0]

    def output(self):
        shape = tuple(self.word() for _ in range(self.word()))
        return shape, self.bytes(self.word())


def remove_folder(folder):
    shutil.rmtree(folder, ignore_errors=True)


def find_cameo():
    built = pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "bin" / "cameo"
    return str(built) if built.exists() else shutil.which("cameo")


def cpu_count():
    return len(os.sched_getaffinity(0))
