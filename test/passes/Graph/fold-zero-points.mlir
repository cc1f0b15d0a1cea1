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

// zw (sum x - n zx): sums over channels first, then over the window, whose parts end before the last taps.
// CHECK-LABEL: @weights_with_zero_points
// CHECK-DAG: %[[ZEROS:.*]] = onnx.Constant {value = dense<[10, 20]> : tensor<2xi32>}
// CHECK-DAG: %[[LENGTH:.*]] = onnx.Constant {value = dense<4> : tensor<i32>}
// CHECK-DAG: %[[FIRST:.*]] = onnx.Constant {value = dense<0> : tensor<1xi64>}
// CHECK-DAG: %[[SECOND:.*]] = onnx.Constant {value = dense<1> : tensor<1xi64>}
// CHECK-DAG: %[[BEFORE_LAST:.*]] = onnx.Constant {value = dense<-1> : tensor<1xi64>}
// CHECK-DAG: %[[ALL:.*]] = onnx.Constant {value = dense<9223372036854775807> : tensor<1xi64>}
// CHECK: %[[SUM:.*]] = onnx.ConvInteger
// CHECK: %[[WITHOUT_ZX:.*]] = onnx.Add %[[SUM]]
// CHECK: %[[CHANNELS:.*]] = onnx.ReduceSum {{.*}} -> tensor<1x4x4x1xi32>
// CHECK: %[[ROWS:.*]] = onnx.Slice %[[CHANNELS]], %[[FIRST]], %[[ALL]], {{.*}} -> tensor<1x2x4x1xi32>
// CHECK: %[[LEFT:.*]] = onnx.Slice %[[ROWS]], %[[FIRST]], %[[BEFORE_LAST]], {{.*}} -> tensor<1x2x3x1xi32>
// CHECK: %[[RIGHT:.*]] = onnx.Slice %[[ROWS]], %[[SECOND]], %[[ALL]], {{.*}} -> tensor<1x2x3x1xi32>
// CHECK: %[[WINDOWS:.*]] = onnx.Add %[[LEFT]], %[[RIGHT]]
// CHECK: onnx.Mul %{{.*}}, %[[LENGTH]]
// CHECK: %[[CENTRED:.*]] = onnx.Sub %[[WINDOWS]]
// CHECK: %[[PRODUCT:.*]] = onnx.Mul %[[CENTRED]], %[[ZEROS]]
// CHECK: onnx.Sub %[[WITHOUT_ZX]], %[[PRODUCT]]
func.func @weights_with_zero_points(%x: tensor<1x4x4x2xui8>, %z: tensor<ui8>) -> tensor<1x2x3x2xi32> {
  %w = onnx.Constant {value = dense<[[[[1, 2]], [[3, 4]]], [[[5, 6]], [[7, 8]]]]> : tensor<2x2x1x2xi8>} : tensor<2x2x1x2xi8>
  %y = onnx.Constant {value = dense<[10, 20]> : tensor<2xi8>} : tensor<2xi8>
  %0 = onnx.ConvInteger %x, %w, %z, %y {channels_last, strides = array<i64: 2, 1>} : (tensor<1x4x4x2xui8>, tensor<2x2x1x2xi8>, tensor<ui8>, tensor<2xi8>) -> tensor<1x2x3x2xi32>
  return %0 : tensor<1x2x3x2xi32>
}

// CHECK-LABEL: @groups_keep_zero_points_of_weights
// CHECK: onnx.ConvInteger {{.*}}, none, tensor<i8>)
func.func @groups_keep_zero_points_of_weights(%x: tensor<1x4x2xui8>) -> tensor<1x4x2xi32> {
  %none = onnx.None
  %w = onnx.Constant {value = dense<1> : tensor<2x1x1xi8>} : tensor<2x1x1xi8>
  %y = onnx.Constant {value = dense<10> : tensor<i8>} : tensor<i8>
  %0 = onnx.ConvInteger %x, %w, %none, %y {channels_last, group = 2 : i64} : (tensor<1x4x2xui8>, tensor<2x1x1xi8>, none, tensor<i8>) -> tensor<1x4x2xi32>
  return %0 : tensor<1x4x2xi32>
}

// CHECK-LABEL: @a_zero_point_per_column
// CHECK: %[[SUM:.*]] = onnx.MatMulInteger {{.*}}, none, none)
// CHECK: %[[ROWS:.*]] = onnx.ReduceSum {{.*}} -> tensor<3x1xi32>
// CHECK: %[[ZEROS:.*]] = onnx.Cast %arg1
// CHECK: %[[PRODUCT:.*]] = onnx.Mul %[[ROWS]], %[[ZEROS]]
// CHECK: onnx.Sub %[[SUM]], %[[PRODUCT]]
func.func @a_zero_point_per_column(%a: tensor<3x2xui8>, %y: tensor<2xi8>) -> tensor<3x2xi32> {
  %none = onnx.None
  %b = onnx.Constant {value = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>} : tensor<2x2xi8>
  %0 = onnx.MatMulInteger %a, %b, %none, %y : (tensor<3x2xui8>, tensor<2x2xi8>, none, tensor<2xi8>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}
