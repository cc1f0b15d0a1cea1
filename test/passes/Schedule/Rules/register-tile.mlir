// How many sums a register block has, by what else needs registers.
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --schedule-tasks | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#d = affine_map<(m, n) -> (m, n)>

func.func @main(%x: tensor<112x24xf32>, %rows: tensor<112x768xf32>, %columns: tensor<768x96xf32>, %image: tensor<197x768xf32>)
    -> (tensor<112x96xf32>, tensor<112x96xf32>, tensor<112x96xf32>, tensor<112x96xf32>, tensor<197x17xf32>) {
  %w = arith.constant dense<1.0> : tensor<24x96xf32>
  %y = task.call @columns(%x, %w) : (tensor<112x24xf32>, tensor<24x96xf32>) -> tensor<112x96xf32>
  %z = task.call @exponentials_of_columns(%x, %w) : (tensor<112x24xf32>, tensor<24x96xf32>) -> tensor<112x96xf32>
  %h = arith.constant dense<1.0> : tensor<24x96xf16>
  %v = task.call @narrow_weights(%x, %h) : (tensor<112x24xf32>, tensor<24x96xf16>) -> tensor<112x96xf32>
  %u = task.call @read_in_place(%rows, %columns) : (tensor<112x768xf32>, tensor<768x96xf32>) -> tensor<112x96xf32>
  %few = arith.constant dense<1.0> : tensor<768x17xf32>
  %t = task.call @lanes_are_steps(%image, %few) : (tensor<197x768xf32>, tensor<768x17xf32>) -> tensor<197x17xf32>
  return %y, %z, %v, %u, %t : tensor<112x96xf32>, tensor<112x96xf32>, tensor<112x96xf32>, tensor<112x96xf32>, tensor<197x17xf32>
}

// 24 sums and six weights are all registers but two.
// CHECK-LABEL: task.def @columns(
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 1, size = 96>,
task.def @columns(%x: tensor<112x24xf32>, %w: tensor<24x96xf32>) -> tensor<112x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<112x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<112x96xf32>) -> tensor<112x96xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<112x24xf32>, tensor<24x96xf32>) outs(%init : tensor<112x96xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<112x96xf32>
  task.return %r : tensor<112x96xf32>
}

// These two hold coefficients of what is computed of the sums.
// CHECK-LABEL: task.def @exponentials_of_columns(
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 0, size = 8>, #schedule.tile<nest = 0, dim = 1, size = 48>,
task.def @exponentials_of_columns(%x: tensor<112x24xf32>, %w: tensor<24x96xf32>) -> tensor<112x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<112x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<112x96xf32>) -> tensor<112x96xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<112x24xf32>, tensor<24x96xf32>) outs(%init : tensor<112x96xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<112x96xf32>
  %e = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<112x96xf32>) outs(%empty : tensor<112x96xf32>) {
  ^bb0(%p: f32, %unused: f32):
    %y = math.exp %p : f32
    linalg.yield %y : f32
  } -> tensor<112x96xf32>
  task.return %e : tensor<112x96xf32>
}

// Each row of a block shares what widening its weights takes.
// CHECK-LABEL: task.def @narrow_weights(
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 0, size = 14>, #schedule.tile<nest = 0, dim = 1, size = 32>,
task.def @narrow_weights(%x: tensor<112x24xf32>, %w: tensor<24x96xf16>) -> tensor<112x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<112x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<112x96xf32>) -> tensor<112x96xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<112x24xf32>, tensor<24x96xf16>) outs(%init : tensor<112x96xf32>) {
  ^bb0(%p: f32, %q: f16, %acc: f32):
    %wide = arith.extf %q : f16 to f32
    %m = arith.mulf %p, %wide : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<112x96xf32>
  task.return %r : tensor<112x96xf32>
}

// All columns of the right operand are more than the first level of cache holds, and each block reads them again: four rows at a time would wait for
// the second level.
// CHECK-LABEL: task.def @read_in_place(
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 48>, #schedule.tile<nest = 0, dim = 0, size = 9>,
task.def @read_in_place(%x: tensor<112x768xf32>, %w: tensor<768x96xf32>) -> tensor<112x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<112x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<112x96xf32>) -> tensor<112x96xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<112x768xf32>, tensor<768x96xf32>) outs(%init : tensor<112x96xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<112x96xf32>
  task.return %r : tensor<112x96xf32>
}

// Rows of 3 KB are read again for each few columns: 29 rows by one column would not stay in the first level of cache. 17 columns have no equal parts.
// CHECK-LABEL: task.def @lanes_are_steps(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 2, lanes = 16>
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 0, size = 6>, #schedule.tile<nest = 0, dim = 1, size = 4>,
task.def @lanes_are_steps(%x: tensor<197x768xf32>, %w: tensor<768x17xf32>) -> tensor<197x17xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<197x17xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<197x17xf32>) -> tensor<197x17xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<197x768xf32>, tensor<768x17xf32>) outs(%init : tensor<197x17xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<197x17xf32>
  task.return %r : tensor<197x17xf32>
}
