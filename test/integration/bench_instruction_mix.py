#!/usr/bin/env python3
"""utils/bench/instruction-mix sees what loops consist of, prints a line for each kernel that it asks for, and no kernel is faster than what it takes for the peak: bench_instruction_mix.py SCRIPT CAMEO MODELS"""

import importlib.machinery
import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
# The minimum share of the peak that the small ResNet-18 has reached, rounded down a little.
NETWORK, LEAST = "resnet18", {"cortex-a76": 0.95, "neoverse-n1": 0.8, "neoverse-v2": 0.9, "skylake-avx512": 0.8}
COUNTS = ("adds", "loads", "stores", "stack", "copies", "moves", "others")
# A nested loop, of which the inner one counts, and the instructions of the inner one.
LOOPS = {
    "neoverse-n1": ("""
product:
.L1:
	mov	x9, x1
.L2:
	ldp	q4, q5, [x0], #32
	ldr	q6, [sp, #16]
	ld1r	{ v7.4s }, [x2], #4
	fmla	v0.4s, v4.4s, v7.s[0]       // a comment
	fmla	v1.4s, v5.4s, v7.s[0]
	zip1	v6.4s, v6.4s, v6.4s
	subs	x9, x9, #1
	b.ne	.L2
	str	q0, [x3]
	cbnz	x4, .L1
	ret
""", {"adds": 2, "loads": 2, "stores": 0, "stack": 1, "copies": 1, "moves": 1, "others": 2}),
    "skylake-avx512": ("""
product:
.L1:
	movq	%rsi, %rax
.L2:
	vmovups	(%rdi), %zmm4
	vbroadcastss	(%rdx), %zmm5
	vfmadd231ps	%zmm4, %zmm5, %zmm0   # a comment
	vfmadd231ps	64(%rdi), %zmm5, %zmm1
	vmovups	%zmm0, 64(%rsp)
	decq	%rax
	jne	.L2
	decq	%rcx
	jne	.L1
	retq
""", {"adds": 2, "loads": 2, "stores": 1, "stack": 1, "copies": 1, "moves": 0, "others": 2}),
}


def load(script):
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(script.parent))
    loader = importlib.machinery.SourceFileLoader("instruction_mix", str(script))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def check_loops(mix):
    for name, (text, expected) in LOOPS.items():
        processor = mix.Processor(name)
        loops = mix.innermost_loops(text, processor)
        assert list(loops) == ["product"] and len(loops["product"]) == 1, (name, loops)
        counts = processor.count(loops["product"][0])
        assert {kind: counts[kind] for kind in COUNTS} == expected, (name, counts)


def check_bounds(mix, cameo, model):
    """Checks all kernels: none may exceed the computed peak."""
    for name in LEAST:
        processor = mix.Processor(name)
        kernels = mix.kernels_of(cameo, model, processor)
        assert len(kernels) > 15, (name, len(kernels))
        for (function, _, body), cycles in zip(kernels, processor.analyse([body for _, _, body in kernels])):
            bound = sum(processor.peak(line) for line in body if mix.is_multiply_add(line.split(None, 1)[0]))
            # Of a hundred iterations, the start and the end of the loop add a fraction to each.
            assert bound <= 1.02 * cycles, (name, function, bound, cycles)


def check_table(script, cameo, models):
    done = subprocess.run([sys.executable, script, NETWORK, "--models", models, "--cameo", cameo, "--worst", "2", "--cpus", *LEAST], capture_output=True, text=True)
    print(done.stdout + done.stderr)
    assert done.returncode == 0
    head, *rows = [line.split() for line in done.stdout.splitlines()]
    assert head == ["network", "processor", "kernel", *COUNTS, "cycles", "share"], head
    for name, least in LEAST.items():
        at = next(i for i, row in enumerate(rows) if row[:2] == [NETWORK, name])
        mean = float(rows[at][-1])
        assert least <= mean <= 1, (name, mean)
        for function, adds, *_, share in rows[at + 1:at + 3]:
            assert re.fullmatch(r"[\w.]+\.k\d+", function) and int(adds) > 1 and 0 < float(share) <= 1, rows[at + 1:at + 3]
    assert [row[:4] for row in rows[-len(LEAST):]] == [["median", "of", "networks", name] for name in LEAST], rows[-len(LEAST):]


def main():
    script, cameo, models = sys.argv[1:]
    if not shutil.which("llvm-mca-22"):
        print("no llvm-mca-22 (Debian: llvm-22)")
        return SKIPPED
    mix = load(pathlib.Path(script))
    check_loops(mix)
    check_bounds(mix, cameo, pathlib.Path(models) / f"{NETWORK}.onnx")
    check_table(script, cameo, models)
    return 0


if __name__ == "__main__":
    sys.exit(main())
