// Operators that keep, or add to, a part of each dimension.
#ifndef CAMEO_DIALECTS_ONNX_ONNXCROPOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXCROPOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_PadOp : Onnx_Op<"Pad", 25, [2, 4], [1, 1]> {
  let summary = "Grown or cropped along the given axes";
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$pads, Onnx_OptionalTensor:$constant_value,
                       Onnx_Optional<Onnx_IndexTensor>:$axes,
                       Onnx_EnumOr<["constant", "reflect", "edge", "wrap"], "constant">:$mode);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_SliceOp : Onnx_KnownOp<"Slice", 13, [3, 5], [1, 1], [],
                  ["evaluate", "getEqualOperand"]> {
  let summary = "A strided part";
  let arguments = (ins Onnx_Tensor:$data, Onnx_IndexTensor:$starts, Onnx_IndexTensor:$ends,
                       Onnx_Optional<Onnx_IndexTensor>:$axes, Onnx_Optional<Onnx_IndexTensor>:$steps);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_TriluOp : Onnx_Op<"Trilu", 14, [1, 2], [1, 1]> {
  let summary = "Upper or lower triangle of matrices";
  let arguments = (ins Onnx_Tensor:$input, Onnx_Optional<Onnx_I64Tensor>:$k, Onnx_IntOr<1>:$upper);
  let results = (outs Onnx_Tensor:$output);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXCROPOPS_TD
