// The operators of the domain com.acme. A domain's dialect has its name, with '_' for the dots.
include "dialects/Onnx/OnnxBase.td"
include "dialects/Schedule/StepInterface.td"
include "passes/Schedule/Steps/StepEffect.td"

def Acme_Dialect : Dialect {
  let name = "com_acme";
  let cppNamespace = "::acme";
  let useDefaultAttributePrinterParser = 1;
}

// A schedule step: what it does is in SquareStep.cpp.
def Acme_SquareAttr : AttrDef<Acme_Dialect, "Square", [StepAttrInterface, DeclareAttrInterfaceMethods<StepEffectInterface, ["explain"]>]> {
  let mnemonic = "square";
  let summary = "Loops over square tiles of the two innermost parallel dimensions";
  let parameters = (ins "unsigned":$nest, "int64_t":$size);
  let assemblyFormat = "`<` struct(params) `>`";
}

// Since operator set 1 of the domain; 1 input and 1 output.
def Acme_SoftclipOp : Onnx_OperatorOf<Acme_Dialect, "Softclip", 1, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "limit * tanh(x / limit)";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatOr<"1.0f">:$limit);
  let results = (outs Onnx_Tensor:$Y);
  // One element type, and the shape that operands broadcast to.
  let ruleDefinition = onnxPointwiseRule;
}
