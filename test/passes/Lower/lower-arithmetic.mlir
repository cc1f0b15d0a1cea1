// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-LABEL: task.def @logic
// CHECK: arith.andi {{.*}} : i1
// CHECK: arith.ori {{.*}} : i1
// CHECK: arith.xori {{.*}} : i1
// CHECK: arith.andi {{.*}} : i32
// CHECK: arith.ori {{.*}} : i32
// CHECK: arith.xori {{.*}} : i32
task.def @logic(%a: tensor<8xi1>, %b: tensor<8xi1>, %i: tensor<8xi32>, %j: tensor<8xui32>) -> (tensor<8xi1>, tensor<8xi32>, tensor<8xui32>) {
  %0 = onnx.And %a, %b : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
  %1 = onnx.Or %0, %b : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
  %2 = onnx.Xor %1, %b : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
  %3 = onnx.BitwiseAnd %i, %i : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %4 = onnx.BitwiseOr %3, %i : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %5 = onnx.BitwiseXor %j, %j : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xui32>
  task.return %2, %4, %5 : tensor<8xi1>, tensor<8xi32>, tensor<8xui32>
}

// The sign of integers is that of the operands' type.
// CHECK-LABEL: task.def @comparison
// CHECK: arith.cmpf ogt
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi ult
// CHECK: arith.cmpf ole
task.def @comparison(%x: tensor<2x8xf32>, %y: tensor<8xf32>, %i: tensor<8xi32>, %u: tensor<8xui32>)
    -> (tensor<2x8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<2x8xi1>) {
  %0 = onnx.Greater %x, %y : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xi1>
  %1 = onnx.GreaterOrEqual %i, %i : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
  %2 = onnx.Less %u, %u : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
  %3 = onnx.LessOrEqual %y, %x : (tensor<8xf32>, tensor<2x8xf32>) -> tensor<2x8xi1>
  task.return %0, %1, %2, %3 : tensor<2x8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<2x8xi1>
}

// The rest has the sign of the divisor, but for fmod. No division by zero, and none of the least number by -1.
// CHECK-LABEL: task.def @mod
// CHECK: %[[SAFE:.*]] = arith.select
// CHECK: %[[REST:.*]] = arith.remsi %{{.*}}, %[[SAFE]]
// CHECK: %[[MOVED:.*]] = arith.addi %[[REST]], %
// CHECK: arith.select %{{.*}}, %[[MOVED]], %[[REST]]
// CHECK: arith.remf
task.def @mod(%i: tensor<8xi32>, %j: tensor<8xi32>, %x: tensor<8xf32>) -> (tensor<8xi32>, tensor<8xf32>) {
  %0 = onnx.Mod %i, %j : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %1 = onnx.Mod %x, %x {fmod = 1 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  task.return %0, %1 : tensor<8xi32>, tensor<8xf32>
}

// Bits that are shifted further than the type is wide are gone.
// CHECK-LABEL: task.def @bit_shift
// CHECK: %[[MOST:.*]] = arith.constant 7 : i8
// CHECK: %[[BY:.*]] = arith.minui %[[AMOUNT:.*]], %[[MOST]]
// CHECK: %[[SHIFTED:.*]] = arith.shrui %{{.*}}, %[[BY]]
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[AMOUNT]], %[[MOST]]
// CHECK: arith.select %[[FITS]], %[[SHIFTED]], %
// CHECK: arith.shli
task.def @bit_shift(%i: tensor<8xui8>, %j: tensor<8xui8>) -> (tensor<8xui8>, tensor<8xui8>) {
  %0 = onnx.BitShift %i, %j {direction = "RIGHT"} : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xui8>
  %1 = onnx.BitShift %i, %j {direction = "LEFT"} : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xui8>
  task.return %0, %1 : tensor<8xui8>, tensor<8xui8>
}

// CHECK-LABEL: task.def @prelu
// CHECK: %[[NEGATIVE:.*]] = arith.cmpf olt, %[[IN:.*]], %
// CHECK: %[[BENT:.*]] = arith.mulf %[[IN]]
// CHECK: arith.select %[[NEGATIVE]], %[[BENT]], %[[IN]]
task.def @prelu(%x: tensor<2x8xf32>, %slope: tensor<8xf32>) -> tensor<2x8xf32> {
  %0 = onnx.PRelu %x, %slope : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  task.return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: task.def @mean
// CHECK: arith.addf
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: %[[COUNT:.*]] = arith.constant 3.000000e+00
// CHECK: arith.divf %[[SUM]], %[[COUNT]]
task.def @mean(%x: tensor<2x8xf32>, %y: tensor<8xf32>) -> tensor<2x8xf32> {
  %0 = onnx.Mean %x, %y, %y : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  task.return %0 : tensor<2x8xf32>
}
