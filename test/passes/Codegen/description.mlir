// What generic tools see of a model, and what `run` does with a context.
// RUN: rm -rf %t && mkdir %t
// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="output=%t/net.o header=%t/net.h prefix=net" -o /dev/null
// RUN: %cc -std=c11 -Wall -Wextra -Werror -I%source/runtime/include -I%t %S/Inputs/run_threads.c %t/net.o %build/lib/libcameo_rt.a -o %t/net
// RUN: %t/net | FileCheck %s

// Each execution of a task begins and ends once, also when a task follows itself.
// CHECK:      begin dense (d3n5e)
// CHECK-NEXT: end dense (d3n5e)
// CHECK-NEXT: begin double (d0b1e)
// CHECK-NEXT: end double (d0b1e)
// CHECK-NEXT: begin double (d0b1e)
// CHECK-NEXT: end double (d0b1e)
// CHECK-NEXT: status 0: 0 104 124, parallel loops: 1
// CHECK-NEXT: one thread: status 0, parallel loops: 1
// CHECK-NEXT: net: 1 inputs, 2 outputs, 2 tasks, 0 symbols, 128 bytes of weights, 64 of workspace, hash 0
// CHECK-NEXT: output 'y': type 1, rank 2, last dimension 3, 12 bytes
// CHECK-NEXT: output 'the h': type 1, rank 1, last dimension 3, 12 bytes
// CHECK-NEXT: flops of 'dense': 27
