// What steps for GPUs may not say of a nest.
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule -verify-diagnostics

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected at most 1024 threads, got 4096}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>,
                               #schedule.tile<nest = 0, dim = 1, size = 64>,
                               #schedule.tile<nest = 0, dim = 0, size = 1>,
                               #schedule.tile<nest = 0, dim = 1, size = 1>,
                               #schedule.bind<nest = 0, loop = 0, to = block>,
                               #schedule.bind<nest = 0, loop = 1, to = block>,
                               #schedule.bind<nest = 0, loop = 2, to = thread>,
                               #schedule.bind<nest = 0, loop = 3, to = thread>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected loop 3 over a parallel dimension to be bound}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>,
                               #schedule.tile<nest = 0, dim = 1, size = 64>,
                               #schedule.tile<nest = 0, dim = 0, size = 8>,
                               #schedule.tile<nest = 0, dim = 1, size = 8>,
                               #schedule.bind<nest = 0, loop = 0, to = block>,
                               #schedule.bind<nest = 0, loop = 1, to = block>,
                               #schedule.bind<nest = 0, loop = 2, to = thread>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected sums of a thread that fit into 255 registers, got 256}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>,
                               #schedule.tile<nest = 0, dim = 1, size = 64>,
                               #schedule.tile<nest = 0, dim = 2, size = 64>,
                               #schedule.tile<nest = 0, dim = 0, size = 16>,
                               #schedule.tile<nest = 0, dim = 1, size = 16>,
                               #schedule.bind<nest = 0, loop = 0, to = block>,
                               #schedule.bind<nest = 0, loop = 1, to = block>,
                               #schedule.bind<nest = 0, loop = 3, to = thread>,
                               #schedule.bind<nest = 0, loop = 4, to = thread>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected at most 101376 bytes of shared memory, got 104448}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>,
                               #schedule.tile<nest = 0, dim = 1, size = 64>,
                               #schedule.tile<nest = 0, dim = 2, size = 64>,
                               #schedule.tile<nest = 0, dim = 0, size = 8>,
                               #schedule.tile<nest = 0, dim = 1, size = 8>,
                               #schedule.bind<nest = 0, loop = 0, to = block>,
                               #schedule.bind<nest = 0, loop = 1, to = block>,
                               #schedule.bind<nest = 0, loop = 3, to = thread>,
                               #schedule.bind<nest = 0, loop = 4, to = thread>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>,
                               #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected sizes along dimension 0 that divide each other, got 64, 64 and 10}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>,
                               #schedule.tile<nest = 0, dim = 1, size = 64>,
                               #schedule.tile<nest = 0, dim = 0, size = 10>,
                               #schedule.tile<nest = 0, dim = 1, size = 8>,
                               #schedule.bind<nest = 0, loop = 0, to = block>,
                               #schedule.bind<nest = 0, loop = 1, to = block>,
                               #schedule.bind<nest = 0, loop = 2, to = thread>,
                               #schedule.bind<nest = 0, loop = 3, to = thread>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: loop 0 is bound twice}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 8>,
                               #schedule.bind<nest = 0, loop = 0, to = thread>,
                               #schedule.bind<nest = 0, loop = 0, to = block>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected blocks that divide dimension 0, or all reads along it from shared memory}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 48>,
                               #schedule.tile<nest = 0, dim = 1, size = 64>,
                               #schedule.tile<nest = 0, dim = 2, size = 8>,
                               #schedule.tile<nest = 0, dim = 0, size = 8>,
                               #schedule.tile<nest = 0, dim = 1, size = 8>,
                               #schedule.bind<nest = 0, loop = 0, to = block>,
                               #schedule.bind<nest = 0, loop = 1, to = block>,
                               #schedule.bind<nest = 0, loop = 3, to = thread>,
                               #schedule.bind<nest = 0, loop = 4, to = thread>,
                               #schedule.cache<nest = 0, buffer = 1, stages = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected blocks of points whose threads share the cached elements}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.cache<nest = 0, buffer = 0, stages = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected the last dimension to be a reduction that can run in blocks of 3 steps, got 64}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.unroll<nest = 0, factor = 3>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected no steps for CPUs only: parallel, rfactor}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 8>,
                               #schedule.parallel<nest = 0, loops = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module {
// expected-error@below {{the schedule cannot be applied: nest 0: expected a GPU target for bound loops and shared memory}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 4>,
                               #schedule.tile<nest = 0, dim = 1, size = 4>,
                               #schedule.tile<nest = 0, dim = 2, size = 4>,
                               #schedule.bind<nest = 0, loop = 0, to = block>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected to pack a constant whose elements are read by one load inside of a reduction, each at one point, got buffer 1}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.pack<nest = 0, buffer = 1>,
                               #schedule.tile<nest = 0, dim = 0, size = 16>,
                               #schedule.tile<nest = 0, dim = 2, size = 32>,
                               #schedule.tile<nest = 0, dim = 2, size = 8>,
                               #schedule.tile<nest = 0, dim = 0, size = 4>,
                               #schedule.tile<nest = 0, dim = 1, size = 4>,
                               #schedule.bind<nest = 0, loop = 0, to = block>,
                               #schedule.bind<nest = 0, loop = 1, to = block>,
                               #schedule.bind<nest = 0, loop = 3, to = thread>,
                               #schedule.bind<nest = 0, loop = 4, to = thread>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 2>,
                               #schedule.cache<nest = 0, buffer = 1, stages = 2>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %w = arith.constant dense<1.0> : tensor<64x64xf32>
  %y = task.call @matmul(%x, %w) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// expected-error@below {{the schedule cannot be applied: nest 0: expected a packed buffer to be read from shared memory, got buffer 1}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.pack<nest = 0, buffer = 1>,
                               #schedule.tile<nest = 0, dim = 0, size = 16>,
                               #schedule.tile<nest = 0, dim = 2, size = 32>,
                               #schedule.tile<nest = 0, dim = 2, size = 8>,
                               #schedule.tile<nest = 0, dim = 0, size = 4>,
                               #schedule.tile<nest = 0, dim = 1, size = 4>,
                               #schedule.bind<nest = 0, loop = 0, to = block>,
                               #schedule.bind<nest = 0, loop = 1, to = block>,
                               #schedule.bind<nest = 0, loop = 3, to = thread>,
                               #schedule.bind<nest = 0, loop = 4, to = thread>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 2>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %w = arith.constant dense<1.0> : tensor<64x64xf32>
  %y = task.call @matmul(%x, %w) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// expected-error@below {{the schedule cannot be applied: nest 0: expected buffer 1 to be packed once}}
task.def @matmul(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {
    schedule = #schedule.steps<#schedule.pack<nest = 0, buffer = 1>,
                               #schedule.pack<nest = 0, buffer = 1>,
                               #schedule.tile<nest = 0, dim = 0, size = 16>,
                               #schedule.tile<nest = 0, dim = 2, size = 32>,
                               #schedule.tile<nest = 0, dim = 2, size = 8>,
                               #schedule.tile<nest = 0, dim = 0, size = 4>,
                               #schedule.tile<nest = 0, dim = 1, size = 4>,
                               #schedule.bind<nest = 0, loop = 0, to = block>,
                               #schedule.bind<nest = 0, loop = 1, to = block>,
                               #schedule.bind<nest = 0, loop = 3, to = thread>,
                               #schedule.bind<nest = 0, loop = 4, to = thread>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 2>,
                               #schedule.cache<nest = 0, buffer = 1, stages = 2>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  task.return %r : tensor<64x64xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected a dimension from 0 to 1, got 2}}
task.def @turn(%x: tensor<12x64xf32>) -> tensor<64x12xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 2, size = 3>>} {
  %empty = tensor.empty() : tensor<64x12xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x64xf32>) outs(%empty : tensor<64x12xf32>) {
  ^bb0(%p: f32, %out: f32):
    %m = arith.negf %p : f32
    linalg.yield %m : f32
  } -> tensor<64x12xf32>
  task.return %r : tensor<64x12xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected bound loops, or one over each of several parallel dimensions without vectors, got one over dimension 0}}
task.def @turn(%x: tensor<12x64xf32>) -> tensor<64x12xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 0, size = 2>>} {
  %empty = tensor.empty() : tensor<64x12xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x64xf32>) outs(%empty : tensor<64x12xf32>) {
  ^bb0(%p: f32, %out: f32):
    %m = arith.negf %p : f32
    linalg.yield %m : f32
  } -> tensor<64x12xf32>
  task.return %r : tensor<64x12xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected bound loops, or one over each of several parallel dimensions without vectors, got one over dimension 0}}
task.def @turn(%x: tensor<12x64xf32>) -> tensor<64x12xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.vectorize<nest = 0, dim = 0, lanes = 4>>} {
  %empty = tensor.empty() : tensor<64x12xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x64xf32>) outs(%empty : tensor<64x12xf32>) {
  ^bb0(%p: f32, %out: f32):
    %m = arith.negf %p : f32
    linalg.yield %m : f32
  } -> tensor<64x12xf32>
  task.return %r : tensor<64x12xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected a size that divides dimension 0, got 5}}
task.def @turn(%x: tensor<12x64xf32>) -> tensor<64x12xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 5>>} {
  %empty = tensor.empty() : tensor<64x12xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x64xf32>) outs(%empty : tensor<64x12xf32>) {
  ^bb0(%p: f32, %out: f32):
    %m = arith.negf %p : f32
    linalg.yield %m : f32
  } -> tensor<64x12xf32>
  task.return %r : tensor<64x12xf32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected at most 32 points of a thread, got 64}}
task.def @turn(%x: tensor<12x64xf32>) -> tensor<64x12xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>>} {
  %empty = tensor.empty() : tensor<64x12xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x64xf32>) outs(%empty : tensor<64x12xf32>) {
  ^bb0(%p: f32, %out: f32):
    %m = arith.negf %p : f32
    linalg.yield %m : f32
  } -> tensor<64x12xf32>
  task.return %r : tensor<64x12xf32>
}
}
