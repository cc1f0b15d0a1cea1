// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of spectra, windows and mel filters.

// CHECK-LABEL: @dft_axes
// CHECK: return {{.*}} : tensor<2x5x2xf32>, tensor<2x5x2xf32>, tensor<16x5x2xf32>
func.func @dft_axes(%x: tensor<2x5x1xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %first = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %second = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %length = onnx.Constant {value = dense<16> : tensor<i64>} : tensor<i64>
  %0 = onnx.DFT %x, %none, %none : (tensor<2x5x1xf32>, none, none) -> tensor<*xf32>
  %1 = onnx.DFT %x, %none, %second {inverse = 1 : i64} : (tensor<2x5x1xf32>, none, tensor<i64>) -> tensor<*xf32>
  %2 = onnx.DFT %x, %length, %first : (tensor<2x5x1xf32>, tensor<i64>, tensor<i64>) -> tensor<*xf32>
  return %0, %1, %2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// One half of the spectrum of a real signal, and back.
// CHECK-LABEL: @dft_onesided
// CHECK: return {{.*}} : tensor<2x5x2xf32>, tensor<2x8x1xf32>
func.func @dft_onesided(%x: tensor<2x8x1xf32>, %y: tensor<2x5x2xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.DFT %x, %none, %none {onesided = 1 : i64} : (tensor<2x8x1xf32>, none, none) -> tensor<*xf32>
  %1 = onnx.DFT %y, %none, %none {inverse = 1 : i64, onesided = 1 : i64} : (tensor<2x5x2xf32>, none, none) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @stft
// CHECK: return {{.*}} : tensor<1x15x9x2xf32>
func.func @stft(%x: tensor<1x128x1xf32>, %window: tensor<16xf32>) -> tensor<*xf32> {
  %none = onnx.None
  %step = onnx.Constant {value = dense<8> : tensor<i64>} : tensor<i64>
  %0 = onnx.STFT %x, %step, %window, %none : (tensor<1x128x1xf32>, tensor<i64>, tensor<16xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @frames
// CHECK: return {{.*}} : tensor<2x15x16x1xf32>
func.func @frames(%x: tensor<2x128x1xf32>) -> tensor<*xf32> {
  %0 = onnx.Frames %x {length = 16 : i64, step = 8 : i64} : (tensor<2x128x1xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @windows
// CHECK: return {{.*}} : tensor<10xf32>, tensor<?xf64>, tensor<9x8xf32>
func.func @windows(%n: tensor<i64>, %f: tensor<f32>) -> (tensor<*xf32>, tensor<*xf64>, tensor<*xf32>) {
  %ten = onnx.Constant {value = dense<10> : tensor<i64>} : tensor<i64>
  %bands = onnx.Constant {value = dense<8> : tensor<i64>} : tensor<i64>
  %length = onnx.Constant {value = dense<16> : tensor<i64>} : tensor<i64>
  %0 = onnx.HannWindow %ten : (tensor<i64>) -> tensor<*xf32>
  %1 = onnx.BlackmanWindow %n {output_datatype = 11 : i64} : (tensor<i64>) -> tensor<*xf64>
  %2 = onnx.MelWeightMatrix %bands, %length, %n, %f, %f : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<*xf32>
  return %0, %1, %2 : tensor<*xf32>, tensor<*xf64>, tensor<*xf32>
}
