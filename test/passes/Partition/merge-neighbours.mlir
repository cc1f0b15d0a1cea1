// RUN: cameo-opt %s --merge-neighbours --deduplicate-tasks --split-input-file -verify-diagnostics | FileCheck %s

// What both read is read once, and what is passed on stays inside.
// CHECK-LABEL: func.func @merges_two_products
//       CHECK:   %[[Y:.*]] = task.call @mat_mul_relu_mat_mul_0(
//   CHECK-NOT:   task.call
//       CHECK:   return %[[Y]]
//       CHECK: task.def @mat_mul_relu_mat_mul_0(
//  CHECK-SAME:   -> tensor<4x6xf32> attributes {bytes = 6.720000e+02{{.*}}, flops = 9.280000e+02{{.*}}weight = 1
//       CHECK:   onnx.MatMul
//  CHECK-NEXT:   onnx.Relu
//  CHECK-NEXT:   onnx.MatMul
//   CHECK-NOT: task.def
func.func @merges_two_products(%x: tensor<4x8xf32>, %v: tensor<8x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %0 = task.call @mat_mul_relu_0(%x, %v) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = task.call @mat_mul_0(%0, %w) {merge = 0 : i64} : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
task.def @mat_mul_relu_0(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = onnx.Relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  task.return %1 : tensor<4x8xf32>
}
task.def @mat_mul_0(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  task.return %0 : tensor<4x6xf32>
}

// -----

// Others read what the first one computes, too, and before the second one.
// CHECK-LABEL: func.func @keeps_what_others_read
//       CHECK:   %[[BOTH:.*]]:2 = task.call @mat_mul_softmax_0(%arg0, %arg1)
//       CHECK:   task.call @relu_0(%[[BOTH]]#{{[01]}})
//       CHECK: task.def @mat_mul_softmax_0(
//  CHECK-SAME:   -> (tensor<4x8xf32>, tensor<4x8xf32>)
func.func @keeps_what_others_read(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = task.call @mat_mul_0(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = task.call @relu_0(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = task.call @softmax_0(%0) {merge = 0 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}
task.def @mat_mul_0(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  task.return %0 : tensor<4x8xf32>
}
task.def @relu_0(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.Relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  task.return %0 : tensor<4x8xf32>
}
task.def @softmax_0(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.Softmax %x {axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  task.return %0 : tensor<4x8xf32>
}

// -----

// What only a branch needs stays behind the condition, which reads a result of the merged task.
// CHECK-LABEL: func.func @keeps_branches_behind_their_condition
//       CHECK:   task.call @mat_mul_softmax_0
//  CHECK-NEXT:   %[[CONDITION:.*]] = task.call @decide_0
//  CHECK-NEXT:   task.call @relu_0
//  CHECK-NEXT:   task.choose %[[CONDITION]]
func.func @keeps_branches_behind_their_condition(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = task.call @mat_mul_0(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = task.call @decide_0(%0) : (tensor<4x8xf32>) -> tensor<i1>
  %2 = task.call @relu_0(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = task.call @softmax_0(%0) {merge = 0 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = task.choose %1, %2, %x counts() : tensor<i1>, tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %3, %4 : tensor<4x8xf32>, tensor<4x8xf32>
}
task.def @mat_mul_0(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  task.return %0 : tensor<4x8xf32>
}
task.def @decide_0(%x: tensor<4x8xf32>) -> tensor<i1> {
  %axes = onnx.Constant {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.ReduceMax %x, %axes {keepdims = 0 : i64} : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<f32>
  %1 = onnx.Cast %0 {to = 9 : i64} : (tensor<f32>) -> tensor<i1>
  task.return %1 : tensor<i1>
}
task.def @relu_0(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.Relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  task.return %0 : tensor<4x8xf32>
}
task.def @softmax_0(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.Softmax %x {axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  task.return %0 : tensor<4x8xf32>
}

// -----

func.func @refuses_a_path_through_others(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = task.call @mat_mul_0(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = task.call @exp_0(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @+1 {{expected the number of an operand whose task can be merged with this one, got 0}}
  %2 = task.call @add_0(%0, %1) {merge = 0 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
task.def @mat_mul_0(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  task.return %0 : tensor<4x8xf32>
}
task.def @exp_0(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.Exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  task.return %0 : tensor<4x8xf32>
}
task.def @add_0(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = onnx.Add %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  task.return %0 : tensor<4x8xf32>
}
