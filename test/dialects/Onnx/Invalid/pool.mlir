// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of pooling; those of windows are in invalid-conv.mlir. A function is named after the rule it breaks.

func.func @pool_c1(%arg0: tensor<4x4xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 3 or more, got 2}}
  %0 = onnx.AveragePool %arg0 {kernel_shape = array<i64>} : (tensor<4x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @pool_c1_global(%arg0: tensor<4x4xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 3 or more, got 2}}
  %0 = onnx.GlobalMaxPool %arg0 : (tensor<4x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @maxpool_c1(%arg0: tensor<1x4x8x8xf32>) {
  // expected-error@+1 {{expected 'storage_order' 0 or 1, got 2}}
  %0:2 = onnx.MaxPool %arg0 {kernel_shape = array<i64: 2, 2>, storage_order = 2 : i64} : (tensor<1x4x8x8xf32>) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @lppool_c1(%arg0: tensor<1x4x8x8xf32>) {
  // expected-error@+1 {{expected 'p' of 1 or more, got 0}}
  %0 = onnx.LpPool %arg0 {kernel_shape = array<i64: 2, 2>, p = 0 : i64} : (tensor<1x4x8x8xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @lppool_c1_global(%arg0: tensor<1x4x8x8xf32>) {
  // expected-error@+1 {{expected 'p' of 1 or more, got -3}}
  %0 = onnx.GlobalLpPool %arg0 {p = -3 : i64} : (tensor<1x4x8x8xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @pool_c1_unpool(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 3 or more, got 2}}
  %0 = onnx.MaxUnpool %arg0, %arg1, %none {kernel_shape = array<i64: 2, 2>} : (tensor<2x2xf32>, tensor<2x2xi64>, none) -> tensor<*xf32>
  return
}

// -----

func.func @maxunpool_c1(%arg0: tensor<1x1x2x2xf32>, %arg1: tensor<1x2x2xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 of rank 4, got 3}}
  %0 = onnx.MaxUnpool %arg0, %arg1, %none {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x2x2xi64>, none) -> tensor<*xf32>
  return
}

// -----

func.func @maxunpool_c2(%arg0: tensor<1x1x2x2xf32>, %arg1: tensor<1x1x2x3xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 3 of operand #1 to be 2 (from X), got 3}}
  %0 = onnx.MaxUnpool %arg0, %arg1, %none {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x3xi64>, none) -> tensor<*xf32>
  return
}

// -----

func.func @maxunpool_c3(%arg0: tensor<1x1x2x2xf32>, %arg1: tensor<1x1x2x2xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected 2 values}}
  %0 = onnx.MaxUnpool %arg0, %arg1, %none {kernel_shape = array<i64: 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, none) -> tensor<*xf32>
  return
}

// -----

func.func @maxunpool_c4(%arg0: tensor<1x1x2x2xf32>, %arg1: tensor<1x1x2x2xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected 2 values}}
  %0 = onnx.MaxUnpool %arg0, %arg1, %none {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, none) -> tensor<*xf32>
  return
}

// -----

func.func @maxunpool_c5(%arg0: tensor<1x1x2x2xf32>, %arg1: tensor<1x1x2x2xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected 4 values}}
  %0 = onnx.MaxUnpool %arg0, %arg1, %none {kernel_shape = array<i64: 2, 2>, pads = array<i64: 0, 0>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, none) -> tensor<*xf32>
  return
}

// -----

func.func @maxunpool_c6(%arg0: tensor<1x1x2x2xf32>, %arg1: tensor<1x1x2x2xi64>) {
  %shape = onnx.Constant {value = dense<[1, 5, 5]> : tensor<3xi64>} : tensor<3xi64>
  // expected-error@+1 {{expected dimension 0 of operand #2 to be 4 (sizes), got 3}}
  %0 = onnx.MaxUnpool %arg0, %arg1, %shape {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @maxunpool_c7(%arg0: tensor<1x1x2x2xf32>, %arg1: tensor<1x1x2x2xi64>) {
  %shape = onnx.Constant {value = dense<[1, 1, 3, 2]> : tensor<4xi64>} : tensor<4xi64>
  // expected-error@+1 {{expected output_shape of at least 3 along axis 3, got 2}}
  %0 = onnx.MaxUnpool %arg0, %arg1, %shape {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>) -> tensor<*xf32>
  return
}
