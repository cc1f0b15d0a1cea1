// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-LABEL: task.def @quant
// CHECK: math.roundeven
// CHECK: arith.uitofp
// CHECK: arith.fptoui
// CHECK: arith.extui
// CHECK: arith.subi
// CHECK: arith.sitofp
task.def @quant(%x: tensor<4x6xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> (tensor<4x6xui8>, tensor<4x6xf32>) {
  %0 = onnx.QuantizeLinear %x, %s, %z : (tensor<4x6xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x6xui8>
  %1 = onnx.DequantizeLinear %0, %s, %z : (tensor<4x6xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x6xf32>
  task.return %0, %1 : tensor<4x6xui8>, tensor<4x6xf32>
}
