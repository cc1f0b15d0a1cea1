// RUN: cameo-opt %s --lower-to-linalg --split-input-file | FileCheck %s

// Batches broadcast; loops are batches, m, n, k.
//   CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
//   CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (0, d4, d3)>
// CHECK-LABEL: task.def @batches
//       CHECK:   linalg.generic {indexing_maps = [#[[A]], #[[B]], #{{.*}}]
task.def @batches(%a: tensor<2x3x4x5xf32>, %b: tensor<1x5x6xf32>) -> tensor<2x3x4x6xf32> {
  %0 = onnx.MatMul %a, %b : (tensor<2x3x4x5xf32>, tensor<1x5x6xf32>) -> tensor<2x3x4x6xf32>
  task.return %0 : tensor<2x3x4x6xf32>
}

// -----

//   CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1) -> (d1)>
//   CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: task.def @vector
//       CHECK:   linalg.generic {indexing_maps = [#[[A]], #[[B]], #{{.*}}]
task.def @vector(%a: tensor<5xf32>, %b: tensor<5x6xf32>) -> tensor<6xf32> {
  %0 = onnx.MatMul %a, %b : (tensor<5xf32>, tensor<5x6xf32>) -> tensor<6xf32>
  task.return %0 : tensor<6xf32>
}

// -----

//   CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
//   CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: task.def @gemm
//       CHECK:   linalg.generic {indexing_maps = [#[[A]], #[[B]], #{{.*}}]
//       CHECK:   linalg.generic
//       CHECK:     %[[P:.*]] = arith.mulf
//       CHECK:     arith.addf %[[P]]
task.def @gemm(%a: tensor<5x4xf32>, %b: tensor<6x5xf32>, %c: tensor<6xf32>) -> tensor<4x6xf32> {
  %0 = onnx.Gemm %a, %b, %c {alpha = 0.5 : f32, transA = 1 : i64, transB = 1 : i64}
    : (tensor<5x4xf32>, tensor<6x5xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  task.return %0 : tensor<4x6xf32>
}

// -----

// Every letter is a loop, the output's first.
//   CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
//   CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-LABEL: task.def @einsum
//       CHECK:   linalg.generic {indexing_maps = [#[[A]], #[[B]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]
task.def @einsum(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %0 = onnx.Einsum %a, %b {equation = "bij, bjk -> bik"} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  task.return %0 : tensor<2x3x5xf32>
}

// -----

// The left factor is converted once, and not where it is multiplied; weights are.
// CHECK-LABEL: task.def @half
//       CHECK:   %[[LEFT:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<4x5xf16>) outs({{.*}} : tensor<4x5xf32>)
//       CHECK:     arith.extf
//       CHECK:   linalg.generic {{.*}} ins(%[[LEFT]], %arg1 : tensor<4x5xf32>, tensor<5x6xf16>) outs({{.*}} : tensor<4x6xf32>)
//       CHECK:     arith.extf
//   CHECK-NOT:     arith.extf
//       CHECK:     arith.mulf
task.def @half(%a: tensor<4x5xf16>, %b: tensor<5x6xf16>) -> tensor<4x6xf16> {
  %0 = onnx.MatMul %a, %b : (tensor<4x5xf16>, tensor<5x6xf16>) -> tensor<4x6xf16>
  task.return %0 : tensor<4x6xf16>
}

// -----

// So it is in Gemm.
// CHECK-LABEL: task.def @half_gemm
//       CHECK:   %[[LEFT:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<4x5xf16>) outs({{.*}} : tensor<4x5xf32>)
//       CHECK:   linalg.generic {{.*}} ins(%[[LEFT]], %arg1 : tensor<4x5xf32>, tensor<5x6xf16>) outs({{.*}} : tensor<4x6xf32>)
task.def @half_gemm(%a: tensor<4x5xf16>, %b: tensor<5x6xf16>) -> tensor<4x6xf16> {
  %none = onnx.None
  %0 = onnx.Gemm %a, %b, %none : (tensor<4x5xf16>, tensor<5x6xf16>, none) -> tensor<4x6xf16>
  task.return %0 : tensor<4x6xf16>
}

// -----

// With one column each element is multiplied once.
// CHECK-LABEL: task.def @half_column
//       CHECK:   linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<4x5xf16>, tensor<5x1xf16>) outs({{.*}} : tensor<4x1xf32>)
task.def @half_column(%a: tensor<4x5xf16>, %b: tensor<5x1xf16>) -> tensor<4x1xf16> {
  %none = onnx.None
  %0 = onnx.Gemm %a, %b, %none : (tensor<4x5xf16>, tensor<5x1xf16>, none) -> tensor<4x1xf16>
  task.return %0 : tensor<4x1xf16>
}

// -----

// Elimination, one column after the other, beyond what minors are worth.
// CHECK-LABEL: task.def @determinant
// CHECK: scf.for {{.*}} iter_args
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK: math.absf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]}
// CHECK: arith.divf
task.def @determinant(%x: tensor<2x5x5xf32>) -> tensor<2xf32> {
  %0 = onnx.Det %x : (tensor<2x5x5xf32>) -> tensor<2xf32>
  task.return %0 : tensor<2xf32>
}
