// Operators that move elements depending on shapes only.
#ifndef CAMEO_DIALECTS_ONNX_ONNXREARRANGEOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXREARRANGEOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_TransposeOp : Onnx_KnownOp<"Transpose", 25, [1, 1], [1, 1], [], onnxEqual> {
  let summary = "Permutation of the dimensions";
  let description = [{
    - transpose_c1: `perm` is a permutation.
    - transpose_c2: of the dimensions of data.
  }];
  let arguments = (ins Onnx_Tensor:$data, OptionalAttr<Onnx_Ints>:$perm);
  let results = (outs Onnx_Tensor:$transposed);
  let extraClassDeclaration = [{
    /// Returns the effective permutation: `perm`, or the reversed dimensions if it is absent.
    ::llvm::SmallVector<int64_t> getPermutation();
  }];
}

def Onnx_ConcatOp : Onnx_KnownOp<"Concat", 13, [1, -1], [1, 1], [], onnxEqual> {
  let summary = "Joined along an axis";
  let description = [{
    - concat_c1: `axis` is a dimension.
    - concat_c2: operands have one rank.
    - concat_c3: their other dimensions are equal.
    - concat_c4: there is an operand.
  }];
  let arguments = (ins Variadic<Onnx_Tensor>:$inputs, Onnx_Int:$axis);
  let results = (outs Onnx_Tensor:$concat_result);
}

def Onnx_SplitOp : Onnx_Op<"Split", 18, [1, 2], [1, -1], [DeclareOpInterfaceMethods<KnownValueOp, ["evaluate"]>]> {
  let hasFolder = 1;
  let summary = "Parted along an axis";
  let description = [{
    - split_c1: `num_outputs` is the number of results.
    - split_c2: the parts, rounded up, do not exceed the dimension.
    - split_c3: sizes or `num_outputs`, not both.
    - split_c4: one size per result.
    - split_c5: sizes are 0 or more.
    - split_c6: they add up to the dimension.
    - split_c7: there is a result.
    - split_c8: `axis` is a dimension.
    - split_c9: without sizes and `num_outputs`, the parts are equal.
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_Optional<Onnx_I64Tensor>:$split, Onnx_IntOr<0>:$axis,
                       OptionalAttr<Onnx_Int>:$num_outputs);
  let results = (outs Variadic<Onnx_Tensor>:$outputs);
}

def Onnx_ExpandOp : Onnx_KnownOp<"Expand", 13, [2, 2], [1, 1], [], onnxEqual> {
  let summary = "Broadcast to a shape";
  let description = [{
    - expand_c1: shape is a vector.
    - expand_c2: its sizes are 0 or more.
    - expand_c3: it broadcasts with the input.
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_I64Tensor:$shape);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_TileOp : Onnx_KnownOp<"Tile", 13, [2, 2], [1, 1], [], onnxEqual> {
  let summary = "Repeated along every dimension";
  let description = [{
    - tile_c1: repeats are a vector.
    - tile_c2: one per dimension.
    - tile_c3: they are 0 or more.
    - tile_c4: 64 bits hold the sizes.
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_I64Tensor:$repeats);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_DepthToSpaceOp : Onnx_Op<"DepthToSpace", 13, [1, 1], [1, 1]> {
  let summary = "Blocks of channels to blocks of pixels";
  let description = [{
    - depthtospace_c1: input has rank 4.
    - depthtospace_c2: `blocksize` is in [1, 65536].
    - depthtospace_c3: its square divides the channels.
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_Int:$blocksize, Onnx_EnumOr<["DCR", "CRD"], "DCR">:$mode);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_SpaceToDepthOp : Onnx_Op<"SpaceToDepth", 13, [1, 1], [1, 1]> {
  let summary = "Blocks of pixels to blocks of channels";
  let description = [{
    - spacetodepth_c1: input has rank 4.
    - spacetodepth_c2: `blocksize` is in [1, 65536].
    - spacetodepth_c3: it divides height and width.
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_Int:$blocksize);
  let results = (outs Onnx_Tensor:$output);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXREARRANGEOPS_TD
