// RUN: cameo-opt %s --check-sizes --split-input-file --verify-diagnostics

// What depends on the sizes of inputs is known when a run begins.
func.func @main(%x: tensor<?x4xf32, #onnx.dims<["n", ""]>> {onnx.name = "x"}) -> tensor<?xf32, #onnx.dims<["4*n"]>> {
  %shape = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Reshape %x, %shape : (tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>) -> tensor<?xf32, #onnx.dims<["4*n"]>>
  return %0 : tensor<?xf32, #onnx.dims<["4*n"]>>
}

// -----

// expected-error@+1 {{input 'x' has no shape that a run could choose sizes for}}
func.func @main(%x: tensor<*xf32> {onnx.name = "x"}) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}

// -----

// The node that brings it in, and not those behind it.
func.func @main(%x: tensor<6xf32> {onnx.name = "x"}, %shape: tensor<1xi64> {onnx.name = "shape"}) -> tensor<?xf32> {
  // expected-error@+1 {{output #0 has a size that is not known before the model runs}}
  %0 = onnx.Reshape %x, %shape : (tensor<6xf32>, tensor<1xi64>) -> tensor<?xf32>
  %1 = onnx.Relu %0 : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// 238 times 15/14 is 255, and a little less in float32.
func.func @main(%x: tensor<?xf32, #onnx.dims<["n"]>> {onnx.name = "x"}) -> tensor<?xf32> {
  %none = onnx.None
  %scales = onnx.Constant {value = dense<1.07142854> : tensor<1xf32>} : tensor<1xf32>
  // expected-error@+1 {{expected sizes that are known, or scales of fractions whose products with sizes float32 rounds to no other size}}
  %0 = onnx.Resize %x, %none, %scales, %none : (tensor<?xf32, #onnx.dims<["n"]>>, none, tensor<1xf32>, none) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
