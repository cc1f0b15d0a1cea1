// No running sum of floats takes up many terms, whatever the schedule.
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-kernels | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#rows = affine_map<(n, m) -> (m, n)>
#across = affine_map<(n, m) -> (n, m)>
#columns = affine_map<(n, m) -> (n)>

// Four parts of 64 steps of four terms each: the inner loop starts from -0 every time.
// CHECK-LABEL: func.func private @products.k0(
//       CHECK:   %[[START:.*]] = vector.broadcast %{{.*}} : f32 to vector<16xf32>
//       CHECK:   %[[SUM:.*]] = scf.for %{{.*}} = %c0{{.*}} to %c4{{.*}} iter_args(%[[OUTER:.*]] = %[[START]])
//       CHECK:     %[[ZERO:.*]] = arith.constant -0.000000e+00 : f32
//       CHECK:     %[[NONE:.*]] = vector.broadcast %[[ZERO]] : f32 to vector<16xf32>
//       CHECK:     %[[PART:.*]] = scf.for %{{.*}} = %c0{{.*}} to %c64{{.*}} iter_args(%{{.*}} = %[[NONE]])
//       CHECK:     %[[BOTH:.*]] = arith.addf %[[OUTER]], %[[PART]]
//       CHECK:     scf.yield %[[BOTH]]
//       CHECK:   vector.store %[[SUM]]
// CHECK: task.def @products{{.*}}description = "{{.*}}sum d2/256 d2/4; 16 lanes of d1; partial sums"
task.def @products(%x: tensor<2x1024xf32>, %y: tensor<1024x16xf32>) -> tensor<2x16xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 1>,
                               #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 2, size = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x16xf32>) -> tensor<2x16xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<2x1024xf32>, tensor<1024x16xf32>) outs(%init : tensor<2x16xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x16xf32>
  task.return %r : tensor<2x16xf32>
}

// 257 steps have no parts of one size: three of 72 and the rest of 41, with loops of their own.
// CHECK-LABEL: func.func private @odd.k0(
//       CHECK:   %[[WHOLE:.*]] = scf.for %{{.*}} = %c0{{.*}} to %c3{{.*}} iter_args
//       CHECK:     scf.for %{{.*}} = %c0{{.*}} to %c72
//       CHECK:     arith.addf
//       CHECK:   %[[REST:.*]] = scf.for %{{.*}} = %c0{{.*}} to %c41
//       CHECK:   arith.addf %[[WHOLE]], %[[REST]]
task.def @odd(%x: tensor<1028x16xf32>) -> tensor<16xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 16>,
                               #schedule.tile<nest = 0, dim = 1, size = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1028x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%p: f32, %sum: f32):
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  task.return %r : tensor<16xf32>
}

// Where a loop over the reduction lies around points, each of its pieces starts from -0 and is added to what is in memory.
// CHECK-LABEL: func.func private @in_memory.k0(
//       CHECK:   scf.for %{{.*}} = %c0{{.*}} to %c4
//       CHECK:     scf.for %{{.*}} = %c0{{.*}} to %c8
//       CHECK:       %[[ZERO:.*]] = arith.constant -0.000000e+00 : f32
//       CHECK:       %[[NONE:.*]] = vector.broadcast %[[ZERO]] : f32 to vector<16xf32>
//       CHECK:       %[[PART:.*]] = scf.for %{{.*}} = %c0{{.*}} to %c64{{.*}} iter_args(%{{.*}} = %[[NONE]])
//       CHECK:         scf.yield
//       CHECK:       %[[BEFORE:.*]] = vector.load
//       CHECK:       %[[BOTH:.*]] = arith.addf %[[BEFORE]], %[[PART]]
//       CHECK:       vector.store %[[BOTH]]
task.def @in_memory(%x: tensor<8x1024xf32>, %y: tensor<1024x16xf32>) -> tensor<8x16xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.tile<nest = 0, dim = 1, size = 16>,
                               #schedule.tile<nest = 0, dim = 2, size = 256>, #schedule.tile<nest = 0, dim = 0, size = 1>,
                               #schedule.tile<nest = 0, dim = 2, size = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<8x1024xf32>, tensor<1024x16xf32>) outs(%init : tensor<8x16xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  task.return %r : tensor<8x16xf32>
}

// Lanes that are summed have running sums of their own: 4096 elements are 64 for each of four times 16.
// CHECK-LABEL: func.func private @lanes.k0(
//       CHECK:   scf.for %{{.*}} = %c0{{.*}} to %c64{{.*}} iter_args
//   CHECK-NOT:   scf.for
//       CHECK:   vector.reduction <add>
task.def @lanes(%x: tensor<2x4096xf32>) -> tensor<2xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 1, size = 64>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.generic {indexing_maps = [#across, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x4096xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%p: f32, %sum: f32):
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  task.return %r : tensor<2xf32>
}

// Only sums of floats round.
// CHECK-LABEL: func.func private @largest.k0(
//       CHECK:   scf.for %{{.*}} = %c0{{.*}} to %c512{{.*}} iter_args
//   CHECK-NOT:   scf.for
//       CHECK:   return
task.def @largest(%x: tensor<2048x16xf32>) -> tensor<16xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 16>,
                               #schedule.tile<nest = 0, dim = 1, size = 4>>} {
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%least : f32) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%p: f32, %most: f32):
    %s = arith.maximumf %most, %p : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  task.return %r : tensor<16xf32>
}
