// Matrix products.
#ifndef CAMEO_DIALECTS_ONNX_ONNXMATMULOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXMATMULOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_MatMulOp : Onnx_Op<"MatMul", 13, [2, 2], [1, 1]> {
  let summary = "Matrix product with broadcast batches, as numpy.matmul";
  let arguments = (ins Onnx_WideTensor:$A, Onnx_WideTensor:$B);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_GemmOp : Onnx_Op<"Gemm", 13, [2, 3], [1, 1]> {
  let summary = "alpha * A * B + beta * C";
  let arguments = (ins Onnx_WideTensor:$A, Onnx_WideTensor:$B, Onnx_Optional<Onnx_WideTensor>:$C,
                       Onnx_FloatOr<"1.0f">:$alpha, Onnx_FloatOr<"1.0f">:$beta, Onnx_IntOr<0>:$transA,
                       Onnx_IntOr<0>:$transB);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_EinsumOp : Onnx_Op<"Einsum", 12, [1, -1], [1, 1]> {
  let summary = "Sum of products in Einstein notation";
  let arguments = (ins Variadic<Onnx_NumberTensor>:$inputs, StrAttr:$equation);
  let results = (outs Onnx_Tensor:$Output);
}

def Onnx_DetOp : Onnx_Op<"Det", 22, [1, 1], [1, 1]> {
  let summary = "Determinants of the last two dimensions";
  let arguments = (ins Onnx_FloatTensor:$X);
  let results = (outs Onnx_Tensor:$Y);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXMATMULOPS_TD
