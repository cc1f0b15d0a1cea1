// RUN: cameo-opt %s --build-loops --apply-schedule --emit-kernels | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#point = affine_map<(m) -> (m)>

func.func @main(%x: tensor<7x64xf32>) -> tensor<7x24xf32> {
  %w = arith.constant dense<1.0> : tensor<64x24xf32>
  %y = task.call @matmul(%x, %w) : (tensor<7x64xf32>, tensor<64x24xf32>) -> tensor<7x24xf32>
  %z = task.call @prefetched(%x, %w) : (tensor<7x64xf32>, tensor<64x24xf32>) -> tensor<7x24xf32>
  %v = arith.constant dense<1.0> : tensor<64x16xf32>
  %e = task.call @exponentials(%x, %v) : (tensor<7x64xf32>, tensor<64x16xf32>) -> tensor<7x16xf32>
  %o = task.call @reduction_outside(%x, %w) : (tensor<7x64xf32>, tensor<64x24xf32>) -> tensor<7x24xf32>
  %row = tensor.empty() : tensor<64xf32>
  %s = task.call @streams(%row, %w) : (tensor<64xf32>, tensor<64x24xf32>) -> tensor<24xf32>
  %two:2 = task.call @two_results(%row, %row) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %rows = tensor.empty() : tensor<8x64xf32>
  %points = task.call @shared_points(%rows, %w) : (tensor<8x64xf32>, tensor<64x24xf32>) -> tensor<8x24xf32>
  return %y : tensor<7x24xf32>
}

// One loop-carried vector per accumulator, whole vectors of the packed operand, and the rows that remain in a block of
// their own size: 7 = 4 + 3.
// CHECK-LABEL: func.func private @matmul.k0(
//  CHECK-SAME:   %[[X:.*]]: memref<448xf32> {llvm.noalias}, %[[W:.*]]: memref<2048xf32> {llvm.noalias}, %[[Y:.*]]: memref<168xf32> {llvm.noalias}, %[[BEGIN:.*]]: index, %[[END:.*]]: index)
//       CHECK:   %[[BORDER:.*]] = arith.minui %[[END]], %c1
//       CHECK:   scf.for %{{.*}} = %[[BEGIN]] to %[[BORDER]]
//       CHECK:   %[[SUM:.*]]:4 = scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
//       CHECK:     vector.load %[[W]]{{.*}} : memref<2048xf32>, vector<16xf32>
//       CHECK:     memref.load %[[X]]
//       CHECK:     vector.fma
//   CHECK-NOT:     vector.load %[[Y]]
//       CHECK:     scf.yield
//       CHECK:   vector.store %[[SUM]]#0, %[[Y]]
//       CHECK:   scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>)
// The last columns are fewer than a vector has lanes, and have a loop of their own.
//       CHECK:   %[[REST:.*]] = arith.maxui %[[BEGIN]], %c1
//       CHECK:   scf.for %{{.*}} = %[[REST]] to %[[END]]
//       CHECK:   %[[FIRST:.*]] = vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xf32>, vector<16xf32>
//       CHECK:   vector.store %[[FIRST]], %[[Y]]{{.*}} : memref<168xf32>, vector<8xf32>

// CHECK-LABEL: task.def @matmul(
//  CHECK-SAME:   memref<2048xf32> {task.packing = #task.packing<elements = 2048, nests = {{\[\[}}0, 0, [1, 64, 16], [1024, 16, 1], [16, 24, 1]], [1024, 16, [1, 64, 8], [512, 16, 1], [8, 24, 1]]]>}
//  CHECK-SAME:   description = "2 pieces; d1/16 d0/4, sum d2/2; 16 lanes of d1; packed"
//       CHECK:   task.dispatch @matmul.k0({{.*}}) extent 2
task.def @matmul(%x: tensor<7x64xf32>, %w: tensor<64x24xf32>) -> tensor<7x24xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>,
                               #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 4>,
                               #schedule.tile<nest = 0, dim = 2, size = 2>, #schedule.parallel<nest = 0, loops = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x24xf32>) -> tensor<7x24xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<7x64xf32>, tensor<64x24xf32>) outs(%init : tensor<7x24xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<7x24xf32>
  task.return %r : tensor<7x24xf32>
}

// Every call of the kernel runs through all blocks of columns with its part of the rows, and what it fetches of the next block counts from there.
// CHECK-LABEL: func.func private @shared_points.k0(
//  CHECK-SAME:   %[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index)
//       CHECK:   %[[COUNT:.*]] = arith.subi %[[END]], %[[BEGIN]]
//       CHECK:   %[[SOME:.*]] = arith.maxui %[[COUNT]]
//       CHECK:   %[[RECIPROCAL:.*]] = arith.divui %{{.*}}, %[[SOME]]
//       CHECK:   scf.for
//       CHECK:     scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
//       CHECK:       scf.for {{.*}} iter_args
//       CHECK:         %[[PART:.*]] = arith.muli %{{.*}}, %[[RECIPROCAL]]
//       CHECK:         arith.shrui %[[PART]]
//       CHECK:         memref.prefetch
// CHECK-LABEL: task.def @shared_points(
//  CHECK-SAME:   description = "4 pieces inside of d1; d1/16 d0/2, sum d2/2; 16 lanes of d1; packed, fetched ahead"
task.def @shared_points(%x: tensor<8x64xf32>, %w: tensor<64x24xf32>) -> tensor<8x24xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>,
                               #schedule.prefetch<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 1, size = 16>,
                               #schedule.tile<nest = 0, dim = 0, size = 2>, #schedule.tile<nest = 0, dim = 2, size = 2>,
                               #schedule.parallel<nest = 0, loops = 1, inside = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x24xf32>) -> tensor<8x24xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x64xf32>, tensor<64x24xf32>) outs(%init : tensor<8x24xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x24xf32>
  task.return %r : tensor<8x24xf32>
}

#each = affine_map<(m, n) -> (m, n)>

// Exponentials of a block's sums are computed a few at a time, in a loop, from the stack.
// CHECK-LABEL: func.func private @exponentials.k0(
//  CHECK-SAME:   %{{.*}}: memref<448xf32> {llvm.noalias}, %{{.*}}: memref<1024xf32> {llvm.noalias}, %[[Y:.*]]: memref<112xf32>
//       CHECK:   %[[KEPT:.*]] = memref.alloca() {alignment = 64 : i64} : memref<112xf32>
//       CHECK:   %[[SUM:.*]]:7 = scf.for
//       CHECK:   vector.store %[[SUM]]#0, %[[KEPT]]
//       CHECK:   vector.store %[[SUM]]#6, %[[KEPT]]
//       CHECK:   scf.for
// CHECK-COUNT-4:   vector.load %[[KEPT]]
// CHECK-COUNT-4:   math.exp
// CHECK-COUNT-4:   vector.store %{{.*}}, %[[Y]]
//       CHECK:   scf.for
// CHECK-COUNT-3:   math.exp
// CHECK-COUNT-3:   vector.store %{{.*}}, %[[Y]]
//   CHECK-NOT:   math.exp
task.def @exponentials(%x: tensor<7x64xf32>, %w: tensor<64x16xf32>) -> tensor<7x16xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>,
                               #schedule.tile<nest = 0, dim = 2, size = 2>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x16xf32>) -> tensor<7x16xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<7x64xf32>, tensor<64x16xf32>) outs(%init : tensor<7x16xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<7x16xf32>
  %e = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<7x16xf32>) outs(%empty : tensor<7x16xf32>) {
  ^bb0(%p: f32, %unused: f32):
    %y = math.exp %p : f32
    linalg.yield %y : f32
  } -> tensor<7x16xf32>
  task.return %e : tensor<7x16xf32>
}

#rows = affine_map<(n, m) -> (m, n)>
#columns = affine_map<(n, m) -> (n)>

// The inner loop starts from -0 every time; its result is added to what the outer loop carries.
// CHECK-LABEL: func.func private @column_sums.k0(
//       CHECK:   %[[START:.*]] = vector.broadcast %{{.*}} : f32 to vector<16xf32>
//       CHECK:   %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[OUTER:.*]] = %[[START]])
//       CHECK:     %[[ZERO:.*]] = arith.constant -0.000000e+00 : f32
//       CHECK:     %[[NONE:.*]] = vector.broadcast %[[ZERO]] : f32 to vector<16xf32>
//       CHECK:     %[[PART:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[NONE]])
//       CHECK:     %[[BOTH:.*]] = arith.addf %[[OUTER]], %[[PART]]
//       CHECK:     scf.yield %[[BOTH]]
//       CHECK:   vector.store %[[SUM]]
task.def @column_sums(%x: tensor<2048x16xf32>) -> tensor<16xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 16>,
                               #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 4>,
                               #schedule.rfactor<nest = 0, loop = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  task.return %r : tensor<16xf32>
}

// Of the next block, 1024 elements on, as large a part is fetched as this block's rows and steps are done: 7 rows share 1024
// elements, and a step of one row takes 16 of the weights.
// CHECK-LABEL: func.func private @prefetched.k0(
//  CHECK-SAME:   %[[X:.*]]: memref<448xf32> {llvm.noalias}, %[[W:.*]]: memref<2048xf32>
//       CHECK:   scf.for %[[ROW:.*]] = %c0
//       CHECK:     scf.for %[[K:.*]] = %c0{{.*}} iter_args
//       CHECK:       %[[ROWS:.*]] = arith.muli %[[ROW]], %c1024
//       CHECK:       %[[STEPS:.*]] = arith.muli %[[K]], %c32
//       CHECK:       %[[DONE:.*]] = arith.addi %[[ROWS]], %[[STEPS]]
//       CHECK:       %[[PART:.*]] = arith.divui %[[DONE]], %c7
//       CHECK:       %[[AT:.*]] = arith.addi %{{.*}}, %[[PART]]
//       CHECK:       memref.prefetch %[[W]][%[[AT]]], read, locality<2>, data
task.def @prefetched(%x: tensor<7x64xf32>, %w: tensor<64x24xf32>) -> tensor<7x24xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>,
                               #schedule.prefetch<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 1, size = 16>,
                               #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 2, size = 2>,
                               #schedule.parallel<nest = 0, loops = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x24xf32>) -> tensor<7x24xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<7x64xf32>, tensor<64x24xf32>) outs(%init : tensor<7x24xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<7x24xf32>
  task.return %r : tensor<7x24xf32>
}

#vector = affine_map<(n, k) -> (k)>
#matrix = affine_map<(n, k) -> (k, n)>
#product = affine_map<(n, k) -> (n)>

// What is read once has a stream for each vector of the block, 1024 elements apart, and is left to the processor to fetch.
// CHECK-LABEL: func.func private @streams.k0(
//  CHECK-SAME:   %[[X:.*]]: memref<64xf32> {llvm.noalias}, %[[W:.*]]: memref<2048xf32>
//   CHECK-NOT:   memref.prefetch
//       CHECK:   scf.for %[[K:.*]] = %c0{{.*}} iter_args
//       CHECK:     %[[FIRST:.*]] = arith.muli %[[K]], %c16
//       CHECK:     vector.load %[[W]][%[[FIRST]]]
//       CHECK:     %[[SECOND:.*]] = arith.addi %[[FIRST]], %c1024
//       CHECK:     vector.load %[[W]][%[[SECOND]]]
//   CHECK-NOT:   memref.prefetch
// CHECK-LABEL: task.def @streams(
//  CHECK-SAME:   task.packing = #task.packing<elements = 2048, nests = {{\[\[}}0, 0, [1, 64, 16], [1024, 16, 1], [16, 24, 1]],
//  CHECK-SAME:     [1024, 16, [1, 64, 8], [512, 16, 1], [8, 24, 1]]]>
task.def @streams(%x: tensor<64xf32>, %w: tensor<64x24xf32>) -> tensor<24xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>,
                               #schedule.prefetch<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<24xf32>) -> tensor<24xf32>
  %r = linalg.generic {indexing_maps = [#vector, #matrix, #product], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<64xf32>, tensor<64x24xf32>) outs(%init : tensor<24xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  task.return %r : tensor<24xf32>
}

// All rows go through a part of the reduction before the next one: their sums so far are in memory, 7 rows of 16 columns. Of the
// next part, 512 elements on, each row fetches its share.
// CHECK-LABEL: func.func private @reduction_outside.k0(
//  CHECK-SAME:   %[[X:.*]]: memref<448xf32> {llvm.noalias}, %[[W:.*]]: memref<2048xf32> {llvm.noalias}, %[[Y:.*]]: memref<168xf32>
//       CHECK:   %[[SUMS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<112xf32>
//       CHECK:   scf.for
//       CHECK:     scf.for
//   CHECK-NOT:       vector.load
//       CHECK:       vector.store %{{.*}}, %[[SUMS]]
//       CHECK:     scf.for %[[PART:.*]] = %c0{{.*}} to %c2
//       CHECK:       scf.for %[[ROW:.*]] = %c0{{.*}} to %c7
//       CHECK:         %[[BEFORE:.*]] = vector.load %[[SUMS]]
//       CHECK:         %[[AFTER:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[BEFORE]])
//       CHECK:           memref.prefetch %[[W]]
//       CHECK:         vector.store %[[AFTER]], %[[SUMS]]
//       CHECK:     scf.for
//       CHECK:       %[[SUM:.*]] = vector.load %[[SUMS]]
//       CHECK:       vector.store %[[SUM]], %[[Y]]
// CHECK-LABEL: task.def @reduction_outside(
//  CHECK-SAME:   description = "2 pieces; d1/16, sum d2/32, d0, sum d2/2; 16 lanes of d1; packed, fetched ahead"
task.def @reduction_outside(%x: tensor<7x64xf32>, %w: tensor<64x24xf32>) -> tensor<7x24xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>,
                               #schedule.prefetch<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 1, size = 16>,
                               #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 1>,
                               #schedule.tile<nest = 0, dim = 2, size = 2>, #schedule.parallel<nest = 0, loops = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x24xf32>) -> tensor<7x24xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<7x64xf32>, tensor<64x24xf32>) outs(%init : tensor<7x24xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<7x24xf32>
  task.return %r : tensor<7x24xf32>
}

#row = affine_map<(r, c) -> (r, c)>

// Rows that need each other are one piece of work, which a call over an empty range does not do.
// CHECK-LABEL: func.func private @running_sum.k1(
//       CHECK:   %[[FIRST:.*]] = arith.constant 0
//       CHECK:   %[[ROWS:.*]] = arith.constant 3
//       CHECK:   %[[RUNS:.*]] = arith.select %{{.*}}, %[[FIRST]], %[[ROWS]]
//       CHECK:   %[[END:.*]] = arith.select %{{.*}}, %[[RUNS]], %[[FIRST]]
//       CHECK:   scf.for %{{.*}} = %[[FIRST]] to %[[END]]
// CHECK-LABEL: task.def @running_sum(
//       CHECK:   %[[STATE:.*]] = task.scratch : memref<4xf32>
//   CHECK-NOT:   task.scratch
//       CHECK:   task.dispatch @running_sum.k1({{.*}}) extent 1
task.def @running_sum(%x: tensor<3x4xf32>) -> tensor<3x4xf32> attributes {schedule = #schedule.steps<>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %all = tensor.empty() : tensor<3x4xf32>
  %empty = tensor.empty() : tensor<1x4xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4xf32>) -> tensor<1x4xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%sums = %all, %before = %none) -> (tensor<3x4xf32>, tensor<1x4xf32>) {
    %part = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<1x4xf32>
    %sum = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
        ins(%before, %part : tensor<1x4xf32>, tensor<1x4xf32>) outs(%empty : tensor<1x4xf32>) {
    ^bb0(%a: f32, %b: f32, %unused: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<1x4xf32>
    %more = tensor.insert_slice %sum into %sums[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<3x4xf32>
    scf.yield %more, %sum : tensor<3x4xf32>, tensor<1x4xf32>
  }
  task.return %r#0 : tensor<3x4xf32>
}

// Nests that do not look at each other share one range: the second one has two iterations for every three of the first.
// CHECK-LABEL: func.func private @side_by_side.k0(
//  CHECK-SAME:   %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index)
//       CHECK:   scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
//       CHECK:   %[[TWICE:.*]] = arith.muli %[[BEGIN]], %{{.*}}
//       CHECK:   %[[FIRST:.*]] = arith.divui %[[TWICE]], %{{.*}}
//       CHECK:   scf.for %{{.*}} = %[[FIRST]] to
// CHECK-LABEL: task.def @side_by_side(
//       CHECK:   task.dispatch @side_by_side.k0({{.*}}) extent 6
//   CHECK-NOT:   task.dispatch
task.def @side_by_side(%x: tensor<6x16xf32>, %y: tensor<4x16xf32>) -> tensor<10x16xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 16>,
                               #schedule.parallel<nest = 0, loops = 1>,
                               #schedule.vectorize<nest = 1, dim = 0, lanes = 16>, #schedule.tile<nest = 1, dim = 0, size = 16>,
                               #schedule.parallel<nest = 1, loops = 1>>} {
  %empty = tensor.empty() : tensor<10x16xf32>
  %first = tensor.insert_slice %x into %empty[0, 0] [6, 16] [1, 1] : tensor<6x16xf32> into tensor<10x16xf32>
  %both = tensor.insert_slice %y into %first[6, 0] [4, 16] [1, 1] : tensor<4x16xf32> into tensor<10x16xf32>
  task.return %both : tensor<10x16xf32>
}

#pixel = affine_map<(h, w, c) -> (h, w, c)>
#channel = affine_map<(h, w, c) -> (c)>

// The border of a plane shares the range of what computes its inside. Two columns of 16 channels beside it are one dimension of 32. What is above goes
// with the first row, what is below with the last.
// CHECK-LABEL: func.func private @border.k0(
//  CHECK-SAME:   %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index)
//       CHECK:   scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
//       CHECK:   %[[ROUNDED:.*]] = arith.addi %{{.*}}, %c5
//       CHECK:   %[[ABOVE:.*]] = arith.divui %[[ROUNDED]], %c6
//       CHECK:   scf.for %{{.*}} = %[[ABOVE]] to
//       CHECK:   %[[ONE:.*]] = arith.muli %[[BEGIN]], %c1
//       CHECK:   %[[BELOW:.*]] = arith.divui %[[ONE]], %c6
//       CHECK:   scf.for %{{.*}} = %[[BELOW]] to
// CHECK-LABEL: task.def @border(
//       CHECK:   task.dispatch @border.k0({{.*}}) extent 6
//   CHECK-NOT:   task.dispatch
task.def @border(%x: tensor<6x6x16xf32>, %bias: tensor<16xf32>) -> tensor<10x10x16xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 2, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 1>,
                               #schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.parallel<nest = 0, loops = 1>,
                               #schedule.vectorize<nest = 1, dim = 0, lanes = 16>, #schedule.tile<nest = 1, dim = 0, size = 16>,
                               #schedule.vectorize<nest = 2, dim = 0, lanes = 16>, #schedule.tile<nest = 2, dim = 0, size = 16>,
                               #schedule.vectorize<nest = 3, dim = 1, lanes = 16>, #schedule.tile<nest = 3, dim = 0, size = 1>,
                               #schedule.vectorize<nest = 4, dim = 1, lanes = 16>, #schedule.tile<nest = 4, dim = 0, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<6x6x16xf32>
  %biased = linalg.generic {indexing_maps = [#pixel, #channel, #pixel], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %bias : tensor<6x6x16xf32>, tensor<16xf32>) outs(%empty : tensor<6x6x16xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<6x6x16xf32>
  %padded = tensor.pad %biased low[2, 2, 0] high[2, 2, 0] {
  ^bb0(%h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<6x6x16xf32> to tensor<10x10x16xf32>
  task.return %padded : tensor<10x10x16xf32>
}

// The residual is read where the sum is stored, and the border around it is filled by other nests: one may lie over the other. Not where it is read a row
// further up: the border above would be there before.
// CHECK-LABEL: task.def @residual(
//  CHECK-SAME:   %{{.*}}: memref<576xf32>, %{{.*}}: memref<1024xf32> {task.inplace = 0 : i64}, %{{.*}}: memref<1024xf32>)
task.def @residual(%x: tensor<6x6x16xf32>, %r: tensor<8x8x16xf32>) -> tensor<8x8x16xf32> attributes {schedule = #schedule.steps<>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<6x6x16xf32>
  %inner = tensor.extract_slice %r[1, 1, 0] [6, 6, 16] [1, 1, 1] : tensor<8x8x16xf32> to tensor<6x6x16xf32>
  %sum = linalg.generic {indexing_maps = [#pixel, #pixel, #pixel], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %inner : tensor<6x6x16xf32>, tensor<6x6x16xf32>) outs(%empty : tensor<6x6x16xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<6x6x16xf32>
  %padded = tensor.pad %sum low[1, 1, 0] high[1, 1, 0] {
  ^bb0(%h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<6x6x16xf32> to tensor<8x8x16xf32>
  task.return %padded : tensor<8x8x16xf32>
}

// CHECK-LABEL: task.def @shifted_residual(
//  CHECK-SAME:   %{{.*}}: memref<576xf32>, %{{.*}}: memref<1024xf32>, %{{.*}}: memref<1024xf32>)
task.def @shifted_residual(%x: tensor<6x6x16xf32>, %r: tensor<8x8x16xf32>) -> tensor<8x8x16xf32> attributes {schedule = #schedule.steps<>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<6x6x16xf32>
  %upper = tensor.extract_slice %r[0, 1, 0] [6, 6, 16] [1, 1, 1] : tensor<8x8x16xf32> to tensor<6x6x16xf32>
  %sum = linalg.generic {indexing_maps = [#pixel, #pixel, #pixel], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %upper : tensor<6x6x16xf32>, tensor<6x6x16xf32>) outs(%empty : tensor<6x6x16xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<6x6x16xf32>
  %padded = tensor.pad %sum low[1, 1, 0] high[1, 1, 0] {
  ^bb0(%h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<6x6x16xf32> to tensor<8x8x16xf32>
  task.return %padded : tensor<8x8x16xf32>
}

// The second operand may be overwritten by the product that reads it, not by the result that is stored before.
// CHECK-LABEL: task.def @two_results(
//  CHECK-SAME:   %{{.*}}: memref<64xf32> {task.inplace = 0 : i64}, %{{.*}}: memref<64xf32> {task.inplace = 1 : i64}
task.def @two_results(%x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 16>>} {
  %empty = tensor.empty() : tensor<64xf32>
  %r:2 = linalg.generic {indexing_maps = [#point, #point, #point, #point], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%empty, %empty : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %t: f32):
    %negated = arith.negf %a : f32
    %product = arith.mulf %negated, %b : f32
    linalg.yield %negated, %product : f32, f32
  } -> (tensor<64xf32>, tensor<64xf32>)
  task.return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}

#window = affine_map<(h, w, c, i, j) -> (h + i, w + j, c)>
#channelwise = affine_map<(h, w, c, i, j) -> (i, j, c)>
#filtered = affine_map<(h, w, c, i, j) -> (h, w, c)>

// Threads have three rows each of a plane of 8x8x32, of which windows of both read two, 16 places from element 768 on. Every row fetches a third of
// them, of the channels that come next, where other threads have pieces too.
// CHECK-LABEL: func.func private @halves.k0(
//       CHECK:   scf.for %{{.*}} = %c0{{.*}} to %c3
//       CHECK:     %[[WHOLE:.*]] = arith.cmpi eq, %{{.*}}, %c4
//       CHECK:     %[[COUNT:.*]] = arith.select %[[WHOLE]], %c0{{.*}}, %c6
//       CHECK:     scf.for %{{.*}} = %c0{{.*}} to %[[COUNT]]
//  CHECK-NEXT:       %[[PLACE:.*]] = arith.muli %{{.*}}, %c32
//       CHECK:       memref.prefetch %{{.*}}, read, locality<2>, data : memref<2048xf32>
//   CHECK-NOT:   memref.prefetch
// CHECK-LABEL: task.def @halves(
task.def @halves(%x: tensor<8x8x32xf32>, %w: tensor<3x3x32xf32>) -> tensor<6x6x32xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 2, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 3>,
                               #schedule.tile<nest = 0, dim = 2, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 1>,
                               #schedule.tile<nest = 0, dim = 3, size = 1>, #schedule.tile<nest = 0, dim = 4, size = 1>,
                               #schedule.parallel<nest = 0, loops = 2>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<6x6x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<6x6x32xf32>) -> tensor<6x6x32xf32>
  %r = linalg.generic {indexing_maps = [#window, #channelwise, #filtered], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<8x8x32xf32>, tensor<3x3x32xf32>) outs(%init : tensor<6x6x32xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<6x6x32xf32>
  task.return %r : tensor<6x6x32xf32>
}

// Pieces of two sizes, with loops inside of both: what the loops inside of the first came to does not count for the second.
// CHECK-LABEL: task.def @uneven(
//  CHECK-SAME:   description = "4 pieces; d0/4 d1/16 d0/3 d0 d1/8, sum d2/2; 8 lanes of d1"
task.def @uneven(%x: tensor<7x64xf32>, %w: tensor<64x24xf32>) -> tensor<7x24xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.tile<nest = 0, dim = 0, size = 4>,
                               #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 3>,
                               #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 1, size = 8>,
                               #schedule.tile<nest = 0, dim = 2, size = 2>, #schedule.parallel<nest = 0, loops = 2>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x24xf32>) -> tensor<7x24xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<7x64xf32>, tensor<64x24xf32>) outs(%init : tensor<7x24xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<7x24xf32>
  task.return %r : tensor<7x24xf32>
}

// The last block of columns is half of the others: the range counts in halves of a piece, and a piece belongs to where more of it is.
// CHECK-LABEL: func.func private @smaller_last.k0(
//  CHECK-SAME:   %[[BEGIN:[a-z0-9]+]]: index, %{{.*}}: index)
//       CHECK:   %[[FURTHEST:.*]] = arith.maxui %[[BEGIN]], %[[BOUNDARY:.*]] : index
//       CHECK:   %[[BEHIND:.*]] = arith.subi %[[FURTHEST]], %[[BOUNDARY]]
//       CHECK:   %[[BEFORE:.*]] = arith.minui %[[BEGIN]], %[[BOUNDARY]]
//       CHECK:   %[[ROUNDED:.*]] = arith.addi %[[BEFORE]], %c1
//       CHECK:   %[[LARGE:.*]] = arith.divui %[[ROUNDED]], %c2
//       CHECK:   %[[SMALL:.*]] = arith.divui %[[BEHIND]], %c1
//       CHECK:   %[[FIRST:.*]] = arith.addi %[[LARGE]], %[[SMALL]]
//       CHECK:   scf.for %{{.*}} = %[[FIRST]] to
// CHECK-LABEL: task.def @smaller_last(
//  CHECK-SAME:   description = "4 pieces; d1/16 d0/4, sum d2/2; 8 lanes of d1"
//       CHECK:   task.dispatch @smaller_last.k0({{.*}}) extent 6
task.def @smaller_last(%x: tensor<7x64xf32>, %w: tensor<64x24xf32>) -> tensor<7x24xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.tile<nest = 0, dim = 1, size = 16>,
                               #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 2, size = 2>,
                               #schedule.parallel<nest = 0, loops = 2>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x24xf32>) -> tensor<7x24xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<7x64xf32>, tensor<64x24xf32>) outs(%init : tensor<7x24xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<7x24xf32>
  task.return %r : tensor<7x24xf32>
}
