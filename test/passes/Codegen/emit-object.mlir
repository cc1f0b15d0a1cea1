// RUN: rm -rf %t && mkdir %t
// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="output=%t/net.o header=%t/net.h prefix=net" -o /dev/null
// RUN: %cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I%source/runtime/include -I%t %S/Inputs/run_net.c %t/net.o %build/lib/libcameo_rt.a -o %t/net
// RUN: %t/net | FileCheck %s

// CHECK: status 0: y 0 104 124 h 0 26 31
// CHECK: no input: 1
// CHECK: no output: 1
// CHECK: no workspace: 1
// CHECK: misaligned workspace: 1
// CHECK: no arrays: 1
// CHECK: other context: 2

// The weights lie in a read-only section at the end of the file, their symbol has their size.
// RUN: llvm-readelf -S -s %t/net.o | FileCheck %s --check-prefix=SECTION
// SECTION: .rodata.cameo.net PROGBITS {{0+}} {{[0-9a-f]+}} 000080 00 A 0 0 64
// SECTION: 128 OBJECT LOCAL DEFAULT {{.*}} net.weights

// Nothing but the model's own functions is visible; an object of another ABI version does not link.
// RUN: llvm-nm --extern-only --format=just-symbols %t/net.o | sort | FileCheck %s --check-prefix=NAMES
// NAMES:      {{^}}cameo_abi_4
// NAMES-NEXT: {{^}}net_description
// NAMES-NEXT: {{^}}net_run_buffers
// NAMES-NOT: {{.}}

// The same input gives the same bytes.
// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="output=%t/again.o header=%t/again.h prefix=net" -o /dev/null
// RUN: cmp %t/net.o %t/again.o
// RUN: cmp %t/net.h %t/again.h
