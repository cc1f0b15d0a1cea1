// Recurrent layers.
#ifndef CAMEO_DIALECTS_ONNX_ONNXRECURRENTOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXRECURRENTOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_RNNOp : Onnx_Op<"RNN", 22, [3, 6], [0, 2]> {
  let summary = "Simple recurrent layer";
  let description = [{
    X is steps, batch, input (layout 1: batch, steps, input); H is the hidden size, G the gates (RNN 1, GRU 3, LSTM
    4).

    - recurrent_c1: `activations` has the names for all directions.
    - recurrent_c2: they are activations of ONNX.
    - recurrent_c3: `layout` is 0 or 1.
    - recurrent_c4: `hidden_size` is that of R.
    - recurrent_c5: X has rank 3.
    - recurrent_c6: W is directions, G*H, input.
    - recurrent_c7: R is directions, G*H, H.
    - recurrent_c8: B is directions, 2*G*H.
    - recurrent_c9: sequence_lens is batch.
    - recurrent_c10: initial_h is directions, batch, H (layout 1: batch, directions, H).
    - recurrent_c11: initial_c likewise.
    - recurrent_c12: P is directions, 3*H.
    - recurrent_c13: `clip` is 0 or more.
  }];
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
  let description = [{
    Constraints are those of RNN.
  }];
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
  let description = [{
    Constraints are those of RNN. With `rounded_state`, which a DynamicQuantizeLSTM has, the state is rounded in each
    step as by DynamicQuantizeLinear before it is multiplied by R.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W, Onnx_FloatTensor:$R,
                       Onnx_Optional<Onnx_FloatTensor>:$B, Onnx_Optional<Onnx_I32Tensor>:$sequence_lens,
                       Onnx_Optional<Onnx_FloatTensor>:$initial_h, Onnx_Optional<Onnx_FloatTensor>:$initial_c,
                       Onnx_Optional<Onnx_FloatTensor>:$P, OptionalAttr<Onnx_Floats>:$activation_alpha,
                       OptionalAttr<Onnx_Floats>:$activation_beta, OptionalAttr<Onnx_Strings>:$activations,
                       OptionalAttr<Onnx_Float>:$clip,
                       Onnx_EnumOr<["forward", "reverse", "bidirectional"], "forward">:$direction,
                       OptionalAttr<Onnx_Int>:$hidden_size, Onnx_IntOr<0>:$input_forget, Onnx_IntOr<0>:$layout,
                       UnitAttr:$rounded_state);
  let results = (outs Onnx_OptionalTensor:$Y, Onnx_OptionalTensor:$Y_h, Onnx_OptionalTensor:$Y_c);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXRECURRENTOPS_TD
