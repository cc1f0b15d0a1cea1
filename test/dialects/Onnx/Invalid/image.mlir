// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of interpolation. A function is named after the rule it breaks.

func.func @resize_c1(%arg0: tensor<f32>) {
  %none = onnx.None
  %c2 = onnx.Constant {value = dense<[1.0]> : tensor<1xf32>} : tensor<1xf32>
  // expected-error@+1 {{expected operand #0 of rank 1 or more, got 0}}
  %0 = onnx.Resize %arg0, %none, %c2, %none : (tensor<f32>, none, tensor<1xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @resize_c2(%arg0: tensor<1x1x2x2xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected either scales or sizes}}
  %0 = onnx.Resize %arg0, %none, %none, %none : (tensor<1x1x2x2xf32>, none, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @resize_c2_both(%arg0: tensor<1x1x2x2xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected either scales or sizes}}
  %0 = onnx.Resize %arg0, %none, %arg2, %arg3 : (tensor<1x1x2x2xf32>, none, tensor<4xf32>, tensor<4xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @resize_c3(%arg0: tensor<1x1x2x2xf32>) {
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected 'axes' in [-4, 3], got 4}}
  %0 = onnx.Resize %arg0, %none, %none, %c3 {axes = array<i64: 4>} : (tensor<1x1x2x2xf32>, none, none, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @resize_c4(%arg0: tensor<1x1x2x2xf32>) {
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected one value per axis, 2, got}}
  %0 = onnx.Resize %arg0, %none, %none, %c3 {axes = array<i64: 2, 3>} : (tensor<1x1x2x2xf32>, none, none, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @resize_c5(%arg0: tensor<1x1x2x2xf32>) {
  %none = onnx.None
  %c2 = onnx.Constant {value = dense<[1.0, 1.0, 0.0, 1.0]> : tensor<4xf32>} : tensor<4xf32>
  // expected-error@+1 {{expected scales above 0, got 0}}
  %0 = onnx.Resize %arg0, %none, %c2, %none : (tensor<1x1x2x2xf32>, none, tensor<4xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @resize_c6(%arg0: tensor<1x1x2x2xf32>) {
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[1, 1, -4, 4]> : tensor<4xi64>} : tensor<4xi64>
  // expected-error@+1 {{expected sizes in [0, 2147483647], got -4}}
  %0 = onnx.Resize %arg0, %none, %none, %c3 : (tensor<1x1x2x2xf32>, none, none, tensor<4xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @resize_c6_scale(%arg0: tensor<1x1x2x2xf32>) {
  %none = onnx.None
  %c2 = onnx.Constant {value = dense<[1.0, 1.0, 1.0e30, 1.0]> : tensor<4xf32>} : tensor<4xf32>
  // expected-error@+1 {{expected sizes in [0, 2147483647], got}}
  %0 = onnx.Resize %arg0, %none, %c2, %none : (tensor<1x1x2x2xf32>, none, tensor<4xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @resize_c7(%arg0: tensor<1x1x0x2xf32>) {
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[1, 1, 4, 4]> : tensor<4xi64>} : tensor<4xi64>
  // expected-error@+1 {{expected an image with elements to interpolate, got a dimension of 0}}
  %0 = onnx.Resize %arg0, %none, %none, %c3 : (tensor<1x1x0x2xf32>, none, none, tensor<4xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gridsample_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 3 or more, got 2}}
  %0 = onnx.GridSample %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @gridsample_c2(%arg0: tensor<1x1x4x4xf32>, %arg1: tensor<1x4x2xf32>) {
  // expected-error@+1 {{expected operand #1 of rank 4, got 3}}
  %0 = onnx.GridSample %arg0, %arg1 : (tensor<1x1x4x4xf32>, tensor<1x4x2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @gridsample_c3(%arg0: tensor<1x1x4x4xf32>, %arg1: tensor<1x4x4x3xf32>) {
  // expected-error@+1 {{expected dimension 3 of operand #1 to be 2 (coordinates of a point), got 3}}
  %0 = onnx.GridSample %arg0, %arg1 : (tensor<1x1x4x4xf32>, tensor<1x4x4x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @gridsample_c4(%arg0: tensor<1x1x4x4xf32>, %arg1: tensor<2x4x4x2xf32>) {
  // expected-error@+1 {{expected dimension 0 of operand #1 to be 1 (batch), got 2}}
  %0 = onnx.GridSample %arg0, %arg1 : (tensor<1x1x4x4xf32>, tensor<2x4x4x2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @gridsample_c5(%arg0: tensor<1x1x0x4xf32>, %arg1: tensor<1x4x4x2xf32>) {
  // expected-error@+1 {{expected an image with elements to sample, got a dimension of 0}}
  %0 = onnx.GridSample %arg0, %arg1 : (tensor<1x1x0x4xf32>, tensor<1x4x4x2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @roialign_c1(%arg0: tensor<2x8x8xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{expected operand #0 of rank 4, got 3}}
  %0 = onnx.RoiAlign %arg0, %arg1, %arg2 : (tensor<2x8x8xf32>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @roialign_c2(%arg0: tensor<1x2x8x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{expected operand #1 of rank 2, got 1}}
  %0 = onnx.RoiAlign %arg0, %arg1, %arg2 : (tensor<1x2x8x8xf32>, tensor<4xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @roialign_c3(%arg0: tensor<1x2x8x8xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{expected dimension 1 of operand #1 to be 4 (corners of a region), got 5}}
  %0 = onnx.RoiAlign %arg0, %arg1, %arg2 : (tensor<1x2x8x8xf32>, tensor<3x5xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @roialign_c4(%arg0: tensor<1x2x8x8xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<2xi64>) {
  // expected-error@+1 {{expected dimension 0 of operand #2 to be 3 (number of regions), got 2}}
  %0 = onnx.RoiAlign %arg0, %arg1, %arg2 : (tensor<1x2x8x8xf32>, tensor<3x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @roialign_c5(%arg0: tensor<1x2x8x8xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{expected a result of 1 or more rows and columns, got 0}}
  %0 = onnx.RoiAlign %arg0, %arg1, %arg2 {output_height = 0 : i64} : (tensor<1x2x8x8xf32>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @roialign_c6(%arg0: tensor<1x2x8x8xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{expected 'sampling_ratio' of 0 or more, got -1}}
  %0 = onnx.RoiAlign %arg0, %arg1, %arg2 {sampling_ratio = -1 : i64} : (tensor<1x2x8x8xf32>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @roialign_c7(%arg0: tensor<0x2x8x8xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{expected an image with elements to sample, got a dimension of 0}}
  %0 = onnx.RoiAlign %arg0, %arg1, %arg2 : (tensor<0x2x8x8xf32>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @affinegrid_c1(%arg0: tensor<2x2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 3, 4]> : tensor<3xi64>} : tensor<3xi64>
  // expected-error@+1 {{expected a size of 4 or 5 elements, got 3}}
  %0 = onnx.AffineGrid %arg0, %c1 : (tensor<2x2x3xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @affinegrid_c2(%arg0: tensor<2x2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 3, 4, 5, 6]> : tensor<5xi64>} : tensor<5xi64>
  // expected-error@+1 {{expected dimension 1 of operand #0 to be 3 (spatial axes), got 2}}
  %0 = onnx.AffineGrid %arg0, %c1 : (tensor<2x2x3xf32>, tensor<5xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @affinegrid_c3(%arg0: tensor<2x2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[3, 3, 4, 5]> : tensor<4xi64>} : tensor<4xi64>
  // expected-error@+1 {{expected dimension 0 of operand #0 to be 3 (batch), got 2}}
  %0 = onnx.AffineGrid %arg0, %c1 : (tensor<2x2x3xf32>, tensor<4xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @affinegrid_c4(%arg0: tensor<2x2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 3, -4, 5]> : tensor<4xi64>} : tensor<4xi64>
  // expected-error@+1 {{expected sizes of 0 or more, got -4}}
  %0 = onnx.AffineGrid %arg0, %c1 : (tensor<2x2x3xf32>, tensor<4xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @col2im_c1(%arg0: tensor<5x5xf32>) {
  %c1 = onnx.Constant {value = dense<[5, 5]> : tensor<2xi64>} : tensor<2xi64>
  %c2 = onnx.Constant {value = dense<[1, 5]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected operand #0 of rank 3, got 2}}
  %0 = onnx.Col2Im %arg0, %c1, %c2 : (tensor<5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @col2im_c1_block(%arg0: tensor<1x5x5xf32>) {
  %c1 = onnx.Constant {value = dense<[5, 5]> : tensor<2xi64>} : tensor<2xi64>
  %c2 = onnx.Constant {value = dense<[1, 5, 1]> : tensor<3xi64>} : tensor<3xi64>
  // expected-error@+1 {{expected dimension 0 of operand #2 to be 2 (spatial axes), got 3}}
  %0 = onnx.Col2Im %arg0, %c1, %c2 : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @col2im_c1_axes(%arg0: tensor<1x5x5xf32>) {
  %c1 = onnx.Constant {value = dense<> : tensor<0xi64>} : tensor<0xi64>
  // expected-error@+1 {{expected an image_shape of 1 element or more, got 0}}
  %0 = onnx.Col2Im %arg0, %c1, %c1 : (tensor<1x5x5xf32>, tensor<0xi64>, tensor<0xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @col2im_c2(%arg0: tensor<1x5x5xf32>) {
  %c1 = onnx.Constant {value = dense<[5, 0]> : tensor<2xi64>} : tensor<2xi64>
  %c2 = onnx.Constant {value = dense<[1, 5]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected sizes of 1 or more, got 0}}
  %0 = onnx.Col2Im %arg0, %c1, %c2 : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @col2im_c3(%arg0: tensor<1x6x5xf32>) {
  %c1 = onnx.Constant {value = dense<[5, 5]> : tensor<2xi64>} : tensor<2xi64>
  %c2 = onnx.Constant {value = dense<[1, 5]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected dimension 1 of the input to be a multiple of a block's 5 elements, got 6}}
  %0 = onnx.Col2Im %arg0, %c1, %c2 : (tensor<1x6x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @col2im_c4(%arg0: tensor<1x5x5xf32>) {
  %c1 = onnx.Constant {value = dense<[5, 5]> : tensor<2xi64>} : tensor<2xi64>
  %c2 = onnx.Constant {value = dense<[1, 5]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected 2 values in 'strides', got 1}}
  %0 = onnx.Col2Im %arg0, %c1, %c2 {strides = array<i64: 1>} : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @col2im_c5(%arg0: tensor<1x5x5xf32>) {
  %c1 = onnx.Constant {value = dense<[5, 5]> : tensor<2xi64>} : tensor<2xi64>
  %c2 = onnx.Constant {value = dense<[1, 5]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected values of 'dilations' in [1, 2147483647], got 0}}
  %0 = onnx.Col2Im %arg0, %c1, %c2 {dilations = array<i64: 1, 0>} : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @col2im_c6(%arg0: tensor<1x5x5xf32>) {
  %c1 = onnx.Constant {value = dense<[5, 5]> : tensor<2xi64>} : tensor<2xi64>
  %c2 = onnx.Constant {value = dense<[1, 5]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected 4 values in 'pads', got 2}}
  %0 = onnx.Col2Im %arg0, %c1, %c2 {pads = array<i64: 1, 0>} : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @col2im_c7(%arg0: tensor<1x5x6xf32>) {
  %c1 = onnx.Constant {value = dense<[5, 5]> : tensor<2xi64>} : tensor<2xi64>
  %c2 = onnx.Constant {value = dense<[1, 5]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected dimension 2 of operand #0 to be 5 (positions of a block), got 6}}
  %0 = onnx.Col2Im %arg0, %c1, %c2 : (tensor<1x5x6xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @col2im_c7_fit(%arg0: tensor<1x5x5xf32>) {
  %c1 = onnx.Constant {value = dense<[5, 4]> : tensor<2xi64>} : tensor<2xi64>
  %c2 = onnx.Constant {value = dense<[1, 5]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected blocks that fit the image, got 5 elements for 4 padded by 0}}
  %0 = onnx.Col2Im %arg0, %c1, %c2 : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<*xf32>
  return
}
