// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of normalisations. A function is named after the rule it breaks.

func.func @batchnormalization_c1(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 2 or more, got 1}}
  %0:3 = onnx.BatchNormalization %arg0, %arg1, %arg2, %arg3, %arg4 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<*xf32>, none, none)
  return
}

// -----

func.func @batchnormalization_c2(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<5xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  // expected-error@+1 {{expected dimension 0 of operand #2 to be 4 (channels), got 5}}
  %0:3 = onnx.BatchNormalization %arg0, %arg1, %arg2, %arg3, %arg4 : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<*xf32>, none, none)
  return
}

// -----

func.func @batchnormalization_c2_channels_last(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<8xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  // expected-error@+1 {{expected dimension 0 of operand #1 to be 4 (channels), got 8}}
  %0:3 = onnx.BatchNormalization %arg0, %arg1, %arg2, %arg3, %arg4 {channels_last} : (tensor<1x8x8x4xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<*xf32>, none, none)
  return
}

// -----

func.func @batchnormalization_c3(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  // expected-error@+1 {{expected a single result without 'training_mode'}}
  %0:3 = onnx.BatchNormalization %arg0, %arg1, %arg2, %arg3, %arg4 : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @instancenormalization_c1(%arg0: tensor<1x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 3 or more, got 2}}
  %0 = onnx.InstanceNormalization %arg0, %arg1, %arg2 : (tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @instancenormalization_c2(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{expected operand #1 of rank 1, got 2}}
  %0 = onnx.InstanceNormalization %arg0, %arg1, %arg2 : (tensor<1x4x8x8xf32>, tensor<1x4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @groupnormalization_c1(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 2 or more, got 1}}
  %0 = onnx.GroupNormalization %arg0, %arg1, %arg2 {num_groups = 2 : i64} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @groupnormalization_c2(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<2xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{expected dimension 0 of operand #1 to be 4 (channels), got 2}}
  %0 = onnx.GroupNormalization %arg0, %arg1, %arg2 {num_groups = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<2xf32>, tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @groupnormalization_c3(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{expected 'num_groups' of 1 or more, got 0}}
  %0 = onnx.GroupNormalization %arg0, %arg1, %arg2 {num_groups = 0 : i64} : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @groupnormalization_c4(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{expected channels divisible by 3 groups, got 4}}
  %0 = onnx.GroupNormalization %arg0, %arg1, %arg2 {num_groups = 3 : i64} : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @stash_c1(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{expected 'stash_type' 1 (f32) or 16 (bf16), got 11}}
  %0 = onnx.GroupNormalization %arg0, %arg1, %arg2 {num_groups = 2 : i64, stash_type = 11 : i64} : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @layernormalization_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 to broadcast to operand #0}}
  %0:3 = onnx.LayerNormalization %arg0, %arg1, %none : (tensor<2x3xf32>, tensor<4xf32>, none) -> (tensor<*xf32>, none, none)
  return
}

// -----

func.func @layernormalization_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{expected operand #2 to broadcast to operand #0}}
  %0:3 = onnx.LayerNormalization %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<3xf32>, tensor<4xf32>) -> (tensor<*xf32>, none, none)
  return
}

// -----

func.func @rmsnormalization_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<4xf32>) {
  // expected-error@+1 {{expected operand #1 to broadcast to operand #0}}
  %0 = onnx.RMSNormalization %arg0, %arg1 : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @lrn_c1(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 2 or more, got 1}}
  %0 = onnx.LRN %arg0 {size = 3 : i64} : (tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @lrn_c2(%arg0: tensor<1x4x8x8xf32>) {
  // expected-error@+1 {{expected 'size' of 1 or more, got 0}}
  %0 = onnx.LRN %arg0 {size = 0 : i64} : (tensor<1x4x8x8xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @lpnormalization_c1(%arg0: tensor<1x4x8x8xf32>) {
  // expected-error@+1 {{expected 'p' 1 or 2, got 3}}
  %0 = onnx.LpNormalization %arg0 {p = 3 : i64} : (tensor<1x4x8x8xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @meanvariancenormalization_c1(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 'axes' in [-2, 1], got 2}}
  %0 = onnx.MeanVarianceNormalization %arg0 : (tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @dropout_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 to be a scalar or a vector of one element}}
  %0:2 = onnx.Dropout %arg0, %arg1, %none : (tensor<2x3xf32>, tensor<3xf32>, none) -> (tensor<*xf32>, none)
  return
}
