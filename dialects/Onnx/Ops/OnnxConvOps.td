// Floating-point convolutions.
#ifndef CAMEO_DIALECTS_ONNX_ONNXCONVOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXCONVOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_ConvOp : Onnx_Op<"Conv", 22, [2, 3], [1, 1], [ChannelsLastOp]> {
  let summary = "Convolution";
  let description = [{
    Activations X are N, C, spatial... or, `channels_last`, N, spatial..., C; weights W are M, C/group, kernel....

    - conv_c1: X has rank 3 or more.
    - conv_c2: `group` is 1 or more.
    - conv_c3: W has the rank of X.
    - conv_c4: C is the second dimension of W times `group`.
    - conv_c5: M is divisible by `group`.
    - conv_c6: B is a vector of M.

    Windows.h resolves the windows. `pads` are ignored unless `auto_pad` is NOTSET.

    - window_c1: `kernel_shape` has one value of 1 or more per spatial axis.
    - window_c2: they are the sizes of the weights.
    - window_c3: weights have an element along each spatial axis.
    - window_c4, window_c5: `strides` and `dilations` have one value of 1 or more per spatial axis.
    - window_c6: `pads` has two values of 0 or more per spatial axis.
    - window_c7, window_c9: windows and inputs are shorter than 2^31.
    - window_c10: a window fits the padded input.

    Example:
    ```mlir
    %y = onnx.Conv %x, %w, %none {pads = array<i64: 1, 1, 1, 1>}
        : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, none) -> tensor<1x4x8x8xf32>
    ```
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W, Onnx_Optional<Onnx_FloatTensor>:$B,
                       Onnx_AutoPad:$auto_pad, OptionalAttr<Onnx_Ints>:$dilations, Onnx_IntOr<1>:$group,
                       OptionalAttr<Onnx_Ints>:$kernel_shape, OptionalAttr<Onnx_Ints>:$pads,
                       OptionalAttr<Onnx_Ints>:$strides, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_ConvTransposeOp : Onnx_Op<"ConvTranspose", 22, [2, 3], [1, 1], [ChannelsLastOp]> {
  let summary = "Transposed convolution: the gradient of Conv with respect to its input";
  let description = [{
    Weights W are C, M/group, kernel.... The pads crop the result; `output_shape`, if given, determines them.

    - convtranspose_c1: X has rank 3 or more.
    - convtranspose_c2: `group` is 1 or more.
    - convtranspose_c3: W has the rank of X.
    - convtranspose_c4: C is divisible by `group`.
    - convtranspose_c5: the first dimension of W is C.
    - convtranspose_c6: B is a vector of M.
    - convtranspose_c7: `output_padding` has one value of 0 or more per spatial axis.
    - convtranspose_c8: `output_shape` has one value per spatial axis.
    - convtranspose_c9: the pads leave a size of 0 or more.

    Windows are as for Conv.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W, Onnx_Optional<Onnx_FloatTensor>:$B,
                       Onnx_AutoPad:$auto_pad, OptionalAttr<Onnx_Ints>:$dilations, Onnx_IntOr<1>:$group,
                       OptionalAttr<Onnx_Ints>:$kernel_shape, OptionalAttr<Onnx_Ints>:$output_padding,
                       OptionalAttr<Onnx_Ints>:$output_shape, OptionalAttr<Onnx_Ints>:$pads,
                       OptionalAttr<Onnx_Ints>:$strides, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
  let extraClassDeclaration = [{
    /// The most phases, the product of the strides, for which the code of loops for each of them is not too large.
    static constexpr int64_t maxPhases = 64;
  }];
}

def Onnx_DeformConvOp : Onnx_Op<"DeformConv", 22, [3, 5], [1, 1]> {
  let summary = "Convolution in which data-dependent offsets move each tap";
  let description = [{
    The input is interpolated linearly between elements, and zero beyond its padding. offset is N, offset groups times taps
    times spatial axes, spatial of the result; mask, which scales the taps, is the same without the factor of spatial axes.

    - deformconv_c1: `offset_group` is 1 or more.
    - deformconv_c2: it divides the input channels.
    - deformconv_c3, deformconv_c4: offset and mask have those shapes.

    The other constraints are those of Conv.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W, Onnx_FloatTensor:$offset,
                       Onnx_Optional<Onnx_FloatTensor>:$B, Onnx_Optional<Onnx_FloatTensor>:$mask,
                       OptionalAttr<Onnx_Ints>:$dilations, Onnx_IntOr<1>:$group, OptionalAttr<Onnx_Ints>:$kernel_shape,
                       Onnx_IntOr<1>:$offset_group, OptionalAttr<Onnx_Ints>:$pads, OptionalAttr<Onnx_Ints>:$strides);
  let results = (outs Onnx_Tensor:$Y);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXCONVOPS_TD
