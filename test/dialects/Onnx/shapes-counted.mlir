// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Greatest sizes of results that data decides.

// A name that a result has is kept.
// CHECK-LABEL: @prefix
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["count", ""]>>
func.func @prefix(%arg0: tensor<6x3xf32>, %arg1: tensor<i64>) -> tensor<?x3xf32, #onnx.dims<["count", ""]>> {
  %0 = onnx.Prefix %arg0, %arg1 : (tensor<6x3xf32>, tensor<i64>) -> tensor<?x3xf32, #onnx.dims<["count", ""]>>
  return %0 : tensor<?x3xf32, #onnx.dims<["count", ""]>>
}

// CHECK-LABEL: @non_zero
// CHECK: return {{.*}} : tensor<?x2xi64, #onnx.dims<["4*n", ""]>>, tensor<i64>
func.func @non_zero(%arg0: tensor<?x4xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xi64>, tensor<*xi64>) {
  %0:2 = onnx.CountedNonZero %arg0 : (tensor<?x4xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xi64>, tensor<*xi64>)
  return %0#0, %0#1 : tensor<*xi64>, tensor<*xi64>
}

// CHECK-LABEL: @unique
// CHECK: return {{.*}} : tensor<4xi64>, tensor<12xi64>
func.func @unique(%arg0: tensor<3x4xf32>) -> (tensor<*xi64>, tensor<*xi64>) {
  %0:4 = onnx.CountedUnique %arg0 {axis = -1 : i64} : (tensor<3x4xf32>) -> (tensor<*xi64>, tensor<*xi64>, tensor<*xi64>, tensor<*xi64>)
  %1:4 = onnx.CountedUnique %arg0 : (tensor<3x4xf32>) -> (tensor<*xi64>, tensor<*xi64>, tensor<*xi64>, tensor<*xi64>)
  return %0#0, %1#1 : tensor<*xi64>, tensor<*xi64>
}

// At most as many boxes of each class as the limit says, where that is a constant.
// CHECK-LABEL: @non_max_suppression
// CHECK: return {{.*}} : tensor<18x3xi64>, tensor<60x3xi64>, tensor<0x3xi64>
func.func @non_max_suppression(%arg0: tensor<2x10x4xf32>, %arg1: tensor<2x3x10xf32>, %arg2: tensor<i64>) -> (tensor<*xi64>, tensor<*xi64>, tensor<*xi64>) {
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<3> : tensor<1xi64>} : tensor<1xi64>
  %0:2 = onnx.CountedNonMaxSuppression %arg0, %arg1, %c3, %none, %none : (tensor<2x10x4xf32>, tensor<2x3x10xf32>, tensor<1xi64>, none, none) -> (tensor<*xi64>, tensor<*xi64>)
  %1:2 = onnx.CountedNonMaxSuppression %arg0, %arg1, %arg2, %none, %none : (tensor<2x10x4xf32>, tensor<2x3x10xf32>, tensor<i64>, none, none) -> (tensor<*xi64>, tensor<*xi64>)
  %2:2 = onnx.CountedNonMaxSuppression %arg0, %arg1, %none, %none, %none : (tensor<2x10x4xf32>, tensor<2x3x10xf32>, none, none, none) -> (tensor<*xi64>, tensor<*xi64>)
  return %0#0, %1#0, %2#0 : tensor<*xi64>, tensor<*xi64>, tensor<*xi64>
}

// As many boxes as the run has, where exporters write the greatest integer or the run has the limit; a limit of few is one.
// CHECK-LABEL: @non_max_suppression_of_open_size
// CHECK: return {{.*}} : tensor<?x3xi64, #onnx.dims<["6*n", ""]>>, tensor<?x3xi64, #onnx.dims<["6*n", ""]>>, tensor<18x3xi64>
func.func @non_max_suppression_of_open_size(%arg0: tensor<2x?x4xf32, #onnx.dims<["", "n", ""]>>, %arg1: tensor<2x3x?xf32, #onnx.dims<["", "", "n"]>>, %arg2: tensor<i64>) -> (tensor<*xi64>, tensor<*xi64>, tensor<*xi64>) {
  %none = onnx.None
  %all = onnx.Constant {value = dense<2147483647> : tensor<1xi64>} : tensor<1xi64>
  %c3 = onnx.Constant {value = dense<3> : tensor<1xi64>} : tensor<1xi64>
  %0:2 = onnx.CountedNonMaxSuppression %arg0, %arg1, %all, %none, %none : (tensor<2x?x4xf32, #onnx.dims<["", "n", ""]>>, tensor<2x3x?xf32, #onnx.dims<["", "", "n"]>>, tensor<1xi64>, none, none) -> (tensor<*xi64>, tensor<*xi64>)
  %1:2 = onnx.CountedNonMaxSuppression %arg0, %arg1, %arg2, %none, %none : (tensor<2x?x4xf32, #onnx.dims<["", "n", ""]>>, tensor<2x3x?xf32, #onnx.dims<["", "", "n"]>>, tensor<i64>, none, none) -> (tensor<*xi64>, tensor<*xi64>)
  %2:2 = onnx.CountedNonMaxSuppression %arg0, %arg1, %c3, %none, %none : (tensor<2x?x4xf32, #onnx.dims<["", "n", ""]>>, tensor<2x3x?xf32, #onnx.dims<["", "", "n"]>>, tensor<1xi64>, none, none) -> (tensor<*xi64>, tensor<*xi64>)
  return %0#0, %1#0, %2#0 : tensor<*xi64>, tensor<*xi64>, tensor<*xi64>
}
