// Recurrent layers.
#ifndef CAMEO_DIALECTS_ONNX_ONNXRECURRENTOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXRECURRENTOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_RNNOp : Onnx_Op<"RNN", 22, [3, 6], [0, 2]> {
  let summary = "Simple recurrent layer";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W, Onnx_FloatTensor:$R,
                       Onnx_Optional<Onnx_FloatTensor>:$B, Onnx_Optional<Onnx_I32Tensor>:$sequence_lens,
                       Onnx_Optional<Onnx_FloatTensor>:$initial_h, OptionalAttr<Onnx_Floats>:$activation_alpha,
                       OptionalAttr<Onnx_Floats>:$activation_beta,
                       DefaultValuedAttr<Onnx_Strings, "{\"Tanh\", \"Tanh\"}">:$activations,
                       OptionalAttr<Onnx_Float>:$clip,
                       Onnx_EnumOr<["forward", "reverse", "bidirectional"], "forward">:$direction,
                       OptionalAttr<Onnx_Int>:$hidden_size, Onnx_IntOr<0>:$layout);
  let results = (outs Onnx_OptionalTensor:$Y, Onnx_OptionalTensor:$Y_h);
}

def Onnx_GRUOp : Onnx_Op<"GRU", 22, [3, 6], [0, 2]> {
  let summary = "Gated recurrent layer";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W, Onnx_FloatTensor:$R,
                       Onnx_Optional<Onnx_FloatTensor>:$B, Onnx_Optional<Onnx_I32Tensor>:$sequence_lens,
                       Onnx_Optional<Onnx_FloatTensor>:$initial_h, OptionalAttr<Onnx_Floats>:$activation_alpha,
                       OptionalAttr<Onnx_Floats>:$activation_beta, OptionalAttr<Onnx_Strings>:$activations,
                       OptionalAttr<Onnx_Float>:$clip,
                       Onnx_EnumOr<["forward", "reverse", "bidirectional"], "forward">:$direction,
                       OptionalAttr<Onnx_Int>:$hidden_size, Onnx_IntOr<0>:$layout, Onnx_IntOr<0>:$linear_before_reset);
  let results = (outs Onnx_OptionalTensor:$Y, Onnx_OptionalTensor:$Y_h);
}

def Onnx_LSTMOp : Onnx_Op<"LSTM", 22, [3, 8], [0, 3]> {
  let summary = "Long short-term memory layer";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W, Onnx_FloatTensor:$R,
                       Onnx_Optional<Onnx_FloatTensor>:$B, Onnx_Optional<Onnx_I32Tensor>:$sequence_lens,
                       Onnx_Optional<Onnx_FloatTensor>:$initial_h, Onnx_Optional<Onnx_FloatTensor>:$initial_c,
                       Onnx_Optional<Onnx_FloatTensor>:$P, OptionalAttr<Onnx_Floats>:$activation_alpha,
                       OptionalAttr<Onnx_Floats>:$activation_beta, OptionalAttr<Onnx_Strings>:$activations,
                       OptionalAttr<Onnx_Float>:$clip,
                       Onnx_EnumOr<["forward", "reverse", "bidirectional"], "forward">:$direction,
                       OptionalAttr<Onnx_Int>:$hidden_size, Onnx_IntOr<0>:$input_forget, Onnx_IntOr<0>:$layout);
  let results = (outs Onnx_OptionalTensor:$Y, Onnx_OptionalTensor:$Y_h, Onnx_OptionalTensor:$Y_c);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXRECURRENTOPS_TD
