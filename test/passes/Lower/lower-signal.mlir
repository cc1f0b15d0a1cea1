// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK: affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + d2, d3)>

// A transform is a product with a matrix of cosines and sines, which a task of any size makes for itself.
// CHECK-LABEL: task.def @spectrum
// CHECK: %[[MATRIX:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8x1x5x2xf32>)
// CHECK: arith.remsi
// CHECK: math.cos
// CHECK: math.sin
// CHECK: linalg.generic {{.*}}"reduction", "reduction"{{.*}} ins(%arg0, %[[MATRIX]] :
task.def @spectrum(%x: tensor<3x8x1xf32>) -> tensor<3x5x2xf32> {
  %none = onnx.None
  %0 = onnx.DFT %x, %none, %none {onesided = 1 : i64} : (tensor<3x8x1xf32>, none, none) -> tensor<3x5x2xf32>
  task.return %0 : tensor<3x5x2xf32>
}

// An axis that the run reads: one of those that the shapes allow.
// CHECK-LABEL: task.def @spectrum_along_a_read_axis
// CHECK-COUNT-2: linalg.generic {{.*}}"reduction", "reduction"
// CHECK-NOT: "reduction"
// CHECK: linalg.generic
// CHECK: arith.cmpi eq
// CHECK: arith.select
task.def @spectrum_along_a_read_axis(%x: tensor<4x4x8x1xf32>, %axis: tensor<i64>) -> tensor<4x4x8x2xf32> {
  %none = onnx.None
  %0 = onnx.DFT %x, %none, %axis {onesided = 0 : i64} : (tensor<4x4x8x1xf32>, none, tensor<i64>) -> tensor<4x4x8x2xf32>
  task.return %0 : tensor<4x4x8x2xf32>
}

// CHECK-LABEL: task.def @half_a_spectrum_along_a_read_axis
// CHECK-COUNT-1: linalg.generic {{.*}}"reduction", "reduction"
// CHECK-NOT: arith.select
// CHECK: task.return
task.def @half_a_spectrum_along_a_read_axis(%x: tensor<4x4x1xf32>, %axis: tensor<i64>) -> tensor<4x3x2xf32> {
  %none = onnx.None
  %0 = onnx.DFT %x, %none, %axis {onesided = 1 : i64} : (tensor<4x4x1xf32>, none, tensor<i64>) -> tensor<4x3x2xf32>
  task.return %0 : tensor<4x3x2xf32>
}

// Frames are cut out and weighted before.
// CHECK-LABEL: task.def @frames
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x3x8x1xf32>)
// CHECK: tensor.extract %arg0
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x3x8x1xf32>)
// CHECK: arith.mulf
// CHECK: tensor<8x1x5x2xf32>
task.def @frames(%x: tensor<1x16x1xf32>, %step: tensor<i64>, %window: tensor<8xf32>) -> tensor<1x3x5x2xf32> {
  %none = onnx.None
  %0 = onnx.STFT %x, %step, %window, %none : (tensor<1x16x1xf32>, tensor<i64>, tensor<8xf32>, none) -> tensor<1x3x5x2xf32>
  task.return %0 : tensor<1x3x5x2xf32>
}

// Frame i begins at element 2 i.
// CHECK-LABEL: task.def @pieces
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x5x8x1xf32>)
task.def @pieces(%x: tensor<1x16x1xf32>) -> tensor<1x5x8x1xf32> {
  %0 = onnx.Frames %x {length = 8 : i64, step = 2 : i64} : (tensor<1x16x1xf32>) -> tensor<1x5x8x1xf32>
  task.return %0 : tensor<1x5x8x1xf32>
}

// CHECK-LABEL: task.def @window
// CHECK-COUNT-2: math.cos
task.def @window(%n: tensor<i64>) -> tensor<10xf32> {
  %0 = onnx.BlackmanWindow %n : (tensor<i64>) -> tensor<10xf32>
  task.return %0 : tensor<10xf32>
}

// Sums of cosines, of one term beside the constant.
// CHECK-LABEL: task.def @windows
// CHECK: arith.constant 5.000000e-01 : f64
// CHECK: math.cos
// CHECK: arith.constant 0.543478{{[0-9]*}} : f64
// CHECK: math.cos
task.def @windows(%n: tensor<i64>) -> (tensor<10xf32>, tensor<10xf32>) {
  %0 = onnx.HannWindow %n : (tensor<i64>) -> tensor<10xf32>
  %1 = onnx.HammingWindow %n : (tensor<i64>) -> tensor<10xf32>
  task.return %0, %1 : tensor<10xf32>, tensor<10xf32>
}

// The edges of a triangle, from mel to hertz, as places in the spectrum.
// CHECK-LABEL: task.def @mel_weights
// CHECK: math.log10
// CHECK: math.powf
// CHECK: math.floor
// CHECK: arith.select
task.def @mel_weights(%bands: tensor<i64>, %length: tensor<i64>, %rate: tensor<i64>, %low: tensor<f32>, %high: tensor<f32>) -> tensor<9x4xf32> {
  %0 = onnx.MelWeightMatrix %bands, %length, %rate, %low, %high
      : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<9x4xf32>
  task.return %0 : tensor<9x4xf32>
}
