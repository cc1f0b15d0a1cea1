// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of operators that work element by element. A function is named after the rule it breaks.

func.func @cast_c1(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{expected 'to' to be an ONNX element type, got 99}}
  %0 = onnx.Cast %arg0 {to = 99 : i64} : (tensor<2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @prelu_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<4x1x1xf32>) {
  // expected-error@+1 {{expected operand #1 to broadcast to operand #0}}
  %0 = onnx.PRelu %arg0, %arg1 : (tensor<2x3xf32>, tensor<4x1x1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @clip_c1(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 to be a scalar or a vector of one element}}
  %0 = onnx.Clip %arg0, %arg1, %none : (tensor<2xf32>, tensor<2xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @swiglu_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{expected operands of one shape}}
  %0 = onnx.SwiGLU %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @bitcast_c1(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{expected 'to' to be an ONNX element type other than string, got 8}}
  %0 = onnx.BitCast %arg0 {to = 8 : i64} : (tensor<2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @bitcast_c2(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{expected element types of one width, got 'f32' and 'i64'}}
  %0 = onnx.BitCast %arg0 {to = 7 : i64} : (tensor<2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @mod_c1(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{expected a 'fmod' of 1 for floats, got 0}}
  %0 = onnx.Mod %arg0, %arg0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  return
}
