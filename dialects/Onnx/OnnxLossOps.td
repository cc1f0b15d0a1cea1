// Losses.
#ifndef CAMEO_DIALECTS_ONNX_ONNXLOSSOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXLOSSOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_NegativeLogLikelihoodLossOp : Onnx_Op<"NegativeLogLikelihoodLoss", 22, [2, 3], [1, 1]> {
  let summary = "Negative log-likelihood of the target classes";
  let arguments = (ins Onnx_FloatTensor:$input, Onnx_IndexTensor:$target, Onnx_Optional<Onnx_FloatTensor>:$weight,
                       OptionalAttr<Onnx_Int>:$ignore_index, Onnx_EnumOr<["none", "mean", "sum"], "mean">:$reduction);
  let results = (outs Onnx_Tensor:$loss);
}

def Onnx_SoftmaxCrossEntropyLossOp : Onnx_Op<"SoftmaxCrossEntropyLoss", 13, [2, 3], [1, 2]> {
  let summary = "Cross entropy between the softmax of scores and labels";
  let arguments = (ins Onnx_FloatTensor:$scores, Onnx_IndexTensor:$labels, Onnx_Optional<Onnx_FloatTensor>:$weights,
                       OptionalAttr<Onnx_Int>:$ignore_index, Onnx_EnumOr<["none", "mean", "sum"], "mean">:$reduction);
  let results = (outs Onnx_Tensor:$output, Onnx_OptionalTensor:$log_prob);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXLOSSOPS_TD
