// RUN: cameo-opt %s --part-taps | FileCheck %s

// The outer taps see 60 of 300 elements: 420 of 900 products are with elements.
// CHECK-LABEL: @mostly_padding
// CHECK: %[[WHOLE:.*]] = onnx.Conv {{.*}}kernel_shape = array<i64: 1>{{.*}} -> tensor<1x32x300xf32>
// CHECK: %[[FIRST:.*]] = onnx.Conv {{.*}} -> tensor<1x32x60xf32>
// CHECK: %[[BEHIND:.*]] = onnx.Pad %[[FIRST]]
// CHECK: %[[TWO:.*]] = onnx.Add %[[WHOLE]], %[[BEHIND]]
// CHECK: %[[LAST:.*]] = onnx.Conv {{.*}} -> tensor<1x32x60xf32>
// CHECK: %[[BEFORE:.*]] = onnx.Pad %[[LAST]]
// CHECK: onnx.Add %[[TWO]], %[[BEFORE]]
func.func @mostly_padding(%x: tensor<1x400x300xf32>, %b: tensor<32xf32>) -> tensor<1x32x300xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<32x400x3xf32>} : tensor<32x400x3xf32>
  %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 240>, kernel_shape = array<i64: 3>, pads = array<i64: 240, 240>, strides = array<i64: 1>} : (tensor<1x400x300xf32>, tensor<32x400x3xf32>, tensor<32xf32>) -> tensor<1x32x300xf32>
  return %0 : tensor<1x32x300xf32>
}

// Passing over the results several times would take as long as the products with padding of so few channels.
// CHECK-LABEL: @few_channels
// CHECK-NOT: onnx.Add
func.func @few_channels(%x: tensor<1x16x300xf32>, %b: tensor<32xf32>) -> tensor<1x32x300xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<32x16x3xf32>} : tensor<32x16x3xf32>
  %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 240>, kernel_shape = array<i64: 3>, pads = array<i64: 240, 240>, strides = array<i64: 1>} : (tensor<1x16x300xf32>, tensor<32x16x3xf32>, tensor<32xf32>) -> tensor<1x32x300xf32>
  return %0 : tensor<1x32x300xf32>
}

// 840 of 900 products are with elements.
// CHECK-LABEL: @hardly_any_padding
// CHECK-NOT: onnx.Add
func.func @hardly_any_padding(%x: tensor<1x400x300xf32>, %b: tensor<32xf32>) -> tensor<1x32x300xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<32x400x3xf32>} : tensor<32x400x3xf32>
  %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 30>, kernel_shape = array<i64: 3>, pads = array<i64: 30, 30>, strides = array<i64: 1>} : (tensor<1x400x300xf32>, tensor<32x400x3xf32>, tensor<32xf32>) -> tensor<1x32x300xf32>
  return %0 : tensor<1x32x300xf32>
}
