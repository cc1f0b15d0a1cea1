// Blocks of a cluster that divide a sum: what the step makes of kernels, and of launches without clusters.
// RUN: cameo-opt %s --build-loops --apply-schedule | FileCheck %s --check-prefix=LOOPS
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-gpu-kernels=clusters | FileCheck %s --check-prefix=KERNEL --implicit-check-not=task.arrive --implicit-check-not=task.counters
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=PLAIN --implicit-check-not=task.meet_cluster

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_90a">} {
// Each of 128 threads has 32 sums, 8 vectors of 4, 2048 bytes apart, in the memory of the operand that has most. A block adds up two of these in the order of the blocks, its own among them, behind a meeting, and
// leaves behind another one. Blocks of a cluster follow each other.
//  LOOPS-LABEL: task.def @product
//   LOOPS-SAME:   48 blocks of 128 threads with 32 points each, of which 4 divide a sum as a cluster
// KERNEL-LABEL: func.func private @product.k0(
//  KERNEL-SAME:   %[[BLOCK:[a-z0-9]+]]: index)
//  KERNEL-SAME:   task.block = #task.block<threads = 128, cluster = 4>
//       KERNEL:   %[[FOUR:.*]] = arith.constant 4 : index
//       KERNEL:   %[[PART:.*]] = arith.remui %[[BLOCK]], %[[FOUR]]
//       KERNEL:   scf.for
//       KERNEL:   gpu.barrier
//       KERNEL:   llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
//       KERNEL:   llvm.getelementptr %{{.*}}[14336]
//       KERNEL:   llvm.store {{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
//  KERNEL-NEXT:   task.meet_cluster of 4
//       KERNEL:   %[[ZERO:.*]] = arith.constant 0 : index
//       KERNEL:   arith.cmpi eq, %[[PART]], %[[ZERO]]
//  KERNEL-NEXT:   scf.if
// KERNEL-COUNT-6:   task.read_neighbour {{.*}} : !llvm.ptr<3>, vector<4xf32>
//   KERNEL-NOT:     task.read_neighbour
//       KERNEL:     vector.store
//       KERNEL:   arith.cmpi eq, %[[PART]]
// KERNEL-COUNT-6:   task.read_neighbour
//       KERNEL:   arith.cmpi eq, %[[PART]]
// KERNEL-COUNT-6:   task.read_neighbour
//       KERNEL:   arith.cmpi eq, %[[PART]]
// KERNEL-COUNT-6:   task.read_neighbour
//       KERNEL:   task.meet_cluster of 4
//  KERNEL-NEXT:   return
//       KERNEL:   task.dispatch @product.k0(%{{.*}}) extent 48
//  PLAIN-LABEL: func.func private @product.k0(
//   PLAIN-SAME:   task.block = #task.block<threads = 128>
//        PLAIN:   task.arrive {{.*}} of 4
task.def @product(%x: tensor<256x512xf16>, %w: tensor<512x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 128>, #schedule.tile<nest = 0, dim = 2, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 2, to = cluster>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.bind<nest = 0, loop = 5, to = warp>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x512xf16>, tensor<512x192xf16>) outs(%init : tensor<256x192xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x192xf32>
  %out = tensor.empty() : tensor<256x192xf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<256x192xf32>) outs(%out : tensor<256x192xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x192xf16>
  task.return %n : tensor<256x192xf16>
}
}
