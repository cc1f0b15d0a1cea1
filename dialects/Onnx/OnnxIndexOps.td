// Operators whose operands say which elements to take or to change.
#ifndef CAMEO_DIALECTS_ONNX_ONNXINDEXOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXINDEXOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_GatherOp : Onnx_KnownOp<"Gather", 13, [2, 2], [1, 1]> {
  let summary = "Slices of data along an axis, chosen by indices";
  let arguments = (ins Onnx_Tensor:$data, Onnx_IndexTensor:$indices, Onnx_IntOr<0>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_GatherElementsOp : Onnx_Op<"GatherElements", 13, [2, 2], [1, 1]> {
  let summary = "One element of data along an axis per index";
  let arguments = (ins Onnx_Tensor:$data, Onnx_IndexTensor:$indices, Onnx_IntOr<0>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_GatherNDOp : Onnx_Op<"GatherND", 13, [2, 2], [1, 1]> {
  let summary = "Slices of data chosen by tuples of indices";
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$indices, Onnx_IntOr<0>:$batch_dims);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_ScatterElementsOp : Onnx_Op<"ScatterElements", 18, [3, 3], [1, 1]> {
  let summary = "data with one element along an axis replaced or combined per index";
  let arguments = (ins Onnx_Tensor:$data, Onnx_IndexTensor:$indices, Onnx_Tensor:$updates, Onnx_IntOr<0>:$axis,
                       Onnx_EnumOr<["none", "add", "mul", "max", "min"], "none">:$reduction);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_ScatterNDOp : Onnx_Op<"ScatterND", 18, [3, 3], [1, 1]> {
  let summary = "data with slices replaced or combined";
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$indices, Onnx_Tensor:$updates,
                       Onnx_EnumOr<["none", "add", "mul", "max", "min"], "none">:$reduction);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_OneHotOp : Onnx_Op<"OneHot", 11, [3, 3], [1, 1]> {
  let summary = "Second value at each index along a new axis, first value elsewhere";
  let arguments = (ins Onnx_NumberTensor:$indices, Onnx_NumberTensor:$depth, Onnx_Tensor:$values,
                       Onnx_IntOr<-1>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_CompressOp : Onnx_Op<"Compress", 11, [2, 2], [1, 1]> {
  let summary = "Slices along an axis (or elements) where the condition holds";
  let arguments = (ins Onnx_Tensor:$input, Onnx_BoolTensor:$condition, OptionalAttr<Onnx_Int>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_NonZeroOp : Onnx_KnownOp<"NonZero", 13, [1, 1], [1, 1]> {
  let summary = "Indices of the elements that are not zero";
  let arguments = (ins Onnx_Tensor:$X);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_ReverseSequenceOp : Onnx_Op<"ReverseSequence", 10, [2, 2], [1, 1]> {
  let summary = "Reversed along the time axis, each batch entry by its own length";
  let arguments = (ins Onnx_Tensor:$input, Onnx_I64Tensor:$sequence_lens, Onnx_IntOr<1>:$batch_axis,
                       Onnx_IntOr<0>:$time_axis);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_NonMaxSuppressionOp : Onnx_Op<"NonMaxSuppression", 11, [2, 5], [1, 1]> {
  let summary = "Boxes that do not overlap a better one";
  let arguments = (ins Onnx_F32Tensor:$boxes, Onnx_F32Tensor:$scores,
                       Onnx_Optional<Onnx_I64Tensor>:$max_output_boxes_per_class,
                       Onnx_Optional<Onnx_F32Tensor>:$iou_threshold, Onnx_Optional<Onnx_F32Tensor>:$score_threshold,
                       Onnx_IntOr<0>:$center_point_box);
  let results = (outs Onnx_Tensor:$selected_indices);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXINDEXOPS_TD
