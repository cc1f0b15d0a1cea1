// RUN: cameo-opt %s --form-integer-products | FileCheck %s
// RUN: cameo-opt %s --attach-target="machine=byte_products=dotprod" --form-integer-products | FileCheck %s --check-prefix=SIGNED
// RUN: cameo-opt %s --attach-target="machine=byte_products=vnni" --form-integer-products | FileCheck %s --check-prefix=VNNI

// The bias is in units of 0.5 * [2, 4], the product of the scales, and becomes part of the integer sum.
// CHECK-LABEL: @convolution
// CHECK-DAG: %[[BIAS:.*]] = onnx.Constant {value = dense<{{\[\[\[}}7]], {{\[\[}}-9]]]> : tensor<2x1x1xi32>}
// CHECK-DAG: %[[SCALE:.*]] = onnx.Constant {value = dense<{{\[\[\[}}1.000000e+00]], {{\[\[}}2.000000e+00]]]> : tensor<2x1x1xf32>}
// CHECK: %[[SUM:.*]] = onnx.ConvInteger %arg0, %{{.*}}, %{{.*}}, %{{.*}} {pads = array<i64: 1, 1, 1, 1>}
// CHECK: %[[ADDED:.*]] = onnx.Add %[[SUM]], %[[BIAS]]
// CHECK: %[[REAL:.*]] = onnx.Cast %[[ADDED]]
// CHECK: %[[Y:.*]] = onnx.Mul %[[REAL]], %[[SCALE]]
// CHECK: return %[[Y]]
func.func @convolution(%x: tensor<1x1x4x4xui8>) -> tensor<1x2x4x4xf32> {
  %none = onnx.None
  %s = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %z = onnx.Constant {value = dense<3> : tensor<ui8>} : tensor<ui8>
  %w = onnx.Constant {value = dense<5> : tensor<2x1x3x3xi8>} : tensor<2x1x3x3xi8>
  %t = onnx.Constant {value = dense<[2.0, 4.0]> : tensor<2xf32>} : tensor<2xf32>
  %b = onnx.Constant {value = dense<[7, -9]> : tensor<2xi32>} : tensor<2xi32>
  %u = onnx.Constant {value = dense<[1.0, 2.0]> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.DequantizeLinear %x, %s, %z : (tensor<1x1x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1x4x4xf32>
  %1 = onnx.DequantizeLinear %w, %t, %none {axis = 0 : i64} : (tensor<2x1x3x3xi8>, tensor<2xf32>, none) -> tensor<2x1x3x3xf32>
  %2 = onnx.DequantizeLinear %b, %u, %none {axis = 0 : i64} : (tensor<2xi32>, tensor<2xf32>, none) -> tensor<2xf32>
  %3 = onnx.Conv %0, %1, %2 {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x4x4xf32>, tensor<2x1x3x3xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  return %3 : tensor<1x2x4x4xf32>
}

// A bias in other units is added behind the scale; unsigned weights around 128 become signed ones.
// CHECK-LABEL: @gemm
// CHECK: dense<{{\[\[}}-127], [127]]> : tensor<2x1xi8>
// CHECK: %[[SUM:.*]] = onnx.MatMulInteger %arg0
// CHECK: %[[REAL:.*]] = onnx.Mul
// CHECK: onnx.Add %[[REAL]], %arg1
func.func @gemm(%x: tensor<3x2xui8>, %c: tensor<1xf32>) -> tensor<3x1xf32> {
  %none = onnx.None
  %s = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %z = onnx.Constant {value = dense<128> : tensor<ui8>} : tensor<ui8>
  %w = onnx.Constant {value = dense<[[1, 255]]> : tensor<1x2xui8>} : tensor<1x2xui8>
  %0 = onnx.DequantizeLinear %x, %s, %none : (tensor<3x2xui8>, tensor<f32>, none) -> tensor<3x2xf32>
  %1 = onnx.DequantizeLinear %w, %s, %z : (tensor<1x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2xf32>
  %2 = onnx.Gemm %0, %1, %c {transB = 1 : i64} : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<1xf32>) -> tensor<3x1xf32>
  return %2 : tensor<3x1xf32>
}

// CHECK-LABEL: @two_activations
// CHECK: onnx.MatMulInteger %arg0, %arg1
func.func @two_activations(%a: tensor<2x3x4xui8>, %b: tensor<2x4x5xui8>) -> tensor<2x3x5xf32> {
  %s = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %z = onnx.Constant {value = dense<3> : tensor<ui8>} : tensor<ui8>
  %0 = onnx.DequantizeLinear %a, %s, %z : (tensor<2x3x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3x4xf32>
  %1 = onnx.DequantizeLinear %b, %s, %z : (tensor<2x4x5xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x4x5xf32>
  %2 = onnx.MatMul %0, %1 : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %2 : tensor<2x3x5xf32>
}

// x * w / y, each step rounded: 0.5 * 4 / 0.25
// CHECK-LABEL: @qlinear_convolution
// CHECK-DAG: %[[ONE:.*]] = onnx.Constant {value = dense<1.000000e+00> : tensor<f32>}
// CHECK-DAG: %[[FACTOR:.*]] = onnx.Constant {value = dense<8.000000e+00> : tensor<f32>}
// CHECK: %[[SUM:.*]] = onnx.ConvInteger %arg0
// CHECK: %[[SCALED:.*]] = onnx.Mul %{{.*}}, %[[FACTOR]]
// CHECK: onnx.QuantizeLinear %[[SCALED]], %[[ONE]]
func.func @qlinear_convolution(%x: tensor<1x1x4x4xui8>, %w: tensor<2x1x1x1xi8>) -> tensor<1x2x4x4xui8> {
  %none = onnx.None
  %s = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %t = onnx.Constant {value = dense<4.0> : tensor<f32>} : tensor<f32>
  %u = onnx.Constant {value = dense<0.25> : tensor<f32>} : tensor<f32>
  %z = onnx.Constant {value = dense<3> : tensor<ui8>} : tensor<ui8>
  %y = onnx.Constant {value = dense<0> : tensor<i8>} : tensor<i8>
  %0 = onnx.QLinearConv %x, %s, %z, %w, %t, %y, %u, %z, %none : (tensor<1x1x4x4xui8>, tensor<f32>, tensor<ui8>, tensor<2x1x1x1xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>, none) -> tensor<1x2x4x4xui8>
  return %0 : tensor<1x2x4x4xui8>
}

// Pooling chooses among bytes, and what it chose need not be quantised again.
// CHECK-LABEL: @pool_between_quantisations
// CHECK-NEXT: onnx.MaxPool %arg0 {{.*}} (tensor<1x2x4x4xi8>) -> (tensor<1x2x2x2xi8>, none)
// CHECK-NEXT: return
func.func @pool_between_quantisations(%x: tensor<1x2x4x4xi8>) -> tensor<1x2x2x2xi8> {
  %s = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %z = onnx.Constant {value = dense<3> : tensor<i8>} : tensor<i8>
  %0 = onnx.DequantizeLinear %x, %s, %z : (tensor<1x2x4x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2x4x4xf32>
  %1, %i = onnx.MaxPool %0 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x4x4xf32>) -> (tensor<1x2x2x2xf32>, none)
  %2 = onnx.QuantizeLinear %1, %s, %z : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2x2x2xi8>
  return %2 : tensor<1x2x2x2xi8>
}

// Signed activations become unsigned, with another zero point for everybody who reads them.
// CHECK-LABEL: @signs
// CHECK-COUNT-3: onnx.Constant {value = dense<125> : tensor<ui8>}
// CHECK: %[[Q:.*]] = onnx.QuantizeLinear %arg0, {{.*}} -> tensor<4x8xui8>
// CHECK: onnx.DequantizeLinear %[[Q]], {{.*}}, tensor<ui8>)
// CHECK: onnx.MatMulInteger %[[Q]], %arg1, {{.*}}, tensor<ui8>, none)
// SIGNED-LABEL: @signs
// SIGNED: onnx.QuantizeLinear {{.*}} -> tensor<4x8xi8>
func.func @signs(%x: tensor<4x8xf32>, %w: tensor<8x2xi8>) -> (tensor<4x8xf32>, tensor<4x2xi32>) {
  %none = onnx.None
  %s = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %z = onnx.Constant {value = dense<-3> : tensor<i8>} : tensor<i8>
  %0 = onnx.QuantizeLinear %x, %s, %z : (tensor<4x8xf32>, tensor<f32>, tensor<i8>) -> tensor<4x8xi8>
  %1 = onnx.DequantizeLinear %0, %s, %z : (tensor<4x8xi8>, tensor<f32>, tensor<i8>) -> tensor<4x8xf32>
  %2 = onnx.MatMulInteger %0, %w, %z, %none : (tensor<4x8xi8>, tensor<8x2xi8>, tensor<i8>, none) -> tensor<4x2xi32>
  return %1, %2 : tensor<4x8xf32>, tensor<4x2xi32>
}

// Who reads the bytes as they are wants those of the model.
// CHECK-LABEL: @signs_of_results_stay
// CHECK: onnx.QuantizeLinear {{.*}} -> tensor<4x8xi8>
func.func @signs_of_results_stay(%x: tensor<4x8xf32>, %w: tensor<8x2xi8>) -> (tensor<4x8xi8>, tensor<4x2xi32>) {
  %none = onnx.None
  %s = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %z = onnx.Constant {value = dense<-3> : tensor<i8>} : tensor<i8>
  %0 = onnx.QuantizeLinear %x, %s, %z : (tensor<4x8xf32>, tensor<f32>, tensor<i8>) -> tensor<4x8xi8>
  %1 = onnx.MatMulInteger %0, %w, %z, %none : (tensor<4x8xi8>, tensor<8x2xi8>, tensor<i8>, none) -> tensor<4x2xi32>
  return %0, %1 : tensor<4x8xi8>, tensor<4x2xi32>
}

// Scales known only at run time stay in floats.
// CHECK-LABEL: @unknown_scale
// CHECK: onnx.MatMul %
func.func @unknown_scale(%a: tensor<3x4xui8>, %b: tensor<4x5xui8>, %s: tensor<f32>) -> tensor<3x5xf32> {
  %none = onnx.None
  %0 = onnx.DequantizeLinear %a, %s, %none : (tensor<3x4xui8>, tensor<f32>, none) -> tensor<3x4xf32>
  %1 = onnx.DequantizeLinear %b, %s, %none : (tensor<4x5xui8>, tensor<f32>, none) -> tensor<4x5xf32>
  %2 = onnx.MatMul %0, %1 : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// Numbers of four bits with a scale for each block of a row stay packed, columns innermost. Signed ones are moved by 8, which is the zero point then.
// CHECK-LABEL: @blocks
// CHECK-DAG: %[[PACKED:.*]] = onnx.Constant {value = dense<153> : tensor<2x8x3xui8>}
// CHECK-DAG: %[[SCALES:.*]] = onnx.Constant {value = dense<5.000000e-01> : tensor<2x3xf32>}
// CHECK: onnx.BlockedMatMul %arg0, %[[PACKED]], %[[SCALES]], %{{.*}} {block_size = 16 : i64} : (tensor<5x32xf32>, tensor<2x8x3xui8>, tensor<2x3xf32>, none)
func.func @blocks(%arg0: tensor<5x32xf32>) -> tensor<5x3xf32> {
  %w = onnx.Constant {value = dense<1> : tensor<3x32xi4>} : tensor<3x32xi4>
  %s = onnx.Constant {value = dense<0.5> : tensor<3x2xf32>} : tensor<3x2xf32>
  %none = onnx.None
  %0 = onnx.DequantizeLinear %w, %s, %none {axis = 1 : i64, block_size = 16 : i64} : (tensor<3x32xi4>, tensor<3x2xf32>, none) -> tensor<3x32xf32>
  %1 = onnx.Transpose %0 {perm = array<i64: 1, 0>} : (tensor<3x32xf32>) -> tensor<32x3xf32>
  %2 = onnx.MatMul %arg0, %1 : (tensor<5x32xf32>, tensor<32x3xf32>) -> tensor<5x3xf32>
  return %2 : tensor<5x3xf32>
}

// Blocks that do not divide the rows do not become one.
// CHECK-LABEL: @uneven_blocks
// CHECK: onnx.MatMul
func.func @uneven_blocks(%arg0: tensor<5x24xf32>) -> tensor<5x3xf32> {
  %w = onnx.Constant {value = dense<1> : tensor<24x3xi4>} : tensor<24x3xi4>
  %s = onnx.Constant {value = dense<0.5> : tensor<2x3xf32>} : tensor<2x3xf32>
  %none = onnx.None
  %0 = onnx.DequantizeLinear %w, %s, %none {axis = 0 : i64, block_size = 16 : i64} : (tensor<24x3xi4>, tensor<2x3xf32>, none) -> tensor<24x3xf32>
  %1 = onnx.MatMul %arg0, %0 : (tensor<5x24xf32>, tensor<24x3xf32>) -> tensor<5x3xf32>
  return %1 : tensor<5x3xf32>
}

// Differences from the zero points that are signed bytes leave no zero point; others are moved to the sign that goes with the activation.
// VNNI-LABEL: @weights
// VNNI-DAG: %[[CENTRED:.*]] = onnx.Constant {value = dense<{{\[\[\[\[}}-90]], {{\[\[}}120]]], {{\[\[\[}}-107]], {{\[\[}}127]]]]> : tensor<2x2x1x1xi8>}
// VNNI-DAG: %[[MOVED:.*]] = onnx.Constant {value = dense<{{\[\[\[\[}}-128]], {{\[\[}}127]]], {{\[\[\[}}-108]], {{\[\[}}127]]]]> : tensor<2x2x1x1xi8>}
// VNNI-DAG: %[[ZEROS:.*]] = onnx.Constant {value = dense<[-28, -1]> : tensor<2xi8>}
// VNNI-DAG: onnx.ConvInteger %arg0, %[[CENTRED]], %arg1, %{{.*}}, tensor<ui8>, none)
// VNNI-DAG: onnx.ConvInteger %arg0, %[[MOVED]], %arg1, %[[ZEROS]]
// SIGNED-LABEL: @weights
// SIGNED-DAG: %[[CENTRED:.*]] = onnx.Constant {value = dense<{{\[\[\[\[}}38]], {{\[\[}}248]]], {{\[\[\[}}21]], {{\[\[}}255]]]]> : tensor<2x2x1x1xui8>}
// SIGNED-DAG: %[[ZERO:.*]] = onnx.Constant {value = dense<128> : tensor<ui8>}
// SIGNED: onnx.ConvInteger %arg0, %[[CENTRED]], %arg1, %[[ZERO]]
func.func @weights(%x: tensor<1x2x4x4xui8>, %z: tensor<ui8>) -> (tensor<1x2x4x4xi32>, tensor<1x2x4x4xi32>) {
  %w = onnx.Constant {value = dense<[[[[10]], [[220]]], [[[20]], [[254]]]]> : tensor<2x2x1x1xui8>} : tensor<2x2x1x1xui8>
  %y = onnx.Constant {value = dense<[100, 127]> : tensor<2xui8>} : tensor<2xui8>
  %v = onnx.Constant {value = dense<[[[[0]], [[255]]], [[[20]], [[255]]]]> : tensor<2x2x1x1xui8>} : tensor<2x2x1x1xui8>
  %0 = onnx.ConvInteger %x, %w, %z, %y : (tensor<1x2x4x4xui8>, tensor<2x2x1x1xui8>, tensor<ui8>, tensor<2xui8>) -> tensor<1x2x4x4xi32>
  %1 = onnx.ConvInteger %x, %v, %z, %y : (tensor<1x2x4x4xui8>, tensor<2x2x1x1xui8>, tensor<ui8>, tensor<2xui8>) -> tensor<1x2x4x4xi32>
  return %0, %1 : tensor<1x2x4x4xi32>, tensor<1x2x4x4xi32>
}

// VNNI-LABEL: @weights_of_signed_activations
// VNNI: onnx.MatMulInteger {{.*}} (tensor<3x2xi8>, tensor<2x2xui8>, none, none)
// SIGNED-LABEL: @weights_of_signed_activations
// SIGNED: %[[ZERO:.*]] = onnx.Constant {value = dense<-128> : tensor<i8>}
// SIGNED: onnx.MatMulInteger %arg0, %{{.*}}, %{{.*}}, %[[ZERO]] : (tensor<3x2xi8>, tensor<2x2xi8>, none, tensor<i8>)
func.func @weights_of_signed_activations(%x: tensor<3x2xi8>) -> tensor<3x2xi32> {
  %none = onnx.None
  %w = onnx.Constant {value = dense<[[0, 255], [1, 2]]> : tensor<2x2xui8>} : tensor<2x2xui8>
  %0 = onnx.MatMulInteger %x, %w, %none, %none : (tensor<3x2xi8>, tensor<2x2xui8>, none, none) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// Zero points of grouped weights stay in the sums, where bytes would be multiplied as 32 bits.
// CHECK-LABEL: @groups_around_a_zero_point
// CHECK: onnx.Conv %
func.func @groups_around_a_zero_point(%x: tensor<1x2x4xui8>) -> tensor<1x2x4xf32> {
  %none = onnx.None
  %s = onnx.Constant {value = dense<0.5> : tensor<f32>} : tensor<f32>
  %z = onnx.Constant {value = dense<100> : tensor<ui8>} : tensor<ui8>
  %w = onnx.Constant {value = dense<[[[0]], [[255]]]> : tensor<2x1x1xui8>} : tensor<2x1x1xui8>
  %0 = onnx.DequantizeLinear %x, %s, %none : (tensor<1x2x4xui8>, tensor<f32>, none) -> tensor<1x2x4xf32>
  %1 = onnx.DequantizeLinear %w, %s, %z : (tensor<2x1x1xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x1x1xf32>
  %2 = onnx.Conv %0, %1, %none {group = 2 : i64} : (tensor<1x2x4xf32>, tensor<2x1x1xf32>, none) -> tensor<1x2x4xf32>
  return %2 : tensor<1x2x4xf32>
}
