// RUN: cameo-opt %s -split-input-file -verify-diagnostics --build-loops --apply-schedule

#q = affine_map<(h, g, r, d) -> (h, g, d)>
#k = affine_map<(h, g, r, d) -> (h, r, d)>
#s = affine_map<(h, g, r, d) -> (h, g, r)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected 64 rows or more in a copy, got 35}}
task.def @copy_of_few_rows(%past: tensor<2x35x8xf32>, %new: tensor<2x1x8xf32>, %q: tensor<2x3x8xf32>) -> (tensor<2x36x8xf32>, tensor<2x3x36xf32>) attributes {
    schedule = #schedule.steps<#schedule.fuse<nest = 0, last = 2, size = 64>>} {
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<2x36x8xf32>
  %first = tensor.insert_slice %past into %none[0, 0, 0] [2, 35, 8] [1, 1, 1] : tensor<2x35x8xf32> into tensor<2x36x8xf32>
  %present = tensor.insert_slice %new into %first[0, 35, 0] [2, 1, 8] [1, 1, 1] : tensor<2x1x8xf32> into tensor<2x36x8xf32>
  %empty = tensor.empty() : tensor<2x3x36xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x36xf32>) -> tensor<2x3x36xf32>
  %y = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %present : tensor<2x3x8xf32>, tensor<2x36x8xf32>) outs(%init : tensor<2x3x36xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x3x36xf32>
  task.return %present, %y : tensor<2x36x8xf32>, tensor<2x3x36xf32>
}

// -----

#q = affine_map<(h, g, r, d) -> (h, g, d)>
#k = affine_map<(h, g, r, d) -> (h, r, d)>
#s = affine_map<(h, g, r, d) -> (h, g, r)>
#id = affine_map<(h, r, d) -> (h, r, d)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected adjacent nests that can run in overlapped tiles, got a buffer that is also used outside of these nests}}
task.def @copy_that_others_read(%past: tensor<2x35x8xf32>, %new: tensor<2x1x8xf32>, %q: tensor<2x3x8xf32>) -> (tensor<2x36x8xf32>, tensor<2x3x36xf32>, tensor<2x36x8xf32>) attributes {
    schedule = #schedule.steps<#schedule.fuse<nest = 0, last = 2, size = 2>>} {
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<2x36x8xf32>
  %first = tensor.insert_slice %past into %none[0, 0, 0] [2, 35, 8] [1, 1, 1] : tensor<2x35x8xf32> into tensor<2x36x8xf32>
  %present = tensor.insert_slice %new into %first[0, 35, 0] [2, 1, 8] [1, 1, 1] : tensor<2x1x8xf32> into tensor<2x36x8xf32>
  %empty = tensor.empty() : tensor<2x3x36xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x36xf32>) -> tensor<2x3x36xf32>
  %y = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %present : tensor<2x3x8xf32>, tensor<2x36x8xf32>) outs(%init : tensor<2x3x36xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x3x36xf32>
  %other = tensor.empty() : tensor<2x36x8xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%present : tensor<2x36x8xf32>) outs(%other : tensor<2x36x8xf32>) {
  ^bb0(%v: f32, %unused: f32):
    %r = arith.negf %v : f32
    linalg.yield %r : f32
  } -> tensor<2x36x8xf32>
  task.return %present, %y, %z : tensor<2x36x8xf32>, tensor<2x3x36xf32>, tensor<2x36x8xf32>
}
