// What the step chain may not say of two products.
// RUN: cameo-opt %s --build-loops --apply-schedule -split-input-file -verify-diagnostics

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected a product whose left operand, of 16 bits, is the whole result of another product, with the same rows}}
task.def @not_read(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x128xf16>) -> tensor<256x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 1, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 1, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 0>>} {
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
  task.return %y : tensor<256x128xf16>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 1: expected two products by the matrix unit with asynchronous copies, those of the second one to one stage, got 2}}
task.def @stages(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x128xf16>) -> tensor<256x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 4, stages = 2, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 2, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>>} {
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
  task.return %y : tensor<256x128xf16>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 1: expected blocks with all 64 columns of the first product, and all of these as one fetch of the second one, got 32 and 64}}
task.def @columns(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x128xf16>) -> tensor<256x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 4, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>>} {
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
  task.return %y : tensor<256x128xf16>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 1: expected blocks with equal rows, got 64 and 128 along dimension 0}}
task.def @rows(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x128xf16>) -> tensor<256x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 128>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 4, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>>} {
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
  task.return %y : tensor<256x128xf16>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 1: expected blocks that divide dimension 0, along which the first product reads behind its sums}}
task.def @edge(%x: tensor<250x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x128xf16>, %c: tensor<250x64xf32>) -> tensor<250x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 5, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>>} {
  %hzero = arith.constant 0.0 : f32
  %hempty = tensor.empty() : tensor<250x64xf32>
  %hinit = linalg.fill ins(%hzero : f32) outs(%hempty : tensor<250x64xf32>) -> tensor<250x64xf32>
  %hr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a : tensor<250x64xf16>, tensor<64x64xf16>) outs(%hinit : tensor<250x64xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<250x64xf32>
  %hout = tensor.empty() : tensor<250x64xf16>
  %h = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%hr, %c : tensor<250x64xf32>, tensor<250x64xf32>) outs(%hout : tensor<250x64xf16>) {
  ^bb0(%p: f32, %q: f32, %unused: f16):
    %s = arith.addf %p, %q : f32
    %o = arith.truncf %s : f32 to f16
    linalg.yield %o : f16
  } -> tensor<250x64xf16>
  %yzero = arith.constant 0.0 : f32
  %yempty = tensor.empty() : tensor<250x128xf32>
  %yinit = linalg.fill ins(%yzero : f32) outs(%yempty : tensor<250x128xf32>) -> tensor<250x128xf32>
  %yr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %b : tensor<250x64xf16>, tensor<64x128xf16>) outs(%yinit : tensor<250x128xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<250x128xf32>
  %yout = tensor.empty() : tensor<250x128xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%yr : tensor<250x128xf32>) outs(%yout : tensor<250x128xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<250x128xf16>
  task.return %y : tensor<250x128xf16>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 1: expected as many threads of both products, and powers of two of points, got 128 and 256 threads}}
task.def @threads(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x128xf16>) -> tensor<256x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 16>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 4, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>>} {
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
  task.return %y : tensor<256x128xf16>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 1: expected at most 4 parts of the columns of the second product, got 8}}
task.def @parts(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x512xf16>) -> tensor<256x512xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 4, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>>} {
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
  %yempty = tensor.empty() : tensor<256x512xf32>
  %yinit = linalg.fill ins(%yzero : f32) outs(%yempty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %yr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %b : tensor<256x64xf16>, tensor<64x512xf16>) outs(%yinit : tensor<256x512xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x512xf32>
  %yout = tensor.empty() : tensor<256x512xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%yr : tensor<256x512xf32>) outs(%yout : tensor<256x512xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x512xf16>
  task.return %y : tensor<256x512xf16>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 1: expected at most 101376 bytes of shared memory for 2 products, got 106496}}
task.def @bytes(%x: tensor<256x64xf16>, %a: tensor<64x256xf16>, %b: tensor<256x128xf16>) -> tensor<256x128xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 256>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 128>, #schedule.tile<nest = 1, dim = 2, size = 256>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 4, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>>} {
  %hzero = arith.constant 0.0 : f32
  %hempty = tensor.empty() : tensor<256x256xf32>
  %hinit = linalg.fill ins(%hzero : f32) outs(%hempty : tensor<256x256xf32>) -> tensor<256x256xf32>
  %hr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a : tensor<256x64xf16>, tensor<64x256xf16>) outs(%hinit : tensor<256x256xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %u = arith.extf %p : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x256xf32>
  %hout = tensor.empty() : tensor<256x256xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%hr : tensor<256x256xf32>) outs(%hout : tensor<256x256xf16>) {
  ^bb0(%p: f32, %unused: f16):
    %o = arith.truncf %p : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x256xf16>
  %yzero = arith.constant 0.0 : f32
  %yempty = tensor.empty() : tensor<256x128xf32>
  %yinit = linalg.fill ins(%yzero : f32) outs(%yempty : tensor<256x128xf32>) -> tensor<256x128xf32>
  %yr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %b : tensor<256x256xf16>, tensor<256x128xf16>) outs(%yinit : tensor<256x128xf32>) {
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
  task.return %y : tensor<256x128xf16>
}
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 1: expected one product in the blocks of nest 0, got also nest 2}}
task.def @twice(%x: tensor<256x64xf16>, %a: tensor<64x64xf16>, %b: tensor<64x128xf16>, %d: tensor<64x64xf16>) -> (tensor<256x128xf16>, tensor<256x64xf16>) attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>, #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 2, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 2, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>, #schedule.tile<nest = 1, dim = 0, size = 64>, #schedule.tile<nest = 1, dim = 1, size = 64>, #schedule.tile<nest = 1, dim = 2, size = 64>, #schedule.tile<nest = 1, dim = 0, size = 32>, #schedule.tile<nest = 1, dim = 1, size = 32>, #schedule.bind<nest = 1, loop = 0, to = block>, #schedule.bind<nest = 1, loop = 1, to = block>, #schedule.bind<nest = 1, loop = 3, to = warp>, #schedule.bind<nest = 1, loop = 4, to = warp>, #schedule.cache<nest = 1, buffer = 6, stages = 1, copy = async>, #schedule.cache<nest = 1, buffer = 2, stages = 1, copy = async>, #schedule.tensor<nest = 1, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 1>, #schedule.tile<nest = 2, dim = 0, size = 64>, #schedule.tile<nest = 2, dim = 1, size = 64>, #schedule.tile<nest = 2, dim = 2, size = 64>, #schedule.tile<nest = 2, dim = 0, size = 32>, #schedule.tile<nest = 2, dim = 1, size = 32>, #schedule.bind<nest = 2, loop = 0, to = block>, #schedule.bind<nest = 2, loop = 1, to = block>, #schedule.bind<nest = 2, loop = 3, to = warp>, #schedule.bind<nest = 2, loop = 4, to = warp>, #schedule.cache<nest = 2, buffer = 6, stages = 1, copy = async>, #schedule.cache<nest = 2, buffer = 3, stages = 1, copy = async>, #schedule.tensor<nest = 2, kind = mma, m = 16, n = 8, k = 16>, #schedule.chain<nest = 2>>} {
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
  %zzero = arith.constant 0.0 : f32
  %zempty = tensor.empty() : tensor<256x64xf32>
  %zinit = linalg.fill ins(%zzero : f32) outs(%zempty : tensor<256x64xf32>) -> tensor<256x64xf32>
  %zr = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %d : tensor<256x64xf16>, tensor<64x64xf16>) outs(%zinit : tensor<256x64xf32>) {
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
  task.return %y, %z : tensor<256x128xf16>, tensor<256x64xf16>
}
}
