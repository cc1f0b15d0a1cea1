// RUN: cameo-opt %s --build-loops | FileCheck %s

#all = affine_map<(m, k) -> (m, k)>
#kept = affine_map<(m, k) -> (m)>
#row = affine_map<(m) -> (m)>
#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#product = affine_map<(m, n, k) -> (m, n)>

// A sum of one term is no reduction, and what follows it uses the term.
// CHECK-LABEL: task.def @sum_of_one(
//   CHECK-NOT:   loop.reduce
//       CHECK:   loop.nest "nest0" (%d0: 64) {
//   CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.0
//   CHECK-DAG:     %[[X:.*]] = loop.load %in0[%d0]
//       CHECK:     %[[SUM:.*]] = arith.addf %[[ZERO]], %[[X]]
//  CHECK-NEXT:     %[[Y:.*]] = math.exp %[[SUM]]
//  CHECK-NEXT:     loop.store %[[Y]], %out0[%d0]
task.def @sum_of_one(%x: tensor<64x1xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#all, #kept], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%sum : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<64xf32>
  task.return %y : tensor<64xf32>
}

// Factors that several points share and that are widened stay in the reduction, whose blocks widen them once.
// CHECK-LABEL: task.def @widened_product(
//       CHECK:   loop.reduce
//       CHECK:     arith.extf
task.def @widened_product(%x: tensor<4x1xf16>, %w: tensor<1x64xf16>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x64xf32>) -> tensor<4x64xf32>
  %sum = linalg.generic {indexing_maps = [#left, #right, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x1xf16>, tensor<1x64xf16>) outs(%init : tensor<4x64xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %wide_a = arith.extf %a : f16 to f32
    %wide_b = arith.extf %b : f16 to f32
    %m = arith.mulf %wide_a, %wide_b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x64xf32>
  task.return %sum : tensor<4x64xf32>
}

func.func @main(%x: tensor<64x1xf32>, %a: tensor<4x1xf16>, %b: tensor<1x64xf16>) -> (tensor<64xf32>, tensor<4x64xf32>) {
  %y = task.call @sum_of_one(%x) : (tensor<64x1xf32>) -> tensor<64xf32>
  %z = task.call @widened_product(%a, %b) : (tensor<4x1xf16>, tensor<1x64xf16>) -> tensor<4x64xf32>
  return %y, %z : tensor<64xf32>, tensor<4x64xf32>
}
