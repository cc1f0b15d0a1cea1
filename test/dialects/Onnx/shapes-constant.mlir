// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of sources of values.

// CHECK-LABEL: @constant_of_shape_default
// CHECK: return {{.*}} : tensor<2x0xf32>
func.func @constant_of_shape_default() -> (tensor<*xf32>) {
  %c0 = onnx.Constant {value = dense<[2, 0]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.ConstantOfShape %c0 : (tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @constant_of_shape_type_of_value
// CHECK: return {{.*}} : tensor<?x?x?xi32>
func.func @constant_of_shape_type_of_value(%arg0: tensor<3xi64>) -> (tensor<*xi32>) {
  %0 = onnx.ConstantOfShape %arg0 {value = dense<1> : tensor<1xi32>} : (tensor<3xi64>) -> tensor<*xi32>
  return %0 : tensor<*xi32>
}

// CHECK-LABEL: @eye_like
// CHECK: return {{.*}} : tensor<3x4xf32>
func.func @eye_like(%arg0: tensor<3x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.EyeLike %arg0 : (tensor<3x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @eye_like_type
// CHECK: return {{.*}} : tensor<3x4xf64>
func.func @eye_like_type(%arg0: tensor<3x4xf32>) -> (tensor<*xf64>) {
  %0 = onnx.EyeLike %arg0 {dtype = 11 : i64} : (tensor<3x4xf32>) -> tensor<*xf64>
  return %0 : tensor<*xf64>
}

// CHECK-LABEL: @range
// CHECK: return {{.*}} : tensor<3xi64>
func.func @range() -> (tensor<*xi64>) {
  %c0 = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %c1 = onnx.Constant {value = dense<10> : tensor<i64>} : tensor<i64>
  %c2 = onnx.Constant {value = dense<4> : tensor<i64>} : tensor<i64>
  %0 = onnx.Range %c0, %c1, %c2 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @range_backwards
// CHECK: return {{.*}} : tensor<3xi64>
func.func @range_backwards() -> (tensor<*xi64>) {
  %c0 = onnx.Constant {value = dense<10> : tensor<i64>} : tensor<i64>
  %c1 = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %c2 = onnx.Constant {value = dense<-4> : tensor<i64>} : tensor<i64>
  %0 = onnx.Range %c0, %c1, %c2 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @range_empty
// CHECK: return {{.*}} : tensor<0xi64>
func.func @range_empty() -> (tensor<*xi64>) {
  %c0 = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %c1 = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %c2 = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %0 = onnx.Range %c0, %c1, %c2 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @range_unknown
// CHECK: return {{.*}} : tensor<?xi64>
func.func @range_unknown(%arg0: tensor<i64>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> (tensor<*xi64>) {
  %0 = onnx.Range %arg0, %arg1, %arg2 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}
