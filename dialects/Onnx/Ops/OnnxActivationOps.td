// Elementwise activation functions with attributes.
#ifndef CAMEO_DIALECTS_ONNX_ONNXACTIVATIONOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXACTIVATIONOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_CeluOp : Onnx_Op<"Celu", 28, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "max(0, x) + min(0, alpha * (exp(x / alpha) - 1))";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatOr<"1.0f">:$alpha);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_EluOp : Onnx_Op<"Elu", 22, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "x where x > 0, alpha * (exp(x) - 1) elsewhere";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatOr<"1.0f">:$alpha);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_GeluOp : Onnx_Op<"Gelu", 20, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "x times the normal distribution at x";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_EnumOr<["none", "tanh"], "none">:$approximate);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_HardSigmoidOp : Onnx_Op<"HardSigmoid", 22, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "max(0, min(1, alpha * x + beta))";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatOr<"0.2f">:$alpha, Onnx_FloatOr<"0.5f">:$beta);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_LeakyReluOp : Onnx_Op<"LeakyRelu", 16, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "x where x >= 0, alpha * x elsewhere";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatOr<"0.01f">:$alpha);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_SeluOp : Onnx_Op<"Selu", 22, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "gamma * (x where x > 0, alpha * (exp(x) - 1) elsewhere)";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatOr<"1.67326f">:$alpha, Onnx_FloatOr<"1.0507f">:$gamma);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_ShrinkOp : Onnx_Op<"Shrink", 9, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "x - bias above lambd, x + bias below -lambd, 0 between";
  let arguments = (ins Onnx_NumberTensor:$input, Onnx_FloatOr<"0.0f">:$bias, Onnx_FloatOr<"0.5f">:$lambd);
  let results = (outs Onnx_Tensor:$output);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_SwishOp : Onnx_Op<"Swish", 24, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "x * sigmoid(alpha * x)";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatOr<"1.0f">:$alpha);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_SwiGLUOp : Onnx_Op<"SwiGLU", 28, [2, 2], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Swish of the gate A, times B";
  let description = [{
    - swiglu_c1: A and B have one shape.
  }];
  let arguments = (ins Onnx_FloatTensor:$A, Onnx_FloatTensor:$B, Onnx_FloatOr<"1.0f">:$alpha);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_ThresholdedReluOp : Onnx_Op<"ThresholdedRelu", 22, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "x where x > alpha, 0 elsewhere";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatOr<"1.0f">:$alpha);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

#endif // CAMEO_DIALECTS_ONNX_ONNXACTIVATIONOPS_TD
