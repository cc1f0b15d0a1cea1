// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of convolutions.

// CHECK-LABEL: @conv_valid
// CHECK: return {{.*}} : tensor<1x6x6x6xf32>
func.func @conv_valid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_pads_strides_dilations
// CHECK: return {{.*}} : tensor<1x6x3x9xf32>
func.func @conv_pads_strides_dilations(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none {pads = array<i64: 0, 1, 1, 2>, strides = array<i64: 3, 1>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_dilated
// CHECK: return {{.*}} : tensor<1x6x4x4xf32>
func.func @conv_dilated(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none {dilations = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_same_upper_odd_stride
// CHECK: return {{.*}} : tensor<1x6x3x3xf32>
func.func @conv_same_upper_odd_stride(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none {auto_pad = "SAME_UPPER", strides = array<i64: 3, 3>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_same_lower
// CHECK: return {{.*}} : tensor<1x6x4x8xf32>
func.func @conv_same_lower(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none {auto_pad = "SAME_LOWER", strides = array<i64: 2, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_auto_pad_valid_ignores_pads
// CHECK: return {{.*}} : tensor<1x6x6x6xf32>
func.func @conv_auto_pad_valid_ignores_pads(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none {auto_pad = "VALID", pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_grouped
// CHECK: return {{.*}} : tensor<1x6x6x6xf32>
func.func @conv_grouped(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x2x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none {group = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<6x2x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_1d
// CHECK: return {{.*}} : tensor<2x5x6xf32>
func.func @conv_1d(%arg0: tensor<2x3x10xf32>, %arg1: tensor<5x3x5xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<2x3x10xf32>, tensor<5x3x5xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_3d
// CHECK: return {{.*}} : tensor<1x2x2x3x4xf32>
func.func @conv_3d(%arg0: tensor<1x1x2x3x4xf32>, %arg1: tensor<2x1x1x1x1xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<1x1x2x3x4xf32>, tensor<2x1x1x1x1xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_channels_last
// CHECK: return {{.*}} : tensor<1x7x9x6xf32>
func.func @conv_channels_last(%arg0: tensor<1x9x11x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none {channels_last} : (tensor<1x9x11x4xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_zero_sized_batch
// CHECK: return {{.*}} : tensor<0x6x6x6xf32>
func.func @conv_zero_sized_batch(%arg0: tensor<0x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<0x4x8x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_zero_sized_height
// CHECK: return {{.*}} : tensor<1x6x0x6xf32>
func.func @conv_zero_sized_height(%arg0: tensor<1x4x0x8xf32>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<1x4x0x8xf32>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_named_batch
// CHECK: return {{.*}} : tensor<?x6x6x6xf32, #onnx.dims<["batch", "", "", ""]>>
func.func @conv_named_batch(%arg0: tensor<?x4x8x8xf32, #onnx.dims<["batch", "", "", ""]>>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<?x4x8x8xf32, #onnx.dims<["batch", "", "", ""]>>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_named_same_size
// CHECK: return {{.*}} : tensor<1x6x?x?xf32, #onnx.dims<["", "", "height", "width"]>>
func.func @conv_named_same_size(%arg0: tensor<1x4x?x?xf32, #onnx.dims<["", "", "height", "width"]>>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x?x?xf32, #onnx.dims<["", "", "height", "width"]>>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_named_halved
// CHECK: return {{.*}} : tensor<1x6x?x?xf32, #onnx.dims<["", "", "floor((height + 1)/2)", ""]>>
func.func @conv_named_halved(%arg0: tensor<1x4x?x?xf32, #onnx.dims<["", "", "height", ""]>>, %arg1: tensor<6x4x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x4x?x?xf32, #onnx.dims<["", "", "height", ""]>>, tensor<6x4x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @conv_unknown_weights
// CHECK: return {{.*}} : tensor<1x?x?x?xf32>
func.func @conv_unknown_weights(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<?x4x?x?xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none : (tensor<1x4x8x8xf32>, tensor<?x4x?x?xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @convtranspose_default
// CHECK: return {{.*}} : tensor<1x6x5x5xf32>
func.func @convtranspose_default(%arg0: tensor<1x4x3x3xf32>, %arg1: tensor<4x6x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ConvTranspose %arg0, %arg1, %none : (tensor<1x4x3x3xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @convtranspose_strides_pads
// CHECK: return {{.*}} : tensor<1x6x8x5xf32>
func.func @convtranspose_strides_pads(%arg0: tensor<1x4x3x3xf32>, %arg1: tensor<4x6x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {strides = array<i64: 3, 2>, pads = array<i64: 0, 1, 1, 1>} : (tensor<1x4x3x3xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @convtranspose_output_padding
// CHECK: return {{.*}} : tensor<1x6x10x8xf32>
func.func @convtranspose_output_padding(%arg0: tensor<1x4x3x3xf32>, %arg1: tensor<4x6x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {strides = array<i64: 3, 2>, output_padding = array<i64: 1, 1>} : (tensor<1x4x3x3xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @convtranspose_output_shape
// CHECK: return {{.*}} : tensor<1x6x10x8xf32>
func.func @convtranspose_output_shape(%arg0: tensor<1x4x3x3xf32>, %arg1: tensor<4x6x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {strides = array<i64: 3, 2>, output_shape = array<i64: 10, 8>} : (tensor<1x4x3x3xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @convtranspose_same
// CHECK: return {{.*}} : tensor<1x6x6x6xf32>
func.func @convtranspose_same(%arg0: tensor<1x4x3x3xf32>, %arg1: tensor<4x6x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {strides = array<i64: 2, 2>, auto_pad = "SAME_UPPER"} : (tensor<1x4x3x3xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @convtranspose_grouped
// CHECK: return {{.*}} : tensor<1x12x5x5xf32>
func.func @convtranspose_grouped(%arg0: tensor<1x4x3x3xf32>, %arg1: tensor<4x6x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {group = 2 : i64} : (tensor<1x4x3x3xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @convtranspose_channels_last
// CHECK: return {{.*}} : tensor<1x5x5x6xf32>
func.func @convtranspose_channels_last(%arg0: tensor<1x3x3x4xf32>, %arg1: tensor<4x6x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {channels_last} : (tensor<1x3x3x4xf32>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @convtranspose_named
// CHECK: return {{.*}} : tensor<1x6x?x7xf32, #onnx.dims<["", "", "2*height + 1", ""]>>
func.func @convtranspose_named(%arg0: tensor<1x4x?x3xf32, #onnx.dims<["", "", "height", ""]>>, %arg1: tensor<4x6x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {strides = array<i64: 2, 2>} : (tensor<1x4x?x3xf32, #onnx.dims<["", "", "height", ""]>>, tensor<4x6x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @deform_conv
// CHECK: return {{.*}} : tensor<1x2x4x4xf32>
func.func @deform_conv(%arg0: tensor<1x4x5x5xf32>, %arg1: tensor<2x4x2x2xf32>, %arg2: tensor<1x8x4x4xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.DeformConv %arg0, %arg1, %arg2, %none, %none : (tensor<1x4x5x5xf32>, tensor<2x4x2x2xf32>, tensor<1x8x4x4xf32>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// The weights tell the window, the attribute where they leave it to the run.
// CHECK-LABEL: @conv_of_named_windows
// CHECK: return {{.*}} : tensor<1x6x?xf32, #onnx.dims<["", "", "floor((n - k)/2) + 2"]>>, tensor<1x6x4xf32>
func.func @conv_of_named_windows(%arg0: tensor<1x4x?xf32, #onnx.dims<["", "", "n"]>>, %arg1: tensor<6x4x?xf32, #onnx.dims<["", "", "k"]>>, %arg2: tensor<1x4x6xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %arg0, %arg1, %none {pads = array<i64: 1, 1>, strides = array<i64: 2>} : (tensor<1x4x?xf32, #onnx.dims<["", "", "n"]>>, tensor<6x4x?xf32, #onnx.dims<["", "", "k"]>>, none) -> tensor<*xf32>
  %1 = onnx.Conv %arg2, %arg1, %none {kernel_shape = array<i64: 3>} : (tensor<1x4x6xf32>, tensor<6x4x?xf32, #onnx.dims<["", "", "k"]>>, none) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @convtranspose_of_named_windows
// CHECK: return {{.*}} : tensor<1x6x?xf32, #onnx.dims<["", "", "k + 2*n - 2"]>>
func.func @convtranspose_of_named_windows(%arg0: tensor<1x4x?xf32, #onnx.dims<["", "", "n"]>>, %arg1: tensor<4x6x?xf32, #onnx.dims<["", "", "k"]>>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.ConvTranspose %arg0, %arg1, %none {strides = array<i64: 2>} : (tensor<1x4x?xf32, #onnx.dims<["", "", "n"]>>, tensor<4x6x?xf32, #onnx.dims<["", "", "k"]>>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
