// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of reductions.

// CHECK-LABEL: @keep_dims
// CHECK: return {{.*}} : tensor<2x3x1xf32>
func.func @keep_dims(%arg0: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.ReduceMean %arg0, %c1 : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @drop_dims
// CHECK: return {{.*}} : tensor<3xf32>
func.func @drop_dims(%arg0: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[0, 2]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.ReduceSum %arg0, %c1 {keepdims = 0 : i64} : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @all_axes
// CHECK: return {{.*}} : tensor<1x1x1xf32>
func.func @all_axes(%arg0: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ReduceMax %arg0, %none : (tensor<2x3x4xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @empty_axes_reduce_all
// CHECK: return {{.*}} : tensor<f32>
func.func @empty_axes_reduce_all(%arg0: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ReduceL2 %arg0, %none {keepdims = 0 : i64} : (tensor<2x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @empty_axes_as_identity
// CHECK: return {{.*}} : tensor<2x3xf32>
func.func @empty_axes_as_identity(%arg0: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ReduceL2 %arg0, %none {noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @unknown_axes_keep_rank
// CHECK: return {{.*}} : tensor<?x?xf32>
func.func @unknown_axes_keep_rank(%arg0: tensor<2x3xf32>, %arg1: tensor<1xi64>) -> (tensor<*xf32>) {
  %0 = onnx.ReduceProd %arg0, %arg1 : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @named_batch
// CHECK: return {{.*}} : tensor<?x1x1xf32, #onnx.dims<["batch", "", ""]>>
func.func @named_batch(%arg0: tensor<?x3x7xf32, #onnx.dims<["batch", "", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.ReduceMean %arg0, %c1 : (tensor<?x3x7xf32, #onnx.dims<["batch", "", ""]>>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @argmax
// CHECK: return {{.*}} : tensor<2x1x4xi64>
func.func @argmax(%arg0: tensor<2x3x4xf32>) -> (tensor<*xi64>) {
  %0 = onnx.ArgMax %arg0 {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @argmin_drop_dims
// CHECK: return {{.*}} : tensor<2x3xi64>
func.func @argmin_drop_dims(%arg0: tensor<2x3x4xf32>) -> (tensor<*xi64>) {
  %0 = onnx.ArgMin %arg0 {axis = -1 : i64, keepdims = 0 : i64} : (tensor<2x3x4xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @cumsum
// CHECK: return {{.*}} : tensor<2x3xf32>
func.func @cumsum(%arg0: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %0 = onnx.CumSum %arg0, %c1 : (tensor<2x3xf32>, tensor<i64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @topk
// CHECK: return {{.*}} : tensor<2x3xf32>, tensor<2x3xi64>
func.func @topk(%arg0: tensor<2x5xf32>) -> (tensor<*xf32>, tensor<*xi64>) {
  %c1 = onnx.Constant {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  %0:2 = onnx.TopK %arg0, %c1 : (tensor<2x5xf32>, tensor<1xi64>) -> (tensor<*xf32>, tensor<*xi64>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xi64>
}

// CHECK-LABEL: @topk_unknown
// CHECK: return {{.*}} : tensor<2x?xf32>, tensor<2x?xi64>
func.func @topk_unknown(%arg0: tensor<2x5xf32>, %arg1: tensor<1xi64>) -> (tensor<*xf32>, tensor<*xi64>) {
  %0:2 = onnx.TopK %arg0, %arg1 : (tensor<2x5xf32>, tensor<1xi64>) -> (tensor<*xf32>, tensor<*xi64>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xi64>
}
