// RUN: cameo-opt %s --build-loops --apply-schedule | FileCheck %s
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-kernels | FileCheck %s --check-prefix=EMITTED

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#point = affine_map<(m, n) -> (m, n)>

// The last block of columns is half as large as the others, which therefore are two iterations of the range.
// CHECK-LABEL: task.def @balance(
//       CHECK:   loop.nest {{.*}} order <loops = {{\[\[}}1, 16], [0, 4], [2, 1]], parallel = 1, vector = 1, lanes = 8, piece_units = [2, 1]>
// EMITTED-LABEL: func.func private @balance.k0(
//       EMITTED:   arith.minui
// EMITTED-LABEL: task.def @balance(
//       EMITTED:   task.dispatch @balance.k0({{.*}}) extent 5
task.def @balance(%x: tensor<8x64xf32>, %w: tensor<64x40xf32>) -> tensor<8x40xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.tile<nest = 0, dim = 1, size = 16>,
                               #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 2, size = 1>,
                               #schedule.parallel<nest = 0, loops = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x40xf32>) -> tensor<8x40xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x64xf32>, tensor<64x40xf32>) outs(%init : tensor<8x40xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x40xf32>
  task.return %r : tensor<8x40xf32>
}

// Exponentials of the eight sums of a block are computed in a loop, four at a time.
// CHECK-LABEL: task.def @functions(
//       CHECK:   loop.nest {{.*}} lanes = 8, functions_in_turns = 4, finishes_in_loop = true>
task.def @functions(%x: tensor<8x64xf32>, %w: tensor<64x8xf32>) -> tensor<8x8xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.tile<nest = 0, dim = 2, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x64xf32>, tensor<64x8xf32>) outs(%init : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %e = linalg.generic {indexing_maps = [#point, #point], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%p: f32, %out: f32):
    %f = math.exp %p : f32
    linalg.yield %f : f32
  } -> tensor<8x8xf32>
  task.return %e : tensor<8x8xf32>
}

// A row of exponentials that both nests need lies on the stack while it is small.
// CHECK-LABEL: task.def @small_rows(
//       CHECK:   loop.buffer temporary per_row : memref<16xf32, #loop.space<stack>>
// EMITTED-LABEL: func.func private @small_rows.k0(
//       EMITTED:   memref.alloca() {{.*}}: memref<16xf32>
task.def @small_rows(%x: tensor<2x16xf32>) -> tensor<2x16xf32> attributes {schedule = #schedule.steps<>} {
  %zero = arith.constant 0.0 : f32
  %full = tensor.empty() : tensor<2x16xf32>
  %short = tensor.empty() : tensor<2xf32>
  %e = linalg.generic {indexing_maps = [#point, #point], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x16xf32>) outs(%full : tensor<2x16xf32>) {
  ^bb0(%p: f32, %out: f32):
    %f = math.exp %p : f32
    linalg.yield %f : f32
  } -> tensor<2x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%short : tensor<2xf32>) -> tensor<2xf32>
  %sum = linalg.generic {indexing_maps = [#point, #row], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<2x16xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %q = linalg.generic {indexing_maps = [#point, #row, #point], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : tensor<2x16xf32>, tensor<2xf32>) outs(%full : tensor<2x16xf32>) {
  ^bb0(%p: f32, %all: f32, %out: f32):
    %d = arith.divf %p, %all : f32
    linalg.yield %d : f32
  } -> tensor<2x16xf32>
  task.return %q : tensor<2x16xf32>
}

// Of a dynamic length, it lies in the arena, apart from that of every other row.
// CHECK-LABEL: task.def @open_rows(
//       CHECK:   loop.buffer temporary per_row elements "n" : memref<?xf32, #loop.space<arena>>
// EMITTED-LABEL: func.func private @open_rows.k0(
// EMITTED-LABEL: task.def @open_rows(
//       EMITTED:   task.scratch elements "32*floor((n + 15)/16)" : memref<?xf32>
task.def @open_rows(%x: tensor<2x?xf32> {task.dims = #onnx.dims<["", "n"]>}) -> (tensor<2x?xf32> {task.dims = #onnx.dims<["", "n"]>}) attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.tile<nest = 1, dim = 1, size = 1>,
                               #schedule.tile<nest = 2, dim = 1, size = 1>>} {
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %one : tensor<2x?xf32>
  %full = tensor.empty(%n) : tensor<2x?xf32>
  %short = tensor.empty() : tensor<2xf32>
  %e = linalg.generic {indexing_maps = [#point, #point], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x?xf32>) outs(%full : tensor<2x?xf32>) {
  ^bb0(%p: f32, %out: f32):
    %f = math.exp %p : f32
    linalg.yield %f : f32
  } -> tensor<2x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%short : tensor<2xf32>) -> tensor<2xf32>
  %sum = linalg.generic {indexing_maps = [#point, #row], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<2x?xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %q = linalg.generic {indexing_maps = [#point, #row, #point], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : tensor<2x?xf32>, tensor<2xf32>) outs(%full : tensor<2x?xf32>) {
  ^bb0(%p: f32, %all: f32, %out: f32):
    %d = arith.divf %p, %all : f32
    linalg.yield %d : f32
  } -> tensor<2x?xf32>
  task.return %q : tensor<2x?xf32>
}
