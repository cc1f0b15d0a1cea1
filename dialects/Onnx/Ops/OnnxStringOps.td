// Operators on strings, which are UTF-8 without zero bytes.
#ifndef CAMEO_DIALECTS_ONNX_ONNXSTRINGOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXSTRINGOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_StringConcatOp : Onnx_Op<"StringConcat", 20, [2, 2], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Element by element: the concatenation of the strings of X and Y";
  let arguments = (ins Onnx_StringTensor:$X, Onnx_StringTensor:$Y);
  let results = (outs Onnx_Tensor:$Z);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_RegexFullMatchOp : Onnx_Op<"RegexFullMatch", 20, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Whether a whole string matches a pattern in RE2's syntax";
  let arguments = (ins Onnx_StringTensor:$X, OptionalAttr<StrAttr>:$pattern);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_StringNormalizerOp : Onnx_Op<"StringNormalizer", 10, [1, 1], [1, 1], [DeclareOpInterfaceMethods<DataSizedOp>]> {
  let summary = "The strings that are not stop words, in one letter case; one empty string if none remains";
  let description = [{
    Letters are mapped one by one, by Unicode's simple case mapping.

    - stringnormalizer_c1: X has rank 1, or rank 2 and one row.
    - stringnormalizer_c2: `locale` is not a language with its own rules for letter case (Turkish, Azerbaijani, Lithuanian).
  }];
  let arguments = (ins Onnx_StringTensor:$X, Onnx_EnumOr<["NONE", "LOWER", "UPPER"], "NONE">:$case_change_action,
                       Onnx_IntOr<0>:$is_case_sensitive, OptionalAttr<StrAttr>:$locale, OptionalAttr<Onnx_Strings>:$stopwords);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_StringSplitOp : Onnx_Op<"StringSplit", 20, [1, 1], [2, 2], [DeclareOpInterfaceMethods<DataSizedOp>]> {
  let summary = "The parts of each string between delimiters, padded with empty strings, and their number";
  let description = [{
    `max_parts` limits the number of parts if `maxsplit` does not: it is the size that the model states for the last dimension of Y. A
    run with more parts fails.

    - stringsplit_c1: `maxsplit` is 0 or more.
  }];
  let arguments = (ins Onnx_StringTensor:$X, OptionalAttr<StrAttr>:$delimiter, OptionalAttr<Onnx_Int>:$maxsplit,
                       OptionalAttr<Onnx_Int>:$max_parts);
  let results = (outs Onnx_Tensor:$Y, Onnx_Tensor:$Z);
}

// Operations that are not in ONNX: passes/Graph expands operators whose results have a data-dependent size into them.

def Onnx_ChangeCaseOp : Onnx_Op<"ChangeCase", 1, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Each string with all letters in one case";
  let arguments = (ins Onnx_StringTensor:$X, Onnx_Enum<["LOWER", "UPPER"]>:$action);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Onnx_FindTextOp : Onnx_Op<"FindText", 1, [2, 2], [1, 1]> {
  let summary = "The index of each string among keys; the number of keys for a string that is not among them";
  let description = [{
    Keys are distinct and in the order of their bytes.

    - findtext_c1: keys are a vector.
  }];
  let arguments = (ins Onnx_StringTensor:$X, Onnx_StringTensor:$keys);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_CountPartsOp : Onnx_Op<"CountParts", 1, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "The number of parts into which StringSplit splits each string";
  let arguments = (ins Onnx_StringTensor:$X, StrAttr:$delimiter, OptionalAttr<Onnx_Int>:$maxsplit);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_TakePartOp : Onnx_Op<"TakePart", 1, [2, 2], [1, 1], [PointwiseOnnxOp]> {
  let summary = "One part of each string that StringSplit splits; empty after the last part";
  let arguments = (ins Onnx_StringTensor:$X, Onnx_I64Tensor:$number, StrAttr:$delimiter, OptionalAttr<Onnx_Int>:$maxsplit);
  let results = (outs Onnx_Tensor:$Y);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXSTRINGOPS_TD
