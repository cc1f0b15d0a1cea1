// RUN: cameo-opt %s -split-input-file -verify-diagnostics --attach-target=machine=vector_bytes=64,byte_products=vnni --build-loops --apply-schedule

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected a reduction of known length to contract in groups, got dimension 0}}
task.def @dot_along_no_reduction(%x: tensor<8x8xi8>, %w: tensor<8x16xi8>) -> tensor<8x16xi32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>, #schedule.dot<nest = 0, dim = 0>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x16xi32>) -> tensor<8x16xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x8xi8>, tensor<8x16xi8>) outs(%init : tensor<8x16xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<8x16xi32>
  task.return %r : tensor<8x16xi32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected a sum of products of bytes to contract in groups, one factor along the vector dimension}}
task.def @dot_without_vector(%x: tensor<8x8xi8>, %w: tensor<8x16xi8>) -> tensor<8x16xi32> attributes {
    schedule = #schedule.steps<#schedule.dot<nest = 0, dim = 2>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x16xi32>) -> tensor<8x16xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x8xi8>, tensor<8x16xi8>) outs(%init : tensor<8x16xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<8x16xi32>
  task.return %r : tensor<8x16xi32>
}

// -----

#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected the factor that lanes share to be contiguous along dimension 2}}
task.def @dot_of_strided_factor(%x: tensor<8x8xi8>, %w: tensor<8x16xi8>) -> tensor<8x16xi32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>, #schedule.dot<nest = 0, dim = 2>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x16xi32>) -> tensor<8x16xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x8xi8>, tensor<8x16xi8>) outs(%init : tensor<8x16xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<8x16xi32>
  task.return %r : tensor<8x16xi32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected the factor that varies along the vector dimension to be packed}}
task.def @dot_not_packed(%x: tensor<8x8xi8>, %w: tensor<8x16xi8>) -> tensor<8x16xi32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.dot<nest = 0, dim = 2>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x16xi32>) -> tensor<8x16xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x8xi8>, tensor<8x16xi8>) outs(%init : tensor<8x16xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<8x16xi32>
  task.return %r : tensor<8x16xi32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected no partial results of exact sums}}
task.def @dot_with_partial_results(%x: tensor<8x8xi8>, %w: tensor<8x16xi8>) -> tensor<8x16xi32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>, #schedule.dot<nest = 0, dim = 2>, #schedule.tile<nest = 0, dim = 2, size = 4>, #schedule.rfactor<nest = 0, loop = 0>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x16xi32>) -> tensor<8x16xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x8xi8>, tensor<8x16xi8>) outs(%init : tensor<8x16xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<8x16xi32>
  task.return %r : tensor<8x16xi32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected a multiple of 4 as tile size of dimension 2, got 6}}
task.def @dot_of_broken_groups(%x: tensor<8x8xi8>, %w: tensor<8x16xi8>) -> tensor<8x16xi32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>, #schedule.dot<nest = 0, dim = 2>, #schedule.tile<nest = 0, dim = 2, size = 6>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x16xi32>) -> tensor<8x16xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x8xi8>, tensor<8x16xi8>) outs(%init : tensor<8x16xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<8x16xi32>
  task.return %r : tensor<8x16xi32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected scales to be the same along dimension 2, and other terms to be added only at its first index}}
task.def @dot_of_scaled_steps(%x: tensor<8x8xi8>, %w: tensor<8x16xi8>, %s: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>, #schedule.dot<nest = 0, dim = 2>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %s : tensor<8x8xi8>, tensor<8x16xi8>, tensor<8x16xf32>) outs(%init : tensor<8x16xf32>) {
  ^bb0(%p: i8, %q: i8, %scale: f32, %acc: f32):
    %u = arith.extsi %p : i8 to i32
    %s8 = arith.extui %q : i8 to i32
    %m = arith.muli %u, %s8 : i32
    %f = arith.sitofp %m : i32 to f32
    %g = arith.mulf %f, %scale : f32
    %t = arith.addf %acc, %g : f32
    linalg.yield %t : f32
  } -> tensor<8x16xf32>
  task.return %r : tensor<8x16xf32>
}
