// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// What is done to an element before it is combined, how, and what is done to the result.
// CHECK-LABEL: task.def @norms
// CHECK: %[[SIZE:.*]] = math.absf
// CHECK: arith.addf %{{.*}}, %[[SIZE]]
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[IN:.*]], %[[IN]]
// CHECK: arith.addf %{{.*}}, %[[SQUARE]]
// CHECK: math.sqrt
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[IN:.*]], %[[IN]]
// CHECK: arith.addf %{{.*}}, %[[SQUARE]]
// CHECK-NOT: math.sqrt
// CHECK: task.return
task.def @norms(%x: tensor<2x8xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) {
  %none = onnx.None
  %0 = onnx.ReduceL1 %x, %none : (tensor<2x8xf32>, none) -> tensor<1x1xf32>
  %1 = onnx.ReduceL2 %x, %none : (tensor<2x8xf32>, none) -> tensor<1x1xf32>
  %2 = onnx.ReduceSumSquare %x, %none : (tensor<2x8xf32>, none) -> tensor<1x1xf32>
  task.return %0, %1, %2 : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}

// CHECK-LABEL: task.def @extremes
// CHECK: %[[MOST:.*]] = arith.constant 0x7F800000
// CHECK: linalg.fill ins(%[[MOST]]
// CHECK: arith.minimumf
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: linalg.fill ins(%[[ONE]]
// CHECK: arith.muli
task.def @extremes(%x: tensor<2x8xf32>, %i: tensor<2x8xi32>) -> (tensor<1x1xf32>, tensor<1x1xi32>) {
  %none = onnx.None
  %0 = onnx.ReduceMin %x, %none : (tensor<2x8xf32>, none) -> tensor<1x1xf32>
  %1 = onnx.ReduceProd %i, %none : (tensor<2x8xi32>, none) -> tensor<1x1xi32>
  task.return %0, %1 : tensor<1x1xf32>, tensor<1x1xi32>
}

// The greatest element is taken off before the exponential, so that it does not overflow, and added to the result.
// CHECK-LABEL: task.def @logarithms
// CHECK: arith.addf
// CHECK: math.log
// CHECK: arith.maximumf
// CHECK: %[[MOVED:.*]] = arith.subf
// CHECK: math.exp %[[MOVED]]
// CHECK: arith.addf
// CHECK: %[[LOG:.*]] = math.log
// CHECK: arith.addf %[[LOG]], %
task.def @logarithms(%x: tensor<2x8xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  %none = onnx.None
  %0 = onnx.ReduceLogSum %x, %none : (tensor<2x8xf32>, none) -> tensor<1x1xf32>
  %1 = onnx.ReduceLogSumExp %x, %none : (tensor<2x8xf32>, none) -> tensor<1x1xf32>
  task.return %0, %1 : tensor<1x1xf32>, tensor<1x1xf32>
}

// The sum of a large plane is that of the sums of its rows, whose elements alone are squared.
// CHECK-LABEL: task.def @plane
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK: arith.mulf
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK-NOT: arith.mulf
// CHECK: task.return
task.def @plane(%x: tensor<1x32x32x8xf32>) -> tensor<1x8xf32> {
  %axes = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.ReduceSumSquare %x, %axes {keepdims = 0 : i64} : (tensor<1x32x32x8xf32>, tensor<2xi64>) -> tensor<1x8xf32>
  task.return %0 : tensor<1x8xf32>
}
