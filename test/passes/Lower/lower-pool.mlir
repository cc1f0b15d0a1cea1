// RUN: cameo-opt %s --lower-to-linalg --split-input-file | FileCheck %s

// The window's extents are those of a tensor that is not read.
//   CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
//   CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
// CHECK-LABEL: task.def @max
//       CHECK:   tensor.pad {{.*}} low[0, 1, 1, 0] high[0, 0, 0, 0]
//       CHECK:   %[[WINDOW:.*]] = tensor.empty() : tensor<3x3xf32>
//       CHECK:   linalg.generic {indexing_maps = [#[[X]], #[[K]], #{{.*}}]{{.*}} ins(%{{.*}}, %[[WINDOW]] :
//       CHECK:     arith.maximumf
task.def @max(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0, %1 = onnx.MaxPool %x {channels_last, kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
    : (tensor<1x8x8x4xf32>) -> (tensor<1x4x4x4xf32>, none)
  task.return %0 : tensor<1x4x4x4xf32>
}

// -----

// Large windows are combined line by line; the rows between them have the columns of the input.
//   CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d4, d2, d3)>
//   CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2 + d4, d3)>
// CHECK-LABEL: task.def @lines
//       CHECK:   %[[R:.*]] = linalg.generic {indexing_maps = [#[[ROWS]],{{.*}} outs(%{{.*}} : tensor<1x4x8x4xf32>)
//       CHECK:   linalg.generic {indexing_maps = [#[[COLUMNS]],{{.*}} ins(%[[R]],
task.def @lines(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0, %1 = onnx.MaxPool %x {channels_last, kernel_shape = array<i64: 5, 5>} : (tensor<1x8x8x4xf32>) -> (tensor<1x4x4x4xf32>, none)
  task.return %0 : tensor<1x4x4x4xf32>
}

// -----

// Channels last planes of dynamic sizes have lines, too.
// CHECK-LABEL: task.def @counted_lines
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
task.def @counted_lines(%x: tensor<1x?x?x4xf32, #onnx.dims<["", "h", "w", ""]>>) -> tensor<1x?x?x4xf32, #onnx.dims<["", "h", "w", ""]>> {
  %y, %i = onnx.MaxPool %x {kernel_shape = array<i64: 5, 5>, pads = array<i64: 2, 2, 2, 2>, channels_last}
      : (tensor<1x?x?x4xf32, #onnx.dims<["", "h", "w", ""]>>) -> (tensor<1x?x?x4xf32, #onnx.dims<["", "h", "w", ""]>>, none)
  task.return %y : tensor<1x?x?x4xf32, #onnx.dims<["", "h", "w", ""]>>
}

// -----

// In the order of the model lines of columns come first, each padded on its own.
// CHECK-LABEL: task.def @columns_first
//       CHECK:   tensor.pad {{.*}} low[0, 0, 0, 1] high[0, 0, 0, 1]
//       CHECK:   %[[C:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x8x8xf32>)
//       CHECK:     arith.addf
//       CHECK:   tensor.pad %[[C]] low[0, 0, 1, 0] high[0, 0, 1, 0]
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x8x8xf32>)
//       CHECK:   arith.divf
task.def @columns_first(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %0 = onnx.AveragePool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>}
    : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  task.return %0 : tensor<1x4x8x8xf32>
}

// -----

// The terms of a norm are powers once.
// CHECK-LABEL: task.def @norm_of_lines
//       CHECK:   %[[C:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x10x8xf32>)
//       CHECK:     arith.mulf
//       CHECK:   linalg.generic {{.*}} ins(%[[C]],
//   CHECK-NOT:     arith.mulf
//       CHECK:   math.sqrt
task.def @norm_of_lines(%x: tensor<1x4x10x10xf32>) -> tensor<1x4x8x8xf32> {
  %0 = onnx.LpPool %x {kernel_shape = array<i64: 3, 3>} : (tensor<1x4x10x10xf32>) -> tensor<1x4x8x8xf32>
  task.return %0 : tensor<1x4x8x8xf32>
}

// -----

// Rows come first where columns are left out and rows are padded; without padding whole windows are combined.
// CHECK-LABEL: task.def @strided
//       CHECK:   tensor.pad {{.*}} low[0, 0, 1, 0] high[0, 0, 0, 0]
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x8x16xf32>)
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x8x8xf32>)
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x7x7xf32>)
//   CHECK-NOT:   linalg.generic
//       CHECK:   task.return
task.def @strided(%x: tensor<1x4x16x16xf32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x7x7xf32>) {
  %0, %1 = onnx.MaxPool %x {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
    : (tensor<1x4x16x16xf32>) -> (tensor<1x4x8x8xf32>, none)
  %2, %3 = onnx.MaxPool %x {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>}
    : (tensor<1x4x16x16xf32>) -> (tensor<1x4x7x7xf32>, none)
  task.return %0, %2 : tensor<1x4x8x8xf32>, tensor<1x4x7x7xf32>
}

// -----

// Without padding no place is compared with the borders of the image.
// CHECK-LABEL: task.def @max_indices
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<1x1x4xi8>, tensor<1x1x4xi64>)
//       CHECK:     %[[FIRST:.*]] = arith.cmpi slt, %{{.*}} : i64
//  CHECK-NEXT:     %[[GREATER:.*]] = arith.cmpi ugt
//  CHECK-NEXT:     %[[TAKEN:.*]] = arith.ori %[[FIRST]], %[[GREATER]]
//       CHECK:     arith.select %[[TAKEN]]
//       CHECK:     arith.select %[[TAKEN]]
//   CHECK-NOT:   arith.maxsi
//       CHECK:   task.return
task.def @max_indices(%x: tensor<1x1x8xui8>) -> (tensor<1x1x4xui8>, tensor<1x1x4xi64>) {
  %0, %1 = onnx.MaxPool %x {kernel_shape = array<i64: 2>, strides = array<i64: 2>}
    : (tensor<1x1x8xui8>) -> (tensor<1x1x4xui8>, tensor<1x1x4xi64>)
  task.return %0, %1 : tensor<1x1x4xui8>, tensor<1x1x4xi64>
}

// -----

// CHECK-LABEL: task.def @max_indices_padded
//       CHECK:     %[[NONE:.*]] = arith.cmpi slt, %{{.*}} : i64
//       CHECK:     %[[INSIDE:.*]] = arith.cmpi sge, %{{.*}} : index
//   CHECK-NOT:     arith.cmpi slt, %{{.*}} : index
//       CHECK:     %[[FIRST:.*]] = arith.andi %[[NONE]], %[[INSIDE]]
//       CHECK:     arith.ori %[[FIRST]]
//       CHECK:   arith.maxsi
task.def @max_indices_padded(%x: tensor<1x1x8xui8>) -> (tensor<1x1x8xui8>, tensor<1x1x8xi64>) {
  %0, %1 = onnx.MaxPool %x {kernel_shape = array<i64: 2>, pads = array<i64: 1, 0>}
    : (tensor<1x1x8xui8>) -> (tensor<1x1x8xui8>, tensor<1x1x8xi64>)
  task.return %0, %1 : tensor<1x1x8xui8>, tensor<1x1x8xi64>
}

// -----

// Equal counts are one number; at a border they come from a table per dimension.
// CHECK-LABEL: task.def @average
//       CHECK:   %[[FOUR:.*]] = arith.constant 4.0
//       CHECK:   arith.divf %{{.*}}, %[[FOUR]]
//       CHECK:   arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
task.def @average(%x: tensor<1x1x4x4xf32>) -> (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) {
  %0 = onnx.AveragePool %x {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}
    : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  %1 = onnx.AveragePool %x {kernel_shape = array<i64: 2, 2>, strides = array<i64: 3, 3>, pads = array<i64: 1, 1, 0, 0>}
    : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  task.return %0, %1 : tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>
}

// -----

//       CHECK: #[[Y:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d1)>
// CHECK-LABEL: task.def @global
//       CHECK:   linalg.generic {indexing_maps = [#{{.*}}, #[[Y]]], iterator_types = ["parallel", "parallel", "reduction", "reduction"]
//       CHECK:   arith.divf
task.def @global(%x: tensor<2x7x7x8xf32>) -> tensor<2x1x1x8xf32> {
  %0 = onnx.GlobalAveragePool %x {channels_last} : (tensor<2x7x7x8xf32>) -> tensor<2x1x1x8xf32>
  task.return %0 : tensor<2x1x1x8xf32>
}

// -----

// CHECK-LABEL: task.def @norms
//       CHECK:   %[[SQUARE:.*]] = arith.mulf %[[IN:.*]], %[[IN]]
//       CHECK:   arith.addf %{{.*}}, %[[SQUARE]]
//       CHECK:   math.sqrt
//       CHECK:   linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]
//       CHECK:   math.sqrt
//       CHECK:   linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]
//       CHECK:   arith.maximumf
task.def @norms(%x: tensor<1x4x6x6xf32>) -> (tensor<1x4x5x5xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) {
  %0 = onnx.LpPool %x {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x6x6xf32>) -> tensor<1x4x5x5xf32>
  %1 = onnx.GlobalLpPool %x : (tensor<1x4x6x6xf32>) -> tensor<1x4x1x1xf32>
  %2 = onnx.GlobalMaxPool %x : (tensor<1x4x6x6xf32>) -> tensor<1x4x1x1xf32>
  task.return %0, %1, %2 : tensor<1x4x5x5xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>
}

// -----

// The counts of so many windows are no constant.
// CHECK-LABEL: task.def @average_of_many_windows
// CHECK-NOT: dense
// CHECK: arith.divf
task.def @average_of_many_windows(%x: tensor<1x1x2097152xf32>) -> tensor<1x1x1048577xf32> {
  %0 = onnx.AveragePool %x {kernel_shape = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 1, 1>}
      : (tensor<1x1x2097152xf32>) -> tensor<1x1x1048577xf32>
  task.return %0 : tensor<1x1x1048577xf32>
}
