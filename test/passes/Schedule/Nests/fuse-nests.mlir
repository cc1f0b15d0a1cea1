// RUN: cameo-opt %s --build-loops --print-nests -o /dev/null | FileCheck %s
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-kernels | FileCheck %s --check-prefix=APPLIED

#pixel = affine_map<(n, h, w, oc, ic) -> (n, h, w, ic)>
#matrix = affine_map<(n, h, w, oc, ic) -> (oc, ic)>
#expanded = affine_map<(n, h, w, oc, ic) -> (n, h, w, oc)>
#window = affine_map<(n, h, w, c, kh, kw) -> (n, h * 2 + kh, w * 2 + kw, c)>
#filter = affine_map<(n, h, w, c, kh, kw) -> (c, kh, kw)>
#filtered = affine_map<(n, h, w, c, kh, kw) -> (n, h, w, c)>

// Two rows of the result need five rows of the padded plane. The first tile has a row of padding above and four that are computed,
// the three others five; all four make one range. The columns of padding are filled for the rows of a tile.
// CHECK-LABEL: task @expansion_and_depthwise
//  CHECK-NEXT: rows 1:
//  CHECK-NEXT: for d0 in 1 d1 in 4 d2 in 16 d3 in 8 d4 in reduce 4:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf(in0[64*d1 + 4*d2 + d4], in1[4*d3 + d4]))
//  CHECK-NEXT:   [[PLANE:row[0-9]+]][136*d1 + 8*d2 + d3 + 144] = acc0
//  CHECK-NEXT: for d0 in 1 d1 in 136:
//  CHECK-NEXT:   [[PLANE]][d1] = 0.000000e+00
//  CHECK-NEXT: for d0 in 1 d1 in 4 d2 in 8:
//  CHECK-NEXT:   [[PLANE]][136*d1 + d2 + 136] = 0.000000e+00
//  CHECK-NEXT: for d0 in 1 d1 in 2 d2 in 8 d3 in 8 d4 in reduce 3 d5 in reduce 3:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf([[PLANE]][272*d1 + 16*d2 + d3 + 136*d4 + 8*d5], in2[9*d3 + 3*d4 + d5]))
//  CHECK-NEXT:   out0[64*d1 + 8*d2 + d3] = acc0
//  CHECK-NEXT: and rows 1:
//  CHECK-NEXT: for d0 in 3 d1 in 5 d2 in 16 d3 in 8 d4 in reduce 4:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf(in0[256*d0 + 64*d1 + 4*d2 + d4 + 192], in1[4*d3 + d4]))
//  CHECK-NEXT:   [[PLANE]][136*d1 + 8*d2 + d3 + 8] = acc0
//  CHECK-NEXT: for d0 in 3 d1 in 5 d2 in 8:
//  CHECK-NEXT:   [[PLANE]][136*d1 + d2] = 0.000000e+00
//  CHECK-NEXT: for d0 in 3 d1 in 2 d2 in 8 d3 in 8 d4 in reduce 3 d5 in reduce 3:
//  CHECK-NEXT:   acc0 = {{.*}}[[PLANE]][272*d1 + 16*d2 + d3 + 136*d4 + 8*d5]
//  CHECK-NEXT:   out0[128*d0 + 64*d1 + 8*d2 + d3 + 128] = acc0
//   CHECK-NOT: rows

// The tile is small: it is on the stack, once for both kinds of rows. These are spread over the range: the first iteration is the first tile, and
// each of the others one of the three.
// APPLIED-LABEL: func.func private @expansion_and_depthwise.k0(
//  APPLIED-SAME:   %[[BEGIN:[^:]*]]: index, %[[END:[^:]*]]: index)
// APPLIED-COUNT-1: memref.alloca
//   APPLIED-NOT: memref.alloca
//       APPLIED: %[[ROUNDED:.*]] = arith.addi %{{.*}}, %c3
//       APPLIED: %[[FIRST:.*]] = arith.divui %[[ROUNDED]], %c4
//       APPLIED: %[[BEHIND:.*]] = arith.divui %{{.*}}, %c4
//       APPLIED: %[[NEXT:.*]] = arith.subi %[[BEGIN]], %[[FIRST]]
//       APPLIED: %[[LAST:.*]] = arith.subi %[[END]], %[[BEHIND]]
//       APPLIED: scf.for %{{.*}} = %[[FIRST]] to %[[BEHIND]]
//       APPLIED: scf.for %{{.*}} = %[[NEXT]] to %[[LAST]]
// APPLIED-LABEL: task.def @expansion_and_depthwise(
//       APPLIED: task.dispatch @expansion_and_depthwise.k0({{.*}}) extent 4
//   APPLIED-NOT: task.dispatch
task.def @expansion_and_depthwise(%x: tensor<1x16x16x4xf32>, %w: tensor<8x4xf32>, %f: tensor<8x3x3xf32>) -> tensor<1x8x8x8xf32> attributes {
    schedule = #schedule.steps<#schedule.fuse<nest = 0, last = 3, size = 2>,
        #schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.tile<nest = 0, dim = 2, size = 1>,
        #schedule.tile<nest = 1, dim = 1, size = 8>, #schedule.tile<nest = 2, dim = 1, size = 1>,
        #schedule.tile<nest = 3, dim = 1, size = 1>, #schedule.tile<nest = 3, dim = 2, size = 1>,
        #schedule.tile<nest = 4, dim = 1, size = 1>, #schedule.tile<nest = 4, dim = 2, size = 1>,
        #schedule.tile<nest = 5, dim = 1, size = 1>,
        #schedule.tile<nest = 6, dim = 1, size = 1>, #schedule.tile<nest = 6, dim = 2, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x16x16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
  %expansion = linalg.generic {indexing_maps = [#pixel, #matrix, #expanded],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x16x16x4xf32>, tensor<8x4xf32>) outs(%init : tensor<1x16x16x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x16x16x8xf32>
  %padded = tensor.pad %expansion low[0, 1, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x8xf32> to tensor<1x17x17x8xf32>
  %out = tensor.empty() : tensor<1x8x8x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%out : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %depthwise = linalg.generic {indexing_maps = [#window, #filter, #filtered],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %f : tensor<1x17x17x8xf32>, tensor<8x3x3xf32>) outs(%start : tensor<1x8x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x8x8x8xf32>
  task.return %depthwise : tensor<1x8x8x8xf32>
}

#query = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#key = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#score = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#all = affine_map<(b, h, q, k) -> (b, h, q, k)>
#row = affine_map<(b, h, q, k) -> (b, h, q)>
#weight = affine_map<(b, h, q, d, k) -> (b, h, q, k)>
#value = affine_map<(b, h, q, d, k) -> (b, h, k, d)>
#mixed = affine_map<(b, h, q, d, k) -> (b, h, q, d)>

// Two heads of attention share no matrix, the rows of one do: heads are rows, and tiles of four of their points make three. What passes
// between the nests is a tile, on the stack; the keys are laid out anew once for both kinds of tiles.
// CHECK-LABEL: task @attention
//  CHECK-NEXT: rows 2:
//  CHECK-NEXT: for d0 in 3 d1 in 2 d2 in 4 d3 in 16 d4 in reduce 4:
//  CHECK-NEXT:   acc0 = {{.*}}mulf(in0[40*d0 + 16*d1 + 4*d2 + d4], in1[64*d0 + 4*d3 + d4]))
//  CHECK-NEXT:   [[SCORES:row[0-9]+]][16*d2 + d3] = acc0
//  CHECK-NEXT: for d0 in 3 d1 in 2 d2 in 4 d3 in reduce 16:
//  CHECK-NEXT:   acc0 = {{.*}}maximumf(acc0, [[SCORES]][16*d2 + d3])
//  CHECK-NEXT:   [[MOST:row[0-9]+]][d2] = acc0
//  CHECK-NEXT: for d0 in 3 d1 in 2 d2 in 4 d3 in 16:
//  CHECK-NEXT:   [[WEIGHTS:row[0-9]+]][16*d2 + d3] = subf([[SCORES]][16*d2 + d3], [[MOST]][d2])
//  CHECK-NEXT: for d0 in 3 d1 in 2 d2 in 4 d3 in 4 d4 in reduce 16:
//  CHECK-NEXT:   acc0 = {{.*}}mulf([[WEIGHTS]][16*d2 + d4], in2[64*d0 + d3 + 4*d4]))
//  CHECK-NEXT:   out0[40*d0 + 16*d1 + 4*d2 + d3] = acc0
//  CHECK-NEXT: and rows 2:
//  CHECK-NEXT: for d0 in 3 d1 in 1 d2 in 2 d3 in 16 d4 in reduce 4:
//       CHECK:   out0[40*d0 + 4*d2 + d3 + 32] = acc0

// APPLIED-LABEL: func.func private @attention.k1(
// APPLIED-COUNT-3: memref.alloca() {{.*}} : memref<{{64|4}}xf32>
//   APPLIED-NOT: memref.alloca
// APPLIED-LABEL: task.def @attention(
//       APPLIED: %[[KEYS:.*]] = task.scratch : memref<192xf32>
//  APPLIED-NEXT: task.dispatch @attention.k0(%{{.*}}, %[[KEYS]]) extent
//  APPLIED-NEXT: task.dispatch @attention.k1({{.*}}%[[KEYS]]{{.*}}) extent 9
//   APPLIED-NOT: task.dispatch
task.def @attention(%q: tensor<1x3x10x4xf32>, %k: tensor<1x3x16x4xf32>, %v: tensor<1x3x16x4xf32>) -> tensor<1x3x10x4xf32> attributes {
    schedule = #schedule.steps<#schedule.fuse<nest = 0, last = 3, size = 4>,
        #schedule.vectorize<nest = 0, dim = 3, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>,
        #schedule.vectorize<nest = 4, dim = 3, lanes = 8>, #schedule.pack<nest = 4, buffer = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x3x10x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x3x10x16xf32>) -> tensor<1x3x10x16xf32>
  %scores = linalg.generic {indexing_maps = [#query, #key, #score], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<1x3x10x4xf32>, tensor<1x3x16x4xf32>) outs(%init : tensor<1x3x10x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x3x10x16xf32>
  %rows = tensor.empty() : tensor<1x3x10xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<1x3x10xf32>) -> tensor<1x3x10xf32>
  %most = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%scores : tensor<1x3x10x16xf32>) outs(%none : tensor<1x3x10xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.maximumf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<1x3x10xf32>
  %weights = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %most : tensor<1x3x10x16xf32>, tensor<1x3x10xf32>) outs(%empty : tensor<1x3x10x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.subf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x3x10x16xf32>
  %out = tensor.empty() : tensor<1x3x10x4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%out : tensor<1x3x10x4xf32>) -> tensor<1x3x10x4xf32>
  %y = linalg.generic {indexing_maps = [#weight, #value, #mixed], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%weights, %v : tensor<1x3x10x16xf32>, tensor<1x3x16x4xf32>) outs(%start : tensor<1x3x10x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x3x10x4xf32>
  task.return %y : tensor<1x3x10x4xf32>
}

// Rows of three, four at a time: they are a dimension of their own, and what they keep lies side by side. Two are left.
// CHECK-LABEL: task @short_rows
//  CHECK-NEXT: rows 1:
//  CHECK-NEXT: for d0 in 2 d1 in 4 d2 in reduce 3:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, in0[12*d0 + 3*d1 + d2])
//  CHECK-NEXT:   [[SUM:row[0-9]+]][d1] = acc0
//  CHECK-NEXT: for d0 in 2 d1 in 4 d2 in 3:
//  CHECK-NEXT:   out0[12*d0 + 3*d1 + d2] = divf(in0[12*d0 + 3*d1 + d2], [[SUM]][d1])
//  CHECK-NEXT: and rows 1:
//  CHECK-NEXT: for d0 in 1 d1 in 2 d2 in reduce 3:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, in0[12*d0 + 3*d1 + d2 + 24])
//  CHECK-NEXT:   [[SUM]][d1] = acc0
//  CHECK-NEXT: for d0 in 1 d1 in 2 d2 in 3:
//  CHECK-NEXT:   out0[12*d0 + 3*d1 + d2 + 24] = divf(in0[12*d0 + 3*d1 + d2 + 24], [[SUM]][d1])

// APPLIED-LABEL: func.func private @short_rows.k0(
//       APPLIED: memref.alloca{{.*}} memref<4xf32>
// APPLIED-LABEL: task.def @short_rows(
//       APPLIED: task.dispatch @short_rows.k0({{.*}}) extent 3
task.def @short_rows(%x: tensor<10x3xf32>) -> tensor<10x3xf32> attributes {
    schedule = #schedule.steps<#schedule.fuse<nest = 0, last = 1, size = 4>, #schedule.tile<nest = 0, dim = 2, size = 3>, #schedule.tile<nest = 1, dim = 2, size = 1>,
        #schedule.tile<nest = 2, dim = 2, size = 3>, #schedule.tile<nest = 3, dim = 2, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<10x3xf32>) outs(%init : tensor<10xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  %r = tensor.empty() : tensor<10x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<10x3xf32>, tensor<10xf32>) outs(%r : tensor<10x3xf32>) {
  ^bb0(%in: f32, %by: f32, %out: f32):
    %q = arith.divf %in, %by : f32
    linalg.yield %q : f32
  } -> tensor<10x3xf32>
  task.return %y : tensor<10x3xf32>
}
