// RUN: cameo-opt %s --require-sizes --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reshape_keeps_the_elements
// CHECK-SAME: attributes {onnx.zero_sizes = ["4*n - 8"]}
func.func @reshape_keeps_the_elements(%x: tensor<?x4xf32, #onnx.dims<["n", ""]>>, %shape: tensor<1xi64>) -> tensor<8xf32> {
  %0 = "onnx.Reshape"(%x, %shape) : (tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @products_join_columns_and_rows
// CHECK-SAME: attributes {onnx.zero_sizes = ["k - 8"]}
func.func @products_join_columns_and_rows(%a: tensor<2x?xf32, #onnx.dims<["", "k"]>>, %b: tensor<8x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.MatMul"(%a, %b) : (tensor<2x?xf32, #onnx.dims<["", "k"]>>, tensor<8x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @operands_broadcast
// CHECK-SAME: attributes {onnx.zero_sizes = ["n - 5"]}
func.func @operands_broadcast(%a: tensor<?x1xf32, #onnx.dims<["n", ""]>>, %b: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = "onnx.Add"(%a, %b) : (tensor<?x1xf32, #onnx.dims<["n", ""]>>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// -----

// CHECK-LABEL: func.func @concat_joins_one_axis
// CHECK-SAME: attributes {onnx.zero_sizes = ["n - 5"]}
func.func @concat_joins_one_axis(%a: tensor<?x?xf32, #onnx.dims<["n", "m"]>>, %b: tensor<5x3xf32>) -> tensor<5x?xf32, #onnx.dims<["", "m + 3"]>> {
  %0 = "onnx.Concat"(%a, %b) {axis = -1 : i64} : (tensor<?x?xf32, #onnx.dims<["n", "m"]>>, tensor<5x3xf32>) -> tensor<5x?xf32, #onnx.dims<["", "m + 3"]>>
  return %0 : tensor<5x?xf32, #onnx.dims<["", "m + 3"]>>
}

// -----

// Equal names need no statement.
// CHECK-LABEL: func.func @equal_names
// CHECK-NOT: onnx.zero_sizes
func.func @equal_names(%a: tensor<?xf32, #onnx.dims<["n"]>>, %b: tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>> {
  %0 = "onnx.Add"(%a, %b) : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  return %0 : tensor<?xf32, #onnx.dims<["n"]>>
}
