// Elementwise operators of one tensor without attributes.
#ifndef CAMEO_DIALECTS_ONNX_ONNXUNARYOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXUNARYOPS_TD

include "dialects/Onnx/OnnxBase.td"

class Onnx_UnaryOp<string name, int since, Type tensor, string text>
    : Onnx_Op<name, since, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Element by element: " # text;
  let arguments = (ins tensor:$X);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_AcosOp : Onnx_UnaryOp<"Acos", 22, Onnx_FloatTensor, "arc cosine">;
def Onnx_AcoshOp : Onnx_UnaryOp<"Acosh", 22, Onnx_FloatTensor, "inverse hyperbolic cosine">;
def Onnx_AsinOp : Onnx_UnaryOp<"Asin", 22, Onnx_FloatTensor, "arc sine">;
def Onnx_AsinhOp : Onnx_UnaryOp<"Asinh", 22, Onnx_FloatTensor, "inverse hyperbolic sine">;
def Onnx_AtanOp : Onnx_UnaryOp<"Atan", 22, Onnx_FloatTensor, "arc tangent">;
def Onnx_AtanhOp : Onnx_UnaryOp<"Atanh", 22, Onnx_FloatTensor, "inverse hyperbolic tangent">;
def Onnx_CosOp : Onnx_UnaryOp<"Cos", 22, Onnx_FloatTensor, "cosine">;
def Onnx_CoshOp : Onnx_UnaryOp<"Cosh", 22, Onnx_FloatTensor, "hyperbolic cosine">;
def Onnx_ErfOp : Onnx_UnaryOp<"Erf", 13, Onnx_FloatTensor, "error function">;
def Onnx_ExpOp : Onnx_UnaryOp<"Exp", 13, Onnx_FloatTensor, "exponential">;
def Onnx_HardSwishOp : Onnx_UnaryOp<"HardSwish", 22, Onnx_FloatTensor, "x * max(0, min(1, x / 6 + 0.5))">;
def Onnx_LogOp : Onnx_UnaryOp<"Log", 13, Onnx_FloatTensor, "natural logarithm">;
def Onnx_MishOp : Onnx_UnaryOp<"Mish", 22, Onnx_FloatTensor, "x * tanh(softplus(x))">;
def Onnx_ReciprocalOp : Onnx_UnaryOp<"Reciprocal", 13, Onnx_FloatTensor, "1 / x">;
def Onnx_SigmoidOp : Onnx_UnaryOp<"Sigmoid", 13, Onnx_FloatTensor, "1 / (1 + exp(-x))">;
def Onnx_SinOp : Onnx_UnaryOp<"Sin", 22, Onnx_FloatTensor, "sine">;
def Onnx_SinhOp : Onnx_UnaryOp<"Sinh", 22, Onnx_FloatTensor, "hyperbolic sine">;
def Onnx_SoftplusOp : Onnx_UnaryOp<"Softplus", 22, Onnx_FloatTensor, "log(exp(x) + 1)">;
def Onnx_SoftsignOp : Onnx_UnaryOp<"Softsign", 22, Onnx_FloatTensor, "x / (1 + |x|)">;
def Onnx_TanOp : Onnx_UnaryOp<"Tan", 22, Onnx_FloatTensor, "tangent">;
def Onnx_TanhOp : Onnx_UnaryOp<"Tanh", 13, Onnx_FloatTensor, "hyperbolic tangent">;

// Operators that models use to compute shapes.
class Onnx_KnownUnaryOp<string name, int since, Type tensor, string text>
    : Onnx_KnownOp<name, since, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Element by element: " # text;
  let arguments = (ins tensor:$X);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_AbsOp : Onnx_KnownUnaryOp<"Abs", 13, Onnx_NumberTensor, "absolute value">;
def Onnx_BitwiseNotOp : Onnx_KnownUnaryOp<"BitwiseNot", 18, Onnx_IntegerTensor, "complement of every bit">;
def Onnx_CeilOp : Onnx_KnownUnaryOp<"Ceil", 13, Onnx_FloatTensor, "least integer not below">;
def Onnx_FloorOp : Onnx_KnownUnaryOp<"Floor", 13, Onnx_FloatTensor, "greatest integer not above">;
def Onnx_NegOp : Onnx_KnownUnaryOp<"Neg", 13, Onnx_SignedTensor, "negation">;
def Onnx_NotOp : Onnx_KnownUnaryOp<"Not", 1, Onnx_BoolTensor, "logical negation">;
def Onnx_ReluOp : Onnx_KnownUnaryOp<"Relu", 14, Onnx_SignedTensor, "max(0, x)">;
def Onnx_RoundOp : Onnx_KnownUnaryOp<"Round", 22, Onnx_FloatTensor, "nearest integer, halves to even">;
def Onnx_SignOp : Onnx_KnownUnaryOp<"Sign", 13, Onnx_NumberTensor, "-1, 0 or 1">;
def Onnx_SqrtOp : Onnx_KnownUnaryOp<"Sqrt", 13, Onnx_FloatTensor, "square root">;

def Onnx_IsInfOp : Onnx_Op<"IsInf", 20, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Whether an element is infinite";
  let arguments = (ins Onnx_Float8Tensor:$X, Onnx_IntOr<1>:$detect_negative, Onnx_IntOr<1>:$detect_positive);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_IsNaNOp : Onnx_Op<"IsNaN", 20, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Whether an element is not a number";
  let arguments = (ins Onnx_Float8Tensor:$X);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_CastOp : Onnx_KnownOp<"Cast", 25, [1, 1], [1, 1], [PointwiseOnnxOp], onnxEqual> {
  let summary = "Conversion to the element type that ONNX numbers `to`";
  let description = [{
    `to` is a number of TensorProto.DataType (ElementTypes.h).

    - cast_c1: `to` numbers an element type.
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_EnumOr<["up", "down", "nearest"], "up">:$round_mode,
                       Onnx_IntOr<1>:$saturate, Onnx_Int:$to);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_CastLikeOp : Onnx_KnownOp<"CastLike", 25, [2, 2], [1, 1], [PointwiseOnnxOp], onnxEqual> {
  let summary = "Conversion to the element type of another tensor";
  let arguments = (ins Onnx_Tensor:$input, Onnx_Tensor:$target_type,
                       Onnx_EnumOr<["up", "down", "nearest"], "up">:$round_mode, Onnx_IntOr<1>:$saturate);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_BitCastOp : Onnx_Op<"BitCast", 26, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "The same bits, read as the element type that ONNX numbers `to`";
  let description = [{
    A boolean is a byte that is 0 or 1.

    - bitcast_c1: `to` numbers an element type other than string.
    - bitcast_c2: its elements are as wide as those of the operand.
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_Int:$to);
  let results = (outs Onnx_Tensor:$output);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXUNARYOPS_TD
