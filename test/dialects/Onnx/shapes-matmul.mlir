// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of matrix products.

// CHECK-LABEL: @matrices
// CHECK: return {{.*}} : tensor<2x4xf32>
func.func @matrices(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.MatMul %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @batches_broadcast
// CHECK: return {{.*}} : tensor<5x7x2x4xf32>
func.func @batches_broadcast(%arg0: tensor<5x1x2x3xf32>, %arg1: tensor<7x3x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.MatMul %arg0, %arg1 : (tensor<5x1x2x3xf32>, tensor<7x3x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @row
// CHECK: return {{.*}} : tensor<5x4xf32>
func.func @row(%arg0: tensor<3xf32>, %arg1: tensor<5x3x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.MatMul %arg0, %arg1 : (tensor<3xf32>, tensor<5x3x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @column
// CHECK: return {{.*}} : tensor<5x2xf32>
func.func @column(%arg0: tensor<5x2x3xf32>, %arg1: tensor<3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.MatMul %arg0, %arg1 : (tensor<5x2x3xf32>, tensor<3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @dot
// CHECK: return {{.*}} : tensor<f32>
func.func @dot(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.MatMul %arg0, %arg1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @named
// CHECK: return {{.*}} : tensor<?x?x?xf32, #onnx.dims<["batch", "seq", "wide"]>>
func.func @named(%arg0: tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>, %arg1: tensor<64x?xf32, #onnx.dims<["", "wide"]>>) -> (tensor<*xf32>) {
  %0 = onnx.MatMul %arg0, %arg1 : (tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>, tensor<64x?xf32, #onnx.dims<["", "wide"]>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @gemm_transposed
// CHECK: return {{.*}} : tensor<2x4xf32>
func.func @gemm_transposed(%arg0: tensor<3x2xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Gemm %arg0, %arg1, %arg2 {transA = 1 : i64, transB = 1 : i64} : (tensor<3x2xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @gemm_named_rows
// CHECK: return {{.*}} : tensor<?x4xf32, #onnx.dims<["batch", ""]>>
func.func @gemm_named_rows(%arg0: tensor<?x3xf32, #onnx.dims<["batch", ""]>>, %arg1: tensor<3x4xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Gemm %arg0, %arg1, %none : (tensor<?x3xf32, #onnx.dims<["batch", ""]>>, tensor<3x4xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @einsum_matmul
// CHECK: return {{.*}} : tensor<2x4xf32>
func.func @einsum_matmul(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Einsum %arg0, %arg1 {equation = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @einsum_implicit
// CHECK: return {{.*}} : tensor<2x4xf32>
func.func @einsum_implicit(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Einsum %arg0, %arg1 {equation = "ij, jk"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @einsum_ellipsis
// CHECK: return {{.*}} : tensor<7x5x2x4xf32>
func.func @einsum_ellipsis(%arg0: tensor<5x2x3xf32>, %arg1: tensor<7x1x3x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Einsum %arg0, %arg1 {equation = "...ij,...jk->...ik"} : (tensor<5x2x3xf32>, tensor<7x1x3x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @einsum_diagonal
// CHECK: return {{.*}} : tensor<3xf32>
func.func @einsum_diagonal(%arg0: tensor<3x3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Einsum %arg0 {equation = "ii->i"} : (tensor<3x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @einsum_all
// CHECK: return {{.*}} : tensor<f32>
func.func @einsum_all(%arg0: tensor<3x3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Einsum %arg0 {equation = "ij->"} : (tensor<3x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @determinant
// CHECK: return {{.*}} : tensor<2xf32>
func.func @determinant(%arg0: tensor<2x3x3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Det %arg0 : (tensor<2x3x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @integers
// CHECK: return {{.*}} : tensor<2x4xi32>
func.func @integers(%arg0: tensor<2x3xui8>, %arg1: tensor<3x4xi8>) -> (tensor<*xi32>) {
  %none = onnx.None
  %0 = onnx.MatMulInteger %arg0, %arg1, %none, %none : (tensor<2x3xui8>, tensor<3x4xi8>, none, none) -> tensor<*xi32>
  return %0 : tensor<*xi32>
}

// CHECK-LABEL: @quantized
// CHECK: return {{.*}} : tensor<2x4xi8>
func.func @quantized(%arg0: tensor<2x3xui8>, %arg1: tensor<f32>, %arg2: tensor<ui8>, %arg3: tensor<3x4xui8>, %arg4: tensor<f32>, %arg5: tensor<ui8>, %arg6: tensor<f32>, %arg7: tensor<i8>) -> (tensor<*xi8>) {
  %0 = onnx.QLinearMatMul %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7 : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<3x4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<i8>) -> tensor<*xi8>
  return %0 : tensor<*xi8>
}
