// RUN: cameo-opt %s --form-tasks --split-input-file | FileCheck %s
// RUN: cameo-opt %s --form-tasks=join-copies=false --split-input-file | FileCheck %s --check-prefix=APART

// A few rows multiply a cache that grows: the copy and the product are one task with two results.
// CHECK-LABEL: func.func @keys
// CHECK: %[[TASK:.*]]:2 = task.call @concat_mat_mul_mul_0(
// CHECK-NEXT: return %[[TASK]]#0, %[[TASK]]#1
// CHECK: task.def @concat_mat_mul_mul_0
// CHECK-NEXT: onnx.Concat
// CHECK-NEXT: onnx.Transpose
// CHECK-NEXT: onnx.MatMul
// APART-LABEL: func.func @keys
// APART: task.call @concat_0(
// APART-NEXT: task.call @mat_mul_mul_0(
func.func @keys(%past: tensor<1x2x?x16xf32, #onnx.dims<["", "", "past", ""]>>, %new: tensor<1x2x1x16xf32>, %q: tensor<1x2x3x16xf32>) -> (tensor<1x2x?x16xf32, #onnx.dims<["", "", "past + 1", ""]>>, tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "past + 1"]>>) {
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %present = onnx.Concat %past, %new {axis = 2 : i64} : (tensor<1x2x?x16xf32, #onnx.dims<["", "", "past", ""]>>, tensor<1x2x1x16xf32>) -> tensor<1x2x?x16xf32, #onnx.dims<["", "", "past + 1", ""]>>
  %turned = onnx.Transpose %present {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x2x?x16xf32, #onnx.dims<["", "", "past + 1", ""]>>) -> tensor<1x2x16x?xf32, #onnx.dims<["", "", "", "past + 1"]>>
  %raw = onnx.MatMul %q, %turned : (tensor<1x2x3x16xf32>, tensor<1x2x16x?xf32, #onnx.dims<["", "", "", "past + 1"]>>) -> tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "past + 1"]>>
  %scores = onnx.Mul %raw, %half : (tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "past + 1"]>>, tensor<f32>) -> tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "past + 1"]>>
  return %present, %scores : tensor<1x2x?x16xf32, #onnx.dims<["", "", "past + 1", ""]>>, tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "past + 1"]>>
}

// -----

// A number of rows that the run chooses may be few.
// CHECK-LABEL: func.func @values
// CHECK: task.call @concat_mat_mul_0(
// CHECK-NEXT: return
func.func @values(%past: tensor<2x64x16xf32>, %new: tensor<2x1x16xf32>, %p: tensor<2x?x65xf32, #onnx.dims<["", "rows", ""]>>) -> (tensor<2x65x16xf32>, tensor<2x?x16xf32, #onnx.dims<["", "rows", ""]>>) {
  %present = onnx.Concat %past, %new {axis = -2 : i64} : (tensor<2x64x16xf32>, tensor<2x1x16xf32>) -> tensor<2x65x16xf32>
  %y = onnx.MatMul %p, %present : (tensor<2x?x65xf32, #onnx.dims<["", "rows", ""]>>, tensor<2x65x16xf32>) -> tensor<2x?x16xf32, #onnx.dims<["", "rows", ""]>>
  return %present, %y : tensor<2x65x16xf32>, tensor<2x?x16xf32, #onnx.dims<["", "rows", ""]>>
}

// -----

// Many rows read a packed copy.
// CHECK-LABEL: func.func @many_rows
// CHECK: task.call @concat_0(
// CHECK-NEXT: task.call @mat_mul_0(
func.func @many_rows(%past: tensor<2x64x16xf32>, %new: tensor<2x1x16xf32>, %p: tensor<2x9x65xf32>) -> (tensor<2x65x16xf32>, tensor<2x9x16xf32>) {
  %present = onnx.Concat %past, %new {axis = 1 : i64} : (tensor<2x64x16xf32>, tensor<2x1x16xf32>) -> tensor<2x65x16xf32>
  %y = onnx.MatMul %p, %present : (tensor<2x9x65xf32>, tensor<2x65x16xf32>) -> tensor<2x9x16xf32>
  return %present, %y : tensor<2x65x16xf32>, tensor<2x9x16xf32>
}

// -----

// A result that stays in the model is no output of the caller.
// CHECK-LABEL: func.func @not_returned
// CHECK: task.call @concat_0(
func.func @not_returned(%past: tensor<2x64x16xf32>, %new: tensor<2x1x16xf32>, %p: tensor<2x1x65xf32>) -> tensor<2x1x16xf32> {
  %present = onnx.Concat %past, %new {axis = 1 : i64} : (tensor<2x64x16xf32>, tensor<2x1x16xf32>) -> tensor<2x65x16xf32>
  %y = onnx.MatMul %p, %present : (tensor<2x1x65xf32>, tensor<2x65x16xf32>) -> tensor<2x1x16xf32>
  return %y : tensor<2x1x16xf32>
}

// -----

// Another product would read the cache again anyway.
// CHECK-LABEL: func.func @two_readers
// CHECK: task.call @concat_0(
func.func @two_readers(%past: tensor<2x64x16xf32>, %new: tensor<2x1x16xf32>, %p: tensor<2x1x65xf32>) -> (tensor<2x65x16xf32>, tensor<2x1x16xf32>, tensor<2x65x16xf32>) {
  %present = onnx.Concat %past, %new {axis = 1 : i64} : (tensor<2x64x16xf32>, tensor<2x1x16xf32>) -> tensor<2x65x16xf32>
  %y = onnx.MatMul %p, %present : (tensor<2x1x65xf32>, tensor<2x65x16xf32>) -> tensor<2x1x16xf32>
  %z = onnx.Relu %present : (tensor<2x65x16xf32>) -> tensor<2x65x16xf32>
  return %present, %y, %z : tensor<2x65x16xf32>, tensor<2x1x16xf32>, tensor<2x65x16xf32>
}

// -----

// Columns that are appended lie between the old ones.
// CHECK-LABEL: func.func @columns
// CHECK: task.call @concat_0(
func.func @columns(%past: tensor<2x16x64xf32>, %new: tensor<2x16x1xf32>, %q: tensor<2x1x16xf32>) -> (tensor<2x16x65xf32>, tensor<2x1x65xf32>) {
  %present = onnx.Concat %past, %new {axis = 2 : i64} : (tensor<2x16x64xf32>, tensor<2x16x1xf32>) -> tensor<2x16x65xf32>
  %y = onnx.MatMul %q, %present : (tensor<2x1x16xf32>, tensor<2x16x65xf32>) -> tensor<2x1x65xf32>
  return %present, %y : tensor<2x16x65xf32>, tensor<2x1x65xf32>
}

// -----

// A product reads the part of a table that a number selects where it lies, and so does the sum behind it. The part is a task where products cannot.
// CHECK-LABEL: func.func @selected
// CHECK: task.call @mat_mul_add_0(%arg0, %arg1, %arg3, %arg2)
// CHECK: task.def @mat_mul_add_0
// CHECK-NEXT: onnx.Gather
// CHECK-NEXT: onnx.Cast
// CHECK-NEXT: onnx.MatMul
// CHECK-NEXT: onnx.Gather
// CHECK-NEXT: onnx.Add
// APART-LABEL: func.func @selected
// APART: task.call @cast_0(
// APART: task.call @mat_mul_add_0(
func.func @selected(%x: tensor<4x8xf32>, %table: tensor<3x8x16xf16>, %bias: tensor<3x16xf32>, %i: tensor<i64>) -> tensor<4x16xf32> {
  %half = onnx.Gather %table, %i {axis = 0 : i64} : (tensor<3x8x16xf16>, tensor<i64>) -> tensor<8x16xf16>
  %w = onnx.Cast %half {to = 1 : i64} : (tensor<8x16xf16>) -> tensor<8x16xf32>
  %b = onnx.Gather %bias, %i {axis = 0 : i64} : (tensor<3x16xf32>, tensor<i64>) -> tensor<16xf32>
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = onnx.Add %0, %b : (tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}

// -----

// Rows at several indices are a task.
// CHECK-LABEL: func.func @several
// CHECK: task.call @gather_0(
// CHECK: task.call @mat_mul_0(
func.func @several(%x: tensor<4x8xf32>, %table: tensor<3x16xf32>, %i: tensor<8xi64>) -> tensor<4x16xf32> {
  %w = onnx.Gather %table, %i {axis = 0 : i64} : (tensor<3x16xf32>, tensor<8xi64>) -> tensor<8x16xf32>
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}
