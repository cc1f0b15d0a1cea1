// RUN: cameo-opt %s --split-input-file --verify-diagnostics

// Rules of transforms of signals. A function is named after the rule it breaks.

func.func @dft_c1(%x: tensor<4xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 2 or more, got 1}}
  %0 = onnx.DFT %x, %none, %none : (tensor<4xf32>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @dft_c2(%x: tensor<4x3xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 1 or 2 numbers in the last dimension of operand #0, got 3}}
  %0 = onnx.DFT %x, %none, %none : (tensor<4x3xf32>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @dft_c2_mirrored(%x: tensor<4x1xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected 2 numbers in the last dimension of operand #0, got 1}}
  %0 = onnx.DFT %x, %none, %none {inverse = 1 : i64, onesided = 1 : i64} : (tensor<4x1xf32>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @dft_c3(%x: tensor<4x1xf32>, %n: tensor<2xi64>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #1 to be a scalar}}
  %0 = onnx.DFT %x, %n, %none : (tensor<4x1xf32>, tensor<2xi64>, none) -> tensor<*xf32>
  return
}

// -----

func.func @dft_c4(%x: tensor<4x1xf32>) {
  %none = onnx.None
  %a = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{expected 'axis' to be a dimension of rank 2 other than the last one}}
  %0 = onnx.DFT %x, %none, %a : (tensor<4x1xf32>, none, tensor<i64>) -> tensor<*xf32>
  return
}

// -----

func.func @dft_c5(%x: tensor<0x1xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected a transform of length 1 or more, got 0}}
  %0 = onnx.DFT %x, %none, %none : (tensor<0x1xf32>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @stft_c1(%x: tensor<4x1xf32>, %n: tensor<i64>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #0 of rank 3, got 2}}
  %0 = onnx.STFT %x, %n, %none, %n : (tensor<4x1xf32>, tensor<i64>, none, tensor<i64>) -> tensor<*xf32>
  return
}

// -----

func.func @stft_c2(%x: tensor<1x4x1xf32>, %n: tensor<i64>) {
  %none = onnx.None
  %z = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{expected operand #1 to be 1 or more, got 0}}
  %0 = onnx.STFT %x, %z, %none, %n : (tensor<1x4x1xf32>, tensor<i64>, none, tensor<i64>) -> tensor<*xf32>
  return
}

// -----

func.func @stft_c3(%x: tensor<1x4x1xf32>, %n: tensor<i64>, %w: tensor<2x2xf32>) {
  %none = onnx.None
  // expected-error@+1 {{expected operand #2 of rank 1, got 2}}
  %0 = onnx.STFT %x, %n, %w, %n : (tensor<1x4x1xf32>, tensor<i64>, tensor<2x2xf32>, tensor<i64>) -> tensor<*xf32>
  return
}

// -----

func.func @stft_c4(%x: tensor<1x4x1xf32>, %n: tensor<i64>) {
  %none = onnx.None
  // expected-error@+1 {{expected a window or a frame length}}
  %0 = onnx.STFT %x, %n, %none, %none : (tensor<1x4x1xf32>, tensor<i64>, none, none) -> tensor<*xf32>
  return
}

// -----

func.func @stft_c5(%x: tensor<1x4x1xf32>, %w: tensor<8xf32>) {
  %none = onnx.None
  %s = onnx.Constant {value = dense<2> : tensor<i64>} : tensor<i64>
  // expected-error@+1 {{expected a signal at least as long as a frame}}
  %0 = onnx.STFT %x, %s, %w, %none : (tensor<1x4x1xf32>, tensor<i64>, tensor<8xf32>, none) -> tensor<*xf32>
  return
}

// -----

func.func @frames_c1(%x: tensor<4x1xf32>) {
  // expected-error@+1 {{expected operand #0 of rank 3, got 2}}
  %0 = onnx.Frames %x {length = 2 : i64, step = 1 : i64} : (tensor<4x1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @frames_c2(%x: tensor<1x4x1xf32>) {
  // expected-error@+1 {{expected 'length' and 'step' of 1 or more, got 2 and 0}}
  %0 = onnx.Frames %x {length = 2 : i64, step = 0 : i64} : (tensor<1x4x1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @frames_c3(%x: tensor<1x4x1xf32>) {
  // expected-error@+1 {{expected a signal at least as long as a frame}}
  %0 = onnx.Frames %x {length = 8 : i64, step = 1 : i64} : (tensor<1x4x1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @window_c1(%n: tensor<2xi64>) {
  // expected-error@+1 {{expected operand #0 to be a scalar}}
  %0 = onnx.HannWindow %n : (tensor<2xi64>) -> tensor<*xf32>
  return
}

// -----

func.func @window_c2(%n: tensor<i64>) {
  // expected-error@+1 {{expected 'output_datatype' to be a numeric ONNX element type, got 9}}
  %0 = onnx.HammingWindow %n {output_datatype = 9 : i64} : (tensor<i64>) -> tensor<*xf32>
  return
}

// -----

func.func @mel_c1(%n: tensor<i64>, %f: tensor<f32>, %g: tensor<2xf32>) {
  // expected-error@+1 {{expected operand #3 to be a scalar}}
  %0 = onnx.MelWeightMatrix %n, %n, %n, %g, %f : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<2xf32>, tensor<f32>) -> tensor<*xf32>
  return
}

// -----

func.func @mel_c2(%n: tensor<i64>, %f: tensor<f32>) {
  // expected-error@+1 {{expected 'output_datatype' to be a numeric ONNX element type, got 8}}
  %0 = onnx.MelWeightMatrix %n, %n, %n, %f, %f {output_datatype = 8 : i64} : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<*xf32>
  return
}
