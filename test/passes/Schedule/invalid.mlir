// RUN: cameo-opt %s -split-input-file -verify-diagnostics --apply-schedule

#id = affine_map<(m) -> (m)>

// expected-error@below {{the schedule does not fit: nest 0: expected a dimension from 0 to 0, got 1}}
task.def @dimension_out_of_range(%x: tensor<64xf32>) -> tensor<64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 4>>} {
  %empty = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  task.return %r : tensor<64xf32>
}

// -----

#id = affine_map<(m) -> (m)>

// expected-error@below {{the schedule does not fit: nest 0: the loops leave a block of more than 1024 points to unroll}}
task.def @block_too_large(%x: tensor<6400xf32>) -> tensor<6400xf32> attributes {schedule = #schedule.steps<>} {
  %empty = tensor.empty() : tensor<6400xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<6400xf32>) outs(%empty : tensor<6400xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<6400xf32>
  task.return %r : tensor<6400xf32>
}

// -----

#id = affine_map<(m) -> (m)>

// expected-error@below {{the schedule does not fit: expected a nest below 1, got 3}}
task.def @nest_out_of_range(%x: tensor<64xf32>) -> tensor<64xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 3, dim = 0, size = 4>>} {
  %empty = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  task.return %r : tensor<64xf32>
}

// -----

#rows = affine_map<(n, m) -> (m, n)>
#columns = affine_map<(n, m) -> (n)>

// expected-error@below {{the schedule does not fit: nest 0: expected partial results for a loop over a reduction, got loop 0}}
task.def @partial_results_of_no_reduction(%x: tensor<2048x16xf32>) -> tensor<16xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.tile<nest = 0, dim = 1, size = 64>,
                               #schedule.rfactor<nest = 0, loop = 0>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  task.return %r : tensor<16xf32>
}

// -----

#rows = affine_map<(n, m) -> (m, n)>
#columns = affine_map<(n, m) -> (n)>

// expected-error@below {{the schedule does not fit: nest 0: the partial results of this reduction cannot be combined}}
task.def @partial_results_without_combiner(%x: tensor<2048x16xf32>) -> tensor<16xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.tile<nest = 0, dim = 1, size = 64>,
                               #schedule.rfactor<nest = 0, loop = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x16xf32>) outs(%init : tensor<16xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.divf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<16xf32>
  task.return %r : tensor<16xf32>
}

// -----

#id = affine_map<(m) -> (m)>

// expected-error@below {{the schedule does not fit: nest 0: expected a packed buffer to fetch, got buffer 0}}
task.def @nothing_to_fetch(%x: tensor<64xf32>) -> tensor<64xf32> attributes {
    schedule = #schedule.steps<#schedule.prefetch<nest = 0, buffer = 0>, #schedule.tile<nest = 0, dim = 0, size = 4>>} {
  %empty = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  task.return %r : tensor<64xf32>
}
