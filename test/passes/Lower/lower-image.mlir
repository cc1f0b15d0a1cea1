// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-LABEL: task.def @affine_grid
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel"]
// CHECK: linalg.index 2
// CHECK: linalg.index 1
task.def @affine_grid(%t: tensor<2x2x3xf32>) -> tensor<2x4x5x2xf32> {
  %s = onnx.Constant {value = dense<[2, 1, 4, 5]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.AffineGrid %t, %s : (tensor<2x2x3xf32>, tensor<4xi64>) -> tensor<2x4x5x2xf32>
  task.return %0 : tensor<2x4x5x2xf32>
}

// A block's elements are a reduction for each element of the image.
// CHECK-LABEL: task.def @col2im
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]
// CHECK: tensor.extract %arg0
// CHECK: arith.select
task.def @col2im(%x: tensor<1x5x5xf32>, %i: tensor<2xi64>, %b: tensor<2xi64>) -> tensor<1x1x5x5xf32> {
  %0 = onnx.Col2Im %x, %i, %b : (tensor<1x5x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1x5x5xf32>
  task.return %0 : tensor<1x1x5x5xf32>
}

// Samples of all taps, then a product.
// Channels are innermost where samples are taken.
// CHECK-LABEL: task.def @deform_conv
// CHECK: %[[LAST:.*]] = linalg.generic {{.*}} ins(%arg0 : {{.*}} outs(%{{.*}} : tensor<1x5x5x4xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x4x4x1x4xf32>)
// CHECK: math.floor
// CHECK: tensor.extract %[[LAST]]
// CHECK: linalg.generic {{.*}}"reduction", "reduction"]
// CHECK-NOT: tensor.extract
task.def @deform_conv(%x: tensor<1x4x5x5xf32>, %w: tensor<2x4x2x2xf32>, %o: tensor<1x8x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %none = onnx.None
  %0 = onnx.DeformConv %x, %w, %o, %none, %none : (tensor<1x4x5x5xf32>, tensor<2x4x2x2xf32>, tensor<1x8x4x4xf32>, none, none) -> tensor<1x2x4x4xf32>
  task.return %0 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: task.def @center_crop_pad
// CHECK: tensor.extract_slice %arg0[5, 0]
// CHECK: tensor.pad {{.*}} low[0, 1] high[0, 2]
task.def @center_crop_pad(%x: tensor<20x7xf32>, %s: tensor<2xi64>) -> tensor<10x10xf32> {
  %0 = onnx.CenterCropPad %x, %s : (tensor<20x7xf32>, tensor<2xi64>) -> tensor<10x10xf32>
  task.return %0 : tensor<10x10xf32>
}

// Nothing is cut out of a tensor of no elements.
// CHECK-LABEL: task.def @center_pad_empty
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4x0xf32>
// CHECK: tensor.pad %[[EMPTY]] low[0, 1] high[0, 2]
task.def @center_pad_empty(%x: tensor<5x0xf32>, %s: tensor<2xi64>) -> tensor<4x3xf32> {
  %0 = onnx.CenterCropPad %x, %s : (tensor<5x0xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  task.return %0 : tensor<4x3xf32>
}

// Two neighbours along each axis, weighted; those outside are zeros.
// CHECK-LABEL: task.def @grid_sample
// CHECK: linalg.generic {{.*}} ins(%arg1, %arg1 : tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) outs({{.*}} : tensor<1x4x2x3xf32>)
// CHECK-COUNT-2: math.floor
// CHECK-COUNT-4: tensor.extract %arg0
task.def @grid_sample(%x: tensor<1x4x6x6xf32>, %grid: tensor<1x2x3x2xf32>) -> tensor<1x4x2x3xf32> {
  %0 = onnx.GridSample %x, %grid : (tensor<1x4x6x6xf32>, tensor<1x2x3x2xf32>) -> tensor<1x4x2x3xf32>
  task.return %0 : tensor<1x4x2x3xf32>
}
