// What tiles with a window in shared memory may not have.
// RUN: cameo-opt %s --build-loops --apply-schedule -split-input-file -verify-diagnostics

#x = affine_map<(y, x, o, c, i, j) -> (y + i, x + j, c)>
#w = affine_map<(y, x, o, c, i, j) -> (c, i, j, o)>
#y = affine_map<(y, x, o, c, i, j) -> (y, x, o)>
#id = affine_map<(y, x, o) -> (y, x, o)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected asynchronous copies of a window, all steps of dimension 4 at once, got vector}}
task.def @copies(%x: tensor<66x130x64xf16>, %w: tensor<64x3x3x128xf16>) -> tensor<64x128x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 8>, #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 2, size = 64>,
                               #schedule.tile<nest = 0, dim = 3, size = 16>, #schedule.tile<nest = 0, dim = 4, size = 3>, #schedule.tile<nest = 0, dim = 5, size = 3>,
                               #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 2, size = 32>,
                               #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 2, to = block>,
                               #schedule.bind<nest = 0, loop = 6, to = warp>, #schedule.bind<nest = 0, loop = 7, to = warp>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = vector>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = vector>,
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
}

// -----

#x = affine_map<(y, x, o, c, i, j) -> (y + i, x + j, c)>
#w = affine_map<(y, x, o, c, i, j) -> (c, i, j, o)>
#y = affine_map<(y, x, o, c, i, j) -> (y, x, o)>
#id = affine_map<(y, x, o) -> (y, x, o)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected a multiple of 16 steps along dimension 3, of which each position of a window has all, got 8}}
task.def @whole_instructions(%x: tensor<66x130x64xf16>, %w: tensor<64x3x3x128xf16>) -> tensor<64x128x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 8>, #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 2, size = 64>,
                               #schedule.tile<nest = 0, dim = 3, size = 8>, #schedule.tile<nest = 0, dim = 4, size = 3>, #schedule.tile<nest = 0, dim = 5, size = 3>,
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
}

// -----

#x = affine_map<(y, x, o, c, i, j) -> (y + i, x + j, c)>
#w = affine_map<(y, x, o, c, i, j) -> (c, i, j, o)>
#y = affine_map<(y, x, o, c, i, j) -> (y, x, o)>
#id = affine_map<(y, x, o) -> (y, x, o)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected at most 256 points of a thread and 512 steps between fetches, got 64 and 576}}
task.def @many_steps(%x: tensor<66x130x64xf16>, %w: tensor<64x3x3x128xf16>) -> tensor<64x128x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 8>, #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 2, size = 64>,
                               #schedule.tile<nest = 0, dim = 3, size = 64>, #schedule.tile<nest = 0, dim = 4, size = 3>, #schedule.tile<nest = 0, dim = 5, size = 3>,
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
}

// -----

#x = affine_map<(y, x, o, c, i, j) -> (y + i, x + j, c)>
#w = affine_map<(y, x, o, c, i, j) -> (c, i, j, o)>
#y = affine_map<(y, x, o, c, i, j) -> (y, x, o)>
#id = affine_map<(y, x, o) -> (y, x, o)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected powers of two as sizes along dimension 5, got 3 and 1}}
task.def @some_taps(%x: tensor<66x130x64xf16>, %w: tensor<64x3x3x128xf16>) -> tensor<64x128x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 128>, #schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.tile<nest = 0, dim = 2, size = 64>,
                               #schedule.tile<nest = 0, dim = 3, size = 16>, #schedule.tile<nest = 0, dim = 4, size = 1>, #schedule.tile<nest = 0, dim = 5, size = 3>,
                               #schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>,
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
}
