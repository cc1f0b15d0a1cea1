// The last block of a dimension has fewer points: a thread has all of its points or none where the edge lies between warps, so one branch is around all stores.
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {

// 80 rows are five warps of 16.
// CHECK-LABEL: func.func private @between.k0(
//       CHECK:   scf.for {{.*}} iter_args
//       CHECK:   %[[EXISTS:.*]] = arith.cmpi ult, %{{.*}}, %c80
//  CHECK-NEXT:   scf.if %[[EXISTS]] {
//   CHECK-NOT:   scf.if
//       CHECK:     vector.store
//   CHECK-NOT:   scf.if
//       CHECK:     vector.store
//       CHECK:   return
task.def @between(%x: tensor<80x256xf16>, %w: tensor<256x64xf16>, %f: tensor<64xf32>) -> tensor<80x64xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<80x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<80x64xf32>) -> tensor<80x64xf32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<80x256xf16>, tensor<256x64xf16>) outs(%init : tensor<80x64xf32>) {
  ^bb0(%l: f16, %q: f16, %acc: f32):
    %u = arith.extf %l : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<80x64xf32>
  %out = tensor.empty() : tensor<80x64xf16>
  %n = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %f : tensor<80x64xf32>, tensor<64xf32>) outs(%out : tensor<80x64xf16>) {
  ^bb0(%l: f32, %by: f32, %unused: f16):
    %m = arith.mulf %l, %by : f32
    %o = arith.truncf %m : f32 to f16
    linalg.yield %o : f16
  } -> tensor<80x64xf16>
  task.return %n : tensor<80x64xf16>
}

// Of 72 rows a warp has eight, of which each thread has every second vector.
// CHECK-LABEL: func.func private @within.k0(
//       CHECK:   scf.for {{.*}} iter_args
//       CHECK:   scf.if
//       CHECK:     vector.store
//       CHECK:   }
//       CHECK:   scf.if
//       CHECK:     vector.store
//       CHECK:   }
task.def @within(%x: tensor<72x256xf16>, %w: tensor<256x64xf16>, %f: tensor<64xf32>) -> tensor<72x64xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<72x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<72x64xf32>) -> tensor<72x64xf32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<72x256xf16>, tensor<256x64xf16>) outs(%init : tensor<72x64xf32>) {
  ^bb0(%l: f16, %q: f16, %acc: f32):
    %u = arith.extf %l : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<72x64xf32>
  %out = tensor.empty() : tensor<72x64xf16>
  %n = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %f : tensor<72x64xf32>, tensor<64xf32>) outs(%out : tensor<72x64xf16>) {
  ^bb0(%l: f32, %by: f32, %unused: f16):
    %m = arith.mulf %l, %by : f32
    %o = arith.truncf %m : f32 to f16
    linalg.yield %o : f16
  } -> tensor<72x64xf16>
  task.return %n : tensor<72x64xf16>
}

}
