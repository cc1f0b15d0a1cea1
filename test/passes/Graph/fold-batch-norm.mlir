// RUN: cameo-opt %s --fold-batch-norm | FileCheck %s

// factor = scale / sqrt(variance + epsilon) = [1, 2], shift = bias - mean * factor = [9, 18]
// CHECK-LABEL: @folds_into_conv
// CHECK-DAG: %[[B:.*]] = onnx.Constant {value = dense<[9.000000e+00, 1.800000e+01]> : tensor<2xf32>}
// CHECK-DAG: %[[W:.*]] = onnx.Constant {value = dense<{{\[\[\[\[}}3.000000e+00]]], {{\[\[\[}}8.000000e+00]]]]> : tensor<2x1x1x1xf32>}
// CHECK: %[[Y:.*]] = onnx.Conv %arg0, %[[W]], %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @folds_into_conv(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %none = onnx.None
  %w = onnx.Constant {value = dense<[[[[3.0]]], [[[4.0]]]]> : tensor<2x1x1x1xf32>} : tensor<2x1x1x1xf32>
  %scale = onnx.Constant {value = dense<[2.0, 4.0]> : tensor<2xf32>} : tensor<2xf32>
  %bias = onnx.Constant {value = dense<[10.0, 20.0]> : tensor<2xf32>} : tensor<2xf32>
  %mean = onnx.Constant {value = dense<1.0> : tensor<2xf32>} : tensor<2xf32>
  %variance = onnx.Constant {value = dense<4.0> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.Conv %x, %w, %none : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>, none) -> tensor<1x2x4x4xf32>
  %1, %m, %v = onnx.BatchNormalization %0, %scale, %bias, %mean, %variance {epsilon = 0.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, none, none)
  return %1 : tensor<1x2x4x4xf32>
}

// Output channels are the second dimension of these weights.
// CHECK-LABEL: @folds_scale_into_transposed_conv
// CHECK: dense<{{\[\[\[}}1.000000e+00], [2.000000e+01]]]> : tensor<1x2x1xf32>
// CHECK-NOT: onnx.Mul
func.func @folds_scale_into_transposed_conv(%x: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %none = onnx.None
  %w = onnx.Constant {value = dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>} : tensor<1x2x1xf32>
  %scale = onnx.Constant {value = dense<[[1.0], [10.0]]> : tensor<2x1xf32>} : tensor<2x1xf32>
  %0 = onnx.ConvTranspose %x, %w, %none : (tensor<1x1x4xf32>, tensor<1x2x1xf32>, none) -> tensor<1x2x4xf32>
  %1 = onnx.Mul %0, %scale : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  return %1 : tensor<1x2x4xf32>
}

// Two groups of one channel each: the second input channel makes the second output channel.
// CHECK-LABEL: @respects_groups_of_transposed_conv
// CHECK: dense<{{\[\[\[}}1.000000e+00]], {{\[\[}}2.000000e+01]]]> : tensor<2x1x1xf32>
func.func @respects_groups_of_transposed_conv(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %none = onnx.None
  %w = onnx.Constant {value = dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>} : tensor<2x1x1xf32>
  %scale = onnx.Constant {value = dense<[[1.0], [10.0]]> : tensor<2x1xf32>} : tensor<2x1xf32>
  %0 = onnx.ConvTranspose %x, %w, %none {group = 2 : i64} : (tensor<1x2x4xf32>, tensor<2x1x1xf32>, none) -> tensor<1x2x4xf32>
  %1 = onnx.Mul %0, %scale : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  return %1 : tensor<1x2x4xf32>
}

// CHECK-LABEL: @folds_shift_into_gemm_bias
// CHECK: %[[B:.*]] = onnx.Constant {value = dense<[1.000000e+01, 2.100000e+01]> : tensor<2xf32>}
// CHECK: %[[Y:.*]] = onnx.Gemm %arg0, %{{.*}}, %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @folds_shift_into_gemm_bias(%x: tensor<3x1xf32>) -> tensor<3x2xf32> {
  %w = onnx.Constant {value = dense<[[1.0, 2.0]]> : tensor<1x2xf32>} : tensor<1x2xf32>
  %b = onnx.Constant {value = dense<[0.0, 1.0]> : tensor<2xf32>} : tensor<2xf32>
  %c = onnx.Constant {value = dense<[10.0, 20.0]> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.Gemm %x, %w, %b : (tensor<3x1xf32>, tensor<1x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %1 = onnx.Add %c, %0 : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: @folds_scale_into_matmul
// CHECK: dense<{{\[\[}}1.000000e+01, 4.000000e+01]]> : tensor<1x2xf32>
// CHECK-NOT: onnx.Mul
func.func @folds_scale_into_matmul(%x: tensor<5x3x1xf32>) -> tensor<5x3x2xf32> {
  %w = onnx.Constant {value = dense<[[1.0, 2.0]]> : tensor<1x2xf32>} : tensor<1x2xf32>
  %c = onnx.Constant {value = dense<[10.0, 20.0]> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.MatMul %x, %w : (tensor<5x3x1xf32>, tensor<1x2xf32>) -> tensor<5x3x2xf32>
  %1 = onnx.Mul %0, %c : (tensor<5x3x2xf32>, tensor<2xf32>) -> tensor<5x3x2xf32>
  return %1 : tensor<5x3x2xf32>
}

// CHECK-LABEL: @leaves_values_that_others_use
// CHECK: onnx.Conv
// CHECK: onnx.Mul
func.func @leaves_values_that_others_use(%x: tensor<1x1x4xf32>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %none = onnx.None
  %w = onnx.Constant {value = dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>} : tensor<2x1x1xf32>
  %scale = onnx.Constant {value = dense<[[1.0], [10.0]]> : tensor<2x1xf32>} : tensor<2x1xf32>
  %0 = onnx.Conv %x, %w, %none : (tensor<1x1x4xf32>, tensor<2x1x1xf32>, none) -> tensor<1x2x4xf32>
  %1 = onnx.Mul %0, %scale : (tensor<1x2x4xf32>, tensor<2x1xf32>) -> tensor<1x2x4xf32>
  return %0, %1 : tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// CHECK-LABEL: @leaves_constants_that_differ_within_a_channel
// CHECK: onnx.Add
func.func @leaves_constants_that_differ_within_a_channel(%x: tensor<1x1x2xf32>) -> tensor<1x1x2xf32> {
  %none = onnx.None
  %w = onnx.Constant {value = dense<2.0> : tensor<1x1x1xf32>} : tensor<1x1x1xf32>
  %c = onnx.Constant {value = dense<[1.0, 10.0]> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.Conv %x, %w, %none : (tensor<1x1x2xf32>, tensor<1x1x1xf32>, none) -> tensor<1x1x2xf32>
  %1 = onnx.Add %0, %c : (tensor<1x1x2xf32>, tensor<2xf32>) -> tensor<1x1x2xf32>
  return %1 : tensor<1x1x2xf32>
}

// CHECK-LABEL: @computes_half_floats_in_f32
// CHECK: %[[X:.*]] = onnx.Cast %arg0 {{.*}} -> tensor<1x2x4xf32>
// CHECK: %[[M:.*]] = onnx.Mul %[[X]], %{{.*}} : (tensor<1x2x4xf32>, tensor<2x1xf32>)
// CHECK: %[[A:.*]] = onnx.Add %[[M]], %{{.*}} : (tensor<1x2x4xf32>, tensor<2x1xf32>)
// CHECK: onnx.Cast %[[A]] {{.*}} -> tensor<1x2x4xf16>
func.func @computes_half_floats_in_f32(%x: tensor<1x2x4xf16>) -> tensor<1x2x4xf16> {
  %scale = onnx.Constant {value = dense<[2.0, 4.0]> : tensor<2xf32>} : tensor<2xf32>
  %bias = onnx.Constant {value = dense<[10.0, 20.0]> : tensor<2xf32>} : tensor<2xf32>
  %mean = onnx.Constant {value = dense<1.0> : tensor<2xf32>} : tensor<2xf32>
  %variance = onnx.Constant {value = dense<4.0> : tensor<2xf32>} : tensor<2xf32>
  %0, %m, %v = onnx.BatchNormalization %x, %scale, %bias, %mean, %variance : (tensor<1x2x4xf16>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4xf16>, none, none)
  return %0 : tensor<1x2x4xf16>
}

// CHECK-LABEL: @splits_what_follows_no_weights
// CHECK: %[[M:.*]] = onnx.Mul %arg0, %{{.*}} : (tensor<1x2x4xf32>, tensor<2x1xf32>)
// CHECK: %[[A:.*]] = onnx.Add %[[M]], %{{.*}} : (tensor<1x2x4xf32>, tensor<2x1xf32>)
// CHECK: return %[[A]]
func.func @splits_what_follows_no_weights(%x: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %scale = onnx.Constant {value = dense<[2.0, 4.0]> : tensor<2xf32>} : tensor<2xf32>
  %bias = onnx.Constant {value = dense<[10.0, 20.0]> : tensor<2xf32>} : tensor<2xf32>
  %mean = onnx.Constant {value = dense<1.0> : tensor<2xf32>} : tensor<2xf32>
  %variance = onnx.Constant {value = dense<4.0> : tensor<2xf32>} : tensor<2xf32>
  %0, %m, %v = onnx.BatchNormalization %x, %scale, %bias, %mean, %variance : (tensor<1x2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4xf32>, none, none)
  return %0 : tensor<1x2x4xf32>
}

// The channels are known, whatever the other sizes are.
// CHECK-LABEL: @folds_in_dynamic_planes
// CHECK: %[[Y:.*]] = onnx.Conv %arg0, %{{.*}}, %{{.*}} {pads
// CHECK-NEXT: return %[[Y]]
func.func @folds_in_dynamic_planes(%x: tensor<?x2x?xf32, #onnx.dims<["b", "", "w"]>>) -> tensor<?x3x?xf32, #onnx.dims<["b", "", "w"]>> {
  %w = onnx.Constant {value = dense<1.0> : tensor<3x2x3xf32>} : tensor<3x2x3xf32>
  %none = onnx.None
  %scale = onnx.Constant {value = dense<[2.0, 4.0, 3.0]> : tensor<3xf32>} : tensor<3xf32>
  %ones = onnx.Constant {value = dense<1.0> : tensor<3xf32>} : tensor<3xf32>
  %0 = onnx.Conv %x, %w, %none {pads = array<i64: 1, 1>} : (tensor<?x2x?xf32, #onnx.dims<["b", "", "w"]>>, tensor<3x2x3xf32>, none) -> tensor<?x3x?xf32, #onnx.dims<["b", "", "w"]>>
  %1, %m, %v = onnx.BatchNormalization %0, %scale, %ones, %ones, %ones : (tensor<?x3x?xf32, #onnx.dims<["b", "", "w"]>>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<?x3x?xf32, #onnx.dims<["b", "", "w"]>>, none, none)
  return %1 : tensor<?x3x?xf32, #onnx.dims<["b", "", "w"]>>
}

// An embedding reads the matrix too: a scaled copy would be stored beside it.
// CHECK-LABEL: @keeps_matrix_with_other_uses
// CHECK: onnx.MatMul
// CHECK: onnx.Div
// CHECK-LABEL: @scales_matrix
// CHECK: onnx.MatMul
// CHECK-NOT: onnx.Div
func.func @keeps_matrix_with_other_uses(%ids: tensor<1xi64>) -> tensor<1x3xf32> {
  %w = onnx.Constant {value = dense_resource<shared> : tensor<3x2xf32>} : tensor<3x2xf32>
  %t = onnx.Constant {value = #onnx.transposed<dense_resource<shared> : tensor<3x2xf32>, [1, 0]> : tensor<2x3xf32>} : tensor<2x3xf32>
  %cap = onnx.Constant {value = dense<30.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Gather %w, %ids {axis = 0 : i64} : (tensor<3x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  %1 = onnx.MatMul %0, %t : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
  %2 = onnx.Div %1, %cap : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x3xf32>
  return %2 : tensor<1x3xf32>
}
func.func @scales_matrix(%x: tensor<1x2xf32>) -> tensor<1x3xf32> {
  %t = onnx.Constant {value = #onnx.transposed<dense_resource<alone> : tensor<3x2xf32>, [1, 0]> : tensor<2x3xf32>} : tensor<2x3xf32>
  %cap = onnx.Constant {value = dense<30.0> : tensor<f32>} : tensor<f32>
  %1 = onnx.MatMul %x, %t : (tensor<1x2xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
  %2 = onnx.Div %1, %cap : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x3xf32>
  return %2 : tensor<1x3xf32>
}

{-#
  dialect_resources: {
    builtin: {
      shared: "0x040000000000803F0000004000004040000080400000A0400000C040",
      alone: "0x040000000000803F0000004000004040000080400000A0400000C040"
    }
  }
#-}
