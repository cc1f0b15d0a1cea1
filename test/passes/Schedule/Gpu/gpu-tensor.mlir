// Products of halves that the matrix unit of a GPU multiplies: what the step makes of loops and kernels, and when rules choose it.
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule | FileCheck %s --check-prefix=LOOPS
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=KERNEL
// RUN: cameo-opt %s -split-input-file --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {

// Four warps of 32 x 32 points. Copies of 16 bytes fill three stages; vectors are exchanged by the number of their row, an exclusive or. What lies along the depth is read as it is, what lies along
// the columns turned around. Sums are f32, rounded once. The loop divides nothing: addresses are computed before it.
//  LOOPS-LABEL: task.def @product
//   LOOPS-SAME:   description = "d0/64 d1/64, sum d2/32, d0/32 d1/32; matrix unit, 16 x 8 x 16; shared memory, 3 stages of asynchronous copies; 12 blocks of 128 threads with 32 points each"
//        LOOPS:   bound = {{\[\[}}0, 0], [1, 0], [3, 3], [4, 3]], cached = [0, 1], stages = 3, async = true, tensor = [0, 16, 8, 16]>
//   KERNEL-DAG: memref.global "private" @product.k0.shared0 : memref<6144xf16, 3> = uninitialized
//   KERNEL-DAG: memref.global "private" @product.k0.shared1 : memref<6144xf16, 3> = uninitialized
// KERNEL-LABEL: func.func private @product.k0(
//  KERNEL-SAME:   task.block = #task.block<threads = 128>
//       KERNEL:   arith.xori
//       KERNEL:   nvvm.cp.async.shared.global {{.*}}, 16, cache ={{ *}}cg
//       KERNEL:   scf.for {{.*}} iter_args
//       KERNEL:     nvvm.cp.async.wait.group 1
//  KERNEL-NEXT:     gpu.barrier
//   KERNEL-NOT:     arith.{{div|rem|ceildiv|floordiv}}
//       KERNEL:     nvvm.cp.async.shared.global {{.*}}, 16, cache ={{ *}}cg
//   KERNEL-NOT:     arith.{{div|rem|ceildiv|floordiv}}
//       KERNEL:     nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
//   KERNEL-NOT:     arith.{{div|rem|ceildiv|floordiv}}
//       KERNEL:     nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 4
// KERNEL-COUNT-16:  nvvm.mma.sync {{.*}}(vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
//   KERNEL-NOT:     nvvm.mma.sync
//       KERNEL:     scf.yield
//       KERNEL:   arith.truncf {{.*}} : f32 to f16
//       KERNEL:   vector.store {{.*}}, %arg2{{.*}} {alignment = 4 : i64} : memref<49152xf16>, vector<2xf16>
task.def @product(%x: tensor<256x128xf16>, %w: tensor<128x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x128xf16>, tensor<128x192xf16>) outs(%init : tensor<256x192xf32>) {
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

// Rules take the matrix unit for a large one, too, in several warps and stages.
//  STEPS-LABEL: task.def @chosen
//   STEPS-SAME:   to = warp>, {{.*}}#schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>,
//   STEPS-SAME:   #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>
task.def @chosen(%x: tensor<2048x512xf16>, %w: tensor<512x2048xf16>) -> tensor<2048x2048xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2048x2048xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2048x512xf16>, tensor<512x2048xf16>) outs(%init : tensor<2048x2048xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2048x2048xf32>
  %out = tensor.empty() : tensor<2048x2048xf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<2048x2048xf32>) outs(%out : tensor<2048x2048xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<2048x2048xf16>
  task.return %n : tensor<2048x2048xf16>
}

// Numbers of bf16 are pairs of 32 bits. Nothing is aligned: elements go through registers, and zeros fill up the depth. At the edges there is something to compute with, which nobody stores.
//  STEPS-LABEL: task.def @edges
//   STEPS-SAME:   #schedule.cache<nest = 0, buffer = 0, stages = 2>, #schedule.cache<nest = 0, buffer = 1, stages = 2>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>
task.def @edges(%x: tensor<37x53xbf16>, %w: tensor<53x29xbf16>) -> tensor<37x29xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<37x29xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<37x29xf32>) -> tensor<37x29xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<37x53xbf16>, tensor<53x29xbf16>) outs(%init : tensor<37x29xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %u = arith.extf %p : bf16 to f32
    %v = arith.extf %q : bf16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<37x29xf32>
  %out = tensor.empty() : tensor<37x29xbf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<37x29xf32>) outs(%out : tensor<37x29xbf16>) {
  ^bb0(%p: f32, %unused: bf16):
    %o = arith.truncf %p : f32 to bf16
    linalg.yield %o : bf16
  } -> tensor<37x29xbf16>
  task.return %n : tensor<37x29xbf16>
}

}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// Those of f32 are for threads.
//  STEPS-LABEL: task.def @single
//    STEPS-NOT:   #schedule.tensor
module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
task.def @single(%x: tensor<256x128xf32>, %w: tensor<128x192xf32>) -> tensor<256x192xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x128xf32>, tensor<128x192xf32>) outs(%init : tensor<256x192xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x192xf32>
  %out = tensor.empty() : tensor<256x192xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<256x192xf32>) outs(%out : tensor<256x192xf32>) {
  ^bb0(%p: f32, %unused: f32):
    %o = arith.addf %p, %p : f32
    linalg.yield %o : f32
  } -> tensor<256x192xf32>
  task.return %n : tensor<256x192xf32>
}
}
