// RUN: cameo-opt %s --if-convert | FileCheck %s

// CHECK-LABEL: @branches
// CHECK: %[[A:.*]] = onnx.Relu
// CHECK: %[[B:.*]] = onnx.Neg
// CHECK: onnx.Where %arg0, %[[A]], %[[B]] : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Neg %x : (tensor<4xf32>) -> tensor<4xf32>
  %2 = onnx.Choose %c, %0, %1 : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: @other_sizes
// CHECK: onnx.Choose
func.func @other_sizes(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<5xf32>, %n: tensor<?xi64, #onnx.dims<["rows"]>>) -> tensor<?xf32, #onnx.dims<["rows"]>> {
  %0 = onnx.Choose %c, %x, %y, %n : (tensor<i1>, tensor<4xf32>, tensor<5xf32>, tensor<?xi64, #onnx.dims<["rows"]>>) -> tensor<?xf32, #onnx.dims<["rows"]>>
  return %0 : tensor<?xf32, #onnx.dims<["rows"]>>
}

// A run whose `n` is not 1 takes the other branch, so the first one must not be computed.
// CHECK-LABEL: @relation_in_branch
// CHECK: onnx.Choose
func.func @relation_in_branch(%c: tensor<i1>, %x: tensor<?x4xf32, #onnx.dims<["n", ""]>>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %axes = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Squeeze %x, %axes : (tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>) -> tensor<4xf32>
  %1 = onnx.Choose %c, %0, %y : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Here every run needs it.
// CHECK-LABEL: @relation_everywhere
// CHECK: onnx.Where
func.func @relation_everywhere(%c: tensor<i1>, %x: tensor<?x4xf32, #onnx.dims<["n", ""]>>) -> (tensor<4xf32>, tensor<4xf32>) {
  %axes = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Squeeze %x, %axes : (tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>) -> tensor<4xf32>
  %1 = onnx.Relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = onnx.Choose %c, %1, %0 : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2, %0 : tensor<4xf32>, tensor<4xf32>
}
