// What the example does not have: names of operators of ONNX, which mean something else here, operands and results that may be absent, a shape rule.
include "dialects/Onnx/OnnxBase.td"

def Rows_Dialect : Dialect {
  let name = "org_test_rows";
  let cppNamespace = "::rows";
}

def Rows_ConvOp : Onnx_OperatorOf<Rows_Dialect, "Conv", 2, [1, 2], [1, 2]> {
  let summary = "Sum of each row, a bias added; and the largest element of each";
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_Optional<Onnx_FloatTensor>:$bias);
  let results = (outs Onnx_Tensor:$sums, Onnx_OptionalTensor:$largest);
}

def Rows_IdentityOp : Onnx_OperatorOf<Rows_Dialect, "Identity", 1, [1, 1], [1, 1], [PointwiseOnnxOp]> {
  let summary = "Twice the operand";
  let arguments = (ins Onnx_FloatTensor:$X);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}

def Rows_TwiceOp : Onnx_OperatorOf<Rows_Dialect, "Twice", 1, [1, 1], [1, 1]> {
  let summary = "An operator without a lowering, which a pass takes apart";
  let arguments = (ins Onnx_FloatTensor:$X);
  let results = (outs Onnx_Tensor:$Y);
  let ruleDefinition = onnxPointwiseRule;
}
