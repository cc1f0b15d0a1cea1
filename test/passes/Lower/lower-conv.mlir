// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d1 * 2 + d5, d2 * 2 + d6)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
// CHECK-DAG: #[[SUMS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d1, d2)>
// CHECK-DAG: #[[DEPTH_FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, 0, d4, d5)>

// CHECK-LABEL: task.def @conv_nchw
// CHECK: %[[PADDED:.*]] = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 0, 0]
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK: %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTER]], #[[SUMS]]]
// CHECK-SAME: ins(%[[PADDED]], %arg1 {{.*}} outs(%[[ZEROS]]
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], %arg2
task.def @conv_nchw(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = onnx.Conv %x, %w, %b {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  task.return %0 : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: task.def @conv_depthwise
// CHECK-NOT: tensor.pad
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[DEPTH_FILTER]], #{{.*}}]
// CHECK: arith.maximumf
task.def @conv_depthwise(%x: tensor<1x8x8x4xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<1x6x6x4xf32> {
  %n = onnx.None
  %0 = onnx.Conv %x, %w, %n {group = 4 : i64, channels_last} : (tensor<1x8x8x4xf32>, tensor<4x1x3x3xf32>, none) -> tensor<1x6x6x4xf32>
  %1 = onnx.Relu %0 : (tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  task.return %1 : tensor<1x6x6x4xf32>
}

// CHECK-LABEL: task.def @conv_grouped
// CHECK: %[[X:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2], [3]]
// CHECK: %[[W:.*]] = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2], [3]]
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[W]]
// CHECK: tensor.collapse_shape
task.def @conv_grouped(%x: tensor<1x8x6xf32>, %w: tensor<4x4x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x4xf32> {
  %0 = onnx.Conv %x, %w, %b {group = 2 : i64} : (tensor<1x8x6xf32>, tensor<4x4x3xf32>, tensor<4xf32>) -> tensor<1x4x4xf32>
  task.return %0 : tensor<1x4x4xf32>
}
