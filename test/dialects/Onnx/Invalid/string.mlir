// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of operators on strings. A function is named after the rule it breaks.

func.func @stringnormalizer_c1(%arg0: tensor<1x2x3x!onnx.string>) {
  // expected-error@+1 {{expected operand #0 of rank 1 to 2, got 3}}
  %0 = onnx.StringNormalizer %arg0 : (tensor<1x2x3x!onnx.string>) -> tensor<*x!onnx.string>
  return
}

// -----

func.func @stringnormalizer_c1_rows(%arg0: tensor<2x3x!onnx.string>) {
  // expected-error@+1 {{expected}}
  %0 = onnx.StringNormalizer %arg0 : (tensor<2x3x!onnx.string>) -> tensor<*x!onnx.string>
  return
}

// -----

func.func @stringnormalizer_c2(%arg0: tensor<3x!onnx.string>) {
  // expected-error@+1 {{expected a 'locale' without special rules for letter case, got 'tr_TR'}}
  %0 = onnx.StringNormalizer %arg0 {locale = "tr_TR"} : (tensor<3x!onnx.string>) -> tensor<*x!onnx.string>
  return
}

// -----

func.func @stringsplit_c1(%arg0: tensor<3x!onnx.string>) {
  // expected-error@+1 {{expected a 'maxsplit' of 0 or more, got -1}}
  %0, %1 = onnx.StringSplit %arg0 {maxsplit = -1 : i64} : (tensor<3x!onnx.string>) -> (tensor<*x!onnx.string>, tensor<*xi64>)
  return
}

// -----

func.func @findtext_c1(%arg0: tensor<3x!onnx.string>, %arg1: tensor<1x2x!onnx.string>) {
  // expected-error@+1 {{expected operand #1 of rank 1, got 2}}
  %0 = onnx.FindText %arg0, %arg1 : (tensor<3x!onnx.string>, tensor<1x2x!onnx.string>) -> tensor<*xi64>
  return
}
