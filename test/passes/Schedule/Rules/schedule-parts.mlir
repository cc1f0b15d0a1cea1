// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --schedule-tasks | FileCheck %s --check-prefixes=CHECK,WAYS8
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,l1_bytes=49152,l1_ways=12 --build-loops --schedule-tasks | FileCheck %s --check-prefixes=CHECK,WAYS12

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<2048x512xf32>, %y: tensor<48x512xf32>, %z: tensor<128x3072xf32>, %a: tensor<64x1024xf32>, %b: tensor<64x1040xf32>)
    -> (tensor<2048x512xf32>, tensor<48x512xf32>, tensor<128x768xf32>, tensor<64x16xf32>, tensor<64x16xf32>) {
  %w = arith.constant dense<1.0> : tensor<512x512xf32>
  %u = task.call @whole_blocks(%x, %w) : (tensor<2048x512xf32>, tensor<512x512xf32>) -> tensor<2048x512xf32>
  %v = task.call @few_rows(%y, %w) : (tensor<48x512xf32>, tensor<512x512xf32>) -> tensor<48x512xf32>
  %w1 = arith.constant dense<1.0> : tensor<3072x768xf32>
  %r = task.call @long_sums(%z, %w1) : (tensor<128x3072xf32>, tensor<3072x768xf32>) -> tensor<128x768xf32>
  %w2 = arith.constant dense<1.0> : tensor<1024x16xf32>
  %s = task.call @page_apart(%a, %w2) : (tensor<64x1024xf32>, tensor<1024x16xf32>) -> tensor<64x16xf32>
  %w3 = arith.constant dense<1.0> : tensor<1040x16xf32>
  %t = task.call @line_more(%b, %w3) : (tensor<64x1040xf32>, tensor<1040x16xf32>) -> tensor<64x16xf32>
  return %u, %v, %r, %s, %t : tensor<2048x512xf32>, tensor<48x512xf32>, tensor<128x768xf32>, tensor<64x16xf32>, tensor<64x16xf32>
}

// Parts of the rows leave room in the second-level cache for a block of 128 KB and for the next one, and going on from sums in memory for so many rows
// would take longer than to fetch the first block.
// CHECK-LABEL: task.def @whole_blocks
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 0, size = 192>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 6>, #schedule.tile<nest = 0, dim = 2, size = 4>,
task.def @whole_blocks(%x: tensor<2048x512xf32>, %w: tensor<512x512xf32>) -> tensor<2048x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2048x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2048x512xf32>) -> tensor<2048x512xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2048x512xf32>, tensor<512x512xf32>) outs(%init : tensor<2048x512xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2048x512xf32>
  task.return %r : tensor<2048x512xf32>
}

// For few rows it does not.
// CHECK-LABEL: task.def @few_rows
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 256>, #schedule.tile<nest = 0, dim = 0, size = 6>, #schedule.tile<nest = 0, dim = 2, size = 4>,
task.def @few_rows(%x: tensor<48x512xf32>, %w: tensor<512x512xf32>) -> tensor<48x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<48x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<48x512xf32>) -> tensor<48x512xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<48x512xf32>, tensor<512x512xf32>) outs(%init : tensor<48x512xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<48x512xf32>
  task.return %r : tensor<48x512xf32>
}

// Blocks of columns that are taken part by part need not fit the cache whole: 64 columns are 786 KB.
// CHECK-LABEL: task.def @long_sums
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 256>, #schedule.tile<nest = 0, dim = 0, size = 6>, #schedule.tile<nest = 0, dim = 2, size = 4>,
task.def @long_sums(%x: tensor<128x3072xf32>, %w: tensor<3072x768xf32>) -> tensor<128x768xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x768xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x768xf32>) -> tensor<128x768xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<128x3072xf32>, tensor<3072x768xf32>) outs(%init : tensor<128x768xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<128x768xf32>
  task.return %r : tensor<128x768xf32>
}

// Rows that are a page apart meet in one set of the first-level cache: no more of them at a time than it has ways, or nearly so.
// CHECK-LABEL: task.def @page_apart
//  WAYS8-SAME: #schedule.tile<nest = 0, dim = 0, size = 9>,
// WAYS12-SAME: #schedule.tile<nest = 0, dim = 0, size = 12>,
task.def @page_apart(%x: tensor<64x1024xf32>, %w: tensor<1024x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x16xf32>) -> tensor<64x16xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x1024xf32>, tensor<1024x16xf32>) outs(%init : tensor<64x16xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x16xf32>
  task.return %r : tensor<64x16xf32>
}

// With a line more they are spread over all sets.
// CHECK-LABEL: task.def @line_more
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 29>,
task.def @line_more(%x: tensor<64x1040xf32>, %w: tensor<1040x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x16xf32>) -> tensor<64x16xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x1040xf32>, tensor<1040x16xf32>) outs(%init : tensor<64x16xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x16xf32>
  task.return %r : tensor<64x16xf32>
}
