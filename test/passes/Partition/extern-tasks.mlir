// RUN: cameo-opt %s --form-tasks --deduplicate-tasks | FileCheck %s

// A call of a function of the program is a task by itself: nothing joins it, and constants, small ones too, are buffers. Calls that differ in
// a parameter are different tasks.

// CHECK-LABEL: func.func @main
//       CHECK:   %[[ONE:.*]] = onnx.Constant
//       CHECK:   %[[RELU:.*]] = task.call @relu_0(%{{.*}})
//       CHECK:   %[[A:.*]] = task.call @acme_F_0(%[[RELU]], %[[ONE]])
//       CHECK:   %[[B:.*]] = task.call @acme_F_0(%[[A]], %[[ONE]])
//       CHECK:   task.call @acme_F_1(%[[B]], %[[ONE]])
// CHECK-LABEL: task.def @acme_F_0(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<f32>) -> tensor<4xf32>
//  CHECK-NEXT:   onnx.Extern {{.*}}parameters = {p = 1 : i64}
//  CHECK-NEXT:   task.return
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Extern %0, %one {operator_name = "acme.F-1", function = "acme_F", elements = [f32, f32, f32], parameters = {p = 1 : i64}, optional = [], missing = []} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = onnx.Extern %1, %one {operator_name = "acme.F-1", function = "acme_F", elements = [f32, f32, f32], parameters = {p = 1 : i64}, optional = [], missing = []} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = onnx.Extern %2, %one {operator_name = "acme.F-1", function = "acme_F", elements = [f32, f32, f32], parameters = {p = 2 : i64}, optional = [], missing = []} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = onnx.Relu %3 : (tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}
