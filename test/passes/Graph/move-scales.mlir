// RUN: cameo-opt %s --move-scales | FileCheck %s

// 16x16 pixels of 8 channels, 4x8 weights.
// CHECK-LABEL: @scales_weights
//  CHECK-SAME: (%[[X:.*]]: tensor<1x8x16x16xf32>, %[[S:.*]]: tensor<1x8x1x1xf32>)
//       CHECK: %[[W:.*]] = onnx.Constant
//       CHECK: %[[P:.*]] = onnx.Relu %[[X]]
//       CHECK: %[[SCALED:.*]] = onnx.Mul %[[W]], %[[S]] : (tensor<4x8x1x1xf32>, tensor<1x8x1x1xf32>) -> tensor<4x8x1x1xf32>
//       CHECK: onnx.Conv %[[P]], %[[SCALED]]
func.func @scales_weights(%x: tensor<1x8x16x16xf32>, %s: tensor<1x8x1x1xf32>) -> (tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>) {
  %none = onnx.None
  %w = onnx.Constant {value = dense<1.0> : tensor<4x8x1x1xf32>} : tensor<4x8x1x1xf32>
  %p = onnx.Relu %x : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %m = onnx.Mul %p, %s : (tensor<1x8x16x16xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x16x16xf32>
  %y = onnx.Conv %m, %w, %none : (tensor<1x8x16x16xf32>, tensor<4x8x1x1xf32>, none) -> tensor<1x4x16x16xf32>
  return %y, %p : tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>
}

// The factors are the left operand, without the dimension of the batch.
// CHECK-LABEL: @scales_weights_of_a_batch
//       CHECK: onnx.Mul %{{.*}}, %arg1 : (tensor<4x8x1x1xf32>, tensor<8x1x1xf32>) -> tensor<4x8x1x1xf32>
//  CHECK-NEXT: onnx.Conv
func.func @scales_weights_of_a_batch(%x: tensor<2x8x16x16xf32>, %s: tensor<8x1x1xf32>) -> (tensor<2x4x16x16xf32>, tensor<2x8x16x16xf32>) {
  %none = onnx.None
  %w = onnx.Constant {value = dense<1.0> : tensor<4x8x1x1xf32>} : tensor<4x8x1x1xf32>
  %p = onnx.Relu %x : (tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xf32>
  %m = onnx.Mul %s, %p : (tensor<8x1x1xf32>, tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xf32>
  %y = onnx.Conv %m, %w, %none : (tensor<2x8x16x16xf32>, tensor<4x8x1x1xf32>, none) -> tensor<2x4x16x16xf32>
  return %y, %p : tensor<2x4x16x16xf32>, tensor<2x8x16x16xf32>
}

// Every sample of the batch has factors of its own.
// CHECK-LABEL: @keeps_scales_of_samples
//       CHECK: %[[M:.*]] = onnx.Mul
//       CHECK: onnx.Conv %[[M]]
func.func @keeps_scales_of_samples(%x: tensor<2x8x16x16xf32>, %s: tensor<2x8x1x1xf32>) -> (tensor<2x4x16x16xf32>, tensor<2x8x16x16xf32>) {
  %none = onnx.None
  %w = onnx.Constant {value = dense<1.0> : tensor<4x8x1x1xf32>} : tensor<4x8x1x1xf32>
  %p = onnx.Relu %x : (tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xf32>
  %m = onnx.Mul %p, %s : (tensor<2x8x16x16xf32>, tensor<2x8x1x1xf32>) -> tensor<2x8x16x16xf32>
  %y = onnx.Conv %m, %w, %none : (tensor<2x8x16x16xf32>, tensor<4x8x1x1xf32>, none) -> tensor<2x4x16x16xf32>
  return %y, %p : tensor<2x4x16x16xf32>, tensor<2x8x16x16xf32>
}

// 4x4 pixels are fewer than 8 for each of 4 output channels.
// CHECK-LABEL: @keeps_scales_of_small_planes
//       CHECK: %[[M:.*]] = onnx.Mul
//       CHECK: onnx.Conv %[[M]]
func.func @keeps_scales_of_small_planes(%x: tensor<1x8x4x4xf32>, %s: tensor<1x8x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x8x4x4xf32>) {
  %none = onnx.None
  %w = onnx.Constant {value = dense<1.0> : tensor<4x8x1x1xf32>} : tensor<4x8x1x1xf32>
  %p = onnx.Relu %x : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %m = onnx.Mul %p, %s : (tensor<1x8x4x4xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x4x4xf32>
  %y = onnx.Conv %m, %w, %none : (tensor<1x8x4x4xf32>, tensor<4x8x1x1xf32>, none) -> tensor<1x4x4x4xf32>
  return %y, %p : tensor<1x4x4x4xf32>, tensor<1x8x4x4xf32>
}

// What nothing else reads is multiplied where it is made.
// CHECK-LABEL: @keeps_scales_of_epilogues
//       CHECK: %[[M:.*]] = onnx.Mul
//       CHECK: onnx.Conv %[[M]]
func.func @keeps_scales_of_epilogues(%x: tensor<1x8x16x16xf32>, %s: tensor<1x8x1x1xf32>) -> tensor<1x4x16x16xf32> {
  %none = onnx.None
  %w = onnx.Constant {value = dense<1.0> : tensor<4x8x1x1xf32>} : tensor<4x8x1x1xf32>
  %p = onnx.Relu %x : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %m = onnx.Mul %p, %s : (tensor<1x8x16x16xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x16x16xf32>
  %y = onnx.Conv %m, %w, %none : (tensor<1x8x16x16xf32>, tensor<4x8x1x1xf32>, none) -> tensor<1x4x16x16xf32>
  return %y : tensor<1x4x16x16xf32>
}

// Weights of a window are transformed when compiling, weights of groups have other channels.
// CHECK-LABEL: @keeps_scales_of_windows_and_groups
// CHECK-COUNT-2: onnx.Mul %{{.*}}, %arg1 : (tensor<1x8x16x16xf32>
func.func @keeps_scales_of_windows_and_groups(%x: tensor<1x8x16x16xf32>, %s: tensor<1x8x1x1xf32>)
    -> (tensor<1x4x14x14xf32>, tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>) {
  %none = onnx.None
  %w = onnx.Constant {value = dense<1.0> : tensor<4x8x3x3xf32>} : tensor<4x8x3x3xf32>
  %g = onnx.Constant {value = dense<1.0> : tensor<4x4x1x1xf32>} : tensor<4x4x1x1xf32>
  %p = onnx.Relu %x : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %m = onnx.Mul %p, %s : (tensor<1x8x16x16xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x16x16xf32>
  %y = onnx.Conv %m, %w, %none : (tensor<1x8x16x16xf32>, tensor<4x8x3x3xf32>, none) -> tensor<1x4x14x14xf32>
  %n = onnx.Mul %p, %s : (tensor<1x8x16x16xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x16x16xf32>
  %z = onnx.Conv %n, %g, %none {group = 2 : i64} : (tensor<1x8x16x16xf32>, tensor<4x4x1x1xf32>, none) -> tensor<1x4x16x16xf32>
  return %y, %z, %p : tensor<1x4x14x14xf32>, tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>
}
