// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of recurrent layers.

// CHECK-LABEL: @lstm
// CHECK: return {{.*}} : tensor<5x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>
func.func @lstm(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x16x3xf32>, %arg2: tensor<1x16x4xf32>, %arg3: tensor<1x32xf32>, %arg4: tensor<2xi32>, %arg5: tensor<1x2x4xf32>, %arg6: tensor<1x2x4xf32>, %arg7: tensor<1x12xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %0:3 = onnx.LSTM %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7 : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, tensor<1x32xf32>, tensor<2xi32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x12xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @lstm_bidirectional_named
// CHECK: return {{.*}} : tensor<?x2x2x4xf32, #onnx.dims<["seq", "", "", ""]>>, tensor<2x2x4xf32>
func.func @lstm_bidirectional_named(%arg0: tensor<?x2x3xf32, #onnx.dims<["seq", "", ""]>>, %arg1: tensor<2x16x3xf32>, %arg2: tensor<2x16x4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:3 = onnx.LSTM %arg0, %arg1, %arg2, %none, %none, %none, %none, %none {direction = "bidirectional"} : (tensor<?x2x3xf32, #onnx.dims<["seq", "", ""]>>, tensor<2x16x3xf32>, tensor<2x16x4xf32>, none, none, none, none, none) -> (tensor<*xf32>, none, tensor<*xf32>)
  return %0#0, %0#2 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @gru_batch_first
// CHECK: return {{.*}} : tensor<2x5x1x4xf32>, tensor<2x1x4xf32>
func.func @gru_batch_first(%arg0: tensor<2x5x3xf32>, %arg1: tensor<1x12x3xf32>, %arg2: tensor<1x12x4xf32>, %arg5: tensor<2x1x4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:2 = onnx.GRU %arg0, %arg1, %arg2, %none, %none, %arg5 {layout = 1 : i64} : (tensor<2x5x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, none, none, tensor<2x1x4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @rnn
// CHECK: return {{.*}} : tensor<1x2x4xf32>
func.func @rnn(%arg0: tensor<5x2x3xf32>, %arg1: tensor<1x4x3xf32>, %arg2: tensor<1x4x4xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0:2 = onnx.RNN %arg0, %arg1, %arg2, %none, %none, %none {hidden_size = 4 : i64} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, none, none) -> (none, tensor<*xf32>)
  return %0#1 : tensor<*xf32>
}
