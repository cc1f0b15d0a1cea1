// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of calls of functions of the program. A function is named after the rule it breaks.

func.func @extern_c1_inputs(%x: tensor<4xf32>) {
  // expected-error @below {{expected 2 inputs and 1 outputs, got 1 and 1}}
  %0 = task.extern "f"(%x) {operator_name = "acme.F-1", parameters = {}, optional = [], missing = [],
      input_types = [tensor<4xf32>, none, tensor<4xf32>], output_types = [tensor<4xf32>]} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @extern_c1_outputs(%x: tensor<4xf32>) {
  // expected-error @below {{expected 1 inputs and 0 outputs, got 1 and 1}}
  %0 = task.extern "f"(%x) {operator_name = "acme.F-1", parameters = {}, optional = [], missing = [],
      input_types = [tensor<4xf32>], output_types = [none]} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @extern_call_c1(%x: memref<4xf32>) {
  // expected-error @below {{expected 2 buffers of inputs and outputs, got 1}}
  task.extern_call "f"(%x) {operator_name = "acme.F-1", parameters = {}, optional = [], missing = [],
      input_types = [tensor<4xf32>], output_types = [tensor<4xf32>]} : memref<4xf32>
  return
}
