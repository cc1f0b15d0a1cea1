// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of losses.

// CHECK-LABEL: @one_number
// CHECK: return {{.*}} : tensor<f32>
func.func @one_number(%arg0: tensor<3x5xf32>, %arg1: tensor<3xi64>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.NegativeLogLikelihoodLoss %arg0, %arg1, %none : (tensor<3x5xf32>, tensor<3xi64>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @per_target
// CHECK: return {{.*}} : tensor<3x7xf32>
func.func @per_target(%arg0: tensor<3x5x7xf32>, %arg1: tensor<3x7xi64>, %arg2: tensor<5xf32>) -> (tensor<*xf32>) {
  %0 = onnx.NegativeLogLikelihoodLoss %arg0, %arg1, %arg2 {reduction = "none"} : (tensor<3x5x7xf32>, tensor<3x7xi64>, tensor<5xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @log_probabilities
// CHECK: return {{.*}} : tensor<f32>, tensor<3x5xf32>
func.func @log_probabilities(%arg0: tensor<3x5xf32>, %arg1: tensor<3xi64>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:2 = onnx.SoftmaxCrossEntropyLoss %arg0, %arg1, %none : (tensor<3x5xf32>, tensor<3xi64>, none) -> (tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}
