// RUN: cameo-opt %s -split-input-file -verify-diagnostics --build-loops --apply-schedule

#rows = affine_map<(n, m) -> (m, n)>
#columns = affine_map<(n, m) -> (n)>

// expected-error@below {{the schedule cannot be applied: nest 0: loop 0 over a reduction cannot be around what is parallel}}
task.def @parallel_inside_of_a_sum(%x: tensor<2048x16xf32>) -> tensor<16xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 4>,
                               #schedule.parallel<nest = 0, loops = 1, inside = 1>>} {
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

// expected-error@below {{the schedule cannot be applied: nest 0: dimension 0 is divided by two parallel loops, or by one and a loop around it}}
task.def @parallel_loop_of_a_divided_dimension(%x: tensor<2048x16xf32>) -> tensor<16xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 8>, #schedule.tile<nest = 0, dim = 0, size = 4>,
                               #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.parallel<nest = 0, loops = 1, inside = 1>>} {
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

// expected-error@below {{the schedule cannot be applied: nest 0: expected at most 1 loops, parallel ones and those around them, got 2}}
task.def @more_parallel_loops_than_there_are(%x: tensor<2048x16xf32>) -> tensor<16xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.parallel<nest = 0, loops = 1, inside = 1>>} {
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
