// RUN: cameo-opt %s --split-padding | FileCheck %s

// CHECK-LABEL: @convolution
// CHECK-DAG: %[[PADS:.*]] = onnx.Constant {value = dense<[0, 1, 2, 0, 0, 3, 4, 0]> : tensor<8xi64>}
// CHECK: %[[P:.*]] = onnx.Pad %arg0, %[[PADS]], %{{.*}}, %{{.*}} : {{.*}} -> tensor<1x12x14x2xf32>
// CHECK: onnx.Conv %[[P]], %arg1, %{{.*}} {channels_last, pads = array<i64: 0, 0, 0, 0>}
func.func @convolution(%x: tensor<1x8x8x2xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<1x10x12x4xf32> {
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none {channels_last, pads = array<i64: 1, 2, 3, 4>} : (tensor<1x8x8x2xf32>, tensor<4x2x3x3xf32>, none) -> tensor<1x10x12x4xf32>
  return %0 : tensor<1x10x12x4xf32>
}

// CHECK-LABEL: @max_pool_pads_with_the_lowest_number
// CHECK: %[[LOW:.*]] = onnx.Constant {value = dense<0xFF800000> : tensor<f32>}
// CHECK: onnx.Pad %arg0, %{{.*}}, %[[LOW]]
func.func @max_pool_pads_with_the_lowest_number(%x: tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32> {
  %0, %i = onnx.MaxPool %x {channels_last, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x2xf32>) -> (tensor<1x8x8x2xf32>, none)
  return %0 : tensor<1x8x8x2xf32>
}

// CHECK-LABEL: @pool_in_the_order_of_the_model_keeps_it
// CHECK-NOT: onnx.Pad
// CHECK: onnx.MaxPool {{.*}}pads = array<i64: 1, 1, 1, 1>
func.func @pool_in_the_order_of_the_model_keeps_it(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %0, %i = onnx.MaxPool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x8x8xf32>) -> (tensor<1x2x8x8xf32>, none)
  return %0 : tensor<1x2x8x8xf32>
}

// CHECK-LABEL: @average_that_ignores_padding_keeps_it
// CHECK-NOT: onnx.Pad
// CHECK: onnx.AveragePool {{.*}}pads = array<i64: 1, 1, 1, 1>
func.func @average_that_ignores_padding_keeps_it(%x: tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32> {
  %0 = onnx.AveragePool %x {channels_last, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
  return %0 : tensor<1x8x8x2xf32>
}

// The residual reads the inside of the padded activation.
// CHECK-LABEL: @other_users_read_a_slice
// CHECK: %[[R:.*]] = onnx.Relu %arg0
// CHECK: %[[P:.*]] = onnx.Pad %[[R]]
// CHECK: %[[S:.*]] = onnx.Slice %[[P]], {{.*}} -> tensor<1x8x8x2xf32>
// CHECK: %[[C:.*]] = onnx.Conv %[[P]]
// CHECK: onnx.Add %[[C]], %[[S]]
func.func @other_users_read_a_slice(%x: tensor<1x8x8x2xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x8x8x2xf32> {
  %none = onnx.None
  %0 = onnx.Relu %x : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
  %1 = onnx.Conv %0, %w, %none {channels_last, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x2xf32>, tensor<2x2x3x3xf32>, none) -> tensor<1x8x8x2xf32>
  %2 = onnx.Add %1, %0 : (tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
  return %2 : tensor<1x8x8x2xf32>
}

// A 1x1 convolution is one loop over all pixels, but only of a whole buffer.
// CHECK-LABEL: @pointwise_convolution_keeps_the_whole
// CHECK: %[[R:.*]] = onnx.Relu %arg0
// CHECK: %[[P:.*]] = onnx.Pad %[[R]]
// CHECK-NOT: onnx.Slice
// CHECK: onnx.Conv %[[P]]
// CHECK: onnx.Conv %[[R]]
func.func @pointwise_convolution_keeps_the_whole(%x: tensor<1x8x8x2xf32>, %w: tensor<2x2x3x3xf32>, %v: tensor<2x2x1x1xf32>) -> (tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>) {
  %none = onnx.None
  %0 = onnx.Relu %x : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
  %1 = onnx.Conv %0, %w, %none {channels_last, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x2xf32>, tensor<2x2x3x3xf32>, none) -> tensor<1x8x8x2xf32>
  %2 = onnx.Conv %0, %v, %none {channels_last} : (tensor<1x8x8x2xf32>, tensor<2x2x1x1xf32>, none) -> tensor<1x8x8x2xf32>
  return %1, %2 : tensor<1x8x8x2xf32>, tensor<1x8x8x2xf32>
}

// CHECK-LABEL: @windows_share_the_widest_padding
// CHECK: %[[P:.*]] = onnx.Pad %arg0, {{.*}} -> tensor<1x2x12xf32>
// CHECK: %[[S:.*]] = onnx.Slice %[[P]], {{.*}} -> tensor<1x2x10xf32>
// CHECK-NOT: onnx.Pad
// CHECK: onnx.Conv %[[S]]
// CHECK: onnx.Conv %[[P]]
func.func @windows_share_the_widest_padding(%x: tensor<1x2x8xf32>, %w: tensor<2x2x3xf32>, %v: tensor<2x2x5xf32>) -> (tensor<1x2x8xf32>, tensor<1x2x8xf32>) {
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none {pads = array<i64: 1, 1>} : (tensor<1x2x8xf32>, tensor<2x2x3xf32>, none) -> tensor<1x2x8xf32>
  %1 = onnx.Conv %x, %v, %none {pads = array<i64: 2, 2>} : (tensor<1x2x8xf32>, tensor<2x2x5xf32>, none) -> tensor<1x2x8xf32>
  return %0, %1 : tensor<1x2x8xf32>, tensor<1x2x8xf32>
}

// Quantised zeroes are zero points.
// CHECK-LABEL: @integers_are_padded_with_the_zero_point
// CHECK: %[[ZERO:.*]] = onnx.Constant {value = dense<3> : tensor<ui8>}
// CHECK: %[[P:.*]] = onnx.Pad %arg0, %{{.*}}, %{{.*}}, %{{.*}} : {{.*}} -> tensor<1x10x10x2xui8>
// CHECK: onnx.ConvInteger %[[P]]
func.func @integers_are_padded_with_the_zero_point(%x: tensor<1x8x8x2xui8>, %w: tensor<4x2x3x3xi8>) -> tensor<1x8x8x4xi32> {
  %none = onnx.None
  %z = onnx.Constant {value = dense<3> : tensor<ui8>} : tensor<ui8>
  %0 = onnx.ConvInteger %x, %w, %z, %none {channels_last, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x2xui8>, tensor<4x2x3x3xi8>, tensor<ui8>, none) -> tensor<1x8x8x4xi32>
  return %0 : tensor<1x8x8x4xi32>
}

// CHECK-LABEL: @a_zero_point_of_the_run_may_be_padding
// CHECK: %[[ZERO:.*]] = onnx.Reshape %arg1, {{.*}} -> tensor<ui8>
// CHECK: %[[P:.*]] = onnx.Pad %arg0, %{{.*}}, %[[ZERO]], %{{.*}} -> tensor<?x10x10x2xui8, #onnx.dims<["n", "", "", ""]>>
// CHECK: onnx.ConvInteger %[[P]], {{.*}}pads = array<i64: 0, 0, 0, 0>
func.func @a_zero_point_of_the_run_may_be_padding(%x: tensor<?x8x8x2xui8, #onnx.dims<["n", "", "", ""]>>, %z: tensor<1xui8>, %w: tensor<4x2x3x3xi8>) -> tensor<?x8x8x4xi32, #onnx.dims<["n", "", "", ""]>> {
  %none = onnx.None
  %0 = onnx.ConvInteger %x, %w, %z, %none {channels_last, pads = array<i64: 1, 1, 1, 1>} : (tensor<?x8x8x2xui8, #onnx.dims<["n", "", "", ""]>>, tensor<4x2x3x3xi8>, tensor<1xui8>, none) -> tensor<?x8x8x4xi32, #onnx.dims<["n", "", "", ""]>>
  return %0 : tensor<?x8x8x4xi32, #onnx.dims<["n", "", "", ""]>>
}

// Where the value is needed before the padding is known, it stays as it is.
// CHECK-LABEL: @a_zero_point_after_the_value
// CHECK: %[[X:.*]] = onnx.QuantizeLinear
// CHECK: onnx.Cast %[[X]]
// CHECK: %[[ZERO:.*]] = onnx.Cast %arg1
// CHECK: onnx.Pad %[[X]], %{{.*}}, %[[ZERO]]
func.func @a_zero_point_after_the_value(%f: tensor<1x8x8x2xf32>, %g: tensor<f32>, %w: tensor<4x2x3x3xi8>) -> (tensor<1x8x8x4xi32>, tensor<1x8x8x2xi32>) {
  %none = onnx.None
  %s = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %x = onnx.QuantizeLinear %f, %s, %none : (tensor<1x8x8x2xf32>, tensor<f32>, none) -> tensor<1x8x8x2xui8>
  %i = onnx.Cast %x {to = 6 : i64} : (tensor<1x8x8x2xui8>) -> tensor<1x8x8x2xi32>
  %z = onnx.Cast %g {to = 2 : i64} : (tensor<f32>) -> tensor<ui8>
  %0 = onnx.ConvInteger %x, %w, %z, %none {channels_last, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x2xui8>, tensor<4x2x3x3xi8>, tensor<ui8>, none) -> tensor<1x8x8x4xi32>
  return %0, %i : tensor<1x8x8x4xi32>, tensor<1x8x8x2xi32>
}

// CHECK-LABEL: @windows_of_dynamic_size_share_the_widest_padding
// CHECK: %[[P:.*]] = onnx.Pad %arg0, {{.*}} -> tensor<1x2x?xui8, #onnx.dims<["", "", "n + 4"]>>
// CHECK: %[[END:.*]] = onnx.Constant {value = dense<-1> : tensor<1xi64>}
// CHECK: %[[S:.*]] = onnx.Slice %[[P]], %{{.*}}, %[[END]], {{.*}} -> tensor<1x2x?xui8, #onnx.dims<["", "", "n + 2"]>>
// CHECK: onnx.ConvInteger %[[S]]
// CHECK: onnx.ConvInteger %[[P]]
func.func @windows_of_dynamic_size_share_the_widest_padding(%x: tensor<1x2x?xui8, #onnx.dims<["", "", "n"]>>, %z: tensor<ui8>, %w: tensor<2x2x3xi8>, %v: tensor<2x2x5xi8>) -> (tensor<1x2x?xi32, #onnx.dims<["", "", "n"]>>, tensor<1x2x?xi32, #onnx.dims<["", "", "n"]>>) {
  %none = onnx.None
  %0 = onnx.ConvInteger %x, %w, %z, %none {pads = array<i64: 1, 1>} : (tensor<1x2x?xui8, #onnx.dims<["", "", "n"]>>, tensor<2x2x3xi8>, tensor<ui8>, none) -> tensor<1x2x?xi32, #onnx.dims<["", "", "n"]>>
  %1 = onnx.ConvInteger %x, %v, %z, %none {pads = array<i64: 2, 2>} : (tensor<1x2x?xui8, #onnx.dims<["", "", "n"]>>, tensor<2x2x5xi8>, tensor<ui8>, none) -> tensor<1x2x?xi32, #onnx.dims<["", "", "n"]>>
  return %0, %1 : tensor<1x2x?xi32, #onnx.dims<["", "", "n"]>>, tensor<1x2x?xi32, #onnx.dims<["", "", "n"]>>
}
