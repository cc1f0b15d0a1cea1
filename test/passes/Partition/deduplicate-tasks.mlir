// RUN: cameo-opt %s --deduplicate-tasks --split-input-file | FileCheck %s
// RUN: cameo-opt %s --deduplicate-tasks --deduplicate-tasks --split-input-file | FileCheck %s

// Equal but for the order of operands and arguments.
// CHECK-LABEL: func.func @merges_equal_tasks
// CHECK: %[[A:.*]] = task.call @add_sub_0(%[[X:.*]], %[[Y:.*]]) :
// CHECK: task.call @add_sub_0(
// CHECK: task.def @add_sub_0
// CHECK-SAME: key = "{{[0-9a-f]+}}", weight = 2 : i64
// CHECK-NOT: task.def
func.func @merges_equal_tasks(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = task.call @add_sub_7(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = task.call @add_sub_9(%0, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
task.def @add_sub_7(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Sub %0, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  task.return %1 : tensor<4xf32>
}
task.def @add_sub_9(%b: tensor<4xf32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Add %b, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Sub %0, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  task.return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @tells_operand_order_where_it_matters
// CHECK: task.def @sub_0
// CHECK-SAME: weight = 1
// CHECK: task.def @sub_1
// CHECK-SAME: weight = 1
func.func @tells_operand_order_where_it_matters(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = task.call @sub_0(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = task.call @sub_1(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
task.def @sub_0(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Exp %a : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Sub %0, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  task.return %1 : tensor<4xf32>
}
task.def @sub_1(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Exp %a : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Sub %a, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  task.return %1 : tensor<4xf32>
}

// -----

// Results change places with the calls that use them.
// CHECK-LABEL: func.func @orders_results
// CHECK: %[[A:.*]]:2 = task.call @[[T:.*]](%arg0)
// CHECK: %[[B:.*]]:2 = task.call @[[T]](%arg0)
// CHECK: return %[[A]]#[[E:.]], %[[B]]#[[E]]
// CHECK: task.def
// CHECK-NOT: task.def
func.func @orders_results(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = task.call @first(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1:2 = task.call @second(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %1#1 : tensor<4xf32>, tensor<4xf32>
}
task.def @first(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = onnx.Exp %a : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Neg %a : (tensor<4xf32>) -> tensor<4xf32>
  task.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
task.def @second(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %1 = onnx.Neg %a : (tensor<4xf32>) -> tensor<4xf32>
  %0 = onnx.Exp %a : (tensor<4xf32>) -> tensor<4xf32>
  task.return %1, %0 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The key is part of every stored record: a change here makes them all useless and needs a new version in the hash.
// CHECK-LABEL: func.func @key_is_stable
// CHECK: task.def @relu_0
// CHECK-SAME: key = "354d847cd5c8cfbe8a5f3d7f3da28aa9"
func.func @key_is_stable(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = task.call @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
task.def @relu(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Relu %a : (tensor<4xf32>) -> tensor<4xf32>
  task.return %0 : tensor<4xf32>
}
