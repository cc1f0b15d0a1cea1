// Operations into which passes/Graph expands operators whose results have a data-dependent size: one computes results
// of the maximum size and a count, another takes the first elements by the count. Also the operation that the import
// creates for If. Models do not contain them.
#ifndef CAMEO_DIALECTS_ONNX_ONNXCOUNTEDOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXCOUNTEDOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_PrefixOp : Onnx_Op<"Prefix", 1, [2, 2], [1, 1]> {
  let summary = "The first slices of data, as many as count says";
  let description = [{
    The first dimension of the result is a size that is not known before the run has got here. It has a name of its own; results that
    take the same count of data of the same size may share one.

    - prefix_c1: data has rank 1 or more.
    - prefix_c2: count is a scalar.

    Example: `%y = "onnx.Prefix"(%x, %n) : (tensor<6x3xi64>, tensor<i64>) -> tensor<?x3xi64, #onnx.dims<["boxes", ""]>>`
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$count);
  let results = (outs Onnx_Tensor:$first);
}

def Onnx_ChooseOp : Onnx_KnownOp<"Choose", 1, [3, -1], [1, 1], [], onnxEqual> {
  let summary = "X where the condition is true, Y where it is false; what only the other one needs is not computed";
  let description = [{
    What an If makes whose condition is known only at run time. X and Y may differ in sizes: each such dimension of the result has the name of the
    first dimension of one of `counts`, prefixes that are as long as the dimension of the chosen one.

    - choose_c1: condition is a scalar.
    - choose_c2: X and Y have one element type.
    - choose_c3: they have one rank.

    Example: `%y = onnx.Choose %c, %a, %b : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`
  }];
  let arguments = (ins Onnx_BoolTensor:$condition, Onnx_Tensor:$X, Onnx_Tensor:$Y, Variadic<Onnx_Tensor>:$counts);
  let results = (outs Onnx_Tensor:$chosen);
}

def Onnx_CountedNonZeroOp : Onnx_Op<"CountedNonZero", 1, [1, 1], [2, 2]> {
  let summary = "Indices of the elements that are not zero, one row each, and how many there are";
  let description = "Rows behind the last one that counts are undefined.";
  let arguments = (ins Onnx_Tensor:$X);
  let results = (outs Onnx_Tensor:$positions, Onnx_Tensor:$count);
}

def Onnx_CountedUniqueOp : Onnx_Op<"CountedUnique", 1, [1, 1], [4, 4]> {
  let summary = "Where each distinct slice along an axis (or element) is first, and how many there are";
  let description = [{
    `inverse` gives the number of each slice among the distinct ones, `counts` how often each occurs. Elements of `indices` and
    `counts` behind the last one that counts are undefined.

    - countedunique_c1: `axis` is a dimension of X.
  }];
  let arguments = (ins Onnx_Tensor:$X, OptionalAttr<Onnx_Int>:$axis, Onnx_IntOr<1>:$sorted);
  let results = (outs Onnx_Tensor:$indices, Onnx_Tensor:$inverse, Onnx_Tensor:$counts, Onnx_Tensor:$count);
}

def Onnx_CountedNonMaxSuppressionOp : Onnx_Op<"CountedNonMaxSuppression", 1, [2, 5], [2, 2]> {
  let summary = "Batch, class and box of each box that does not overlap a better one, and how many there are";
  let description = [{
    Operands, attribute and constraints are those of NonMaxSuppression. There is room for all boxes of all batches and classes, or
    for as many of each as `max_output_boxes_per_class` allows where that is a constant. Rows behind the last one that counts
    are undefined.

    - countednonmaxsuppression_c1: boxes and scores have rank 3.
  }];
  let arguments = (ins Onnx_F32Tensor:$boxes, Onnx_F32Tensor:$scores,
                       Onnx_Optional<Onnx_I64Tensor>:$max_output_boxes_per_class,
                       Onnx_Optional<Onnx_F32Tensor>:$iou_threshold, Onnx_Optional<Onnx_F32Tensor>:$score_threshold,
                       Onnx_IntOr<0>:$center_point_box);
  let results = (outs Onnx_Tensor:$selected, Onnx_Tensor:$count);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXCOUNTEDOPS_TD
