// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// Minus the element of each target, which is made to lie inside; then the mean.
// CHECK-LABEL: task.def @likelihood
// CHECK: arith.maxsi
// CHECK: %[[TARGET:.*]] = tensor.extract %arg0
// CHECK: arith.negf %[[TARGET]]
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK: arith.divf
task.def @likelihood(%x: tensor<3x5xf32>, %t: tensor<3xi64>) -> tensor<f32> {
  %none = onnx.None
  %0 = onnx.NegativeLogLikelihoodLoss %x, %t, %none : (tensor<3x5xf32>, tensor<3xi64>, none) -> tensor<f32>
  task.return %0 : tensor<f32>
}

// The same of the logarithm of a softmax, whose exponentials do not overflow.
// CHECK-LABEL: task.def @cross_entropy
// CHECK: arith.maximumf
// CHECK: %[[MOVED:.*]] = arith.subf
// CHECK: math.exp
// CHECK: math.log
// CHECK: %[[TARGET:.*]] = tensor.extract
// CHECK: arith.negf %[[TARGET]]
// CHECK: task.return %{{.*}} : tensor<3xf32>
task.def @cross_entropy(%x: tensor<3x5xf32>, %t: tensor<3xi64>) -> tensor<3xf32> {
  %none = onnx.None
  %0, %1 = onnx.SoftmaxCrossEntropyLoss %x, %t, %none {reduction = "none"} : (tensor<3x5xf32>, tensor<3xi64>, none) -> (tensor<3xf32>, none)
  task.return %0 : tensor<3xf32>
}
