#!/usr/bin/env python3
"""Assembles kernels of known PTX for several architectures, and compares what utils/gpu/kernels reads from the machine code with what the PTX asks for.

usage: gpu_machine_code.py CAMEO KERNELS_FOLDER WORK_FOLDER

Exits 77 (skipped) without ptxas.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ARCHITECTURES = ["sm_80", "sm_86", "sm_89", "sm_90a", "sm_120"]

# How kernels with a loop begin: %r5 is the thread's place in shared memory, %d4 its place in `a`.
START = """
.visible .entry NAME(.param .u64 a, .param .u64 b, .param .u32 steps) .maxntid THREADS
{
  .reg .b32 %r<40>; .reg .f32 %f<40>; .reg .b64 %d<10>; .reg .pred %p<4>;
  .shared .align 16 .b8 memory[16384];
  ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; ld.param.u32 %r1, [steps];
  cvta.to.global.u64 %d1, %d1; cvta.to.global.u64 %d2, %d2;
  mov.u32 %r2, %tid.x; mov.u32 %r3, memory;
  shl.b32 %r4, %r2, 4; add.u32 %r5, %r3, %r4;
  mul.wide.u32 %d3, %r2, WIDTH; add.u64 %d4, %d1, %d3;
  ZEROS
"""
# A product by the matrix unit: PAIRS matrix instructions in an iteration, whose operands cp.async and ldmatrix fetch.
MATRICES = """
  mov.u32 %r6, 0;
LOOP: .pragma "nounroll";
  cp.async.cg.shared.global [%r5], [%d4], 16;
  cp.async.cg.shared.global [%r5+4096], [%d4+4096], 16;
  cp.async.commit_group;
  cp.async.wait_group 2;
  bar.sync 0;
  LOADS
  PRODUCTS
  bar.sync 0;
  add.u64 %d4, %d4, 8192;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, %r1;
  @%p1 bra LOOP;
  add.u64 %d5, %d2, %d3;
  st.global.v4.SUMTYPE [%d5], {SUMS};
  ret;
}
"""
# A product by threads: each iteration reads two vectors of four from shared memory and has 16 multiply-adds, behind one load from global memory and one barrier. An outer loop repeats it.
THREADS = """
  mov.u32 %r7, 0;
OUTER: .pragma "nounroll";
  mov.u32 %r6, 0;
INNER: .pragma "nounroll";
  ld.global.f32 %f30, [%d4];
  st.shared.f32 [%r5], %f30;
  bar.sync 0;
  ld.shared.v4.f32 {%f20, %f21, %f22, %f23}, [%r5];
  ld.shared.v4.f32 {%f24, %f25, %f26, %f27}, [%r5+4096];
  PRODUCTS
  bar.sync 0;
  add.u64 %d4, %d4, 1024;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p1, %r6, %r1;
  @%p1 bra INNER;
  add.u32 %r7, %r7, 1;
  setp.lt.u32 %p2, %r7, %r1;
  @%p2 bra OUTER;
  add.u64 %d5, %d2, %d3;
  st.global.f32 [%d5], %f0;
  STORES
  ret;
}
"""
# Arithmetic of other classes, each result used.
OTHERS = """
.visible .entry others(.param .u64 a, .param .u64 b) .maxntid 32
{
  .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b64 %d<10>; .reg .f64 %w<4>; .reg .b16 %h<4>;
  ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];
  cvta.to.global.u64 %d1, %d1; cvta.to.global.u64 %d2, %d2;
  mov.u32 %r9, %tid.x; mul.wide.u32 %d3, %r9, 32; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;
  ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, [%d1+4]; ld.global.f32 %f3, [%d1+8]; ld.global.b32 %r1, [%d1+12]; ld.global.b32 %r2, [%d1+16]; ld.global.b32 %r3, [%d1+20];
  rcp.approx.ftz.f32 %f4, %f1;
  ex2.approx.ftz.f32 %f5, %f4;
  mul.f32 %f6, %f5, %f2;
  max.f32 %f6, %f6, %f3;
  cvt.rn.f16x2.f32 %r4, %f6, %f5;
  dp4a.s32.s32 %r5, %r1, %r2, %r3;
  xor.b32 %r6, %r5, %r4;
  shfl.sync.bfly.b32 %r7, %r6, 1, 31, -1;
  st.global.b32 [%d2], %r7;
  ret;
}
"""
# The mean of halves, as sm_120 adds them: its quotient has two multiply-adds with a constant.
MEAN = """
.visible .entry mean(.param .u64 a, .param .u64 b) .maxntid 128
{
  .reg .b16 %h<4>; .reg .f32 %f<4>; .reg .b64 %d<6>; .reg .pred %p<2>; .reg .b32 %r<4>;
  ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];
  cvta.to.global.u64 %d1, %d1; cvta.to.global.u64 %d2, %d2;
  mov.u32 %r2, %tid.x; mul.wide.u32 %d3, %r2, 2; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;
  mov.f32 %f1, 0f00000000; mov.u32 %r1, 0;
LOOP:
  ld.global.b16 %h1, [%d1];
  add.rn.f32.f16 %f1, %h1, %f1;
  add.u64 %d1, %d1, 1024; add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 49;
  @%p1 bra LOOP;
  div.rn.f32 %f2, %f1, 0f42440000;
  cvt.rn.f16.f32 %h2, %f2;
  st.global.b16 [%d2], %h2;
  ret;
}
"""
# Blocks of a cluster: each reads what its neighbour has stored, a vector of a thread, and stores it in a branch of its own.
CLUSTER = """
.visible .entry cluster(.param .u64 a, .param .u64 b) .maxntid 128 .explicitcluster .reqnctapercluster 2
{
  .reg .b32 %r<20>; .reg .b64 %d<10>; .reg .pred %p<4>;
  .shared .align 16 .b8 memory[2048];
  ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b];
  cvta.to.global.u64 %d1, %d1; cvta.to.global.u64 %d2, %d2;
  mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; mov.u32 %r3, memory; add.u32 %r3, %r3, %r2;
  mul.wide.u32 %d3, %r1, 16; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;
  ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%d1];
  st.shared.v4.b32 [%r3], {%r10, %r11, %r12, %r13};
  barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
  mov.u32 %r4, %cluster_ctarank; xor.b32 %r5, %r4, 1;
  mapa.shared::cluster.u32 %r6, %r3, %r5;
  ld.shared::cluster.v4.b32 {%r10, %r11, %r12, %r13}, [%r6];
  st.global.v4.b32 [%d2], {%r10, %r11, %r12, %r13};
  barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
  ret;
}
"""
KINDS = {  # kind -> (instruction, registers of the left and right operand, products of a thread, products of f16 that take as long)
    "f16": ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "f", 64, 64),
    "bf16": ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "f", 64, 64),
    "tf32": ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "f", 32, 64),
    "s8": ("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "r", 128, 64),
}
PAIRS = 4  # matrix instructions of an iteration


def fill(text, **parts):
    for name, part in parts.items():
        text = re.sub(rf"\b{name.upper()}\b", part, text)
    return text


def matrices(kind):
    instruction, letter, _, _ = KINDS[kind]
    sums = [[f"%{letter}{20 + 4 * pair + each}" for each in range(4)] for pair in range(PAIRS)]
    zeros = "\n".join(f"mov.b32 {each}, 0;" for each in sum(sums, []))
    loads = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r5];\n" + "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r14, %r15}, [%r5+2048];"
    products = "\n".join(f"{instruction} {{{', '.join(each)}}}, {{%r10, %r11, %r12, %r13}}, {{%r14, %r15}}, {{{', '.join(each)}}};" for each in sums)
    # All sums are used: they are added up.
    add = "add.f32" if letter == "f" else "add.s32"
    products_behind = "\n".join(f"{add} {sums[0][at]}, {sums[0][at]}, {each[at]};" for each in sums[1:] for at in range(4))
    text = START + MATRICES.replace("  add.u64 %d5", f"  {products_behind}\n  add.u64 %d5")
    return fill(text, name="matrices", threads="128", width="16", zeros=zeros, loads=loads, products=products, sumtype="b32", sums=", ".join(sums[0]))


def threads():
    sums = [f"%f{number}" for number in range(16)]
    zeros = "\n".join(f"mov.f32 {each}, 0f00000000;" for each in sums)
    products = "\n".join(f"fma.rn.f32 %f{4 * row + column}, %f{20 + row}, %f{24 + column}, %f{4 * row + column};" for row in range(4) for column in range(4))
    stores = "\n".join(f"st.global.f32 [%d5+{4096 * number}], {each};" for number, each in enumerate(sums) if number)
    return fill(START + THREADS, name="threads", threads="256", width="4", zeros=zeros, products=products, stores=stores)


def assemble(ptxas, work, architecture, text):
    source, binary = work / "kernel.ptx", work / "kernel.cubin"
    source.write_text(f".version 8.7\n.target {architecture}\n.address_size 64\n{text}")
    subprocess.run([ptxas, f"-arch={architecture}", source, "-o", binary], check=True)
    return binary.read_bytes()


class Comparison:
    def __init__(self):
        self.wrong = []
        self.count = 0

    def equal(self, what, got, expected):
        self.count += 1
        if got != expected:
            self.wrong.append(f"{what}: got {got}, expected {expected}")


def loop_of(modules, kernel):
    code = modules["sass"].read_code(kernel.code, kernel.capability)
    return modules["loops"].main_loop(modules["loops"].find_loops(code)), code


def check_architecture(compare, modules, ptxas, work, architecture):
    capability = int(re.search(r"\d+", architecture).group())
    for kind, (_, _, products, halves) in KINDS.items():
        kernel, = modules["cubin"].read_cubin(assemble(ptxas, work, architecture, matrices(kind)))
        loop, code = loop_of(modules, kernel)
        what = f"{architecture}: {kind}"
        compare.equal(f"{what}: name, capability, threads", (kernel.name, kernel.capability, kernel.threads), ("matrices", capability, 128))
        compare.equal(f"{what}: stack", kernel.stack_bytes, 0)
        # From sm_90 on the system has 1 KB of each block's shared memory.
        compare.equal(f"{what}: shared memory", kernel.shared_bytes, 16384 + (1024 if capability >= 90 else 0))
        compare.equal(f"{what}: matrix instructions", loop.kinds()["matrix"], PAIRS)
        compare.equal(f"{what}: loads of matrices", loop.count("LDSM"), 2)
        compare.equal(f"{what}: copies", loop.count("LDGSTS"), 2)
        compare.equal(f"{what}: barriers", loop.count("BAR"), 2)
        compare.equal(f"{what}: pending groups", [each.ahead for each in loop.body if each.name == "DEPBAR"], [2])
        compare.equal(f"{what}: multiply-adds of a thread", loop.total("products"), PAIRS * products)
        compare.equal(f"{what}: in products of f16", loop.total("half_products"), PAIRS * halves)
        compare.equal(f"{what}: bytes of global memory", loop.total("global_bytes"), 2 * 16 * 32)
        compare.equal(f"{what}: bytes of shared memory", loop.total("shared_bytes"), (4 + 2) * 8 * 16 + 2 * 16 * 32)
        compare.equal(f"{what}: unknown", [each.name for each in code if each.kind == "unknown"], [])
    kernel, = modules["cubin"].read_cubin(assemble(ptxas, work, architecture, threads()))
    loop, code = loop_of(modules, kernel)
    what = f"{architecture}: threads"
    for name, expected in {"FFMA": 16, "LDS": 2, "STS": 1, "LDG": 1, "BAR": 2}.items():
        compare.equal(f"{what}: {name}", loop.count(name), expected)
    compare.equal(f"{what}: multiply-adds", loop.total("products"), 16)
    compare.equal(f"{what}: bytes of shared memory", loop.total("shared_bytes"), (2 * 16 + 4) * 32)
    outer = [each for each in modules["loops"].find_loops(code) if each.inner]
    compare.equal(f"{what}: loops around it", [len(each.inner) for each in outer], [1])
    kernel, = modules["cubin"].read_cubin(assemble(ptxas, work, architecture, OTHERS))
    code = modules["sass"].read_code(kernel.code, kernel.capability)
    names = [each.name for each in code]
    for name, expected in {"MUFU": 2, "FMUL": 1, "FMNMX": 1, "F2FP": 1, "IDP": 1, "LOP3": 1, "SHFL": 1, "STG": 1, "LDG": 6, "EXIT": 1}.items():
        compare.equal(f"{architecture}: others: {name}", names.count(name), expected)
    if capability >= 120:
        kernel, = modules["cubin"].read_cubin(assemble(ptxas, work, architecture, MEAN))
        code = modules["sass"].read_code(kernel.code, kernel.capability)
        compare.equal(f"{architecture}: mean: multiply-adds with a constant", [each.products for each in code if each.name == "FFMA.B"], [1, 1])
        compare.equal(f"{architecture}: mean: unknown", [each.name for each in code if each.kind == "unknown"], [])
    if capability >= 90:
        kernel, = modules["cubin"].read_cubin(assemble(ptxas, work, architecture, CLUSTER))
        code = modules["sass"].read_code(kernel.code, kernel.capability)
        compare.equal(f"{architecture}: cluster: bytes from others", sum(each.neighbour_bytes for each in code), 16 * 32)
        compare.equal(f"{architecture}: cluster: unknown", [each.name for each in code if each.kind == "unknown"], [])
        behind = modules["flow"].behind_arrival(code)
        compare.equal(f"{architecture}: cluster: behind the meeting", [(each.name, each.address in behind) for each in code if each.name in ("STS", "STG")], [("STS", False), ("STG", True)])
    # Blocks of a cluster may take their branches through a table, behind the meeting: each is reached from there.
    place = lambda name, at, **more: modules["sass"].Instruction(16 * at, name, "other", 1, 0, **more)
    table = [place("UCGABAR", 0), place("BRX", 1), place("LD", 2), place("BRA", 3, target=96), place("LD", 4), place("BRA", 5, target=96), place("EXIT", 6)]
    compare.equal("behind a table", sorted(modules["flow"].behind_arrival(table)), [each.address for each in table])
    # With few registers, sums are spilled.
    spilled, = modules["cubin"].read_cubin(assemble(ptxas, work, architecture, threads().replace(".maxntid 256", ".maxnreg 24")))
    code = modules["sass"].read_code(spilled.code, spilled.capability)
    compare.equal(f"{architecture}: registers within the limit", spilled.registers <= 24, True)
    compare.equal(f"{architecture}: a stack and local memory", (spilled.stack_bytes > 0, any(each.kind == "local" for each in code)), (True, True))


def run_kernels(folder, cameo, model, *options):
    return subprocess.run([sys.executable, folder / "kernels", model, "--cameo", cameo, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def check_program(compare, folder, cameo, ptxas, work):
    """The program's table, its limits, and its errors."""
    model = work / "product.onnxtxt"
    model.write_text('<ir_version: 8, opset_import: ["" : 17]>\nproduct (float16[512, 512] x, float16[512, 512] w) => (float16[512, 512] y) {\n  y = MatMul (x, w)\n}\n')
    table = work / "gates.tsv"
    head = "model\tgpu\tmath\tmatrix_percent\tfma_percent\tmove_percent\tmicroseconds\n"
    table.write_text(head)
    done = run_kernels(folder, cameo, model, "--gpu=h100", "--gates", table, "--tighten")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    compare.equal("exit status", done.returncode, 0)
    row = dict(zip(lines[0], lines[1]))
    compare.equal("the kernel's line", (row["model"], row["gpu"], row["launches"], row["local"], row["unknown"] if "unknown" in row else "0"), ("product", "h100", "1", "0", "0"))
    compare.equal("iterations of the main loop", int(row["matrix"]) > 0 and int(row["multiply_adds"]) % (64 * int(row["matrix"])) == 0, True)
    compare.equal("an estimate above the launch's time", 1 < float(row["microseconds"]) < 100, True)
    limits = table.read_text().splitlines()[1].split("\t")
    compare.equal("the line of the table", limits[:3], ["product", "h100", "f32"])
    # The limits hold for the same model, and no longer when they are stricter.
    compare.equal("limits that hold", run_kernels(folder, cameo, model, "--gpu=h100", "--gates", table).returncode, 0)
    table.write_text(head + "product\th100\tf32\t99.0\t-\t0.0\t0.5\n")
    missed = run_kernels(folder, cameo, model, "--gpu=h100", "--gates", table, "--tighten")
    compare.equal("limits that are missed", (missed.returncode, "matrix_percent is" in missed.stderr, "expected at least 99.0" in missed.stderr, "expected at most 0.5" in missed.stderr), (1, True, True, True))
    compare.equal("the table after that", table.read_text(), head + "product\th100\tf32\t99.0\t-\t0.0\t0.5\n")
    # Sizes of a run decide how long the kernels of a dynamic model take, so it has no limits until --dim states them.
    dynamic, before = work / "dynamic.onnxtxt", table.read_text()
    dynamic.write_text(model.read_text().replace("[512, 512] x", "[N, 512] x").replace("[512, 512] y", "[N, 512] y"))
    refused = run_kernels(folder, cameo, dynamic, "--gpu=h100", "--gates", table, "--tighten")
    compare.equal("limits of a dynamic model", (refused.returncode, "expected --dim" in refused.stderr, table.read_text()), (1, True, before))
    stated = run_kernels(folder, cameo, dynamic, "--gpu=h100", "--dim=N=512", "--gates", table, "--tighten")
    compare.equal("limits of stated sizes", (stated.returncode, "dynamic\th100" in table.read_text()), (0, True))
    table.write_text("model\n")
    compare.equal("another table", (run_kernels(folder, cameo, model, "--gates", table).returncode), 1)
    # An assembler that spills.
    few = work / "few-registers"
    few.write_text(f'#!/bin/sh\nsed -i "s/^.maxntid .*/.maxnreg 32/" "$2"\nexec {ptxas} "$@"\n')
    few.chmod(0o755)
    done = run_kernels(folder, cameo, model, "--gpu=sm_80", "--ptxas", few)
    compare.equal("spilled registers", (done.returncode, "loads and stores of local memory" in done.stderr), (1, True))
    # An assembler that writes something else.
    wrong = work / "wrong-output"
    wrong.write_text('#!/bin/sh\nfor each; do last=$each; done\necho text > "$last"\n')
    wrong.chmod(0o755)
    done = run_kernels(folder, cameo, model, "--gpu=sm_80", "--ptxas", wrong)
    compare.equal("no cubin", (done.returncode, "expected a cubin" in done.stderr, "Traceback" in done.stderr), (1, True, False))


def main():
    cameo, folder, work = (pathlib.Path(each).resolve() for each in sys.argv[1:4])
    ptxas = shutil.which("ptxas", path=os.pathsep.join([os.environ.get("PATH", ""), os.path.join(os.environ.get("CUDA_PATH", "/usr/local/cuda"), "bin"), "/usr/local/cuda/bin"]))
    if not ptxas:
        print("skipped: ptxas of a CUDA toolkit was not found")
        return 77
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    sys.path.insert(0, str(folder))
    modules = {name: __import__(name) for name in ("cubin", "sass", "loops", "flow")}
    compare = Comparison()
    for architecture in ARCHITECTURES:
        check_architecture(compare, modules, ptxas, work, architecture)
    check_program(compare, folder, cameo, ptxas, work)
    print("\n".join(compare.wrong) or f"{compare.count} comparisons")
    return 1 if compare.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
