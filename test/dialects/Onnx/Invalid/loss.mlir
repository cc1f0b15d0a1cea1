// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of losses. A function is named after the rule it breaks.

func.func @loss_c1(%arg0: tensor<3xf32>, %arg1: tensor<3xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 2 or more, got 1}}
  %0 = onnx.NegativeLogLikelihoodLoss %arg0, %arg1, %none : (tensor<3xf32>, tensor<3xi64>, none) -> tensor<*xf32>
  return
}

// -----

func.func @loss_c2(%arg0: tensor<3x5xf32>, %arg1: tensor<3xi64>, %arg2: tensor<1x5xf32>) {
  // expected-error@+1 {{expected operand #2 of rank 1, got 2}}
  %0 = onnx.NegativeLogLikelihoodLoss %arg0, %arg1, %arg2 : (tensor<3x5xf32>, tensor<3xi64>, tensor<1x5xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @loss_c3(%arg0: tensor<3x5xf32>, %arg1: tensor<3x1xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 of rank 1, got 2}}
  %0:2 = onnx.SoftmaxCrossEntropyLoss %arg0, %arg1, %none : (tensor<3x5xf32>, tensor<3x1xi64>, none) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @loss_c4(%arg0: tensor<3x5xf32>, %arg1: tensor<3xi64>, %arg2: tensor<3xf32>) {
  // expected-error@+1 {{expected dimension 0 of operand #2 to be 5 (classes), got 3}}
  %0:2 = onnx.SoftmaxCrossEntropyLoss %arg0, %arg1, %arg2 : (tensor<3x5xf32>, tensor<3xi64>, tensor<3xf32>) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @loss_c5(%arg0: tensor<3x5xf32>, %arg1: tensor<4xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 0 of operand #1 to be 3 (as in the scores), got 4}}
  %0 = onnx.NegativeLogLikelihoodLoss %arg0, %arg1, %none : (tensor<3x5xf32>, tensor<4xi64>, none) -> tensor<*xf32>
  return
}

// -----

func.func @loss_c6(%arg0: tensor<3x0xf32>, %arg1: tensor<3xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected scores of at least one class, got none}}
  %0 = onnx.NegativeLogLikelihoodLoss %arg0, %arg1, %none : (tensor<3x0xf32>, tensor<3xi64>, none) -> tensor<*xf32>
  return
}
