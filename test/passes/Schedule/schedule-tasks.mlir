// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --schedule-tasks | FileCheck %s --check-prefix=AVX512
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16 --build-loops --schedule-tasks | FileCheck %s --check-prefix=AVX2

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<128x768xf32>) -> tensor<128x768xf32> {
  %w = arith.constant dense<1.0> : tensor<768x768xf32>
  %y = task.call @matmul(%x, %w) : (tensor<128x768xf32>, tensor<768x768xf32>) -> tensor<128x768xf32>
  %v = arith.constant dense<1.0> : tensor<2048x1024xf32>
  %a = tensor.empty() : tensor<7x2048xf32>
  %z = task.call @large_weights(%a, %v) : (tensor<7x2048xf32>, tensor<2048x1024xf32>) -> tensor<7x1024xf32>
  %u = arith.constant dense<1.0> : tensor<256x128xf32>
  %b = tensor.empty() : tensor<49x256xf32>
  %t = task.call @small_weights(%b, %u) : (tensor<49x256xf32>, tensor<256x128xf32>) -> tensor<49x128xf32>
  %f = arith.constant dense<1.0> : tensor<3x3x192xf32>
  %c = tensor.empty() : tensor<16x16x192xf32>
  %d = task.call @depthwise(%c, %f) : (tensor<16x16x192xf32>, tensor<3x3x192xf32>) -> tensor<14x14x192xf32>
  %e = tensor.empty() : tensor<58x58x192xf32>
  %g = task.call @depthwise_large(%e, %f) : (tensor<58x58x192xf32>, tensor<3x3x192xf32>) -> tensor<56x56x192xf32>
  %h = tensor.empty() : tensor<2048x256xf32>
  %i = task.call @many_points(%h, %u) : (tensor<2048x256xf32>, tensor<256x128xf32>) -> tensor<2048x128xf32>
  %j = arith.constant dense<1.0> : tensor<480x112xf32>
  %k = tensor.empty() : tensor<196x480xf32>
  %l = task.call @shared_points(%k, %j) : (tensor<196x480xf32>, tensor<480x112xf32>) -> tensor<196x112xf32>
  %m = arith.constant dense<1.0> : tensor<9x64xf32>
  %n = arith.constant dense<1.0> : tensor<64x128xf32>
  %o = tensor.empty() : tensor<133x64xf32>
  %p = task.call @windows_and_product(%o, %m, %n) : (tensor<133x64xf32>, tensor<9x64xf32>, tensor<64x128xf32>) -> tensor<125x128xf32>
  return %y : tensor<128x768xf32>
}

// Every accumulator has its register: 13x2 of 32, 6x2 of 16. The constant operand is packed.
// AVX512-LABEL: task.def @matmul
//  AVX512-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>
//  AVX512-SAME: #schedule.tile<nest = 0, dim = 2, size = 4>
//  AVX512-SAME: #schedule.parallel<nest = 0, loops = 1>
// AVX2-LABEL: task.def @matmul
//  AVX2-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>
//  AVX2-SAME: #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 6>, #schedule.tile<nest = 0, dim = 2, size = 4>
task.def @matmul(%x: tensor<128x768xf32>, %w: tensor<768x768xf32>) -> tensor<128x768xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x768xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x768xf32>) -> tensor<128x768xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<128x768xf32>, tensor<768x768xf32>) outs(%init : tensor<128x768xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<128x768xf32>
  task.return %r : tensor<128x768xf32>
}

// Weights that do not stay in the second-level cache are read once, each block fetched while the one before is used, and part by part where several
// blocks of points use it: 2048 steps of 16 columns are 128 KB.
// AVX512-LABEL: task.def @large_weights
//  AVX512-SAME: #schedule.pack<nest = 0, buffer = 1>, #schedule.prefetch<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 1,
task.def @large_weights(%x: tensor<7x2048xf32>, %w: tensor<2048x1024xf32>) -> tensor<7x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x1024xf32>) -> tensor<7x1024xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<7x2048xf32>, tensor<2048x1024xf32>) outs(%init : tensor<7x1024xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<7x1024xf32>
  task.return %r : tensor<7x1024xf32>
}

// 128 KB would stay in a cache of 1 MB, but other layers had it: every block is read once here too, and used for all 49 points.
// AVX512-LABEL: task.def @small_weights
//  AVX512-SAME: #schedule.prefetch<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 6>,
task.def @small_weights(%x: tensor<49x256xf32>, %w: tensor<256x128xf32>) -> tensor<49x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<49x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<49x128xf32>) -> tensor<49x128xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<49x256xf32>, tensor<256x128xf32>) outs(%init : tensor<49x128xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<49x128xf32>
  task.return %r : tensor<49x128xf32>
}

// Beside the products of many points that first reading is short: all blocks are used for a few points before the next ones, and none is fetched ahead.
// AVX512-LABEL: task.def @many_points
//  AVX512-SAME: #schedule.pack<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 0, size = 6>, #schedule.tile<nest = 0, dim = 1, size = 64>,
task.def @many_points(%x: tensor<2048x256xf32>, %w: tensor<256x128xf32>) -> tensor<2048x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2048x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2048x128xf32>) -> tensor<2048x128xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2048x256xf32>, tensor<256x128xf32>) outs(%init : tensor<2048x128xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2048x128xf32>
  task.return %r : tensor<2048x128xf32>
}

// What 196 points read and write is larger than their weights: threads share the points, and each runs through all blocks of weights.
// AVX512-LABEL: task.def @shared_points
//  AVX512-SAME: #schedule.tile<nest = 0, dim = 1, size = {{[0-9]+}}>, #schedule.tile<nest = 0, dim = 0, size = {{[0-9]+}}>, #schedule.tile<nest = 0, dim = 2, size = 4>, #schedule.parallel<nest = 0, loops = 1, inside = 1>
task.def @shared_points(%x: tensor<196x480xf32>, %w: tensor<480x112xf32>) -> tensor<196x112xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<196x112xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<196x112xf32>) -> tensor<196x112xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<196x480xf32>, tensor<480x112xf32>) outs(%init : tensor<196x112xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<196x112xf32>
  task.return %r : tensor<196x112xf32>
}

// An activation that does not stay in it either is cut: all blocks of weights run through a part before the next one.
// AVX512-LABEL: task.def @cache_block
//  AVX512-SAME: #schedule.tile<nest = 0, dim = 0, size = 5{{[0-9]+}}>, #schedule.tile<nest = 0, dim = 1, size = {{[0-9]+}}>, #schedule.tile<nest = 0, dim = 0, size = {{[0-9]+}}>, #schedule.tile<nest = 0, dim = 2, size = 4>, #schedule.parallel<nest = 0, loops = 2>
task.def @cache_block(%x: tensor<2048x256xf32>, %w: tensor<256x512xf32>) -> tensor<2048x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2048x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2048x512xf32>) -> tensor<2048x512xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2048x256xf32>, tensor<256x512xf32>) outs(%init : tensor<2048x512xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2048x512xf32>
  task.return %r : tensor<2048x512xf32>
}

// Threads share a single row by its columns: 63 vectors make 16 pieces of at most 4.
// AVX512-LABEL: task.def @one_row
//  AVX512-SAME: #schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 4>, #schedule.parallel<nest = 0, loops = 1>
task.def @one_row(%x: tensor<1x512xf32>, %w: tensor<512x1000xf32>) -> tensor<1x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x512xf32>, tensor<512x1000xf32>) outs(%init : tensor<1x1000xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x1000xf32>
  task.return %r : tensor<1x1000xf32>
}

// Too small to be shared, a row is computed in blocks of one size: 13 vectors five times, where registers have room for 15.
// AVX512-LABEL: task.def @small_row
//  AVX512-SAME: #schedule.tile<nest = 0, dim = 0, size = 208>
task.def @small_row(%x: tensor<1x9xf32>, %w: tensor<9x1000xf32>) -> tensor<1x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x9xf32>, tensor<9x1000xf32>) outs(%init : tensor<1x1000xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x1000xf32>
  task.return %r : tensor<1x1000xf32>
}

// A block of weights stays in the second-level cache with the next one: 12544 steps of two vectors would not.
// AVX512-LABEL: task.def @long_reduction
//  AVX512-SAME: #schedule.tile<nest = 0, dim = 1, size = 16>
task.def @long_reduction(%x: tensor<128x12544xf32>, %w: tensor<12544x64xf32>) -> tensor<128x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<128x12544xf32>, tensor<12544x64xf32>) outs(%init : tensor<128x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<128x64xf32>
  task.return %r : tensor<128x64xf32>
}

#image = affine_map<(m, p, n, k) -> (m, k)>
#filter = affine_map<(m, p, n, k) -> (k, n, p)>
#patches = affine_map<(m, p, n, k) -> (m, p, n)>

// A transposed convolution: each phase p has weights of its own, so that the register block is of pixels m, inside of the phases.
// AVX512-LABEL: task.def @phases
//  AVX512-SAME: #schedule.tile<nest = 0, dim = 1, size = 1>, {{.*}}#schedule.tile<nest = 0, dim = 0, size = {{1[0-9]}}>
task.def @phases(%x: tensor<256x128xf32>, %w: tensor<128x32x4xf32>) -> tensor<256x4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x4x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x4x32xf32>) -> tensor<256x4x32xf32>
  %r = linalg.generic {indexing_maps = [#image, #filter, #patches], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x128xf32>, tensor<128x32x4xf32>) outs(%init : tensor<256x4x32xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x4x32xf32>
  task.return %r : tensor<256x4x32xf32>
}

#element = affine_map<(m, n) -> (m, n)>

#window = affine_map<(h, w, c, i, j) -> (h + i, w + j, c)>
#channelwise = affine_map<(h, w, c, i, j) -> (i, j, c)>
#pixel = affine_map<(h, w, c, i, j) -> (h, w, c)>

// Nothing is shared by all channels: those of a block keep their weights and rows in the first-level cache while they run through
// half of the plane, as one of two threads does.
// AVX512-LABEL: task.def @depthwise(
//  AVX512-SAME: #schedule.pack<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 0, size = 7>, #schedule.tile<nest = 0, dim = 2, size = {{[0-9]+}}>, #schedule.tile<nest = 0, dim = 0, size = 1>
//  AVX512-SAME: #schedule.tile<nest = 0, dim = 3, size = 1>, #schedule.tile<nest = 0, dim = 4, size = 3>
// With 16 registers all nine steps of the window are unrolled.
// AVX2-LABEL: task.def @depthwise(
//  AVX2-SAME: #schedule.tile<nest = 0, dim = 1, size = 5>, #schedule.tile<nest = 0, dim = 3, size = 3>, #schedule.tile<nest = 0, dim = 4, size = 3>
task.def @depthwise(%x: tensor<16x16x192xf32>, %w: tensor<3x3x192xf32>) -> tensor<14x14x192xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<14x14x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<14x14x192xf32>) -> tensor<14x14x192xf32>
  %r = linalg.generic {indexing_maps = [#window, #channelwise, #pixel], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<16x16x192xf32>, tensor<3x3x192xf32>) outs(%init : tensor<14x14x192xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<14x14x192xf32>
  task.return %r : tensor<14x14x192xf32>
}

// A plane of 2.6 MB is read in its order.
// AVX512-LABEL: task.def @depthwise_large(
//  AVX512-SAME: #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 1, size = {{[0-9]+}}>, #schedule.tile<nest = 0, dim = 2, size = {{[0-9]+}}>
task.def @depthwise_large(%x: tensor<58x58x192xf32>, %w: tensor<3x3x192xf32>) -> tensor<56x56x192xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<56x56x192xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<56x56x192xf32>) -> tensor<56x56x192xf32>
  %r = linalg.generic {indexing_maps = [#window, #channelwise, #pixel], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<58x58x192xf32>, tensor<3x3x192xf32>) outs(%init : tensor<56x56x192xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<56x56x192xf32>
  task.return %r : tensor<56x56x192xf32>
}

// Threads share what takes longer than to wake them: exponentials, but not as many negations.
// AVX512-LABEL: task.def @exponentials
//  AVX512-SAME: #schedule.parallel<nest = 0, loops = 1>
task.def @exponentials(%x: tensor<96x96xf32>) -> tensor<96x96xf32> {
  %empty = tensor.empty() : tensor<96x96xf32>
  %r = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<96x96xf32>) outs(%empty : tensor<96x96xf32>) {
  ^bb0(%a: f32, %out: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<96x96xf32>
  task.return %r : tensor<96x96xf32>
}

// AVX512-LABEL: task.def @negations
//   AVX512-NOT: #schedule.parallel
task.def @negations(%x: tensor<96x96xf32>) -> tensor<96x96xf32> {
  %empty = tensor.empty() : tensor<96x96xf32>
  %r = linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<96x96xf32>) outs(%empty : tensor<96x96xf32>) {
  ^bb0(%a: f32, %out: f32):
    %e = arith.negf %a : f32
    linalg.yield %e : f32
  } -> tensor<96x96xf32>
  task.return %r : tensor<96x96xf32>
}

// Steps of an exponential wait for each other: four vectors take turns, however many results they have. Others share the registers.
// AVX512-LABEL: task.def @exponential_and_product
//  AVX512-SAME: #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 64>>
task.def @exponential_and_product(%x: tensor<4x128xf32>) -> (tensor<4x128xf32>, tensor<4x128xf32>) {
  %empty = tensor.empty() : tensor<4x128xf32>
  %r:2 = linalg.generic {indexing_maps = [#element, #element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x128xf32>) outs(%empty, %empty : tensor<4x128xf32>, tensor<4x128xf32>) {
  ^bb0(%a: f32, %first: f32, %second: f32):
    %e = math.exp %a : f32
    %m = arith.mulf %a, %e : f32
    linalg.yield %e, %m : f32, f32
  } -> (tensor<4x128xf32>, tensor<4x128xf32>)
  task.return %r#0, %r#1 : tensor<4x128xf32>, tensor<4x128xf32>
}

// AVX512-LABEL: task.def @negation_and_product
//  AVX512-SAME: #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 32>>
task.def @negation_and_product(%x: tensor<4x128xf32>) -> (tensor<4x128xf32>, tensor<4x128xf32>) {
  %empty = tensor.empty() : tensor<4x128xf32>
  %r:2 = linalg.generic {indexing_maps = [#element, #element, #element], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x128xf32>) outs(%empty, %empty : tensor<4x128xf32>, tensor<4x128xf32>) {
  ^bb0(%a: f32, %first: f32, %second: f32):
    %e = arith.negf %a : f32
    %m = arith.mulf %a, %e : f32
    linalg.yield %e, %m : f32, f32
  } -> (tensor<4x128xf32>, tensor<4x128xf32>)
  task.return %r#0, %r#1 : tensor<4x128xf32>, tensor<4x128xf32>
}

// A dynamic size is taken for an estimate, too small for threads to share.
// AVX2-LABEL: task.def @symbolic
//  AVX2-SAME: schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 8>, #schedule.tile<nest = 0, dim = 0, size = 32>>
task.def @symbolic(%x: tensor<?xf32> {task.dims = #onnx.dims<["n"]>}) -> (tensor<?xf32> {task.dims = #onnx.dims<["n"]>}) {
  %n = task.size "n"
  %empty = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %negated = arith.negf %a : f32
    linalg.yield %negated : f32
  } -> tensor<?xf32>
  task.return %r : tensor<?xf32>
}

#query = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#key = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#score = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#all = affine_map<(b, h, q, k) -> (b, h, q, k)>
#row = affine_map<(b, h, q, k) -> (b, h, q)>
#weight = affine_map<(b, h, q, d, k) -> (b, h, q, k)>
#value = affine_map<(b, h, q, d, k) -> (b, h, k, d)>
#mixed = affine_map<(b, h, q, d, k) -> (b, h, q, d)>

// The scores of a head are 64 KiB, and so is what they become; with the largest of each row that is more than two
// sixteenths of the second-level cache, so that each head runs in three tiles.
// AVX2-LABEL: task.def @attention
//  AVX2-SAME: schedule = #schedule.steps<#schedule.fuse<nest = 0, last = 3, size = 22>,
task.def @attention(%q: tensor<1x3x64x4xf32>, %k: tensor<1x3x256x4xf32>, %v: tensor<1x3x256x4xf32>) -> tensor<1x3x64x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x3x64x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x3x64x256xf32>) -> tensor<1x3x64x256xf32>
  %scores = linalg.generic {indexing_maps = [#query, #key, #score], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<1x3x64x4xf32>, tensor<1x3x256x4xf32>) outs(%init : tensor<1x3x64x256xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x3x64x256xf32>
  %rows = tensor.empty() : tensor<1x3x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<1x3x64xf32>) -> tensor<1x3x64xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%scores : tensor<1x3x64x256xf32>) outs(%none : tensor<1x3x64xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.maximumf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<1x3x64xf32>
  %weights = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %most : tensor<1x3x64x256xf32>, tensor<1x3x64xf32>) outs(%empty : tensor<1x3x64x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.subf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x3x64x256xf32>
  %out = tensor.empty() : tensor<1x3x64x4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%out : tensor<1x3x64x4xf32>) -> tensor<1x3x64x4xf32>
  %y = linalg.generic {indexing_maps = [#weight, #value, #mixed], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%weights, %v : tensor<1x3x64x256xf32>, tensor<1x3x256x4xf32>) outs(%start : tensor<1x3x64x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x3x64x4xf32>
  task.return %y : tensor<1x3x64x4xf32>
}

#pixels = affine_map<(y, x, c, r, s) -> (y + r, x + s, c)>
#taps = affine_map<(y, x, c, r, s) -> (c, r, s)>
#plane = affine_map<(y, x, c, r, s) -> (y, x)>

// One channel of results: vectors run along the channels that are summed. The filter's, which lie apart, serve a whole block of points.
// AVX512-LABEL: task.def @one_channel(
//  AVX512-SAME: #schedule.vectorize<nest = 0, dim = 2, lanes = 16>
task.def @one_channel(%x: tensor<50x66x64xf32>, %w: tensor<64x3x3xf32>) -> tensor<48x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<48x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<48x64xf32>) -> tensor<48x64xf32>
  %r = linalg.generic {indexing_maps = [#pixels, #taps, #plane],
      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<50x66x64xf32>, tensor<64x3x3xf32>) outs(%init : tensor<48x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<48x64xf32>
  task.return %r : tensor<48x64xf32>
}

#image_rows = affine_map<(h, w, oc, ic) -> (h, w, ic)>
#factors = affine_map<(h, w, oc, ic) -> (ic, oc)>
#expanded = affine_map<(h, w, oc, ic) -> (h, w, oc)>

// Threads share rows of the plane. The padding above and below, each as large as two of them, is not cut: it belongs to who has the rows beside it. Columns
// of padding are shared as the rows are.
// AVX512-LABEL: task.def @padded(
//  AVX512-SAME: #schedule.parallel<nest = 0, loops = 2, inside = 1>
//   AVX512-NOT: #schedule.parallel<nest = 1
//   AVX512-NOT: #schedule.parallel<nest = 2
//  AVX512-SAME: #schedule.parallel<nest = 3, loops = 2>, {{.*}}#schedule.parallel<nest = 4, loops = 2>
task.def @padded(%x: tensor<14x14x64xf32>, %w: tensor<64x672xf32>) -> tensor<18x18x672xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<14x14x672xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<14x14x672xf32>) -> tensor<14x14x672xf32>
  %r = linalg.generic {indexing_maps = [#image_rows, #factors, #expanded], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<14x14x64xf32>, tensor<64x672xf32>) outs(%init : tensor<14x14x672xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<14x14x672xf32>
  %padded = tensor.pad %r low[2, 2, 0] high[2, 2, 0] {
  ^bb0(%h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<14x14x672xf32> to tensor<18x18x672xf32>
  task.return %padded : tensor<18x18x672xf32>
}

#line = affine_map<(n, c, k) -> (n + k, c)>
#line_taps = affine_map<(n, c, k) -> (k, c)>
#line_points = affine_map<(n, c, k) -> (n, c)>

// What the windows pass on stays in the cache anyway, but in overlapped tiles it stays on its core, too: an even number of them, for two threads, with whole blocks.
// AVX512-LABEL: task.def @windows_and_product(
//  AVX512-SAME: #schedule.fuse<nest = 0, last = 1, size = 16>
task.def @windows_and_product(%x: tensor<133x64xf32>, %w: tensor<9x64xf32>, %v: tensor<64x128xf32>) -> tensor<125x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<125x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<125x64xf32>) -> tensor<125x64xf32>
  %windows = linalg.generic {indexing_maps = [#line, #line_taps, #line_points], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<133x64xf32>, tensor<9x64xf32>) outs(%init : tensor<125x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<125x64xf32>
  %more = tensor.empty() : tensor<125x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%more : tensor<125x128xf32>) -> tensor<125x128xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%windows, %v : tensor<125x64xf32>, tensor<64x128xf32>) outs(%start : tensor<125x128xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<125x128xf32>
  task.return %r : tensor<125x128xf32>
}
