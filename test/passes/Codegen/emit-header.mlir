// RUN: rm -rf %t && mkdir %t
// RUN: cameo-opt %S/Inputs/names.mlir --plan-buffers --emit-object="output=%t/names.o header=%t/names.h prefix=names" -o /dev/null
// RUN: FileCheck %s < %t/names.h

// CHECK: #define NAMES_WORKSPACE_BYTES 64
// CHECK: #define NAMES_WEIGHTS_BYTES 0
// CHECK: #define NAMES_INPUT_INPUT_0_ELEMENTS 2
// CHECK-NEXT: #define NAMES_INPUT_INPUT_0_BYTES 8
// CHECK: #define NAMES_INPUT_EMPTY_ELEMENTS 0

// CHECK: typedef struct names_inputs {
// CHECK-NEXT: const float *input_0; /* input:0: 2, 8 bytes */
// CHECK-NEXT: const double *input_0_2; /* input.0: 2, 16 bytes */
// CHECK-NEXT: const uint16_t *int_; /* int: scalar, 2 bytes */
// CHECK-NEXT: const uint16_t *t1st; /* 1st: 2, 4 bytes */
// CHECK-NEXT: const int8_t *A; /* A: 2, 2 bytes */
// CHECK-NEXT: const uint8_t *a_2; /* a: 2, 2 bytes */
// CHECK-NEXT: const int16_t *input6; /* input6: 2, 4 bytes */
// CHECK-NEXT: const uint16_t *t_____; /* ?/ "?: 2, 4 bytes */
// CHECK-NEXT: const int32_t *linux_; /* linux: 2, 8 bytes */
// CHECK-NEXT: const uint32_t *t__x; /* __x: 2, 8 bytes */
// CHECK-NEXT: const int64_t *gr____e; /* gr????e: 2x3, 48 bytes */
// CHECK-NEXT: const uint64_t *class_; /* class: 2, 16 bytes */
// CHECK-NEXT: const uint8_t *t; /* : 2, 2 bytes */
// CHECK-NEXT: const float *empty; /* empty: 0x7, 0 bytes */
// CHECK-NEXT: } names_inputs;
// CHECK: typedef struct names_outputs {
// CHECK-NEXT: uint8_t *input_0; /* input:0: 2, 2 bytes */
// CHECK: extern const cameo_model_description names_description;
// CHECK: static inline uint64_t names_workspace_size(void)
// CHECK: static inline cameo_status names_run(const names_inputs *inputs, const names_outputs *outputs,

// The example in the comment is a program; the header is C11 and C++ without warnings.
// RUN: sed -n '/^ \*   /s/^ \*   //p' %t/names.h > %t/example.c
// RUN: %cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I%source/runtime/include -I%t %t/example.c %t/names.o %build/lib/libcameo_rt.a -o %t/example
// RUN: %t/example
// RUN: echo '#include "names.h"' > %t/include.c
// RUN: %cc -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I%source/runtime/include %t/include.c
// RUN: %cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I%source/runtime/include %t/include.c
