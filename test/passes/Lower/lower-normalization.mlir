// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: task.def @softmax
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}}#[[ROW]]], iterator_types = ["parallel", "reduction"]
// CHECK: arith.maximumf {{.*}} fastmath<nnan>
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} ins(%arg0, %[[MAX]]
// CHECK: math.exp
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[EXP]]
// CHECK: linalg.generic {{.*}} ins(%[[EXP]], %[[SUM]]
// CHECK: arith.divf {{.*}} fastmath<arcp>
task.def @softmax(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = onnx.Softmax %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  task.return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: task.def @layernorm
// CHECK: %[[MEAN:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%arg0, %[[MEAN]]
// CHECK: %[[DIFFERENCE:.*]] = arith.subf
// CHECK: arith.mulf %[[DIFFERENCE]], %[[DIFFERENCE]]
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}} ins(%arg0, {{.*}}, %arg1, %arg2
task.def @layernorm(%x: tensor<2x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x8xf32> {
  %0, %m, %i = onnx.LayerNormalization %x, %s, %b : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x8xf32>, none, none)
  task.return %0 : tensor<2x8xf32>
}

// The statistics have the type of the input, the result that of the scale.
// CHECK-LABEL: task.def @rms_of_two_types
// CHECK: linalg.generic {{.*}}"reduction"]} ins(%arg0 : tensor<2x8xf64>)
// CHECK: linalg.generic {{.*}} ins(%arg0, {{.*}}, %arg1
// CHECK: arith.extf {{.*}} : f32 to f64
// CHECK: arith.truncf {{.*}} : f64 to f32
task.def @rms_of_two_types(%x: tensor<2x8xf64>, %s: tensor<8xf32>) -> tensor<2x8xf32> {
  %0 = onnx.RMSNormalization %x, %s : (tensor<2x8xf64>, tensor<8xf32>) -> tensor<2x8xf32>
  task.return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: task.def @reduce
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "reduction"]
// CHECK: arith.constant 1.200000e+01
task.def @reduce(%x: tensor<2x3x4xf32>) -> (tensor<2x1x4xf32>, tensor<2xf32>) {
  %a = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %c = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.ReduceMax %x, %a : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x1x4xf32>
  %1 = onnx.ReduceMean %x, %c {keepdims = 0 : i64} : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2xf32>
  task.return %0, %1 : tensor<2x1x4xf32>, tensor<2xf32>
}

// One logarithm for each sum.
// CHECK-LABEL: task.def @log_softmax
// CHECK: arith.maximumf
// CHECK: %[[MOVED:.*]] = linalg.generic {{.*}} ins(%arg0,
// CHECK: math.exp
// CHECK: %[[LOG:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<2x1xf32>) outs(%{{.*}} : tensor<2x1xf32>)
// CHECK: math.log
// CHECK: linalg.generic {{.*}} ins(%[[MOVED]], %[[LOG]]
// CHECK-NOT: math.log
// CHECK: arith.subf
task.def @log_softmax(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = onnx.LogSoftmax %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  task.return %0 : tensor<2x8xf32>
}

// Mean and variance of each channel of each sample, or of each channel of all samples.
// CHECK-LABEL: task.def @channels
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK: arith.subf
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "reduction", "reduction"]
// CHECK: arith.subf
// CHECK: math.sqrt
task.def @channels(%x: tensor<2x4x6x6xf32>, %s: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<2x4x6x6xf32> {
  %0 = onnx.InstanceNormalization %x, %s, %b : (tensor<2x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x6x6xf32>
  %1 = onnx.MeanVarianceNormalization %0 : (tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  task.return %1 : tensor<2x4x6x6xf32>
}

// Squares of the neighbouring channels; beta is 3/4, which is a product of roots.
// CHECK-LABEL: task.def @across_channels
// CHECK: tensor.pad %arg0 low[0, 1, 0, 0] high[0, 1, 0, 0]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK: %[[SQRT:.*]] = math.sqrt
// CHECK: %[[ROOT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[SQRT]]
// CHECK: %[[FOURTH:.*]] = math.sqrt %[[ROOT]]
// CHECK: arith.mulf %[[ROOT]], %[[FOURTH]]
task.def @across_channels(%x: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %0 = onnx.LRN %x {size = 3 : i64} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  task.return %0 : tensor<1x4x6x6xf32>
}

// Zeros stay zeros.
// CHECK-LABEL: task.def @to_length_one
// CHECK: math.sqrt
// CHECK: %[[NOTHING:.*]] = arith.cmpf oeq
// CHECK: %[[SCALED:.*]] = arith.divf
// CHECK: arith.select %[[NOTHING]], %{{.*}}, %[[SCALED]]
task.def @to_length_one(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = onnx.LpNormalization %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  task.return %0 : tensor<2x8xf32>
}
