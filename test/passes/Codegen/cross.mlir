// REQUIRES: aarch64-gcc, qemu-aarch64
// RUN: rm -rf %t && mkdir %t
// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="output=%t/net.o header=%t/net.h prefix=net triple=aarch64-linux-gnu" -o /dev/null
// RUN: aarch64-linux-gnu-gcc -std=gnu11 -static -I%source/runtime/include -I%t %S/Inputs/run_net.c %t/net.o %source/runtime/src/abi.c -o %t/net
// RUN: qemu-aarch64 %t/net | FileCheck %s
// CHECK: status 0: y 0 104 124 h 0 26 31
// CHECK: misaligned workspace: 1
// CHECK: other context: 2
