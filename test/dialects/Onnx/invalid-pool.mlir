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
