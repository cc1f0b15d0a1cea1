// Tiles of the matrix unit whose columns are no power of two: the constant is packed with its steps side by side, so that rows of shared memory are those of a column, of which there may be any number.
// RUN: cameo-opt %s --build-loops --apply-schedule | FileCheck %s --check-prefix=LOOPS
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=KERNEL

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {

func.func @main(%x: tensor<256x128xf16>) -> tensor<256x192xf16> {
  %w = arith.constant dense_resource<weights> : tensor<128x192xf16>
  %y = task.call @product(%x, %w) : (tensor<256x128xf16>, tensor<128x192xf16>) -> tensor<256x192xf16>
  return %y : tensor<256x192xf16>
}

// Four warps of 32 x 48 points. Of the constant a stage has 96 columns of 32 steps, 384 vectors, of which each thread copies three. Both operands are read as they lie.
//  LOOPS-LABEL: task.def @product
//   LOOPS-SAME:   description = "d0/64 d1/96, sum d2/32, d0/32 d1/48; {{.*}} 8 blocks of 128 threads with 48 points each; packed"
//        LOOPS:   loop.buffer argument 1 packable {task.packing = #task.packing<elements = 24576, nests = {{\[\[}}0, 0, [192, 128], [128, 1], [1, 192]]]>}
//   KERNEL-DAG: memref.global "private" @product.k0.shared0 : memref<6144xf16, 3> = uninitialized
//   KERNEL-DAG: memref.global "private" @product.k0.shared1 : memref<9216xf16, 3> = uninitialized
// KERNEL-LABEL: func.func private @product.k0(
//       KERNEL:   scf.for {{.*}} iter_args
// KERNEL-COUNT-5:   nvvm.cp.async.shared.global {{.*}}, 16, cache ={{ *}}cg
//   KERNEL-NOT:     nvvm.cp.async.shared.global
//   KERNEL-NOT:     layout = #nvvm.mma_layout<col>
// KERNEL-COUNT-24:  nvvm.mma.sync
//   KERNEL-NOT:     nvvm.mma.sync
//       KERNEL:     scf.yield
task.def @product(%x: tensor<256x128xf16>, %w: tensor<128x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.pack<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 96>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 48>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
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
}
