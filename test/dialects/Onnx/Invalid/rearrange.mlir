// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of operators that move elements. A function is named after the rule it breaks.

func.func @transpose_c1(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 'perm' to be a permutation, got [1, 1]}}
  %0 = onnx.Transpose %arg0 {perm = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @transpose_c1_negative(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 'perm' to be a permutation, got [-1, 0]}}
  %0 = onnx.Transpose %arg0 {perm = array<i64: -1, 0>} : (tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @transpose_c2(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 'perm' of 2 values, got 3}}
  %0 = onnx.Transpose %arg0 {perm = array<i64: 2, 1, 0>} : (tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @concat_c1(%arg0: tensor<2x3xf32>) {
  // expected-error@+1 {{expected 'axis' in [-2, 1], got 2}}
  %0 = onnx.Concat %arg0 {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @concat_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) {
  // expected-error@+1 {{expected operand #1 of rank 2, got 1}}
  %0 = onnx.Concat %arg0, %arg1 {axis = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @concat_c3(%arg0: tensor<2x3xf32>, %arg1: tensor<2x4xf32>) {
  // expected-error@+1 {{expected dimension 1 of operand #1 to be 3 as in the operands before it, got 4}}
  %0 = onnx.Concat %arg0, %arg1 {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @concat_c4() {
  // expected-error@+1 {{expected at least one operand}}
  %0 = onnx.Concat {axis = 0 : i64} : () -> tensor<*xf32>
  return
}

// -----

func.func @split_c1(%arg0: tensor<6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'num_outputs' to be the number of results, 2, got 3}}
  %0:2 = onnx.Split %arg0, %none {num_outputs = 3 : i64} : (tensor<6xf32>, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @split_c2(%arg0: tensor<5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a dimension of at least 6 to split into 4 parts of 2, got 5}}
  %0:4 = onnx.Split %arg0, %none {num_outputs = 4 : i64} : (tensor<5xf32>, none) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @split_c3(%arg0: tensor<6xf32>) {
  %c1 = onnx.Constant {value = dense<[3, 3]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected either the operand 'split' or the attribute 'num_outputs', got both}}
  %0:2 = onnx.Split %arg0, %c1 {num_outputs = 2 : i64} : (tensor<6xf32>, tensor<2xi64>) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @split_c4(%arg0: tensor<6xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 2, 2]> : tensor<3xi64>} : tensor<3xi64>
  // expected-error@+1 {{expected 2 sizes in operand #1, one per result, got 3}}
  %0:2 = onnx.Split %arg0, %c1 : (tensor<6xf32>, tensor<3xi64>) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @split_c5(%arg0: tensor<6xf32>) {
  %c1 = onnx.Constant {value = dense<[-1, 7]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected sizes of 0 or more, got -1}}
  %0:2 = onnx.Split %arg0, %c1 : (tensor<6xf32>, tensor<2xi64>) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @split_c6(%arg0: tensor<6xf32>) {
  %c1 = onnx.Constant {value = dense<[3, 4]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected sizes that add up to 6, got 7}}
  %0:2 = onnx.Split %arg0, %c1 : (tensor<6xf32>, tensor<2xi64>) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @split_c7(%arg0: tensor<6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected at least one result}}
  onnx.Split %arg0, %none : (tensor<6xf32>, none) -> ()
  return
}

// -----

func.func @split_c8(%arg0: tensor<6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'axis' in [-1, 0], got 1}}
  %0:2 = onnx.Split %arg0, %none {axis = 1 : i64} : (tensor<6xf32>, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @split_c9(%arg0: tensor<7xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a dimension of 2 equal parts, got 7}}
  %0:2 = onnx.Split %arg0, %none : (tensor<7xf32>, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @expand_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<1x2xi64>) {
  // expected-error@+1 {{expected operand #1 of rank 1, got 2}}
  %0 = onnx.Expand %arg0, %arg1 : (tensor<2x3xf32>, tensor<1x2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @expand_c2(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[2, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected sizes of 0 or more, got -1}}
  %0 = onnx.Expand %arg0, %c1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @expand_c3(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 4]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected a shape that the input broadcasts with, got 4 for 3}}
  %0 = onnx.Expand %arg0, %c1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @tile_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<1x2xi64>) {
  // expected-error@+1 {{expected operand #1 of rank 1, got 2}}
  %0 = onnx.Tile %arg0, %arg1 : (tensor<2x3xf32>, tensor<1x2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @tile_c2(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected 2 repeats, one per dimension, got 1}}
  %0 = onnx.Tile %arg0, %c1 : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @tile_c3(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[1, -2]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected repeats of 0 or more, got -2}}
  %0 = onnx.Tile %arg0, %c1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @tile_c4(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[1, 9223372036854775807]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected sizes that fit 64 bits, got 3 * 9223372036854775807}}
  %0 = onnx.Tile %arg0, %c1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @depthtospace_c1(%arg0: tensor<4x4x4xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 4, got 3}}
  %0 = onnx.DepthToSpace %arg0 {blocksize = 2 : i64} : (tensor<4x4x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @depthtospace_c2(%arg0: tensor<1x4x4x4xf32>) {
  // expected-error@+1 {{expected 'blocksize' in [1, 65536], got 0}}
  %0 = onnx.DepthToSpace %arg0 {blocksize = 0 : i64} : (tensor<1x4x4x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @depthtospace_c3(%arg0: tensor<1x6x4x4xf32>) {
  // expected-error@+1 {{expected a dimension divisible by 4, got 6}}
  %0 = onnx.DepthToSpace %arg0 {blocksize = 2 : i64} : (tensor<1x6x4x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @spacetodepth_c1(%arg0: tensor<4x4x4xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 4, got 3}}
  %0 = onnx.SpaceToDepth %arg0 {blocksize = 2 : i64} : (tensor<4x4x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @spacetodepth_c2(%arg0: tensor<1x4x4x4xf32>) {
  // expected-error@+1 {{expected 'blocksize' in [1, 65536], got -2}}
  %0 = onnx.SpaceToDepth %arg0 {blocksize = -2 : i64} : (tensor<1x4x4x4xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @spacetodepth_c3(%arg0: tensor<1x4x4x5xf32>) {
  // expected-error@+1 {{expected a dimension divisible by 2, got 5}}
  %0 = onnx.SpaceToDepth %arg0 {blocksize = 2 : i64} : (tensor<1x4x4x5xf32>) -> tensor<*xf32>
  return
}

// -----

// One error, whatever is wrong with both.
func.func @spacetodepth_c3_twice(%arg0: tensor<1x4x5x7xf32>) {
  // expected-error@+1 {{expected a dimension divisible by 2, got 5}}
  %0 = onnx.SpaceToDepth %arg0 {blocksize = 2 : i64} : (tensor<1x4x5x7xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @tile_of_the_run(%arg0: tensor<3xf32>, %arg1: tensor<1xi64>) {
  // expected-error@+1 {{expected a result that is a multiple of the input, got 7 of 3}}
  %0 = onnx.Tile %arg0, %arg1 : (tensor<3xf32>, tensor<1xi64>) -> tensor<7xf32>
  return
}
