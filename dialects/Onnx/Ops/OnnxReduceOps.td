// Reductions along axes, ArgMax and ArgMin, cumulative sums, and TopK.
#ifndef CAMEO_DIALECTS_ONNX_ONNXREDUCEOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXREDUCEOPS_TD

include "dialects/Onnx/OnnxBase.td"

// reduce_c1: axes are a vector (or a scalar); reduce_c2: distinct and in range.
defvar onnxReduceRule = [{
  ::mlir::LogicalResult $cppClass::inferResultTypes(::llvm::SmallVectorImpl<::mlir::Type> &types, ::cameo::onnx::SizeConstraints &sizes) {
    return inferReduction(*this, getKeepdims() != 0, getNoopWithEmptyAxes() != 0, types, sizes);
  }
}];

class Onnx_ReduceOp<string name, int since, Type tensor, string text> : Onnx_Op<name, since, [1, 2], [1, 1]> {
  let summary = "Along axes: " # text;
  let description = [{
    Reduces over `axes`, over all dimensions when they are absent or empty (nothing, with `noop_with_empty_axes`).
  }];
  let arguments = (ins tensor:$data, Onnx_Optional<Onnx_I64Tensor>:$axes, Onnx_IntOr<1>:$keepdims,
                       Onnx_IntOr<0>:$noop_with_empty_axes);
  let results = (outs Onnx_Tensor:$reduced);
  let ruleDefinition = onnxReduceRule;
}

// Reductions that models use to compute shapes.
class Onnx_KnownReduceOp<string name, int since, Type tensor, string text>
    : Onnx_KnownOp<name, since, [1, 2], [1, 1]> {
  let summary = "Along axes: " # text;
  let arguments = (ins tensor:$data, Onnx_Optional<Onnx_I64Tensor>:$axes, Onnx_IntOr<1>:$keepdims,
                       Onnx_IntOr<0>:$noop_with_empty_axes);
  let results = (outs Onnx_Tensor:$reduced);
  let ruleDefinition = onnxReduceRule;
}

def Onnx_ReduceL1Op : Onnx_ReduceOp<"ReduceL1", 18, Onnx_WideTensor, "sum of absolute values">;
def Onnx_ReduceL2Op : Onnx_ReduceOp<"ReduceL2", 18, Onnx_WideTensor, "square root of the sum of squares">;
def Onnx_ReduceLogSumOp : Onnx_ReduceOp<"ReduceLogSum", 18, Onnx_WideTensor, "logarithm of the sum">;
def Onnx_ReduceLogSumExpOp : Onnx_ReduceOp<"ReduceLogSumExp", 18, Onnx_WideTensor,
                                           "logarithm of the sum of exponentials">;
def Onnx_ReduceMaxOp : Onnx_KnownReduceOp<"ReduceMax", 20, Onnx_ExtremumTensor, "greatest element">;
def Onnx_ReduceMeanOp : Onnx_ReduceOp<"ReduceMean", 18, Onnx_WideTensor, "mean">;
def Onnx_ReduceMinOp : Onnx_KnownReduceOp<"ReduceMin", 20, Onnx_ExtremumTensor, "least element">;
def Onnx_ReduceProdOp : Onnx_KnownReduceOp<"ReduceProd", 18, Onnx_WideTensor, "product">;
def Onnx_ReduceSumOp : Onnx_KnownReduceOp<"ReduceSum", 13, Onnx_WideTensor, "sum">;
def Onnx_ReduceSumSquareOp : Onnx_ReduceOp<"ReduceSumSquare", 18, Onnx_WideTensor, "sum of squares">;

def Onnx_ArgMaxOp : Onnx_Op<"ArgMax", 13, [1, 1], [1, 1]> {
  let summary = "Index of the greatest element along an axis";
  let description = [{
    - argextremum_c1: `axis` is a dimension of data.
    - argextremum_c2: there is an element along it.
  }];
  let arguments = (ins Onnx_NumberTensor:$data, Onnx_IntOr<0>:$axis, Onnx_IntOr<1>:$keepdims,
                       Onnx_IntOr<0>:$select_last_index);
  let results = (outs Onnx_Tensor:$reduced);
}

def Onnx_ArgMinOp : Onnx_Op<"ArgMin", 13, [1, 1], [1, 1]> {
  let summary = "Index of the least element along an axis";
  let description = [{
    Constraints are those of ArgMax.
  }];
  let arguments = (ins Onnx_NumberTensor:$data, Onnx_IntOr<0>:$axis, Onnx_IntOr<1>:$keepdims,
                       Onnx_IntOr<0>:$select_last_index);
  let results = (outs Onnx_Tensor:$reduced);
}

def Onnx_CumSumOp : Onnx_KnownOp<"CumSum", 14, [2, 2], [1, 1]> {
  let summary = "Running sum along an axis";
  let description = [{
    - cumsum_c1: axis is a scalar.
    - cumsum_c2: it is a dimension of x.
  }];
  let arguments = (ins Onnx_WideTensor:$x, Onnx_IndexTensor:$axis, Onnx_IntOr<0>:$exclusive, Onnx_IntOr<0>:$reverse);
  let results = (outs Onnx_Tensor:$y);
}

def Onnx_CumProdOp : Onnx_KnownOp<"CumProd", 26, [2, 2], [1, 1]> {
  let summary = "Running product along an axis";
  let description = [{
    Constraints are those of CumSum.
  }];
  let arguments = (ins Onnx_WideTensor:$x, Onnx_IndexTensor:$axis, Onnx_IntOr<0>:$exclusive, Onnx_IntOr<0>:$reverse);
  let results = (outs Onnx_Tensor:$y);
}

def Onnx_TopKOp : Onnx_Op<"TopK", 24, [2, 2], [2, 2]> {
  let summary = "The K greatest or least elements along an axis, and their indices";
  let description = [{
    - topk_c1: K is a scalar.
    - topk_c2: it is 0 or more.
    - topk_c3: `axis` is a dimension of X.
    - topk_c4: K is at most that dimension.
  }];
  let arguments = (ins Onnx_NumberTensor:$X, Onnx_I64Tensor:$K, Onnx_IntOr<-1>:$axis, Onnx_IntOr<1>:$largest,
                       Onnx_IntOr<1>:$sorted);
  let results = (outs Onnx_Tensor:$Values, Onnx_Tensor:$Indices);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXREDUCEOPS_TD
