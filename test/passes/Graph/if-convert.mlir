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
