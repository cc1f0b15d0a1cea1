// Convolutions of real numbers.
#ifndef CAMEO_DIALECTS_ONNX_ONNXCONVOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXCONVOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_ConvOp : Onnx_Op<"Conv", 22, [2, 3], [1, 1], [ChannelsLastOp]> {
  let summary = "Convolution";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W, Onnx_Optional<Onnx_FloatTensor>:$B,
                       Onnx_AutoPad:$auto_pad, OptionalAttr<Onnx_Ints>:$dilations, Onnx_IntOr<1>:$group,
                       OptionalAttr<Onnx_Ints>:$kernel_shape, OptionalAttr<Onnx_Ints>:$pads,
                       OptionalAttr<Onnx_Ints>:$strides, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_ConvTransposeOp : Onnx_Op<"ConvTranspose", 22, [2, 3], [1, 1], [ChannelsLastOp]> {
  let summary = "Transposed convolution: the gradient of Conv with respect to its input";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$W, Onnx_Optional<Onnx_FloatTensor>:$B,
                       Onnx_AutoPad:$auto_pad, OptionalAttr<Onnx_Ints>:$dilations, Onnx_IntOr<1>:$group,
                       OptionalAttr<Onnx_Ints>:$kernel_shape, OptionalAttr<Onnx_Ints>:$output_padding,
                       OptionalAttr<Onnx_Ints>:$output_shape, OptionalAttr<Onnx_Ints>:$pads,
                       OptionalAttr<Onnx_Ints>:$strides, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXCONVOPS_TD
