// RUN: cameo-opt %s --fix-sizes=sizes=batch=2 --split-input-file --verify-diagnostics
// RUN: not cameo-opt %s --fix-sizes=sizes=batch=two 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: fix-sizes: expected NAME=SIZE, got 'batch=two'

// An operator that takes one size alone.
func.func @main(%x: tensor<?x6xf32, #onnx.dims<["batch", ""]>>) -> (tensor<1x6xf32>, tensor<2x6xf32>) {
  %parts = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{expected}}
  %0:2 = onnx.Split %x, %parts {axis = 0 : i64} : (tensor<?x6xf32, #onnx.dims<["batch", ""]>>, tensor<2xi64>) -> (tensor<1x6xf32>, tensor<2x6xf32>)
  return %0#0, %0#1 : tensor<1x6xf32>, tensor<2x6xf32>
}

// -----

// expected-error@+1 {{fix-sizes: expected the name of a dimension of an input of @main, got 'batch'}}
module {
  func.func @main(%x: tensor<?x6xf32, #onnx.dims<["n", ""]>>) -> tensor<?x6xf32, #onnx.dims<["n", ""]>> {
    return %x : tensor<?x6xf32, #onnx.dims<["n", ""]>>
  }
}
