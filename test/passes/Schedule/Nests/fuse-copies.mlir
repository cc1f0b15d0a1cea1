// RUN: cameo-opt %s --build-loops --print-nests -o /dev/null | FileCheck %s

#q = affine_map<(h, g, r, d) -> (h, g, d)>
#k = affine_map<(h, g, r, d) -> (h, r, d)>
#s = affine_map<(h, g, r, d) -> (h, g, r)>
#p = affine_map<(h, g, d, r) -> (h, g, r)>
#v = affine_map<(h, g, d, r) -> (h, r, d)>
#o = affine_map<(h, g, d, r) -> (h, g, d)>

// Tiles of two rows: 35 copied rows are 17 tiles and one row, which runs with the appended one in the same range.
// CHECK-LABEL: task @keys
//  CHECK-NEXT: for d0 in 2 d1 in 8:
//  CHECK-NEXT:   out0[288*d0 + d1 + 280] = in1[8*d0 + d1]
//  CHECK-NEXT: rows 2:
//  CHECK-NEXT: for d0 in 2 d1 in 17 d2 in 16:
//  CHECK-NEXT:   out0[288*d0 + 16*d1 + d2] = in0[280*d0 + 16*d1 + d2]
//  CHECK-NEXT: for d0 in 2 d1 in 17 d2 in 3 d3 in 2 d4 in reduce 8:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf(in2[24*d0 + 8*d2 + d4], out0[288*d0 + 16*d1 + 8*d3 + d4]))
//  CHECK-NEXT:   out1[108*d0 + 2*d1 + 36*d2 + d3] = acc0
//  CHECK-NEXT: and rows 2:
//  CHECK-NEXT: for d0 in 2 d1 in 1 d2 in 8:
//  CHECK-NEXT:   out0[288*d0 + d2 + 272] = in0[280*d0 + d2 + 272]
//  CHECK-NEXT: for d0 in 2 d1 in 1 d2 in 3 d3 in 2 d4 in reduce 8:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf(in2[24*d0 + 8*d2 + d4], out0[288*d0 + 8*d3 + d4 + 272]))
//  CHECK-NEXT:   out1[108*d0 + 36*d2 + d3 + 34] = acc0
task.def @keys(%past: tensor<2x35x8xf32>, %new: tensor<2x1x8xf32>, %q: tensor<2x3x8xf32>) -> (tensor<2x36x8xf32>, tensor<2x3x36xf32>) attributes {
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
  task.return %present, %y : tensor<2x36x8xf32>, tensor<2x3x36xf32>
}

// The same of a dynamic length where rows are summed: two heads with four parts each, whose tiles run in order. The sums of the rows that are left, of which
// there are less than eight and the appended one, are a fifth part.
// CHECK-LABEL: task @values
//  CHECK-NEXT: for d0 in 2 d1 in 8:
//  CHECK-NEXT:   out0[(8*past + 8)*d0 + d1 + (8*past)] = in1[8*d0 + d1]
//  CHECK-NEXT: rows 1:
//  CHECK-NEXT: for d0 in 2 d1 in (past - 8*floor((past)/8)) d2 in 8:
//  CHECK-NEXT:   out0[(8*past + 8)*d0 + 8*d1 + d2 + (64*floor((past)/8))] = in0[(8*past)*d0 + 8*d1 + d2 + (64*floor((past)/8))]
//  CHECK-NEXT: for d0 in 2 d1 in 3 d2 in 8 d3 in reduce (past + 1 - 8*floor((past)/8)):
//  CHECK-NEXT:   acc0 = -0.000000e+00 then addf(acc0, mulf(in2[(3*past + 3)*d0 + (past + 1)*d1 + d3 + (8*floor((past)/8))], out0[(8*past + 8)*d0 + d2 + 8*d3 + (64*floor((past)/8))]))
//  CHECK-NEXT:   [[SUMS:scratch[0-9]+]][24*d0 + 8*d1 + d2] = acc0
//  CHECK-NEXT: for d0 in 2 d1 in 24 d2 in 4:
//  CHECK-NEXT:   [[SUMS]][24*d0 + d1 + 48*d2 + 48] = -0.000000e+00
//  CHECK-NEXT: rows 3, the last 1 in order:
//  CHECK-NEXT: for d0 in 2 d1 in 4 d2 in (floor((past)/8)) d3 in 16:
//  CHECK-NEXT:   out0[(8*past + 8)*d0 + (16*floor((past)/8))*d1 + 16*d2 + d3] = in0[(8*past)*d0 + (16*floor((past)/8))*d1 + 16*d2 + d3]
//  CHECK-NEXT: for d0 in 2 d1 in 4 d2 in (floor((past)/8)) d3 in 3 d4 in 8 d5 in reduce 2:
//  CHECK-NEXT:   acc0 = [[SUMS]][24*d0 + 48*d1 + 8*d3 + d4 + 48] then addf(acc0, mulf({{.*}}, out0[(8*past + 8)*d0 + (16*floor((past)/8))*d1 + 16*d2 + d4 + 8*d5]))
//  CHECK-NEXT:   [[SUMS]][24*d0 + 48*d1 + 8*d3 + d4 + 48] = acc0
//  CHECK-NEXT: for d0 in 48 d1 in reduce 5:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, [[SUMS]][d0 + 48*d1])
//  CHECK-NEXT:   out1[d0] = acc0
task.def @values(%past: tensor<2x?x8xf32> {task.dims = #onnx.dims<["", "past", ""]>}, %new: tensor<2x1x8xf32>, %p: tensor<2x3x?xf32> {task.dims = #onnx.dims<["", "", "past + 1"]>})
    -> (tensor<2x?x8xf32> {task.dims = #onnx.dims<["", "past + 1", ""]>}, tensor<2x3x8xf32>) attributes {
    schedule = #schedule.steps<#schedule.fuse<nest = 0, last = 2, size = 2>>} {
  %zero = arith.constant 0.0 : f32
  %length = task.size "past"
  %total = task.size "past + 1"
  %none = tensor.empty(%total) : tensor<2x?x8xf32>
  %first = tensor.insert_slice %past into %none[0, 0, 0] [2, %length, 8] [1, 1, 1] : tensor<2x?x8xf32> into tensor<2x?x8xf32>
  %present = tensor.insert_slice %new into %first[0, %length, 0] [2, 1, 8] [1, 1, 1] : tensor<2x1x8xf32> into tensor<2x?x8xf32>
  %empty = tensor.empty() : tensor<2x3x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %y = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %present : tensor<2x3x?xf32>, tensor<2x?x8xf32>) outs(%init : tensor<2x3x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x3x8xf32>
  task.return %present, %y : tensor<2x?x8xf32>, tensor<2x3x8xf32>
}
