// Losses.
#ifndef CAMEO_DIALECTS_ONNX_ONNXLOSSOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXLOSSOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_NegativeLogLikelihoodLossOp : Onnx_Op<"NegativeLogLikelihoodLoss", 22, [2, 3], [1, 1]> {
  let summary = "Negative log-likelihood of the target classes";
  let description = [{
    - loss_c1: scores have rank 2 or more.
    - loss_c2: weights are a vector.
    - loss_c3: targets have the rank of the scores less 1.
    - loss_c4: weights are as many as classes, the second dimension of the scores.
    - loss_c5: targets have the other dimensions of the scores.
    - loss_c6: there is a class if there are targets.
  }];
  let arguments = (ins Onnx_FloatTensor:$input, Onnx_IndexTensor:$target, Onnx_Optional<Onnx_FloatTensor>:$weight,
                       OptionalAttr<Onnx_Int>:$ignore_index, Onnx_EnumOr<["none", "mean", "sum"], "mean">:$reduction);
  let results = (outs Onnx_Tensor:$loss);
}

def Onnx_SoftmaxCrossEntropyLossOp : Onnx_Op<"SoftmaxCrossEntropyLoss", 13, [2, 3], [1, 2]> {
  let summary = "Cross entropy between the softmax of scores and labels";
  let description = [{
    Constraints are those of NegativeLogLikelihoodLoss.
  }];
  let arguments = (ins Onnx_FloatTensor:$scores, Onnx_IndexTensor:$labels, Onnx_Optional<Onnx_FloatTensor>:$weights,
                       OptionalAttr<Onnx_Int>:$ignore_index, Onnx_EnumOr<["none", "mean", "sum"], "mean">:$reduction);
  let results = (outs Onnx_Tensor:$output, Onnx_OptionalTensor:$log_prob);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXLOSSOPS_TD
