// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of what operators of a size that data decides are taken apart into. A function is named after the rule it breaks.

func.func @prefix_c1(%arg0: tensor<f32>, %arg1: tensor<i64>) {
  // expected-error@+1 {{expected operand #0 of rank 1 or more, got 0}}
  %0 = onnx.Prefix %arg0, %arg1 : (tensor<f32>, tensor<i64>) -> tensor<*xf32>
  return
}

// -----

func.func @prefix_c2(%arg0: tensor<4xf32>, %arg1: tensor<1xi64>) {
  // expected-error@+1 {{expected operand #1 of rank 0, got 1}}
  %0 = onnx.Prefix %arg0, %arg1 : (tensor<4xf32>, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @countedunique_c1(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{expected 'axis' in [-1, 0], got 1}}
  %0:4 = onnx.CountedUnique %arg0 {axis = 1 : i64} : (tensor<4xf32>) -> (tensor<*xi64>, tensor<*xi64>, tensor<*xi64>, tensor<*xi64>)
  return
}

// -----

func.func @countednonmaxsuppression_c1(%arg0: tensor<6x4xf32>, %arg1: tensor<1x1x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 3, got 2}}
  %0:2 = onnx.CountedNonMaxSuppression %arg0, %arg1, %none, %none, %none : (tensor<6x4xf32>, tensor<1x1x6xf32>, none, none, none) -> (tensor<*xi64>, tensor<*xi64>)
  return
}

// -----

func.func @choose_c1(%c: tensor<2xi1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 0, got 1}}
  %0 = onnx.Choose %c, %x, %x : (tensor<2xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @choose_c2(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error@+1 {{expected operand #2 to have element type 'f32' like operand #1, got 'f64'}}
  %0 = onnx.Choose %c, %x, %y : (tensor<i1>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @choose_c3(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4x1xf32>) {
  // expected-error@+1 {{expected X and Y of one rank, got 'tensor<4xf32>' and 'tensor<4x1xf32>'}}
  %0 = onnx.Choose %c, %x, %y : (tensor<i1>, tensor<4xf32>, tensor<4x1xf32>) -> tensor<4xf32>
  return
}
