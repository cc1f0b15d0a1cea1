// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of #onnx.transposed.

func.func @transposed_c1() {
  // expected-error@+1 {{expected a permutation of 2 dimensions, got [0, 0]}}
  %0 = onnx.Constant {value = #onnx.transposed<dense_resource<w> : tensor<2x3xf32>, [0, 0]> : tensor<2x2xf32>} : tensor<2x2xf32>
  return
}

// -----

func.func @transposed_c2() {
  // expected-error@+1 {{expected as many elements as 'tensor<2x3xf32>', and its element type, got 'tensor<3x3xf32>'}}
  %0 = onnx.Constant {value = #onnx.transposed<dense_resource<w> : tensor<2x3xf32>, [1, 0]> : tensor<3x3xf32>} : tensor<3x3xf32>
  return
}
