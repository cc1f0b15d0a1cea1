// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of matrix products. A function is named after the rule it breaks.

func.func @matmul_c1(%arg0: tensor<f32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 1 or more, got 0}}
  %0 = onnx.MatMul %arg0, %arg1 : (tensor<f32>, tensor<3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @matmul_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<4x5xf32>) {
  // expected-error@+1 {{expected as many columns as rows of the other operand, got 3 and 4}}
  %0 = onnx.MatMul %arg0, %arg1 : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @matmul_c3(%arg0: tensor<2x3x4xf32>, %arg1: tensor<3x4x5xf32>) {
  // expected-error@+1 {{expected batch dimensions that broadcast, got 2 and 3}}
  %0 = onnx.MatMul %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<3x4x5xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @gemm_c1(%arg0: tensor<3x2x3xf32>, %arg1: tensor<3x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 2, got 3}}
  %0 = onnx.Gemm %arg0, %arg1, %none : (tensor<3x2x3xf32>, tensor<3x4xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @gemm_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected as many columns as rows of the other operand, got 2 and 3}}
  %0 = onnx.Gemm %arg0, %arg1, %none {transA = 1 : i64} : (tensor<2x3xf32>, tensor<3x4xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @gemm_c3(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3x1xf32>) {
  // expected-error@+1 {{expected operand #2 to broadcast to the product}}
  %0 = onnx.Gemm %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @einsum_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  // expected-error@+1 {{expected an equation of 2 terms, one per operand, got 1}}
  %0 = onnx.Einsum %arg0, %arg1 {equation = "ij->ij"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @einsum_c2(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected terms of letters with at most one '...', got 'i1'}}
  %0 = onnx.Einsum %arg0 {equation = "i1->i"} : (tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @einsum_c3(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected each index of the result to occur there once, and in an operand, got 'k'}}
  %0 = onnx.Einsum %arg0 {equation = "ij->ik"} : (tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @einsum_c4(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 3, got 2}}
  %0 = onnx.Einsum %arg0 {equation = "ijk->i"} : (tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @einsum_c5() {
  // expected-error@+1 {{expected at least one operand}}
  %0 = onnx.Einsum {equation = "->"} : () -> tensor<*xf32>
  return
}

// -----

func.func @einsum_c6(%arg0: tensor<2x3xf32>, %arg1: tensor<4x5xf32>) {
  // expected-error@+1 {{expected dimension 0 of operand #1 to be 3 like the others of its index, got 4}}
  %0 = onnx.Einsum %arg0, %arg1 {equation = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @det_c1(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 2 or more, got 1}}
  %0 = onnx.Det %arg0 : (tensor<3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @det_c2(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected square matrices, got 2 by 3}}
  %0 = onnx.Det %arg0 : (tensor<2x3xf32>) -> tensor<*xf32>
  return
}
