// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of convolutions and of windows. A function is named after the rule it breaks.

func.func @conv_c1(%arg0: tensor<1x4xf32>, %arg1: tensor<6x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 3 or more, got 2}}
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<1x4xf32>, tensor<6x4xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @conv_c2(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'group' of 1 or more, got 0}}
  %0 = onnx.Conv %arg0, %arg1, %none {group = 0 : i64} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @conv_c2_negative(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'group' of 1 or more, got -9223372036854775808}}
  %0 = onnx.Conv %arg0, %arg1, %none {group = -9223372036854775808 : i64} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @conv_c3(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 of rank 4, got 3}}
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<1x4x8x8xf32>, tensor<6x4x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @conv_c4(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x3x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 4 input channels to be those of the weights times 'group', got 3 * 1}}
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<1x4x8x8xf32>, tensor<6x3x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @conv_c5(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x1x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected output channels divisible by 4 groups, got 6}}
  %0 = onnx.Conv %arg0, %arg1, %none {group = 4 : i64} : (tensor<1x4x8x8xf32>, tensor<6x1x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @conv_c6(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>, %arg2: tensor<5xf32>) {
  // expected-error@+1 {{expected dimension 0 of operand #2 to be 6 (output channels), got 5}}
  %0 = onnx.Conv %arg0, %arg1, %arg2 : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<5xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @window_c1(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 2 values in 'kernel_shape', got 1}}
  %0 = onnx.Conv %arg0, %arg1, %none {kernel_shape = array<i64: 3>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @window_c2(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'kernel_shape' to be that of the weights, 3 along spatial axis 1, got 5}}
  %0 = onnx.Conv %arg0, %arg1, %none {kernel_shape = array<i64: 3, 5>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @window_c3(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x0x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected weights of 1 to 2147483647 elements along spatial axis 0, got 0}}
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<1x4x8x8xf32>, tensor<6x4x0x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @window_c4(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected values of 'strides' in [1, 2147483647], got 0}}
  %0 = onnx.Conv %arg0, %arg1, %none {strides = array<i64: 1, 0>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @window_c5(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected values of 'dilations' in [1, 2147483647], got -1}}
  %0 = onnx.Conv %arg0, %arg1, %none {dilations = array<i64: -1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @window_c6(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected values of 'pads' in [0, 2147483647], got -1}}
  %0 = onnx.Conv %arg0, %arg1, %none {pads = array<i64: -1, 0, 0, 0>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @window_c6_count(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 4 values in 'pads', got 2}}
  %0 = onnx.Conv %arg0, %arg1, %none {pads = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @window_c7(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected windows of at most 2147483647 elements, got 4294967295}}
  %0 = onnx.Conv %arg0, %arg1, %none {dilations = array<i64: 2147483647, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @window_c8(%arg0: tensor<1x4x8x8xf32>) {
  // expected-error@+1 {{expected pads below the window's 2 elements, got 2}}
  %0:2 = onnx.MaxPool %arg0 {kernel_shape = array<i64: 2, 2>, pads = array<i64: 2, 0, 0, 0>} : (tensor<1x4x8x8xf32>) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @window_c9(%arg0: tensor<1x4x4294967296x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected at most 2147483647 elements along a spatial axis, got 4294967296}}
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<1x4x4294967296x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @window_c10(%arg0: tensor<1x4x2x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected windows that fit the padded input, got 3 elements for 2 padded by 0 and 0}}
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<1x4x2x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @convtranspose_c1(%arg0: tensor<1x4xf32>, %arg1: tensor<4x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 3 or more, got 2}}
  %0 = onnx.ConvTranspose %arg0, %arg1, %none : (tensor<1x4xf32>, tensor<4x6xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @convtranspose_c2(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'group' of 1 or more, got -1}}
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {group = -1 : i64} : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @convtranspose_c3(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 of rank 4, got 5}}
  %0 = onnx.ConvTranspose %arg0, %arg1, %none : (tensor<1x4x8x8xf32>, tensor<4x6x3x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @convtranspose_c4(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected input channels divisible by 3 groups, got 4}}
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {group = 3 : i64} : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @convtranspose_c5(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<5x6x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 0 of operand #1 to be 4 (input channels), got 5}}
  %0 = onnx.ConvTranspose %arg0, %arg1, %none : (tensor<1x4x8x8xf32>, tensor<5x6x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @convtranspose_c6(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>, %arg2: tensor<6xf32>) {
  // expected-error@+1 {{expected dimension 0 of operand #2 to be 12 (output channels), got 6}}
  %0 = onnx.ConvTranspose %arg0, %arg1, %arg2 {group = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>, tensor<6xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @convtranspose_c7(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected values of 'output_padding' in [0, 2147483647], got -1}}
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {output_padding = array<i64: -1, 0>} : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @convtranspose_c8(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 2 values in 'output_shape', got 4}}
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {output_shape = array<i64: 1, 6, 9, 9>} : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @convtranspose_c9(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected pads that leave a result, got a size of -2 along spatial axis 0}}
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {pads = array<i64: 6, 0, 6, 0>} : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @deformconv_c1(%arg0: tensor<1x4x5x5xf32>, %arg1: tensor<2x4x2x2xf32>, %arg2: tensor<1x8x4x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'offset_group' of 1 or more, got 0}}
  %0 = onnx.DeformConv %arg0, %arg1, %arg2, %none, %none {offset_group = 0 : i64} : (tensor<1x4x5x5xf32>, tensor<2x4x2x2xf32>, tensor<1x8x4x4xf32>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @deformconv_c2(%arg0: tensor<1x4x5x5xf32>, %arg1: tensor<2x4x2x2xf32>, %arg2: tensor<1x8x4x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected input channels divisible by 3 offset groups, got 4}}
  %0 = onnx.DeformConv %arg0, %arg1, %arg2, %none, %none {offset_group = 3 : i64} : (tensor<1x4x5x5xf32>, tensor<2x4x2x2xf32>, tensor<1x8x4x4xf32>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @deformconv_c3(%arg0: tensor<1x4x5x5xf32>, %arg1: tensor<2x4x2x2xf32>, %arg2: tensor<1x4x4x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 1 of operand #2 to be 8 (values of all taps), got 4}}
  %0 = onnx.DeformConv %arg0, %arg1, %arg2, %none, %none : (tensor<1x4x5x5xf32>, tensor<2x4x2x2xf32>, tensor<1x4x4x4xf32>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @deformconv_c4(%arg0: tensor<1x4x5x5xf32>, %arg1: tensor<2x4x2x2xf32>, %arg2: tensor<1x8x4x4xf32>, %arg4: tensor<1x4x4x5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 3 of operand #4 to be 4 (size of the result), got 5}}
  %0 = onnx.DeformConv %arg0, %arg1, %arg2, %none, %arg4 : (tensor<1x4x5x5xf32>, tensor<2x4x2x2xf32>, tensor<1x8x4x4xf32>, none, tensor<1x4x4x5xf32>) -> tensor<*xf32>
  return
}
