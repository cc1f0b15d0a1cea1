// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of normalisations.

// CHECK-LABEL: @batchnormalization
// CHECK: return {{.*}} : tensor<2x4x8xf32>
func.func @batchnormalization(%arg0: tensor<2x4x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> (tensor<*xf32>) {
  %0:3 = onnx.BatchNormalization %arg0, %arg1, %arg2, %arg3, %arg4 : (tensor<2x4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<*xf32>, none, none)
  return %0#0 : tensor<*xf32>
}

// CHECK-LABEL: @batchnormalization_training
// CHECK: return {{.*}} : tensor<2x4x8xf32>, tensor<4xf32>, tensor<4xf32>
func.func @batchnormalization_training(%arg0: tensor<2x4x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %0:3 = onnx.BatchNormalization %arg0, %arg1, %arg2, %arg3, %arg4 {training_mode = 1 : i64} : (tensor<2x4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @layernormalization_statistics
// CHECK: return {{.*}} : tensor<2x?x4xf32, #onnx.dims<["", "seq", ""]>>, tensor<2x?x1xf32, #onnx.dims<["", "seq", ""]>>, tensor<2x?x1xf32, #onnx.dims<["", "seq", ""]>>
func.func @layernormalization_statistics(%arg0: tensor<2x?x4xf32, #onnx.dims<["", "seq", ""]>>, %arg1: tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:3 = onnx.LayerNormalization %arg0, %arg1, %none : (tensor<2x?x4xf32, #onnx.dims<["", "seq", ""]>>, tensor<4xf32>, none) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @layernormalization_two_axes
// CHECK: return {{.*}} : tensor<2x3x4xf16>, tensor<2x1x1xf32>
func.func @layernormalization_two_axes(%arg0: tensor<2x3x4xf16>, %arg1: tensor<3x4xf16>) -> (tensor<*xf16>, tensor<*xf32>) {
  %none = onnx.None
  %0:3 = onnx.LayerNormalization %arg0, %arg1, %none {axis = -2 : i64} : (tensor<2x3x4xf16>, tensor<3x4xf16>, none) -> (tensor<*xf16>, tensor<*xf32>, none)
  return %0#0, %0#1 : tensor<*xf16>, tensor<*xf32>
}

// CHECK-LABEL: @rmsnormalization_type_of_scale
// CHECK: return {{.*}} : tensor<2x4xf32>
func.func @rmsnormalization_type_of_scale(%arg0: tensor<2x4xf16>, %arg1: tensor<4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.RMSNormalization %arg0, %arg1 : (tensor<2x4xf16>, tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @groupnormalization_channels_last
// CHECK: return {{.*}} : tensor<1x5x5x8xf32>
func.func @groupnormalization_channels_last(%arg0: tensor<1x5x5x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> (tensor<*xf32>) {
  %0 = onnx.GroupNormalization %arg0, %arg1, %arg2 {num_groups = 2 : i64, channels_last} : (tensor<1x5x5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @softmax
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["batch", ""]>>
func.func @softmax(%arg0: tensor<?x3xf32, #onnx.dims<["batch", ""]>>) -> (tensor<*xf32>) {
  %0 = onnx.Softmax %arg0 : (tensor<?x3xf32, #onnx.dims<["batch", ""]>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @dropout_mask
// CHECK: return {{.*}} : tensor<2x3xf32>, tensor<2x3xi1>
func.func @dropout_mask(%arg0: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xi1>) {
  %none = onnx.None
  %0:2 = onnx.Dropout %arg0, %none, %none : (tensor<2x3xf32>, none, none) -> (tensor<*xf32>, tensor<*xi1>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xi1>
}
