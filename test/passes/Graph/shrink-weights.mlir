// RUN: cameo-opt %s --shrink-weights=weights-type=bf16 | FileCheck %s --check-prefixes=CHECK,BF16
// RUN: cameo-opt %s --shrink-weights=weights-type=int8 | FileCheck %s --check-prefixes=CHECK,INT8
// RUN: cameo-opt %s --shrink-weights | FileCheck %s --check-prefix=PLAIN
// RUN: not cameo-opt %s --shrink-weights=weights-type=f8 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: expected a weights type of as-is, bf16 or int8, got 'f8'

// 1.00390625 lies between two numbers of bf16 and is rounded to the even one; of 8 bits, it is the largest.
// CHECK-LABEL: @row
// BF16: %[[W:.*]] = onnx.Constant {value = dense<1.000000e+00> : tensor<256x256xbf16>}
// BF16: %[[WIDE:.*]] = onnx.Cast %[[W]] {to = 1 : i64}
// BF16: %[[Y:.*]] = onnx.MatMul %arg0, %[[WIDE]]
// INT8: %[[W:.*]] = onnx.Constant {value = dense<127> : tensor<256x256xi8>}
// INT8: %[[WIDE:.*]] = onnx.Cast %[[W]] {to = 1 : i64}
// INT8: %[[SUM:.*]] = onnx.MatMul %arg0, %[[WIDE]]
// INT8: %[[SCALES:.*]] = onnx.Constant {value = dense<0.00790477357> : tensor<256xf32>}
// INT8: %[[Y:.*]] = onnx.Mul %[[SUM]], %[[SCALES]]
// CHECK: return %[[Y]]
// PLAIN-LABEL: @row
// PLAIN-NOT: onnx.Cast
func.func @row(%x: tensor<1x1x256xf32>) -> tensor<1x1x256xf32> {
  %w = onnx.Constant {value = dense<1.00390625> : tensor<256x256xf32>} : tensor<256x256xf32>
  %0 = onnx.MatMul %x, %w : (tensor<1x1x256xf32>, tensor<256x256xf32>) -> tensor<1x1x256xf32>
  return %0 : tensor<1x1x256xf32>
}

// The bias is not scaled.
// CHECK-LABEL: @bias
// BF16: onnx.Gemm %arg0, %{{.*}}, %arg1
// INT8: %[[SCALED:.*]] = onnx.Mul
// INT8: onnx.Add %[[SCALED]], %arg1
func.func @bias(%x: tensor<1x256xf32>, %c: tensor<256xf32>) -> tensor<1x256xf32> {
  %w = onnx.Constant {value = dense<2.0> : tensor<256x256xf32>} : tensor<256x256xf32>
  %0 = onnx.Gemm %x, %w, %c : (tensor<1x256xf32>, tensor<256x256xf32>, tensor<256xf32>) -> tensor<1x256xf32>
  return %0 : tensor<1x256xf32>
}

// Several rows use each weight several times: computing takes longer than reading.
// CHECK-LABEL: @rows
// CHECK-NOT: onnx.Cast
func.func @rows(%x: tensor<8x256xf32>) -> tensor<8x256xf32> {
  %w = onnx.Constant {value = dense<2.0> : tensor<256x256xf32>} : tensor<256x256xf32>
  %0 = onnx.MatMul %x, %w : (tensor<8x256xf32>, tensor<256x256xf32>) -> tensor<8x256xf32>
  return %0 : tensor<8x256xf32>
}

// Numbers without a scale stay as they are.
// CHECK-LABEL: @infinite
// CHECK-NOT: onnx.Cast
func.func @infinite(%x: tensor<1x256xf32>) -> tensor<1x256xf32> {
  %w = onnx.Constant {value = dense<0x7F800000> : tensor<256x256xf32>} : tensor<256x256xf32>
  %0 = onnx.MatMul %x, %w : (tensor<1x256xf32>, tensor<256x256xf32>) -> tensor<1x256xf32>
  return %0 : tensor<1x256xf32>
}
