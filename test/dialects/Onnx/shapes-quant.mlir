// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes and types of quantised operators.

// CHECK-LABEL: @quantize
// CHECK: return {{.*}} : tensor<2x3xui8>
func.func @quantize(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) -> (tensor<*xui8>) {
  %none = onnx.None
  %0 = onnx.QuantizeLinear %arg0, %arg1, %none : (tensor<2x3xf32>, tensor<f32>, none) -> tensor<*xui8>
  return %0 : tensor<*xui8>
}

// CHECK-LABEL: @quantize_type_of_zero_point
// CHECK: return {{.*}} : tensor<2x3xi8>
func.func @quantize_type_of_zero_point(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xi8>) -> (tensor<*xi8>) {
  %0 = onnx.QuantizeLinear %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xi8>) -> tensor<*xi8>
  return %0 : tensor<*xi8>
}

// One value is a scalar or a vector of one element, and the zero point need not be what the scale is.
// CHECK-LABEL: @quantize_zero_point_of_one_element
// CHECK: return {{.*}} : tensor<2x3xf8E4M3FN>
func.func @quantize_zero_point_of_one_element(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>, %arg2: tensor<1xf8E4M3FN>) -> (tensor<*xf8E4M3FN>) {
  %0 = onnx.QuantizeLinear %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<f32>, tensor<1xf8E4M3FN>) -> tensor<*xf8E4M3FN>
  return %0 : tensor<*xf8E4M3FN>
}

// CHECK-LABEL: @quantize_stated_type
// CHECK: return {{.*}} : tensor<2x3xi4>
func.func @quantize_stated_type(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) -> (tensor<*xi4>) {
  %none = onnx.None
  %0 = onnx.QuantizeLinear %arg0, %arg1, %none {output_dtype = 22 : i64} : (tensor<2x3xf32>, tensor<f32>, none) -> tensor<*xi4>
  return %0 : tensor<*xi4>
}

// CHECK-LABEL: @quantize_blocks
// CHECK: return {{.*}} : tensor<2x7xui8>
func.func @quantize_blocks(%arg0: tensor<2x7xf32>, %arg1: tensor<2x3xf32>) -> (tensor<*xui8>) {
  %none = onnx.None
  %0 = onnx.QuantizeLinear %arg0, %arg1, %none {block_size = 3 : i64} : (tensor<2x7xf32>, tensor<2x3xf32>, none) -> tensor<*xui8>
  return %0 : tensor<*xui8>
}

// CHECK-LABEL: @dequantize
// CHECK: return {{.*}} : tensor<2x3xf16>
func.func @dequantize(%arg0: tensor<2x3xui8>, %arg1: tensor<f16>) -> (tensor<*xf16>) {
  %none = onnx.None
  %0 = onnx.DequantizeLinear %arg0, %arg1, %none : (tensor<2x3xui8>, tensor<f16>, none) -> tensor<*xf16>
  return %0 : tensor<*xf16>
}

// CHECK-LABEL: @dynamic_quantize
// CHECK: return {{.*}} : tensor<2x3xui8>, tensor<f32>, tensor<ui8>
func.func @dynamic_quantize(%arg0: tensor<2x3xf32>) -> (tensor<*xui8>, tensor<*xf32>, tensor<*xui8>) {
  %0:3 = onnx.DynamicQuantizeLinear %arg0 : (tensor<2x3xf32>) -> (tensor<*xui8>, tensor<*xf32>, tensor<*xui8>)
  return %0#0, %0#1, %0#2 : tensor<*xui8>, tensor<*xf32>, tensor<*xui8>
}

// CHECK-LABEL: @conv_integer
// CHECK: return {{.*}} : tensor<1x6x6x6xi32>
func.func @conv_integer(%arg0: tensor<1x4x8x8xui8>, %arg1: tensor<6x4x3x3xi8>, %arg2: tensor<ui8>, %arg3: tensor<6xi8>) -> (tensor<*xi32>) {
  %0 = onnx.ConvInteger %arg0, %arg1, %arg2, %arg3 : (tensor<1x4x8x8xui8>, tensor<6x4x3x3xi8>, tensor<ui8>, tensor<6xi8>) -> tensor<*xi32>
  return %0 : tensor<*xi32>
}

// CHECK-LABEL: @qlinear_conv
// CHECK: return {{.*}} : tensor<1x6x8x8xui8>
func.func @qlinear_conv(%arg0: tensor<1x4x8x8xui8>, %arg1: tensor<f32>, %arg2: tensor<ui8>, %arg3: tensor<6x4x3x3xi8>, %arg4: tensor<6xf32>, %arg5: tensor<6xi8>, %arg6: tensor<f32>, %arg7: tensor<ui8>, %arg8: tensor<6xi32>) -> (tensor<*xui8>) {
  %0 = onnx.QLinearConv %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8 {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x8x8xui8>, tensor<f32>, tensor<ui8>, tensor<6x4x3x3xi8>, tensor<6xf32>, tensor<6xi8>, tensor<f32>, tensor<ui8>, tensor<6xi32>) -> tensor<*xui8>
  return %0 : tensor<*xui8>
}

// CHECK-LABEL: @blocked_matmul
// CHECK: return {{.*}} : tensor<?x3x5xf16, #onnx.dims<["batch", "", ""]>>
func.func @blocked_matmul(%arg0: tensor<?x3x64xf16, #onnx.dims<["batch", "", ""]>>, %arg1: tensor<2x16x5xui8>, %arg2: tensor<2x5xf16>, %arg3: tensor<2x5xui8>) -> tensor<*xf16> {
  %0 = onnx.BlockedMatMul %arg0, %arg1, %arg2, %arg3 : (tensor<?x3x64xf16, #onnx.dims<["batch", "", ""]>>, tensor<2x16x5xui8>, tensor<2x5xf16>, tensor<2x5xui8>) -> tensor<*xf16>
  return %0 : tensor<*xf16>
}
