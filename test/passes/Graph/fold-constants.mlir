// RUN: cameo-opt %s --fold-constants | FileCheck %s
// RUN: cameo-opt %s --fold-constants="dequantize=false" | FileCheck %s --check-prefix=QUANTIZED

// CHECK-LABEL: @transposes
// CHECK-NEXT: onnx.Constant {value = dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]>
// CHECK-NEXT: return
func.func @transposes() -> tensor<3x2xf32> {
  %0 = onnx.Constant {value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>} : tensor<2x3xf32>
  %1 = onnx.Transpose %0 {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: @transposes_three_dimensions
// CHECK-NEXT: dense<{{\[\[\[}}1, 7], [4, 10]], {{\[\[}}2, 8], [5, 11]], {{\[\[}}3, 9], [6, 12]]]> : tensor<3x2x2xi16>
func.func @transposes_three_dimensions() -> tensor<3x2x2xi16> {
  %0 = onnx.Constant {value = dense<[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]]> : tensor<2x2x3xi16>} : tensor<2x2x3xi16>
  %1 = onnx.Transpose %0 : (tensor<2x2x3xi16>) -> tensor<3x2x2xi16>
  return %1 : tensor<3x2x2xi16>
}

// CHECK-LABEL: @reshapes_and_slices
// CHECK-NEXT: dense<{{\[\[}}1.000000e+00], [3.000000e+00], [5.000000e+00]]> : tensor<3x1xf32>
func.func @reshapes_and_slices() -> tensor<3x1xf32> {
  %none = onnx.None
  %0 = onnx.Constant {value = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>} : tensor<6xf32>
  %shape = onnx.Constant {value = dense<[3, 2]> : tensor<2xi64>} : tensor<2xi64>
  %1 = onnx.Reshape %0, %shape : (tensor<6xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %starts = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %ends = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %2 = onnx.Slice %1, %starts, %ends, %axes, %none : (tensor<3x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<3x1xf32>
  return %2 : tensor<3x1xf32>
}

// CHECK-LABEL: @slices_backwards
// CHECK-NEXT: dense<[3, 1]> : tensor<2xi32>
func.func @slices_backwards() -> tensor<2xi32> {
  %0 = onnx.Constant {value = dense<[1, 2, 3]> : tensor<3xi32>} : tensor<3xi32>
  %starts = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %ends = onnx.Constant {value = dense<-9223372036854775807> : tensor<1xi64>} : tensor<1xi64>
  %axes = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %steps = onnx.Constant {value = dense<-2> : tensor<1xi64>} : tensor<1xi64>
  %1 = onnx.Slice %0, %starts, %ends, %axes, %steps : (tensor<3xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// CHECK-LABEL: @joins
// CHECK-NEXT: dense<{{\[\[}}1, 3, 4], [2, 5, 6]]> : tensor<2x3xi64>
func.func @joins() -> tensor<2x3xi64> {
  %0 = onnx.Constant {value = dense<[[1], [2]]> : tensor<2x1xi64>} : tensor<2x1xi64>
  %1 = onnx.Constant {value = dense<[[3, 4], [5, 6]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  %2 = onnx.Concat %0, %1 {axis = 1 : i64} : (tensor<2x1xi64>, tensor<2x2xi64>) -> tensor<2x3xi64>
  return %2 : tensor<2x3xi64>
}

// CHECK-LABEL: @computes_with_broadcasting
// CHECK-NEXT: dense<{{\[\[}}1.100000e+01, 1.200000e+01], [2.100000e+01, 2.200000e+01]]>
func.func @computes_with_broadcasting() -> tensor<2x2xf32> {
  %0 = onnx.Constant {value = dense<[[10.0], [20.0]]> : tensor<2x1xf32>} : tensor<2x1xf32>
  %1 = onnx.Constant {value = dense<[1.0, 2.0]> : tensor<2xf32>} : tensor<2xf32>
  %2 = onnx.Add %0, %1 : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// Ties are rounded to even numbers, and NaN is greater and less than all.
// CHECK-LABEL: @limits_and_rounds
// CHECK-NEXT: dense<[-2.000000e+00, 0.000000e+00, 2.000000e+00, 3.000000e+00, 0x7FC00000]>
func.func @limits_and_rounds() -> tensor<5xf32> {
  %0 = onnx.Constant {value = dense<[-5.0, 0.5, 1.5, 9.0, 0x7FC00000]> : tensor<5xf32>} : tensor<5xf32>
  %1 = onnx.Constant {value = dense<-2.0> : tensor<f32>} : tensor<f32>
  %2 = onnx.Constant {value = dense<3.0> : tensor<f32>} : tensor<f32>
  %3 = onnx.Max %0, %1 : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %4 = onnx.Min %3, %2 : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = onnx.Round %4 : (tensor<5xf32>) -> tensor<5xf32>
  return %5 : tensor<5xf32>
}

// CHECK-LABEL: @casts_to_half
// CHECK-NEXT: dense<[1.000000e+00, -2.500000e+00]> : tensor<2xf16>
func.func @casts_to_half() -> tensor<2xf16> {
  %0 = onnx.Constant {value = dense<[1.0, -2.5]> : tensor<2xf32>} : tensor<2xf32>
  %1 = onnx.Cast %0 {to = 10 : i64} : (tensor<2xf32>) -> tensor<2xf16>
  return %1 : tensor<2xf16>
}

// One scale per index of axis 0.
// CHECK-LABEL: @dequantizes_weights
// CHECK-NEXT: dense<{{\[\[}}5.000000e-01, -5.000000e-01], [4.000000e+00, 6.000000e+00]]> : tensor<2x2xf32>
// QUANTIZED-LABEL: @dequantizes_weights
// QUANTIZED: onnx.DequantizeLinear
func.func @dequantizes_weights() -> tensor<2x2xf32> {
  %x = onnx.Constant {value = dense<[[1, -1], [3, 4]]> : tensor<2x2xi8>} : tensor<2x2xi8>
  %scale = onnx.Constant {value = dense<[0.5, 2.0]> : tensor<2xf32>} : tensor<2xf32>
  %zero = onnx.Constant {value = dense<[0, 1]> : tensor<2xi8>} : tensor<2xi8>
  %0 = onnx.DequantizeLinear %x, %scale, %zero {axis = 0 : i64} : (tensor<2x2xi8>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: @leaves_large_expansions
// CHECK: onnx.Expand
func.func @leaves_large_expansions() -> tensor<256x256x2xf32> {
  %0 = onnx.Constant {value = dense<[1.0, 2.0]> : tensor<2xf32>} : tensor<2xf32>
  %shape = onnx.Constant {value = dense<[256, 256, 2]> : tensor<3xi64>} : tensor<3xi64>
  %1 = onnx.Expand %0, %shape : (tensor<2xf32>, tensor<3xi64>) -> tensor<256x256x2xf32>
  return %1 : tensor<256x256x2xf32>
}

// A part without elements.
// CHECK-LABEL: @concat_of_nothing_and_something
// CHECK-NEXT: %[[C:.*]] = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>}
// CHECK-NEXT: return %[[C]]
func.func @concat_of_nothing_and_something() -> tensor<2xi64> {
  %0 = onnx.Constant {value = dense<> : tensor<0xi64>} : tensor<0xi64>
  %1 = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %2 = onnx.Concat %0, %1 {axis = 0 : i64} : (tensor<0xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %2 : tensor<2xi64>
}

// Two rows of two between zeros.
// CHECK-LABEL: @pad
// CHECK-NEXT: %[[C:.*]] = onnx.Constant {value = dense<{{\[\[}}0, 0, 0], [1, 2, 0], [3, 4, 0]]> : tensor<3x3xi64>}
// CHECK-NEXT: return %[[C]]
func.func @pad() -> tensor<3x3xi64> {
  %0 = onnx.Constant {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  %pads = onnx.Constant {value = dense<[1, 0, 0, 1]> : tensor<4xi64>} : tensor<4xi64>
  %none = onnx.None
  %1 = onnx.Pad %0, %pads, %none, %none : (tensor<2x2xi64>, tensor<4xi64>, none, none) -> tensor<3x3xi64>
  return %1 : tensor<3x3xi64>
}

// A negative pad cuts off.
// CHECK-LABEL: @cut
// CHECK: onnx.Pad
func.func @cut() -> tensor<2x1xi64> {
  %0 = onnx.Constant {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>} : tensor<2x2xi64>
  %pads = onnx.Constant {value = dense<[0, -1, 0, 0]> : tensor<4xi64>} : tensor<4xi64>
  %none = onnx.None
  %1 = onnx.Pad %0, %pads, %none, %none : (tensor<2x2xi64>, tensor<4xi64>, none, none) -> tensor<2x1xi64>
  return %1 : tensor<2x1xi64>
}

// The data stays where it is: only the type of the resource changes.
// CHECK-LABEL: @shares_resources_when_reshaping
// CHECK: dense_resource<weight> : tensor<2x2xf32>
func.func @shares_resources_when_reshaping() -> tensor<2x2xf32> {
  %0 = onnx.Constant {value = dense_resource<weight> : tensor<4xf32>} : tensor<4xf32>
  %shape = onnx.Constant {value = dense<[2, 2]> : tensor<2xi64>} : tensor<2xi64>
  %1 = onnx.Reshape %0, %shape : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weight: "0x040000000000803F000000400000404000008040"
    }
  }
#-}

// CHECK-LABEL: @evaluates_windows_and_mel_filters
// CHECK: dense<[0.000000e+00, 5.000000e-01, 1.000000e+00, 5.000000e-01]> : tensor<4xf32>
// CHECK: tensor<201x80xf32>
// CHECK-NOT: onnx.HannWindow
// CHECK-NOT: onnx.MelWeightMatrix
func.func @evaluates_windows_and_mel_filters() -> (tensor<4xf32>, tensor<201x80xf32>) {
  %size = onnx.Constant {value = dense<4> : tensor<i64>} : tensor<i64>
  %bands = onnx.Constant {value = dense<80> : tensor<i64>} : tensor<i64>
  %length = onnx.Constant {value = dense<400> : tensor<i64>} : tensor<i64>
  %rate = onnx.Constant {value = dense<16000> : tensor<i64>} : tensor<i64>
  %low = onnx.Constant {value = dense<0.0> : tensor<f32>} : tensor<f32>
  %high = onnx.Constant {value = dense<8000.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.HannWindow %size : (tensor<i64>) -> tensor<4xf32>
  %1 = onnx.MelWeightMatrix %bands, %length, %rate, %low, %high : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<201x80xf32>
  return %0, %1 : tensor<4xf32>, tensor<201x80xf32>
}
