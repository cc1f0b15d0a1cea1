// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1 - d4 + 1)>

// One convolution for even output elements, one for odd ones.
// CHECK-LABEL: task.def @conv_transpose
// CHECK: %[[PADDED:.*]] = tensor.pad %arg0 low[0, 0, 1] high[0, 0, 1]
// CHECK: %[[EVEN:.*]] = tensor.extract_slice %arg1[0, 0, 0] [2, 4, 2] [1, 1, 2]
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE]], {{.*}} ins(%[[PADDED]], %[[EVEN]]
// CHECK: tensor.insert_slice {{.*}}[0, 0, 0] [1, 4, 4] [1, 1, 2]
// CHECK: %[[ODD:.*]] = tensor.extract_slice %arg1[0, 0, 1] [2, 4, 1] [1, 1, 2]
// CHECK: linalg.generic {{.*}} ins(%[[PADDED]], %[[ODD]]
// CHECK: tensor.insert_slice {{.*}}[0, 0, 1] [1, 4, 3] [1, 1, 2]
task.def @conv_transpose(%x: tensor<1x2x3xf32>, %w: tensor<2x4x3xf32>) -> tensor<1x4x7xf32> {
  %n = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %n {strides = array<i64: 2>} : (tensor<1x2x3xf32>, tensor<2x4x3xf32>, none) -> tensor<1x4x7xf32>
  task.return %0 : tensor<1x4x7xf32>
}
