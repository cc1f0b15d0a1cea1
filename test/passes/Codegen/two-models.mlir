// RUN: rm -rf %t && mkdir %t
// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="output=%t/first.o header=%t/first.h prefix=first" -o /dev/null
// RUN: cameo-opt %S/Inputs/net.mlir --plan-buffers --emit-object="output=%t/second.o header=%t/second.h prefix=second" -o /dev/null
// RUN: %cc -std=c11 -Wall -Wextra -Werror -I%source/runtime/include -I%t %S/Inputs/run_both.c %t/first.o %t/second.o %build/lib/libcameo_rt.a -o %t/both
// RUN: %t/both | FileCheck %s
// CHECK:      0 0
// CHECK-NEXT: first second

// An object is position independent: it may go into a shared library.
// RUN: %cc -shared -fuse-ld=lld -Wl,-z,text %t/first.o %t/second.o %build/lib/libcameo_rt.a -o %t/both.so
// RUN: llvm-nm --dynamic --defined-only --format=just-symbols %t/both.so | sort | FileCheck %s --check-prefix=NAMES
// NAMES:      first_description
// NAMES-NEXT: first_run_buffers
// NAMES-NEXT: second_description
// NAMES-NEXT: second_run_buffers
