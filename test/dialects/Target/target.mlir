// RUN: cameo-opt %s -split-input-file | cameo-opt -split-input-file | FileCheck %s

// What is as by default is not printed.
// CHECK: module attributes {cameo.target = #cameo.target<>}
module attributes {cameo.target = #cameo.target<vector_bytes = 32, multiply_adds = 2, fma = true, byte_products = "none">} {}

// -----

// CHECK: #cameo.target<triple = "x86_64-unknown-linux-gnu", cpu = "znver4", features = "+avx2,-sse4a", vector_bytes = 64, l2_bytes = 2097152, multiply_adds = 1, far_bytes_per_cycle = 20.5, fma = false, divides_fast = true, byte_products = "vnni">
module attributes {cameo.target = #cameo.target<cpu = "znver4", triple = "x86_64-unknown-linux-gnu", features = "+avx2,-sse4a", byte_products = "vnni",
                                                vector_bytes = 64, l2_bytes = 2097152, multiply_adds = 1, far_bytes_per_cycle = 20.5, fma = false, divides_fast = true>} {}

// -----

// CHECK: #cameo.target<cpu = "x86-64-v3", gpu = "sm_90a">
module attributes {cameo.target = #cameo.target<gpu = "sm_90a", cpu = "x86-64-v3">} {}

// -----

// What a GPU multiplies is printed where it is not f32.
// CHECK: #cameo.target<gpu = "h100", gpu_math = "3xtf32">
// CHECK: #cameo.target<gpu = "h100">
module attributes {cameo.target = #cameo.target<gpu_math = "3xtf32", gpu = "h100">} {
  module attributes {cameo.target = #cameo.target<gpu = "h100", gpu_math = "f32">} {}
}

// -----

// The shared memory of a block is printed where other code of the object limits it.
// CHECK: #cameo.target<gpu = "a100", gpu_shared_bytes = 101376>
// CHECK: #cameo.target<gpu = "a100">
module attributes {cameo.target = #cameo.target<gpu_shared_bytes = 101376, gpu = "a100">} {
  module attributes {cameo.target = #cameo.target<gpu = "a100", gpu_shared_bytes = 166912>} {}
}
