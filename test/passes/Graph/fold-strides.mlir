// RUN: cameo-opt %s --fold-strides | FileCheck %s
// RUN: cameo-opt %s --fold-strides --fold-constants | FileCheck %s --check-prefix=FOLDED

// Blocks of 2 x 2 pixels of four channels, of which the last is zero: one tap of zero stands before the first one, so two blocks of padding are in front, and one is behind.
//  CHECK-LABEL: @first
//    CHECK-DAG: %[[PADS:.*]] = onnx.Constant {value = dense<[0, 2, 2, 0, 0, 0, 0, 1, 1, 1, 0, 0]>
//    CHECK-DAG: onnx.Constant {value = dense<[0, 0, 1, 1, 0, 1, 0, 0]>
//        CHECK: %[[PARTED:.*]] = onnx.Reshape %arg0, %{{.*}} -> tensor<1x3x112x2x112x2xf16>
//        CHECK: %[[BLOCKS:.*]] = onnx.Transpose %[[PARTED]] {perm = array<i64: 0, 2, 4, 1, 3, 5>} {{.*}} -> tensor<1x112x112x3x2x2xf16>
//        CHECK: %[[PADDED:.*]] = onnx.Pad %[[BLOCKS]], %[[PADS]], {{.*}} -> tensor<1x115x115x4x2x2xf16>
//        CHECK: %[[WHOLE:.*]] = onnx.Reshape %[[PADDED]], %{{.*}} -> tensor<1x115x115x16xf16>
//        CHECK: %[[IMAGE:.*]] = onnx.Transpose %[[WHOLE]] {perm = array<i64: 0, 3, 1, 2>}
//        CHECK: %[[WEIGHTS:.*]] = onnx.Reshape {{.*}} -> tensor<64x16x4x4xf16>
//        CHECK: onnx.Conv %[[IMAGE]], %[[WEIGHTS]], %arg1 {{{.*}}kernel_shape = array<i64: 4, 4>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} {{.*}} -> tensor<1x64x112x112xf16>
// FOLDED-LABEL: @first
//       FOLDED: onnx.Constant {{.*}} : tensor<64x16x4x4xf16>
func.func @first(%x: tensor<1x3x224x224xf16>, %b: tensor<64xf16>) -> tensor<1x64x112x112xf16> {
  %w = onnx.Constant {value = dense<1.0> : tensor<64x3x7x7xf16>} : tensor<64x3x7x7xf16>
  %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 7, 7>, pads = array<i64: 3, 3, 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x3x224x224xf16>, tensor<64x3x7x7xf16>, tensor<64xf16>) -> tensor<1x64x112x112xf16>
  return %0 : tensor<1x64x112x112xf16>
}

// Patches are blocks.
// CHECK-LABEL: @patches
//       CHECK: onnx.Conv {{.*}}kernel_shape = array<i64: 1, 1>{{.*}} tensor<96x48x1x1xbf16>
func.func @patches(%x: tensor<1x3x32x24xbf16>, %b: tensor<96xbf16>) -> tensor<1x96x8x6xbf16> {
  %w = onnx.Constant {value = dense<1.0> : tensor<96x3x4x4xbf16>} : tensor<96x3x4x4xbf16>
  %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 4, 4>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 4, 4>} : (tensor<1x3x32x24xbf16>, tensor<96x3x4x4xbf16>, tensor<96xbf16>) -> tensor<1x96x8x6xbf16>
  return %0 : tensor<1x96x8x6xbf16>
}

// Blocks of 5 of one channel would be 16 channels for each.
// CHECK-LABEL: @more_products
//   CHECK-NOT: onnx.Transpose
func.func @more_products(%x: tensor<1x1x80xf16>, %b: tensor<24xf16>) -> tensor<1x24x15xf16> {
  %w = onnx.Constant {value = dense<1.0> : tensor<24x1x10xf16>} : tensor<24x1x10xf16>
  %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 1>, kernel_shape = array<i64: 10>, pads = array<i64: 0, 0>, strides = array<i64: 5>} : (tensor<1x1x80xf16>, tensor<24x1x10xf16>, tensor<24xf16>) -> tensor<1x24x15xf16>
  return %0 : tensor<1x24x15xf16>
}

// Rows of 21 are no blocks of 2.
// CHECK-LABEL: @odd
//   CHECK-NOT: onnx.Transpose
func.func @odd(%x: tensor<1x3x21x24xf16>, %b: tensor<24xf16>) -> tensor<1x24x11x12xf16> {
  %w = onnx.Constant {value = dense<1.0> : tensor<24x3x7x7xf16>} : tensor<24x3x7x7xf16>
  %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 7, 7>, pads = array<i64: 3, 3, 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x3x21x24xf16>, tensor<24x3x7x7xf16>, tensor<24xf16>) -> tensor<1x24x11x12xf16>
  return %0 : tensor<1x24x11x12xf16>
}

// Eight channels are a vector, and float32 is for threads.
// CHECK-LABEL: @channels
//   CHECK-NOT: onnx.Transpose
func.func @channels(%x: tensor<1x8x20x20xf16>, %b: tensor<24xf16>) -> tensor<1x24x10x10xf16> {
  %w = onnx.Constant {value = dense<1.0> : tensor<24x8x3x3xf16>} : tensor<24x8x3x3xf16>
  %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x8x20x20xf16>, tensor<24x8x3x3xf16>, tensor<24xf16>) -> tensor<1x24x10x10xf16>
  return %0 : tensor<1x24x10x10xf16>
}

// CHECK-LABEL: @floats
//   CHECK-NOT: onnx.Transpose
func.func @floats(%x: tensor<1x3x20x20xf32>, %b: tensor<24xf32>) -> tensor<1x24x10x10xf32> {
  %w = onnx.Constant {value = dense<1.0> : tensor<24x3x3x3xf32>} : tensor<24x3x3x3xf32>
  %0 = onnx.Conv %x, %w, %b {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x3x20x20xf32>, tensor<24x3x3x3xf32>, tensor<24xf32>) -> tensor<1x24x10x10xf32>
  return %0 : tensor<1x24x10x10xf32>
}
