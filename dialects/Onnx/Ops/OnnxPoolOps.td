// Pooling over windows and over all spatial dimensions.
#ifndef CAMEO_DIALECTS_ONNX_ONNXPOOLOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXPOOLOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_AveragePoolOp : Onnx_Op<"AveragePool", 22, [1, 1], [1, 1], [ChannelsLastOp]> {
  let summary = "Mean over windows";
  let description = [{
    - pool_c1: X has rank 3 or more. Windows are as for Conv; window_c8: pads are smaller than the window.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_AutoPad:$auto_pad, Onnx_IntOr<0>:$ceil_mode,
                       Onnx_IntOr<0>:$count_include_pad, OptionalAttr<Onnx_Ints>:$dilations, Onnx_Ints:$kernel_shape,
                       OptionalAttr<Onnx_Ints>:$pads, OptionalAttr<Onnx_Ints>:$strides, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_MaxPoolOp : Onnx_Op<"MaxPool", 22, [1, 1], [1, 2], [ChannelsLastOp]> {
  let summary = "Greatest element of windows and, optionally, its index";
  let description = [{
    Indices count the elements of X in ONNX's order. Windows are as for AveragePool.

    - maxpool_c1: `storage_order` is 0 or 1.
  }];
  let arguments = (ins Onnx_PoolTensor:$X, Onnx_AutoPad:$auto_pad, Onnx_IntOr<0>:$ceil_mode,
                       OptionalAttr<Onnx_Ints>:$dilations, Onnx_Ints:$kernel_shape, OptionalAttr<Onnx_Ints>:$pads,
                       Onnx_IntOr<0>:$storage_order, OptionalAttr<Onnx_Ints>:$strides, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y, Onnx_OptionalTensor:$Indices);
}

def Onnx_MaxUnpoolOp : Onnx_Op<"MaxUnpool", 22, [2, 3], [1, 1]> {
  let summary = "Elements of a MaxPool at their original indices, zeros elsewhere";
  let description = [{
    Indices count the elements of the operand of the MaxPool, whose size follows from kernel, strides and pads; a larger
    `output_shape` has zeros at the end. If the indices are those of a MaxPool in the model, and `output_shape` is the
    shape of its operand, they count the elements of the result.

    - pool_c1: X has rank 3 or more.
    - maxunpool_c1: indices have the rank, and.
    - maxunpool_c2: the dimensions of X.
    - maxunpool_c3: there is one size of the kernel per spatial dimension, of 1 or more.
    - maxunpool_c4: the same for strides.
    - maxunpool_c5: there are two pads per spatial dimension, of 0 or more.
    - maxunpool_c6: output_shape has one size per dimension of X.
    - maxunpool_c7: no size is smaller than that of the operand of the MaxPool.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_I64Tensor:$I, Onnx_Optional<Onnx_I64Tensor>:$output_shape,
                       Onnx_Ints:$kernel_shape, OptionalAttr<Onnx_Ints>:$pads, OptionalAttr<Onnx_Ints>:$strides);
  let results = (outs Onnx_Tensor:$output);
  let extraClassDeclaration = [{
    /// Returns the dimensions of the operand of the MaxPool; those of X must be known.
    ::cameo::onnx::DimList getPooledDims();
  }];
}

def Onnx_LpPoolOp : Onnx_Op<"LpPool", 22, [1, 1], [1, 1], [ChannelsLastOp]> {
  let summary = "p-norm of windows";
  let description = [{
    Windows are as for AveragePool.

    - lppool_c1: `p` is 1 or more.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_AutoPad:$auto_pad, Onnx_IntOr<0>:$ceil_mode,
                       OptionalAttr<Onnx_Ints>:$dilations, Onnx_Ints:$kernel_shape, Onnx_IntOr<2>:$p,
                       OptionalAttr<Onnx_Ints>:$pads, OptionalAttr<Onnx_Ints>:$strides, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_GlobalAveragePoolOp : Onnx_Op<"GlobalAveragePool", 22, [1, 1], [1, 1], [ChannelsLastOp]> {
  let summary = "Mean over all spatial dimensions";
  let description = [{
    - pool_c1: X has rank 3 or more.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_GlobalMaxPoolOp : Onnx_Op<"GlobalMaxPool", 22, [1, 1], [1, 1], [ChannelsLastOp]> {
  let summary = "Greatest element over all spatial dimensions";
  let description = [{
    - pool_c1: X has rank 3 or more.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_GlobalLpPoolOp : Onnx_Op<"GlobalLpPool", 22, [1, 1], [1, 1], [ChannelsLastOp]> {
  let summary = "p-norm over all spatial dimensions";
  let description = [{
    - pool_c1: X has rank 3 or more; lppool_c1: `p` is 1 or more.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_IntOr<2>:$p, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXPOOLOPS_TD
