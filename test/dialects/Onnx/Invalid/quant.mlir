// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of quantised operators. A function is named after the rule it breaks.

func.func @quantize_c1(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'block_size' of 0 or more, got -1}}
  %0 = onnx.QuantizeLinear %arg0, %arg1, %none {block_size = -1 : i64} : (tensor<4x6xf32>, tensor<f32>, none) -> tensor<*xui8>
  return
}

// -----

func.func @quantize_c2(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'axis' in [-2, 1], got 2}}
  %0 = onnx.QuantizeLinear %arg0, %arg1, %none {axis = 2 : i64} : (tensor<4x6xf32>, tensor<6xf32>, none) -> tensor<*xui8>
  return
}

// -----

func.func @quantize_c3(%arg0: tensor<4x6xf32>, %arg1: tensor<5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 0 of operand #1 to be 6 (elements of the axis), got 5}}
  %0 = onnx.QuantizeLinear %arg0, %arg1, %none : (tensor<4x6xf32>, tensor<5xf32>, none) -> tensor<*xui8>
  return
}

// -----

func.func @quantize_c4(%arg0: tensor<4x6xf32>, %arg1: tensor<4x2xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 1 of operand #1 to be 3 (blocks of the axis), got 2}}
  %0 = onnx.QuantizeLinear %arg0, %arg1, %none {block_size = 2 : i64} : (tensor<4x6xf32>, tensor<4x2xf32>, none) -> tensor<*xui8>
  return
}

// -----

func.func @quantize_c5(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<5xui8>) {
  // expected-error@+1 {{expected dimension 0 of operand #2 to be 6 (as in the scale), got 5}}
  %0 = onnx.QuantizeLinear %arg0, %arg1, %arg2 : (tensor<4x6xf32>, tensor<6xf32>, tensor<5xui8>) -> tensor<*xui8>
  return
}

// -----

func.func @quantize_c6(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'output_dtype' to be an ONNX element type, got -7}}
  %0 = onnx.QuantizeLinear %arg0, %arg1, %none {output_dtype = -7 : i64} : (tensor<4x6xf32>, tensor<f32>, none) -> tensor<*xui8>
  return
}

// -----

func.func @quantizelinear_c1(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>, %arg2: tensor<ui8>) {
  // expected-error@+1 {{expected 'output_dtype' to be the type of the zero point, 'ui8', got 'i8'}}
  %0 = onnx.QuantizeLinear %arg0, %arg1, %arg2 {output_dtype = 3 : i64} : (tensor<4x6xf32>, tensor<f32>, tensor<ui8>) -> tensor<*xui8>
  return
}

// -----

func.func @quantizelinear_c2(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a result of 16-bit or narrower integers, or of 8-bit or narrower floats, got 'f32'}}
  %0 = onnx.QuantizeLinear %arg0, %arg1, %none {output_dtype = 1 : i64} : (tensor<4x6xf32>, tensor<f32>, none) -> tensor<*xui8>
  return
}

// -----

func.func @dequantizelinear_c1(%arg0: tensor<4x6xi8>, %arg1: tensor<i32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a result of f32, f16 or bf16, got 'i32'}}
  %0 = onnx.DequantizeLinear %arg0, %arg1, %none : (tensor<4x6xi8>, tensor<i32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @convinteger_c1(%arg0: tensor<1x4x8x8xui8>, %arg1: tensor<6x4x3x3xi8>, %arg2: tensor<2xui8>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #2 to be a scalar}}
  %0 = onnx.ConvInteger %arg0, %arg1, %arg2, %none : (tensor<1x4x8x8xui8>, tensor<6x4x3x3xi8>, tensor<2xui8>, none) -> tensor<*xi32>
  return
}

// -----

func.func @convinteger_c2(%arg0: tensor<1x4x8x8xui8>, %arg1: tensor<6x4x3x3xi8>, %arg3: tensor<4xi8>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 0 of operand #3 to be 6 (output channels), got 4}}
  %0 = onnx.ConvInteger %arg0, %arg1, %none, %arg3 : (tensor<1x4x8x8xui8>, tensor<6x4x3x3xi8>, none, tensor<4xi8>) -> tensor<*xi32>
  return
}

// -----

func.func @qlinearconv_c1(%arg0: tensor<1x4x8x8xui8>, %arg1: tensor<2xf32>, %arg2: tensor<ui8>, %arg3: tensor<6x4x3x3xi8>, %arg4: tensor<f32>, %arg5: tensor<i8>, %arg6: tensor<f32>, %arg7: tensor<ui8>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 to be a scalar}}
  %0 = onnx.QLinearConv %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %none : (tensor<1x4x8x8xui8>, tensor<2xf32>, tensor<ui8>, tensor<6x4x3x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, none) -> tensor<*xui8>
  return
}

// -----

func.func @qlinearconv_c2(%arg0: tensor<1x4x8x8xui8>, %arg1: tensor<f32>, %arg2: tensor<ui8>, %arg3: tensor<6x4x3x3xi8>, %arg4: tensor<5xf32>, %arg5: tensor<i8>, %arg6: tensor<f32>, %arg7: tensor<ui8>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 0 of operand #4 to be 6 (output channels), got 5}}
  %0 = onnx.QLinearConv %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %none : (tensor<1x4x8x8xui8>, tensor<f32>, tensor<ui8>, tensor<6x4x3x3xi8>, tensor<5xf32>, tensor<i8>, tensor<f32>, tensor<ui8>, none) -> tensor<*xui8>
  return
}

// -----

func.func @blockedmatmul_c1(%arg0: tensor<3x64xf32>, %arg1: tensor<2x16x5xui8>, %arg2: tensor<2x5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'bits' of 2, 4 or 8, got 3}}
  %0 = onnx.BlockedMatMul %arg0, %arg1, %arg2, %none {bits = 3 : i64} : (tensor<3x64xf32>, tensor<2x16x5xui8>, tensor<2x5xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @blockedmatmul_c2(%arg0: tensor<3x64xf32>, %arg1: tensor<2x16x5xui8>, %arg2: tensor<2x5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a 'block_size' that is a multiple of 8, got 12}}
  %0 = onnx.BlockedMatMul %arg0, %arg1, %arg2, %none {block_size = 12 : i64} : (tensor<3x64xf32>, tensor<2x16x5xui8>, tensor<2x5xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @blockedmatmul_c3(%arg0: tensor<3x64xf32>, %arg1: tensor<2x80xui8>, %arg2: tensor<2x5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 of rank 3, got 2}}
  %0 = onnx.BlockedMatMul %arg0, %arg1, %arg2, %none : (tensor<3x64xf32>, tensor<2x80xui8>, tensor<2x5xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @blockedmatmul_c4(%arg0: tensor<3x64xf32>, %arg1: tensor<2x15x5xui8>, %arg2: tensor<2x5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 1 of operand #1 to be 16 (bytes of a block), got 15}}
  %0 = onnx.BlockedMatMul %arg0, %arg1, %arg2, %none : (tensor<3x64xf32>, tensor<2x15x5xui8>, tensor<2x5xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @blockedmatmul_c5(%arg0: tensor<3x65xf32>, %arg1: tensor<2x16x5xui8>, %arg2: tensor<2x5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 1 of operand #0 to be 64 (elements of the blocks), got 65}}
  %0 = onnx.BlockedMatMul %arg0, %arg1, %arg2, %none : (tensor<3x65xf32>, tensor<2x16x5xui8>, tensor<2x5xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @blockedmatmul_c6(%arg0: tensor<3x64xf32>, %arg1: tensor<2x16x5xui8>, %arg2: tensor<2x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 1 of operand #2 to be 5 (blocks and columns), got 4}}
  %0 = onnx.BlockedMatMul %arg0, %arg1, %arg2, %none : (tensor<3x64xf32>, tensor<2x16x5xui8>, tensor<2x4xf32>, none) -> tensor<*xf32>
  return
}
