// Products of f32 that the matrix unit of a GPU multiplies as numbers with fewer bits, as the target allows: what the step makes of kernels, and when rules choose it.
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=KERNEL
// RUN: cameo-opt %s -split-input-file --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80", gpu_math = "tf32">} {

// Rows of 16 bytes along the depth are matrices of 8 x 4 numbers: 4 x 16 points for 8 steps take four instructions. What lies along the columns is read number by number: 16 bits are all that an
// instruction turns around. A step of 16 is two of 2 x 4 products.
// KERNEL-LABEL: func.func private @product.k0(
//       KERNEL:   scf.for {{.*}} iter_args
// KERNEL-COUNT-2:   nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
// KERNEL-COUNT-8:   llvm.load {{.*}} : !llvm.ptr<3> -> f32
// KERNEL-COUNT-2:   nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
// KERNEL-COUNT-8:   llvm.load {{.*}} : !llvm.ptr<3> -> f32
//     KERNEL-NOT:   nvvm.ldmatrix
// KERNEL-COUNT-16:  nvvm.convert.float.to.tf32 {{.*}}rnd = #nvvm.fp_rnd_mode<rna>
// KERNEL-COUNT-8:   nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 8>{{.*}}(i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
// KERNEL-COUNT-16:  nvvm.convert.float.to.tf32
// KERNEL-COUNT-8:   nvvm.mma.sync
//     KERNEL-NOT:   nvvm.mma.sync
//       KERNEL:     scf.yield
task.def @product(%x: tensor<256x128xf32>, %w: tensor<128x192xf32>) -> tensor<256x192xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma_tf32, m = 16, n = 8, k = 8>>} {
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
  task.return %r : tensor<256x192xf32>
}

// Rules take it for a large product.
//  STEPS-LABEL: task.def @chosen
//   STEPS-SAME:   to = warp>, {{.*}}#schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>,
//   STEPS-SAME:   #schedule.tensor<nest = 0, kind = mma_tf32, m = 16, n = 8, k = 8>
task.def @chosen(%x: tensor<2048x512xf32>, %w: tensor<512x2048xf32>) -> tensor<2048x2048xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2048x2048xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2048x512xf32>, tensor<512x2048xf32>) outs(%init : tensor<2048x2048xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2048x2048xf32>
  task.return %r : tensor<2048x2048xf32>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80", gpu_math = "3xtf32">} {

// The part of each number that rounding leaves is rounded, too, and three products are added, the largest last.
// KERNEL-LABEL: func.func private @parts.k0(
//       KERNEL:   scf.for {{.*}} iter_args
//   KERNEL-NOT:     memref.load
// KERNEL-COUNT-8:   nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
//       KERNEL:     %[[SUM:.*]] = arith.addi %[[BITS:.*]], %c4096_i32{{.*}} : i32
//       KERNEL:     %[[LARGE:.*]] = arith.andi %[[SUM]], %c-8192_i32{{.*}} : i32
//   KERNEL-DAG:     %[[BACK:.*]] = llvm.bitcast %[[LARGE]] : i32 to f32
//   KERNEL-DAG:     %[[NUMBER:.*]] = llvm.bitcast %[[BITS]] : i32 to f32
//       KERNEL:     %[[REST:.*]] = arith.subf %[[NUMBER]], %[[BACK]] : f32
//       KERNEL:     nvvm.convert.float.to.tf32 %[[REST]] {
// KERNEL-COUNT-48:  nvvm.mma.sync {{.*}}tf32
//   KERNEL-NOT:     nvvm.mma.sync
//       KERNEL:     scf.yield
task.def @parts(%x: tensor<256x128xf32>, %w: tensor<192x128xf32>) -> tensor<256x192xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma_3xtf32, m = 16, n = 8, k = 8>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x128xf32>, tensor<192x128xf32>) outs(%init : tensor<256x192xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x192xf32>
  task.return %r : tensor<256x192xf32>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80", gpu_math = "f16">} {

// Steps 0 and 4, 1 and 5, ... are neighbours in registers, of both operands.
// KERNEL-LABEL: func.func private @halves.k0(
//       KERNEL:   scf.for {{.*}} iter_args
// KERNEL-COUNT-8:   nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
// KERNEL-COUNT-16:  arith.truncf {{.*}} : vector<2xf32> to vector<2xf16>
// KERNEL-COUNT-8:   nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>{{.*}}(vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
//   KERNEL-NOT:     nvvm.mma.sync
//       KERNEL:     scf.yield
task.def @halves(%x: tensor<256x128xf32>, %w: tensor<192x128xf32>) -> tensor<256x192xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma_f16, m = 16, n = 8, k = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x128xf32>, tensor<192x128xf32>) outs(%init : tensor<256x192xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x192xf32>
  task.return %r : tensor<256x192xf32>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80", gpu_math = "bf16">} {

// KERNEL-LABEL: func.func private @brains.k0(
//       KERNEL:   scf.for {{.*}} iter_args
// KERNEL-COUNT-16:  arith.truncf {{.*}} : vector<2xf32> to vector<2xbf16>
// KERNEL-COUNT-8:   nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>
task.def @brains(%x: tensor<256x128xf32>, %w: tensor<192x128xf32>) -> tensor<256x192xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma_bf16, m = 16, n = 8, k = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x128xf32>, tensor<192x128xf32>) outs(%init : tensor<256x192xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x192xf32>
  task.return %r : tensor<256x192xf32>
}
}
