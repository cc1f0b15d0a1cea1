// Where a register block has few sums, parts of them run beside each other: a sum that is added to in every step waits for itself.
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16 --build-loops --schedule-tasks | FileCheck %s
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16 --build-loops --schedule-tasks --apply-schedule | FileCheck %s --check-prefix=LOOPS
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16 --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=KERNEL

#rows = affine_map<(n, m) -> (m, n)>
#columns = affine_map<(n, m) -> (n)>
#matrix = affine_map<(n, k) -> (k, n)>
#vector = affine_map<(n, k) -> (k)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<84x8xf32>, %y: tensor<6x96xf32>, %v: tensor<96xf32>, %long: tensor<8192x8xf32>, %short: tensor<12x8xf32>, %u: tensor<512xf32>)
    -> (tensor<8xf32>, tensor<6x16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<32xf32>, tensor<64xf32>) {
  %w = arith.constant dense<1.0> : tensor<96x16xf32>
  %0 = task.call @one_vector(%x) : (tensor<84x8xf32>) -> tensor<8xf32>
  %1 = task.call @rows(%y, %w) : (tensor<6x96xf32>, tensor<96x16xf32>) -> tensor<6x16xf32>
  %2 = task.call @product(%v, %w) : (tensor<96xf32>, tensor<96x16xf32>) -> tensor<16xf32>
  %3 = task.call @long(%long) : (tensor<8192x8xf32>) -> tensor<8xf32>
  %4 = task.call @short(%short) : (tensor<12x8xf32>) -> tensor<8xf32>
  %near = arith.constant dense<1.0> : tensor<96x32xf32>
  %far = arith.constant dense<1.0> : tensor<512x64xf32>
  %5 = task.call @four_vectors(%v, %near) : (tensor<96xf32>, tensor<96x32xf32>) -> tensor<32xf32>
  %6 = task.call @from_the_second_level(%u, %far) : (tensor<512xf32>, tensor<512x64xf32>) -> tensor<64xf32>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<8xf32>, tensor<6x16xf32>, tensor<16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<32xf32>, tensor<64xf32>
}

// Two additions begin in a cycle and take four: eight parts, and 84 steps are seven of twelve.
// CHECK-LABEL: task.def @one_vector(
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 12>, #schedule.rfactor<nest = 0, loop = 1>
task.def @one_vector(%x: tensor<84x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<84x8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%p: f32, %sum: f32):
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  task.return %r : tensor<8xf32>
}

// Twelve sums do not wait.
// CHECK-LABEL: task.def @rows(
//   CHECK-NOT: rfactor
//       CHECK: loop.program
task.def @rows(%x: tensor<6x96xf32>, %w: tensor<96x16xf32>) -> tensor<6x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<6x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<6x16xf32>) -> tensor<6x16xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<6x96xf32>, tensor<96x16xf32>) outs(%init : tensor<6x16xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x16xf32>
  task.return %r : tensor<6x16xf32>
}

// Two vectors of a product need four parts each, of as many steps as are unrolled.
// CHECK-LABEL: task.def @product(
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 4>, #schedule.rfactor<nest = 0, loop = 1>
task.def @product(%x: tensor<96xf32>, %w: tensor<96x16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#vector, #matrix, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<96xf32>, tensor<96x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  task.return %r : tensor<16xf32>
}

// Of 8192 steps, parts that run beside each other would be too many for a running sum of them: the steps of an iteration are combined on their own.
// CHECK-LABEL: task.def @long(
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 8>
//   CHECK-NOT: rfactor
//       CHECK: loop.program
//  LOOPS-LABEL: task.def @long(
//        LOOPS: combines_steps = true
// KERNEL-LABEL: func.func private @long.k0(
//       KERNEL: scf.for {{.*}} iter_args(%[[RUNNING:.*]] = %{{.*}}) -> (vector<8xf32>)
//   KERNEL-NOT: arith.addf %[[RUNNING]]
// KERNEL-COUNT-8: arith.addf
//       KERNEL: arith.addf %[[RUNNING]], %{{.*}} : vector<8xf32>
task.def @long(%x: tensor<8192x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8192x8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%p: f32, %sum: f32):
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  task.return %r : tensor<8xf32>
}

// Twelve steps are not worth it.
// CHECK-LABEL: task.def @short(
//   CHECK-NOT: rfactor
//       CHECK: loop.program
task.def @short(%x: tensor<12x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<12x8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%p: f32, %sum: f32):
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  task.return %r : tensor<8xf32>
}

// Four vectors wait half of the time.
// CHECK-LABEL: task.def @four_vectors(
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 4>, #schedule.rfactor<nest = 0, loop = 1>
task.def @four_vectors(%x: tensor<96xf32>, %w: tensor<96x32xf32>) -> tensor<32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32xf32>) -> tensor<32xf32>
  %r = linalg.generic {indexing_maps = [#vector, #matrix, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<96xf32>, tensor<96x32xf32>) outs(%init : tensor<32xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<32xf32>
  task.return %r : tensor<32xf32>
}

// But not for vectors that are read as slowly.
// CHECK-LABEL: task.def @from_the_second_level(
//   CHECK-NOT: rfactor
//       CHECK: loop.program
task.def @from_the_second_level(%x: tensor<512xf32>, %w: tensor<512x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#vector, #matrix, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<512xf32>, tensor<512x64xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  task.return %r : tensor<64xf32>
}
