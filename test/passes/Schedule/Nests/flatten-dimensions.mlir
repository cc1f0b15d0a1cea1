// RUN: cameo-opt %s --build-loops --print-nests -o /dev/null | FileCheck %s
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-kernels | FileCheck %s --check-prefix=APPLIED

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh * 2 + kh, ow * 2 + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>

// Rows of the input are 15 * 4 elements, of which 7 pixels of stride 2 take 7 * 8: every row begins 64 elements further. The residual
// is as long as its rows, the result lies in a padded plane.
// CHECK-LABEL: task @padded_plane
//       CHECK: for d0 in 49 d1 in 8 d2 in reduce 4 d3 in reduce 3 d4 in reduce 3:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf(in0[8*d0 + d2 + 60*d3 + 4*d4 + 64*divui(d0, 7)], in1[36*d1 + 9*d2 + 3*d3 + d4]))
//  CHECK-NEXT:   out0[8*d0 + d1 + 80 + 16*divui(d0, 7)] = addf(acc0, in2[8*d0 + d1])

// Seven blocks of seven pixels: rows are divided out before the reduction and once more for the stores.
// APPLIED-LABEL: func.func private @padded_plane.
//       APPLIED:   scf.for
//       APPLIED:     scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
//       APPLIED:       %[[ROW:.*]] = arith.divui %{{.*}}, %{{.*}} : index
//       APPLIED:       %[[FURTHER:.*]] = arith.muli %[[ROW]], %{{.*}} : index
//       APPLIED:       arith.addi %{{.*}}, %[[FURTHER]] : index
//       APPLIED:       memref.load
//       APPLIED:       vector.fma
//       APPLIED:     arith.divui
//       APPLIED:     vector.store
task.def @padded_plane(%x: tensor<1x15x15x4xf32>, %w: tensor<8x4x3x3xf32>, %residual: tensor<1x7x7x8xf32>) -> tensor<1x9x9x8xf32> attributes {
    schedule = #schedule.steps<#schedule.flatten<nest = 0, dim = 0>, #schedule.vectorize<nest = 0, dim = 1, lanes = 8>,
        #schedule.tile<nest = 0, dim = 0, size = 7>, #schedule.tile<nest = 0, dim = 2, size = 1>, #schedule.tile<nest = 0, dim = 3, size = 1>,
        #schedule.tile<nest = 0, dim = 4, size = 1>, #schedule.tile<nest = 1, dim = 0, size = 8>, #schedule.tile<nest = 2, dim = 0, size = 8>,
        #schedule.tile<nest = 3, dim = 0, size = 1>, #schedule.tile<nest = 4, dim = 0, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x7x7x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x15x15x4xf32>, tensor<8x4x3x3xf32>) outs(%init : tensor<1x7x7x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x7x7x8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %residual : tensor<1x7x7x8xf32>, tensor<1x7x7x8xf32>) outs(%empty : tensor<1x7x7x8xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x7x7x8xf32>
  %padded = tensor.pad %sum low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x7x7x8xf32> to tensor<1x9x9x8xf32>
  task.return %padded : tensor<1x9x9x8xf32>
}

#rows = affine_map<(i, j) -> (i, j)>
#across = affine_map<(i, j) -> (j, i)>

// A vector along the flattened dimension takes every lane from its place.
// CHECK-LABEL: task @transposed
//  CHECK-NEXT: for d0 in 24:
//  CHECK-NEXT:   out0[4*d0 + -23*divui(d0, 6)] = negf(in0[d0])
// APPLIED-LABEL: func.func private @transposed.
//       APPLIED:   arith.divui {{.*}} : vector<8xindex>
// APPLIED-COUNT-8: memref.store
//   APPLIED-NOT:   memref.store
task.def @transposed(%x: tensor<4x6xf32>) -> tensor<6x4xf32> attributes {
    schedule = #schedule.steps<#schedule.flatten<nest = 0, dim = 0>, #schedule.vectorize<nest = 0, dim = 0, lanes = 8>,
        #schedule.tile<nest = 0, dim = 0, size = 8>>} {
  %empty = tensor.empty() : tensor<6x4xf32>
  %r = linalg.generic {indexing_maps = [#rows, #across], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%empty : tensor<6x4xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<6x4xf32>
  task.return %r : tensor<6x4xf32>
}
