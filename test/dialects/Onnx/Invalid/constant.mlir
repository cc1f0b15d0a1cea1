// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of sources of values. A function is named after the rule it breaks.

func.func @constantofshape_c1(%arg0: tensor<2x2xi64>) {
  // expected-error@+1 {{expected operand #0 of rank 1, got 2}}
  %0 = onnx.ConstantOfShape %arg0 : (tensor<2x2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @constantofshape_c2(%arg0: tensor<2xi64>) {
  // expected-error@+1 {{expected 'value' of one element, got 2}}
  %0 = onnx.ConstantOfShape %arg0 {value = dense<1.0> : tensor<2xf32>} : (tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @constantofshape_c3() {
  %c0 = onnx.Constant {value = dense<[2, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected sizes of 0 or more, got -1}}
  %0 = onnx.ConstantOfShape %c0 : (tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @eyelike_c1(%arg0: tensor<3xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 2, got 1}}
  %0 = onnx.EyeLike %arg0 : (tensor<3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @eyelike_c2(%arg0: tensor<3x3xf32>) {
  // expected-error@+1 {{expected 'dtype' to be a numeric ONNX element type, got 8}}
  %0 = onnx.EyeLike %arg0 {dtype = 8 : i64} : (tensor<3x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @range_c1(%arg0: tensor<2xi64>, %arg1: tensor<i64>, %arg2: tensor<i64>) {
  // expected-error@+1 {{expected operand #0 to be a scalar}}
  %0 = onnx.Range %arg0, %arg1, %arg2 : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  return
}

// -----

func.func @range_c2() {
  %c0 = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %c1 = onnx.Constant {value = dense<4> : tensor<i64>} : tensor<i64>
  %c2 = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{expected a delta other than 0}}
  %0 = onnx.Range %c0, %c1, %c2 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  return
}
