// RUN: cameo-opt %s --form-tasks --split-input-file | FileCheck %s

// Scores, their rows, and what they weigh are one task, too, where queries and keys share a dynamic length.
// CHECK-LABEL: func.func @attention_of_any_length
// CHECK: task.call @mat_mul_softmax_mat_mul_0(
// CHECK-NEXT: return
func.func @attention_of_any_length(%q: tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>>, %k: tensor<1x2x4x?xf32, #onnx.dims<["", "", "", "s"]>>, %v: tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>>) -> tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>> {
  %scores = onnx.MatMul %q, %k : (tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>>, tensor<1x2x4x?xf32, #onnx.dims<["", "", "", "s"]>>) -> tensor<1x2x?x?xf32, #onnx.dims<["", "", "s", "s"]>>
  %weights = onnx.Softmax %scores {axis = 3 : i64} : (tensor<1x2x?x?xf32, #onnx.dims<["", "", "s", "s"]>>) -> tensor<1x2x?x?xf32, #onnx.dims<["", "", "s", "s"]>>
  %y = onnx.MatMul %weights, %v : (tensor<1x2x?x?xf32, #onnx.dims<["", "", "s", "s"]>>, tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>>) -> tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>>
  return %y : tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>>
}

// -----

// A step of a decoder has few rows and many keys, for which products have schedules of their own.
// CHECK-LABEL: func.func @attention_of_a_decoder
// CHECK: task.call @mat_mul_0(
// CHECK-NEXT: task.call @softmax_0(
// CHECK-NEXT: task.call @mat_mul_1(
func.func @attention_of_a_decoder(%q: tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>>, %k: tensor<1x2x4x?xf32, #onnx.dims<["", "", "", "t"]>>, %v: tensor<1x2x?x4xf32, #onnx.dims<["", "", "t", ""]>>) -> tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>> {
  %scores = onnx.MatMul %q, %k : (tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>>, tensor<1x2x4x?xf32, #onnx.dims<["", "", "", "t"]>>) -> tensor<1x2x?x?xf32, #onnx.dims<["", "", "s", "t"]>>
  %weights = onnx.Softmax %scores {axis = 3 : i64} : (tensor<1x2x?x?xf32, #onnx.dims<["", "", "s", "t"]>>) -> tensor<1x2x?x?xf32, #onnx.dims<["", "", "s", "t"]>>
  %y = onnx.MatMul %weights, %v : (tensor<1x2x?x?xf32, #onnx.dims<["", "", "s", "t"]>>, tensor<1x2x?x4xf32, #onnx.dims<["", "", "t", ""]>>) -> tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>>
  return %y : tensor<1x2x?x4xf32, #onnx.dims<["", "", "s", ""]>>
}
