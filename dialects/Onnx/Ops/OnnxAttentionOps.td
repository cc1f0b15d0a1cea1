// Attention, and related operators: linear attention, rotary embeddings, caches.
#ifndef CAMEO_DIALECTS_ONNX_ONNXATTENTIONOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXATTENTIONOPS_TD

include "dialects/Onnx/OnnxBase.td"

defvar onnxActivation = [F16, BF16, F32];
def Onnx_ActivationTensor : Onnx_TensorOf<onnxActivation>;
def Onnx_MaskTensor : Onnx_TensorOf<!listconcat(onnxFloats, onnxSigned, onnxUnsigned, [I<1>])>;

def Onnx_AttentionOp : Onnx_Op<"Attention", 25, [3, 7], [1, 4]> {
  let summary = "Softmax of scaled products of queries and keys, times values";
  let description = [{
    Q, K and V are batch, heads, sequence, head size, or batch, sequence, heads times head size with the numbers of heads as
    attributes. Groups of query heads of equal size share a head of keys and values.

    - attention_c1: Q, K and V have rank 3, or all have rank 4.
    - attention_c2: with rank 3 `q_num_heads` and `kv_num_heads` are 1 or more and divide the last dimensions.
    - attention_c3: the query heads are a multiple of the others.
    - attention_c4: batches are equal; keys and values agree in heads and length, queries and keys in size.
    - attention_c5: past_key and past_value come together and continue keys and values.
    - attention_c6: nonpad_kv_seqlen has an element per batch entry and excludes past and present.
    - attention_c7: attn_mask broadcasts to the scores; its last dimension may be shorter.
    - attention_c8: `qk_matmul_output_mode` is 0 to 3.
    - attention_c9: `softmax_precision` is 1, 10, 11 or 16.
    - attention_c10: windows are -1 or more.
    - attention_c11: `softcap` is 0 or more.
  }];
  let arguments = (ins Onnx_FloatTensor:$Q, Onnx_FloatTensor:$K, Onnx_FloatTensor:$V,
                       Onnx_Optional<Onnx_MaskTensor>:$attn_mask, Onnx_Optional<Onnx_FloatTensor>:$past_key,
                       Onnx_Optional<Onnx_FloatTensor>:$past_value, Onnx_Optional<Onnx_I64Tensor>:$nonpad_kv_seqlen,
                       Onnx_IntOr<0>:$is_causal, OptionalAttr<Onnx_Int>:$kv_num_heads, Onnx_IntOr<-1>:$left_window_size,
                       OptionalAttr<Onnx_Int>:$q_num_heads, Onnx_IntOr<0>:$qk_matmul_output_mode,
                       Onnx_IntOr<-1>:$right_window_size, OptionalAttr<Onnx_Float>:$scale, Onnx_FloatOr<"0.0f">:$softcap,
                       OptionalAttr<Onnx_Int>:$softmax_precision);
  let results = (outs Onnx_Tensor:$Y, Onnx_OptionalTensor:$present_key, Onnx_OptionalTensor:$present_value,
                      Onnx_OptionalTensor:$qk_matmul_output);
}

def Onnx_LinearAttentionOp : Onnx_Op<"LinearAttention", 27, [3, 6], [1, 2]> {
  let summary = "Attention without softmax: one state per head, updated by each token";
  let description = [{
    Operands are batch, sequence, heads times size; states are batch, heads, key size, value size.

    - linearattention_c1: query, key and value have rank 3 and agree in batch and length.
    - linearattention_c2: numbers of heads are 1 or more, divide the last dimensions, and the query heads are a multiple of the others.
    - linearattention_c3: queries and keys have one size.
    - linearattention_c4: past_state has rank 4 and fits keys and values.
    - linearattention_c5: `gated` rules have a decay per head, or per head and element of the keys.
    - linearattention_c6: `delta` rules have a beta per head, or one for all.
  }];
  let arguments = (ins Onnx_ActivationTensor:$query, Onnx_ActivationTensor:$key, Onnx_ActivationTensor:$value,
                       Onnx_Optional<Onnx_ActivationTensor>:$past_state, Onnx_Optional<Onnx_ActivationTensor>:$decay,
                       Onnx_Optional<Onnx_ActivationTensor>:$beta, Onnx_IntOr<64>:$chunk_size, Onnx_Int:$kv_num_heads,
                       Onnx_Int:$q_num_heads, Onnx_FloatOr<"0.0f">:$scale,
                       Onnx_EnumOr<["linear", "gated", "delta", "gated_delta"], "gated_delta">:$update_rule);
  let results = (outs Onnx_Tensor:$output, Onnx_OptionalTensor:$present_state);
  let extraClassDeclaration = [{
    bool hasDecay() { return getUpdateRule().starts_with("gated"); }
    bool hasDelta() { return getUpdateRule().ends_with("delta"); }
  }];
}

def Onnx_CausalConvWithStateOp : Onnx_Op<"CausalConvWithState", 27, [2, 4], [2, 2]> {
  let summary = "Causal convolution of each channel, with a state that the next call continues";
  let description = [{
    - causalconvwithstate_c1: input has rank 3: batch, channels, length.
    - causalconvwithstate_c2: weight is channels, 1, k with a k of 1 or more.
    - causalconvwithstate_c3: bias is a vector of the channels.
    - causalconvwithstate_c4: past_state is batch, channels, k - 1.
  }];
  let arguments = (ins Onnx_ActivationTensor:$input, Onnx_ActivationTensor:$weight,
                       Onnx_Optional<Onnx_ActivationTensor>:$bias, Onnx_Optional<Onnx_ActivationTensor>:$past_state,
                       Onnx_EnumOr<["none", "silu", "swish"], "none">:$activation);
  let results = (outs Onnx_Tensor:$output, Onnx_Tensor:$present_state);
}

def Onnx_RotaryEmbeddingOp : Onnx_Op<"RotaryEmbedding", 23, [3, 4], [1, 1]> {
  let summary = "Pairs of elements rotated by angles that depend on the position of the token";
  let description = [{
    - rotaryembedding_c1: X has rank 4 (batch, heads, sequence, size), or 3 with `num_heads`, which divides the last dimension.
    - rotaryembedding_c2: the rotated size is even, 0 or more, and at most the size.
    - rotaryembedding_c3: caches have rank 2 with position_ids, which have rank 2, and 3 without.
    - rotaryembedding_c4: their last dimension is half the rotated size.
    - rotaryembedding_c5: caches that are indexed by positions have at least one row, and all known positions.
  }];
  let arguments = (ins Onnx_ActivationTensor:$X, Onnx_ActivationTensor:$cos_cache, Onnx_ActivationTensor:$sin_cache,
                       Onnx_Optional<Onnx_I64Tensor>:$position_ids, Onnx_IntOr<0>:$interleaved, Onnx_IntOr<0>:$num_heads,
                       Onnx_IntOr<0>:$rotary_embedding_dim);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_TensorScatterOp : Onnx_Op<"TensorScatter", 24, [2, 3], [1, 1]> {
  let summary = "A cache in which some rows of each batch entry are replaced, from an index on";
  let description = [{
    - tensorscatter_c1: `axis` is a dimension of past_cache, and not the batch.
    - tensorscatter_c2: update has its shape, except that this dimension may be smaller.
    - tensorscatter_c3: write_indices has one element per batch entry.
  }];
  let arguments = (ins Onnx_Tensor:$past_cache, Onnx_Tensor:$update, Onnx_Optional<Onnx_I64Tensor>:$write_indices,
                       Onnx_IntOr<-2>:$axis, Onnx_EnumOr<["linear", "circular"], "linear">:$mode);
  let results = (outs Onnx_Tensor:$present_cache);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXATTENTIONOPS_TD
