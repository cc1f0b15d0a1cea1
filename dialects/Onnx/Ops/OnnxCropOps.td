// Operators that crop or pad dimensions.
#ifndef CAMEO_DIALECTS_ONNX_ONNXCROPOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXCROPOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_PadOp : Onnx_Op<"Pad", 25, [2, 4], [1, 1]> {
  let summary = "Grown or cropped along the given axes";
  let description = [{
    - pad_c1: pads are a vector.
    - pad_c2: constant_value is a scalar.
    - pad_c3: pads are two per axis.
    - pad_c4: padded dimensions are 0 or more.
    - pad_c5: after negative pads, the dimension has the elements that the mode needs for a pad (reflect: pad + 1, wrap and edge: 1).
    - pad_c6: pads are for all dimensions or for the axes.
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$pads, Onnx_OptionalTensor:$constant_value,
                       Onnx_Optional<Onnx_IndexTensor>:$axes,
                       Onnx_EnumOr<["constant", "reflect", "edge", "wrap"], "constant">:$mode);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_SliceOp : Onnx_KnownOp<"Slice", 13, [3, 5], [1, 1], [], onnxEqual> {
  let summary = "A strided part";
  let description = [{
    - slice_c1: starts, ends, axes and steps are vectors.
    - slice_c2: as many ends as starts.
    - slice_c3: as many steps.
    - slice_c4: as many axes, distinct.
    - slice_c5: steps are not 0.
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_IndexTensor:$starts, Onnx_IndexTensor:$ends,
                       Onnx_Optional<Onnx_IndexTensor>:$axes, Onnx_Optional<Onnx_IndexTensor>:$steps);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_CenterCropPadOp : Onnx_Op<"CenterCropPad", 18, [2, 2], [1, 1]> {
  let summary = "Cropped or padded with zeros around the center, so that the given axes have the given sizes";
  let description = [{
    - centercroppad_c1: shape is a vector.
    - centercroppad_c2: `axes` are distinct dimensions of the input.
    - centercroppad_c3: there is a size of 0 or more for each.
  }];
  let arguments = (ins Onnx_Tensor:$input_data, Onnx_IndexTensor:$shape, OptionalAttr<Onnx_Ints>:$axes);
  let results = (outs Onnx_Tensor:$output_data);
}

def Onnx_TriluOp : Onnx_Op<"Trilu", 14, [1, 2], [1, 1]> {
  let summary = "Upper or lower triangle of matrices";
  let description = [{
    - trilu_c1: input has rank 2 or more.
    - trilu_c2: k is a scalar.
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_Optional<Onnx_I64Tensor>:$k, Onnx_IntOr<1>:$upper);
  let results = (outs Onnx_Tensor:$output);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXCROPOPS_TD
