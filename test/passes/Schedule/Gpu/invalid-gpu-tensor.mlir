// What the step tensor may not say of a nest.
// RUN: cameo-opt %s --build-loops --apply-schedule -split-input-file -verify-diagnostics

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected a sum in i32 of products of bytes, or in f32 of products of f16, of bf16, or of f32 where a target's gpu_math is another type, and a device of compute capability 8.0 or more, for the matrix unit}}
task.def @matmul(%x: tensor<256x128xf32>, %w: tensor<128x192xf32>) -> tensor<256x192xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
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

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected both operands of the matrix unit in shared memory}}
task.def @matmul(%x: tensor<256x128xf16>, %w: tensor<128x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
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

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected loops that are bound to blocks and warps, and no unroll or dot, where the matrix unit multiplies}}
task.def @matmul(%x: tensor<256x128xf16>, %w: tensor<128x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 4>,
                               #schedule.tile<nest = 0, dim = 1, size = 4>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = thread>,
                               #schedule.bind<nest = 0, loop = 4, to = thread>, #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
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

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected a power of two of warps along dimension 0, got 48 points, and 16 of a warp}}
task.def @three_warps(%x: tensor<256x128xf16>, %w: tensor<128x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 48>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 16>,
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
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected powers of two as sizes along dimension 1, got 48 and 48}}
task.def @columns_side_by_side(%x: tensor<256x128xf16>, %w: tensor<128x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 48>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 16>,
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

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected multiples of 16 rows and 16 columns of a warp and of 16 steps, got 8, 32 and 32}}
task.def @matmul(%x: tensor<256x128xf16>, %w: tensor<128x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 8>,
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
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected multiples of 16 rows and 16 columns of a warp and of 16 steps, got 32, 32 and 8}}
task.def @matmul(%x: tensor<256x128xf16>, %w: tensor<128x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 8>, #schedule.tile<nest = 0, dim = 0, size = 32>,
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
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected contiguous runs of 4 bytes or more in memory for asynchronous copies}}
task.def @matmul(%x: tensor<256x129xf16>, %w: tensor<129x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x192xf32>) -> tensor<256x192xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x129xf16>, tensor<129x192xf16>) outs(%init : tensor<256x192xf32>) {
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

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80", gpu_math = "tf32">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected mma_tf32 of depth 8 for these operands and a target with tf32 as gpu_math, got mma of depth 16}}
task.def @matmul(%x: tensor<256x128xf32>, %w: tensor<128x192xf32>) -> tensor<256x192xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
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

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected bytes that are contiguous along the depth, for the matrix unit}}
task.def @bytes(%x: tensor<256x128xi8>, %w: tensor<128x192xi8>) -> tensor<256x192xi32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2>, #schedule.cache<nest = 0, buffer = 1, stages = 2>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 32>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<256x192xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<256x192xi32>) -> tensor<256x192xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x128xi8>, tensor<128x192xi8>) outs(%init : tensor<256x192xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %v = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %v : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<256x192xi32>
  task.return %r : tensor<256x192xi32>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected at most 256 points of a thread and 128 steps between fetches, got 32 and 256}}
task.def @matmul(%x: tensor<256x128xf16>, %w: tensor<128x192xf16>) -> tensor<256x192xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 256>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2>, #schedule.cache<nest = 0, buffer = 1, stages = 2>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
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
