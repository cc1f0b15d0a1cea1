// Matrix products.
#ifndef CAMEO_DIALECTS_ONNX_ONNXMATMULOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXMATMULOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_MatMulOp : Onnx_Op<"MatMul", 13, [2, 2], [1, 1]> {
  let summary = "Matrix product with broadcast batches, as numpy.matmul";
  let description = [{
    - matmul_c1: operands have rank 1 or more.
    - matmul_c2: columns of A are rows of B.
    - matmul_c3: the dimensions before them broadcast.
  }];
  let arguments = (ins Onnx_WideTensor:$A, Onnx_WideTensor:$B);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_GemmOp : Onnx_Op<"Gemm", 13, [2, 3], [1, 1]> {
  let summary = "alpha * A * B + beta * C";
  let description = [{
    - gemm_c1: A and B have rank 2, C at most.
    - gemm_c2: columns of A are rows of B, after transposing.
    - gemm_c3: C broadcasts to the product.
  }];
  let arguments = (ins Onnx_WideTensor:$A, Onnx_WideTensor:$B, Onnx_Optional<Onnx_WideTensor>:$C,
                       Onnx_FloatOr<"1.0f">:$alpha, Onnx_FloatOr<"1.0f">:$beta, Onnx_IntOr<0>:$transA,
                       Onnx_IntOr<0>:$transB);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_EinsumOp : Onnx_Op<"Einsum", 12, [1, -1], [1, 1]> {
  let summary = "Sum of products in Einstein notation";
  let description = [{
    EinsumEquation.h parses the equation.

    - einsum_c1: it has one term per operand.
    - einsum_c2: terms are letters and at most one ellipsis.
    - einsum_c3: an index of the result occurs once, and in a term.
    - einsum_c4: terms fit the ranks of the operands.
    - einsum_c5: there is an operand.
    - einsum_c6: dimensions of one index are equal or 1.
  }];
  let arguments = (ins Variadic<Onnx_NumberTensor>:$inputs, StrAttr:$equation);
  let results = (outs Onnx_Tensor:$Output);
}

def Onnx_DetOp : Onnx_Op<"Det", 22, [1, 1], [1, 1]> {
  let summary = "Determinants of the last two dimensions";
  let description = [{
    - det_c1: X has rank 2 or more.
    - det_c2: its last two dimensions are equal.
  }];
  let arguments = (ins Onnx_FloatTensor:$X);
  let results = (outs Onnx_Tensor:$Y);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXMATMULOPS_TD
