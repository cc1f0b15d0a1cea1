// RUN: cameo-opt %s --build-loops --print-nests -o /dev/null | FileCheck %s

#read = affine_map<(g, i, j, k) -> (g, i, j, k)>
#kept = affine_map<(g, i, j, k) -> (g, i, j)>
#id = affine_map<(i) -> (i)>

// Three dimensions become one, of which the middle one is dynamic: the outer one lies as far apart as that says, and all are one loop.
// CHECK-LABEL: task @open_inside
//  CHECK-NEXT: for d0 in (6*n) d1 in reduce 4:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(in0[4*d0 + d1], acc0)
//  CHECK-NEXT:   out0[d0] = maximumf(acc0, 0.000000e+00)
//   CHECK-NOT: for
task.def @open_inside(%x: tensor<3x?x2x4xf32> {task.dims = #onnx.dims<["", "n", "", ""]>}) -> (tensor<?xf32> {task.dims = #onnx.dims<["6*n"]>}) {
  %zero = arith.constant 0.0 : f32
  %n = task.size "n"
  %all = task.size "6*n"
  %empty = tensor.empty(%n) : tensor<3x?x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x?x2xf32>) -> tensor<3x?x2xf32>
  %sum = linalg.generic {indexing_maps = [#read, #kept], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x : tensor<3x?x2x4xf32>) outs(%init : tensor<3x?x2xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %a, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x?x2xf32>
  %joined = tensor.collapse_shape %sum [[0, 1, 2]] : tensor<3x?x2xf32> into tensor<?xf32>
  %place = tensor.empty(%all) : tensor<?xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%joined : tensor<?xf32>) outs(%place : tensor<?xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  task.return %relu : tensor<?xf32>
}
