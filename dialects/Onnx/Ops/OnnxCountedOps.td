// Operations into which passes/Graph expands operators whose results have a data-dependent size: one computes results
// of the maximum size and a count, another takes the first elements by the count. Also the operation that the import
// creates for If. Models do not contain them.
#ifndef CAMEO_DIALECTS_ONNX_ONNXCOUNTEDOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXCOUNTEDOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_PrefixOp : Onnx_Op<"Prefix", 1, [2, 2], [1, 1]> {
  let summary = "The first `count` slices of data";
  let description = [{
    The first dimension of the result is a size that is known only when the run has computed `count`. It has its own name; results with the
    same count and data of the same size may share a name.

    - prefix_c1: data has rank 1 or more.
    - prefix_c2: count is a scalar.

    Example: `%y = "onnx.Prefix"(%x, %n) : (tensor<6x3xi64>, tensor<i64>) -> tensor<?x3xi64, #onnx.dims<["boxes", ""]>>`
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$count);
  let results = (outs Onnx_Tensor:$first);
}

def Onnx_ChooseOp : Onnx_KnownOp<"Choose", 1, [3, -1], [1, 1], [], onnxEqual> {
  let summary = "X if the condition is true, Y otherwise; the operations that only the other one needs are not executed";
  let description = [{
    The import creates it for an If whose condition is known only at run time. X and Y may have different sizes: each such dimension of the result has the
    name of the first dimension of one of `counts`, which are prefixes with the length of that dimension of the chosen operand.

    - choose_c1: condition is a scalar.
    - choose_c2: X and Y have one element type.
    - choose_c3: they have one rank.

    Example: `%y = onnx.Choose %c, %a, %b : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`
  }];
  let arguments = (ins Onnx_BoolTensor:$condition, Onnx_Tensor:$X, Onnx_Tensor:$Y, Variadic<Onnx_Tensor>:$counts);
  let results = (outs Onnx_Tensor:$chosen);
}

def Onnx_CountedNonZeroOp : Onnx_Op<"CountedNonZero", 1, [1, 1], [2, 2]> {
  let summary = "Indices of the nonzero elements, one row each, and their number";
  let description = "Rows behind the last one that counts are undefined.";
  let arguments = (ins Onnx_Tensor:$X);
  let results = (outs Onnx_Tensor:$positions, Onnx_Tensor:$count);
}

def Onnx_CountedUniqueOp : Onnx_Op<"CountedUnique", 1, [1, 1], [4, 4]> {
  let summary = "Positions of the first occurrences of distinct slices along an axis (or elements), and their number";
  let description = [{
    `inverse` has the number of each slice among the distinct ones, `counts` how often each occurs. Elements of `indices` and
    `counts` after the last distinct slice are undefined.

    - countedunique_c1: `axis` is a dimension of X.
  }];
  let arguments = (ins Onnx_Tensor:$X, OptionalAttr<Onnx_Int>:$axis, Onnx_IntOr<1>:$sorted);
  let results = (outs Onnx_Tensor:$indices, Onnx_Tensor:$inverse, Onnx_Tensor:$counts, Onnx_Tensor:$count);
}

def Onnx_CountedNonMaxSuppressionOp : Onnx_Op<"CountedNonMaxSuppression", 1, [2, 5], [2, 2]> {
  let summary = "Batch, class and box of each box that does not overlap a better one, and the number of these boxes";
  let description = [{
    Operands, attribute and constraints are those of NonMaxSuppression. The result has rows for all boxes of all batches and classes, or
    for `max_output_boxes_per_class` boxes of each if that is a constant. Rows after the last selected box are undefined.

    - countednonmaxsuppression_c1: boxes and scores have rank 3.
  }];
  let arguments = (ins Onnx_F32Tensor:$boxes, Onnx_F32Tensor:$scores,
                       Onnx_Optional<Onnx_I64Tensor>:$max_output_boxes_per_class,
                       Onnx_Optional<Onnx_F32Tensor>:$iou_threshold, Onnx_Optional<Onnx_F32Tensor>:$score_threshold,
                       Onnx_IntOr<0>:$center_point_box);
  let results = (outs Onnx_Tensor:$selected, Onnx_Tensor:$count);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXCOUNTEDOPS_TD
