// Elementwise operators of several tensors with broadcasting.
#ifndef CAMEO_DIALECTS_ONNX_ONNXBROADCASTOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXBROADCASTOPS_TD

include "dialects/Onnx/OnnxBase.td"

class Onnx_BinaryOp<string name, int since, Type tensor, string text>
    : Onnx_KnownOp<name, since, [2, 2], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Element by element: " # text;
  let arguments = (ins tensor:$A, tensor:$B);
  let results = (outs Onnx_Tensor:$C);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_AddOp : Onnx_BinaryOp<"Add", 14, Onnx_NumberTensor, "sum">;
def Onnx_SubOp : Onnx_BinaryOp<"Sub", 14, Onnx_NumberTensor, "difference">;
def Onnx_MulOp : Onnx_BinaryOp<"Mul", 14, Onnx_NumberTensor, "product">;
def Onnx_DivOp : Onnx_BinaryOp<"Div", 14, Onnx_NumberTensor, "quotient, truncated for integers">;
def Onnx_AndOp : Onnx_BinaryOp<"And", 7, Onnx_BoolTensor, "logical and">;
def Onnx_OrOp : Onnx_BinaryOp<"Or", 7, Onnx_BoolTensor, "logical or">;
def Onnx_XorOp : Onnx_BinaryOp<"Xor", 7, Onnx_BoolTensor, "logical exclusive or">;
def Onnx_BitwiseAndOp : Onnx_BinaryOp<"BitwiseAnd", 18, Onnx_IntegerTensor, "and of every bit">;
def Onnx_BitwiseOrOp : Onnx_BinaryOp<"BitwiseOr", 18, Onnx_IntegerTensor, "or of every bit">;
def Onnx_BitwiseXorOp : Onnx_BinaryOp<"BitwiseXor", 18, Onnx_IntegerTensor, "exclusive or of every bit">;

class Onnx_CompareOp<string name, int since, Type tensor, string text> : Onnx_BinaryOp<name, since, tensor, text> {
  let ruleDefinition = onnxPredicateRule;
}

def Onnx_EqualOp : Onnx_CompareOp<"Equal", 19, Onnx_EqualTensor, "a == b">;
def Onnx_GreaterOp : Onnx_CompareOp<"Greater", 13, Onnx_NumberTensor, "a > b">;
def Onnx_GreaterOrEqualOp : Onnx_CompareOp<"GreaterOrEqual", 16, Onnx_NumberTensor, "a >= b">;
def Onnx_LessOp : Onnx_CompareOp<"Less", 13, Onnx_NumberTensor, "a < b">;
def Onnx_LessOrEqualOp : Onnx_CompareOp<"LessOrEqual", 16, Onnx_NumberTensor, "a <= b">;

class Onnx_VariadicOp<string name, int since, Type tensor, string text>
    : Onnx_KnownOp<name, since, [1, -1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Element by element over any number of tensors: " # text;
  let arguments = (ins Variadic<tensor>:$inputs);
  let results = (outs Onnx_Tensor:$result);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_MaxOp : Onnx_VariadicOp<"Max", 13, Onnx_NumberTensor, "greatest">;
def Onnx_MinOp : Onnx_VariadicOp<"Min", 13, Onnx_NumberTensor, "least">;
class Onnx_VariadicSumOp<string name, int since, Type tensor, string text>
    : Onnx_Op<name, since, [1, -1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Element by element over any number of tensors: " # text;
  let arguments = (ins Variadic<tensor>:$inputs);
  let results = (outs Onnx_Tensor:$result);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_SumOp : Onnx_VariadicSumOp<"Sum", 13, Onnx_FloatTensor, "sum">;
def Onnx_MeanOp : Onnx_VariadicSumOp<"Mean", 13, Onnx_FloatTensor, "mean">;

def Onnx_BitShiftOp : Onnx_BinaryOp<"BitShift", 11, Onnx_UnsignedTensor, "shift of unsigned integers"> {
  let arguments = (ins Onnx_UnsignedTensor:$A, Onnx_UnsignedTensor:$B, Onnx_Enum<["LEFT", "RIGHT"]>:$direction);
}

def Onnx_ModOp : Onnx_BinaryOp<"Mod", 13, Onnx_NumberTensor,
                               "remainder with the sign of the divisor, or of the dividend (`fmod`)"> {
  let description = [{
    - mod_c1: floats have `fmod` 1.
  }];
  let arguments = (ins Onnx_NumberTensor:$A, Onnx_NumberTensor:$B, Onnx_IntOr<0>:$fmod);
  let ruleDefinition = ""; // floats need `fmod`
}

def Onnx_PowOp : Onnx_BinaryOp<"Pow", 15, Onnx_PowTensor, "first operand raised to the second"> {
  let arguments = (ins Onnx_PowTensor:$A, Onnx_NumberTensor:$B);
  let ruleDefinition = ""; // the exponent may have another type
}

def Onnx_PReluOp : Onnx_Op<"PRelu", 16, [2, 2], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Element by element: a where a >= 0, b * a elsewhere";
  let description = [{
    - prelu_c1: B broadcasts to A.
  }];
  let arguments = (ins Onnx_WideTensor:$A, Onnx_WideTensor:$B);
  let results = (outs Onnx_Tensor:$C);
}

def Onnx_WhereOp : Onnx_KnownOp<"Where", 16, [3, 3], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Elements of X where the condition holds, of Y elsewhere";
  let arguments = (ins Onnx_BoolTensor:$condition, Onnx_Tensor:$X, Onnx_Tensor:$Y);
  let results = (outs Onnx_Tensor:$output);
}

def Onnx_ClipOp : Onnx_KnownOp<"Clip", 13, [1, 3], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Limits to [min, max]";
  let description = [{
    - clip_c1: min and max are scalars.
  }];
  let arguments = (ins Onnx_NumberTensor:$input, Onnx_Optional<Onnx_NumberTensor>:$min,
                       Onnx_Optional<Onnx_NumberTensor>:$max);
  let results = (outs Onnx_Tensor:$output);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXBROADCASTOPS_TD
