// RUN: cameo-opt %s --canonicalize | FileCheck %s

// Folding: small tensors of numbers, and operators that change nothing.

// CHECK-LABEL: @shape_of_static
// CHECK: onnx.Constant {value = dense<[2, 3]> : tensor<2xi64>}
// CHECK-NOT: onnx.Shape
func.func @shape_of_static(%x: tensor<2x3xf32>) -> tensor<2xi64> {
  %0 = onnx.Shape %x : (tensor<2x3xf32>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// CHECK-LABEL: @shape_of_dynamic_stays
// CHECK: onnx.Shape
func.func @shape_of_dynamic_stays(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  %0 = onnx.Shape %x : (tensor<?x3xf32>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// One size is known though the other is not.
// CHECK-LABEL: @static_part_of_dynamic_shape
// CHECK: %[[SIZE:.*]] = onnx.Constant {value = dense<3> : tensor<i64>}
// CHECK: return %[[SIZE]]
func.func @static_part_of_dynamic_shape(%x: tensor<?x3xf32>) -> tensor<i64> {
  %one = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %0 = onnx.Shape %x : (tensor<?x3xf32>) -> tensor<2xi64>
  %1 = onnx.Gather %0, %one : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
  return %1 : tensor<i64>
}

// CHECK-LABEL: @arithmetic
// CHECK: onnx.Constant {value = dense<[-7, 5]> : tensor<2xi32>}
func.func @arithmetic() -> tensor<2xi32> {
  %a = onnx.Constant {value = dense<[-7, 17]> : tensor<2xi32>} : tensor<2xi32>
  %b = onnx.Constant {value = dense<2> : tensor<i32>} : tensor<i32>
  %c = onnx.Constant {value = dense<3> : tensor<1xi32>} : tensor<1xi32>
  %0 = onnx.Div %a, %b : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %1 = onnx.Sub %0, %c : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
  %2 = onnx.Mod %1, %a : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %3 = onnx.Add %2, %2 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %4 = onnx.Sub %3, %2 : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %5 = onnx.Min %4, %a : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %5 : tensor<2xi32>
}

// CHECK-LABEL: @wraps_to_the_width
// CHECK: onnx.Constant {value = dense<44> : tensor<ui8>}
func.func @wraps_to_the_width() -> tensor<ui8> {
  %a = onnx.Constant {value = dense<200> : tensor<ui8>} : tensor<ui8>
  %b = onnx.Constant {value = dense<100> : tensor<ui8>} : tensor<ui8>
  %0 = onnx.Add %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
  return %0 : tensor<ui8>
}

// CHECK-LABEL: @division_by_zero_stays
// CHECK: onnx.Div
func.func @division_by_zero_stays() -> tensor<i64> {
  %a = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %b = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %0 = onnx.Div %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i64>
  return %0 : tensor<i64>
}

// CHECK-LABEL: @least_integer_stays
// CHECK: onnx.Div
func.func @least_integer_stays() -> tensor<i64> {
  %a = onnx.Constant {value = dense<-9223372036854775808> : tensor<i64>} : tensor<i64>
  %b = onnx.Constant {value = dense<-1> : tensor<i64>} : tensor<i64>
  %0 = onnx.Div %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i64>
  return %0 : tensor<i64>
}

// CHECK-LABEL: @compare_and_select
// CHECK: onnx.Constant {value = dense<[10, 2]> : tensor<2xi64>}
func.func @compare_and_select() -> tensor<2xi64> {
  %a = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %b = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %c = onnx.Constant {value = dense<10> : tensor<i64>} : tensor<i64>
  %0 = onnx.Equal %a, %b : (tensor<2xi64>, tensor<i64>) -> tensor<2xi1>
  %1 = onnx.Where %0, %c, %a : (tensor<2xi1>, tensor<i64>, tensor<2xi64>) -> tensor<2xi64>
  return %1 : tensor<2xi64>
}

// CHECK-LABEL: @rearrangement
// CHECK: onnx.Constant {value = dense<{{\[\[}}4], [3], [2], [1]]> : tensor<4x1xi64>}
func.func @rearrangement() -> tensor<4x1xi64> {
  %none = onnx.None
  %a = onnx.Constant {value = dense<[[1, 3], [2, 4]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  %flat = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %start = onnx.Constant {value = dense<100> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<-100> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Transpose %a : (tensor<2x2xi64>) -> tensor<2x2xi64>
  %1 = onnx.Reshape %0, %flat : (tensor<2x2xi64>, tensor<1xi64>) -> tensor<4xi64>
  %2 = onnx.Slice %1, %start, %end, %none, %flat
      : (tensor<4xi64>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<4xi64>
  %3 = onnx.Unsqueeze %2, %flat : (tensor<4xi64>, tensor<1xi64>) -> tensor<4x1xi64>
  return %3 : tensor<4x1xi64>
}

// CHECK-LABEL: @split_of_shape
// CHECK-DAG: onnx.Constant {value = dense<1> : tensor<1xi64>}
// CHECK-DAG: onnx.Constant {value = dense<[2, 3]> : tensor<2xi64>}
// CHECK-NOT: onnx.Split
func.func @split_of_shape() -> (tensor<1xi64>, tensor<2xi64>) {
  %a = onnx.Constant {value = dense<[1, 2, 3]> : tensor<3xi64>} : tensor<3xi64>
  %sizes = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %0:2 = onnx.Split %a, %sizes : (tensor<3xi64>, tensor<2xi64>) -> (tensor<1xi64>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<1xi64>, tensor<2xi64>
}

// CHECK-LABEL: @reductions
// CHECK: onnx.Constant {value = dense<24> : tensor<i64>}
func.func @reductions() -> tensor<i64> {
  %none = onnx.None
  %a = onnx.Constant {value = dense<[2, 3, 4]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.ReduceProd %a, %none {keepdims = 0 : i64} : (tensor<3xi64>, none) -> tensor<i64>
  return %0 : tensor<i64>
}

// CHECK-LABEL: @booleans
// CHECK: onnx.Constant {value = dense<[false, true, true]> : tensor<3xi1>}
func.func @booleans() -> tensor<3xi1> {
  %a = onnx.Constant {value = dense<[true, false, true]> : tensor<3xi1>} : tensor<3xi1>
  %b = onnx.Constant {value = dense<[true, false, false]> : tensor<3xi1>} : tensor<3xi1>
  %0 = onnx.Xor %a, %b : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %1 = onnx.Not %b : (tensor<3xi1>) -> tensor<3xi1>
  %2 = onnx.Or %0, %1 : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return %2 : tensor<3xi1>
}

// CHECK-LABEL: @large_tensors_stay
// CHECK: onnx.ConstantOfShape
func.func @large_tensors_stay() -> tensor<100x100xi64> {
  %shape = onnx.Constant {value = dense<100> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.ConstantOfShape %shape {value = dense<1> : tensor<1xi64>} : (tensor<2xi64>) -> tensor<100x100xi64>
  return %0 : tensor<100x100xi64>
}

// CHECK-LABEL: @index_out_of_bounds_of_unknown_data_stays
// CHECK: onnx.Gather
func.func @index_out_of_bounds_of_unknown_data_stays(%x: tensor<?xi64>) -> tensor<i64> {
  %seven = onnx.Constant {value = dense<7> : tensor<i64>} : tensor<i64>
  %0 = onnx.Gather %x, %seven : (tensor<?xi64>, tensor<i64>) -> tensor<i64>
  return %0 : tensor<i64>
}

// CHECK-LABEL: @operators_that_change_nothing
// CHECK-NEXT: return %arg0
func.func @operators_that_change_nothing(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %none = onnx.None
  %shape = onnx.Constant {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  %ones = onnx.Constant {value = dense<1> : tensor<2xi64>} : tensor<2xi64>
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<100> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Identity %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %2 = onnx.Cast %1 {to = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = onnx.Transpose %2 {perm = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = onnx.Expand %3, %shape : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %5 = onnx.Tile %4, %ones : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %6 = onnx.Slice %5, %zero, %end, %none, %none
      : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<2x3xf32>
  %7 = onnx.Concat %6 {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = onnx.Flatten %7 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = onnx.Squeeze %8, %none : (tensor<2x3xf32>, none) -> tensor<2x3xf32>
  return %9 : tensor<2x3xf32>
}

// Two unknown sizes may differ.
// CHECK-LABEL: @reshape_of_unknown_sizes_stays
// CHECK: onnx.Reshape
func.func @reshape_of_unknown_sizes_stays(%x: tensor<?x?xf32>, %shape: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = onnx.Reshape %x, %shape : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A square keeps its type when transposed, and a slice its type when reversed.
// CHECK-LABEL: @same_type_is_not_enough
// CHECK: onnx.Transpose
// CHECK: onnx.Slice
func.func @same_type_is_not_enough(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %none = onnx.None
  %start = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<-100> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Transpose %x : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = onnx.Slice %0, %start, %end, %none, %start
      : (tensor<3x3xf32>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}

// What a run reads may ask for another shape than is stated.
// CHECK-LABEL: @shape_that_a_run_reads_stays
// CHECK: onnx.ConstantOfShape
// CHECK: onnx.Reshape
// CHECK: onnx.Expand
// CHECK: onnx.Tile
func.func @shape_that_a_run_reads_stays(%x: tensor<2x3xf32>, %shape: tensor<2xi64>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = onnx.ConstantOfShape %shape : (tensor<2xi64>) -> tensor<2x3xf32>
  %1 = onnx.Reshape %x, %shape : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %2 = onnx.Expand %x, %shape : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %3 = onnx.Tile %x, %shape : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
