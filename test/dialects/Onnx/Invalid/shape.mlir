// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of operators that change shapes. A function is named after the rule it breaks.

func.func @reshape_c1(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[-2, 3]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected sizes of -1 or more, got -2}}
  %0 = onnx.Reshape %arg0, %c1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @reshape_c2(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[-1, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected at most one -1 in the shape, got [-1, -1]}}
  %0 = onnx.Reshape %arg0, %c1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @reshape_c3(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 3, 0]> : tensor<3xi64>} : tensor<3xi64>
  // expected-error@+1 {{expected 0 in the shape only for dimensions of the input, got one at 2}}
  %0 = onnx.Reshape %arg0, %c1 : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @reshape_c4(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 4]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected as many elements as the input, got [2, 4]}}
  %0 = onnx.Reshape %arg0, %c1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @reshape_c5(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[4, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected a shape that divides the 6 elements, got [4, -1]}}
  %0 = onnx.Reshape %arg0, %c1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @reshape_c5_zero(%arg0: tensor<0x3xf32>) {
  %c1 = onnx.Constant {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected a shape that divides the 0 elements, got [0, -1]}}
  %0 = onnx.Reshape %arg0, %c1 {allowzero = 1 : i64} : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @reshape_c6(%arg0: tensor<2x3xf32>, %arg1: tensor<1x2xi64>) {
  // expected-error@+1 {{expected operand #1 of rank 1, got 2}}
  %0 = onnx.Reshape %arg0, %arg1 : (tensor<2x3xf32>, tensor<1x2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @flatten_c1(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 'axis' in [-2, 2], got 3}}
  %0 = onnx.Flatten %arg0 {axis = 3 : i64} : (tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @squeeze_c1(%arg0: tensor<1x3xf32>) {
  %c1 = onnx.Constant {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected 'axes' in [-2, 1], got 2}}
  %0 = onnx.Squeeze %arg0, %c1 : (tensor<1x3xf32>, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @squeeze_c2(%arg0: tensor<1x3xf32>) {
  %c1 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected dimension 1 to be 1, got 3}}
  %0 = onnx.Squeeze %arg0, %c1 : (tensor<1x3xf32>, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @unsqueeze_c1(%arg0: tensor<3xf32>) {
  %c1 = onnx.Constant {value = dense<[0, 3]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected 'axes' in [-3, 2], got 3}}
  %0 = onnx.Unsqueeze %arg0, %c1 : (tensor<3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}
