// RUN: cameo-opt %s --simplify-graph | FileCheck %s

// CHECK-LABEL: @removes_ops_that_do_nothing
// CHECK-NEXT: return %arg0
func.func @removes_ops_that_do_nothing(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %none = onnx.None
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : tensor<f32>
  %pads = onnx.Constant {value = dense<0> : tensor<8xi64>} : tensor<8xi64>
  %0 = onnx.Identity %x : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1, %mask = onnx.Dropout %0, %none, %none : (tensor<1x2x4x4xf32>, none, none) -> (tensor<1x2x4x4xf32>, none)
  %2 = onnx.Cast %1 {to = 1 : i64} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %3 = onnx.Pad %2, %pads, %none, %none : (tensor<1x2x4x4xf32>, tensor<8xi64>, none, none) -> tensor<1x2x4x4xf32>
  %4 = onnx.Mul %3, %one : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %5, %indices = onnx.MaxPool %4 {kernel_shape = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, none)
  %6 = onnx.Concat %5 {axis = 1 : i64} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %6 : tensor<1x2x4x4xf32>
}

// -0.0 + 0.0 is 0.0.
// CHECK-LABEL: @adds_only_negative_zero_for_free
// CHECK: %[[Y:.*]] = onnx.Add %arg0
// CHECK-NEXT: return %[[Y]]
func.func @adds_only_negative_zero_for_free(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = onnx.Constant {value = dense<0.0> : tensor<f32>} : tensor<f32>
  %negative = onnx.Constant {value = dense<-0.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Add %x, %negative : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = onnx.Add %0, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// The result has the shape of the constant.
// CHECK-LABEL: @keeps_neutral_ops_that_broadcast
// CHECK: onnx.Mul
func.func @keeps_neutral_ops_that_broadcast(%x: tensor<1xf32>) -> tensor<4xf32> {
  %one = onnx.Constant {value = dense<1.0> : tensor<4xf32>} : tensor<4xf32>
  %0 = onnx.Mul %x, %one : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @divides_by_powers_of_two_exactly
// CHECK: %[[C:.*]] = onnx.Constant {value = dense<1.250000e-01> : tensor<f32>}
// CHECK: onnx.Mul %arg0, %[[C]]
func.func @divides_by_powers_of_two_exactly(%x: tensor<4xf32>) -> tensor<4xf32> {
  %eight = onnx.Constant {value = dense<8.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Div %x, %eight : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @squares_by_multiplication
// CHECK: onnx.Mul %arg0, %arg0
func.func @squares_by_multiplication(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Pow %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @shrinks_repeated_numbers
// CHECK: %[[C:.*]] = onnx.Constant {value = dense<3.000000e+00> : tensor<f32>}
// CHECK: onnx.Add %arg0, %[[C]] : (tensor<2x4xf32>, tensor<f32>)
func.func @shrinks_repeated_numbers(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %three = onnx.Constant {value = dense<3.0> : tensor<1x4xf32>} : tensor<1x4xf32>
  %0 = onnx.Add %x, %three : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: @merges_clamps
// CHECK-DAG: %[[LOW:.*]] = onnx.Constant {value = dense<0.000000e+00> : tensor<f32>}
// CHECK-DAG: %[[HIGH:.*]] = onnx.Constant {value = dense<6.000000e+00> : tensor<f32>}
// CHECK: %[[Y:.*]] = onnx.Clip %arg0, %[[LOW]], %[[HIGH]]
// CHECK-NEXT: return %[[Y]]
func.func @merges_clamps(%x: tensor<4xf32>) -> tensor<4xf32> {
  %low = onnx.Constant {value = dense<-1.0> : tensor<f32>} : tensor<f32>
  %high = onnx.Constant {value = dense<6.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = onnx.Clip %1, %low, %high : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: @reads_min_of_max_as_clip
// CHECK: onnx.Clip %arg0
func.func @reads_min_of_max_as_clip(%x: tensor<4xf32>) -> tensor<4xf32> {
  %low = onnx.Constant {value = dense<-1.0> : tensor<f32>} : tensor<f32>
  %high = onnx.Constant {value = dense<6.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Max %x, %low : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = onnx.Min %high, %0 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: @merges_reshapes
// CHECK: %[[Y:.*]] = onnx.Reshape %arg0, %{{.*}} : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<4x6xf32>
// CHECK-NEXT: return %[[Y]]
func.func @merges_reshapes(%x: tensor<2x3x4xf32>) -> tensor<4x6xf32> {
  %flat = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Constant {value = dense<[4, 6]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Reshape %x, %flat : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<24xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<24xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// CHECK-LABEL: @lets_elementwise_ops_broadcast
// CHECK-NOT: onnx.Expand
// CHECK: onnx.Add %arg0, %arg1 : (tensor<2x4xf32>, tensor<4xf32>)
func.func @lets_elementwise_ops_broadcast(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  %shape = onnx.Constant {value = dense<[2, 4]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Expand %y, %shape : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  %1 = onnx.Add %x, %0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// Each dimension is 1 or that of the result.
// CHECK-LABEL: @lets_dynamic_operands_broadcast
// CHECK-NOT: onnx.Expand
// CHECK: onnx.Add %arg0, %arg1
func.func @lets_dynamic_operands_broadcast(%x: tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>, %y: tensor<?x1x?xf32, #onnx.dims<["b", "", "s"]>>) -> tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>> {
  %shape = onnx.Shape %x : (tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>) -> tensor<3xi64>
  %0 = onnx.Expand %y, %shape : (tensor<?x1x?xf32, #onnx.dims<["b", "", "s"]>>, tensor<3xi64>) -> tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>
  %1 = onnx.Add %x, %0 : (tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>, tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>) -> tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>
  return %1 : tensor<?x4x?xf32, #onnx.dims<["b", "", "s"]>>
}

// CHECK-LABEL: @pools_whole_planes_globally
// CHECK: onnx.GlobalAveragePool %arg0
func.func @pools_whole_planes_globally(%x: tensor<1x2x4x5xf32>) -> tensor<1x2x1x1xf32> {
  %0 = onnx.AveragePool %x {kernel_shape = array<i64: 4, 5>} : (tensor<1x2x4x5xf32>) -> tensor<1x2x1x1xf32>
  return %0 : tensor<1x2x1x1xf32>
}

// CHECK-LABEL: @flattens_nested_concat
// CHECK: %[[Y:.*]] = onnx.Concat %arg0, %arg1, %arg0 {axis = 0 : i64}
// CHECK-NEXT: return %[[Y]]
func.func @flattens_nested_concat(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<7xf32> {
  %0 = onnx.Concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %1 = onnx.Concat %0, %x {axis = 0 : i64} : (tensor<5xf32>, tensor<2xf32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}

// CHECK-LABEL: @computes_equal_values_once
// CHECK: %[[E:.*]] = onnx.Exp %arg0
// CHECK-NEXT: onnx.Add %[[E]], %[[E]]
func.func @computes_equal_values_once(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %2 = onnx.Add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: @begins_with_nothing_instead_of_zeros
// CHECK: %[[NONE:.*]] = onnx.None
// CHECK-NOT: onnx.ConstantOfShape
// CHECK: onnx.LSTM %arg0, %arg1, %arg2, %[[NONE]], %[[NONE]], %[[NONE]], %arg3, %[[NONE]]
func.func @begins_with_nothing_instead_of_zeros(%x: tensor<5x?x3xf32>, %w: tensor<1x16x3xf32>, %r: tensor<1x16x4xf32>, %c: tensor<1x?x4xf32>,
                                                %shape: tensor<3xi64>) -> tensor<5x1x?x4xf32> {
  %none = onnx.None
  %zeros = onnx.ConstantOfShape %shape {value = dense<0.0> : tensor<1xf32>} : (tensor<3xi64>) -> tensor<1x?x4xf32>
  %y, %h, %s = onnx.LSTM %x, %w, %r, %none, %none, %zeros, %c, %none : (tensor<5x?x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, none, none, tensor<1x?x4xf32>, tensor<1x?x4xf32>, none) -> (tensor<5x1x?x4xf32>, none, none)
  return %y : tensor<5x1x?x4xf32>
}

// CHECK-LABEL: @keeps_a_state_of_ones
// CHECK: %[[NONE:.*]] = onnx.None
// CHECK: %[[ONES:.*]] = onnx.ConstantOfShape %arg3
// CHECK: onnx.GRU %arg0, %arg1, %arg2, %[[NONE]], %[[NONE]], %[[NONE]]
// CHECK: onnx.GRU %arg0, %arg1, %arg2, %[[NONE]], %[[NONE]], %[[ONES]]
func.func @keeps_a_state_of_ones(%x: tensor<5x1x3xf32>, %w: tensor<1x12x3xf32>, %r: tensor<1x12x4xf32>, %shape: tensor<3xi64>) -> (tensor<1x1x4xf32>, tensor<1x1x4xf32>) {
  %none = onnx.None
  %zeros = onnx.Constant {value = dense<0.0> : tensor<1x1x4xf32>} : tensor<1x1x4xf32>
  %ones = onnx.ConstantOfShape %shape {value = dense<1.0> : tensor<1xf32>} : (tensor<3xi64>) -> tensor<1x1x4xf32>
  %y, %h = onnx.GRU %x, %w, %r, %none, %none, %zeros : (tensor<5x1x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, none, none, tensor<1x1x4xf32>) -> (none, tensor<1x1x4xf32>)
  %z, %g = onnx.GRU %x, %w, %r, %none, %none, %ones : (tensor<5x1x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, none, none, tensor<1x1x4xf32>) -> (none, tensor<1x1x4xf32>)
  return %h, %g : tensor<1x1x4xf32>, tensor<1x1x4xf32>
}

// CHECK-LABEL: @clips_numbers_without_a_sign_for_free
// CHECK-NEXT: return %arg0, %arg1
func.func @clips_numbers_without_a_sign_for_free(%x: tensor<4xui8>, %y: tensor<4xui64>) -> (tensor<4xui8>, tensor<4xui64>) {
  %none = onnx.None
  %zero = onnx.Constant {value = dense<0> : tensor<ui8>} : tensor<ui8>
  %wide = onnx.Constant {value = dense<0> : tensor<ui64>} : tensor<ui64>
  %0 = onnx.Clip %x, %zero, %none : (tensor<4xui8>, tensor<ui8>, none) -> tensor<4xui8>
  %1 = onnx.Clip %y, %wide, %none : (tensor<4xui64>, tensor<ui64>, none) -> tensor<4xui64>
  return %0, %1 : tensor<4xui8>, tensor<4xui64>
}

// A reader of the size would hold the slice in memory.
// CHECK-LABEL: @size_of_a_slice
// CHECK-SAME: %[[X:.*]]: tensor<2x64x8xf32>, %[[ROWS:.*]]: tensor<?xi64
// CHECK: %[[SIZE:.*]] = onnx.Shape %[[ROWS]]
// CHECK: return %[[SIZE]]
func.func @size_of_a_slice(%x: tensor<2x64x8xf32>, %rows: tensor<?xi64, #onnx.dims<["n"]>>) -> tensor<1xi64> {
  %none = onnx.None
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %size = onnx.Shape %rows : (tensor<?xi64, #onnx.dims<["n"]>>) -> tensor<1xi64>
  %part = onnx.Slice %x, %zero, %size, %axis, %none : (tensor<2x64x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<2x?x8xf32, #onnx.dims<["", "n", ""]>>
  %0 = onnx.Shape %part {start = 1 : i64, end = 2 : i64} : (tensor<2x?x8xf32, #onnx.dims<["", "n", ""]>>) -> tensor<1xi64>
  return %0 : tensor<1xi64>
}
