// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of calls of functions of the program. A function is named after the rule it breaks.

func.func @extern_c1_input(%arg0: tensor<4xf64>) {
  // expected-error@+1 {{expected inputs and outputs with elements of types}}
  %0 = onnx.Extern %arg0 {operator_name = "acme.F-1", function = "acme_F", elements = [f32, f32], parameters = {}, optional = [], missing = []} : (tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @extern_c1_count(%arg0: tensor<4xf32>) {
  // expected-error@+1 {{expected inputs and outputs with elements of types}}
  %0 = onnx.Extern %arg0 {operator_name = "acme.F-1", function = "acme_F", elements = [f32], parameters = {}, optional = [], missing = []} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
