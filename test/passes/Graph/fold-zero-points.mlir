// RUN: cameo-opt %s --fold-zero-points | FileCheck %s

// -3 * (1 + 2) and -3 * (-5 + 1), one number per channel, which come last here.
// CHECK-LABEL: @convolution
// CHECK-DAG: %[[NUMBERS:.*]] = onnx.Constant {value = dense<[-9, 12]> : tensor<2xi32>}
// CHECK-DAG: %[[NONE:.*]] = onnx.None
// CHECK: %[[SUM:.*]] = onnx.ConvInteger %arg0, %{{.*}}, %[[NONE]], %[[NONE]] {channels_last}
// CHECK: onnx.Add %[[SUM]], %[[NUMBERS]]
func.func @convolution(%x: tensor<1x4x2xui8>) -> tensor<1x4x2xi32> {
  %none = onnx.None
  %z = onnx.Constant {value = dense<3> : tensor<ui8>} : tensor<ui8>
  %w = onnx.Constant {value = dense<[[[1], [2]], [[-5], [1]]]> : tensor<2x2x1xi8>} : tensor<2x2x1xi8>
  %0 = onnx.ConvInteger %x, %w, %z, %none {channels_last} : (tensor<1x4x2xui8>, tensor<2x2x1xi8>, tensor<ui8>, none) -> tensor<1x4x2xi32>
  return %0 : tensor<1x4x2xi32>
}

// CHECK-LABEL: @no_columns
// CHECK-NEXT: onnx.Constant {value = dense<> : tensor<2x0xi32>}
func.func @no_columns(%x: tensor<2x3xui8>) -> tensor<2x0xi32> {
  %none = onnx.None
  %z = onnx.Constant {value = dense<3> : tensor<ui8>} : tensor<ui8>
  %c = onnx.Constant {value = dense<> : tensor<3x0xi8>} : tensor<3x0xi8>
  %0 = onnx.MatMulInteger %x, %c, %z, %none : (tensor<2x3xui8>, tensor<3x0xi8>, tensor<ui8>, none) -> tensor<2x0xi32>
  return %0 : tensor<2x0xi32>
}

// CHECK-LABEL: @padding_with_a_zero_point_stays
// CHECK: onnx.ConvInteger %arg0, %{{.*}}, %{{.*}}, %{{.*}} {pads = array<i64: 1, 1>}
// CHECK-NOT: onnx.Add
func.func @padding_with_a_zero_point_stays(%x: tensor<1x2x4xui8>) -> tensor<1x2x6xi32> {
  %none = onnx.None
  %z = onnx.Constant {value = dense<3> : tensor<ui8>} : tensor<ui8>
  %w = onnx.Constant {value = dense<[[[1], [2]], [[-5], [1]]]> : tensor<2x2x1xi8>} : tensor<2x2x1xi8>
  %0 = onnx.ConvInteger %x, %w, %z, %none {pads = array<i64: 1, 1>} : (tensor<1x2x4xui8>, tensor<2x2x1xi8>, tensor<ui8>, none) -> tensor<1x2x6xi32>
  return %0 : tensor<1x2x6xi32>
}

// The zero point of dynamic quantisation is known at run time, the sums of constant weights at compile time.
// CHECK-LABEL: @dynamic_zero_point
// CHECK-DAG: %[[SUMS:.*]] = onnx.Constant {value = dense<[-4, -6]> : tensor<2xi32>}
// CHECK: %[[SUM:.*]] = onnx.MatMulInteger %arg0
// CHECK: %[[ZERO:.*]] = onnx.Cast %arg1
// CHECK: %[[ADDEND:.*]] = onnx.Mul %[[SUMS]], %[[ZERO]]
// CHECK: onnx.Add %[[SUM]], %[[ADDEND]]
func.func @dynamic_zero_point(%a: tensor<3x2xui8>, %z: tensor<ui8>) -> tensor<3x2xi32> {
  %none = onnx.None
  %b = onnx.Constant {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>} : tensor<2x2xi8>
  %0 = onnx.MatMulInteger %a, %b, %z, %none : (tensor<3x2xui8>, tensor<2x2xi8>, tensor<ui8>, none) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// CHECK-LABEL: @two_activations
// CHECK: %[[LENGTH:.*]] = onnx.Constant {value = dense<4> : tensor<i32>}
// CHECK: onnx.MatMulInteger %arg0, %arg1
// CHECK: onnx.ReduceSum {{.*}} -> tensor<1x2xi32>
// CHECK: onnx.ReduceSum {{.*}} -> tensor<3x1xi32>
// CHECK: onnx.Mul %{{.*}}, %[[LENGTH]]
func.func @two_activations(%a: tensor<3x4xui8>, %b: tensor<4x2xi8>, %z: tensor<ui8>, %y: tensor<i8>) -> tensor<3x2xi32> {
  %0 = onnx.MatMulInteger %a, %b, %z, %y : (tensor<3x4xui8>, tensor<4x2xi8>, tensor<ui8>, tensor<i8>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// How many rows there are may be open; sums of rows keep the name.
// CHECK-LABEL: @open_rows
// CHECK: onnx.MatMulInteger %arg0, %arg1, %[[NONE:.*]], %[[NONE]]
// CHECK: onnx.ReduceSum {{.*}} -> tensor<1x?xi32, #onnx.dims<["", "m"]>>
// CHECK: onnx.ReduceSum {{.*}} -> tensor<?x1xi32, #onnx.dims<["n", ""]>>
func.func @open_rows(%a: tensor<?x2xui8, #onnx.dims<["n", ""]>>, %b: tensor<2x?xi8, #onnx.dims<["", "m"]>>, %y: tensor<ui8>, %z: tensor<i8>) -> tensor<?x?xi32, #onnx.dims<["n", "m"]>> {
  %0 = onnx.MatMulInteger %a, %b, %y, %z : (tensor<?x2xui8, #onnx.dims<["n", ""]>>, tensor<2x?xi8, #onnx.dims<["", "m"]>>, tensor<ui8>, tensor<i8>) -> tensor<?x?xi32, #onnx.dims<["n", "m"]>>
  return %0 : tensor<?x?xi32, #onnx.dims<["n", "m"]>>
}
