// RUN: cameo-opt %s --convert-kernels | FileCheck %s

// The C library's functions take one number: a vector becomes calls per lane.
// CHECK-LABEL: llvm.func internal @inverse_hyperbolic
// CHECK-COUNT-4: llvm.call @acoshf
// CHECK-NOT: vector.
// CHECK-NOT: math.
func.func private @inverse_hyperbolic(%p: memref<4xf32>, %v: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %y = math.acosh %v : vector<4xf32>
  vector.store %y, %p[%c0] : memref<4xf32>, vector<4xf32>
  return
}
