// The operators of the domain com.acme. A domain's dialect has its name, with '_' for the dots.
include "dialects/Onnx/OnnxBase.td"

def Acme_Dialect : Dialect {
  let name = "com_acme";
  let cppNamespace = "::acme";
}

// Since operator set 1 of the domain; 1 input and 1 output.
def Acme_SoftclipOp : Onnx_OperatorOf<Acme_Dialect, "Softclip", 1, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "limit * tanh(x / limit)";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatOr<"1.0f">:$limit);
  let results = (outs Onnx_Tensor:$Y);
  // One element type, and the shape that operands broadcast to.
  let ruleDefinition = onnxPointwiseRule;
}
