// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="form=llvm triple=x86_64-linux-gnu cpu=x86-64-v4 prefix=net" -o /dev/null | FileCheck %s
// 512-bit vectors are not split on processors where LLVM would.
// CHECK: target triple = "x86_64-unknown-linux-gnu"
// CHECK: define internal void @dense.k0(ptr noalias
// CHECK: attributes #{{.*}} "min-legal-vector-width"="512" "prefer-vector-width"="512" "target-cpu"="x86-64-v4"

// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="form=assembly triple=x86_64-linux-gnu cpu=x86-64 prefix=net" -o /dev/null | FileCheck %s --check-prefix=SSE
// SSE: mulss
// SSE-NOT: vmulss

// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="form=assembly triple=aarch64-linux-gnu cpu=cortex-a72 prefix=net" -o /dev/null | FileCheck %s --check-prefix=ARM
// ARM: ldr s
// ARM: .section .rodata.cameo.net

// RUN: not cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="triple=z80-linux" 2>&1 | FileCheck %s --check-prefix=TRIPLE
// TRIPLE: error: unknown target 'z80-linux': expected a Linux triple of x86_64 or aarch64 with 64-bit pointers, such as x86_64-linux-gnu or aarch64-linux-gnu
// RUN: not cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="triple=x86_64-apple-darwin" 2>&1 | FileCheck %s --check-prefix=DARWIN
// DARWIN: error: unknown target 'x86_64-apple-darwin'
// RUN: not cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="triple=x86_64-linux-gnux32" 2>&1 | FileCheck %s --check-prefix=X32
// X32: error: unknown target 'x86_64-linux-gnux32'
// RUN: not cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="triple=aarch64-linux-gnu_ilp32" 2>&1 | FileCheck %s --check-prefix=ILP32
// ILP32: error: unknown target 'aarch64-linux-gnu_ilp32'
// RUN: not cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="triple=aarch64-linux-gnu cpu=znver3" 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: unknown CPU 'znver3' for aarch64-unknown-linux-gnu: expected native or one of {{.*}}cortex-a72
// Processors for programs of 32 bits are not among those of x86_64.
// RUN: not cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="triple=x86_64-linux-gnu cpu=i386" 2>&1 | FileCheck %s --check-prefix=CPU32
// CPU32: error: unknown CPU 'i386' for x86_64-unknown-linux-gnu: expected native or one of
// CPU32-NOT: i386
// RUN: not cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="form=punched-cards" 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: expected a form of object, assembly or llvm, got punched-cards
// RUN: not cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="output=/nowhere/net.o" 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: /nowhere/net.o: No such file or directory
