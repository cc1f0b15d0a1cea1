// Blocks compute three products at most.
// RUN: cameo-opt %s --build-loops --apply-schedule -verify-diagnostics

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 3: expected at most 3 products in a block, got 4}}
task.def @four(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %d: tensor<64x64xf16>, %e: tensor<64x64xf16>) -> tensor<256x64xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 6, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>, #schedule.tile<nest = 2, dim = 0, size = 64>, #schedule.tile<nest = 2, dim = 1, size = 64>, #schedule.tile<nest = 2, dim = 2, size = 64>, #schedule.tile<nest = 2, dim = 0, size = 32>, #schedule.tile<nest = 2, dim = 1, size = 32>, #schedule.bind<nest = 2, loop = 0, to = block>, #schedule.bind<nest = 2, loop = 1, to = block>, #schedule.bind<nest = 2, loop = 3, to = warp>, #schedule.bind<nest = 2, loop = 4, to = warp>, #schedule.cache<nest = 2, buffer = 7, stages = 1, copy = async>, #schedule.cache<nest = 2, buffer = 3, stages = 1, copy = async>, #schedule.tensor<nest = 2, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 2>, #schedule.tile<nest = 3, dim = 0, size = 64>, #schedule.tile<nest = 3, dim = 1, size = 64>, #schedule.tile<nest = 3, dim = 2, size = 64>, #schedule.tile<nest = 3, dim = 0, size = 32>, #schedule.tile<nest = 3, dim = 1, size = 32>, #schedule.bind<nest = 3, loop = 0, to = block>, #schedule.bind<nest = 3, loop = 1, to = block>, #schedule.bind<nest = 3, loop = 3, to = warp>, #schedule.bind<nest = 3, loop = 4, to = warp>, #schedule.cache<nest = 3, buffer = 8, stages = 1, copy = async>, #schedule.cache<nest = 3, buffer = 4, stages = 1, copy = async>, #schedule.tensor<nest = 3, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 3>>} {
  %hzero = arith.constant 0.0 : f32
  %hempty = tensor.empty() : tensor<256x64xf32>
  %hinit = linalg.fill ins(%hzero : f32) outs(%hempty : tensor<256x64xf32>) -> tensor<256x64xf32>
  %hr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a : tensor<256x64xf16>, tensor<64x64xf16>) outs(%hinit : tensor<256x64xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x64xf32>
  %hout = tensor.empty() : tensor<256x64xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%hr : tensor<256x64xf32>) outs(%hout : tensor<256x64xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x64xf16>
  %yzero = arith.constant 0.0 : f32
  %yempty = tensor.empty() : tensor<256x64xf32>
  %yinit = linalg.fill ins(%yzero : f32) outs(%yempty : tensor<256x64xf32>) -> tensor<256x64xf32>
  %yr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %b : tensor<256x64xf16>, tensor<64x64xf16>) outs(%yinit : tensor<256x64xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x64xf32>
  %yout = tensor.empty() : tensor<256x64xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%yr : tensor<256x64xf32>) outs(%yout : tensor<256x64xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x64xf16>
  %zzero = arith.constant 0.0 : f32
  %zempty = tensor.empty() : tensor<256x64xf32>
  %zinit = linalg.fill ins(%zzero : f32) outs(%zempty : tensor<256x64xf32>) -> tensor<256x64xf32>
  %zr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %d : tensor<256x64xf16>, tensor<64x64xf16>) outs(%zinit : tensor<256x64xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x64xf32>
  %zout = tensor.empty() : tensor<256x64xf16>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%zr : tensor<256x64xf32>) outs(%zout : tensor<256x64xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x64xf16>
  %wzero = arith.constant 0.0 : f32
  %wempty = tensor.empty() : tensor<256x64xf32>
  %winit = linalg.fill ins(%wzero : f32) outs(%wempty : tensor<256x64xf32>) -> tensor<256x64xf32>
  %wr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%z, %e : tensor<256x64xf16>, tensor<64x64xf16>) outs(%winit : tensor<256x64xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x64xf32>
  %wout = tensor.empty() : tensor<256x64xf16>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%wr : tensor<256x64xf32>) outs(%wout : tensor<256x64xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x64xf16>
  task.return %w : tensor<256x64xf16>
}
}
