// Names that are no identifiers of C, or the same one; every element type; a scalar and an empty tensor.
func.func @main(%0: tensor<2xf32> {onnx.name = "input:0"}, %1: tensor<2xf64> {onnx.name = "input.0"},
                %2: tensor<f16> {onnx.name = "int"}, %3: tensor<2xbf16> {onnx.name = "1st"}, %4: tensor<2xi8> {onnx.name = "A"},
                %5: tensor<2xui8> {onnx.name = "a"}, %6: tensor<2xi16>, %7: tensor<2xui16> {onnx.name = "*/ \"\\"}, %8: tensor<2xi32> {onnx.name = "linux"},
                %9: tensor<2xui32> {onnx.name = "__x"}, %10: tensor<2x3xi64> {onnx.name = "größe"}, %11: tensor<2xui64> {onnx.name = "class"},
                %12: tensor<2xi1> {onnx.name = ""}, %13: tensor<0x7xf32> {onnx.name = "empty"}) -> (tensor<2xi1> {onnx.name = "input:0"}) {
  return %12 : tensor<2xi1>
}
