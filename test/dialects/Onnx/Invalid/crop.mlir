// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of operators that keep or add to a part. A function is named after the rule it breaks.

func.func @pad_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<1x4xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 of rank 1, got 2}}
  %0 = onnx.Pad %arg0, %arg1, %none, %none : (tensor<2x3xf32>, tensor<1x4xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @pad_c2(%arg0: tensor<2x3xf32>, %arg1: tensor<4xi64>, %arg2: tensor<2xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #2 to be a scalar}}
  %0 = onnx.Pad %arg0, %arg1, %arg2, %none : (tensor<2x3xf32>, tensor<4xi64>, tensor<2xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @pad_c3(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[1, 1, 1]> : tensor<3xi64>} : tensor<3xi64>
  %none = onnx.None
  // expected-error@+1 {{expected an even number of pads, got 3}}
  %0 = onnx.Pad %arg0, %c1, %none, %none : (tensor<2x3xf32>, tensor<3xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @pad_c4(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[-2, 0, -1, 0]> : tensor<4xi64>} : tensor<4xi64>
  %none = onnx.None
  // expected-error@+1 {{expected a padded dimension of 0 or more, got 2 padded by -2 and -1}}
  %0 = onnx.Pad %arg0, %c1, %none, %none : (tensor<2x3xf32>, tensor<4xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @pad_c4_overflow(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[9223372036854775807, 0, 0, 0]> : tensor<4xi64>} : tensor<4xi64>
  %none = onnx.None
  // expected-error@+1 {{expected a padded dimension of 0 or more, got 2 padded by 9223372036854775807 and 0}}
  %0 = onnx.Pad %arg0, %c1, %none, %none : (tensor<2x3xf32>, tensor<4xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @pad_c5(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 0, 0, 0]> : tensor<4xi64>} : tensor<4xi64>
  %none = onnx.None
  // expected-error@+1 {{expected a dimension of at least 3 for mode 'reflect' and pads of 2, got 2}}
  %0 = onnx.Pad %arg0, %c1, %none, %none {mode = "reflect"} : (tensor<2x3xf32>, tensor<4xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @pad_c5_edge_of_nothing(%arg0: tensor<0x3xf32>) {
  %c1 = onnx.Constant {value = dense<[1, 0, 0, 0]> : tensor<4xi64>} : tensor<4xi64>
  %none = onnx.None
  // expected-error@+1 {{expected a dimension of at least 1 for mode 'edge' and pads of 1, got 0}}
  %0 = onnx.Pad %arg0, %c1, %none, %none {mode = "edge"} : (tensor<0x3xf32>, tensor<4xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @pad_c5_wrap_of_nothing_left(%arg0: tensor<5xf32>) {
  %c1 = onnx.Constant {value = dense<[-5, 3]> : tensor<2xi64>} : tensor<2xi64>
  %none = onnx.None
  // expected-error@+1 {{expected a dimension of at least 6 for mode 'wrap' and pads of 3, got 5}}
  %0 = onnx.Pad %arg0, %c1, %none, %none {mode = "wrap"} : (tensor<5xf32>, tensor<2xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @pad_c5_reflect_of_what_is_left(%arg0: tensor<5xf32>) {
  %c1 = onnx.Constant {value = dense<[-2, 3]> : tensor<2xi64>} : tensor<2xi64>
  %none = onnx.None
  // expected-error@+1 {{expected a dimension of at least 6 for mode 'reflect' and pads of 3, got 5}}
  %0 = onnx.Pad %arg0, %c1, %none, %none {mode = "reflect"} : (tensor<5xf32>, tensor<2xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @pad_c6_all(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[1, 1]> : tensor<2xi64>} : tensor<2xi64>
  %none = onnx.None
  // expected-error@+1 {{expected bounds for 2 axes, got 1}}
  %0 = onnx.Pad %arg0, %c1, %none, %none : (tensor<2x3xf32>, tensor<2xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @pad_c6_of_the_run(%arg0: tensor<2x3xf32>, %arg1: tensor<2xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected bounds for 2 axes, got 1}}
  %0 = onnx.Pad %arg0, %arg1, %none, %none : (tensor<2x3xf32>, tensor<2xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @pad_c6(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[1, 1]> : tensor<2xi64>} : tensor<2xi64>
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected bounds for 2 axes, got 1}}
  %0 = onnx.Pad %arg0, %c1, %none, %c3 : (tensor<2x3xf32>, tensor<2xi64>, none, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @slice_c1(%arg0: tensor<2x3xf32>, %arg1: tensor<1x1xi64>, %arg2: tensor<1xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 of rank 1, got 2}}
  %0 = onnx.Slice %arg0, %arg1, %arg2, %none, %none : (tensor<2x3xf32>, tensor<1x1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @slice_c2(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[1, 1]> : tensor<2xi64>} : tensor<2xi64>
  %none = onnx.None
  // expected-error@+1 {{expected as many ends as starts, got 2 and 1}}
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %none : (tensor<2x3xf32>, tensor<1xi64>, tensor<2xi64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @slice_c3(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[1, 1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected as many steps as starts, got 2 and 1}}
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, none, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @slice_c4(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %c3 = onnx.Constant {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  %none = onnx.None
  // expected-error@+1 {{expected bounds for 2 axes, got 1}}
  %0 = onnx.Slice %arg0, %c1, %c2, %c3, %none : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<2xi64>, none) -> tensor<*xf32>
  return
}

// -----

func.func @slice_c5(%arg0: tensor<2x3xf32>) {
  %c1 = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected steps other than 0}}
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @trilu_c1(%arg0: tensor<3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 2 or more, got 1}}
  %0 = onnx.Trilu %arg0, %none : (tensor<3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @trilu_c2(%arg0: tensor<3x3xf32>, %arg1: tensor<2xi64>) {
  // expected-error@+1 {{expected operand #1 to be a scalar}}
  %0 = onnx.Trilu %arg0, %arg1 : (tensor<3x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @centercroppad_c1(%arg0: tensor<3x4xf32>, %arg1: tensor<1x2xi64>) {
  // expected-error@+1 {{expected operand #1 of rank 1, got 2}}
  %0 = onnx.CenterCropPad %arg0, %arg1 : (tensor<3x4xf32>, tensor<1x2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @centercroppad_c2(%arg0: tensor<3x4xf32>) {
  %c1 = onnx.Constant {value = dense<[5, 6]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected distinct 'axes', got 1 twice}}
  %0 = onnx.CenterCropPad %arg0, %c1 {axes = array<i64: 1, 1>} : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @centercroppad_c3(%arg0: tensor<3x4xf32>) {
  %c1 = onnx.Constant {value = dense<[5]> : tensor<1xi64>} : tensor<1xi64>
  // expected-error@+1 {{expected dimension 0 of operand #1 to be 2 (sizes of the axes), got 1}}
  %0 = onnx.CenterCropPad %arg0, %c1 : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @centercroppad_c3_negative(%arg0: tensor<3x4xf32>) {
  %c1 = onnx.Constant {value = dense<[5, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected sizes of 0 or more, got -1}}
  %0 = onnx.CenterCropPad %arg0, %c1 : (tensor<3x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @slice_of_the_run(%arg0: tensor<3xf32>, %arg1: tensor<1xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected a result of at most 3 in dimension 0, got 4}}
  %0 = onnx.Slice %arg0, %arg1, %arg1, %none, %none : (tensor<3xf32>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<4xf32>
  return
}
