// RUN: cameo-opt %s --build-loops --print-nests -o /dev/null | FileCheck %s

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x: tensor<1x?x?x16xf32>, %halves: tensor<1x?x?x16xf16>) {
  %w = arith.constant dense<1.0> : tensor<16x16x3x3xf32>
  %a = task.call @plane_of_any_size(%x, %w) : (tensor<1x?x?x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x?x?x16xf32>
  %b = task.call @all_tiles(%x, %w) : (tensor<1x?x?x16xf32>, tensor<16x16x3x3xf32>) -> tensor<1x?x?x16xf32>
  %half = arith.constant dense<1.0> : tensor<16x16x3x3xf16>
  %c = task.call @halves(%halves, %half) : (tensor<1x?x?x16xf16>, tensor<16x16x3x3xf16>) -> tensor<1x?x?x16xf32>
  return
}

// Of a plane whose sides only a run knows there are whole tiles, here in blocks of three and one of those that are left, and the columns and rows that they leave.
// CHECK-LABEL: task @plane_of_any_size
//       CHECK: rows 2:
//  CHECK-NEXT: for d0 in (floor((h)/2)) d1 in (floor((floor((w)/2))/3)) d2 in 1 d3 in 3 d4 in 16:
//       CHECK: for d0 in (floor((h)/2)) d1 in (floor((floor((w)/2))/3)) d2 in 4 d3 in 4 d4 in 3 d5 in 16 d6 in reduce 16:
//       CHECK: for d0 in (floor((h)/2)) d1 in (floor((floor((w)/2))/3)) d2 in 1 d3 in 3 d4 in 16:
//       CHECK: rows 2:
//  CHECK-NEXT: for d0 in (floor((h)/2)) d1 in 1 d2 in 1 d3 in (floor((w)/2) - 3*floor((floor((w)/2))/3)) d4 in 16:
//       CHECK: for d0 in (floor((h)/2)) d1 in 1 d2 in 4 d3 in 4 d4 in (floor((w)/2) - 3*floor((floor((w)/2))/3)) d5 in 16 d6 in reduce 16:
//       CHECK: for d0 in (2*floor((h)/2)) d1 in (w - 2*floor((w)/2)) d2 in 16 d3 in reduce 16 d4 in reduce 3 d5 in reduce 3:
//       CHECK:   out0[(16*w)*d0 + 16*d1 + d2 + (32*floor((w)/2))] = acc0
//  CHECK-NEXT: for d0 in (h - 2*floor((h)/2)) d1 in w d2 in 16 d3 in reduce 16 d4 in reduce 3 d5 in reduce 3:
//       CHECK:   out0[(16*w)*d0 + 16*d1 + d2 + (32*floor((h)/2)*w)] = acc0
task.def @plane_of_any_size(%x: tensor<1x?x?x16xf32> {task.dims = #onnx.dims<["", "h + 2", "w + 2", ""]>}, %w: tensor<16x16x3x3xf32>) -> (tensor<1x?x?x16xf32> {task.dims = #onnx.dims<["", "h", "w", ""]>}) attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 1, columns = 3>,
        #schedule.pack<nest = 1, buffer = 1>, #schedule.pack<nest = 4, buffer = 1>>} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r0 = tensor.dim %x, %one : tensor<1x?x?x16xf32>
  %c0 = tensor.dim %x, %two : tensor<1x?x?x16xf32>
  %r = arith.subi %r0, %two : index
  %c = arith.subi %c0, %two : index
  %empty = tensor.empty(%r, %c) : tensor<1x?x?x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x?x?x16xf32>) -> tensor<1x?x?x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x?x?x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x?x?x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x?x?x16xf32>
  task.return %conv : tensor<1x?x?x16xf32>
}

// As many tiles as all: the nests run one after the other. The distance of the elements of a tile is an odd number of cache lines for every size.
// CHECK-LABEL: task @all_tiles
//  CHECK-NEXT: for d0 in (floor((h)/2)) d1 in (floor((w)/2)) d2 in 16:
//       CHECK: for d0 in 4 d1 in 4 d2 in (floor((h)/2)*floor((w)/2)) d3 in 16 d4 in reduce 16:
//       CHECK: for d0 in (floor((h)/2)) d1 in (floor((w)/2)) d2 in 16:
//       CHECK: for d0 in (2*floor((h)/2)) d1 in (w - 2*floor((w)/2)) d2 in 16 d3 in reduce 16 d4 in reduce 3 d5 in reduce 3:
//       CHECK: for d0 in (h - 2*floor((h)/2)) d1 in w d2 in 16 d3 in reduce 16 d4 in reduce 3 d5 in reduce 3:
task.def @all_tiles(%x: tensor<1x?x?x16xf32> {task.dims = #onnx.dims<["", "h + 2", "w + 2", ""]>}, %w: tensor<16x16x3x3xf32>) -> (tensor<1x?x?x16xf32> {task.dims = #onnx.dims<["", "h", "w", ""]>}) attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 1048576, columns = 1048576>,
        #schedule.pack<nest = 1, buffer = 1>>} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r0 = tensor.dim %x, %one : tensor<1x?x?x16xf32>
  %c0 = tensor.dim %x, %two : tensor<1x?x?x16xf32>
  %r = arith.subi %r0, %two : index
  %c = arith.subi %c0, %two : index
  %empty = tensor.empty(%r, %c) : tensor<1x?x?x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x?x?x16xf32>) -> tensor<1x?x?x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x?x?x16xf32>, tensor<16x16x3x3xf32>) outs(%init : tensor<1x?x?x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x?x?x16xf32>
  task.return %conv : tensor<1x?x?x16xf32>
}

// A filter of f16 is stored as f32 for the tiles, so what they leave reads it without a conversion.
// CHECK-LABEL: task @halves
//       CHECK: for d0 in (2*floor((h)/2)) d1 in (w - 2*floor((w)/2)) d2 in 16 d3 in reduce 16 d4 in reduce 3 d5 in reduce 3:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf(extf(in0[{{.*}}]), in1[144*d2 + 9*d3 + 3*d4 + d5]))
//       CHECK: for d0 in (h - 2*floor((h)/2)) d1 in w d2 in 16 d3 in reduce 16 d4 in reduce 3 d5 in reduce 3:
//  CHECK-NEXT:   acc0 = 0.000000e+00 then addf(acc0, mulf(extf(in0[{{.*}}]), in1[144*d2 + 9*d3 + 3*d4 + d5]))
task.def @halves(%x: tensor<1x?x?x16xf16> {task.dims = #onnx.dims<["", "h + 2", "w + 2", ""]>}, %w: tensor<16x16x3x3xf16>) -> (tensor<1x?x?x16xf32> {task.dims = #onnx.dims<["", "h", "w", ""]>}) attributes {
    schedule = #schedule.steps<#schedule.winograd<nest = 0, outputs = 2, rows = 1048576, columns = 1048576>,
        #schedule.pack<nest = 1, buffer = 1>>} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r0 = tensor.dim %x, %one : tensor<1x?x?x16xf16>
  %c0 = tensor.dim %x, %two : tensor<1x?x?x16xf16>
  %r = arith.subi %r0, %two : index
  %c = arith.subi %c0, %two : index
  %empty = tensor.empty(%r, %c) : tensor<1x?x?x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x?x?x16xf32>) -> tensor<1x?x?x16xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x?x?x16xf16>, tensor<16x16x3x3xf16>) outs(%init : tensor<1x?x?x16xf32>) {
  ^bb0(%a: f16, %b: f16, %acc: f32):
    %left = arith.extf %a : f16 to f32
    %right = arith.extf %b : f16 to f32
    %m = arith.mulf %left, %right : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x?x?x16xf32>
  task.return %conv : tensor<1x?x?x16xf32>
}
