// Which matrices that are no constants are packed although their rows are contiguous.
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,l2_bytes=1048576 --build-loops --schedule-tasks | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<64x1000xf32>, %few: tensor<24x1000xf32>, %w: tensor<1000x1024xf32>, %v: tensor<1000x1000xf32>)
    -> (tensor<64x1024xf32>, tensor<24x1024xf32>, tensor<64x1000xf32>) {
  %y = task.call @rows_a_page_apart(%x, %w) : (tensor<64x1000xf32>, tensor<1000x1024xf32>) -> tensor<64x1024xf32>
  %z = task.call @few_uses(%few, %w) : (tensor<24x1000xf32>, tensor<1000x1024xf32>) -> tensor<24x1024xf32>
  %u = task.call @rows_spread_over_a_page(%x, %v) : (tensor<64x1000xf32>, tensor<1000x1000xf32>) -> tensor<64x1000xf32>
  return %y, %z, %u : tensor<64x1024xf32>, tensor<24x1024xf32>, tensor<64x1000xf32>
}

// A cache of 1 MiB has 256 lines for each place in a page, and a column has 1000 there.
// CHECK-LABEL: task.def @rows_a_page_apart(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>
task.def @rows_a_page_apart(%x: tensor<64x1000xf32>, %w: tensor<1000x1024xf32>) -> tensor<64x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x1000xf32>, tensor<1000x1024xf32>) outs(%init : tensor<64x1024xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x1024xf32>
  task.return %r : tensor<64x1024xf32>
}

// The copy takes longer than it saves.
// CHECK-LABEL: task.def @few_uses(
//   CHECK-NOT: #schedule.pack
//       CHECK: task.return
task.def @few_uses(%x: tensor<24x1000xf32>, %w: tensor<1000x1024xf32>) -> tensor<24x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x1024xf32>) -> tensor<24x1024xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<24x1000xf32>, tensor<1000x1024xf32>) outs(%init : tensor<24x1024xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<24x1024xf32>
  task.return %r : tensor<24x1024xf32>
}

// CHECK-LABEL: task.def @rows_spread_over_a_page(
//   CHECK-NOT: #schedule.pack
//       CHECK: task.return
task.def @rows_spread_over_a_page(%x: tensor<64x1000xf32>, %w: tensor<1000x1000xf32>) -> tensor<64x1000xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x1000xf32>, tensor<1000x1000xf32>) outs(%init : tensor<64x1000xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x1000xf32>
  task.return %r : tensor<64x1000xf32>
}
