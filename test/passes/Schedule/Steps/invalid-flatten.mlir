// RUN: cameo-opt %s -split-input-file -verify-diagnostics --build-loops --apply-schedule

#id = affine_map<(m, n) -> (m, n)>
#across = affine_map<(m, n) -> (n, m)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected two adjacent parallel dimensions inside of a row, got 1 and 2}}
task.def @flattened_beyond_the_last(%x: tensor<4x6xf32>) -> tensor<6x4xf32> attributes {
    schedule = #schedule.steps<#schedule.flatten<nest = 0, dim = 1>>} {
  %empty = tensor.empty() : tensor<6x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #across], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%empty : tensor<6x4xf32>) {
  ^bb0(%v: f32, %unused: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<6x4xf32>
  task.return %r : tensor<6x4xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#across = affine_map<(m, n) -> (n, m)>

// expected-error@below {{the schedule cannot be applied: nest 0: dimensions 0 and 1 cannot be flattened: there is the index of a point as a value}}
task.def @flattened_index(%x: tensor<4x6xf32>) -> tensor<6x4xf32> attributes {
    schedule = #schedule.steps<#schedule.flatten<nest = 0, dim = 0>>} {
  %empty = tensor.empty() : tensor<6x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #across], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%empty : tensor<6x4xf32>) {
  ^bb0(%v: f32, %unused: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %n = arith.addf %v, %f : f32
    linalg.yield %n : f32
  } -> tensor<6x4xf32>
  task.return %r : tensor<6x4xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#across = affine_map<(m, n) -> (n, m)>

// expected-error@below {{the schedule cannot be applied: nest 2: expected a nest below 1, got 2}}
task.def @flattened_nowhere(%x: tensor<4x6xf32>) -> tensor<6x4xf32> attributes {
    schedule = #schedule.steps<#schedule.flatten<nest = 2, dim = 0>>} {
  %empty = tensor.empty() : tensor<6x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #across], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%empty : tensor<6x4xf32>) {
  ^bb0(%v: f32, %unused: f32):
    %n = arith.negf %v : f32
    linalg.yield %n : f32
  } -> tensor<6x4xf32>
  task.return %r : tensor<6x4xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>

// expected-error@below {{the schedule cannot be applied: nest 0: dimensions 0 and 1 cannot be flattened: there is a row of dynamic size}}
task.def @flattened_any_row(%x: tensor<4x?xf32> {task.dims = #onnx.dims<["", "n"]>}, %b: tensor<?xf32> {task.dims = #onnx.dims<["n"]>}) -> (tensor<4x?xf32> {task.dims = #onnx.dims<["", "n"]>}) attributes {
    schedule = #schedule.steps<#schedule.flatten<nest = 0, dim = 0>>} {
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %one : tensor<4x?xf32>
  %empty = tensor.empty(%n) : tensor<4x?xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> (n)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x?xf32>, tensor<?xf32>) outs(%empty : tensor<4x?xf32>) {
  ^bb0(%v: f32, %w: f32, %unused: f32):
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<4x?xf32>
  task.return %r : tensor<4x?xf32>
}
