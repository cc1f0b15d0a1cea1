// Normalisations, Softmax and similar operators.
#ifndef CAMEO_DIALECTS_ONNX_ONNXNORMOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXNORMOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_BatchNormalizationOp : Onnx_Op<"BatchNormalization", 15, [5, 5], [1, 3], [ChannelsLastOp]> {
  let summary = "Normalisation per channel with given (or, in training, computed) mean and variance";
  let description = [{
    - batchnormalization_c1: X has rank 2 or more.
    - batchnormalization_c2: the other operands are vectors of the channels.
    - batchnormalization_c3: further results only with `training_mode`.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$scale, Onnx_FloatTensor:$B, Onnx_FloatTensor:$input_mean,
                       Onnx_FloatTensor:$input_var, Onnx_FloatOr<"1e-05f">:$epsilon, Onnx_FloatOr<"0.9f">:$momentum,
                       Onnx_IntOr<0>:$training_mode, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y, Onnx_OptionalTensor:$running_mean, Onnx_OptionalTensor:$running_var);
}

def Onnx_InstanceNormalizationOp : Onnx_Op<"InstanceNormalization", 22, [3, 3], [1, 1], [ChannelsLastOp]> {
  let summary = "Normalisation per instance and channel";
  let description = [{
    - instancenormalization_c1: X has rank 3 or more.
    - instancenormalization_c2: scale and B are vectors of the channels.
  }];
  let arguments = (ins Onnx_FloatTensor:$input, Onnx_FloatTensor:$scale, Onnx_FloatTensor:$B,
                       Onnx_FloatOr<"1e-05f">:$epsilon, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_GroupNormalizationOp : Onnx_Op<"GroupNormalization", 21, [3, 3], [1, 1], [ChannelsLastOp]> {
  let summary = "Normalisation per instance and group of channels";
  let description = [{
    - groupnormalization_c1: X has rank 2 or more.
    - groupnormalization_c2: scale and bias are vectors of the channels.
    - groupnormalization_c3: `num_groups` is 1 or more.
    - groupnormalization_c4: it divides the channels.
    - stash_c1: `stash_type` is 1 (f32) or 16 (bf16), the type that statistics are computed in.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$scale, Onnx_FloatTensor:$bias,
                       Onnx_FloatOr<"1e-05f">:$epsilon, Onnx_Int:$num_groups, Onnx_IntOr<1>:$stash_type,
                       UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_LayerNormalizationOp : Onnx_Op<"LayerNormalization", 17, [2, 3], [1, 3]> {
  let summary = "Normalisation over the last dimensions, from `axis` on";
  let description = [{
    - layernormalization_c1: Scale broadcasts to X.
    - layernormalization_c2: B broadcasts to X.
    - stash_c1: `stash_type` is 1 (f32) or 16 (bf16): the type of Mean and InvStdDev.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$Scale, Onnx_Optional<Onnx_FloatTensor>:$B,
                       Onnx_IntOr<-1>:$axis, Onnx_FloatOr<"1e-05f">:$epsilon, Onnx_IntOr<1>:$stash_type);
  let results = (outs Onnx_Tensor:$Y, Onnx_OptionalTensor:$Mean, Onnx_OptionalTensor:$InvStdDev);
}

def Onnx_RMSNormalizationOp : Onnx_Op<"RMSNormalization", 23, [2, 2], [1, 1]> {
  let summary = "Division by the root mean square over the last dimensions, from `axis` on";
  let description = [{
    - rmsnormalization_c1: scale broadcasts to X.
    - stash_c1: `stash_type` is 1 (f32) or 16 (bf16). The result has the type of scale.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$scale, Onnx_IntOr<-1>:$axis,
                       Onnx_FloatOr<"1e-05f">:$epsilon, Onnx_IntOr<1>:$stash_type);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_LRNOp : Onnx_Op<"LRN", 13, [1, 1], [1, 1], [ChannelsLastOp]> {
  let summary = "Local response normalisation across channels";
  let description = [{
    - lrn_c1: X has rank 2 or more.
    - lrn_c2: `size` is 1 or more.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatOr<"0.0001f">:$alpha, Onnx_FloatOr<"0.75f">:$beta,
                       Onnx_FloatOr<"1.0f">:$bias, Onnx_Int:$size, UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_LpNormalizationOp : Onnx_Op<"LpNormalization", 22, [1, 1], [1, 1]> {
  let summary = "Division by the p-norm along an axis";
  let description = [{
    - lpnormalization_c1: `p` is 1 or 2.
  }];
  let arguments = (ins Onnx_FloatTensor:$input, Onnx_IntOr<-1>:$axis, Onnx_IntOr<2>:$p);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_MeanVarianceNormalizationOp : Onnx_Op<"MeanVarianceNormalization", 13, [1, 1], [1, 1]> {
  let summary = "Mean 0 and variance 1 over the given axes";
  let description = [{
    - meanvariancenormalization_c1: `axes` are distinct dimensions of X.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, DefaultValuedAttr<Onnx_Ints, "{0, 2, 3}">:$axes);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_SoftmaxOp : Onnx_Op<"Softmax", 13, [1, 1], [1, 1]> {
  let summary = "Exponentials divided by their sum along an axis";
  let arguments = (ins Onnx_FloatTensor:$input, Onnx_IntOr<-1>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_LogSoftmaxOp : Onnx_Op<"LogSoftmax", 13, [1, 1], [1, 1]> {
  let summary = "Logarithm of Softmax along an axis";
  let arguments = (ins Onnx_FloatTensor:$input, Onnx_IntOr<-1>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_HardmaxOp : Onnx_Op<"Hardmax", 13, [1, 1], [1, 1]> {
  let summary = "1 at the first greatest element along an axis, 0 elsewhere";
  let arguments = (ins Onnx_FloatTensor:$input, Onnx_IntOr<-1>:$axis);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_DropoutOp : Onnx_Op<"Dropout", 22, [1, 3], [1, 2]> {
  let summary = "Identity, or random zeros when training";
  let description = [{
    - dropout_c1: ratio and training_mode are scalars.
  }];
  let arguments = (ins Onnx_Float8Tensor:$data, Onnx_Optional<Onnx_Float8Tensor>:$ratio,
                       Onnx_Optional<Onnx_BoolTensor>:$training_mode, OptionalAttr<Onnx_Int>:$seed);
  let results = (outs Onnx_Tensor:$output, Onnx_OptionalTensor:$mask);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXNORMOPS_TD
