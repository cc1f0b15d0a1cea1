// RUN: rm -rf %t && mkdir %t
// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="output=%t/net.o header=%t/net.h weights=%t/net.weights prefix=net" -o /dev/null
// RUN: %cc -std=c11 -Wall -Wextra -Werror -I%source/runtime/include -I%t %S/Inputs/run_weights.c %t/net.o %build/lib/libcameo_rt.a -o %t/net
// RUN: %t/net %t/net.weights | FileCheck %s

// CHECK:      no context: 4
// CHECK-NEXT: no weights: 4
// CHECK-NEXT: other weights: 4
// CHECK-NEXT: misaligned weights: 1
// CHECK-NEXT: map: 0
// CHECK-NEXT: status 0: 0 104 124

// The object has no weights then.
// RUN: llvm-readelf -S %t/net.o | FileCheck %s --check-prefix=SECTION --implicit-check-not=rodata.cameo
// SECTION: Section Headers

// The header of runtime.h, the weights laid out anew, the hash.
// RUN: wc -c < %t/net.weights | FileCheck %s --check-prefix=SIZE
// SIZE: 256
// RUN: od -A d -t f4 -j 64 -N 48 %t/net.weights | FileCheck %s --check-prefix=BYTES
// BYTES:      0000064 1 4 7 10
// BYTES-NEXT: 0000080 2 5 8 11
// BYTES-NEXT: 0000096 3 6 9 12

// A weight without bytes has the offset of another, whichever comes first, and changes nothing.
// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers -o %t/planned.mlir
// RUN: sed 's/^\( *\)task.weight {.*offset = 0 .*/&\n\1task.weight {bytes = 0 : i64, offset = 0 : i64, value = dense<> : tensor<0xf32>}/' %t/planned.mlir > %t/empty.mlir
// RUN: grep -c "task.weight" %t/empty.mlir | FileCheck %s --check-prefix=COUNT
// COUNT: 3
// RUN: cameo-opt %t/empty.mlir --emit-object="output=%t/empty.o header=%t/empty.h weights=%t/empty.weights prefix=net" -o /dev/null
// RUN: cmp %t/net.weights %t/empty.weights
