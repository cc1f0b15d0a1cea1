// Products of halves that four warps of a GPU multiply together, straight from shared memory: what the step makes of kernels.
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule | FileCheck %s --check-prefix=LOOPS
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=KERNEL

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_90a">} {

// Eight warps of 16 x 128 points are two groups. Rows of 128 bytes lie along the depth of the left operand, so a step of 16 begins 32 bytes further; the right one has panels of 64 columns, in which 16 rows
// of the depth are 2048 bytes. Each thread has a fence between its copies and the barrier. The products start before the next copies, and those of the step before are waited for behind them.
//  LOOPS-LABEL: task.def @product
//   LOOPS-SAME:   description = "d0/128 d1/128, sum d2/64, d0/16; matrix unit, 64 x 128 x 16; shared memory, 4 stages of asynchronous copies; 4 blocks of 256 threads with 64 points each"
//        LOOPS:   bound = {{\[\[}}0, 0], [1, 0], [3, 3]], cached = [0, 1], stages = 4, async = true, tensor = [5, 64, 128, 16]>
//   KERNEL-DAG: memref.global "private" @product.k0.shared0 : memref<32768xf16, 3> = uninitialized {alignment = 1024 : i64}
//   KERNEL-DAG: memref.global "private" @product.k0.shared1 : memref<32768xf16, 3> = uninitialized {alignment = 1024 : i64}
// KERNEL-LABEL: func.func private @product.k0(
//  KERNEL-SAME:   task.block = #task.block<threads = 256>
//       KERNEL:   nvvm.cp.async.shared.global {{.*}}, 16, cache ={{ *}}cg
//       KERNEL:   scf.for {{.*}} iter_args
//       KERNEL:     nvvm.cp.async.wait.group 1
//  KERNEL-NEXT:     nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
//  KERNEL-NEXT:     gpu.barrier
//   KERNEL-NOT:     arith.{{div|rem|ceildiv|floordiv}}
//       KERNEL:     nvvm.wgmma.fence.aligned
//  KERNEL-NEXT:     task.multiply_group %{{.*}} [0, 128, 1024, 0, 0], %{{.*}} [0, 128, 1024, 8192, 1], {{.*}} of f16
//  KERNEL-NEXT:     task.multiply_group %{{.*}} [32, 128, 1024, 0, 0], %{{.*}} [2048, 128, 1024, 8192, 1], {{.*}} of f16
//  KERNEL-NEXT:     task.multiply_group %{{.*}} [64, 128, 1024, 0, 0], %{{.*}} [4096, 128, 1024, 8192, 1], {{.*}} of f16
//  KERNEL-NEXT:     task.multiply_group %{{.*}} [96, 128, 1024, 0, 0], %{{.*}} [6144, 128, 1024, 8192, 1], {{.*}} of f16
//  KERNEL-NEXT:     nvvm.wgmma.commit.group.sync.aligned
//   KERNEL-NOT:     arith.{{div|rem|ceildiv|floordiv}}
//       KERNEL:     nvvm.cp.async.shared.global {{.*}}, 16, cache ={{ *}}cg
//       KERNEL:     nvvm.cp.async.commit.group
//       KERNEL:     task.await_products 1
//       KERNEL:     scf.yield
//       KERNEL:   task.await_products 0 of
//       KERNEL:   arith.truncf {{.*}} : f32 to f16
//       KERNEL:   vector.store {{.*}} {alignment = 4 : i64} : memref<49152xf16>, vector<2xf16>
task.def @product(%x: tensor<256x512xf16>, %w: tensor<512x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 128>, #schedule.tile<nest = 0, dim = 1, size = 128>, #schedule.tile<nest = 0, dim = 2, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 4, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 4, copy = async>, #schedule.tensor<nest = 0, kind = wgmma, m = 64, n = 128, k = 16>>} {
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

// Rows of 64 bytes, in which both operands lie along the depth; of three stages one is copied ahead.
// KERNEL-LABEL: func.func private @turned.k0(
//       KERNEL:     nvvm.cp.async.wait.group 0
//  KERNEL-NEXT:     nvvm.fence.proxy
//  KERNEL-NEXT:     gpu.barrier
//       KERNEL:     task.multiply_group %{{.*}} [0, 64, 512, 0, 0], %{{.*}} [0, 64, 512, 0, 0], {{.*}} of bf16
//  KERNEL-NEXT:     task.multiply_group %{{.*}} [32, 64, 512, 0, 0], %{{.*}} [32, 64, 512, 0, 0], {{.*}} of bf16
//  KERNEL-NEXT:     nvvm.wgmma.commit.group.sync.aligned
task.def @turned(%x: tensor<256x128xbf16>, %w: tensor<192x128xbf16>) -> tensor<256x192xbf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = wgmma, m = 64, n = 64, k = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x128xbf16>, tensor<192x128xbf16>) outs(%init : tensor<256x192xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %u = arith.extf %p : bf16 to f32
    %v = arith.extf %q : bf16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x192xf32>
  %out = tensor.empty() : tensor<256x192xbf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<256x192xf32>) outs(%out : tensor<256x192xbf16>) {
  ^bb0(%p: f32, %unused: bf16):
    %o = arith.truncf %p : f32 to bf16
    linalg.yield %o : bf16
  } -> tensor<256x192xbf16>
  task.return %n : tensor<256x192xbf16>
}
}

// -----

#x = affine_map<(y, x, o, c, i, j) -> (y + i, x + j, c)>
#w = affine_map<(y, x, o, c, i, j) -> (c, i, j, o)>
#y = affine_map<(y, x, o, c, i, j) -> (y, x, o)>
#id = affine_map<(y, x, o) -> (y, x, o)>

module attributes {cameo.target = #cameo.target<gpu = "sm_90a">} {

// A window of 18 x 10 positions: all of them for 8 channels, then for the next 8, which lie in other banks, as 180 is no multiple of 8. Eight neighbours are 128 bytes, the next row of them is 160 further. At
// the next tap a matrix begins 16 or 160 bytes later, and the filter 16 rows of 128 bytes.
// LOOPS-LABEL: task.def @near
//  LOOPS-SAME:   windows of 180 positions
// KERNEL-LABEL: func.func private @near.k0(
//       KERNEL:     task.multiply_group %{{.*}} [0, 16, 160, 2880, 0], %{{.*}} [0, 128, 1024, 0, 1], {{.*}} of f16
//  KERNEL-NEXT:     task.multiply_group %{{.*}} [16, 16, 160, 2880, 0], %{{.*}} [2048, 128, 1024, 0, 1], {{.*}} of f16
//  KERNEL-NEXT:     task.multiply_group %{{.*}} [32, 16, 160, 2880, 0], %{{.*}} [4096, 128, 1024, 0, 1], {{.*}} of f16
//  KERNEL-NEXT:     task.multiply_group %{{.*}} [160, 16, 160, 2880, 0], %{{.*}} [6144, 128, 1024, 0, 1], {{.*}} of f16
// KERNEL-COUNT-5:   task.multiply_group
//  KERNEL-NEXT:     nvvm.wgmma.commit.group.sync.aligned
task.def @near(%x: tensor<66x130x64xf16>, %w: tensor<64x3x3x128xf16>) -> tensor<64x128x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.tile<nest = 0, dim = 1, size = 8>, #schedule.tile<nest = 0, dim = 2, size = 64>,
                               #schedule.tile<nest = 0, dim = 3, size = 16>, #schedule.tile<nest = 0, dim = 4, size = 3>, #schedule.tile<nest = 0, dim = 5, size = 3>,
                               #schedule.tile<nest = 0, dim = 0, size = 2>,
                               #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 2, to = block>,
                               #schedule.bind<nest = 0, loop = 6, to = warp>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>,
                               #schedule.tensor<nest = 0, kind = wgmma, m = 64, n = 64, k = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x128x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x128x128xf32>) -> tensor<64x128x128xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<66x130x64xf16>, tensor<64x3x3x128xf16>) outs(%init : tensor<64x128x128xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x128x128xf32>
  %out = tensor.empty() : tensor<64x128x128xf16>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<64x128x128xf32>) outs(%out : tensor<64x128x128xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<64x128x128xf16>
  task.return %n : tensor<64x128x128xf16>
}
}
