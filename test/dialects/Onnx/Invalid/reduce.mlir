// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of reductions. A function is named after the rule it breaks.

func.func @reduce_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<1x2xi64>) {
  // expected-error@+1 {{expected operand #1 of rank 0 to 1, got 2}}
  %0 = onnx.ReduceSum %arg0, %arg1 : (tensor<2x3xf32>, tensor<1x2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @reduce_c2(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected 'axes' in [-2, 1], got 2}}
  %0 = onnx.ReduceMax %arg0, %c1 : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @argextremum_c1(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 'axis' in [-2, 1], got -3}}
  %0 = onnx.ArgMax %arg0 {axis = -3 : i64} : (tensor<2x3xf32>) -> tensor<*xi64>
  return
}

// -----

func.func @argextremum_c2(%arg0: tensor<2x0xf32>) {
  // expected-error@+1 {{expected at least one element along axis 1}}
  %0 = onnx.ArgMin %arg0 {axis = 1 : i64} : (tensor<2x0xf32>) -> tensor<*xi64>
  return
}

// -----

func.func @axis_is_the_least_number(%arg0: tensor<2x3xf32>) {
  %axes = onnx.Constant {value = dense<-9223372036854775808> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected 'axes' in [-2, 1], got -9223372036854775808}}
  %0 = onnx.ReduceSum %arg0, %axes {keepdims = 1 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  return
}

// -----

func.func @cumsum_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{expected operand #1 to be a scalar}}
  %0 = onnx.CumSum %arg0, %arg1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @cumsum_c2(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<2> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{expected 'axis' in [-2, 1], got 2}}
  %0 = onnx.CumSum %arg0, %c1 : (tensor<2x3xf32>, tensor<i64>) -> tensor<*xf32>
  return
}

// -----

func.func @cumsum_c2_scalar(%arg0: tensor<f32>, %arg1: tensor<i64>) {
  // expected-error@+1 {{expected operand #0 of rank 1 or more, got 0}}
  %0 = onnx.CumSum %arg0, %arg1 : (tensor<f32>, tensor<i64>) -> tensor<*xf32>
  return
}

// -----

func.func @topk_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{expected operand #1 to be a scalar}}
  %0:2 = onnx.TopK %arg0, %arg1 : (tensor<2x3xf32>, tensor<2xi64>) -> (tensor<*xf32>, tensor<*xi64>)
  return
}

// -----

func.func @topk_c2(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected a K of 0 or more, got -1}}
  %0:2 = onnx.TopK %arg0, %c1 : (tensor<2x3xf32>, tensor<1xi64>) -> (tensor<*xf32>, tensor<*xi64>)
  return
}

// -----

func.func @topk_c3(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected 'axis' in [-2, 1], got 5}}
  %0:2 = onnx.TopK %arg0, %c1 {axis = 5 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> (tensor<*xf32>, tensor<*xi64>)
  return
}

// -----

func.func @topk_c4(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected a K of at most 3, got 4}}
  %0:2 = onnx.TopK %arg0, %c1 : (tensor<2x3xf32>, tensor<1xi64>) -> (tensor<*xf32>, tensor<*xi64>)
  return
}
