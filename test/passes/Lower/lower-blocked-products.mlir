// RUN: cameo-opt %s --split-input-file --attach-target=machine=byte_products=vnni --lower-to-linalg | FileCheck %s --check-prefixes=CHECK,BYTES
// RUN: cameo-opt %s --split-input-file --attach-target=machine=byte_products=none --lower-to-linalg | FileCheck %s --check-prefixes=CHECK,FLOATS

// Of each block of a row the largest number is 127 steps; bytes meet numbers that the two parts of a byte do, part by part. The first byte of a block takes off what the zero point does.
// Processors without products of bytes multiply the rounded numbers as floats.
// CHECK-LABEL: @rounded
// BYTES: math.absf
// BYTES: arith.divf %{{.*}}, %cst{{.*}} : f32
// BYTES: math.roundeven
// BYTES: arith.muli %{{.*}}, %c-8_i32 : i32
// BYTES: linalg.generic
// BYTES-SAME: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// BYTES: %[[BYTE:.*]] = arith.extui %{{.*}} : i8 to i32
// BYTES: %[[PLACE:.*]] = linalg.index 3
// BYTES: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[PLACE]], %{{.*}} : index
// BYTES: arith.select %[[IS_FIRST]], %{{.*}}, %{{.*}} : i32
// BYTES: %[[LOW:.*]] = arith.andi %[[BYTE]], %{{.*}} : i32
// BYTES: arith.muli %[[LOW]], %{{.*}} : i32
// BYTES: %[[HIGH:.*]] = arith.shrui %[[BYTE]], %{{.*}} : i32
// BYTES: arith.muli %[[HIGH]], %{{.*}} : i32
// BYTES: %[[SUM:.*]] = arith.addi
// BYTES: arith.sitofp %[[SUM]] : i32 to f32
// FLOATS: %[[ROUNDED:.*]] = math.roundeven
// FLOATS: arith.mulf %[[ROUNDED]]
// FLOATS-NOT: arith.sitofp %{{.*}} : i8
task.def @rounded(%a: tensor<3x64xf32>, %b: tensor<2x16x5xui8>, %s: tensor<2x5xf16>) -> tensor<3x5xf32> {
  %none = onnx.None
  %0 = onnx.BlockedMatMul %a, %b, %s, %none {accuracy_level = 4 : i64} : (tensor<3x64xf32>, tensor<2x16x5xui8>, tensor<2x5xf16>, none) -> tensor<3x5xf32>
  task.return %0 : tensor<3x5xf32>
}

// -----

// Where the model does not allow it, and where zero points are floats, nothing is rounded.
// CHECK-LABEL: @exact
// CHECK-NOT: math.roundeven
task.def @exact(%a: tensor<3x64xf32>, %b: tensor<2x16x5xui8>, %s: tensor<2x5xf32>, %z: tensor<2x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %none = onnx.None
  %0 = onnx.BlockedMatMul %a, %b, %s, %none {accuracy_level = 1 : i64} : (tensor<3x64xf32>, tensor<2x16x5xui8>, tensor<2x5xf32>, none) -> tensor<3x5xf32>
  %1 = onnx.BlockedMatMul %a, %b, %s, %z {accuracy_level = 4 : i64} : (tensor<3x64xf32>, tensor<2x16x5xui8>, tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<3x5xf32>
  task.return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
}
