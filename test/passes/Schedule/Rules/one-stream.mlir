// A processor whose vectors are cache lines and whose third level is fast reads the constants of a few rows as one stream.
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,l2_bytes=65536,far_bytes_per_cycle=20 --build-loops --schedule-tasks | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,l2_bytes=65536 --build-loops --schedule-tasks | FileCheck %s --check-prefixes=CHECK,SEVERAL

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<?x256xf32, #onnx.dims<["rows", ""]>>, %two: tensor<2x256xf32>) -> (tensor<?x512xf32, #onnx.dims<["rows", ""]>>, tensor<?x512xf32, #onnx.dims<["rows", ""]>>, tensor<2x512xf32>) {
  %w = arith.constant dense<1.0> : tensor<256x512xf32>
  %h = arith.constant dense<1.0> : tensor<256x512xf16>
  %y = task.call @rows(%x, %w) : (tensor<?x256xf32, #onnx.dims<["rows", ""]>>, tensor<256x512xf32>) -> tensor<?x512xf32, #onnx.dims<["rows", ""]>>
  %v = task.call @halves(%x, %h) : (tensor<?x256xf32, #onnx.dims<["rows", ""]>>, tensor<256x512xf16>) -> tensor<?x512xf32, #onnx.dims<["rows", ""]>>
  %z = task.call @two(%two, %w) : (tensor<2x256xf32>, tensor<256x512xf32>) -> tensor<2x512xf32>
  return %y, %v, %z : tensor<?x512xf32, #onnx.dims<["rows", ""]>>, tensor<?x512xf32, #onnx.dims<["rows", ""]>>, tensor<2x512xf32>
}

//   CHECK-LABEL: task.def @rows(
//    CHECK-SAME: width = [[WIDTH:64]]>
//    CHECK-SAME: #schedule.tile<nest = 0, dim = 0, size = [[ROWS:6]]>, #schedule.tile<nest = 0, dim = 2, size = 4>
//   CHECK-LABEL: task.def @rows.v1(
//      ONE-SAME: #schedule.tile<nest = 0, dim = 1, size = [[WIDTH]]>
//  SEVERAL-SAME: #schedule.tile<nest = 0, dim = 1, size = 192>
//   CHECK-LABEL: task.def @rows.v2(
//    CHECK-SAME: #dim.expr<"rows">, 2, [[ROWS]]]
//    CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = [[WIDTH]]>, #schedule.tile<nest = 0, dim = 0, size = [[ROWS]]>
task.def @rows(%x: tensor<?x256xf32> {task.dims = #onnx.dims<["rows", ""]>}, %w: tensor<256x512xf32>) -> (tensor<?x512xf32> {task.dims = #onnx.dims<["rows", ""]>}) {
  %size = task.size "rows"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%size) : tensor<?x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x512xf32>) -> tensor<?x512xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x256xf32>, tensor<256x512xf32>) outs(%init : tensor<?x512xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x512xf32>
  task.return %y : tensor<?x512xf32>
}

// A block of more rows than may be few is taken with half of them and twice the columns.
//   CHECK-LABEL: task.def @halves(
//    CHECK-SAME: width = 32>
//    CHECK-SAME: #schedule.tile<nest = 0, dim = 0, size = 14>, #schedule.tile<nest = 0, dim = 2, size = 4>
//   CHECK-LABEL: task.def @halves.v2(
//    CHECK-SAME: #dim.expr<"rows">, 2, 6]
//    CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 6>
task.def @halves(%x: tensor<?x256xf32> {task.dims = #onnx.dims<["rows", ""]>}, %w: tensor<256x512xf16>) -> (tensor<?x512xf32> {task.dims = #onnx.dims<["rows", ""]>}) {
  %size = task.size "rows"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%size) : tensor<?x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x512xf32>) -> tensor<?x512xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x256xf32>, tensor<256x512xf16>) outs(%init : tensor<?x512xf32>) {
  ^bb0(%p: f32, %q: f16, %acc: f32):
    %e = arith.extf %q : f16 to f32
    %m = arith.mulf %p, %e : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x512xf32>
  task.return %y : tensor<?x512xf32>
}

// So does a known number of rows. Several streams are blocks of one vector.
//  CHECK-LABEL: task.def @two(
//     ONE-SAME: #schedule.pack<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 1, size = 64>
// SEVERAL-SAME: #schedule.prefetch<nest = 0, buffer = 1>
task.def @two(%x: tensor<2x256xf32>, %w: tensor<256x512xf32>) -> tensor<2x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x512xf32>) -> tensor<2x512xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x256xf32>, tensor<256x512xf32>) outs(%init : tensor<2x512xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x512xf32>
  task.return %y : tensor<2x512xf32>
}
