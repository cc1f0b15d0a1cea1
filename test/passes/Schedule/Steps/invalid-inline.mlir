// RUN: cameo-opt %s -split-input-file -verify-diagnostics --build-loops --apply-schedule

#id = affine_map<(m, n) -> (m, n)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected a nest whose result stays in the task, at a linear address}}
task.def @inlined_result(%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {
    schedule = #schedule.steps<#schedule.inline<nest = 0>>} {
  %empty = tensor.empty() : tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) {
  ^bb0(%v: f32, %unused: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<4x6xf32>
  task.return %r : tensor<4x6xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#one = affine_map<(m) -> (m)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected a nest of one result without a reduction}}
task.def @inlined_sum(%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {
    schedule = #schedule.steps<#schedule.inline<nest = 0>>} {
  %zero = arith.constant 0.0 : f32
  %column = tensor.empty() : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%column : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%v: f32, %acc: f32):
    %s = arith.addf %acc, %v : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<4x6xf32>, tensor<4xf32>) outs(%empty : tensor<4x6xf32>) {
  ^bb0(%v: f32, %s: f32, %unused: f32):
    %d = arith.divf %v, %s : f32
    linalg.yield %d : f32
  } -> tensor<4x6xf32>
  task.return %r : tensor<4x6xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// expected-error@below {{the schedule cannot be applied: nest 2: expected a nest below 1, got 2}}
task.def @inlined_nowhere(%x: tensor<4x6xf32>) -> tensor<4x6xf32> attributes {
    schedule = #schedule.steps<#schedule.inline<nest = 2>>} {
  %empty = tensor.empty() : tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) {
  ^bb0(%v: f32, %unused: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<4x6xf32>
  task.return %r : tensor<4x6xf32>
}
