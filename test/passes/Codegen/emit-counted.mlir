// Sizes that data decides: typed header, description, what the caller is told after the run.
// RUN: rm -rf %t && mkdir %t
// RUN: cameo-opt %S/Inputs/counted.mlir --plan-buffers --resolve-sizes --emit-object="output=%t/counted.o header=%t/counted.h prefix=counted" -o /dev/null
// RUN: %cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I%source/runtime/include -I%t %S/Inputs/run_counted.c %t/counted.o %build/lib/libcameo_rt.a -o %t/counted
// RUN: %t/counted | FileCheck %s

// CHECK: check 0, data-sized 1 0, at most 24 bytes, 6
// CHECK-NEXT: status 0: 3 of 1.5 2.5 3.5, twice 3 5 7
// CHECK-NEXT: status 0: 0 of, twice
// CHECK-NEXT: nobody asks: 0

// RUN: FileCheck %s --check-prefix=HEADER < %t/counted.h
// HEADER: /* Upper bounds: the run computes the size. */
// HEADER-NEXT: #define COUNTED_OUTPUT_Y_ELEMENTS 6
// HEADER-NEXT: #define COUNTED_OUTPUT_Y_BYTES 24
// HEADER: float *y; /* y: n, at most 24 bytes */
// HEADER: int64_t *y_shape; /* receives the 1 dimensions of y after the run; may be null */

// The example in the comment is a program; the header is C++ too.
// RUN: sed -n '/^ \*   /s/^ \*   //p' %t/counted.h > %t/example.c
// RUN: %cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I%source/runtime/include -I%t %t/example.c %t/counted.o %build/lib/libcameo_rt.a -o %t/example
// RUN: %t/example
// RUN: echo '#include "counted.h"' > %t/include.c
// RUN: %cc -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I%source/runtime/include %t/include.c
