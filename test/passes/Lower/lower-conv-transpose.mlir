// RUN: cameo-opt %s --lower-to-linalg --split-input-file | FileCheck %s

// A stride of 2 gives two phases, each with every second tap, inserted at every second place.
//       CHECK: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1 - d4 + 1)>
// CHECK-LABEL: task.def @phases
//       CHECK:   tensor.pad %{{.*}} low[0, 0, 1] high[0, 0, 1]
//       CHECK:   tensor.extract_slice %{{.*}}[0, 0, 0] [2, 4, 2] [1, 1, 2]
//       CHECK:   linalg.generic {indexing_maps = [#[[X]]
//       CHECK:   tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0] [1, 4, 4] [1, 1, 2]
//       CHECK:   tensor.extract_slice %{{.*}}[0, 0, 1] [2, 4, 1] [1, 1, 2]
//       CHECK:   linalg.generic {indexing_maps = [#[[X]]
//       CHECK:   tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 1] [1, 4, 3] [1, 1, 2]
task.def @phases(%x: tensor<1x2x3xf32>, %w: tensor<2x4x3xf32>) -> tensor<1x4x7xf32> {
  %none = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %none {strides = array<i64: 2>}
    : (tensor<1x2x3xf32>, tensor<2x4x3xf32>, none) -> tensor<1x4x7xf32>
  task.return %0 : tensor<1x4x7xf32>
}

// -----

// A kernel smaller than the stride leaves phases that are only bias.
// CHECK-LABEL: task.def @only_bias
//       CHECK:   reduction
//       CHECK:   tensor.insert_slice %{{.*}}[0, 0, 0] [1, 1, 3] [1, 1, 3]
//   CHECK-NOT:   reduction
//       CHECK:   tensor.insert_slice %{{.*}}[0, 0, 1] [1, 1, 2] [1, 1, 3]
//   CHECK-NOT:   reduction
//       CHECK:   tensor.insert_slice %{{.*}}[0, 0, 2] [1, 1, 2] [1, 1, 3]
task.def @only_bias(%x: tensor<1x2x3xf32>, %w: tensor<2x1x1xf32>, %b: tensor<1xf32>) -> tensor<1x1x7xf32> {
  %0 = onnx.ConvTranspose %x, %w, %b {strides = array<i64: 3>}
    : (tensor<1x2x3xf32>, tensor<2x1x1xf32>, tensor<1xf32>) -> tensor<1x1x7xf32>
  task.return %0 : tensor<1x1x7xf32>
}

// -----

// A kernel as large as the stride: one product, its kernel positions are dimensions of the output.
//   CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d6)>
//   CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d6, d5, d3, d4)>
//   CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d3, d2, d4, d5)>
// CHECK-LABEL: task.def @patches
//   CHECK-NOT:   tensor.insert_slice
//       CHECK:   linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[Y]]]
//       CHECK:   tensor.collapse_shape %{{.*}} : tensor<1x3x2x3x2x4xf32> into tensor<1x6x6x4xf32>
task.def @patches(%x: tensor<1x3x3x8xf32>, %w: tensor<8x4x2x2xf32>) -> tensor<1x6x6x4xf32> {
  %none = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %none {channels_last, strides = array<i64: 2, 2>}
    : (tensor<1x3x3x8xf32>, tensor<8x4x2x2xf32>, none) -> tensor<1x6x6x4xf32>
  task.return %0 : tensor<1x6x6x4xf32>
}

// -----

// Windows known only at run time: each element looks for the inputs that meet it.
// CHECK-LABEL: task.def @windows_of_the_run
//       CHECK:   linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
//       CHECK:     arith.divsi
//       CHECK:     tensor.extract %arg0
//       CHECK:     tensor.extract %arg1
//       CHECK:     arith.select
task.def @windows_of_the_run(%x: tensor<1x2x3xf32>, %w: tensor<2x4x?xf32, #onnx.dims<["", "", "k"]>>) -> tensor<1x4x?xf32, #onnx.dims<["", "", "k + 4"]>> {
  %none = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %none {strides = array<i64: 2>}
    : (tensor<1x2x3xf32>, tensor<2x4x?xf32, #onnx.dims<["", "", "k"]>>, none) -> tensor<1x4x?xf32, #onnx.dims<["", "", "k + 4"]>>
  task.return %0 : tensor<1x4x?xf32, #onnx.dims<["", "", "k + 4"]>>
}

// -----

// Nothing at all is computed of a result without elements, whose indices would not be valid.
// CHECK-LABEL: task.def @nothing
//       CHECK:   %[[NOTHING:.*]] = tensor.empty() : tensor<1x4x0x0xf32>
//  CHECK-NEXT:   task.return %[[NOTHING]]
task.def @nothing(%x: tensor<1x3x1x1xf32>, %w: tensor<3x4x2x2xf32>) -> tensor<1x4x0x0xf32> {
  %none = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %none {pads = array<i64: 1, 1, 1, 1>}
    : (tensor<1x3x1x1xf32>, tensor<3x4x2x2xf32>, none) -> tensor<1x4x0x0xf32>
  task.return %0 : tensor<1x4x0x0xf32>
}

// -----

// An input of f16 is converted once for all products; filters are converted where they are multiplied.
// CHECK-LABEL: task.def @half_patches
//       CHECK:   %[[X:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<1x8x3xf16>) outs({{.*}} : tensor<1x8x3xf32>)
//       CHECK:   linalg.generic {{.*}} ins(%[[X]], %arg1 : tensor<1x8x3xf32>, tensor<8x4x2xf16>)
task.def @half_patches(%x: tensor<1x8x3xf16>, %w: tensor<8x4x2xf16>) -> tensor<1x4x6xf16> {
  %none = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %none {strides = array<i64: 2>}
    : (tensor<1x8x3xf16>, tensor<8x4x2xf16>, none) -> tensor<1x4x6xf16>
  task.return %0 : tensor<1x4x6xf16>
}

// -----

// All phases read the same conversion.
// CHECK-LABEL: task.def @half_phases
//       CHECK:   arith.extf
//       CHECK:   %[[TAPS:.*]] = tensor.extract_slice
//       CHECK:   linalg.generic {{.*}} ins(%[[X:.*]], %[[TAPS]] : tensor<1x8x5xf32>, tensor<8x4x2xf16>)
//       CHECK:   linalg.generic {{.*}} ins(%[[X]], %{{.*}} : tensor<1x8x5xf32>, tensor<8x4x1xf16>)
task.def @half_phases(%x: tensor<1x8x3xf16>, %w: tensor<8x4x3xf16>) -> tensor<1x4x7xf16> {
  %none = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %none {strides = array<i64: 2>}
    : (tensor<1x8x3xf16>, tensor<8x4x3xf16>, none) -> tensor<1x4x7xf16>
  task.return %0 : tensor<1x4x7xf16>
}

// -----

// With a channel per group no two products share an element.
// CHECK-LABEL: task.def @half_depthwise
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}} : tensor<{{.*}}xf16>, tensor<{{.*}}xf16>)
task.def @half_depthwise(%x: tensor<1x8x3xf16>, %w: tensor<8x1x2xf16>) -> tensor<1x8x6xf16> {
  %none = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %none {strides = array<i64: 2>, group = 8 : i64}
    : (tensor<1x8x3xf16>, tensor<8x1x2xf16>, none) -> tensor<1x8x6xf16>
  task.return %0 : tensor<1x8x6xf16>
}
