// Blocks of a chain do not pool the results of its second product.
// RUN: cameo-opt %s --build-loops --apply-schedule -verify-diagnostics

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#points = affine_map<(m, n, k) -> (2 * m + k, n)>
#steps = affine_map<(m, n, k) -> (k)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 1: expected a product with blocks of its own, to pool it, got those of the product before it}}
task.def @pooled(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x128xf16>) -> tensor<128x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 4, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>, #schedule.pool<nest = 1>>} {
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
  %yempty = tensor.empty() : tensor<256x128xf32>
  %yinit = linalg.fill ins(%yzero : f32) outs(%yempty : tensor<256x128xf32>) -> tensor<256x128xf32>
  %yr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %b : tensor<256x64xf16>, tensor<64x128xf16>) outs(%yinit : tensor<256x128xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x128xf32>
  %yout = tensor.empty() : tensor<256x128xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%yr : tensor<256x128xf32>) outs(%yout : tensor<256x128xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x128xf16>
  %least = arith.constant 0xFC00 : f16
  %window = tensor.empty() : tensor<2xf16>
  %zempty = tensor.empty() : tensor<128x128xf16>
  %zinit = linalg.fill ins(%least : f16) outs(%zempty : tensor<128x128xf16>) -> tensor<128x128xf16>
  %z = linalg.generic {indexing_maps = [#points, #steps, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%y, %window : tensor<256x128xf16>, tensor<2xf16>) outs(%zinit : tensor<128x128xf16>) {
  ^bb0(%p: f16, %unused: f16, %acc: f16):
    %o = arith.maximumf %acc, %p : f16
    linalg.yield %o : f16
  } -> tensor<128x128xf16>
  task.return %z : tensor<128x128xf16>
}
}
