// RUN: cameo-opt %s --group-queries --split-input-file | FileCheck %s

// Both products of an attention with six heads that share two: keys are transposed after they were repeated.
// CHECK-LABEL: @products
// CHECK-SAME: %[[Q:.*]]: tensor<1x6x?x8xf32, {{.*}}>, %[[W:.*]]: tensor<1x6x?x?xf32, {{.*}}>, %[[K:.*]]: tensor<1x2x?x8xf32, {{.*}}>
// CHECK-NOT: onnx.Expand
// CHECK: %[[ROWS:.*]] = onnx.Reshape %[[Q]], {{.*}} -> tensor<1x2x?x8xf32, #onnx.dims<["", "", "3*new", ""]>>
// CHECK: %[[T:.*]] = onnx.Transpose %[[K]] {perm = array<i64: 0, 1, 3, 2>}
// CHECK: %[[P:.*]] = onnx.MatMul %[[ROWS]], %[[T]] {{.*}} -> tensor<1x2x?x?xf32, #onnx.dims<["", "", "3*new", "total"]>>
// CHECK: onnx.Reshape %[[P]], {{.*}} -> tensor<1x6x?x?xf32, #onnx.dims<["", "", "new", "total"]>>
// CHECK: %[[WEIGHTS:.*]] = onnx.Reshape %[[W]], {{.*}} -> tensor<1x2x?x?xf32, #onnx.dims<["", "", "3*new", "total"]>>
// CHECK: %[[Y:.*]] = onnx.MatMul %[[WEIGHTS]], %[[K]]
// CHECK: onnx.Reshape %[[Y]], {{.*}} -> tensor<1x6x?x8xf32, #onnx.dims<["", "", "new", ""]>>
func.func @products(%q: tensor<1x6x?x8xf32, #onnx.dims<["", "", "new", ""]>>, %w: tensor<1x6x?x?xf32, #onnx.dims<["", "", "new", "total"]>>, %k: tensor<1x2x?x8xf32, #onnx.dims<["", "", "total", ""]>>, %wide: tensor<5xi64>, %joined: tensor<4xi64>)
    -> (tensor<1x6x?x?xf32, #onnx.dims<["", "", "new", "total"]>>, tensor<1x6x?x8xf32, #onnx.dims<["", "", "new", ""]>>) {
  %axis = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Unsqueeze %k, %axis : (tensor<1x2x?x8xf32, #onnx.dims<["", "", "total", ""]>>, tensor<1xi64>) -> tensor<1x2x1x?x8xf32, #onnx.dims<["", "", "", "total", ""]>>
  %1 = onnx.Expand %0, %wide : (tensor<1x2x1x?x8xf32, #onnx.dims<["", "", "", "total", ""]>>, tensor<5xi64>) -> tensor<1x2x3x?x8xf32, #onnx.dims<["", "", "", "total", ""]>>
  %2 = onnx.Reshape %1, %joined : (tensor<1x2x3x?x8xf32, #onnx.dims<["", "", "", "total", ""]>>, tensor<4xi64>) -> tensor<1x6x?x8xf32, #onnx.dims<["", "", "total", ""]>>
  %3 = onnx.Transpose %2 {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x6x?x8xf32, #onnx.dims<["", "", "total", ""]>>) -> tensor<1x6x8x?xf32, #onnx.dims<["", "", "", "total"]>>
  %4 = onnx.MatMul %q, %3 : (tensor<1x6x?x8xf32, #onnx.dims<["", "", "new", ""]>>, tensor<1x6x8x?xf32, #onnx.dims<["", "", "", "total"]>>) -> tensor<1x6x?x?xf32, #onnx.dims<["", "", "new", "total"]>>
  %5 = onnx.MatMul %w, %2 : (tensor<1x6x?x?xf32, #onnx.dims<["", "", "new", "total"]>>, tensor<1x6x?x8xf32, #onnx.dims<["", "", "total", ""]>>) -> tensor<1x6x?x8xf32, #onnx.dims<["", "", "new", ""]>>
  return %4, %5 : tensor<1x6x?x?xf32, #onnx.dims<["", "", "new", "total"]>>, tensor<1x6x?x8xf32, #onnx.dims<["", "", "new", ""]>>
}

// -----

// CHECK-LABEL: @repeated_by_tile
// CHECK: onnx.MatMul {{.*}} : (tensor<2x2x15x4xf32>, tensor<2x2x4x7xf32>) -> tensor<2x2x15x7xf32>
func.func @repeated_by_tile(%q: tensor<2x6x5x4xf32>, %k: tensor<2x2x4x7xf32>, %times: tensor<5xi64>, %split: tensor<5xi64>, %joined: tensor<4xi64>) -> tensor<2x6x5x7xf32> {
  %0 = onnx.Reshape %k, %split : (tensor<2x2x4x7xf32>, tensor<5xi64>) -> tensor<2x2x1x4x7xf32>
  %1 = onnx.Tile %0, %times : (tensor<2x2x1x4x7xf32>, tensor<5xi64>) -> tensor<2x2x3x4x7xf32>
  %2 = onnx.Reshape %1, %joined : (tensor<2x2x3x4x7xf32>, tensor<4xi64>) -> tensor<2x6x4x7xf32>
  %3 = onnx.MatMul %q, %2 : (tensor<2x6x5x4xf32>, tensor<2x6x4x7xf32>) -> tensor<2x6x5x7xf32>
  return %3 : tensor<2x6x5x7xf32>
}

// -----

// All heads in turn, instead of each one several times: the second dimension grows, and not the third.
// CHECK-LABEL: @other_order
// CHECK: onnx.Expand
// CHECK: onnx.MatMul {{.*}} : (tensor<1x6x5x4xf32>, tensor<1x6x4x7xf32>)
func.func @other_order(%q: tensor<1x6x5x4xf32>, %k: tensor<1x2x4x7xf32>, %wide: tensor<5xi64>, %split: tensor<5xi64>, %joined: tensor<4xi64>) -> tensor<1x6x5x7xf32> {
  %0 = onnx.Reshape %k, %split : (tensor<1x2x4x7xf32>, tensor<5xi64>) -> tensor<1x1x2x4x7xf32>
  %1 = onnx.Expand %0, %wide : (tensor<1x1x2x4x7xf32>, tensor<5xi64>) -> tensor<1x3x2x4x7xf32>
  %2 = onnx.Reshape %1, %joined : (tensor<1x3x2x4x7xf32>, tensor<4xi64>) -> tensor<1x6x4x7xf32>
  %3 = onnx.MatMul %q, %2 : (tensor<1x6x5x4xf32>, tensor<1x6x4x7xf32>) -> tensor<1x6x5x7xf32>
  return %3 : tensor<1x6x5x7xf32>
}

// -----

// The batch of keys is broadcast, so that queries of several entries would have to become rows.
// CHECK-LABEL: @broadcast_batch
// CHECK: onnx.Expand
func.func @broadcast_batch(%q: tensor<3x6x5x4xf32>, %k: tensor<1x2x4x7xf32>, %wide: tensor<5xi64>, %split: tensor<5xi64>, %joined: tensor<4xi64>) -> tensor<3x6x5x7xf32> {
  %0 = onnx.Reshape %k, %split : (tensor<1x2x4x7xf32>, tensor<5xi64>) -> tensor<1x2x1x4x7xf32>
  %1 = onnx.Expand %0, %wide : (tensor<1x2x1x4x7xf32>, tensor<5xi64>) -> tensor<1x2x3x4x7xf32>
  %2 = onnx.Reshape %1, %joined : (tensor<1x2x3x4x7xf32>, tensor<4xi64>) -> tensor<1x6x4x7xf32>
  %3 = onnx.MatMul %q, %2 : (tensor<3x6x5x4xf32>, tensor<1x6x4x7xf32>) -> tensor<3x6x5x7xf32>
  return %3 : tensor<3x6x5x7xf32>
}

// -----

// Joins the repeats with the rows of each head.
// CHECK-LABEL: @joined_with_rows
// CHECK: onnx.Expand
func.func @joined_with_rows(%q: tensor<1x2x5x12xf32>, %k: tensor<1x2x4x7xf32>, %wide: tensor<5xi64>, %split: tensor<5xi64>, %joined: tensor<4xi64>) -> tensor<1x2x5x7xf32> {
  %0 = onnx.Reshape %k, %split : (tensor<1x2x4x7xf32>, tensor<5xi64>) -> tensor<1x2x1x4x7xf32>
  %1 = onnx.Expand %0, %wide : (tensor<1x2x1x4x7xf32>, tensor<5xi64>) -> tensor<1x2x3x4x7xf32>
  %2 = onnx.Reshape %1, %joined : (tensor<1x2x3x4x7xf32>, tensor<4xi64>) -> tensor<1x2x12x7xf32>
  %3 = onnx.MatMul %q, %2 : (tensor<1x2x5x12xf32>, tensor<1x2x12x7xf32>) -> tensor<1x2x5x7xf32>
  return %3 : tensor<1x2x5x7xf32>
}
