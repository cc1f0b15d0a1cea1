// RUN: cameo-opt %s --build-loops --print-nests -o /dev/null | FileCheck %s
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-kernels | FileCheck %s --check-prefix=APPLIED

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#dilated = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh * 3, ow + kw * 2, ic)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>

func.func @main(%x: tensor<1x7x6x16xf32>, %images: tensor<2x10x10x16xf32>, %uneven: tensor<1x12x10x16xf32>, %dilated: tensor<1x13x8x16xf32>, %bias: tensor<16xf32>, %halves: tensor<1x7x6x16xf16>) {
  %w = arith.constant dense<1.0> : tensor<16x16x3x3xf32>
  %a = task.call @stages(%x, %w, %bias) : (tensor<1x7x6x16xf32>, tensor<16x16x3x3xf32>, tensor<16xf32>) -> tensor<1x5x4x16xf32>
  %b = task.call @blocks(%images, %w) : (tensor<2x10x10x16xf32>, tensor<16x16x3x3xf32>) -> tensor<2x8x8x16xf32>
  %c = task.call @edges(%uneven, %w) : (tensor<1x12x10x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x10x8x16xf32>
  %d = task.call @phases(%dilated, %w) : (tensor<1x13x8x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x7x4x16xf32>
  %half = arith.constant dense<1.0> : tensor<16x16x3x3xf16>
  %e = task.call @halves(%halves, %half) : (tensor<1x7x6x16xf16>, tensor<16x16x3x3xf16>) -> tensor<1x5x4x16xf16>
  return
}

// Five rows are two tiles and one that overlaps them by a row, which it does not store. The filter is transformed where it is packed.
// CHECK-LABEL: task @stages
//  CHECK-NEXT: for d0 in 2 d1 in 2 d2 in 16:
//  CHECK-NEXT:   [[IN:scratch[0-9]+]][32*d0 + 16*d1 + d2] = subf(subf(in0[192*d0 + 32*d1 + d2], in0[192*d0 + 32*d1 + d2 + 192]), subf(in0[192*d0 + 32*d1 + d2 + 32], in0[192*d0 + 32*d1 + d2 + 224]))
//       CHECK:   [[IN]][32*d0 + 16*d1 + d2 + 1680] =
//  CHECK-NEXT: for d0 in 1 d1 in 2 d2 in 16:
//  CHECK-NEXT:   [[IN]][32*d0 + 16*d1 + d2 + 64] = subf(subf(in0[192*d0 + 32*d1 + d2 + 288],
//       CHECK: for d0 in 4 d1 in 4 d2 in 6 d3 in 16 d4 in reduce 16:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf([[IN]][448*d0 + 112*d1 + 16*d2 + d4], in1[3*d0 + d1 + 144*d3 + 9*d4, d0 by 4x3, d1 by 4x3]))
//  CHECK-NEXT:   [[PRODUCT:scratch[0-9]+]][448*d0 + 112*d1 + 16*d2 + d3] = acc0
//  CHECK-NEXT: for d0 in 2 d1 in 2 d2 in 16:
//  CHECK-NEXT:   out0[128*d0 + 32*d1 + d2] = maximumf(addf({{.*}}, in2[d2]), 0.000000e+00)
//  CHECK-NEXT:   out0[128*d0 + 32*d1 + d2 + 16] =
//  CHECK-NEXT:   out0[128*d0 + 32*d1 + d2 + 64] =
//  CHECK-NEXT:   out0[128*d0 + 32*d1 + d2 + 80] =
//  CHECK-NEXT: for d0 in 1 d1 in 2 d2 in 16:
//  CHECK-NEXT:   out0[128*d0 + 32*d1 + d2 + 256] =
//  CHECK-NEXT:   out0[128*d0 + 32*d1 + d2 + 272] =
//  CHECK-NEXT: task

// APPLIED-LABEL: func.func private @stages.k0(
//       APPLIED:   arith.subf {{.*}} : vector<16xf32>
// APPLIED-LABEL: func.func private @stages.k1(
//       APPLIED:   vector.fma
// APPLIED-LABEL: task.def @stages(
//  APPLIED-SAME:   memref<4096xf32> {task.packing = #task.packing<elements = 4096, nests = {{\[\[}}0, 0, [4, 4, 1, 16, 16], [1024, 256, 256, 16, 1], [3, 1, 2304, 9, 144], [0, 2, [2, 0, 0], [1, 1, 1], [1, -1, 1], [0, 0, 2]], [1, 2, [2, 0, 0], [1, 1, 1], [1, -1, 1], [0, 0, 2]]]]>}
//       APPLIED:   task.dispatch @stages.k1({{.*}}) extent 16
task.def @stages(%x: tensor<1x7x6x16xf32>, %w: tensor<16x16x3x3xf32>, %bias: tensor<16xf32>) -> tensor<1x5x4x16xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 3, columns = 2>,
        #schedule.vectorize<nest = 0, dim = 2, lanes = 16>, #schedule.vectorize<nest = 1, dim = 2, lanes = 16>,
        #schedule.vectorize<nest = 2, dim = 3, lanes = 16>, #schedule.pack<nest = 2, buffer = 1>,
        #schedule.tile<nest = 2, dim = 0, size = 1>, #schedule.tile<nest = 2, dim = 1, size = 1>,
        #schedule.tile<nest = 2, dim = 4, size = 4>, #schedule.parallel<nest = 2, loops = 2>,
        #schedule.vectorize<nest = 3, dim = 2, lanes = 16>, #schedule.vectorize<nest = 4, dim = 2, lanes = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x5x4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x5x4x16xf32>) -> tensor<1x5x4x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x7x6x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x5x4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x5x4x16xf32>
  %relu = linalg.generic {indexing_maps = [#id, #channel, #id],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %bias : tensor<1x5x4x16xf32>, tensor<16xf32>) outs(%empty : tensor<1x5x4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %unused: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x5x4x16xf32>
  task.return %relu : tensor<1x5x4x16xf32>
}

// A row of two tiles goes through all stages before the next; four of them can run at once.
//       CHECK-SAME: @blocks
//  CHECK-NEXT: rows 3:
//  CHECK-NEXT: for d0 in 2 d1 in 2 d2 in 1 d3 in 1 d4 in 2 d5 in 16:
//  CHECK-NEXT:   [[IN:row[0-9]+]][32*d3 + 16*d4 + d5] =
//       CHECK: for d0 in 2 d1 in 2 d2 in 1 d3 in 6 d4 in 6 d5 in 2 d6 in 16 d7 in reduce 16:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf([[IN]][288*d3 + 48*d4 + 16*d5 + d7], in1[3*d3 + d4 + 144*d6 + 9*d7, d3 by 6x3, d4 by 6x3]))
//  CHECK-NEXT:   row{{[0-9]+}}[288*d3 + 48*d4 + 16*d5 + d6] = acc0
//  CHECK-NEXT: for d0 in 2 d1 in 2 d2 in 1 d3 in 1 d4 in 2 d5 in 16:
//  CHECK-NEXT:   out0[1024*d0 + 512*d1 + 128*d2 + 512*d3 + 64*d4 + d5] =
//       CHECK:   out0[1024*d0 + 512*d1 + 128*d2 + 512*d3 + 64*d4 + d5 + 432] =

// APPLIED-LABEL: func.func private @blocks.k0(
// APPLIED-COUNT-2: memref.alloca
// APPLIED-LABEL: task.def @blocks(
//       APPLIED:   task.dispatch @blocks.k0({{.*}}) extent 4
//   APPLIED-NOT:   task.dispatch
task.def @blocks(%x: tensor<2x10x10x16xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<2x8x8x16xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 2>,
        #schedule.vectorize<nest = 0, dim = 5, lanes = 16>, #schedule.tile<nest = 0, dim = 4, size = 1>,
        #schedule.vectorize<nest = 1, dim = 6, lanes = 16>, #schedule.pack<nest = 1, buffer = 1>,
        #schedule.tile<nest = 1, dim = 3, size = 1>, #schedule.tile<nest = 1, dim = 4, size = 1>,
        #schedule.tile<nest = 1, dim = 7, size = 4>,
        #schedule.vectorize<nest = 2, dim = 5, lanes = 16>, #schedule.tile<nest = 2, dim = 4, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x8x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x8x8x16xf32>) -> tensor<2x8x8x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x10x10x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<2x8x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x8x8x16xf32>
  task.return %conv : tensor<2x8x8x16xf32>
}

// Ten rows are two of tiles and one that overlaps: a row of another kind in the same range, and in the same memory.
//       CHECK: task @edges
//  CHECK-NEXT: rows 2:
//       CHECK:   [[IN:row[0-9]+]][32*d2 + 16*d3 + d4] =
//       CHECK: and rows 2:
//       CHECK:   [[IN]][32*d2 + 16*d3 + d4] =

// APPLIED-LABEL: task.def @edges(
//       APPLIED:   task.dispatch @edges.k0({{.*}}) extent 3
//   APPLIED-NOT:   task.dispatch
task.def @edges(%x: tensor<1x12x10x16xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x10x8x16xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 2>,
        #schedule.vectorize<nest = 0, dim = 4, lanes = 16>, #schedule.tile<nest = 0, dim = 3, size = 1>,
        #schedule.vectorize<nest = 1, dim = 5, lanes = 16>, #schedule.pack<nest = 1, buffer = 1>,
        #schedule.tile<nest = 1, dim = 2, size = 1>, #schedule.tile<nest = 1, dim = 3, size = 1>,
        #schedule.tile<nest = 1, dim = 6, size = 4>,
        #schedule.vectorize<nest = 2, dim = 4, lanes = 16>, #schedule.tile<nest = 2, dim = 3, size = 1>,
        #schedule.vectorize<nest = 3, dim = 4, lanes = 16>, #schedule.tile<nest = 3, dim = 3, size = 1>,
        #schedule.vectorize<nest = 4, dim = 5, lanes = 16>, #schedule.pack<nest = 4, buffer = 1>,
        #schedule.tile<nest = 4, dim = 2, size = 1>, #schedule.tile<nest = 4, dim = 3, size = 1>,
        #schedule.tile<nest = 4, dim = 6, size = 4>,
        #schedule.vectorize<nest = 5, dim = 4, lanes = 16>, #schedule.tile<nest = 5, dim = 3, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x10x8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x10x8x16xf32>) -> tensor<1x10x8x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x12x10x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x10x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x10x8x16xf32>
  task.return %conv : tensor<1x10x8x16xf32>
}

// Weights look three rows and two columns apart. The first phase of rows has three, its second tile overlaps the first; the other two have a tile each.
//       CHECK: task @phases
//  CHECK-NEXT: for d0 in 1 d1 in 2 d2 in 1 d3 in 1 d4 in 16:
//  CHECK-NEXT:   [[IN:scratch[0-9]+]][32*d0 + 16*d1 + 32*d2 + 16*d3 + d4] = subf(subf(in0[128*d0 + 16*d1 + 768*d2 + 64*d3 + d4], in0[128*d0 + 16*d1 + 768*d2 + 64*d3 + d4 + 768]),
//       CHECK: for d0 in 1 d1 in 2 d2 in 1 d3 in 1 d4 in 16:
//  CHECK-NEXT:   [[IN]][32*d0 + 16*d1 + 32*d2 + 16*d3 + d4 + 32] = subf(subf(in0[128*d0 + 16*d1 + 768*d2 + 64*d3 + d4 + 384],
//       CHECK: for d0 in 2 d1 in 2 d2 in 1 d3 in 1 d4 in 16:
//  CHECK-NEXT:   [[IN]][32*d0 + 16*d1 + 32*d2 + 16*d3 + d4 + 64] = subf(subf(in0[128*d0 + 16*d1 + 768*d2 + 64*d3 + d4 + 128],
//       CHECK: for d0 in 4 d1 in 4 d2 in 8 d3 in 16 d4 in reduce 16:
//       CHECK: for d0 in 1 d1 in 2 d2 in 1 d3 in 1 d4 in 16:
//  CHECK-NEXT:   out0[64*d0 + 16*d1 + 384*d2 + 64*d3 + d4] =
//  CHECK-NEXT:   out0[64*d0 + 16*d1 + 384*d2 + 64*d3 + d4 + 32] =
//  CHECK-NEXT:   out0[64*d0 + 16*d1 + 384*d2 + 64*d3 + d4 + 192] =
//  CHECK-NEXT:   out0[64*d0 + 16*d1 + 384*d2 + 64*d3 + d4 + 224] =
//  CHECK-NEXT: for d0 in 1 d1 in 2 d2 in 1 d3 in 1 d4 in 16:
//  CHECK-NEXT:   out0[64*d0 + 16*d1 + 384*d2 + 64*d3 + d4 + 384] =
//  CHECK-NEXT:   out0[64*d0 + 16*d1 + 384*d2 + 64*d3 + d4 + 416] =
//  CHECK-NEXT: for d0 in 2 d1 in 2 d2 in 1 d3 in 1 d4 in 16:
//  CHECK-NEXT:   out0[64*d0 + 16*d1 + 384*d2 + 64*d3 + d4 + 64] =

// APPLIED-LABEL: func.func private @phases.k0(
//       APPLIED:   arith.subf
// APPLIED-LABEL: task.def @phases(
// APPLIED-COUNT-3: task.dispatch @phases.
task.def @phases(%x: tensor<1x13x8x16xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x7x4x16xf32> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 4, columns = 2>,
        #schedule.vectorize<nest = 3, dim = 3, lanes = 16>, #schedule.pack<nest = 3, buffer = 1>,
        #schedule.tile<nest = 3, dim = 0, size = 1>, #schedule.tile<nest = 3, dim = 1, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x7x4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x7x4x16xf32>) -> tensor<1x7x4x16xf32>
  %conv = linalg.generic {indexing_maps = [#dilated, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x13x8x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x7x4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x7x4x16xf32>
  task.return %conv : tensor<1x7x4x16xf32>
}

// All stages of a convolution of f16 compute in f32, and its transformed filter is stored as f32. The sum is rounded once.
//       CHECK: task @halves
//  CHECK-NEXT: for d0 in 2 d1 in 2 d2 in 16:
//  CHECK-NEXT:   [[IN:scratch[0-9]+]][32*d0 + 16*d1 + d2] = subf(subf(extf(in0[192*d0 + 32*d1 + d2]), extf(in0[192*d0 + 32*d1 + d2 + 192])),
//       CHECK: for d0 in 4 d1 in 4 d2 in 6 d3 in 16 d4 in reduce 16:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf([[IN]][448*d0 + 112*d1 + 16*d2 + d4], in1[3*d0 + d1 + 144*d3 + 9*d4, d0 by 4x3, d1 by 4x3]))
//       CHECK: out0[128*d0 + 32*d1 + d2] = truncf(

// APPLIED-LABEL: task.def @halves(
//  APPLIED-SAME:   memref<672xf16>
//  APPLIED-SAME:   memref<4096xf32> {task.packing = #task.packing<elements = 4096, nests = {{\[\[}}0, 0, [4, 4, 1, 16, 16], [1024, 256, 256, 16, 1], [3, 1, 2304, 9, 144], [0, 2, [2, 0, 0],
task.def @halves(%x: tensor<1x7x6x16xf16>, %w: tensor<16x16x3x3xf16>) -> tensor<1x5x4x16xf16> attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 3, columns = 2>,
        #schedule.vectorize<nest = 2, dim = 3, lanes = 16>, #schedule.pack<nest = 2, buffer = 1>,
        #schedule.tile<nest = 2, dim = 0, size = 1>, #schedule.tile<nest = 2, dim = 1, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %sums = tensor.empty() : tensor<1x5x4x16xf32>
  %empty = tensor.empty() : tensor<1x5x4x16xf16>
  %init = linalg.fill ins(%zero : f32) outs(%sums : tensor<1x5x4x16xf32>) -> tensor<1x5x4x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x7x6x16xf16>, tensor<16x16x3x3xf16>) outs(%init : tensor<1x5x4x16xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %c = arith.extf %a : f16 to f32
    %d = arith.extf %b : f16 to f32
    %m = arith.mulf %c, %d : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x5x4x16xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv : tensor<1x5x4x16xf32>) outs(%empty : tensor<1x5x4x16xf16>) {
  ^bb0(%a: f32, %unused: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x5x4x16xf16>
  task.return %rounded : tensor<1x5x4x16xf16>
}
