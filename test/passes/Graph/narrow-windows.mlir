// RUN: cameo-opt %s --narrow-windows | FileCheck %s

// 2 taps with 8 between them see 8 elements before the first: the 8 results behind are not computed.
// CHECK-LABEL: @cut_of_a_causal_convolution
// CHECK: %[[Y:.*]] = onnx.Conv %arg0, %arg1, %{{.*}} {{.*}}pads = array<i64: 8, 0>{{.*}} -> tensor<1x6x100xf32>
// CHECK: onnx.Relu %[[Y]]
func.func @cut_of_a_causal_convolution(%x: tensor<1x4x100xf32>, %w: tensor<6x4x2xf32>) -> tensor<1x6x100xf32> {
  %none = onnx.None
  %start = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<-8> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Conv %x, %w, %none {dilations = array<i64: 8>, kernel_shape = array<i64: 2>, pads = array<i64: 8, 8>, strides = array<i64: 1>} : (tensor<1x4x100xf32>, tensor<6x4x2xf32>, none) -> tensor<1x6x108xf32>
  %1 = onnx.Slice %0, %start, %end, %axis, %none : (tensor<1x6x108xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<1x6x100xf32>
  %2 = onnx.Relu %1 : (tensor<1x6x100xf32>) -> tensor<1x6x100xf32>
  return %2 : tensor<1x6x100xf32>
}

// What begins behind the padding would begin inside of the input.
// CHECK-LABEL: @cut_beyond_the_padding
// CHECK: onnx.Conv {{.*}}pads = array<i64: 1, 1>
// CHECK: onnx.Slice
func.func @cut_beyond_the_padding(%x: tensor<1x4x10xf32>, %w: tensor<6x4x3xf32>) -> tensor<1x6x8xf32> {
  %none = onnx.None
  %start = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<10> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Conv %x, %w, %none {dilations = array<i64: 1>, kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<1x4x10xf32>, tensor<6x4x3xf32>, none) -> tensor<1x6x10xf32>
  %1 = onnx.Slice %0, %start, %end, %axis, %none : (tensor<1x6x10xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<1x6x8xf32>
  return %1 : tensor<1x6x8xf32>
}

// Another reader sees all results.
// CHECK-LABEL: @whole_is_read
// CHECK: onnx.Conv {{.*}}pads = array<i64: 2, 2>
// CHECK: onnx.Slice
func.func @whole_is_read(%x: tensor<1x4x10xf32>, %w: tensor<6x4x3xf32>) -> (tensor<1x6x10xf32>, tensor<1x6x12xf32>) {
  %none = onnx.None
  %start = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<10> : tensor<1xi64>} : tensor<1xi64>
  %axis = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Conv %x, %w, %none {dilations = array<i64: 1>, kernel_shape = array<i64: 3>, pads = array<i64: 2, 2>, strides = array<i64: 1>} : (tensor<1x4x10xf32>, tensor<6x4x3xf32>, none) -> tensor<1x6x12xf32>
  %1 = onnx.Slice %0, %start, %end, %axis, %none : (tensor<1x6x12xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<1x6x10xf32>
  return %1, %0 : tensor<1x6x10xf32>, tensor<1x6x12xf32>
}

// 5 rows, 8 between the taps: those above and below see padding alone. Columns are 20.
// CHECK-LABEL: @taps_on_padding
// CHECK: %[[W:.*]] = onnx.Constant {value = dense<{{\[\[\[\[}}2.000000e+00, 3.000000e+00, 4.000000e+00]]], {{\[\[\[}}5.000000e+00, 6.000000e+00, 7.000000e+00]]]]> : tensor<2x1x1x3xf32>}
// CHECK: onnx.Conv %arg0, %[[W]], {{.*}}kernel_shape = array<i64: 1, 3>, pads = array<i64: 0, 8, 0, 8>
func.func @taps_on_padding(%x: tensor<1x1x5x20xf32>) -> tensor<1x2x5x20xf32> {
  %none = onnx.None
  %w = onnx.Constant {value = dense<[[[[1.0, 1.0, 1.0], [2.0, 3.0, 4.0], [1.0, 1.0, 1.0]]], [[[1.0, 1.0, 1.0], [5.0, 6.0, 7.0], [1.0, 1.0, 1.0]]]]> : tensor<2x1x3x3xf32>} : tensor<2x1x3x3xf32>
  %0 = onnx.Conv %x, %w, %none {dilations = array<i64: 8, 8>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 8, 8, 8, 8>, strides = array<i64: 1, 1>} : (tensor<1x1x5x20xf32>, tensor<2x1x3x3xf32>, none) -> tensor<1x2x5x20xf32>
  return %0 : tensor<1x2x5x20xf32>
}
