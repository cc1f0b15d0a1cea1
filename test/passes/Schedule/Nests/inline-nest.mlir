// RUN: cameo-opt %s --build-loops --print-nests -o /dev/null | FileCheck %s
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-kernels | FileCheck %s --check-prefix=APPLIED

#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#product = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
#across = affine_map<(i, j) -> (j, i)>

// A factor that is converted for every column, and stored nowhere.
// CHECK-LABEL: task @converted_factor
//  CHECK-NEXT: for d0 in 8 d1 in 16 d2 in reduce 4:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf(extf(in0[4*d0 + d2]), in1[d1 + 16*d2]))
//  CHECK-NEXT:   out0[16*d0 + d1] = acc0
// APPLIED-LABEL: task.def @converted_factor(
//   APPLIED-NOT:   task.scratch
//       APPLIED:   task.dispatch
//  APPLIED-NEXT:   task.return
task.def @converted_factor(%x: tensor<8x4xf16>, %w: tensor<4x16xf32>) -> tensor<8x16xf32> attributes {
    schedule = #schedule.steps<#schedule.inline<nest = 0>, #schedule.vectorize<nest = 0, dim = 1, lanes = 8>,
        #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 1, size = 8>, #schedule.tile<nest = 0, dim = 2, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<8x4xf32>
  %empty = tensor.empty() : tensor<8x16xf32>
  %converted = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x4xf16>) outs(%wide : tensor<8x4xf32>) {
  ^bb0(%a: f16, %unused: f32):
    %e = arith.extf %a : f16 to f32
    linalg.yield %e : f32
  } -> tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#left, #right, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%converted, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%init : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  task.return %r : tensor<8x16xf32>
}

#single = affine_map<(i) -> (i)>
#first = affine_map<(i) -> (0)>
#third = affine_map<(i) -> (2)>

// A nest without dimensions, whose number every point converts.
// CHECK-LABEL: task @converted_number
//  CHECK-NEXT: for d0 in 16:
//  CHECK-NEXT:   out0[d0] = mulf(in1[d0], extf(in0[2]))
task.def @converted_number(%x: tensor<4xf16>, %y: tensor<16xf32>) -> tensor<16xf32> attributes {
    schedule = #schedule.steps<#schedule.inline<nest = 0>, #schedule.vectorize<nest = 0, dim = 0, lanes = 8>>} {
  %one = tensor.empty() : tensor<1xf32>
  %empty = tensor.empty() : tensor<16xf32>
  %converted = linalg.generic {indexing_maps = [#third, #single], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf16>) outs(%one : tensor<1xf32>) {
  ^bb0(%a: f16, %unused: f32):
    %e = arith.extf %a : f16 to f32
    linalg.yield %e : f32
  } -> tensor<1xf32>
  %r = linalg.generic {indexing_maps = [#single, #first, #single], iterator_types = ["parallel"]}
      ins(%y, %converted : tensor<16xf32>, tensor<1xf32>) outs(%empty : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<16xf32>
  task.return %r : tensor<16xf32>
}

#row = affine_map<(r, c) -> (r, c)>
#sum = affine_map<(r, c) -> (r, 0)>

// Both readers of a row compute the exponentials; the row keeps its sum.
// CHECK-LABEL: task @exponentials_twice
//  CHECK-NEXT: rows 1:
//  CHECK-NEXT: for d0 in 12 d1 in reduce 100:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, exp(in0[100*d0 + d1]))
//  CHECK-NEXT:   row[[S:[0-9]+]][0] = acc0
//  CHECK-NEXT: for d0 in 12 d1 in 100:
//  CHECK-NEXT:   out0[100*d0 + d1] = divf(exp(in0[100*d0 + d1]), row[[S]][0])
task.def @exponentials_twice(%x: tensor<12x100xf32>) -> tensor<12x100xf32> attributes {
    schedule = #schedule.steps<#schedule.inline<nest = 0>, #schedule.tile<nest = 0, dim = 1, size = 4>, #schedule.tile<nest = 1, dim = 1, size = 4>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x100xf32>
  %exp = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<12x100xf32>) outs(%empty : tensor<12x100xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<12x100xf32>
  %rows = tensor.empty() : tensor<12x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<12x1xf32>) -> tensor<12x1xf32>
  %total = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<12x100xf32>) outs(%init : tensor<12x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<12x1xf32>
  %r = linalg.generic {indexing_maps = [#row, #sum, #row], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %total : tensor<12x100xf32>, tensor<12x1xf32>) outs(%empty : tensor<12x100xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<12x100xf32>
  task.return %r : tensor<12x100xf32>
}

#line = affine_map<(i) -> (i)>
#number = affine_map<(i) -> ()>

// Readers that walk both dimensions as one get them apart: the factor has only one of them.
// CHECK-LABEL: task @sums_of_a_line
//  CHECK-NEXT: for d0 in reduce 4 d1 in reduce 8:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf(in0[8*d0 + d1], in1[d1]))
//  CHECK-NEXT:   out0[0] = acc0
//  CHECK-NEXT: for d0 in reduce 4 d1 in reduce 8:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then maximumf(acc0, mulf(in0[8*d0 + d1], in1[d1]))
//  CHECK-NEXT:   out1[0] = acc0
task.def @sums_of_a_line(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> (tensor<f32>, tensor<f32>) attributes {
    schedule = #schedule.steps<#schedule.inline<nest = 0>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %c: f32, %unused: f32):
    %m = arith.mulf %a, %c : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %all = tensor.collapse_shape %scaled [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %one = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%one : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#line, #number], iterator_types = ["reduction"]}
      ins(%all : tensor<32xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %most = linalg.generic {indexing_maps = [#line, #number], iterator_types = ["reduction"]}
      ins(%all : tensor<32xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.maximumf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  task.return %sum, %most : tensor<f32>, tensor<f32>
}
