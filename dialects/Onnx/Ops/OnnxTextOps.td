// Operators on strings, which are UTF-8 without zero bytes.
#ifndef CAMEO_DIALECTS_ONNX_ONNXTEXTOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXTEXTOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_StringConcatOp : Onnx_Op<"StringConcat", 20, [2, 2], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Element by element: the text of X, then that of Y";
  let arguments = (ins Onnx_StringTensor:$X, Onnx_StringTensor:$Y);
  let results = (outs Onnx_Tensor:$Z);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_RegexFullMatchOp : Onnx_Op<"RegexFullMatch", 20, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Whether a whole text matches a pattern of RE2's syntax";
  let arguments = (ins Onnx_StringTensor:$X, OptionalAttr<StrAttr>:$pattern);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_StringNormalizerOp : Onnx_Op<"StringNormalizer", 10, [1, 1], [1, 1], [DeclareOpInterfaceMethods<DataSizedOp>]> {
  let summary = "The texts that are no stop words, in one letter case; one empty text where none is left";
  let description = [{
    Letters change one by one, by Unicode's simple mapping.

    - stringnormalizer_c1: X has rank 1, or rank 2 and one row.
    - stringnormalizer_c2: `locale` names no language with a letter case of its own (Turkish, Azerbaijani, Lithuanian).
  }];
  let arguments = (ins Onnx_StringTensor:$X, Onnx_EnumOr<["NONE", "LOWER", "UPPER"], "NONE">:$case_change_action,
                       Onnx_IntOr<0>:$is_case_sensitive, OptionalAttr<StrAttr>:$locale, OptionalAttr<Onnx_Strings>:$stopwords);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_StringSplitOp : Onnx_Op<"StringSplit", 20, [1, 1], [2, 2], [DeclareOpInterfaceMethods<DataSizedOp>]> {
  let summary = "The parts of each text between delimiters, filled up with empty texts, and how many there are";
  let description = [{
    `most` bounds the number of parts where `maxsplit` does not: the size that the model states for the last dimension of Y. A run
    that finds more is refused.

    - stringsplit_c1: `maxsplit` is 0 or more.
  }];
  let arguments = (ins Onnx_StringTensor:$X, OptionalAttr<StrAttr>:$delimiter, OptionalAttr<Onnx_Int>:$maxsplit,
                       OptionalAttr<Onnx_Int>:$most);
  let results = (outs Onnx_Tensor:$Y, Onnx_Tensor:$Z);
}

// Operations that are not in ONNX: passes/Graph expands operators whose results have a data-dependent size into them.

def Onnx_ChangeCaseOp : Onnx_Op<"ChangeCase", 1, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Each text with all letters in one case";
  let arguments = (ins Onnx_StringTensor:$X, Onnx_Enum<["LOWER", "UPPER"]>:$action);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_FindTextOp : Onnx_Op<"FindText", 1, [2, 2], [1, 1]> {
  let summary = "The number of each text among keys; how many keys there are for a text that is none";
  let description = [{
    Keys are distinct and in the order of their bytes.

    - findtext_c1: keys are a vector.
  }];
  let arguments = (ins Onnx_StringTensor:$X, Onnx_StringTensor:$keys);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_CountPartsOp : Onnx_Op<"CountParts", 1, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "How many parts StringSplit makes of each text";
  let arguments = (ins Onnx_StringTensor:$X, StrAttr:$delimiter, OptionalAttr<Onnx_Int>:$maxsplit);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_TakePartOp : Onnx_Op<"TakePart", 1, [2, 2], [1, 1], [PointwiseOnnxOp]> {
  let summary = "One of the parts that StringSplit makes of each text; empty behind the last one";
  let arguments = (ins Onnx_StringTensor:$X, Onnx_I64Tensor:$number, StrAttr:$delimiter, OptionalAttr<Onnx_Int>:$maxsplit);
  let results = (outs Onnx_Tensor:$Y);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXTEXTOPS_TD
