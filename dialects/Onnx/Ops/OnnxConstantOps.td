// Constants, and tensors that are generated from a few numbers.
#ifndef CAMEO_DIALECTS_ONNX_ONNXCONSTANTOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXCONSTANTOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_NoneOp : Onnx_Op<"None", 1, [0, 0], [1, 1], [ConstantLike]> {
  let summary = "Stands for an absent optional input";
  let results = (outs NoneType:$output);
  let assemblyFormat = "attr-dict";
  let hasFolder = 1;
}

def Onnx_ConstantOp : Onnx_Op<"Constant", 25, [0, 0], [1, 1], [ConstantLike]> {
  let summary = "A tensor known at compile time";
  let description = [{
    Small tensors are dense attributes, larger ones resources whose memory the import keeps alive: ConstantData.h reads
    both. The importer turns ONNX's other forms (`value_float`, `value_ints`, ...) into `value`.

    Example:
    ```mlir
    %0 = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Onnx_Tensor:$output);
  let assemblyFormat = "attr-dict `:` type($output)";
  let hasFolder = 1;
}

def Onnx_ConstantOfShapeOp : Onnx_KnownOp<"ConstantOfShape", 25, [1, 1], [1, 1]> {
  let summary = "A tensor of the given shape filled with one value";
  let description = [{
    - constantofshape_c1: input is a vector.
    - constantofshape_c2: `value` has one element.
    - constantofshape_c3: sizes are 0 or more.
  }];
  let arguments = (ins Onnx_I64Tensor:$input, OptionalAttr<ElementsAttr>:$value);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_EyeLikeOp : Onnx_Op<"EyeLike", 22, [1, 1], [1, 1]> {
  let summary = "Ones on a diagonal, with the shape of a matrix";
  let description = [{
    - eyelike_c1: input has rank 2.
    - eyelike_c2: `dtype` numbers a type of numbers.
  }];
  let arguments = (ins Onnx_Tensor:$input, OptionalAttr<Onnx_Int>:$dtype, Onnx_IntOr<0>:$k);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_RangeOp : Onnx_KnownOp<"Range", 27, [3, 3], [1, 1]> {
  let summary = "start, start + delta, ... up to limit, not included";
  let description = [{
    - range_c1: operands are scalars.
    - range_c2: delta is not 0.
  }];
  let arguments = (ins Onnx_TensorOf<!listconcat(onnxFloats, [I<16>, I<32>, I<64>])>:$start,
                       Onnx_TensorOf<!listconcat(onnxFloats, [I<16>, I<32>, I<64>])>:$limit,
                       Onnx_TensorOf<!listconcat(onnxFloats, [I<16>, I<32>, I<64>])>:$delta,
                       Onnx_IntOr<1>:$stash_type);
  let results = (outs Onnx_Tensor:$output);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXCONSTANTOPS_TD
