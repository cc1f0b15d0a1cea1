// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of operators that index.

// CHECK-LABEL: @gather
// CHECK: return {{.*}} : tensor<5x2x7x3xf32>
func.func @gather(%arg0: tensor<5x4x3xf32>, %arg1: tensor<2x7xi64>) -> (tensor<*xf32>) {
  %0 = onnx.Gather %arg0, %arg1 {axis = 1 : i64} : (tensor<5x4x3xf32>, tensor<2x7xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @gather_scalar
// CHECK: return {{.*}} : tensor<?xf32, #onnx.dims<["batch"]>>
func.func @gather_scalar(%arg0: tensor<?x4xf32, #onnx.dims<["batch", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %0 = onnx.Gather %arg0, %c1 {axis = 1 : i64} : (tensor<?x4xf32, #onnx.dims<["batch", ""]>>, tensor<i64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @gather_elements
// CHECK: return {{.*}} : tensor<2x3xf32>
func.func @gather_elements(%arg0: tensor<3x3xf32>, %arg1: tensor<2x3xi64>) -> (tensor<*xf32>) {
  %0 = onnx.GatherElements %arg0, %arg1 : (tensor<3x3xf32>, tensor<2x3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @gather_nd
// CHECK: return {{.*}} : tensor<5x4xf32>
func.func @gather_nd(%arg0: tensor<2x3x4xf32>, %arg1: tensor<5x2xi64>) -> (tensor<*xf32>) {
  %0 = onnx.GatherND %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<5x2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @gather_nd_batched
// CHECK: return {{.*}} : tensor<2x4xf32>
func.func @gather_nd_batched(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x1xi64>) -> (tensor<*xf32>) {
  %0 = onnx.GatherND %arg0, %arg1 {batch_dims = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @scatter_elements
// CHECK: return {{.*}} : tensor<3x3xf32>
func.func @scatter_elements(%arg0: tensor<3x3xf32>, %arg1: tensor<2x3xi64>, %arg2: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.ScatterElements %arg0, %arg1, %arg2 : (tensor<3x3xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @scatter_nd
// CHECK: return {{.*}} : tensor<4x4x4xf32>
func.func @scatter_nd(%arg0: tensor<4x4x4xf32>, %arg1: tensor<2x1xi64>, %arg2: tensor<2x4x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.ScatterND %arg0, %arg1, %arg2 : (tensor<4x4x4xf32>, tensor<2x1xi64>, tensor<2x4x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @one_hot
// CHECK: return {{.*}} : tensor<2x5x3xf32>
func.func @one_hot(%arg0: tensor<2x3xi64>, %arg2: tensor<2xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<5> : tensor<i64>} : tensor<i64>
  %0 = onnx.OneHot %arg0, %c1, %arg2 {axis = 1 : i64} : (tensor<2x3xi64>, tensor<i64>, tensor<2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @one_hot_unknown_depth
// CHECK: return {{.*}} : tensor<3x?xf32>
func.func @one_hot_unknown_depth(%arg0: tensor<3xi64>, %arg1: tensor<i64>, %arg2: tensor<2xf32>) -> (tensor<*xf32>) {
  %0 = onnx.OneHot %arg0, %arg1, %arg2 : (tensor<3xi64>, tensor<i64>, tensor<2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @compress
// CHECK: return {{.*}} : tensor<?x2xf32>
func.func @compress(%arg0: tensor<3x2xf32>, %arg1: tensor<3xi1>) -> (tensor<*xf32>) {
  %0 = onnx.Compress %arg0, %arg1 {axis = 0 : i64} : (tensor<3x2xf32>, tensor<3xi1>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @compress_flat
// CHECK: return {{.*}} : tensor<?xf32>
func.func @compress_flat(%arg0: tensor<3x2xf32>, %arg1: tensor<5xi1>) -> (tensor<*xf32>) {
  %0 = onnx.Compress %arg0, %arg1 : (tensor<3x2xf32>, tensor<5xi1>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @non_zero
// CHECK: return {{.*}} : tensor<2x?xi64>
func.func @non_zero(%arg0: tensor<3x2xf32>) -> (tensor<*xi64>) {
  %0 = onnx.NonZero %arg0 : (tensor<3x2xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @non_zero_of_scalar
// CHECK: return {{.*}} : tensor<0x?xi64>
func.func @non_zero_of_scalar(%arg0: tensor<f32>) -> (tensor<*xi64>) {
  %0 = onnx.NonZero %arg0 : (tensor<f32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @reverse_sequence
// CHECK: return {{.*}} : tensor<4x4xf32>
func.func @reverse_sequence(%arg0: tensor<4x4xf32>, %arg1: tensor<4xi64>) -> (tensor<*xf32>) {
  %0 = onnx.ReverseSequence %arg0, %arg1 : (tensor<4x4xf32>, tensor<4xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @non_max_suppression
// CHECK: return {{.*}} : tensor<?x3xi64>
func.func @non_max_suppression(%arg0: tensor<1x6x4xf32>, %arg1: tensor<1x1x6xf32>) -> (tensor<*xi64>) {
  %none = onnx.None
  %0 = onnx.NonMaxSuppression %arg0, %arg1, %none, %none, %none : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, none, none, none) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @unique
// CHECK: return {{.*}} : tensor<2x?xf32>, tensor<?xi64>, tensor<3xi64>
func.func @unique(%arg0: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xi64>, tensor<*xi64>) {
  %0:4 = onnx.Unique %arg0 {axis = -1 : i64} : (tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xi64>, tensor<*xi64>, none)
  return %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xi64>, tensor<*xi64>
}
