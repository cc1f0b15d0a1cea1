// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// Narrow elements are bytes, which conversions decode by shifting bits to where f32 has them.
// CHECK-LABEL: task.def @float8
// CHECK-SAME: tensor<4xi8>
// CHECK: arith.extui {{.*}} : i8 to i32
// CHECK: arith.shli
// CHECK: arith.bitcast {{.*}} : i32 to f32
task.def @float8(%x: tensor<4xf8E4M3FN>) -> tensor<4xf32> {
  %0 = onnx.Cast %x {to = 1 : i64} : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  task.return %0 : tensor<4xf32>
}

// CHECK-LABEL: task.def @int4
// CHECK: math.roundeven
// CHECK: arith.andi {{.*}} : i8
// CHECK: linalg.generic
// CHECK: arith.shrsi
task.def @int4(%x: tensor<4xf32>) -> (tensor<4xi4>, tensor<4xi8>) {
  %0 = onnx.Cast %x {to = 22 : i64} : (tensor<4xf32>) -> tensor<4xi4>
  %1 = onnx.Cast %0 {to = 3 : i64} : (tensor<4xi4>) -> tensor<4xi8>
  task.return %0, %1 : tensor<4xi4>, tensor<4xi8>
}

// CHECK-LABEL: task.def @tells_nan
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<4xi8>)
// CHECK: arith.cmpf uno, {{.*}} : f32
task.def @tells_nan(%x: tensor<4xf8E5M2>) -> tensor<4xi1> {
  %0 = onnx.IsNaN %x : (tensor<4xf8E5M2>) -> tensor<4xi1>
  task.return %0 : tensor<4xi1>
}

// CHECK-LABEL: task.def @moves_bytes
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<2x3xi8>)
task.def @moves_bytes(%x: tensor<2x3xf4E2M1FN>) -> tensor<3x2xf4E2M1FN> {
  %0 = onnx.Transpose %x {perm = array<i64: 1, 0>} : (tensor<2x3xf4E2M1FN>) -> tensor<3x2xf4E2M1FN>
  task.return %0 : tensor<3x2xf4E2M1FN>
}

// Products of float8 are summed in f32.
// CHECK-LABEL: task.def @multiplies_float8
// CHECK-COUNT-2: linalg.generic {{.*}} outs(%{{.*}} : tensor<{{[0-9x]*}}xf32>)
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x4xi8>)
task.def @multiplies_float8(%a: tensor<2x3xf8E4M3FN>, %b: tensor<3x4xf8E4M3FN>, %s: tensor<f32>, %z: tensor<f8E4M3FN>) -> tensor<2x4xf8E4M3FN> {
  %0 = onnx.QLinearMatMul %a, %s, %z, %b, %s, %z, %s, %z
      : (tensor<2x3xf8E4M3FN>, tensor<f32>, tensor<f8E4M3FN>, tensor<3x4xf8E4M3FN>, tensor<f32>, tensor<f8E4M3FN>, tensor<f32>, tensor<f8E4M3FN>) -> tensor<2x4xf8E4M3FN>
  task.return %0 : tensor<2x4xf8E4M3FN>
}
