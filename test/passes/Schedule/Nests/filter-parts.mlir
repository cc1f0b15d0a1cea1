// RUN: cameo-opt %s --build-loops --print-nests -o /dev/null | FileCheck %s
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-kernels | FileCheck %s --check-prefix=APPLIED

// Filters that are transformed at run time, part by part.

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x: tensor<1x6x6x32xf32>) {
  %w = arith.constant dense<1.0> : tensor<48x32x3x3xf32>
  %y = task.call @parts(%x, %w) : (tensor<1x6x6x32xf32>, tensor<48x32x3x3xf32>) -> tensor<1x4x4x48xf32>
  return
}

// Each row is a part: of outputs, which threads share, and of inputs, which add up in order. The first one begins with 0.
// CHECK-LABEL: task @parts
//       CHECK: rows 2, the last 1 in order:
//  CHECK-NEXT: for d0 in 3 d1 in 4 d2 in 8 d3 in 16:
//  CHECK-NEXT:   [[FILTER:row[0-9]+]][16*d2 + d3] = mulf(mulf(in1[4608*d0 + 72*d1 + 9*d2 + 288*d3], 7.500000e-01), 7.500000e-01)
//       CHECK:   [[FILTER]][16*d2 + d3 + 5040] =
//  CHECK-NEXT: for d0 in 3 d1 in 4 d2 in 6 d3 in 6 d4 in 1 d5 in 16 d6 in reduce 8:
//  CHECK-NEXT:   acc0 = select(cmpi(d1, 0), 0.000000e+00, [[SUM:scratch[0-9]+]][16*d0 + 288*d2 + 48*d3 + 48*d4 + d5]) then addf(acc0, mulf([[IN:scratch[0-9]+]][8*d1 + 288*d2 + 48*d3 + 32*d4 + d6], [[FILTER]][864*d2 + 144*d3 + d5 + 16*d6]))
//  CHECK-NEXT:   [[SUM]][16*d0 + 288*d2 + 48*d3 + 48*d4 + d5] = acc0
// What the filter's exact matrix leaves out: (256/243)^2.
//       CHECK:   out0[768*d0 + 192*d1 + d2] = mulf({{.*}}, 1.10985792)

// What a part reads lies side by side, and is asked for while the part before is transformed and multiplied.
// APPLIED-LABEL: func.func private @parts.k1(
//       APPLIED:   scf.for
//       APPLIED:   memref.prefetch %arg[[WEIGHTS:[0-9]+]][{{.*}}], read, locality<2>, data : memref<13824xf32>
//       APPLIED:   vector.load %arg[[WEIGHTS]][
//       APPLIED:   memref.prefetch %arg[[WEIGHTS]][{{.*}}], read, locality<2>, data : memref<13824xf32>
//       APPLIED:   arith.select
//       APPLIED:   vector.fma
// APPLIED-LABEL: task.def @parts(
//       APPLIED:   task.packing = #task.packing<elements = 13824, nests = {{\[\[}}0, 0, [3, 4, 8, 1, 16], [4608, 1152, 16, 16, 1], [4608, 72, 9, 4608, 288]], [128, 2, [3, 4, 8, 1, 16], [4608, 1152, 16, 16, 1], [4608, 72, 9, 4608, 288]],
//  APPLIED-SAME:   description = "winograd 4x4 by 1x1 tiles and 16x8 weights; 4 nests; {{.*}}; next row fetched"
//       APPLIED:   task.dispatch @parts.k1({{.*}}) extent 3
task.def @parts(%x: tensor<1x6x6x32xf32>, %w: tensor<48x32x3x3xf32>) -> tensor<1x4x4x48xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 1, channels = 16, depth = 8>,
        #schedule.vectorize<nest = 0, dim = 2, lanes = 16>, #schedule.tile<nest = 0, dim = 2, size = 16>, #schedule.vectorize<nest = 1, dim = 3, lanes = 16>,
        #schedule.pack<nest = 1, buffer = 1>, #schedule.prefetch<nest = 1, buffer = 1>, #schedule.tile<nest = 1, dim = 2, size = 1>,
        #schedule.vectorize<nest = 2, dim = 5, lanes = 16>, #schedule.tile<nest = 2, dim = 2, size = 1>,
        #schedule.tile<nest = 2, dim = 3, size = 1>, #schedule.tile<nest = 2, dim = 6, size = 4>,
        #schedule.vectorize<nest = 3, dim = 2, lanes = 16>, #schedule.tile<nest = 3, dim = 2, size = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x4x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x4x48xf32>) -> tensor<1x4x4x48xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x6x6x32xf32>, tensor<48x32x3x3xf32>) outs(%init : tensor<1x4x4x48xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4x48xf32>
  task.return %conv : tensor<1x4x4x48xf32>
}
