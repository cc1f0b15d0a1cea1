// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of operators on strings.

// CHECK-LABEL: @string_concat
// CHECK: return {{.*}} : tensor<2x3x!onnx.string>
func.func @string_concat(%arg0: tensor<2x1x!onnx.string>, %arg1: tensor<3x!onnx.string>) -> (tensor<*x!onnx.string>) {
  %0 = onnx.StringConcat %arg0, %arg1 : (tensor<2x1x!onnx.string>, tensor<3x!onnx.string>) -> tensor<*x!onnx.string>
  return %0 : tensor<*x!onnx.string>
}

// CHECK-LABEL: @regex_full_match
// CHECK: return {{.*}} : tensor<2x3xi1>
func.func @regex_full_match(%arg0: tensor<2x3x!onnx.string>) -> (tensor<*xi1>) {
  %0 = onnx.RegexFullMatch %arg0 {pattern = "a+"} : (tensor<2x3x!onnx.string>) -> tensor<*xi1>
  return %0 : tensor<*xi1>
}

// CHECK-LABEL: @string_normalizer
// CHECK: return {{.*}} : tensor<4x!onnx.string>
func.func @string_normalizer(%arg0: tensor<4x!onnx.string>) -> (tensor<*x!onnx.string>) {
  %0 = onnx.StringNormalizer %arg0 {case_change_action = "LOWER"} : (tensor<4x!onnx.string>) -> tensor<*x!onnx.string>
  return %0 : tensor<*x!onnx.string>
}

// An empty tensor gives one empty string.
// CHECK-LABEL: @string_normalizer_empty
// CHECK: return {{.*}} : tensor<1x1x!onnx.string>
func.func @string_normalizer_empty(%arg0: tensor<1x0x!onnx.string>) -> (tensor<*x!onnx.string>) {
  %0 = onnx.StringNormalizer %arg0 : (tensor<1x0x!onnx.string>) -> tensor<*x!onnx.string>
  return %0 : tensor<*x!onnx.string>
}

// CHECK-LABEL: @string_normalizer_stopwords
// CHECK: return {{.*}} : tensor<1x?x!onnx.string>
func.func @string_normalizer_stopwords(%arg0: tensor<1x4x!onnx.string>) -> (tensor<*x!onnx.string>) {
  %0 = onnx.StringNormalizer %arg0 {stopwords = ["a"]} : (tensor<1x4x!onnx.string>) -> tensor<*x!onnx.string>
  return %0 : tensor<*x!onnx.string>
}

// CHECK-LABEL: @string_split
// CHECK: return {{.*}} : tensor<?x3x?x!onnx.string, #onnx.dims<["n", "", ""]>>, tensor<?x3xi64, #onnx.dims<["n", ""]>>
func.func @string_split(%arg0: tensor<?x3x!onnx.string, #onnx.dims<["n", ""]>>) -> (tensor<*x!onnx.string>, tensor<*xi64>) {
  %0, %1 = onnx.StringSplit %arg0 {delimiter = ","} : (tensor<?x3x!onnx.string, #onnx.dims<["n", ""]>>) -> (tensor<*x!onnx.string>, tensor<*xi64>)
  return %0, %1 : tensor<*x!onnx.string>, tensor<*xi64>
}

// CHECK-LABEL: @change_case
// CHECK: return {{.*}} : tensor<2x!onnx.string>
func.func @change_case(%arg0: tensor<2x!onnx.string>) -> (tensor<*x!onnx.string>) {
  %0 = onnx.ChangeCase %arg0 {action = "UPPER"} : (tensor<2x!onnx.string>) -> tensor<*x!onnx.string>
  return %0 : tensor<*x!onnx.string>
}

// CHECK-LABEL: @find_text
// CHECK: return {{.*}} : tensor<2x5xi64>
func.func @find_text(%arg0: tensor<2x5x!onnx.string>, %arg1: tensor<3x!onnx.string>) -> (tensor<*xi64>) {
  %0 = onnx.FindText %arg0, %arg1 : (tensor<2x5x!onnx.string>, tensor<3x!onnx.string>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @parts
// CHECK: return {{.*}} : tensor<2xi64>, tensor<4x2x!onnx.string>
func.func @parts(%arg0: tensor<2x!onnx.string>, %arg1: tensor<4x1xi64>) -> (tensor<*xi64>, tensor<*x!onnx.string>) {
  %0 = onnx.CountParts %arg0 {delimiter = ""} : (tensor<2x!onnx.string>) -> tensor<*xi64>
  %1 = onnx.TakePart %arg0, %arg1 {delimiter = ""} : (tensor<2x!onnx.string>, tensor<4x1xi64>) -> tensor<*x!onnx.string>
  return %0, %1 : tensor<*xi64>, tensor<*x!onnx.string>
}
