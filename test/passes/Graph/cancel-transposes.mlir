// RUN: cameo-opt %s --cancel-transposes | FileCheck %s

// CHECK-LABEL: @merges_two_in_a_row
// CHECK: %[[T:.*]] = onnx.Transpose %arg0 {perm = array<i64: 2, 0, 1>}
// CHECK-NEXT: return %[[T]]
func.func @merges_two_in_a_row(%arg0: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %0 = onnx.Transpose %arg0 {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = onnx.Transpose %0 {perm = array<i64: 1, 0, 2>} : (tensor<2x4x3xf32>) -> tensor<4x2x3xf32>
  return %1 : tensor<4x2x3xf32>
}

// CHECK-LABEL: @cancels_inverse_pair
// CHECK-NEXT: return %arg0
func.func @cancels_inverse_pair(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = onnx.Transpose %arg0 {perm = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = onnx.Transpose %0 {perm = array<i64: 2, 0, 1>} : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @reads_absent_perm_as_reversal
// CHECK-NEXT: return %arg0
func.func @reads_absent_perm_as_reversal(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = onnx.Transpose %arg0 : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %1 = onnx.Transpose %0 : (tensor<4x3x2xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @moves_only_unit_dimensions
// CHECK-NOT: onnx.Transpose
// CHECK: onnx.Reshape %arg0, %{{.*}} : (tensor<1x1x5x7xf32>, tensor<4xi64>) -> tensor<1x5x7x1xf32>
func.func @moves_only_unit_dimensions(%arg0: tensor<1x1x5x7xf32>) -> tensor<1x5x7x1xf32> {
  %0 = onnx.Transpose %arg0 {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x1x5x7xf32>) -> tensor<1x5x7x1xf32>
  return %0 : tensor<1x5x7x1xf32>
}

// CHECK-LABEL: @meets_the_inverse_behind_elementwise_ops
// CHECK: %[[R:.*]] = onnx.Relu %arg0 : (tensor<2x3x4xf32>)
// CHECK: %[[M:.*]] = onnx.Mul %[[R]], %{{.*}} : (tensor<2x3x4xf32>, tensor<1x1x4xf32>) -> tensor<2x3x4xf32>
// CHECK: return %[[M]]
func.func @meets_the_inverse_behind_elementwise_ops(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %c = onnx.Constant {value = dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>} : tensor<4x1xf32>
  %0 = onnx.Transpose %arg0 {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = onnx.Relu %0 : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %2 = onnx.Mul %1, %c : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>
  %3 = onnx.Transpose %2 {perm = array<i64: 0, 2, 1>} : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  return %3 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @meets_the_inverse_of_dynamic_sizes
// CHECK: %[[R:.*]] = onnx.Relu %arg0
// CHECK: %[[M:.*]] = onnx.Mul %[[R]], %{{.*}} : (tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>, tensor<1x1x4xf32>) -> tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>
// CHECK: return %[[M]]
func.func @meets_the_inverse_of_dynamic_sizes(%arg0: tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>) -> tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>> {
  %c = onnx.Constant {value = dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>} : tensor<4x1xf32>
  %0 = onnx.Transpose %arg0 {perm = array<i64: 0, 2, 1>} : (tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>) -> tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>
  %1 = onnx.Relu %0 : (tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>) -> tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>
  %2 = onnx.Mul %1, %c : (tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>, tensor<4x1xf32>) -> tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>
  %3 = onnx.Transpose %2 {perm = array<i64: 0, 2, 1>} : (tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>) -> tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>
  return %3 : tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>
}

// CHECK-LABEL: @moves_a_unit_dimension_among_dynamic_ones
// CHECK-NOT: onnx.Transpose
// CHECK-DAG: %[[B:.*]] = onnx.Shape %arg0 {end = 1 : i64}
// CHECK-DAG: %[[S:.*]] = onnx.Shape %arg0 {end = 3 : i64, start = 2 : i64}
// CHECK: %[[SHAPE:.*]] = onnx.Concat %[[B]], %[[S]], %{{.*}}, %{{.*}} {axis = 0 : i64}
// CHECK: onnx.Reshape %arg0, %[[SHAPE]]
func.func @moves_a_unit_dimension_among_dynamic_ones(%arg0: tensor<?x1x?x8xf32, #onnx.dims<["b", "", "s", ""]>>) -> tensor<?x?x1x8xf32, #onnx.dims<["b", "s", "", ""]>> {
  %0 = onnx.Transpose %arg0 {perm = array<i64: 0, 2, 1, 3>} : (tensor<?x1x?x8xf32, #onnx.dims<["b", "", "s", ""]>>) -> tensor<?x?x1x8xf32, #onnx.dims<["b", "s", "", ""]>>
  return %0 : tensor<?x?x1x8xf32, #onnx.dims<["b", "s", "", ""]>>
}

// CHECK-LABEL: @joins_equal_transposes_of_two_operands
// CHECK: %[[A:.*]] = onnx.Add %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: onnx.Transpose %[[A]] {perm = array<i64: 1, 0>}
func.func @joins_equal_transposes_of_two_operands(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = onnx.Transpose %arg0 {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = onnx.Transpose %arg1 {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = onnx.Add %0, %1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}

// CHECK-LABEL: @stays_where_nothing_is_gained
// CHECK-NEXT: onnx.Transpose %arg0
// CHECK-NEXT: onnx.Relu
func.func @stays_where_nothing_is_gained(%arg0: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = onnx.Transpose %arg0 {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = onnx.Relu %0 : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: @stays_without_a_rank
// CHECK: onnx.Transpose %arg0
func.func @stays_without_a_rank(%arg0: tensor<*xf32>) -> tensor<4x3x2xf32> {
  %0 = onnx.Transpose %arg0 : (tensor<*xf32>) -> tensor<4x3x2xf32>
  return %0 : tensor<4x3x2xf32>
}
