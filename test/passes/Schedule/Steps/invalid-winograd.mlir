// RUN: cameo-opt %s -split-input-file -verify-diagnostics --build-loops --apply-schedule

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected a 3x3 convolution of stride 1, got a filter that is not constant}}
task.def @filter_known_only_at_run_time(%x: tensor<1x10x10x16xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x8x8x16xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 4, columns = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x10x10x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x8x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x16xf32>
  task.return %conv : tensor<1x8x8x16xf32>
}

// -----

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh * 2 + kh, ow * 2 + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x: tensor<1x9x9x16xf32>) {
  %w = arith.constant dense<1.0> : tensor<16x16x3x3xf32>
  %y = task.call @stride_of_two(%x, %w) : (tensor<1x9x9x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x4x4x16xf32>
  return
}

// expected-error@below {{the schedule cannot be applied: nest 0: expected a 3x3 convolution of stride 1, got another stride}}
task.def @stride_of_two(%x: tensor<1x9x9x16xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x4x4x16xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 4, columns = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x9x9x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x4x4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4x16xf32>
  task.return %conv : tensor<1x4x4x16xf32>
}

// -----

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x: tensor<1x5x10x16xf32>) {
  %w = arith.constant dense<1.0> : tensor<16x16x3x3xf32>
  %y = task.call @plane_smaller_than_a_tile(%x, %w) : (tensor<1x5x10x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x3x8x16xf32>
  return
}

// expected-error@below {{the schedule cannot be applied: nest 0: expected a plane of at least one tile}}
task.def @plane_smaller_than_a_tile(%x: tensor<1x5x10x16xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x3x8x16xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 4, columns = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x3x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x3x8x16xf32>) -> tensor<1x3x8x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x5x10x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x3x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x3x8x16xf32>
  task.return %conv : tensor<1x3x8x16xf32>
}

// -----

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x: tensor<1x10x10x16xf32>) {
  %w = arith.constant dense<1.0> : tensor<16x16x3x3xf32>
  %y = task.call @filter_in_parts_for_blocks_of_tiles(%x, %w) : (tensor<1x10x10x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x8x8x16xf32>
  return
}

// expected-error@below {{the schedule cannot be applied: nest 0: expected the whole plane at once if the filter is transformed at run time}}
task.def @filter_in_parts_for_blocks_of_tiles(%x: tensor<1x10x10x16xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x8x8x16xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 2, channels = 16, depth = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x10x10x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x8x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x16xf32>
  task.return %conv : tensor<1x8x8x16xf32>
}

// -----

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x: tensor<1x10x10x16xf32>) {
  %w = arith.constant dense<1.0> : tensor<16x16x3x3xf32>
  %y = task.call @parts_that_do_not_divide_the_filter(%x, %w) : (tensor<1x10x10x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x8x8x16xf32>
  return
}

// expected-error@below {{the schedule cannot be applied: nest 0: expected blocks of the filter that divide its 16 outputs and 16 inputs, got 16 and 12}}
task.def @parts_that_do_not_divide_the_filter(%x: tensor<1x10x10x16xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x8x8x16xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 2, columns = 2, channels = 16, depth = 12>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x10x10x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x8x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x16xf32>
  task.return %conv : tensor<1x8x8x16xf32>
}

// -----

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x: tensor<1x10x10x16xf32>) {
  %w = arith.constant dense<1.0> : tensor<16x16x3x3xf32>
  %y = task.call @nest_that_does_not_exist(%x, %w) : (tensor<1x10x10x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x8x8x16xf32>
  return
}

// expected-error@below {{the schedule cannot be applied: nest 1: expected a nest below 1, got 1}}
task.def @nest_that_does_not_exist(%x: tensor<1x10x10x16xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x8x8x16xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 1, outputs = 4, rows = 4, columns = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x10x10x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x8x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x16xf32>
  task.return %conv : tensor<1x8x8x16xf32>
}

// -----

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x: tensor<1x10x10x16xf32>) {
  %w = arith.constant dense<1.0> : tensor<16x16x3x3xf32>
  %y = task.call @transformed_operand_not_packed(%x, %w) : (tensor<1x10x10x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x8x8x16xf32>
  return
}

// expected-error@below {{the schedule cannot be applied: nest 1: expected the transformed operand to be packed along the vector dimension}}
task.def @transformed_operand_not_packed(%x: tensor<1x10x10x16xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x8x8x16xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 4, columns = 4>,
        #schedule.vectorize<nest = 0, dim = 2, lanes = 16>, #schedule.tile<nest = 0, dim = 0, size = 1>,
        #schedule.vectorize<nest = 1, dim = 3, lanes = 16>, #schedule.tile<nest = 1, dim = 0, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x10x10x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x8x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x16xf32>
  task.return %conv : tensor<1x8x8x16xf32>
}

// -----

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x: tensor<1x10x10x16xf32>) {
  %w = arith.constant dense<1.0> : tensor<16x16x3x3xf16>
  %y:2 = task.call @two_readers_of_a_filter(%x, %x, %w) : (tensor<1x10x10x16xf32>, tensor<1x10x10x16xf32>, tensor<16x16x3x3xf16>) -> (tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>)
  return
}

// expected-error@below {{the schedule cannot be applied: nest 0: expected a 3x3 convolution of stride 1, got a 16-bit filter that others read, too}}
task.def @two_readers_of_a_filter(%x: tensor<1x10x10x16xf32>, %y: tensor<1x10x10x16xf32>, %w: tensor<16x16x3x3xf16>) -> (tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 2, columns = 2>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %left = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x10x10x16xf32>, tensor<16x16x3x3xf16>) outs(%init : tensor<1x8x8x16xf32>) {
  ^bb0(%a: f32, %b: f16, %acc: f32):
    %f = arith.extf %b : f16 to f32
    %m = arith.mulf %a, %f : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x16xf32>
  %right = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%y, %w : tensor<1x10x10x16xf32>, tensor<16x16x3x3xf16>) outs(%init : tensor<1x8x8x16xf32>) {
  ^bb0(%a: f32, %b: f16, %acc: f32):
    %f = arith.extf %b : f16 to f32
    %m = arith.mulf %a, %f : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x16xf32>
  task.return %left, %right : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>
}
