// Threads of a warp reduce a point together where sums are long, neighbours along them lie side by side, and points are many enough for warps.
// RUN: split-file %s %t
// RUN: cameo-opt %t/rule.mlir --build-loops --schedule-tasks | FileCheck %t/rule.mlir
// RUN: cameo-opt %t/emit.mlir --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %t/emit.mlir
// RUN: cameo-opt %t/invalid.mlir -split-input-file --build-loops --apply-schedule -verify-diagnostics

//--- rule.mlir
// CHECK: task.def @dots({{.*}}schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.bind<nest = 0, loop = 0, to = warp>>
module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
task.def @dots(%x: tensor<512xf32>, %w: tensor<2000x512xf32>) -> tensor<2000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2000xf32>) -> tensor<2000xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<512xf32>, tensor<2000x512xf32>) outs(%init : tensor<2000xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2000xf32>
  task.return %r : tensor<2000xf32>
}
}

//--- emit.mlir
// Four warps of a block have a point each; the first thread of a warp stores what all of them exchanged.
// CHECK-LABEL: func.func private @dots.k0(
//  CHECK-SAME:   llvm.noalias
//  CHECK-SAME:   task.block = #task.block<threads = 128>
//       CHECK:   arith.divui %{{.*}}, %c32
//       CHECK:   arith.minui
//       CHECK:   %[[LANE:.*]] = arith.remui %{{.*}}, %c32
//       CHECK:   scf.for %{{.*}} = %[[LANE]] to %{{.*}} step %c32{{.*}} iter_args
// CHECK-COUNT-5:   gpu.shuffle xor
//       CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]]
//       CHECK:   %[[STORES:.*]] = arith.andi %{{.*}}, %[[FIRST]]
//       CHECK:   scf.if %[[STORES]] {
//       CHECK:     memref.store
//   CHECK-NOT:   gpu.barrier
// CHECK-LABEL: task.def @dots(
//       CHECK:   extent 3
module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
task.def @dots(%x: tensor<70xf32>, %w: tensor<10x70xf32>) -> tensor<10xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.bind<nest = 0, loop = 0, to = warp>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<10xf32>) -> tensor<10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<70xf32>, tensor<10x70xf32>) outs(%init : tensor<10xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  task.return %r : tensor<10xf32>
}
}

//--- invalid.mlir
module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: loop 0 over a parallel dimension cannot be bound to warps}}
task.def @dots(%x: tensor<70xf32>, %w: tensor<10x70xf32>) -> tensor<10xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.bind<nest = 0, loop = 0, to = warp>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<10xf32>) -> tensor<10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<70xf32>, tensor<10x70xf32>) outs(%init : tensor<10xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  task.return %r : tensor<10xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected one loop over a reduction, in pieces of 1, and no vectors if threads of a warp reduce together}}
task.def @dots(%x: tensor<70xf32>, %w: tensor<10x70xf32>) -> tensor<10xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 2>, #schedule.bind<nest = 0, loop = 0, to = warp>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<10xf32>) -> tensor<10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<70xf32>, tensor<10x70xf32>) outs(%init : tensor<10xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  task.return %r : tensor<10xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected reductions that repeat an operation with an identity, of f32 or i32, which threads of a warp exchange}}
task.def @dots(%w: tensor<10x70xf64>) -> tensor<10xf64> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.bind<nest = 0, loop = 0, to = warp>>} {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<10xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<10xf64>) -> tensor<10xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%w : tensor<10x70xf64>) outs(%init : tensor<10xf64>) {
  ^bb0(%q: f64, %acc: f64):
    %s = arith.addf %acc, %q : f64
    linalg.yield %s : f64
  } -> tensor<10xf64>
  task.return %r : tensor<10xf64>
}
}
