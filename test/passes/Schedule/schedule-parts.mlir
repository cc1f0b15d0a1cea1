// RUN: cameo-opt %s --schedule-tasks="vector-bytes=64 vector-registers=32" | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<2048x512xf32>, %y: tensor<48x512xf32>) -> (tensor<2048x512xf32>, tensor<48x512xf32>) {
  %w = arith.constant dense<1.0> : tensor<512x512xf32>
  %u = task.call @whole_blocks(%x, %w) : (tensor<2048x512xf32>, tensor<512x512xf32>) -> tensor<2048x512xf32>
  %v = task.call @few_rows(%y, %w) : (tensor<48x512xf32>, tensor<512x512xf32>) -> tensor<48x512xf32>
  return %u, %v : tensor<2048x512xf32>, tensor<48x512xf32>
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
