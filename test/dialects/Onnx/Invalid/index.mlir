// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of operators that index. A function is named after the rule it breaks.

func.func @gather_c1(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected 'axis' in [-2, 1], got 2}}
  %0 = onnx.Gather %arg0, %c1 {axis = 2 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gather_c2(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[0, -3]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected indices in [-2, 1], got -3}}
  %0 = onnx.Gather %arg0, %c1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gather_c3(%arg0: tensor<0x3xf32>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{expected an indexed dimension of 1 or more, got 0}}
  %0 = onnx.Gather %arg0, %arg1 : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gatherelements_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xi64>) {
  // expected-error@+1 {{expected 'axis' in [-2, 1], got 2}}
  %0 = onnx.GatherElements %arg0, %arg1 {axis = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gatherelements_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{expected operand #1 of rank 2, got 1}}
  %0 = onnx.GatherElements %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gatherelements_c3(%arg0: tensor<2xf32>) {
  %c1 = onnx.Constant {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected indices in [-2, 1], got 2}}
  %0 = onnx.GatherElements %arg0, %c1 : (tensor<2xf32>, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gatherelements_c4(%arg0: tensor<2x3xf32>, %arg1: tensor<3x3xi64>) {
  // expected-error@+1 {{expected dimension 0 of the indices to be at most 2, got 3}}
  %0 = onnx.GatherElements %arg0, %arg1 {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3x3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gatherelements_c4_of_nothing(%arg0: tensor<2x0xf32>, %arg1: tensor<2x3xi64>) {
  // expected-error@+1 {{expected an indexed dimension of 1 or more, got 0}}
  %0 = onnx.GatherElements %arg0, %arg1 {axis = 1 : i64} : (tensor<2x0xf32>, tensor<2x3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gathernd_c1(%arg0: tensor<f32>, %arg1: tensor<1xi64>) {
  // expected-error@+1 {{expected operand #0 of rank 1 or more, got 0}}
  %0 = onnx.GatherND %arg0, %arg1 : (tensor<f32>, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gathernd_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<2x1xi64>) {
  // expected-error@+1 {{expected 'batch_dims' in [0, 1], got 2}}
  %0 = onnx.GatherND %arg0, %arg1 {batch_dims = 2 : i64} : (tensor<2x3xf32>, tensor<2x1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gathernd_c3(%arg0: tensor<2x3xf32>, %arg1: tensor<4x1xi64>) {
  // expected-error@+1 {{expected dimension 0 of operand #1 to be 2 (batch dimension of operand #0), got 4}}
  %0 = onnx.GatherND %arg0, %arg1 {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<4x1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gathernd_c4(%arg0: tensor<2x3xf32>, %arg1: tensor<4x3xi64>) {
  // expected-error@+1 {{expected index tuples of 1 to 2 values, got 3}}
  %0 = onnx.GatherND %arg0, %arg1 : (tensor<2x3xf32>, tensor<4x3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @gathernd_c5(%arg0: tensor<2x0xf32>, %arg1: tensor<4x2xi64>) {
  // expected-error@+1 {{expected an indexed dimension of 1 or more, got 0}}
  %0 = onnx.GatherND %arg0, %arg1 : (tensor<2x0xf32>, tensor<4x2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @scatterelements_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xi64>, %arg2: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 'axis' in [-2, 1], got -3}}
  %0 = onnx.ScatterElements %arg0, %arg1, %arg2 {axis = -3 : i64} : (tensor<2x3xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @scatterelements_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<3xi64>, %arg2: tensor<3xf32>) {
  // expected-error@+1 {{expected operand #1 of rank 2, got 1}}
  %0 = onnx.ScatterElements %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<3xi64>, tensor<3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @scatterelements_c3(%arg0: tensor<2xf32>, %arg2: tensor<1xf32>) {
  %c1 = onnx.Constant {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected indices in [-2, 1], got 2}}
  %0 = onnx.ScatterElements %arg0, %c1, %arg2 : (tensor<2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @scatterelements_c4(%arg0: tensor<2x3xf32>, %arg1: tensor<1x2xi64>, %arg2: tensor<1x3xf32>) {
  // expected-error@+1 {{expected dimension 1 of operand #2 to be 2 (as in the indices), got 3}}
  %0 = onnx.ScatterElements %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<1x2xi64>, tensor<1x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @scatterelements_c5(%arg0: tensor<2x3xf32>, %arg1: tensor<2x4xi64>, %arg2: tensor<2x4xf32>) {
  // expected-error@+1 {{expected dimension 1 of the indices to be at most 3, got 4}}
  %0 = onnx.ScatterElements %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<2x4xi64>, tensor<2x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @scatternd_c1(%arg0: tensor<f32>, %arg1: tensor<1xi64>, %arg2: tensor<f32>) {
  // expected-error@+1 {{expected operand #0 of rank 1 or more, got 0}}
  %0 = onnx.ScatterND %arg0, %arg1, %arg2 : (tensor<f32>, tensor<1xi64>, tensor<f32>) -> tensor<*xf32>
  return
}

// -----

func.func @scatternd_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<4x3xi64>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{expected index tuples of 1 to 2 values, got 3}}
  %0 = onnx.ScatterND %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<4x3xi64>, tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @scatternd_c3(%arg0: tensor<2x3xf32>, %arg1: tensor<4x1xi64>, %arg2: tensor<4xf32>) {
  // expected-error@+1 {{expected operand #2 of rank 2, got 1}}
  %0 = onnx.ScatterND %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<4x1xi64>, tensor<4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @scatternd_c4(%arg0: tensor<2x3xf32>, %arg1: tensor<4x1xi64>, %arg2: tensor<4x2xf32>) {
  // expected-error@+1 {{expected dimension 1 of operand #2 to be 3 (from indices and data), got 2}}
  %0 = onnx.ScatterND %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<4x1xi64>, tensor<4x2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @scatternd_c5(%arg0: tensor<0x3xf32>, %arg1: tensor<4x1xi64>, %arg2: tensor<4x3xf32>) {
  // expected-error@+1 {{expected an indexed dimension of 1 or more, got 0}}
  %0 = onnx.ScatterND %arg0, %arg1, %arg2 : (tensor<0x3xf32>, tensor<4x1xi64>, tensor<4x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @onehot_c1(%arg0: tensor<2xi64>, %arg1: tensor<2xi64>, %arg2: tensor<2xf32>) {
  // expected-error@+1 {{expected operand #1 to be a scalar}}
  %0 = onnx.OneHot %arg0, %arg1, %arg2 : (tensor<2xi64>, tensor<2xi64>, tensor<2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @onehot_c2(%arg0: tensor<2xi64>, %arg2: tensor<3xf32>) {
  %c1 = onnx.Constant {value = dense<4> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{expected dimension 0 of operand #2 to be 2 (off and on value), got 3}}
  %0 = onnx.OneHot %arg0, %c1, %arg2 : (tensor<2xi64>, tensor<i64>, tensor<3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @onehot_c3(%arg0: tensor<2xi64>, %arg2: tensor<2xf32>) {
  %c1 = onnx.Constant {value = dense<-4> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{expected a depth of 1 or more, got -4}}
  %0 = onnx.OneHot %arg0, %c1, %arg2 : (tensor<2xi64>, tensor<i64>, tensor<2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @onehot_c4(%arg0: tensor<2xi64>, %arg2: tensor<2xf32>) {
  %c1 = onnx.Constant {value = dense<4> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{expected 'axis' in [-2, 1], got 2}}
  %0 = onnx.OneHot %arg0, %c1, %arg2 {axis = 2 : i64} : (tensor<2xi64>, tensor<i64>, tensor<2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @compress_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<1x2xi1>) {
  // expected-error@+1 {{expected operand #1 of rank 1, got 2}}
  %0 = onnx.Compress %arg0, %arg1 : (tensor<2x3xf32>, tensor<1x2xi1>) -> tensor<*xf32>
  return
}

// -----

func.func @compress_c2(%arg0: tensor<f32>, %arg1: tensor<1xi1>) {
  // expected-error@+1 {{expected operand #0 of rank 1 or more, got 0}}
  %0 = onnx.Compress %arg0, %arg1 : (tensor<f32>, tensor<1xi1>) -> tensor<*xf32>
  return
}

// -----

func.func @compress_c3(%arg0: tensor<2x3xf32>, %arg1: tensor<2xi1>) {
  // expected-error@+1 {{expected 'axis' in [-2, 1], got 2}}
  %0 = onnx.Compress %arg0, %arg1 {axis = 2 : i64} : (tensor<2x3xf32>, tensor<2xi1>) -> tensor<*xf32>
  return
}

// -----

func.func @compress_c4(%arg0: tensor<2x3xf32>, %arg1: tensor<3xi1>) {
  // expected-error@+1 {{expected a condition of at most 2 elements, got 3}}
  %0 = onnx.Compress %arg0, %arg1 {axis = 0 : i64} : (tensor<2x3xf32>, tensor<3xi1>) -> tensor<*xf32>
  return
}

// -----

func.func @reversesequence_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{expected 'time_axis' and 'batch_axis' to be 0 and 1, or 1 and 0, got 1 and 1}}
  %0 = onnx.ReverseSequence %arg0, %arg1 {time_axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @reversesequence_c2(%arg0: tensor<3xf32>, %arg1: tensor<3xi64>) {
  // expected-error@+1 {{expected operand #0 of rank 2 or more, got 1}}
  %0 = onnx.ReverseSequence %arg0, %arg1 : (tensor<3xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @reversesequence_c3(%arg0: tensor<2x3xf32>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{expected dimension 0 of operand #1 to be 3 (the batch), got 2}}
  %0 = onnx.ReverseSequence %arg0, %arg1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @nonmaxsuppression_c1(%arg0: tensor<6x4xf32>, %arg1: tensor<1x1x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 3, got 2}}
  %0 = onnx.NonMaxSuppression %arg0, %arg1, %none, %none, %none : (tensor<6x4xf32>, tensor<1x1x6xf32>, none, none, none) -> tensor<*xi64>
  return
}

// -----

func.func @nonmaxsuppression_c2(%arg0: tensor<1x6x5xf32>, %arg1: tensor<1x1x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 2 of operand #0 to be 4 (corners of a box), got 5}}
  %0 = onnx.NonMaxSuppression %arg0, %arg1, %none, %none, %none : (tensor<1x6x5xf32>, tensor<1x1x6xf32>, none, none, none) -> tensor<*xi64>
  return
}

// -----

func.func @nonmaxsuppression_c3(%arg0: tensor<1x6x4xf32>, %arg1: tensor<1x1x7xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 2 of operand #1 to be 6 (number of boxes), got 7}}
  %0 = onnx.NonMaxSuppression %arg0, %arg1, %none, %none, %none : (tensor<1x6x4xf32>, tensor<1x1x7xf32>, none, none, none) -> tensor<*xi64>
  return
}

// -----

func.func @nonmaxsuppression_c4(%arg0: tensor<1x6x4xf32>, %arg1: tensor<1x1x6xf32>, %arg2: tensor<2xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #2 to be a scalar}}
  %0 = onnx.NonMaxSuppression %arg0, %arg1, %arg2, %none, %none : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<2xi64>, none, none) -> tensor<*xi64>
  return
}

// -----

func.func @nonmaxsuppression_c5(%arg0: tensor<1x33554432x4xf32>, %arg1: tensor<1x8388608x33554432xf32>, %arg2: tensor<i64>) {
  %none = onnx.None
  // expected-error@+1 {{expected a result of at most 2^48 elements, got 'tensor<281474976710656x3xi64>'}}
  %0 = onnx.NonMaxSuppression %arg0, %arg1, %arg2, %none, %none : (tensor<1x33554432x4xf32>, tensor<1x8388608x33554432xf32>, tensor<i64>, none, none) -> tensor<*xi64>
  return
}

// -----

func.func @nonzero_c1(%arg0: tensor<140737488355328x2xf32>) {
  // expected-error@+1 {{expected a result of at most 2^48 elements, got 'tensor<281474976710656x2xi64>'}}
  %0 = onnx.NonZero %arg0 : (tensor<140737488355328x2xf32>) -> tensor<*xi64>
  return
}

// -----

func.func @unique_c1(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 'axis' in [-2, 1], got 2}}
  %0:4 = onnx.Unique %arg0 {axis = 2 : i64} : (tensor<2x3xf32>) -> (tensor<*xf32>, none, none, none)
  return
}
