// Operators that move elements around by shape alone.
#ifndef CAMEO_DIALECTS_ONNX_ONNXREARRANGEOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXREARRANGEOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_TransposeOp : Onnx_KnownOp<"Transpose", 25, [1, 1], [1, 1], [],
                  ["evaluate", "getEqualOperand"]> {
  let summary = "Permutation of the dimensions";
  let arguments = (ins Onnx_Tensor:$data, OptionalAttr<Onnx_Ints>:$perm);
  let results = (outs Onnx_Tensor:$transposed);
  let extraClassDeclaration = [{
    /// The permutation in effect: `perm`, or all dimensions reversed.
    ::llvm::SmallVector<int64_t> getPermutation();
  }];
}

def Onnx_ConcatOp : Onnx_KnownOp<"Concat", 13, [1, -1], [1, 1], [],
                  ["evaluate", "getEqualOperand"]> {
  let summary = "Joined along an axis";
  let arguments = (ins Variadic<Onnx_Tensor>:$inputs, Onnx_Int:$axis);
  let results = (outs Onnx_Tensor:$concat_result);
}

def Onnx_SplitOp : Onnx_Op<"Split", 18, [1, 2], [1, -1], [DeclareOpInterfaceMethods<KnownValueOp, ["evaluate"]>]> {
  let hasFolder = 1;
  let summary = "Parted along an axis";
  let arguments = (ins Onnx_Tensor:$input, Onnx_Optional<Onnx_I64Tensor>:$split, Onnx_IntOr<0>:$axis,
                       OptionalAttr<Onnx_Int>:$num_outputs);
  let results = (outs Variadic<Onnx_Tensor>:$outputs);
}

def Onnx_ExpandOp : Onnx_KnownOp<"Expand", 13, [2, 2], [1, 1], [],
                  ["evaluate", "getEqualOperand"]> {
  let summary = "Broadcast to a shape";
  let arguments = (ins Onnx_Tensor:$input, Onnx_I64Tensor:$shape);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_TileOp : Onnx_KnownOp<"Tile", 13, [2, 2], [1, 1], [],
                  ["evaluate", "getEqualOperand"]> {
  let summary = "Repeated along every dimension";
  let arguments = (ins Onnx_Tensor:$input, Onnx_I64Tensor:$repeats);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_DepthToSpaceOp : Onnx_Op<"DepthToSpace", 13, [1, 1], [1, 1]> {
  let summary = "Blocks of channels to blocks of pixels";
  let arguments = (ins Onnx_Tensor:$input, Onnx_Int:$blocksize, Onnx_EnumOr<["DCR", "CRD"], "DCR">:$mode);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_SpaceToDepthOp : Onnx_Op<"SpaceToDepth", 13, [1, 1], [1, 1]> {
  let summary = "Blocks of pixels to blocks of channels";
  let arguments = (ins Onnx_Tensor:$input, Onnx_Int:$blocksize);
  let results = (outs Onnx_Tensor:$output);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXREARRANGEOPS_TD
