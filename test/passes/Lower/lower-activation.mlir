// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// Exponentials are of what is below zero alone, so that none overflows.
// CHECK-LABEL: task.def @exponential
// CHECK: %[[BELOW:.*]] = arith.minimumf
// CHECK: %[[SCALED:.*]] = arith.divf %[[BELOW]]
// CHECK: math.expm1 %[[SCALED]]
// CHECK: arith.maximumf
// CHECK: %[[BELOW:.*]] = arith.minimumf
// CHECK: %[[BENT:.*]] = math.expm1 %[[BELOW]]
// CHECK: arith.cmpf oge
// CHECK: arith.select
// CHECK: %[[BELOW:.*]] = arith.minimumf
// CHECK: math.expm1 %[[BELOW]]
// CHECK: %[[CHOSEN:.*]] = arith.select
// CHECK: arith.mulf %{{.*}}, %[[CHOSEN]]
task.def @exponential(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = onnx.Celu %x {alpha = 2.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Elu %0 {alpha = 2.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Selu %1 : (tensor<8xf32>) -> tensor<8xf32>
  task.return %2 : tensor<8xf32>
}

// CHECK-LABEL: task.def @pieces
// CHECK: %[[NEGATIVE:.*]] = arith.cmpf olt, %[[IN:.*]], %
// CHECK: %[[BENT:.*]] = arith.mulf %{{.*}}, %[[IN]]
// CHECK: arith.select %[[NEGATIVE]], %[[BENT]], %[[IN]]
// CHECK: %[[ALPHA:.*]] = arith.constant 2.000000e+00
// CHECK: %[[ABOVE:.*]] = arith.cmpf ogt, %[[IN:.*]], %[[ALPHA]]
// CHECK: arith.select %[[ABOVE]], %[[IN]], %
task.def @pieces(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = onnx.LeakyRelu %x {alpha = 0.1 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.ThresholdedRelu %0 {alpha = 2.0 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  task.return %1 : tensor<8xf32>
}

// Integers move by numbers that are none, so they are floats meanwhile.
// CHECK-LABEL: task.def @shrink
// CHECK: arith.cmpf olt
// CHECK: arith.addf
// CHECK: arith.cmpf ogt
// CHECK: arith.subf
// CHECK: arith.sitofp %{{.*}} : i32 to f64
// CHECK: arith.fptosi
task.def @shrink(%x: tensor<8xf32>, %i: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>) {
  %0 = onnx.Shrink %x {bias = 1.5 : f32, lambd = 1.5 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Shrink %i {bias = 1.5 : f32, lambd = 1.5 : f32} : (tensor<8xi32>) -> tensor<8xi32>
  task.return %0, %1 : tensor<8xf32>, tensor<8xi32>
}

// Where the sigmoid would be subnormal it is zero.
// CHECK-LABEL: task.def @gated
// CHECK: %[[LIMIT:.*]] = arith.constant -87.33
// CHECK: %[[BEYOND:.*]] = arith.cmpf olt, %{{.*}}, %[[LIMIT]]
// CHECK: %[[SIGMOID:.*]] = arith.divf
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: %[[GATE:.*]] = arith.select %[[BEYOND]], %[[ZERO]], %[[SIGMOID]]
// CHECK: %[[SWISH:.*]] = arith.mulf %{{.*}}, %[[GATE]]
// CHECK: arith.mulf %[[SWISH]], %
task.def @gated(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = onnx.SwiGLU %x, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  task.return %0 : tensor<8xf32>
}
