// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of attention and of what is computed around it.

// CHECK-LABEL: @attention_heads
// CHECK: return {{.*}} : tensor<2x4x3x6xf32>, tensor<2x4x3x5xf32>
func.func @attention_heads(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, tensor<*xf32>)
  return %0#0, %0#3 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @attention_packed_heads
// CHECK: return {{.*}} : tensor<2x3x24xf32>
func.func @attention_packed_heads(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x5x16xf32>, %arg2: tensor<2x5x12xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none {kv_num_heads = 2 : i64, q_num_heads = 4 : i64} : (tensor<2x3x32xf32>, tensor<2x5x16xf32>, tensor<2x5x12xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return %0#0 : tensor<*xf32>
}

// CHECK-LABEL: @attention_past
// CHECK: return {{.*}} : tensor<2x4x3x6xf32>, tensor<2x2x12x8xf32>, tensor<2x2x12x6xf32>, tensor<2x4x3x12xf32>
func.func @attention_past(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>, %arg4: tensor<2x2x7x8xf32>, %arg5: tensor<2x2x7x6xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %arg4, %arg5, %none : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, none, tensor<2x2x7x8xf32>, tensor<2x2x7x6xf32>, none) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @attention_short_mask
// CHECK: return {{.*}} : tensor<2x4x3x6xf32>
func.func @attention_short_mask(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>, %arg3: tensor<3x4xi1>, %arg6: tensor<2xi64>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %arg3, %none, %none, %arg6 : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, tensor<3x4xi1>, none, none, tensor<2xi64>) -> (tensor<*xf32>, none, none, none)
  return %0#0 : tensor<*xf32>
}

// CHECK-LABEL: @linear_attention
// CHECK: return {{.*}} : tensor<2x3x24xf32>, tensor<2x2x8x6xf32>
func.func @linear_attention(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x3x16xf32>, %arg2: tensor<2x3x12xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:2 = onnx.LinearAttention %arg0, %arg1, %arg2, %none, %none, %none {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "linear"} : (tensor<2x3x32xf32>, tensor<2x3x16xf32>, tensor<2x3x12xf32>, none, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @causal_convolution
// CHECK: return {{.*}} : tensor<1x3x6xf32>, tensor<1x3x3xf32>
func.func @causal_convolution(%arg0: tensor<1x3x6xf32>, %arg1: tensor<3x1x4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:2 = onnx.CausalConvWithState %arg0, %arg1, %none, %none : (tensor<1x3x6xf32>, tensor<3x1x4xf32>, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @rotary_embedding
// CHECK: return {{.*}} : tensor<2x3x32xf32>
func.func @rotary_embedding(%arg0: tensor<2x3x32xf32>, %arg1: tensor<9x4xf32>, %arg2: tensor<9x4xf32>, %arg3: tensor<2x3xi64>) -> (tensor<*xf32>) {
  %0 = onnx.RotaryEmbedding %arg0, %arg1, %arg2, %arg3 {num_heads = 4 : i64} : (tensor<2x3x32xf32>, tensor<9x4xf32>, tensor<9x4xf32>, tensor<2x3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @tensor_scatter
// CHECK: return {{.*}} : tensor<2x1x4x5xf32>
func.func @tensor_scatter(%arg0: tensor<2x1x4x5xf32>, %arg1: tensor<2x1x2x5xf32>, %arg2: tensor<2xi64>) -> (tensor<*xf32>) {
  %0 = onnx.TensorScatter %arg0, %arg1, %arg2 : (tensor<2x1x4x5xf32>, tensor<2x1x2x5xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// Heads divide a dynamic size.
// CHECK-LABEL: @attention_of_named_sizes
// CHECK: return {{.*}} : tensor<2x3x?xf32, #onnx.dims<["", "", "2*v"]>>, tensor<2x2x5x?xf32, #onnx.dims<["", "", "", "floor((n)/2)"]>>
func.func @attention_of_named_sizes(%arg0: tensor<2x3x?xf32, #onnx.dims<["", "", "m"]>>, %arg1: tensor<2x5x?xf32, #onnx.dims<["", "", "n"]>>, %arg2: tensor<2x5x?xf32, #onnx.dims<["", "", "v"]>>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none {kv_num_heads = 2 : i64, q_num_heads = 4 : i64} : (tensor<2x3x?xf32, #onnx.dims<["", "", "m"]>>, tensor<2x5x?xf32, #onnx.dims<["", "", "n"]>>, tensor<2x5x?xf32, #onnx.dims<["", "", "v"]>>, none, none, none, none) -> (tensor<*xf32>, tensor<*xf32>, none, none)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}
