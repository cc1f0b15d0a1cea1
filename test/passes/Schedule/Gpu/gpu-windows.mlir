// Convolutions whose blocks keep a window of their input in shared memory: all taps of some channels, each element once.
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule | FileCheck %s --check-prefix=LOOPS
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=KERNEL
// RUN: cameo-opt %s -split-input-file --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS

#x = affine_map<(y, x, o, c, i, j) -> (y + i, x + j, c)>
#w = affine_map<(y, x, o, c, i, j) -> (c, i, j, o)>
#y = affine_map<(y, x, o, c, i, j) -> (y, x, o)>
#id = affine_map<(y, x, o) -> (y, x, o)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {

// A window of 10 x 18 positions, each with 16 channels and 16 bytes that keep rows in different banks: 24 elements, twice. The filter has 9 x 16 x 64 elements. The products of a step are unrolled: 9 taps,
// 4 x 4 instructions.
//  LOOPS-LABEL: task.def @near
//   LOOPS-SAME:   128 blocks of 128 threads with 64 points each, windows of 180 positions
//   KERNEL-DAG: memref.global "private" @near.k0.shared0 : memref<8640xf16, 3> = uninitialized
//   KERNEL-DAG: memref.global "private" @near.k0.shared1 : memref<18432xf16, 3> = uninitialized
// KERNEL-LABEL: func.func private @near.k0(
//       KERNEL:   scf.for {{.*}} iter_args
//       KERNEL:     nvvm.cp.async.wait.group 0
//   KERNEL-NOT:     arith.{{div|rem|ceildiv|floordiv}}
//       KERNEL:     nvvm.cp.async.shared.global {{.*}}, 16, cache ={{ *}}cg
// KERNEL-COUNT-144: nvvm.mma.sync
//   KERNEL-NOT:     nvvm.mma.sync
//       KERNEL:     scf.yield
task.def @near(%x: tensor<66x130x64xf16>, %w: tensor<64x3x3x128xf16>) -> tensor<64x128x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 8>, #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 2, size = 64>,
                               #schedule.tile<nest = 0, dim = 3, size = 16>, #schedule.tile<nest = 0, dim = 4, size = 3>, #schedule.tile<nest = 0, dim = 5, size = 3>,
                               #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 2, size = 32>,
                               #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 2, to = block>,
                               #schedule.bind<nest = 0, loop = 6, to = warp>, #schedule.bind<nest = 0, loop = 7, to = warp>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>,
                               #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
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

// Rules take windows, too.
//  STEPS-LABEL: task.def @chosen
//   STEPS-SAME:   #schedule.tile<nest = 0, dim = 4, size = 3>, #schedule.tile<nest = 0, dim = 5, size = 3>
task.def @chosen(%x: tensor<66x130x64xf16>, %w: tensor<64x3x3x128xf16>) -> tensor<64x128x128xf16> {
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
