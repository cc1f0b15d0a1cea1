// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of all operators. A function is named after the rule it breaks.

func.func @op_c1(%arg0: tensor<2xf32>) {
  // expected-error@+1 {{has no attribute 'axes'}}
  %0 = onnx.Relu %arg0 {axes = 1 : i64} : (tensor<2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @op_c2_rank(%arg0: tensor<1xf32>) {
  // expected-error@+2 {{expected a result of at most 32 dimensions, got 33}}
  %c1 = onnx.Constant {value = dense<1> : tensor<33xi64>} : tensor<33xi64>
  %0 = onnx.Expand %arg0, %c1 : (tensor<1xf32>, tensor<33xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @op_c2_shape(%arg0: tensor<1xf32>, %arg1: tensor<4294967296xi64>) {
  // expected-error@+1 {{expected a result of at most 32 dimensions, got 4294967296}}
  %0 = onnx.ConstantOfShape %arg1 : (tensor<4294967296xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @op_c2_request(%arg0: tensor<1xf32>, %arg1: tensor<4294967296xi64>) {
  // expected-error@+1 {{expected a result of at most 32 dimensions, got 4294967296}}
  %0 = onnx.Reshape %arg0, %arg1 : (tensor<1xf32>, tensor<4294967296xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @op_c2(%arg0: tensor<1x1xf32>) {
  %c1 = onnx.Constant {value = dense<[16777216, 33554432]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected a result of at most 2^48 elements}}
  %0 = onnx.Expand %arg0, %c1 : (tensor<1x1xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @op_c3(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result #0 to be 'tensor<2x3xf32>', got 'tensor<2x4xf32>'}}
  %0 = onnx.Relu %arg0 : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @op_c3_element_type(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result #0 to be 'tensor<2x3xf32>', got 'tensor<2x3xi32>'}}
  %0 = onnx.Relu %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @type_c1(%arg0: tensor<2xf32>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{expected operand #1 to have element type 'f32' like operand #0, got 'i64'}}
  %0 = onnx.Add %arg0, %arg1 : (tensor<2xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @operand_type(%arg0: tensor<2xi1>, %arg1: tensor<2xi1>) {
  // expected-error@+1 {{operand #0 must be tensor of}}
  %0 = onnx.Add %arg0, %arg1 : (tensor<2xi1>, tensor<2xi1>) -> tensor<*xf32>
  return
}

// -----

func.func @broadcast_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<2x4xf32>) {
  // expected-error@+1 {{expected operands that broadcast, got 4 against 3 in dimension 1}}
  %0 = onnx.Mul %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @axis_c1(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 'axis' in [-2, 1], got 2}}
  %0 = onnx.Softmax %arg0 {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @axis_c2(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[1, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected distinct 'axes', got -1 twice}}
  %0 = onnx.ReduceL1 %arg0, %c1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @enum_value(%arg0: tensor<2x3x4x4xf32>) {
  // expected-error@+1 {{attribute 'mode' failed to satisfy constraint: one of DCR, CRD}}
  %0 = onnx.DepthToSpace %arg0 {blocksize = 1 : i64, mode = "RCD"} : (tensor<2x3x4x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @missing_attribute(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) {
  // expected-error@+1 {{requires attribute 'axis'}}
  %0 = onnx.Concat %arg0, %arg1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  return
}
