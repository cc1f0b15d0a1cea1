// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// CHECK-LABEL: func.func @folds_shape_chain
// CHECK-SAME: -> tensor<2x12xf32>
func.func @folds_shape_chain(%x: tensor<2x3x4xf32>) -> tensor<?x?xf32> {
  // CHECK-NOT: onnx.Shape
  // CHECK: %[[SHAPE:.*]] = onnx.Constant {value = dense<[2, -1]> : tensor<2xi64>}
  // CHECK: onnx.Reshape %{{.*}}, %[[SHAPE]] : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x12xf32>
  %first = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %rest = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Shape %x : (tensor<2x3x4xf32>) -> tensor<3xi64>
  %1 = onnx.Gather %0, %first {axis = 0 : i64} : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %2 = onnx.Concat %1, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %3 = onnx.Reshape %x, %2 : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @keeps_names_of_dimensions
func.func @keeps_names_of_dimensions(%x: tensor<?x4xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x?xf32> {
  // CHECK: onnx.Relu {{.*}} -> tensor<?x4xf32, #onnx.dims<["batch", ""]>>
  %0 = onnx.Relu %x : (tensor<?x4xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
