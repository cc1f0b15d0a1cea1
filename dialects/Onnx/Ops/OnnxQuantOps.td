// Quantisation, and products of quantised tensors.
#ifndef CAMEO_DIALECTS_ONNX_ONNXQUANTOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXQUANTOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_QuantizeLinearOp : Onnx_Op<"QuantizeLinear", 25, [2, 3], [1, 1]> {
  let summary = "Division by a scale, rounding, shift by a zero point, saturation";
  let description = [{
    One scale for all, one per element of `axis`, or one per block of `block_size` elements along it.

    - quantize_c1: `block_size` is 0 or more.
    - quantize_c2: `axis` is a dimension of x.
    - quantize_c3: scales per axis are a vector of that dimension.
    - quantize_c4: scales per block have the rank of x and its dimensions, apart from the blocks.
    - quantize_c5: the zero point has the shape of the scale.
    - quantize_c6: `output_dtype` is 0 or numbers an element type.
    - quantizelinear_c1: `output_dtype` is the type of the zero point if both are given.
    - quantizelinear_c2: the result has a quantised type.
  }];
  let arguments = (ins Onnx_TensorOf<[F32, F16, BF16, I<32>]>:$x, Onnx_ScaleTensor:$y_scale,
                       Onnx_Optional<Onnx_QuantizedTensor>:$y_zero_point, Onnx_IntOr<1>:$axis,
                       Onnx_IntOr<0>:$block_size, Onnx_IntOr<0>:$output_dtype, Onnx_IntOr<0>:$precision,
                       Onnx_IntOr<1>:$saturate);
  let results = (outs Onnx_Tensor:$y);
}

def Onnx_DequantizeLinearOp : Onnx_Op<"DequantizeLinear", 25, [2, 3], [1, 1]> {
  let summary = "(x - zero point) * scale";
  let description = [{
    Scales are as for QuantizeLinear (quantize_c1 to c6).

    - dequantizelinear_c1: the result is f32, f16 or bf16.
  }];
  let arguments = (ins Onnx_QuantizedTensor:$x, Onnx_ScaleTensor:$x_scale,
                       Onnx_Optional<Onnx_QuantizedTensor>:$x_zero_point, Onnx_IntOr<1>:$axis,
                       Onnx_IntOr<0>:$block_size, Onnx_IntOr<0>:$output_dtype);
  let results = (outs Onnx_Tensor:$y);
}

def Onnx_DynamicQuantizeLinearOp : Onnx_Op<"DynamicQuantizeLinear", 11, [1, 1], [3, 3]> {
  let summary = "Quantisation to 8 bits with a scale and zero point that are computed from the data";
  let arguments = (ins Onnx_F32Tensor:$x);
  let results = (outs Onnx_Tensor:$y, Onnx_Tensor:$y_scale, Onnx_Tensor:$y_zero_point);
}

def Onnx_QLinearConvOp : Onnx_Op<"QLinearConv", 10, [8, 9], [1, 1], [ChannelsLastOp]> {
  let summary = "Convolution of quantised tensors, requantised";
  let description = [{
    Shapes are as for Conv.

    - qlinearconv_c1: scales and zero points of x and y are scalars.
    - qlinearconv_c2: those of w scalars or vectors of the output channels.
  }];
  let arguments = (ins Onnx_ByteTensor:$x, Onnx_F32Tensor:$x_scale, Onnx_ByteTensor:$x_zero_point, Onnx_ByteTensor:$w,
                       Onnx_F32Tensor:$w_scale, Onnx_ByteTensor:$w_zero_point, Onnx_F32Tensor:$y_scale,
                       Onnx_ByteTensor:$y_zero_point, Onnx_Optional<Onnx_I32Tensor>:$B, Onnx_AutoPad:$auto_pad,
                       OptionalAttr<Onnx_Ints>:$dilations, Onnx_IntOr<1>:$group, OptionalAttr<Onnx_Ints>:$kernel_shape,
                       OptionalAttr<Onnx_Ints>:$pads, OptionalAttr<Onnx_Ints>:$strides, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$y);
}

def Onnx_QLinearMatMulOp : Onnx_Op<"QLinearMatMul", 21, [8, 8], [1, 1]> {
  let summary = "Matrix product of quantised tensors, requantised";
  let description = [{
    Shapes are as for MatMul.
  }];
  let arguments = (ins Onnx_Float8ByteTensor:$a, Onnx_TensorOf<[F32, F16, BF16]>:$a_scale,
                       Onnx_Float8ByteTensor:$a_zero_point, Onnx_Float8ByteTensor:$b,
                       Onnx_TensorOf<[F32, F16, BF16]>:$b_scale, Onnx_Float8ByteTensor:$b_zero_point,
                       Onnx_TensorOf<[F32, F16, BF16]>:$y_scale, Onnx_Float8ByteTensor:$y_zero_point);
  let results = (outs Onnx_Tensor:$y);
}

def Onnx_ConvIntegerOp : Onnx_Op<"ConvInteger", 10, [2, 4], [1, 1], [ChannelsLastOp]> {
  let summary = "Convolution of 8-bit integers into 32 bits";
  let description = [{
    Shapes are as for Conv.

    - convinteger_c1: the zero point of x is a scalar.
    - convinteger_c2: that of w a scalar or a vector of the output channels.
  }];
  let arguments = (ins Onnx_ByteTensor:$x, Onnx_ByteTensor:$w, Onnx_Optional<Onnx_ByteTensor>:$x_zero_point,
                       Onnx_Optional<Onnx_ByteTensor>:$w_zero_point, Onnx_AutoPad:$auto_pad,
                       OptionalAttr<Onnx_Ints>:$dilations, Onnx_IntOr<1>:$group, OptionalAttr<Onnx_Ints>:$kernel_shape,
                       OptionalAttr<Onnx_Ints>:$pads, OptionalAttr<Onnx_Ints>:$strides, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$y);
}

def Onnx_MatMulIntegerOp : Onnx_Op<"MatMulInteger", 10, [2, 4], [1, 1]> {
  let summary = "Matrix product of 8-bit integers into 32 bits";
  let description = [{
    Shapes are as for MatMul.
  }];
  let arguments = (ins Onnx_ByteTensor:$A, Onnx_ByteTensor:$B, Onnx_Optional<Onnx_ByteTensor>:$a_zero_point,
                       Onnx_Optional<Onnx_ByteTensor>:$b_zero_point);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_BlockedMatMulOp : Onnx_Op<"BlockedMatMul", 1, [3, 4], [1, 1]> {
  let summary = "Product with a matrix of packed integers that share a scale in blocks";
  let description = [{
    Element k of column n is (q - z) * scales[k / block_size, n]. Byte j of a block and a column has 8 / `bits` elements from index j * 8 / `bits` of the
    block on, the first in the lowest bits. Without zero_points z is 2^(`bits` - 1), half of the range. An `accuracy_level` of 4 allows
    rounding A to 8 bits, with a scale for each block of each row.

    - blockedmatmul_c1: `bits` is 2, 4 or 8.
    - blockedmatmul_c2: `block_size` is a multiple of 8, at least 8.
    - blockedmatmul_c3: B has rank 3: blocks, bytes of a block, columns.
    - blockedmatmul_c4: the bytes of a block hold `block_size` elements.
    - blockedmatmul_c5: A has rank 1 or more, and as many elements in its last dimension as the blocks have.
    - blockedmatmul_c6: scales and zero_points are blocks, columns.
  }];
  let arguments = (ins Onnx_TensorOf<[F32, F16, BF16]>:$A, Onnx_TensorOf<[UI<8>]>:$B, Onnx_TensorOf<[F32, F16, BF16]>:$scales,
                       Onnx_Optional<Onnx_TensorOf<[UI<8>, F32, F16, BF16]>>:$zero_points, Onnx_IntOr<4>:$bits,
                       Onnx_IntOr<32>:$block_size, Onnx_IntOr<0>:$accuracy_level);
  let results = (outs Onnx_Tensor:$Y);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXQUANTOPS_TD
