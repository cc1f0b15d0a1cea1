// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of recurrent layers. A function is named after the rule it breaks.

func.func @recurrent_c1(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x16x3xf32>, %arg2: tensor<1x16x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 6 names in 'activations', got 3}}
  %0:3 = onnx.LSTM %arg0, %arg1, %arg2, %none, %none, %none, %none, %none {activations = ["Sigmoid", "Tanh", "Tanh"], direction = "bidirectional"} : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, none, none, none, none, none) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c2(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected the name of an activation of ONNX, got 'Step'}}
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %none, %none, %none {activations = ["Step"]} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c3(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'layout' 0 or 1, got 2}}
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %none, %none, %none {layout = 2 : i64} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c4(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'hidden_size' of the recurrence weights, got 5}}
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %none, %none, %none {hidden_size = 5 : i64} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c5(%arg0: tensor<2x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 3, got 2}}
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %none, %none, %none : (tensor<2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c6(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x4x7xf32>, %arg2: tensor<1x4x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 2 of operand #1 to be 3 (from the other operands), got 7}}
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %none, %none, %none : (tensor<5x2x3xf32>, tensor<1x4x7xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c7(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 0 of operand #1 to be 2 (from the other operands), got 1}}
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %none, %none, %none {direction = "bidirectional"} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c7_gates(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x8x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 1 of operand #2 to be 4 (from the other operands), got 8}}
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %none, %none, %none : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x8x4xf32>, none, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c8(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x4xf32>, %arg3: tensor<1x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 1 of operand #3 to be 8 (from the other operands), got 4}}
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %arg3, %none, %none : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<1x4xf32>, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c9(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x4xf32>, %arg4: tensor<5xi32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 0 of operand #4 to be 2 (from the other operands), got 5}}
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %none, %arg4, %none : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, tensor<5xi32>, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c10(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x4xf32>, %arg5: tensor<1x3x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 1 of operand #5 to be 2 (from the other operands), got 3}}
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %none, %none, %arg5 : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, tensor<1x3x4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c11(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x16x3xf32>, %arg2: tensor<1x16x4xf32>, %arg6: tensor<1x2x5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 2 of operand #6 to be 4 (from the other operands), got 5}}
  %0:3 = onnx.LSTM %arg0, %arg1, %arg2, %none, %none, %none, %arg6, %none : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, none, none, none, tensor<1x2x5xf32>, none) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c12(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x16x3xf32>, %arg2: tensor<1x16x4xf32>, %arg7: tensor<1x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 1 of operand #7 to be 12 (from the other operands), got 4}}
  %0:3 = onnx.LSTM %arg0, %arg1, %arg2, %none, %none, %none, %none, %arg7 : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, none, none, none, none, tensor<1x4xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @recurrent_c13(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a 'clip' of 0 or more, got -1}}
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %none, %none, %none {clip = -1.0 : f32} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}
