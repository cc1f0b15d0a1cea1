// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of attention and of what is computed around it. A function is named after the rule it breaks.

func.func @attention_c1(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x5x16xf32>, %arg2: tensor<2x2x5x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 of rank 4, got 3}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none : (tensor<2x4x3x8xf32>, tensor<2x5x16xf32>, tensor<2x2x5x6xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c2(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x5x16xf32>, %arg2: tensor<2x5x12xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'q_num_heads' of 1 or more with operands of rank 3}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none : (tensor<2x3x32xf32>, tensor<2x5x16xf32>, tensor<2x5x12xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c2_not_divided(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x5x16xf32>, %arg2: tensor<2x5x12xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 2 of operand #0 to be a multiple of 5 heads, got 32}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none {kv_num_heads = 2 : i64, q_num_heads = 5 : i64} : (tensor<2x3x32xf32>, tensor<2x5x16xf32>, tensor<2x5x12xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c3(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x3x5x8xf32>, %arg2: tensor<2x3x5x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a number of query heads that is a multiple of 3, got 4}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none : (tensor<2x4x3x8xf32>, tensor<2x3x5x8xf32>, tensor<2x3x5x6xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c4(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x7xf32>, %arg2: tensor<2x2x5x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected sizes of queries and keys to agree, got 8 and 7}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none : (tensor<2x4x3x8xf32>, tensor<2x2x5x7xf32>, tensor<2x2x5x6xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c4_length(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x6x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected lengths of keys and values to agree, got 5 and 6}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x6x6xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c5(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>, %arg4: tensor<2x2x7x8xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected past_key and past_value together}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %arg4, %none, %none : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, none, tensor<2x2x7x8xf32>, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c5_length(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>, %arg4: tensor<2x2x7x8xf32>, %arg5: tensor<2x2x8x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 2 of operand #5 to be 7 (length of past_key), got 8}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %arg4, %arg5, %none : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, none, tensor<2x2x7x8xf32>, tensor<2x2x8x6xf32>, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c6(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>, %arg6: tensor<2xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected no past or present keys and values with nonpad_kv_seqlen}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %arg6 : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, none, none, none, tensor<2xi64>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, none)
  return
}

// -----

func.func @attention_c6_batch(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>, %arg6: tensor<3xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 0 of operand #6 to be 2 (batch), got 3}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %arg6 : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, none, none, none, tensor<3xi64>) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c7(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>, %arg3: tensor<4x5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected attn_mask to broadcast to the scores}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %arg3, %none, %none, %none : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, tensor<4x5xf32>, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c8(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'qk_matmul_output_mode' in [0, 3], got 4}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none {qk_matmul_output_mode = 4 : i64} : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c9(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'softmax_precision' 1, 10, 11 or 16, got 7}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none {softmax_precision = 7 : i64} : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c10(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected window sizes of -1 or more, got -2}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none {left_window_size = -2 : i64} : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @attention_c11(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<2x2x5x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'softcap' of 0 or more, got -1}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none {softcap = -1.0 : f32} : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x6xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}

// -----

func.func @linearattention_c1(%arg0: tensor<3x32xf32>, %arg1: tensor<2x3x16xf32>, %arg2: tensor<2x3x12xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 3, got 2}}
  %0:2 = onnx.LinearAttention %arg0, %arg1, %arg2, %none, %none, %none {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "linear"} : (tensor<3x32xf32>, tensor<2x3x16xf32>, tensor<2x3x12xf32>, none, none, none) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @linearattention_c1_length(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x4x16xf32>, %arg2: tensor<2x3x12xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected lengths of queries and keys to agree, got 3 and 4}}
  %0:2 = onnx.LinearAttention %arg0, %arg1, %arg2, %none, %none, %none {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "linear"} : (tensor<2x3x32xf32>, tensor<2x4x16xf32>, tensor<2x3x12xf32>, none, none, none) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @linearattention_c2(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x3x16xf32>, %arg2: tensor<2x3x12xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected numbers of heads of 1 or more, got 4 and 0}}
  %0:2 = onnx.LinearAttention %arg0, %arg1, %arg2, %none, %none, %none {kv_num_heads = 0 : i64, q_num_heads = 4 : i64, update_rule = "linear"} : (tensor<2x3x32xf32>, tensor<2x3x16xf32>, tensor<2x3x12xf32>, none, none, none) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @linearattention_c3(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x3x14xf32>, %arg2: tensor<2x3x12xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected sizes of queries and keys to agree, got 8 and 7}}
  %0:2 = onnx.LinearAttention %arg0, %arg1, %arg2, %none, %none, %none {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "linear"} : (tensor<2x3x32xf32>, tensor<2x3x14xf32>, tensor<2x3x12xf32>, none, none, none) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @linearattention_c4(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x3x16xf32>, %arg2: tensor<2x3x12xf32>, %arg3: tensor<2x2x8x8xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 3 of operand #3 to be 6 (size of a value), got 8}}
  %0:2 = onnx.LinearAttention %arg0, %arg1, %arg2, %arg3, %none, %none {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "linear"} : (tensor<2x3x32xf32>, tensor<2x3x16xf32>, tensor<2x3x12xf32>, tensor<2x2x8x8xf32>, none, none) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @linearattention_c5(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x3x16xf32>, %arg2: tensor<2x3x12xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a decay for 'gated'}}
  %0:2 = onnx.LinearAttention %arg0, %arg1, %arg2, %none, %none, %none {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "gated"} : (tensor<2x3x32xf32>, tensor<2x3x16xf32>, tensor<2x3x12xf32>, none, none, none) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @linearattention_c5_size(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x3x16xf32>, %arg2: tensor<2x3x12xf32>, %arg4: tensor<2x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 2 of operand #4 to be the number of heads, 2, or that of elements of a key, got 3}}
  %0:2 = onnx.LinearAttention %arg0, %arg1, %arg2, %none, %arg4, %none {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "gated"} : (tensor<2x3x32xf32>, tensor<2x3x16xf32>, tensor<2x3x12xf32>, none, tensor<2x3x3xf32>, none) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @linearattention_c6(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x3x16xf32>, %arg2: tensor<2x3x12xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a beta for 'delta'}}
  %0:2 = onnx.LinearAttention %arg0, %arg1, %arg2, %none, %none, %none {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "delta"} : (tensor<2x3x32xf32>, tensor<2x3x16xf32>, tensor<2x3x12xf32>, none, none, none) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @linearattention_c6_size(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x3x16xf32>, %arg2: tensor<2x3x12xf32>, %arg5: tensor<2x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 2 of operand #5 to be the number of heads, 2, or 1, got 3}}
  %0:2 = onnx.LinearAttention %arg0, %arg1, %arg2, %none, %none, %arg5 {kv_num_heads = 2 : i64, q_num_heads = 4 : i64, update_rule = "delta"} : (tensor<2x3x32xf32>, tensor<2x3x16xf32>, tensor<2x3x12xf32>, none, none, tensor<2x3x3xf32>) -> (tensor<*xf32>, none)
  return
}

// -----

func.func @causalconvwithstate_c1(%arg0: tensor<1x3x6x6xf32>, %arg1: tensor<3x1x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 3, got 4}}
  %0:2 = onnx.CausalConvWithState %arg0, %arg1, %none, %none : (tensor<1x3x6x6xf32>, tensor<3x1x4xf32>, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @causalconvwithstate_c2(%arg0: tensor<1x3x6xf32>, %arg1: tensor<3x3x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 1 of operand #1 to be 1 (depthwise), got 3}}
  %0:2 = onnx.CausalConvWithState %arg0, %arg1, %none, %none : (tensor<1x3x6xf32>, tensor<3x3x4xf32>, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @causalconvwithstate_c2_empty(%arg0: tensor<1x3x6xf32>, %arg1: tensor<3x1x0xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a kernel of 1 or more, got 0}}
  %0:2 = onnx.CausalConvWithState %arg0, %arg1, %none, %none : (tensor<1x3x6xf32>, tensor<3x1x0xf32>, none, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @causalconvwithstate_c3(%arg0: tensor<1x3x6xf32>, %arg1: tensor<3x1x4xf32>, %arg2: tensor<4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 0 of operand #2 to be 3 (channels), got 4}}
  %0:2 = onnx.CausalConvWithState %arg0, %arg1, %arg2, %none : (tensor<1x3x6xf32>, tensor<3x1x4xf32>, tensor<4xf32>, none) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @causalconvwithstate_c4(%arg0: tensor<1x3x6xf32>, %arg1: tensor<3x1x4xf32>, %arg3: tensor<1x3x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 2 of operand #3 to be 3 (kernel - 1), got 4}}
  %0:2 = onnx.CausalConvWithState %arg0, %arg1, %none, %arg3 : (tensor<1x3x6xf32>, tensor<3x1x4xf32>, none, tensor<1x3x4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @rotaryembedding_c1(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x3x4xf32>, %arg2: tensor<2x3x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'num_heads' of 1 or more with operands of rank 3}}
  %0 = onnx.RotaryEmbedding %arg0, %arg1, %arg2, %none : (tensor<2x3x32xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @rotaryembedding_c1_not_divided(%arg0: tensor<2x3x32xf32>, %arg1: tensor<2x3x4xf32>, %arg2: tensor<2x3x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 2 of operand #0 to be a multiple of 5 heads, got 32}}
  %0 = onnx.RotaryEmbedding %arg0, %arg1, %arg2, %none {num_heads = 5 : i64} : (tensor<2x3x32xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @rotaryembedding_c2(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x3x4xf32>, %arg2: tensor<2x3x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected an even rotated size of at most the head size, got 10}}
  %0 = onnx.RotaryEmbedding %arg0, %arg1, %arg2, %none {rotary_embedding_dim = 10 : i64} : (tensor<2x4x3x8xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @rotaryembedding_c3(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x3x4xf32>, %arg2: tensor<2x3x4xf32>, %arg3: tensor<2x3xi64>) {
  // expected-error@+1 {{expected operand #1 of rank 2, got 3}}
  %0 = onnx.RotaryEmbedding %arg0, %arg1, %arg2, %arg3 : (tensor<2x4x3x8xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @rotaryembedding_c3_sequence(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x5x4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 1 of operand #1 to be 3 (sequence), got 5}}
  %0 = onnx.RotaryEmbedding %arg0, %arg1, %arg1, %none : (tensor<2x4x3x8xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @rotaryembedding_c4_agreement(%arg0: tensor<2x4x3x?xf32, #onnx.dims<["", "", "", "n"]>>, %arg1: tensor<2x3x4xf32>, %arg2: tensor<2x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected sizes of both caches to agree, got 4 and 3}}
  %0 = onnx.RotaryEmbedding %arg0, %arg1, %arg2, %none : (tensor<2x4x3x?xf32, #onnx.dims<["", "", "", "n"]>>, tensor<2x3x4xf32>, tensor<2x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @rotaryembedding_c4(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x3x4xf32>, %arg2: tensor<2x3x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 2 of operand #2 to be 4 (half the rotated size), got 3}}
  %0 = onnx.RotaryEmbedding %arg0, %arg1, %arg2, %none : (tensor<2x4x3x8xf32>, tensor<2x3x4xf32>, tensor<2x3x3xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @rotaryembedding_c5(%arg0: tensor<1x2x3x8xf32>, %arg1: tensor<0x4xf32>, %arg2: tensor<1x3xi64>) {
  // expected-error@+1 {{expected caches of 1 position or more, got 0}}
  %0 = onnx.RotaryEmbedding %arg0, %arg1, %arg1, %arg2 : (tensor<1x2x3x8xf32>, tensor<0x4xf32>, tensor<0x4xf32>, tensor<1x3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @rotaryembedding_c5_known(%arg0: tensor<1x2x3x8xf32>, %arg1: tensor<2x4xf32>) {
  %positions = onnx.Constant {value = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : tensor<1x3xi64>
  // expected-error@+1 {{expected indices in [-2, 1], got 2}}
  %0 = onnx.RotaryEmbedding %arg0, %arg1, %arg1, %positions : (tensor<1x2x3x8xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<1x3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @tensorscatter_c1(%arg0: tensor<2x1x4x5xf32>, %arg1: tensor<2x1x2x5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected an 'axis' other than the batch, got 0}}
  %0 = onnx.TensorScatter %arg0, %arg1, %none {axis = 0 : i64} : (tensor<2x1x4x5xf32>, tensor<2x1x2x5xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @tensorscatter_c1_range(%arg0: tensor<2x1x4x5xf32>, %arg1: tensor<2x1x2x5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 'axis' in [-4, 3], got 4}}
  %0 = onnx.TensorScatter %arg0, %arg1, %none {axis = 4 : i64} : (tensor<2x1x4x5xf32>, tensor<2x1x2x5xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @tensorscatter_c2(%arg0: tensor<2x1x4x5xf32>, %arg1: tensor<2x1x5x5xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected an update of at most 4 rows, got 5}}
  %0 = onnx.TensorScatter %arg0, %arg1, %none : (tensor<2x1x4x5xf32>, tensor<2x1x5x5xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @tensorscatter_c2_shape(%arg0: tensor<2x1x4x5xf32>, %arg1: tensor<2x1x2x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected dimension 3 of operand #1 to be 5 (size of the cache), got 6}}
  %0 = onnx.TensorScatter %arg0, %arg1, %none : (tensor<2x1x4x5xf32>, tensor<2x1x2x6xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @tensorscatter_c3(%arg0: tensor<2x1x4x5xf32>, %arg1: tensor<2x1x2x5xf32>, %arg2: tensor<3xi64>) {
  // expected-error@+1 {{expected dimension 0 of operand #2 to be 2 (batch), got 3}}
  %0 = onnx.TensorScatter %arg0, %arg1, %arg2 : (tensor<2x1x4x5xf32>, tensor<2x1x2x5xf32>, tensor<3xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @attention_c4_batch_of_a_name(%arg0: tensor<?x4x3x8xf32, #onnx.dims<["batch", "", "", ""]>>, %arg1: tensor<2x2x5x8xf32>, %arg2: tensor<3x2x5x6xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected batches of keys and values to agree, got 2 and 3}}
  %0:4 = onnx.Attention %arg0, %arg1, %arg2, %none, %none, %none, %none : (tensor<?x4x3x8xf32, #onnx.dims<["batch", "", "", ""]>>, tensor<2x2x5x8xf32>, tensor<3x2x5x6xf32>, none, none, none, none) -> (tensor<*xf32>, none, none, none)
  return
}
