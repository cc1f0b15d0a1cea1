// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --schedule-tasks | FileCheck %s --check-prefix=AVX512
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16 --build-loops --schedule-tasks | FileCheck %s --check-prefix=AVX2
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=APPLIED
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,l1_bytes=8M --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=LARGECACHE

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#d = affine_map<(m, n, k) -> (n, k)>
#e = affine_map<(m, n) -> (m, n)>

func.func @main(%x: tensor<3x1024xf32>, %y: tensor<3x32xf32>, %z: tensor<3x64xf32>) -> (tensor<1x1024xf32>, tensor<1x32xf32>, tensor<1x64xf32>) {
  %large = arith.constant dense<1.0> : tensor<1024x1024xf32>
  %small = arith.constant dense<1.0> : tensor<32x32xf32>
  %r = task.call @large(%x, %large) : (tensor<3x1024xf32>, tensor<1024x1024xf32>) -> tensor<1x1024xf32>
  %s = task.call @small(%y, %small) : (tensor<3x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  %parts = arith.constant dense<1.0> : tensor<192x64xf32>
  %t = task.call @parts(%z, %parts) : (tensor<3x64xf32>, tensor<192x64xf32>) -> tensor<1x64xf32>
  return %r, %s, %t : tensor<1x1024xf32>, tensor<1x32xf32>, tensor<1x64xf32>
}

// No weight of a row has a second use, so that all registers but a few hold sums: blocks of 16 vectors, or of 8, of which there is a whole number.
//  AVX512-LABEL: task.def @large(
//   AVX512-SAME:   #schedule.tile<nest = 1, dim = 1, size = 256>
//    AVX2-LABEL: task.def @large(
//     AVX2-SAME:   #schedule.tile<nest = 1, dim = 1, size = 64>
// What is more than the first-level cache holds is read forwards in even rows and backwards in odd ones: all loops, over blocks, parts of sums and steps.
// APPLIED-LABEL: func.func private @large.k1(
//       APPLIED:   scf.for %[[ROW:.*]] = %c0{{.*}} to
//       APPLIED:     %[[ODD:.*]] = arith.andi %[[ROW]], %c1
//       APPLIED:     scf.for %[[BLOCK:.*]] = %c0{{.*}} to %c4
//       APPLIED:       %[[TWICE:.*]] = arith.addi %[[ODD]], %[[ODD]]
//       APPLIED:       %[[STEP:.*]] = arith.subi %c1{{.*}}, %[[TWICE]]
//       APPLIED:       %[[FIRST:.*]] = arith.muli %[[ODD]], %{{.*}}
//       APPLIED:       %[[ON:.*]] = arith.muli %[[BLOCK]], %[[STEP]]
//       APPLIED:       arith.addi %[[FIRST]], %[[ON]]
//       APPLIED:       scf.for %[[PART:.*]] = %c0{{.*}} to %c4
//       APPLIED:         arith.addi %[[ODD]], %[[ODD]]
//       APPLIED:         arith.muli %[[PART]], %{{.*}}
//       APPLIED:         scf.for %[[K:.*]] = %c0{{.*}} to %c64
//       APPLIED:           arith.addi %[[ODD]], %[[ODD]]
//       APPLIED:           arith.muli %[[K]], %{{.*}}
//       APPLIED: task.def @large({{.*}}description = "3 nests; 1 piece; {{.*}}; partial sums; packed; every second row backwards"
// LARGECACHE-LABEL: task.def @large({{.*}}description = "3 nests; 1 piece; {{.*}}; partial sums; packed"
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

// Three matrices of 16 KB are more than that cache holds, as one of 48 is. Each has its own vectors in a block, four of three sums.
//  AVX512-LABEL: task.def @parts(
//   AVX512-SAME:   #schedule.tile<nest = 1, dim = 1, size = 64>
// APPLIED-LABEL: func.func private @parts.k1(
//       APPLIED:   scf.for %[[ROW:.*]] = %c0{{.*}} to
//       APPLIED:     arith.andi %[[ROW]], %c1
task.def @parts(%x: tensor<3x64xf32>, %w: tensor<192x64xf32>) -> tensor<1x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64xf32>) -> tensor<1x64xf32>
  %w0 = tensor.extract_slice %w[0, 0] [64, 64] [1, 1] : tensor<192x64xf32> to tensor<64x64xf32>
  %w1 = tensor.extract_slice %w[64, 0] [64, 64] [1, 1] : tensor<192x64xf32> to tensor<64x64xf32>
  %w2 = tensor.extract_slice %w[128, 0] [64, 64] [1, 1] : tensor<192x64xf32> to tensor<64x64xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %none) -> tensor<1x64xf32> {
    %part = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1] : tensor<3x64xf32> to tensor<1x64xf32>
    %sums:3 = linalg.generic {indexing_maps = [#a, #d, #d, #d, #c, #c, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%before, %w0, %w1, %w2 : tensor<1x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>)
        outs(%none, %none, %none : tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) {
    ^bb0(%p: f32, %q0: f32, %q1: f32, %q2: f32, %s0: f32, %s1: f32, %s2: f32):
      %m0 = arith.mulf %p, %q0 : f32
      %n0 = arith.addf %s0, %m0 : f32
      %m1 = arith.mulf %p, %q1 : f32
      %n1 = arith.addf %s1, %m1 : f32
      %m2 = arith.mulf %p, %q2 : f32
      %n2 = arith.addf %s2, %m2 : f32
      linalg.yield %n0, %n1, %n2 : f32, f32, f32
    } -> (tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>)
    %next = linalg.generic {indexing_maps = [#e, #e, #e, #e, #e], iterator_types = ["parallel", "parallel"]}
        ins(%sums#0, %sums#1, %sums#2, %part : tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) outs(%empty : tensor<1x64xf32>) {
    ^bb0(%p0: f32, %p1: f32, %p2: f32, %q: f32, %out: f32):
      %m = arith.mulf %p0, %p1 : f32
      %n = arith.maximumf %m, %p2 : f32
      %o = arith.addf %n, %q : f32
      linalg.yield %o : f32
    } -> tensor<1x64xf32>
    scf.yield %next : tensor<1x64xf32>
  }
  task.return %r : tensor<1x64xf32>
}
