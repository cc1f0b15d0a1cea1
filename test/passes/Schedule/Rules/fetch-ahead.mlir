// Weights from memory are asked for a block ahead, beside the products of the block before.
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --schedule-tasks | FileCheck %s

#rows = affine_map<(n, k) -> (k, n)>
#row = affine_map<(n, k) -> (k)>
#columns = affine_map<(n, k) -> (n)>

func.func @main(%x: tensor<512xf32>) -> (tensor<2048xf32>, tensor<19008xf32>) {
  %w = arith.constant dense<1.0> : tensor<512x2048xf32>
  %0 = task.call @product(%x, %w) : (tensor<512xf32>, tensor<512x2048xf32>) -> tensor<2048xf32>
  %v = arith.constant dense<1.0> : tensor<100x19008xf32>
  %1 = task.call @nothing_is_shared(%v) : (tensor<100x19008xf32>) -> tensor<19008xf32>
  return %0, %1 : tensor<2048xf32>, tensor<19008xf32>
}

// CHECK-LABEL: task.def @product(
//  CHECK-SAME: #schedule.prefetch<nest = 0, buffer = 1>
task.def @product(%x: tensor<512xf32>, %w: tensor<512x2048xf32>) -> tensor<2048xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2048xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2048xf32>) -> tensor<2048xf32>
  %r = linalg.generic {indexing_maps = [#row, #rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<512xf32>, tensor<512x2048xf32>) outs(%init : tensor<2048xf32>) {
  ^bb0(%p: f32, %q: f32, %sum: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<2048xf32>
  task.return %r : tensor<2048xf32>
}

// CHECK-LABEL: task.def @nothing_is_shared(
//   CHECK-NOT: #schedule.prefetch
//       CHECK: loop.program
task.def @nothing_is_shared(%x: tensor<100x19008xf32>) -> tensor<19008xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<19008xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<19008xf32>) -> tensor<19008xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<100x19008xf32>) outs(%init : tensor<19008xf32>) {
  ^bb0(%p: f32, %sum: f32):
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<19008xf32>
  task.return %r : tensor<19008xf32>
}
