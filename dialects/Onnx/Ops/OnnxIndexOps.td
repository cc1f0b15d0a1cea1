// Operators with indices: gather, scatter, and selections of elements.
#ifndef CAMEO_DIALECTS_ONNX_ONNXINDEXOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXINDEXOPS_TD

include "dialects/Onnx/OnnxBase.td"

defvar onnxDataSized = DeclareOpInterfaceMethods<DataSizedOp>;

def Onnx_GatherOp : Onnx_KnownOp<"Gather", 13, [2, 2], [1, 1]> {
  let summary = "Slices of data along an axis, chosen by indices";
  let description = [{
    - gather_c1: `axis` is a dimension of data.
    - gather_c2: indices that are known lie within it.
    - gather_c3: if the result has elements, the axis has elements.
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_IndexTensor:$indices, Onnx_IntOr<0>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_GatherElementsOp : Onnx_Op<"GatherElements", 13, [2, 2], [1, 1]> {
  let summary = "One element of data along an axis per index";
  let description = [{
    - gatherelements_c1: `axis` is a dimension of data.
    - gatherelements_c2: indices have the rank of data.
    - gatherelements_c3: those that are known lie within the axis.
    - gatherelements_c4: along the other axes indices are not larger than data; the indexed axis is not empty.
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_IndexTensor:$indices, Onnx_IntOr<0>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_GatherNDOp : Onnx_Op<"GatherND", 13, [2, 2], [1, 1]> {
  let summary = "Slices of data chosen by tuples of indices";
  let description = [{
    - gathernd_c1: data and indices have rank 1 or more.
    - gathernd_c2: `batch_dims` is less than both ranks.
    - gathernd_c3: batch dimensions are equal.
    - gathernd_c4: tuples index at most the dimensions after the batch dimensions.
    - gathernd_c5: if the result has elements, the indexed dimensions have elements.
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$indices, Onnx_IntOr<0>:$batch_dims);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_ScatterElementsOp : Onnx_Op<"ScatterElements", 18, [3, 3], [1, 1]> {
  let summary = "data with one element along an axis replaced or combined per index";
  let description = [{
    - scatterelements_c1: `axis` is a dimension of data.
    - scatterelements_c2: indices have the rank of data.
    - scatterelements_c3: those that are known lie within the axis.
    - scatterelements_c4: updates have the shape of the indices.
    - scatterelements_c5: along the other axes indices are not larger than data; the indexed axis is not empty.
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_IndexTensor:$indices, Onnx_Tensor:$updates, Onnx_IntOr<0>:$axis,
                       Onnx_EnumOr<["none", "add", "mul", "max", "min"], "none">:$reduction);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_ScatterNDOp : Onnx_Op<"ScatterND", 18, [3, 3], [1, 1]> {
  let summary = "data with slices replaced or combined";
  let description = [{
    - scatternd_c1: data and indices have rank 1 or more.
    - scatternd_c2: tuples index at most the dimensions of data.
    - scatternd_c3: updates have the rank, and.
    - scatternd_c4: the dimensions, of the indices and of what each selects.
    - scatternd_c5: if the updates have elements, the indexed dimensions have elements.
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$indices, Onnx_Tensor:$updates,
                       Onnx_EnumOr<["none", "add", "mul", "max", "min"], "none">:$reduction);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_OneHotOp : Onnx_Op<"OneHot", 11, [3, 3], [1, 1]> {
  let summary = "Second value at each index along a new axis, first value elsewhere";
  let description = [{
    - onehot_c1: depth is a scalar.
    - onehot_c2: values are two.
    - onehot_c3: depth is 1 or more.
    - onehot_c4: `axis` is a dimension of the result.
  }];
  let arguments = (ins Onnx_NumberTensor:$indices, Onnx_NumberTensor:$depth, Onnx_Tensor:$values,
                       Onnx_IntOr<-1>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_CompressOp : Onnx_Op<"Compress", 11, [2, 2], [1, 1], [onnxDataSized]> {
  let summary = "Slices along an axis (or elements) where the condition holds";
  let description = [{
    - compress_c1: condition is a vector.
    - compress_c2: input has rank 1 or more.
    - compress_c3: `axis` is a dimension of input.
    - compress_c4: condition is at most as long as the axis, or as the number of elements without an axis.
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_BoolTensor:$condition, OptionalAttr<Onnx_Int>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_NonZeroOp : Onnx_KnownOp<"NonZero", 13, [1, 1], [1, 1], [onnxDataSized]> {
  let summary = "Indices of the elements that are not zero";
  let description = [{
    - nonzero_c1: the largest result has at most 2^48 elements.
  }];
  let arguments = (ins Onnx_Tensor:$X);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_UniqueOp : Onnx_Op<"Unique", 11, [1, 1], [1, 4], [onnxDataSized]> {
  let summary = "Distinct slices along an axis (or elements), where they are and how often";
  let description = [{
    - unique_c1: `axis` is a dimension of X.
  }];
  let arguments = (ins Onnx_Tensor:$X, OptionalAttr<Onnx_Int>:$axis, Onnx_IntOr<1>:$sorted);
  let results = (outs Onnx_Tensor:$Y, Onnx_OptionalTensor:$indices, Onnx_OptionalTensor:$inverse_indices,
                      Onnx_OptionalTensor:$counts);
}

def Onnx_ReverseSequenceOp : Onnx_Op<"ReverseSequence", 10, [2, 2], [1, 1]> {
  let summary = "Reversed along the time axis, each batch entry by its own length";
  let description = [{
    - reversesequence_c1: `time_axis` and `batch_axis` are 0 and 1 in either order.
    - reversesequence_c2: input has rank 2 or more.
    - reversesequence_c3: one length per batch entry.
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_I64Tensor:$sequence_lens, Onnx_IntOr<1>:$batch_axis,
                       Onnx_IntOr<0>:$time_axis);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_NonMaxSuppressionOp : Onnx_Op<"NonMaxSuppression", 11, [2, 5], [1, 1], [onnxDataSized]> {
  let summary = "Boxes that do not overlap a better one";
  let description = [{
    - nonmaxsuppression_c1: boxes and scores have rank 3.
    - nonmaxsuppression_c2: a box has 4 numbers.
    - nonmaxsuppression_c3: boxes and scores agree in batch and number.
    - nonmaxsuppression_c4: the other operands are scalars.
    - nonmaxsuppression_c5: the largest result has at most 2^48 elements.
  }];
  let arguments = (ins Onnx_F32Tensor:$boxes, Onnx_F32Tensor:$scores,
                       Onnx_Optional<Onnx_I64Tensor>:$max_output_boxes_per_class,
                       Onnx_Optional<Onnx_F32Tensor>:$iou_threshold, Onnx_Optional<Onnx_F32Tensor>:$score_threshold,
                       Onnx_IntOr<0>:$center_point_box);
  let results = (outs Onnx_Tensor:$selected_indices);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXINDEXOPS_TD
