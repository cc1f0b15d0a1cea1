// Operators that return or change the shape of a tensor and keep the order of its elements.
#ifndef CAMEO_DIALECTS_ONNX_ONNXSHAPEOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXSHAPEOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_ShapeOp : Onnx_KnownOp<"Shape", 25, [1, 1], [1, 1]> {
  let summary = "The dimensions of a tensor, or a slice of them";
  let arguments = (ins Onnx_Tensor:$data, OptionalAttr<Onnx_Int>:$end, Onnx_IntOr<0>:$start);
  let results = (outs Onnx_Tensor:$shape);
}

def Onnx_SizeOp : Onnx_KnownOp<"Size", 25, [1, 1], [1, 1]> {
  let summary = "Number of elements of a tensor";
  let arguments = (ins Onnx_Tensor:$data);
  let results = (outs Onnx_Tensor:$size);
}

def Onnx_ReshapeOp : Onnx_KnownOp<"Reshape", 25, [2, 2], [1, 1], [], onnxEqual> {
  let summary = "Same elements, another shape";
  let description = [{
    0 in the shape copies a dimension unless `allowzero`; -1 is inferred from the other sizes.

    - reshape_c1: sizes are -1 or more.
    - reshape_c2: at most one is -1.
    - reshape_c3: 0 is at the index of a dimension of the input.
    - reshape_c4: as many elements as the input.
    - reshape_c5: the other sizes divide the number of elements if one is -1.
    - reshape_c6: the shape is a vector.
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$shape, Onnx_IntOr<0>:$allowzero);
  let results = (outs Onnx_Tensor:$reshaped);
}

def Onnx_FlattenOp : Onnx_KnownOp<"Flatten", 25, [1, 1], [1, 1], [], onnxEqual> {
  let summary = "Reshape to two dimensions around `axis`";
  let description = [{
    - flatten_c1: `axis` is in [-rank, rank].
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_IntOr<1>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_SqueezeOp : Onnx_KnownOp<"Squeeze", 25, [1, 2], [1, 1], [], onnxEqual> {
  let summary = "Without dimensions of size 1";
  let description = [{
    - squeeze_c1: axes are distinct dimensions.
    - squeeze_c2: they are of size 1.
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_Optional<Onnx_I64Tensor>:$axes);
  let results = (outs Onnx_Tensor:$squeezed);
}

def Onnx_UnsqueezeOp : Onnx_KnownOp<"Unsqueeze", 25, [2, 2], [1, 1], [], onnxEqual> {
  let summary = "With new dimensions of size 1";
  let description = [{
    - unsqueeze_c1: axes are distinct dimensions of the result.
  }];
  let arguments = (ins Onnx_Tensor:$data, Onnx_I64Tensor:$axes);
  let results = (outs Onnx_Tensor:$expanded);
}

def Onnx_IdentityOp : Onnx_KnownOp<"Identity", 25, [1, 1], [1, 1], [PointwiseOnnxOp], onnxEqual> {
  let summary = "The tensor itself";
  let arguments = (ins Onnx_Tensor:$input);
  let results = (outs Onnx_Tensor:$output);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXSHAPEOPS_TD
