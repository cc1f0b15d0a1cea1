// RUN: cameo-opt %s --fold-constants="copied-bytes=0" | FileCheck %s
// RUN: cameo-opt %s --fold-constants="copied-bytes=24" | FileCheck %s --check-prefix=COPIED

// Large constants are transposed without a copy.
// CHECK-LABEL: @transposes
// CHECK-NEXT: onnx.Constant {value = #onnx.transposed<dense_resource<w> : tensor<2x3xf32>, [1, 0]> : tensor<3x2xf32>} : tensor<3x2xf32>
// CHECK-NEXT: return
// COPIED-LABEL: @transposes
// COPIED-NEXT: dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]>
func.func @transposes() -> tensor<3x2xf32> {
  %0 = onnx.Constant {value = dense_resource<w> : tensor<2x3xf32>} : tensor<2x3xf32>
  %1 = onnx.Transpose %0 : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: @transposes_twice
// CHECK-NEXT: #onnx.transposed<dense_resource<w> : tensor<2x3xf32>, [1, 0]> : tensor<3x1x2xf32>
func.func @transposes_twice() -> tensor<3x1x2xf32> {
  %0 = onnx.Constant {value = dense_resource<w> : tensor<1x2x3xf32>} : tensor<1x2x3xf32>
  %1 = onnx.Transpose %0 {perm = array<i64: 0, 2, 1>} : (tensor<1x2x3xf32>) -> tensor<1x3x2xf32>
  %2 = onnx.Transpose %1 {perm = array<i64: 1, 0, 2>} : (tensor<1x3x2xf32>) -> tensor<3x1x2xf32>
  return %2 : tensor<3x1x2xf32>
}

// CHECK-LABEL: @transposes_back
// CHECK-NEXT: onnx.Constant {value = dense_resource<w> : tensor<2x3xf32>} : tensor<2x3xf32>
func.func @transposes_back() -> tensor<2x3xf32> {
  %0 = onnx.Constant {value = dense_resource<w> : tensor<2x3xf32>} : tensor<2x3xf32>
  %1 = onnx.Transpose %0 : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = onnx.Transpose %1 : (tensor<3x2xf32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// Another shape, whose dimensions are parts of those before, and another order of these.
// CHECK-LABEL: @transposes_parts
// CHECK-NEXT: #onnx.transposed<dense_resource<v> : tensor<2x6xf32>, [1, 0]> : tensor<2x3x2xf32>
// CHECK-NEXT: #onnx.transposed<dense_resource<v> : tensor<4x3xf32>, [1, 0]> : tensor<3x2x2xf32>
// CHECK-NEXT: #onnx.transposed<dense_resource<v> : tensor<2x2x3xf32>, [2, 1, 0]> : tensor<6x2xf32>
func.func @transposes_parts() -> (tensor<2x3x2xf32>, tensor<3x2x2xf32>, tensor<6x2xf32>) {
  %0 = onnx.Constant {value = dense_resource<v> : tensor<2x6xf32>} : tensor<2x6xf32>
  %parts = onnx.Constant {value = dense<[2, 3, 2]> : tensor<3xi64>} : tensor<3xi64>
  %whole = onnx.Constant {value = dense<[6, 2]> : tensor<2xi64>} : tensor<2xi64>
  %1 = onnx.Transpose %0 : (tensor<2x6xf32>) -> tensor<6x2xf32>
  %2 = onnx.Reshape %1, %parts : (tensor<6x2xf32>, tensor<3xi64>) -> tensor<2x3x2xf32>
  %3 = onnx.Transpose %2 {perm = array<i64: 1, 2, 0>} : (tensor<2x3x2xf32>) -> tensor<3x2x2xf32>
  %4 = onnx.Transpose %2 {perm = array<i64: 1, 0, 2>} : (tensor<2x3x2xf32>) -> tensor<3x2x2xf32>
  %5 = onnx.Reshape %4, %whole : (tensor<3x2x2xf32>, tensor<2xi64>) -> tensor<6x2xf32>
  return %2, %3, %5 : tensor<2x3x2xf32>, tensor<3x2x2xf32>, tensor<6x2xf32>
}

// A dimension that ends inside of another one cannot be told from it: what is transposed is copied.
// CHECK-LABEL: @copies_across
// CHECK-NEXT: dense<{{.*}}> : tensor<3x4xf32>
func.func @copies_across() -> tensor<3x4xf32> {
  %0 = onnx.Constant {value = dense_resource<v> : tensor<2x6xf32>} : tensor<2x6xf32>
  %shape = onnx.Constant {value = dense<[4, 3]> : tensor<2xi64>} : tensor<2xi64>
  %1 = onnx.Transpose %0 : (tensor<2x6xf32>) -> tensor<6x2xf32>
  %2 = onnx.Reshape %1, %shape : (tensor<6x2xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  %3 = onnx.Transpose %2 : (tensor<4x3xf32>) -> tensor<3x4xf32>
  return %3 : tensor<3x4xf32>
}

// What comes behind reads it in its order.
// CHECK-LABEL: @reshapes_and_adds
// CHECK-NEXT: dense<[2.000000e+00, 5.000000e+00, 3.000000e+00, 6.000000e+00, 4.000000e+00, 7.000000e+00]> : tensor<6xf32>
func.func @reshapes_and_adds() -> tensor<6xf32> {
  %0 = onnx.Constant {value = dense_resource<w> : tensor<2x3xf32>} : tensor<2x3xf32>
  %1 = onnx.Transpose %0 : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %shape = onnx.Constant {value = dense<6> : tensor<1xi64>} : tensor<1xi64>
  %2 = onnx.Reshape %1, %shape : (tensor<3x2xf32>, tensor<1xi64>) -> tensor<6xf32>
  %one = onnx.Constant {value = dense<1.0> : tensor<1xf32>} : tensor<1xf32>
  %3 = onnx.Add %2, %one : (tensor<6xf32>, tensor<1xf32>) -> tensor<6xf32>
  return %3 : tensor<6xf32>
}

{-#
  dialect_resources: {
    builtin: {
      v: "0x040000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041",
      w: "0x040000000000803F0000004000004040000080400000A0400000C040"
    }
  }
#-}
