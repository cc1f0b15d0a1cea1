// RUN: cameo-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{unknown parameter 'l4_bytes' of a machine: expected one of vector_bytes, vector_registers, l1_bytes,}}
module attributes {cameo.target = #cameo.target<l4_bytes = 1>} {}

// -----

// expected-error @below {{l2_bytes: expected a number from 4096 to 1073741824, got '-1'}}
module attributes {cameo.target = #cameo.target<l2_bytes = -1>} {}

// -----

// expected-error @below {{multiply_adds: expected a number from 0.125 to 64, got '0'}}
module attributes {cameo.target = #cameo.target<multiply_adds = 0>} {}

// -----

// expected-error @below {{fma: expected true or false, got '1'}}
module attributes {cameo.target = #cameo.target<fma = 1>} {}

// -----

// expected-error @below {{byte_products: expected none, pairs, vnni, dotprod or i8mm, got 'many'}}
module attributes {cameo.target = #cameo.target<byte_products = "many">} {}

// -----

// expected-error @below {{expected 'cameo.target' to be a #cameo.target attribute of a module}}
module attributes {cameo.target = 3} {}

// -----

// expected-error @below {{unknown attribute 'cameo.machine' of the cameo dialect}}
module attributes {cameo.machine = #cameo.target<>} {}

// -----

// expected-error @below {{unknown GPU 'gtx': expected one of sm_80, sm_86,}}
module attributes {cameo.target = #cameo.target<gpu = "gtx">} {}

// -----

// expected-error @below {{unknown math of a GPU 'fp8': expected one of f32, 3xtf32, tf32, f16, bf16}}
module attributes {cameo.target = #cameo.target<gpu = "sm_80", gpu_math = "fp8">} {}

// -----

// expected-error @below {{expected the bytes of shared memory of an architecture, 101376 or 166912 for a100, got 1000}}
module attributes {cameo.target = #cameo.target<gpu = "a100", gpu_shared_bytes = 1000>} {}

// -----

// expected-error @below {{expected the bytes of shared memory of an architecture, 101376 for l4, got 166912}}
module attributes {cameo.target = #cameo.target<gpu_shared_bytes = 166912, gpu = "l4">} {}
