// Dynamic sizes: typed header, description, workspace and refusals.
// RUN: rm -rf %t && mkdir %t
// RUN: cameo-opt %S/Inputs/sizes.mlir --plan-buffers --resolve-sizes --emit-object="output=%t/sizes.o header=%t/sizes.h prefix=sizes" -o /dev/null
// RUN: %cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I%source/runtime/include -I%t %S/Inputs/run_sizes.c %t/sizes.o %build/lib/libcameo_rt.a -o %t/sizes
// RUN: %t/sizes | FileCheck %s

// CHECK: check 0, symbols batch n past, derived 'past - 1' 'floor((n)/2) + 1'
// One slot behind the static block of 64 bytes.
// CHECK-NEXT: status 0: 1 5 z 0 1 2 workspace 128
// CHECK-NEXT: status 0: 7 11 7 15 19 7 z 0 1 2 3 4 5 6 7 workspace 128
// An empty tensor has a place of its own, too: its first element may be read.
// CHECK-NEXT: status 0: z workspace 128
// CHECK-NEXT: negative: 1, workspace none
// CHECK-NEXT: negative derived: 1, workspace none
// CHECK-NEXT: too many elements: 1, workspace none
// CHECK-NEXT: too large beside a zero: 1, workspace none
// CHECK-NEXT: too many bytes: 1, workspace none
// CHECK-NEXT: no sizes: 1, 1
// CHECK-NEXT: bytes of no sizes: 1 1 1
// CHECK-NEXT: shape 0: 1x3

// RUN: FileCheck %s --check-prefix=HEADER < %t/sizes.h
// HEADER: typedef struct sizes_dims {
// HEADER-NEXT: int64_t batch; /* batch */
// HEADER: const float *state; /* state: (past - 1)x2 */

// The example in the comment is a program; the header is C++ too.
// RUN: sed -n '/^ \*   /s/^ \*   //p' %t/sizes.h > %t/example.c
// RUN: %cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I%source/runtime/include -I%t %t/example.c %t/sizes.o %build/lib/libcameo_rt.a -o %t/example
// RUN: %t/example
// RUN: echo '#include "sizes.h"' > %t/include.c
// RUN: %cc -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I%source/runtime/include %t/include.c
