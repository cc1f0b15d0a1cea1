// RUN: cameo-opt %s --sink-views | FileCheck %s

// CHECK-LABEL: @behind_activation_and_residual
// CHECK: %[[M:.*]] = onnx.MatMul %arg0, %arg1
// CHECK: %[[B:.*]] = onnx.Add %[[M]], %arg2 : (tensor<4x16xf32>, tensor<16xf32>)
// CHECK: %[[Y:.*]] = onnx.Reshape %arg3, %{{.*}} -> tensor<4x16xf32>
// CHECK: %[[S:.*]] = onnx.Add %[[B]], %[[Y]] : (tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK: %[[R:.*]] = onnx.Reshape %[[S]], %{{.*}} -> tensor<1x4x16xf32>
// CHECK: return %[[R]]
func.func @behind_activation_and_residual(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>, %y: tensor<1x4x16xf32>) -> tensor<1x4x16xf32> {
  %shape = onnx.Constant {value = dense<[1, 4, 16]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<4x16xf32>, tensor<3xi64>) -> tensor<1x4x16xf32>
  %2 = onnx.Add %1, %b : (tensor<1x4x16xf32>, tensor<16xf32>) -> tensor<1x4x16xf32>
  %3 = onnx.Add %2, %y : (tensor<1x4x16xf32>, tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  return %3 : tensor<1x4x16xf32>
}

// A row per head has no counterpart in the flat shape.
// CHECK-LABEL: @stays_before_other_broadcasts
// CHECK: onnx.Reshape
// CHECK-NEXT: onnx.Mul
func.func @stays_before_other_broadcasts(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %c: tensor<2x1xf32>) -> tensor<4x2x8xf32> {
  %shape = onnx.Constant {value = dense<[4, 2, 8]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<4x16xf32>, tensor<3xi64>) -> tensor<4x2x8xf32>
  %2 = onnx.Mul %1, %c : (tensor<4x2x8xf32>, tensor<2x1xf32>) -> tensor<4x2x8xf32>
  return %2 : tensor<4x2x8xf32>
}

// A number broadcasts whatever its rank: behind the addition the reshape would have no operand of its shape.
// CHECK-LABEL: @stays_before_a_number
// CHECK: onnx.Reshape
// CHECK-NEXT: onnx.Add
func.func @stays_before_a_number(%x: tensor<3x4xf32>, %c: tensor<f32>) -> tensor<f32> {
  %shape = onnx.Constant {value = dense<> : tensor<0xi64>} : tensor<0xi64>
  %axes = onnx.Constant {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.ReduceSum %x, %axes : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<1x1xf32>
  %1 = onnx.Reshape %0, %shape {allowzero = 1 : i64} : (tensor<1x1xf32>, tensor<0xi64>) -> tensor<f32>
  %2 = onnx.Add %1, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// One dynamic dimension is what the others leave.
// CHECK-LABEL: @behind_symbolic_bias
// CHECK: %[[SHAPE:.*]] = onnx.Constant {value = dense<[1, -1, 16]>
// CHECK: %[[PRODUCT:.*]] = onnx.MatMul
// CHECK-NEXT: %[[SUM:.*]] = onnx.Add %[[PRODUCT]]
// CHECK: onnx.Reshape %[[SUM]], %[[SHAPE]] {{.*}} -> tensor<1x?x16xf32, #onnx.dims<["", "n", ""]>>
func.func @behind_symbolic_bias(%x: tensor<?x8xf32, #onnx.dims<["n", ""]>>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<1x?x16xf32, #onnx.dims<["", "n", ""]>> {
  %shape = onnx.Constant {value = dense<[1, -1, 16]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.MatMul %x, %w : (tensor<?x8xf32, #onnx.dims<["n", ""]>>, tensor<8x16xf32>) -> tensor<?x16xf32, #onnx.dims<["n", ""]>>
  %1 = onnx.Reshape %0, %shape : (tensor<?x16xf32, #onnx.dims<["n", ""]>>, tensor<3xi64>) -> tensor<1x?x16xf32, #onnx.dims<["", "n", ""]>>
  %2 = onnx.Add %1, %b : (tensor<1x?x16xf32, #onnx.dims<["", "n", ""]>>, tensor<16xf32>) -> tensor<1x?x16xf32, #onnx.dims<["", "n", ""]>>
  return %2 : tensor<1x?x16xf32, #onnx.dims<["", "n", ""]>>
}

// Keys, the second of three matrices per row and head, are read where they lie: heads of all three are one dimension.
// CHECK-LABEL: @one_of_three
// CHECK: %[[R:.*]] = onnx.Reshape %arg0, %{{.*}} -> tensor<5x6x8xf32>
// CHECK: %[[S:.*]] = onnx.Slice %[[R]], %[[B:.*]], %[[E:.*]], %[[A:.*]], %{{.*}} -> tensor<5x2x8xf32>
// CHECK: %[[T:.*]] = onnx.Transpose %[[S]] {perm = array<i64: 1, 0, 2>} : (tensor<5x2x8xf32>) -> tensor<2x5x8xf32>
// CHECK: return %[[T]]
func.func @one_of_three(%x: tensor<5x3x2x8xf32>) -> tensor<2x5x8xf32> {
  %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Constant {value = dense<[2, 5, 8]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Transpose %x {perm = array<i64: 1, 2, 0, 3>} : (tensor<5x3x2x8xf32>) -> tensor<3x2x5x8xf32>
  %1 = onnx.Slice %0, %one, %two, %zero, %one : (tensor<3x2x5x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x5x8xf32>
  %2 = onnx.Reshape %1, %shape : (tensor<1x2x5x8xf32>, tensor<3xi64>) -> tensor<2x5x8xf32>
  return %2 : tensor<2x5x8xf32>
}

// CHECK-LABEL: @one_of_three_of_dynamic_rows
// CHECK: %[[R:.*]] = onnx.Reshape %arg0, %{{.*}} -> tensor<?x?x6x8xf32, #onnx.dims<["b", "s", "", ""]>>
// CHECK: %[[S:.*]] = onnx.Slice %[[R]], %{{.*}} -> tensor<?x?x2x8xf32, #onnx.dims<["b", "s", "", ""]>>
// CHECK: %[[T:.*]] = onnx.Transpose %[[S]] {perm = array<i64: 0, 2, 1, 3>}
// CHECK: return %[[T]]
func.func @one_of_three_of_dynamic_rows(%x: tensor<?x?x3x2x8xf32, #onnx.dims<["b", "s", "", "", ""]>>, %y: tensor<?x2x?x8xf32, #onnx.dims<["b", "", "s", ""]>>) -> tensor<?x2x?x8xf32, #onnx.dims<["b", "", "s", ""]>> {
  %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Transpose %x {perm = array<i64: 2, 0, 3, 1, 4>} : (tensor<?x?x3x2x8xf32, #onnx.dims<["b", "s", "", "", ""]>>) -> tensor<3x?x2x?x8xf32, #onnx.dims<["", "b", "", "s", ""]>>
  %1 = onnx.Slice %0, %one, %two, %zero, %one : (tensor<3x?x2x?x8xf32, #onnx.dims<["", "b", "", "s", ""]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x?x2x?x8xf32, #onnx.dims<["", "b", "", "s", ""]>>
  %shape = onnx.Shape %y : (tensor<?x2x?x8xf32, #onnx.dims<["b", "", "s", ""]>>) -> tensor<4xi64>
  %2 = onnx.Reshape %1, %shape : (tensor<1x?x2x?x8xf32, #onnx.dims<["", "b", "", "s", ""]>>, tensor<4xi64>) -> tensor<?x2x?x8xf32, #onnx.dims<["b", "", "s", ""]>>
  return %2 : tensor<?x2x?x8xf32, #onnx.dims<["b", "", "s", ""]>>
}

// Elements of the innermost dimension lie apart whatever the shape.
// CHECK-LABEL: @innermost_stays
// CHECK: onnx.Slice
// CHECK-NEXT: onnx.Reshape
func.func @innermost_stays(%x: tensor<5x3xf32>) -> tensor<5xf32> {
  %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Constant {value = dense<5> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %x, %one, %two, %one, %one : (tensor<5x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<5x1xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<5x1xf32>, tensor<1xi64>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// An activation that is written in several ops reads the value before the reshape several times; then all of it moves.
// CHECK-LABEL: @behind_an_activation_of_several_ops
// CHECK: %[[M:.*]] = onnx.MatMul %arg0, %arg1
// CHECK: %[[A:.*]] = onnx.Mul %[[M]], %[[M]] : (tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK: %[[T:.*]] = onnx.Tanh %[[A]] : (tensor<4x16xf32>)
// CHECK: %[[P:.*]] = onnx.Mul %[[M]], %[[T]] : (tensor<4x16xf32>, tensor<4x16xf32>)
// CHECK: %[[R:.*]] = onnx.Reshape %[[P]], %{{.*}} -> tensor<1x4x16xf32>
// CHECK: return %[[R]]
func.func @behind_an_activation_of_several_ops(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<1x4x16xf32> {
  %shape = onnx.Constant {value = dense<[1, 4, 16]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<4x16xf32>, tensor<3xi64>) -> tensor<1x4x16xf32>
  %2 = onnx.Mul %1, %1 : (tensor<1x4x16xf32>, tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %3 = onnx.Tanh %2 : (tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %4 = onnx.Mul %1, %3 : (tensor<1x4x16xf32>, tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  return %4 : tensor<1x4x16xf32>
}

// The softmax reads the reshaped value too, so the tanh stays with the sum.
// CHECK-LABEL: @stays_before_other_uses
// CHECK: %[[R:.*]] = onnx.Reshape
// CHECK: onnx.Tanh %[[R]]
func.func @stays_before_other_uses(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x2x8xf32> {
  %shape = onnx.Constant {value = dense<[4, 2, 8]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<4x16xf32>, tensor<3xi64>) -> tensor<4x2x8xf32>
  %2 = onnx.Tanh %1 : (tensor<4x2x8xf32>) -> tensor<4x2x8xf32>
  %3 = onnx.Softmax %1 {axis = 2 : i64} : (tensor<4x2x8xf32>) -> tensor<4x2x8xf32>
  %4 = onnx.Add %2, %3 : (tensor<4x2x8xf32>, tensor<4x2x8xf32>) -> tensor<4x2x8xf32>
  return %4 : tensor<4x2x8xf32>
}

// One of the ops that use the reshaped value reads what is computed in the later shape, so none moves.
// CHECK-LABEL: @stays_where_one_user_does
// CHECK: %[[R:.*]] = onnx.Reshape
// CHECK: onnx.Tanh %[[R]]
// CHECK: onnx.Add %[[R]]
func.func @stays_where_one_user_does(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %y: tensor<4x2x8xf32>) -> (tensor<4x2x8xf32>, tensor<4x2x8xf32>) {
  %shape = onnx.Constant {value = dense<[4, 2, 8]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<4x16xf32>, tensor<3xi64>) -> tensor<4x2x8xf32>
  %2 = onnx.Softmax %y {axis = 2 : i64} : (tensor<4x2x8xf32>) -> tensor<4x2x8xf32>
  %3 = onnx.Tanh %1 : (tensor<4x2x8xf32>) -> tensor<4x2x8xf32>
  %4 = onnx.Add %1, %2 : (tensor<4x2x8xf32>, tensor<4x2x8xf32>) -> tensor<4x2x8xf32>
  return %3, %4 : tensor<4x2x8xf32>, tensor<4x2x8xf32>
}

// Keys lie side by side with queries and values, and are divided into heads afterwards.
// CHECK-LABEL: @second_third_in_heads
// CHECK-DAG: %[[SHAPE:.*]] = onnx.Constant {value = dense<[5, 6, 8]>
// CHECK-DAG: %[[B:.*]] = onnx.Constant {value = dense<2>
// CHECK-DAG: %[[E:.*]] = onnx.Constant {value = dense<4>
// CHECK-DAG: %[[A:.*]] = onnx.Constant {value = dense<1>
// CHECK: %[[R:.*]] = onnx.Reshape %arg0, %[[SHAPE]]
// CHECK: %[[S:.*]] = onnx.Slice %[[R]], %[[B]], %[[E]], %[[A]], %{{.*}} -> tensor<5x2x8xf32>
// CHECK: return %[[S]]
func.func @second_third_in_heads(%x: tensor<5x48xf32>) -> tensor<5x2x8xf32> {
  %begin = onnx.Constant {value = dense<16> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<32> : tensor<1xi64>} : tensor<1xi64>
  %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Constant {value = dense<[5, 2, 8]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Slice %x, %begin, %end, %one, %one : (tensor<5x48xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<5x16xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<5x16xf32>, tensor<3xi64>) -> tensor<5x2x8xf32>
  return %1 : tensor<5x2x8xf32>
}

// CHECK-LABEL: @third_of_symbolic_rows
// CHECK: onnx.Reshape %arg0, %{{.*}} -> tensor<1x?x6x8xf32, #onnx.dims<["", "n", "", ""]>>
// CHECK: onnx.Slice %{{.*}} -> tensor<1x?x2x8xf32, #onnx.dims<["", "n", "", ""]>>
// CHECK-NEXT: return
func.func @third_of_symbolic_rows(%x: tensor<?x48xf32, #onnx.dims<["n", ""]>>) -> tensor<1x?x2x8xf32, #onnx.dims<["", "n", "", ""]>> {
  %begin = onnx.Constant {value = dense<16> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<32> : tensor<1xi64>} : tensor<1xi64>
  %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Constant {value = dense<[1, -1, 2, 8]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.Slice %x, %begin, %end, %one, %one : (tensor<?x48xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x16xf32, #onnx.dims<["n", ""]>>
  %1 = onnx.Reshape %0, %shape : (tensor<?x16xf32, #onnx.dims<["n", ""]>>, tensor<4xi64>) -> tensor<1x?x2x8xf32, #onnx.dims<["", "n", "", ""]>>
  return %1 : tensor<1x?x2x8xf32, #onnx.dims<["", "n", "", ""]>>
}

// The slice begins inside of a part.
// CHECK-LABEL: @begins_inside_of_a_part
// CHECK: onnx.Slice %arg0
// CHECK-NEXT: onnx.Reshape
func.func @begins_inside_of_a_part(%x: tensor<5x48xf32>) -> tensor<5x2x8xf32> {
  %begin = onnx.Constant {value = dense<12> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<28> : tensor<1xi64>} : tensor<1xi64>
  %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Constant {value = dense<[5, 2, 8]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Slice %x, %begin, %end, %one, %one : (tensor<5x48xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<5x16xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<5x16xf32>, tensor<3xi64>) -> tensor<5x2x8xf32>
  return %1 : tensor<5x2x8xf32>
}

// Zero elements before the slice do not say which dimension of the result it divides.
// CHECK-LABEL: @no_elements_before_the_slice
// CHECK: onnx.Slice %arg0
// CHECK-NEXT: onnx.Reshape
func.func @no_elements_before_the_slice(%x: tensor<1x0x16x2xf32>) -> tensor<1x0x16xf32> {
  %begin = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<3> : tensor<1xi64>} : tensor<1xi64>
  %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Constant {value = dense<[1, 0, 16]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Slice %x, %begin, %end, %axis, %one : (tensor<1x0x16x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x0x16x1xf32>
  %1 = onnx.Reshape %0, %shape {allowzero = 1 : i64} : (tensor<1x0x16x1xf32>, tensor<3xi64>) -> tensor<1x0x16xf32>
  return %1 : tensor<1x0x16xf32>
}
