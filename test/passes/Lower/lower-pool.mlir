// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-LABEL: task.def @pools
// CHECK: tensor.yield %[[LOWEST:.*]] : f32
// CHECK: %[[WINDOW:.*]] = tensor.empty() : tensor<3x3xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[WINDOW]]
// CHECK: arith.maximumf
// Elements of the padding do not count.
// CHECK: arith.addf
// CHECK: arith.constant dense<[2.000000e+00, 3.000000e+00, 2.000000e+00]>
// CHECK: arith.divf
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK: arith.constant 2.500000e+01
task.def @pools(%x: tensor<1x2x5x5xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>, tensor<1x2x1x1xf32>) {
  %0, %i = onnx.MaxPool %x {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x5x5xf32>) -> (tensor<1x2x3x3xf32>, none)
  %1 = onnx.AveragePool %x {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x3x3xf32>
  %2 = onnx.GlobalAveragePool %x : (tensor<1x2x5x5xf32>) -> tensor<1x2x1x1xf32>
  task.return %0, %1, %2 : tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>, tensor<1x2x1x1xf32>
}
