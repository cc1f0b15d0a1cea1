// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of pooling.

// CHECK-LABEL: @maxpool_default
// CHECK: return {{.*}} : tensor<1x4x7x7xf32>
func.func @maxpool_default(%arg0: tensor<1x4x8x8xf32>) -> (tensor<*xf32>) {
  %0:2 = onnx.MaxPool %arg0 {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> (tensor<*xf32>, none)
  return %0#0 : tensor<*xf32>
}

// CHECK-LABEL: @maxpool_indices
// CHECK: return {{.*}} : tensor<1x4x4x4xf32>, tensor<1x4x4x4xi64>
func.func @maxpool_indices(%arg0: tensor<1x4x8x8xf32>) -> (tensor<*xf32>, tensor<*xi64>) {
  %0:2 = onnx.MaxPool %arg0 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> (tensor<*xf32>, tensor<*xi64>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xi64>
}

// CHECK-LABEL: @maxpool_floor
// CHECK: return {{.*}} : tensor<1x4x3x3xf32>
func.func @maxpool_floor(%arg0: tensor<1x4x8x8xf32>) -> (tensor<*xf32>) {
  %0:2 = onnx.MaxPool %arg0 {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> (tensor<*xf32>, none)
  return %0#0 : tensor<*xf32>
}

// CHECK-LABEL: @maxpool_ceil
// CHECK: return {{.*}} : tensor<1x4x4x4xf32>
func.func @maxpool_ceil(%arg0: tensor<1x4x8x8xf32>) -> (tensor<*xf32>) {
  %0:2 = onnx.MaxPool %arg0 {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, ceil_mode = 1 : i64} : (tensor<1x4x8x8xf32>) -> (tensor<*xf32>, none)
  return %0#0 : tensor<*xf32>
}

// CHECK-LABEL: @averagepool_ceil_drops_window_in_padding
// CHECK: return {{.*}} : tensor<1x1x2x2xf32>
func.func @averagepool_ceil_drops_window_in_padding(%arg0: tensor<1x1x3x3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.AveragePool %arg0 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 1, 1>, ceil_mode = 1 : i64} : (tensor<1x1x3x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @averagepool_same
// CHECK: return {{.*}} : tensor<1x4x3x3xf32>
func.func @averagepool_same(%arg0: tensor<1x4x8x8xf32>) -> (tensor<*xf32>) {
  %0 = onnx.AveragePool %arg0 {kernel_shape = array<i64: 3, 3>, strides = array<i64: 3, 3>, auto_pad = "SAME_LOWER"} : (tensor<1x4x8x8xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @averagepool_dilated
// CHECK: return {{.*}} : tensor<1x4x4x4xf32>
func.func @averagepool_dilated(%arg0: tensor<1x4x8x8xf32>) -> (tensor<*xf32>) {
  %0 = onnx.AveragePool %arg0 {kernel_shape = array<i64: 3, 3>, dilations = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @lppool_channels_last
// CHECK: return {{.*}} : tensor<1x3x7x8xf32>
func.func @lppool_channels_last(%arg0: tensor<1x4x8x8xf32>) -> (tensor<*xf32>) {
  %0 = onnx.LpPool %arg0 {kernel_shape = array<i64: 2, 2>, channels_last} : (tensor<1x4x8x8xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @globalaveragepool
// CHECK: return {{.*}} : tensor<?x4x1x1xf32, #onnx.dims<["batch", "", "", ""]>>
func.func @globalaveragepool(%arg0: tensor<?x4x?x?xf32, #onnx.dims<["batch", "", "", ""]>>) -> (tensor<*xf32>) {
  %0 = onnx.GlobalAveragePool %arg0 : (tensor<?x4x?x?xf32, #onnx.dims<["batch", "", "", ""]>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @globalmaxpool_channels_last
// CHECK: return {{.*}} : tensor<2x1x1x8xf32>
func.func @globalmaxpool_channels_last(%arg0: tensor<2x4x4x8xf32>) -> (tensor<*xf32>) {
  %0 = onnx.GlobalMaxPool %arg0 {channels_last} : (tensor<2x4x4x8xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @maxpool_ceil_named
// CHECK: return {{.*}} : tensor<1x4x?xf32, #onnx.dims<["", "", "floor((w)/2) + 1"]>>
func.func @maxpool_ceil_named(%arg0: tensor<1x4x?xf32, #onnx.dims<["", "", "w"]>>) -> (tensor<*xf32>) {
  %0:2 = onnx.MaxPool %arg0 {kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 2>, ceil_mode = 1 : i64} : (tensor<1x4x?xf32, #onnx.dims<["", "", "w"]>>) -> (tensor<*xf32>, none)
  return %0#0 : tensor<*xf32>
}

// A last window that would begin behind the input is dropped.
// CHECK-LABEL: @maxpool_ceil_padded_named
// CHECK: return {{.*}} : tensor<1x4x?xf32, #onnx.dims<["", "", "floor((w + 1)/2)"]>>
func.func @maxpool_ceil_padded_named(%arg0: tensor<1x4x?xf32, #onnx.dims<["", "", "w"]>>) -> (tensor<*xf32>) {
  %0:2 = onnx.MaxPool %arg0 {kernel_shape = array<i64: 2>, pads = array<i64: 0, 1>, strides = array<i64: 2>, ceil_mode = 1 : i64} : (tensor<1x4x?xf32, #onnx.dims<["", "", "w"]>>) -> (tensor<*xf32>, none)
  return %0#0 : tensor<*xf32>
}

// CHECK-LABEL: @max_unpool
// CHECK: return {{.*}} : tensor<1x1x4x4xf32>, tensor<1x1x5x5xf32>
func.func @max_unpool(%arg0: tensor<1x1x2x2xf32>, %arg1: tensor<1x1x2x2xi64>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %shape = onnx.Constant {value = dense<[1, 1, 5, 5]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.MaxUnpool %arg0, %arg1, %none {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, none) -> tensor<*xf32>
  %1 = onnx.MaxUnpool %arg0, %arg1, %shape {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}
