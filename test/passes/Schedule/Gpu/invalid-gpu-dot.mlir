// What bytes may not be that a thread of a GPU contracts in groups of four.
// RUN: cameo-opt %s --build-loops --apply-schedule -split-input-file -verify-diagnostics

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected a sum of products of bytes, in blocks of points, to contract in groups}}
task.def @matmul(%x: tensor<64x64xi8>, %w: tensor<64x64xi8>) -> tensor<64x64xi32> attributes {
    schedule = #schedule.steps<#schedule.dot<nest = 0, dim = 2>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extsi %p : i8 to i32
    %v = arith.extui %q : i8 to i32
    %m = arith.muli %u, %v : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<64x64xi32>
  task.return %r : tensor<64x64xi32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected a sum of products of bytes, in blocks of points, to contract in groups}}
task.def @matmul(%x: tensor<64x64xi16>, %w: tensor<64x64xi16>) -> tensor<64x64xi32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 2, size = 8>, #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 1, size = 4>,
                               #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = thread>, #schedule.bind<nest = 0, loop = 4, to = thread>,
                               #schedule.cache<nest = 0, buffer = 0>, #schedule.cache<nest = 0, buffer = 1>, #schedule.dot<nest = 0, dim = 2>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xi16>, tensor<64x64xi16>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%p: i16, %q: i16, %acc: i32):
    %u = arith.extsi %p : i16 to i32
    %v = arith.extui %q : i16 to i32
    %m = arith.muli %u, %v : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<64x64xi32>
  task.return %r : tensor<64x64xi32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected a reduction to contract in groups, got dimension 1}}
task.def @matmul(%x: tensor<64x64xi8>, %w: tensor<64x64xi8>) -> tensor<64x64xi32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 2, size = 8>, #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 1, size = 4>,
                               #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = thread>, #schedule.bind<nest = 0, loop = 4, to = thread>,
                               #schedule.cache<nest = 0, buffer = 0>, #schedule.cache<nest = 0, buffer = 1>, #schedule.dot<nest = 0, dim = 1>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extsi %p : i8 to i32
    %v = arith.extui %q : i8 to i32
    %m = arith.muli %u, %v : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<64x64xi32>
  task.return %r : tensor<64x64xi32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected bytes in shared memory to contract in groups}}
task.def @matmul(%x: tensor<64x64xi8>, %w: tensor<64x64xi8>) -> tensor<64x64xi32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 2, size = 8>, #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 1, size = 4>,
                               #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = thread>, #schedule.bind<nest = 0, loop = 4, to = thread>,
                               #schedule.cache<nest = 0, buffer = 0>, #schedule.dot<nest = 0, dim = 2>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extsi %p : i8 to i32
    %v = arith.extui %q : i8 to i32
    %m = arith.muli %u, %v : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<64x64xi32>
  task.return %r : tensor<64x64xi32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected multiples of 4 steps between fetches and at once, got 6 and 0}}
task.def @matmul(%x: tensor<64x66xi8>, %w: tensor<66x64xi8>) -> tensor<64x64xi32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 2, size = 6>, #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 1, size = 4>,
                               #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = thread>, #schedule.bind<nest = 0, loop = 4, to = thread>,
                               #schedule.cache<nest = 0, buffer = 0>, #schedule.cache<nest = 0, buffer = 1>, #schedule.dot<nest = 0, dim = 2>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x66xi8>, tensor<66x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extsi %p : i8 to i32
    %v = arith.extui %q : i8 to i32
    %m = arith.muli %u, %v : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<64x64xi32>
  task.return %r : tensor<64x64xi32>
}
}

// -----

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// expected-error@below {{the schedule cannot be applied: nest 0: expected multiples of 4 steps between fetches and at once, got 8 and 2}}
task.def @matmul(%x: tensor<64x64xi8>, %w: tensor<64x64xi8>) -> tensor<64x64xi32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 2, size = 8>, #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 1, size = 4>,
                               #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = thread>, #schedule.bind<nest = 0, loop = 4, to = thread>,
                               #schedule.cache<nest = 0, buffer = 0>, #schedule.cache<nest = 0, buffer = 1>, #schedule.unroll<nest = 0, factor = 2>, #schedule.dot<nest = 0, dim = 2>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extsi %p : i8 to i32
    %v = arith.extui %q : i8 to i32
    %m = arith.muli %u, %v : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<64x64xi32>
  task.return %r : tensor<64x64xi32>
}
}
