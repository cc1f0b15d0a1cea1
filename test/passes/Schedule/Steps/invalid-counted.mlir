// RUN: cameo-opt %s -split-input-file -verify-diagnostics --build-loops --apply-schedule

#id = affine_map<(m) -> (m)>

// expected-error@below {{the schedule cannot be applied: nest 0: expected a loop over dimension 0, which is dynamic}}
task.def @no_loop(%x: tensor<?xf32> {task.dims = #onnx.dims<["n"]>}) -> (tensor<?xf32> {task.dims = #onnx.dims<["n"]>})
    attributes {schedule = #schedule.steps<>} {
  %n = task.size "n"
  %empty = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<?xf32>
  task.return %r : tensor<?xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// expected-error@below {{nest 0: expected a loop over dimension 0, which is dynamic, around the reductions outside of loop 1}}
task.def @reduction_outside(%x: tensor<?x64xf32> {task.dims = #onnx.dims<["m", ""]>}, %w: tensor<64x32xf32>) -> (tensor<?x32xf32> {task.dims = #onnx.dims<["m", ""]>})
    attributes {schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 2, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 1>>} {
  %n = task.size "m"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%n) : tensor<?x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x32xf32>) -> tensor<?x32xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x64xf32>, tensor<64x32xf32>) outs(%init : tensor<?x32xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x32xf32>
  task.return %r : tensor<?x32xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// expected-error@below {{nest 0: buffer 1 cannot be packed in groups or fetched ahead: the elements that are read are known only at run time}}
task.def @fetched_ahead(%x: tensor<8x64xf32>, %w: tensor<64x?xf32> {task.dims = #onnx.dims<["", "n"]>}) -> (tensor<8x?xf32> {task.dims = #onnx.dims<["", "n"]>})
    attributes {schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>,
        #schedule.prefetch<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 1, size = 8>>} {
  %n = task.size "n"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%n) : tensor<8x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x?xf32>) -> tensor<8x?xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x64xf32>, tensor<64x?xf32>) outs(%init : tensor<8x?xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x?xf32>
  task.return %r : tensor<8x?xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<8x?xf32, #onnx.dims<["", "k"]>>) -> tensor<8x32xf32> {
  %w = arith.constant dense<1.0> : tensor<64x32xf32>
  %y = task.call @part_of_a_constant(%x, %w) : (tensor<8x?xf32, #onnx.dims<["", "k"]>>, tensor<64x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// expected-error@below {{nest 0: expected to pack all of a constant or nothing, got buffer 1}}
task.def @part_of_a_constant(%x: tensor<8x?xf32> {task.dims = #onnx.dims<["", "k"]>}, %w: tensor<64x32xf32>) -> tensor<8x32xf32>
    attributes {schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>,
        #schedule.tile<nest = 0, dim = 2, size = 1>>} {
  %n = task.size "k"
  %part = tensor.extract_slice %w[0, 0] [%n, 32] [1, 1] : tensor<64x32xf32> to tensor<?x32xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %part : tensor<8x?xf32>, tensor<?x32xf32>) outs(%init : tensor<8x32xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  task.return %r : tensor<8x32xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// expected-error@below {{nest 0: buffer 1 cannot be packed in groups or fetched ahead: the elements that are read are known only at run time}}
task.def @groups_of_a_counted_operand(%x: tensor<8x64xi8>, %w: tensor<64x?xi8> {task.dims = #onnx.dims<["", "n"]>}) -> (tensor<8x?xi32> {task.dims = #onnx.dims<["", "n"]>})
    attributes {schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>,
        #schedule.dot<nest = 0, dim = 2>, #schedule.tile<nest = 0, dim = 1, size = 8>, #schedule.tile<nest = 0, dim = 2, size = 4>>} {
  %n = task.size "n"
  %zero = arith.constant 0 : i32
  %empty = tensor.empty(%n) : tensor<8x?xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x?xi32>) -> tensor<8x?xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x64xi8>, tensor<64x?xi8>) outs(%init : tensor<8x?xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %l = arith.extsi %p : i8 to i32
    %h = arith.extsi %q : i8 to i32
    %m = arith.muli %l, %h : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<8x?xi32>
  task.return %r : tensor<8x?xi32>
}
