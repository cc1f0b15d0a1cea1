// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// Elements stay where they are.
// CHECK-LABEL: task.def @other_shapes
// CHECK: tensor.collapse_shape %arg0 {{\[\[}}0], [1, 2, 3]] : tensor<1x4x6x6xf32> into tensor<1x144xf32>
// CHECK: tensor.collapse_shape {{.*}} into tensor<144xf32>
// CHECK: tensor.expand_shape {{.*}} into tensor<144x1xf32>
// CHECK-NOT: linalg
// CHECK: task.return
task.def @other_shapes(%x: tensor<1x4x6x6xf32>) -> tensor<144x1xf32> {
  %first = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %last = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Flatten %x : (tensor<1x4x6x6xf32>) -> tensor<1x144xf32>
  %1 = onnx.Squeeze %0, %first : (tensor<1x144xf32>, tensor<1xi64>) -> tensor<144xf32>
  %2 = onnx.Unsqueeze %1, %last : (tensor<144xf32>, tensor<1xi64>) -> tensor<144x1xf32>
  task.return %2 : tensor<144x1xf32>
}

// CHECK-LABEL: task.def @size
// CHECK: arith.constant dense<16> : tensor<i64>
task.def @size(%x: tensor<2x8xf32>) -> tensor<i64> {
  %0 = onnx.Size %x : (tensor<2x8xf32>) -> tensor<i64>
  task.return %0 : tensor<i64>
}
