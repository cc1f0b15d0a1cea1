// RUN: cameo-opt %s --widen-floats | FileCheck %s

// What is wide stays wide between ops.
// CHECK-LABEL: @chain
// CHECK: %[[X:.*]] = onnx.Cast %arg0 {to = 11 : i64} : (tensor<?x4xf32>) -> tensor<?x4xf64>
// CHECK: %[[W:.*]] = onnx.Cast %{{.*}} {to = 11 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf64>
// CHECK: %[[P:.*]] = onnx.MatMul %[[X]], %[[W]] : (tensor<?x4xf64>, tensor<4x4xf64>) -> tensor<?x4xf64>
// CHECK-NEXT: %[[Y:.*]] = onnx.Relu %[[P]] : (tensor<?x4xf64>) -> tensor<?x4xf64>
// CHECK-NEXT: %[[N:.*]] = onnx.Cast %[[Y]] {to = 1 : i64} : (tensor<?x4xf64>) -> tensor<?x4xf32>
// CHECK-NEXT: return %[[N]]
func.func @chain(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %w = onnx.Constant {value = dense<0.1> : tensor<4x4xf32>} : tensor<4x4xf32>
  %0 = onnx.MatMul %x, %w : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  %1 = onnx.Relu %0 : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// Ops whose rules do not know float64, and other types, stay.
// CHECK-LABEL: @quantised
// CHECK: %[[X:.*]] = onnx.Cast %arg0 {to = 11 : i64}
// CHECK: %[[Y:.*]] = onnx.Exp %[[X]] : (tensor<4xf64>) -> tensor<4xf64>
// CHECK: %[[N:.*]] = onnx.Cast %[[Y]] {to = 1 : i64}
// CHECK: onnx.QuantizeLinear %[[N]], %arg1, %arg2 : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
func.func @quantised(%x: tensor<4xf32>, %scale: tensor<f32>, %zero: tensor<i8>) -> tensor<4xi8> {
  %0 = onnx.Exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.QuantizeLinear %0, %scale, %zero : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}
