// RUN: cameo-opt %s --one-task-per-op | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: %[[C:.*]] = task.call @mat_mul_0(%arg0, %arg1)
// CHECK: %[[R:.*]] = task.call @relu_0(%[[C]])
// CHECK: %[[T:.*]] = task.call @transpose_0(%[[R]])
// CHECK: %[[V:.*]] = task.view %[[T]] : tensor<16x4xf32> -> tensor<64xf32>
// CHECK: return %[[V]]
// CHECK: task.def @mat_mul_0
// CHECK: task.def @relu_0
// CHECK: task.def @transpose_0
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<64xf32> {
  %shape = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.MatMul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = onnx.Relu %0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = onnx.Transpose %1 {perm = array<i64: 1, 0>} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  %3 = onnx.Reshape %2, %shape : (tensor<16x4xf32>, tensor<1xi64>) -> tensor<64xf32>
  return %3 : tensor<64xf32>
}
