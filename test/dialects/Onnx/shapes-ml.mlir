// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of what decision trees give.

// CHECK-LABEL: @trees
// CHECK: return {{.*}} : tensor<3x3xf32>
func.func @trees(%arg0: tensor<3x2xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xf32>, %arg3: tensor<4xi32>, %arg4: tensor<4xi32>, %arg6: tensor<2xi32>, %arg7: tensor<6x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.TreeEnsemble %arg0, %arg1, %arg2, %arg3, %arg4, %none, %arg6, %arg7 {depth = 3 : i64} : (tensor<3x2xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, none, tensor<2xi32>, tensor<6x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
