// RUN: cameo-opt %s --form-tasks --split-input-file | FileCheck %s

// The number around it may be computed by the run.
// CHECK-LABEL: task.def @quantize_linear_pad_0
// CHECK: onnx.QuantizeLinear
// CHECK: onnx.Pad
func.func @padding_of_the_run(%x: tensor<1x8x8x2xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<1x10x10x2xui8> {
  %none = onnx.None
  %pads = onnx.Constant {value = dense<[0, 1, 1, 0, 0, 1, 1, 0]> : tensor<8xi64>} : tensor<8xi64>
  %0 = onnx.QuantizeLinear %x, %s, %z : (tensor<1x8x8x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x8x8x2xui8>
  %1 = onnx.Pad %0, %pads, %z, %none : (tensor<1x8x8x2xui8>, tensor<8xi64>, tensor<ui8>, none) -> tensor<1x10x10x2xui8>
  return %1 : tensor<1x10x10x2xui8>
}

// -----

// Bytes of the run are stored into a padded buffer, with the zero point that the run finds.
// CHECK-LABEL: task.def @dynamic_quantize_linear_pad_0
// CHECK: %[[Y:.*]], %{{.*}}, %[[ZERO:.*]] = onnx.DynamicQuantizeLinear
// CHECK: onnx.Pad %[[Y]], %{{.*}}, %[[ZERO]]
func.func @padding_of_dynamic_bytes(%x: tensor<1x8x8x2xf32>) -> (tensor<1x10x10x2xui8>, tensor<f32>, tensor<ui8>) {
  %none = onnx.None
  %pads = onnx.Constant {value = dense<[0, 1, 1, 0, 0, 1, 1, 0]> : tensor<8xi64>} : tensor<8xi64>
  %y, %s, %z = onnx.DynamicQuantizeLinear %x : (tensor<1x8x8x2xf32>) -> (tensor<1x8x8x2xui8>, tensor<f32>, tensor<ui8>)
  %0 = onnx.Pad %y, %pads, %z, %none : (tensor<1x8x8x2xui8>, tensor<8xi64>, tensor<ui8>, none) -> tensor<1x10x10x2xui8>
  return %0, %s, %z : tensor<1x10x10x2xui8>, tensor<f32>, tensor<ui8>
}
