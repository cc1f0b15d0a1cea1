// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of decision trees. A function is named after the rule it breaks.

func.func @treeensemble_c1(%arg0: tensor<2xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xf32>, %arg3: tensor<4xi32>, %arg4: tensor<4xi32>, %arg6: tensor<1xi32>, %arg7: tensor<5x1xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 2, got 1}}
  %0 = onnx.TreeEnsemble %arg0, %arg1, %arg2, %arg3, %arg4, %none, %arg6, %arg7 {depth = 3 : i64} : (tensor<2xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, none, tensor<1xi32>, tensor<5x1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @treeensemble_c2(%arg0: tensor<3x2xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xf32>, %arg3: tensor<5xi32>, %arg4: tensor<4xi32>, %arg6: tensor<1xi32>, %arg7: tensor<5x1xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 0 of operand #3 to be 4 (nodes), got 5}}
  %0 = onnx.TreeEnsemble %arg0, %arg1, %arg2, %arg3, %arg4, %none, %arg6, %arg7 {depth = 3 : i64} : (tensor<3x2xf32>, tensor<4xi32>, tensor<4xf32>, tensor<5xi32>, tensor<4xi32>, none, tensor<1xi32>, tensor<5x1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @treeensemble_c3(%arg0: tensor<3x2xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xf32>, %arg3: tensor<4xi32>, %arg4: tensor<4xi32>, %arg6: tensor<1xi32>, %arg7: tensor<5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #7 of rank 2, got 1}}
  %0 = onnx.TreeEnsemble %arg0, %arg1, %arg2, %arg3, %arg4, %none, %arg6, %arg7 {depth = 3 : i64} : (tensor<3x2xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, none, tensor<1xi32>, tensor<5xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @treeensemble_c4(%arg0: tensor<3x2xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xf32>, %arg3: tensor<4xi32>, %arg4: tensor<4xi32>, %arg6: tensor<1xi32>, %arg7: tensor<5x1xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a 'depth' of 0 or more, got -1}}
  %0 = onnx.TreeEnsemble %arg0, %arg1, %arg2, %arg3, %arg4, %none, %arg6, %arg7 {depth = -1 : i64} : (tensor<3x2xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, none, tensor<1xi32>, tensor<5x1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @treeensemble_c5(%arg0: tensor<3x2xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xf32>, %arg3: tensor<4xi32>, %arg4: tensor<4xi32>, %arg6: tensor<1xi32>, %arg7: tensor<5x1xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'aggregate_function' in [0, 3], got 4}}
  %0 = onnx.TreeEnsemble %arg0, %arg1, %arg2, %arg3, %arg4, %none, %arg6, %arg7 {aggregate_function = 4 : i64, depth = 3 : i64} : (tensor<3x2xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, none, tensor<1xi32>, tensor<5x1xf32>) -> tensor<*xf32>
  return
}
