// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Broadcast sizes of operators that work element by element.

// CHECK-LABEL: @both_ways
// CHECK: return {{.*}} : tensor<3x4xf32>
func.func @both_ways(%arg0: tensor<3x1xf32>, %arg1: tensor<1x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Add %arg0, %arg1 : (tensor<3x1xf32>, tensor<1x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @ranks_differ
// CHECK: return {{.*}} : tensor<2x3x4xf32>
func.func @ranks_differ(%arg0: tensor<2x3x4xf32>, %arg1: tensor<4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Mul %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @scalar
// CHECK: return {{.*}} : tensor<2xf32>
func.func @scalar(%arg0: tensor<f32>, %arg1: tensor<2xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Sub %arg0, %arg1 : (tensor<f32>, tensor<2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @zero_sized
// CHECK: return {{.*}} : tensor<0x3xf32>
func.func @zero_sized(%arg0: tensor<0x3xf32>, %arg1: tensor<1x3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Div %arg0, %arg1 : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @same_name
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["batch", ""]>>
func.func @same_name(%arg0: tensor<?x3xf32, #onnx.dims<["batch", ""]>>, %arg1: tensor<?x3xf32, #onnx.dims<["batch", ""]>>) -> (tensor<*xf32>) {
  %0 = onnx.Add %arg0, %arg1 : (tensor<?x3xf32, #onnx.dims<["batch", ""]>>, tensor<?x3xf32, #onnx.dims<["batch", ""]>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @name_against_one
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["batch", ""]>>
func.func @name_against_one(%arg0: tensor<?x3xf32, #onnx.dims<["batch", ""]>>, %arg1: tensor<1x3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Add %arg0, %arg1 : (tensor<?x3xf32, #onnx.dims<["batch", ""]>>, tensor<1x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @name_against_number
// CHECK: return {{.*}} : tensor<5x3xf32>
func.func @name_against_number(%arg0: tensor<?x3xf32, #onnx.dims<["batch", ""]>>, %arg1: tensor<5x3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Add %arg0, %arg1 : (tensor<?x3xf32, #onnx.dims<["batch", ""]>>, tensor<5x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @two_names
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["batch", ""]>>
func.func @two_names(%arg0: tensor<?x3xf32, #onnx.dims<["batch", ""]>>, %arg1: tensor<?x3xf32, #onnx.dims<["other", ""]>>) -> (tensor<*xf32>) {
  %0 = onnx.Add %arg0, %arg1 : (tensor<?x3xf32, #onnx.dims<["batch", ""]>>, tensor<?x3xf32, #onnx.dims<["other", ""]>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @same_sum_spelled_differently
// CHECK: return {{.*}} : tensor<?xf32, #onnx.dims<["past + 1"]>>
func.func @same_sum_spelled_differently(%arg0: tensor<?xf32, #onnx.dims<["1 + past"]>>, %arg1: tensor<?xf32, #onnx.dims<["past + 1"]>>) -> (tensor<*xf32>) {
  %0 = onnx.Add %arg0, %arg1 : (tensor<?xf32, #onnx.dims<["1 + past"]>>, tensor<?xf32, #onnx.dims<["past + 1"]>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @comparison
// CHECK: return {{.*}} : tensor<2x3xi1>
func.func @comparison(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) -> (tensor<*xi1>) {
  %0 = onnx.Less %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<*xi1>
  return %0 : tensor<*xi1>
}

// CHECK-LABEL: @variadic
// CHECK: return {{.*}} : tensor<2x3xf32>
func.func @variadic(%arg0: tensor<2x1xf32>, %arg1: tensor<3xf32>, %arg2: tensor<f32>) -> (tensor<*xf32>) {
  %0 = onnx.Max %arg0, %arg1, %arg2 : (tensor<2x1xf32>, tensor<3xf32>, tensor<f32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @power_of_another_type
// CHECK: return {{.*}} : tensor<2x3xf32>
func.func @power_of_another_type(%arg0: tensor<2x1xf32>, %arg1: tensor<3xi64>) -> (tensor<*xf32>) {
  %0 = onnx.Pow %arg0, %arg1 : (tensor<2x1xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @select
// CHECK: return {{.*}} : tensor<2x3xf32>
func.func @select(%arg0: tensor<2x1xi1>, %arg1: tensor<3xf32>, %arg2: tensor<f32>) -> (tensor<*xf32>) {
  %0 = onnx.Where %arg0, %arg1, %arg2 : (tensor<2x1xi1>, tensor<3xf32>, tensor<f32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @unranked
// CHECK: return {{.*}} : tensor<*xf32>
func.func @unranked(%arg0: tensor<*xf32>, %arg1: tensor<3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Add %arg0, %arg1 : (tensor<*xf32>, tensor<3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @cast
// CHECK: return {{.*}} : tensor<2x3xui8>
func.func @cast(%arg0: tensor<2x3xf32>) -> (tensor<*xui8>) {
  %0 = onnx.Cast %arg0 {to = 2 : i64} : (tensor<2x3xf32>) -> tensor<*xui8>
  return %0 : tensor<*xui8>
}

// CHECK-LABEL: @cast_like
// CHECK: return {{.*}} : tensor<2x3xf16>
func.func @cast_like(%arg0: tensor<2x3xf32>, %arg1: tensor<f16>) -> (tensor<*xf16>) {
  %0 = onnx.CastLike %arg0, %arg1 : (tensor<2x3xf32>, tensor<f16>) -> tensor<*xf16>
  return %0 : tensor<*xf16>
}

// CHECK-LABEL: @is_nan
// CHECK: return {{.*}} : tensor<2x3xi1>
func.func @is_nan(%arg0: tensor<2x3xf32>) -> (tensor<*xi1>) {
  %0 = onnx.IsNaN %arg0 : (tensor<2x3xf32>) -> tensor<*xi1>
  return %0 : tensor<*xi1>
}
