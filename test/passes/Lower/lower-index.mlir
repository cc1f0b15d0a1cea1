// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-LABEL: task.def @index
// Indices are made to lie inside.
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: tensor.extract %arg0
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %arg0)
// CHECK: tensor.insert
// CHECK: arith.cmpf ogt
task.def @index(%x: tensor<6x4xf32>, %i: tensor<3x2xi64>, %u: tensor<3x2xf32>) -> (tensor<3x2x4xf32>, tensor<6x4xf32>, tensor<6xi64>) {
  %0 = onnx.Gather %x, %i : (tensor<6x4xf32>, tensor<3x2xi64>) -> tensor<3x2x4xf32>
  %1 = onnx.ScatterElements %x, %i, %u {reduction = "add"} : (tensor<6x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) -> tensor<6x4xf32>
  %2 = onnx.ArgMax %x {axis = 1 : i64, keepdims = 0 : i64} : (tensor<6x4xf32>) -> tensor<6xi64>
  task.return %0, %1, %2 : tensor<3x2x4xf32>, tensor<6x4xf32>, tensor<6xi64>
}

// CHECK-LABEL: task.def @cumsum
// CHECK: scf.for
// CHECK: tensor.extract_slice
// CHECK: arith.addf
task.def @cumsum(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x2xf32>, tensor<4x2xi64>) {
  %a = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %k = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.CumSum %x, %a : (tensor<4x6xf32>, tensor<1xi64>) -> tensor<4x6xf32>
  %1, %2 = onnx.TopK %x, %k : (tensor<4x6xf32>, tensor<1xi64>) -> (tensor<4x2xf32>, tensor<4x2xi64>)
  task.return %0, %1, %2 : tensor<4x6xf32>, tensor<4x2xf32>, tensor<4x2xi64>
}

// Axes that the run knows, where shapes do not tell them: what makes one result is read side by side.
// CHECK-LABEL: task.def @axes_of_the_run
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]
// CHECK: tensor.extract %arg1
// CHECK: tensor.extract %arg0
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
task.def @axes_of_the_run(%x: tensor<3x2x2xf32>, %axes: tensor<1xi64>) -> tensor<3x2xf32> {
  %0 = onnx.ReduceSum %x, %axes {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> tensor<3x2xf32>
  task.return %0 : tensor<3x2xf32>
}
