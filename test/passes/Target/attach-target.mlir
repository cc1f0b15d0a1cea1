// RUN: cameo-opt %s --attach-target="triple=aarch64-linux-gnu cpu=neoverse-n1" | FileCheck %s --check-prefix=ARM
// RUN: cameo-opt %s --attach-target="triple=x86_64-linux-gnu cpu=x86-64-v4 machine=l2_bytes=2M,far_bytes_per_cycle=5.5" | FileCheck %s --check-prefix=X86
// RUN: cameo-opt %s --attach-target=cpu=native --attach-target=machine=vector_bytes=64 | FileCheck %s --check-prefix=NUMBERS
// RUN: not cameo-opt %s --attach-target="triple=x86_64-linux-gnu cpu=nothing" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not cameo-opt %s --attach-target=machine=l3_bytes=4 2>&1 | FileCheck %s --check-prefix=PARAMETER
// RUN: cameo-opt %s --attach-target="triple=x86_64-linux-gnu cpu=x86-64-v3 gpu=h100" | FileCheck %s --check-prefix=GPU
// RUN: cameo-opt %s --attach-target="gpu=h100 gpu-math=tf32" | FileCheck %s --check-prefix=MATH
// RUN: not cameo-opt %s --attach-target="gpu=h100 gpu-math=fp8" 2>&1 | FileCheck %s --check-prefix=NOMATH
// RUN: not cameo-opt %s --attach-target=gpu=sm_70 2>&1 | FileCheck %s --check-prefix=NOGPU

// GPU: #cameo.target<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v3", gpu = "h100", byte_products = "pairs">
// MATH: #cameo.target<gpu = "h100", gpu_math = "tf32">
// NOMATH: error: unknown math of a GPU 'fp8': expected one of f32, 3xtf32, tf32, f16, bf16
// NOGPU: error: unknown GPU 'sm_70': expected one of sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100a, sm_120, a100,
// ARM: #cameo.target<triple = "aarch64-unknown-linux-gnu", cpu = "neoverse-n1", vector_bytes = 16, vector_registers = 32, float_extrema = true, byte_products = "dotprod">
// X86: #cameo.target<triple = "x86_64-unknown-linux-gnu", cpu = "x86-64-v4", vector_bytes = 64, vector_registers = 32, l2_bytes = 2097152, far_bytes_per_cycle = 5.5, byte_products = "pairs">
// A target replaces the one before.
// NUMBERS: #cameo.target<vector_bytes = 64>
// UNKNOWN: error: unknown CPU 'nothing' for x86_64-unknown-linux-gnu
// PARAMETER: error: unknown parameter 'l3_bytes' of a machine: expected one of
module {}
