// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-LABEL: task.def @filled
// CHECK: %[[VALUE:.*]] = arith.constant 7 : i32
// CHECK: linalg.fill ins(%[[VALUE]] : i32)
task.def @filled() -> tensor<2x3xi32> {
  %shape = onnx.Constant {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.ConstantOfShape %shape {value = dense<7> : tensor<1xi32>} : (tensor<2xi64>) -> tensor<2x3xi32>
  task.return %0 : tensor<2x3xi32>
}

// The number at a place, not the sum of all steps before.
// CHECK-LABEL: task.def @range
// CHECK: linalg.index 0
// CHECK: %[[WAY:.*]] = arith.mulf
// CHECK: arith.addf %{{.*}}, %[[WAY]]
task.def @range(%start: tensor<f32>, %step: tensor<f32>) -> tensor<10xf32> {
  %limit = onnx.Constant {value = dense<10.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Range %start, %limit, %step : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<10xf32>
  task.return %0 : tensor<10xf32>
}

// A category below zero counts from the end.
// CHECK-LABEL: task.def @one_hot
// CHECK: arith.cmpi slt
// CHECK: %[[FROM_END:.*]] = arith.addi
// CHECK: arith.select %{{.*}}, %[[FROM_END]]
// CHECK: linalg.index 1
// CHECK: %[[IS:.*]] = arith.cmpi eq
// CHECK: arith.select %[[IS]]
task.def @one_hot(%i: tensor<3xi64>, %values: tensor<2xf32>) -> tensor<3x5xf32> {
  %depth = onnx.Constant {value = dense<5> : tensor<i64>} : tensor<i64>
  %0 = onnx.OneHot %i, %depth, %values : (tensor<3xi64>, tensor<i64>, tensor<2xf32>) -> tensor<3x5xf32>
  task.return %0 : tensor<3x5xf32>
}

// CHECK-LABEL: task.def @triangles
// CHECK: arith.cmpi sge
// CHECK: arith.select
// CHECK: arith.cmpi sle
// CHECK: arith.select
task.def @triangles(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %none = onnx.None
  %0 = onnx.Trilu %x, %none : (tensor<4x4xf32>, none) -> tensor<4x4xf32>
  %1 = onnx.Trilu %0, %none {upper = 0 : i64} : (tensor<4x4xf32>, none) -> tensor<4x4xf32>
  task.return %1 : tensor<4x4xf32>
}
