// RUN: cameo-opt %s -split-input-file -verify-diagnostics --build-loops --apply-schedule

#rows = affine_map<(n, m) -> (m, n)>
#columns = affine_map<(n, m) -> (n)>

// expected-error@below {{the schedule cannot be applied: nest 0: loop 1 is inside of one over a reduction whose lanes are partial results}}
task.def @lanes_around_points(%x: tensor<2048x32xf32>) -> tensor<32xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32xf32>) -> tensor<32xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x32xf32>) outs(%init : tensor<32xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<32xf32>
  task.return %r : tensor<32xf32>
}

// -----

#rows = affine_map<(n, m) -> (m, n)>
#columns = affine_map<(n, m) -> (n)>

// expected-error@below {{the schedule cannot be applied: nest 0: loop 1 is inside of one over a reduction of single bits}}
task.def @bits_in_memory(%x: tensor<2048x32xi1>) -> tensor<32xi1> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 16>>} {
  %zero = arith.constant false
  %empty = tensor.empty() : tensor<32xi1>
  %init = linalg.fill ins(%zero : i1) outs(%empty : tensor<32xi1>) -> tensor<32xi1>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x32xi1>) outs(%init : tensor<32xi1>) {
  ^bb0(%a: i1, %sum: i1):
    %s = arith.ori %sum, %a : i1
    linalg.yield %s : i1
  } -> tensor<32xi1>
  task.return %r : tensor<32xi1>
}

// -----

#rows = affine_map<(n, m) -> (m, n)>
#columns = affine_map<(n, m) -> (n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected at most 65536 bytes of partial results for loop 1, got 128000}}
task.def @too_much_in_memory(%x: tensor<128x32000xf32>) -> tensor<32000xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32000xf32>) -> tensor<32000xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<128x32000xf32>) outs(%init : tensor<32000xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<32000xf32>
  task.return %r : tensor<32000xf32>
}

// -----

#rows = affine_map<(n, m) -> (m, n)>
#columns = affine_map<(n, m) -> (n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected a vector dimension from 0 to 1, got 23}}
task.def @no_vector_dimension(%x: tensor<2048x32xf32>) -> tensor<32xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 23, lanes = 16>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32xf32>) -> tensor<32xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x32xf32>) outs(%init : tensor<32xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<32xf32>
  task.return %r : tensor<32xf32>
}
