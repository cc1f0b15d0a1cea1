// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-LABEL: task.def @quant
// CHECK: math.roundeven
// CHECK: arith.uitofp
// CHECK: arith.fptoui
// CHECK: arith.extui
// CHECK: arith.subi
// CHECK: arith.sitofp
task.def @quant(%x: tensor<4x6xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> (tensor<4x6xui8>, tensor<4x6xf32>) {
  %0 = onnx.QuantizeLinear %x, %s, %z : (tensor<4x6xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x6xui8>
  %1 = onnx.DequantizeLinear %0, %s, %z : (tensor<4x6xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x6xf32>
  task.return %0, %1 : tensor<4x6xui8>, tensor<4x6xf32>
}

// Zero is within the range, so that it has a number of its own; an empty range has scale 1. One pass finds both ends, of numbers.
// CHECK-LABEL: task.def @range_of_the_run
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[START:.*]] = linalg.fill ins(%[[ZERO]]
// CHECK: linalg.generic {{.*}} outs(%[[START]], %[[START]] :
// CHECK: arith.minimumf {{.*}} fastmath<nnan>
// CHECK: arith.maximumf {{.*}} fastmath<nnan>
// CHECK: linalg.yield
// CHECK: %[[EMPTY:.*]] = arith.cmpf oeq
// CHECK: arith.select %[[EMPTY]]
// CHECK: math.roundeven
// CHECK: arith.fptoui {{.*}} to i8
// CHECK: arith.fptoui {{.*}} to i8
task.def @range_of_the_run(%x: tensor<2x8xf32>) -> (tensor<2x8xui8>, tensor<f32>, tensor<ui8>) {
  %0:3 = onnx.DynamicQuantizeLinear %x : (tensor<2x8xf32>) -> (tensor<2x8xui8>, tensor<f32>, tensor<ui8>)
  task.return %0#0, %0#1, %0#2 : tensor<2x8xui8>, tensor<f32>, tensor<ui8>
}

// Both numbers of a byte are taken out of it in registers, for as many rows as there are: the low one is masked, and the byte as it is has the high one with it,
// which the factor of the low one takes off again.
// CHECK-LABEL: task.def @packed
// CHECK: %[[LOW:.*]] = linalg.generic
// CHECK: arith.constant 6.250000e-02
// CHECK: arith.subf
// CHECK: %[[HIGH:.*]] = linalg.generic
// CHECK: %[[SHIFT:.*]] = linalg.generic
// CHECK: arith.constant -8.000000e+00
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK-SAME: ins({{.*}}, %[[SHIFT]], %[[LOW]], %[[HIGH]] :
// CHECK: %[[BYTE:.*]] = arith.extui {{.*}} : i8 to i32
// CHECK: arith.andi %[[BYTE]]
// CHECK: arith.sitofp %[[BYTE]]
task.def @packed(%a: tensor<3x64xf32>, %b: tensor<2x16x5xui8>, %s: tensor<2x5xf16>) -> tensor<3x5xf32> {
  %none = onnx.None
  %0 = onnx.BlockedMatMul %a, %b, %s, %none : (tensor<3x64xf32>, tensor<2x16x5xui8>, tensor<2x5xf16>, none) -> tensor<3x5xf32>
  task.return %0 : tensor<3x5xf32>
}
