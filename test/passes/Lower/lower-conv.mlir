// RUN: cameo-opt %s --lower-to-linalg --split-input-file | FileCheck %s

// Channels first: a padding, sums, bias.
//   CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d1 * 2 + d5, d2 * 2 + d6 * 3)>
//   CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
//   CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d3, d1, d2)>
//   CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d1)>
// CHECK-LABEL: task.def @channels_first(
//  CHECK-SAME:   %{{.*}}: tensor<1x3x8x9xf32>, %[[F:.*]]: tensor<4x3x3x2xf32>
//       CHECK:   %[[PADDED:.*]] = tensor.pad %{{.*}} low[0, 0, 1, 0] high[0, 0, 0, 1]
//       CHECK:   %[[ZERO:.*]] = linalg.fill
//       CHECK:   %[[SUMS:.*]] = linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[Y]]]
//  CHECK-SAME:     iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
//  CHECK-SAME:     ins(%[[PADDED]], %[[F]] : {{.*}}) outs(%[[ZERO]] : tensor<1x4x4x4xf32>)
//       CHECK:     arith.mulf
//       CHECK:     arith.addf
//       CHECK:   linalg.generic {indexing_maps = [#{{.*}}, #[[B]], #{{.*}}]{{.*}} ins(%[[SUMS]],
task.def @channels_first(%x: tensor<1x3x8x9xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = onnx.Conv %x, %w, %b {pads = array<i64: 1, 0, 1, 1>, strides = array<i64: 2, 2>, dilations = array<i64: 1, 3>}
    : (tensor<1x3x8x9xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  task.return %0 : tensor<1x4x4x4xf32>
}

// -----

// The same loops, other places of the channels; no padding, no bias.
//   CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d5, d2 + d6, d4)>
//   CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
//   CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
// CHECK-LABEL: task.def @channels_last
//   CHECK-NOT:   tensor.pad
//       CHECK:   linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[Y]]]
//   CHECK-NOT:   linalg.generic
task.def @channels_last(%x: tensor<1x8x8x3xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x6x6x4xf32> {
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none {channels_last} : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>, none) -> tensor<1x6x6x4xf32>
  task.return %0 : tensor<1x6x6x4xf32>
}

// -----

// One filter per channel: no loop over input channels.
//   CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
//   CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, 0, d4, d5)>
// CHECK-LABEL: task.def @depthwise
//       CHECK:   linalg.generic {indexing_maps = [#[[X]], #[[W]], #{{.*}}]
task.def @depthwise(%x: tensor<1x8x8x4xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<1x6x6x4xf32> {
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none {channels_last, group = 4 : i64}
    : (tensor<1x8x8x4xf32>, tensor<4x1x3x3xf32>, none) -> tensor<1x6x6x4xf32>
  task.return %0 : tensor<1x6x6x4xf32>
}

// -----

// Groups are a dimension of input, filter, output and bias.
//   CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d2 + d5)>
//   CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3, d4, d5)>
//   CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d2)>
//   CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
// CHECK-LABEL: task.def @groups
//   CHECK-DAG:   tensor.expand_shape %{{.*}} {{\[}}[0], [1, 2], [3]] output_shape [1, 2, 4, 6]
//   CHECK-DAG:   tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2], [3]] output_shape [2, 2, 4, 3]
//       CHECK:   linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[Y]]]
//       CHECK:   linalg.generic {indexing_maps = [#{{.*}}, #[[B]], #{{.*}}]
//       CHECK:   tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2], [3]]
task.def @groups(%x: tensor<1x8x6xf32>, %w: tensor<4x4x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x4xf32> {
  %0 = onnx.Conv %x, %w, %b {group = 2 : i64} : (tensor<1x8x6xf32>, tensor<4x4x3xf32>, tensor<4xf32>) -> tensor<1x4x4xf32>
  task.return %0 : tensor<1x4x4xf32>
}

// -----

// Sums of narrow floats are f32, and so is the activation before it is multiplied.
// CHECK-LABEL: task.def @half
//       CHECK:   linalg.generic {{.*}} ins(%arg0 : tensor<1x3x8xf16>) outs({{.*}} : tensor<1x3x8xf32>)
//       CHECK:     arith.extf
//       CHECK:   linalg.fill {{.*}} outs(%{{.*}} : tensor<1x4x6xf32>)
//       CHECK:   arith.extf
//       CHECK:   arith.truncf
task.def @half(%x: tensor<1x3x8xf16>, %w: tensor<4x3x3xf16>) -> tensor<1x4x6xf16> {
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none : (tensor<1x3x8xf16>, tensor<4x3x3xf16>, none) -> tensor<1x4x6xf16>
  task.return %0 : tensor<1x4x6xf16>
}

// -----

// Windows that skip elements may leave some over: then there is no padding, and none that is negative.
// CHECK-LABEL: task.def @padding_of_skipped_elements
//       CHECK:   %[[LOW:.*]] = task.size "2*floor((h + 3)/4) - floor((h + min(4*floor((h + 3)/4) - h - 1, 0))/2) - 1"
//       CHECK:   tensor.pad %{{.*}} low[0, 0, %[[LOW]]]
task.def @padding_of_skipped_elements(%x: tensor<1x1x?xf32, #onnx.dims<["", "", "h"]>>, %w: tensor<1x1x3xf32>) -> tensor<1x1x?xf32, #onnx.dims<["", "", "floor((h + 3)/4)"]>> {
  %n = onnx.None
  %0 = onnx.Conv %x, %w, %n {auto_pad = "SAME_UPPER", strides = array<i64: 4>} : (tensor<1x1x?xf32, #onnx.dims<["", "", "h"]>>, tensor<1x1x3xf32>, none) -> tensor<1x1x?xf32, #onnx.dims<["", "", "floor((h + 3)/4)"]>>
  task.return %0 : tensor<1x1x?xf32, #onnx.dims<["", "", "floor((h + 3)/4)"]>>
}
