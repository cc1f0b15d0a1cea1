// RUN: cameo-opt %s --check-sizes --split-input-file --verify-diagnostics

// What depends on the sizes of inputs is known when a run begins.
func.func @main(%x: tensor<?x4xf32, #onnx.dims<["n", ""]>> {onnx.name = "x"}) -> tensor<?xf32, #onnx.dims<["4*n"]>> {
  %shape = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Reshape %x, %shape : (tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>) -> tensor<?xf32, #onnx.dims<["4*n"]>>
  return %0 : tensor<?xf32, #onnx.dims<["4*n"]>>
}

// -----

// expected-error@+1 {{input 'x' has an unknown shape: expected dimensions that are numbers or names}}
func.func @main(%x: tensor<*xf32> {onnx.name = "x"}) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}

// -----

// The node that brings it in, and not those behind it.
func.func @main(%x: tensor<6xf32> {onnx.name = "x"}, %shape: tensor<1xi64> {onnx.name = "shape"}) -> tensor<?xf32> {
  // expected-error@+1 {{output #0 has a size that is not known before the model runs, got 'tensor<?xf32>': not supported; --bound shape=N bounds the integer that decides it}}
  %0 = onnx.Reshape %x, %shape : (tensor<6xf32>, tensor<1xi64>) -> tensor<?xf32>
  %1 = onnx.Relu %0 : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// Scales that data decides.
func.func @main(%x: tensor<?xf32, #onnx.dims<["n"]>> {onnx.name = "x"}, %scales: tensor<1xf32> {onnx.name = "scales"}) -> tensor<?xf32> {
  %none = onnx.None
  // expected-error@+1 {{expected sizes or scales that are known or that the model computes from sizes of its inputs}}
  %0 = onnx.Resize %x, %none, %scales, %none : (tensor<?xf32, #onnx.dims<["n"]>>, none, tensor<1xf32>, none) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A volume of five sums of three: 243 terms.
!volume = tensor<?x?x?x?x?xf32, #onnx.dims<["a + b + 1", "c + d + 1", "e + f + 1", "g + h + 1", "i + j + 1"]>>
func.func @main(%x: !volume {onnx.name = "x"}, %names: tensor<?x?x?x?x?x?x?x?x?x?xi1, #onnx.dims<["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]>> {onnx.name = "names"}) -> tensor<1x?xf32> {
  %flat = onnx.Constant {value = dense<[1, -1]> : tensor<2xi64>} : tensor<2xi64>
  // expected-error@+1 {{dimension #1 of output #0 is too long an expression of sizes, got 'tensor<1x?xf32>': expected at most 16384 names in 64 terms of as many factors; --dim NAME=SIZE fixes a name}}
  %0 = onnx.Reshape %x, %flat : (!volume, tensor<2xi64>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
