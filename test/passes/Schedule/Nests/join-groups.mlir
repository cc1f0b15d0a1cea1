// RUN: cameo-opt %s --build-loops --print-nests -o /dev/null | FileCheck %s --check-prefix=NESTS
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=AVX512
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=16,vector_registers=32 --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=NEON

#image = affine_map<(h, w, g, o, i, kh, kw) -> (h + kh, w + kw, g, i)>
#filter = affine_map<(h, w, g, o, i, kh, kw) -> (g, o, i, kh, kw)>
#result = affine_map<(h, w, g, o, i, kh, kw) -> (h, w, g, o)>
#id = affine_map<(h, w, c) -> (h, w, c)>

func.func @main(%x: tensor<6x6x32xf32>, %p: tensor<?x?x32xf32>) -> (tensor<4x4x32xf32>, tensor<?x?x32xf32>) {
  %w = arith.constant dense<1.0> : tensor<8x4x4x3x3xf32>
  %y = task.call @groups_of_four(%x, %w) : (tensor<6x6x32xf32>, tensor<8x4x4x3x3xf32>) -> tensor<4x4x32xf32>
  %z = task.call @groups_of_any_plane(%p, %w) : (tensor<?x?x32xf32>, tensor<8x4x4x3x3xf32>) -> tensor<?x?x32xf32>
  return %y, %z : tensor<4x4x32xf32>, tensor<?x?x32xf32>
}

// The channels of all groups are one dimension, and what follows the sum works on them while they are in registers.
// NESTS-LABEL: task @groups_of_four
//  NESTS-NEXT: for d0 in 4 d1 in 4 d2 in 32 d3 in reduce 4 d4 in reduce 3 d5 in reduce 3:
//  NESTS-NEXT:   mulf(in0[192*d0 + 32*d1 + d2 + d3 + 192*d4 + 32*d5 - (d2) mod 4], in1[36*d2 + 9*d3 + 3*d4 + d5])
//  NESTS-NEXT:   out0[128*d0 + 32*d1 + d2] = maximumf(acc0, 0.000000e+00)
//   NESTS-NOT: for

// A vector has four groups: their inputs are loaded at once, and each is spread over the outputs of its group.
// AVX512-LABEL: func.func private @groups_of_four.k0(
//  AVX512-SAME:   %[[X:[a-z0-9]+]]: memref<1152xf32>
//       AVX512:   %[[FOUR:.*]] = vector.load %[[X]]{{.*}} vector<16xf32>
//       AVX512:   vector.shuffle %[[FOUR]], %[[FOUR]] [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]
//       AVX512:   vector.shuffle %[[FOUR]], %[[FOUR]] [1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13]
//       AVX512:   vector.store

// Where a group fills a vector, scalars are spread over all of it.
// NEON-LABEL: func.func private @groups_of_four.k0(
//  NEON-SAME:   %[[X:[a-z0-9]+]]: memref<1152xf32>
//   NEON-NOT:   vector.shuffle
//       NEON:   %[[ONE:.*]] = memref.load %[[X]]
//       NEON:   vector.broadcast %[[ONE]] : f32 to vector<4xf32>
//       NEON:   vector.store
task.def @groups_of_four(%x: tensor<6x6x32xf32>, %w: tensor<8x4x4x3x3xf32>) -> tensor<4x4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %split = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [6, 6, 8, 4] : tensor<6x6x32xf32> into tensor<6x6x8x4xf32>
  %empty = tensor.empty() : tensor<4x4x8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4x8x4xf32>) -> tensor<4x4x8x4xf32>
  %sum = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%split, %w : tensor<6x6x8x4xf32>, tensor<8x4x4x3x3xf32>) outs(%init : tensor<4x4x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x4x8x4xf32>
  %joined = tensor.collapse_shape %sum [[0], [1], [2, 3]] : tensor<4x4x8x4xf32> into tensor<4x4x32xf32>
  %all = tensor.empty() : tensor<4x4x32xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%joined : tensor<4x4x32xf32>) outs(%all : tensor<4x4x32xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<4x4x32xf32>
  task.return %relu : tensor<4x4x32xf32>
}

// The same in planes of dynamic size.
// NESTS-LABEL: task @groups_of_any_plane
//  NESTS-NEXT: for d0 in h d1 in w d2 in 32 d3 in reduce 4 d4 in reduce 3 d5 in reduce 3:
//  NESTS-NEXT:   mulf(in0[{{.*}} - (d2) mod 4], in1[36*d2 + 9*d3 + 3*d4 + d5])
task.def @groups_of_any_plane(%x: tensor<?x?x32xf32> {task.dims = #onnx.dims<["h + 2", "w + 2", ""]>}, %w: tensor<8x4x4x3x3xf32>) -> (tensor<?x?x32xf32> {task.dims = #onnx.dims<["h", "w", ""]>}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?x32xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?x32xf32>
  %h = arith.subi %rows, %two : index
  %w0 = arith.subi %columns, %two : index
  %split = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [%rows, %columns, 8, 4] : tensor<?x?x32xf32> into tensor<?x?x8x4xf32>
  %empty = tensor.empty(%h, %w0) : tensor<?x?x8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x8x4xf32>) -> tensor<?x?x8x4xf32>
  %sum = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%split, %w : tensor<?x?x8x4xf32>, tensor<8x4x4x3x3xf32>) outs(%init : tensor<?x?x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x?x8x4xf32>
  %joined = tensor.collapse_shape %sum [[0], [1], [2, 3]] : tensor<?x?x8x4xf32> into tensor<?x?x32xf32>
  task.return %joined : tensor<?x?x32xf32>
}
