// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-LABEL: task.def @elementwise
// CHECK: arith.addf
// CHECK: math.erf
// Narrow floats are computed in f32.
// CHECK: arith.extf
// CHECK: math.exp
// CHECK: arith.truncf
// Floats beyond the integers are limited first.
// CHECK: arith.maxnumf
// CHECK: arith.minnumf
// CHECK: arith.fptosi
task.def @elementwise(%x: tensor<2x8xf32>, %y: tensor<8xf32>, %h: tensor<2x1xf16>) -> (tensor<2x8xf32>, tensor<2x1xf16>, tensor<2x8xi32>) {
  %0 = onnx.Add %x, %y : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %1 = onnx.Gelu %0 : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = onnx.Exp %h : (tensor<2x1xf16>) -> tensor<2x1xf16>
  %3 = onnx.Cast %1 {to = 6 : i64} : (tensor<2x8xf32>) -> tensor<2x8xi32>
  task.return %1, %2, %3 : tensor<2x8xf32>, tensor<2x1xf16>, tensor<2x8xi32>
}

// The type alone of the other operand is read; bits stay as they are.
// CHECK-LABEL: task.def @other_types
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<8xf32>)
// CHECK: arith.fptosi
// CHECK: arith.bitcast %{{.*}} : f32 to i32
task.def @other_types(%x: tensor<8xf32>, %like: tensor<1xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %0 = onnx.CastLike %x, %like : (tensor<8xf32>, tensor<1xi32>) -> tensor<8xi32>
  %1 = onnx.BitCast %x {to = 6 : i64} : (tensor<8xf32>) -> tensor<8xi32>
  task.return %0, %1 : tensor<8xi32>, tensor<8xi32>
}
