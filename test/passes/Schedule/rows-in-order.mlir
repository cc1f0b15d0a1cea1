// RUN: cameo-opt %s --schedule-tasks="vector-bytes=64 vector-registers=32" | FileCheck %s --check-prefix=AVX512
// RUN: cameo-opt %s --schedule-tasks="vector-bytes=32 vector-registers=16" | FileCheck %s --check-prefix=AVX2
// RUN: cameo-opt %s --schedule-tasks="vector-bytes=64 vector-registers=32" --apply-schedule | FileCheck %s --check-prefix=APPLIED

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<3x1024xf32>, %y: tensor<3x32xf32>) -> (tensor<1x1024xf32>, tensor<1x32xf32>) {
  %large = arith.constant dense<1.0> : tensor<1024x1024xf32>
  %small = arith.constant dense<1.0> : tensor<32x32xf32>
  %r = task.call @large(%x, %large) : (tensor<3x1024xf32>, tensor<1024x1024xf32>) -> tensor<1x1024xf32>
  %s = task.call @small(%y, %small) : (tensor<3x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  return %r, %s : tensor<1x1024xf32>, tensor<1x32xf32>
}

// No weight of a row has a second use, so that all registers but a few hold sums: blocks of 16 vectors, or of 8, of which there is a whole number.
//  AVX512-LABEL: task.def @large(
//   AVX512-SAME:   #schedule.tile<nest = 1, dim = 1, size = 256>
//    AVX2-LABEL: task.def @large(
//     AVX2-SAME:   #schedule.tile<nest = 1, dim = 1, size = 64>
// What is more than the first-level cache holds is read forwards in even rows and backwards in odd ones: both loops, over blocks and over steps.
// APPLIED-LABEL: func.func private @large.k1(
//       APPLIED:   scf.for %[[ROW:.*]] = %c0{{.*}} to
//       APPLIED:     %[[ODD:.*]] = arith.andi %[[ROW]], %c1
//       APPLIED:     scf.for %[[BLOCK:.*]] = %c0{{.*}} to %c4
//       APPLIED:       %[[TWICE:.*]] = arith.addi %[[ODD]], %[[ODD]]
//       APPLIED:       %[[STEP:.*]] = arith.subi %c1{{.*}}, %[[TWICE]]
//       APPLIED:       %[[FIRST:.*]] = arith.muli %[[ODD]], %{{.*}}
//       APPLIED:       %[[ON:.*]] = arith.muli %[[BLOCK]], %[[STEP]]
//       APPLIED:       arith.addi %[[FIRST]], %[[ON]]
//       APPLIED:       scf.for %[[K:.*]] = %c0{{.*}} to %c256
//       APPLIED:         arith.addi %[[ODD]], %[[ODD]]
//       APPLIED:         arith.muli %[[K]], %{{.*}}
task.def @large(%x: tensor<3x1024xf32>, %w: tensor<1024x1024xf32>) -> tensor<1x1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x1024xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x1024xf32>) -> tensor<1x1024xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %none) -> tensor<1x1024xf32> {
    %part = tensor.extract_slice %x[%i, 0] [1, 1024] [1, 1] : tensor<3x1024xf32> to tensor<1x1024xf32>
    %next = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%before, %w : tensor<1x1024xf32>, tensor<1024x1024xf32>) outs(%part : tensor<1x1024xf32>) {
    ^bb0(%p: f32, %q: f32, %sum: f32):
      %m = arith.mulf %p, %q : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
    } -> tensor<1x1024xf32>
    scf.yield %next : tensor<1x1024xf32>
  }
  task.return %r : tensor<1x1024xf32>
}

// What stays in the first-level cache is read in the same order in all rows.
// APPLIED-LABEL: func.func private @small.k1(
//       APPLIED:   scf.for
//   APPLIED-NOT:   arith.andi
// APPLIED-LABEL: task.def @small(
task.def @small(%x: tensor<3x32xf32>, %w: tensor<32x32xf32>) -> tensor<1x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x32xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32xf32>) -> tensor<1x32xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %none) -> tensor<1x32xf32> {
    %part = tensor.extract_slice %x[%i, 0] [1, 32] [1, 1] : tensor<3x32xf32> to tensor<1x32xf32>
    %next = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%before, %w : tensor<1x32xf32>, tensor<32x32xf32>) outs(%part : tensor<1x32xf32>) {
    ^bb0(%p: f32, %q: f32, %sum: f32):
      %m = arith.mulf %p, %q : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
    } -> tensor<1x32xf32>
    scf.yield %next : tensor<1x32xf32>
  }
  task.return %r : tensor<1x32xf32>
}
