// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-DAG: #[[RIGHT:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[BATCH:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d1, d4, d3)>

// CHECK-LABEL: task.def @gemm
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[RIGHT]], #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: linalg.generic
// CHECK: arith.constant 5.000000e-01
// CHECK: arith.mulf
// CHECK: arith.addf
task.def @gemm(%a: tensor<4x8xf32>, %w: tensor<16x8xf32>, %c: tensor<16xf32>) -> tensor<4x16xf32> {
  %0 = onnx.Gemm %a, %w, %c {transB = 1 : i64, alpha = 0.5 : f32} : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  task.return %0 : tensor<4x16xf32>
}

// CHECK-LABEL: task.def @matmul
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[BATCH]], #{{.*}}]
task.def @matmul(%a: tensor<2x3x4x8xf32>, %w: tensor<3x8x16xf32>) -> tensor<2x3x4x16xf32> {
  %0 = onnx.MatMul %a, %w : (tensor<2x3x4x8xf32>, tensor<3x8x16xf32>) -> tensor<2x3x4x16xf32>
  task.return %0 : tensor<2x3x4x16xf32>
}

// CHECK-LABEL: task.def @einsum
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]
task.def @einsum(%x: tensor<2x3x4xf32>, %y: tensor<2x5x4xf32>) -> tensor<2x3x5xf32> {
  %0 = onnx.Einsum %x, %y {equation = "bij, bkj -> bik"} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
  task.return %0 : tensor<2x3x5xf32>
}
