// RUN: cameo-opt %s --update-caches -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @main
// CHECK: %[[PRESENT:.*]] = task.update %arg0, %arg1 at %arg2 axis 2
// CHECK: onnx.Relu %[[PRESENT]]
func.func @main(%past: tensor<2x4x64x8xf32>, %rows: tensor<2x4x3x8xf32>, %places: tensor<2xi64>) -> (tensor<2x4x64x8xf32>, tensor<2x4x64x8xf32>) {
  %0 = onnx.TensorScatter %past, %rows, %places : (tensor<2x4x64x8xf32>, tensor<2x4x3x8xf32>, tensor<2xi64>) -> tensor<2x4x64x8xf32>
  %1 = onnx.Relu %0 : (tensor<2x4x64x8xf32>) -> tensor<2x4x64x8xf32>
  return %0, %1 : tensor<2x4x64x8xf32>, tensor<2x4x64x8xf32>
}

// -----

// What reads the cache too would see the new rows.
// CHECK-LABEL: @main
// CHECK: onnx.TensorScatter
func.func @main(%past: tensor<2x4x64x8xf32>, %rows: tensor<2x4x3x8xf32>, %places: tensor<2xi64>) -> (tensor<2x4x64x8xf32>, tensor<2x4x64x8xf32>) {
  %0 = onnx.TensorScatter %past, %rows, %places : (tensor<2x4x64x8xf32>, tensor<2x4x3x8xf32>, tensor<2xi64>) -> tensor<2x4x64x8xf32>
  %1 = onnx.Relu %past : (tensor<2x4x64x8xf32>) -> tensor<2x4x64x8xf32>
  return %0, %1 : tensor<2x4x64x8xf32>, tensor<2x4x64x8xf32>
}

// -----

// Rows that go on at the front are computed.
// CHECK-LABEL: @main
// CHECK: onnx.TensorScatter
func.func @main(%past: tensor<2x4x64x8xf32>, %rows: tensor<2x4x3x8xf32>, %places: tensor<2xi64>) -> tensor<2x4x64x8xf32> {
  %0 = onnx.TensorScatter %past, %rows, %places {mode = "circular"} : (tensor<2x4x64x8xf32>, tensor<2x4x3x8xf32>, tensor<2xi64>) -> tensor<2x4x64x8xf32>
  return %0 : tensor<2x4x64x8xf32>
}

// -----

// expected-error @below {{expected output 'y' to be input 'x' with new rows (TensorScatter, attention over a cache), which nothing else reads, for --alias}}
func.func @main(%past: tensor<2x4xf32> {onnx.name = "x"}) -> (tensor<2x4xf32> {onnx.name = "y", onnx.alias = "x"}) {
  %1 = onnx.Relu %past : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
