// What whole blocks leave of a dynamic number of rows is divided into pieces, each size with code of its own.
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --apply-schedule --emit-kernels | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// A remainder of any size is one piece, which reads the columns once.
// CHECK-LABEL: func.func private @few.k1(
//       CHECK: arith.divsi %{{.*}}, %c6
//       CHECK: arith.divsi %{{.*}}, %c5
//       CHECK: arith.divsi %{{.*}}, %c4
//       CHECK: arith.divsi %{{.*}}, %c3
//       CHECK: arith.divsi %{{.*}}, %c2
//       CHECK: arith.divsi %{{.*}}, %c1
task.def @few(%x: tensor<?x256xf32> {task.dims = #onnx.dims<["rows", ""]>}, %w: tensor<256x64xf32>) -> (tensor<?x64xf32> {task.dims = #onnx.dims<["rows", ""]>})
    attributes {schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 6>, #schedule.tile<nest = 0, dim = 2, size = 4>>} {
  %size = task.size "rows"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%size) : tensor<?x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x256xf32>, tensor<256x64xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x64xf32>
  task.return %y : tensor<?x64xf32>
}

// Columns that are fetched ahead are in the cache for a second piece.
// CHECK-LABEL: func.func private @fetched.k1(
//       CHECK: arith.divsi %{{.*}}, %c6
//       CHECK: arith.divsi %{{.*}}, %c4
//       CHECK: arith.divsi %{{.*}}, %c2
//       CHECK: arith.divsi %{{.*}}, %c1
//   CHECK-NOT: arith.divsi %{{.*}}, %c{{[35]}}
// CHECK-LABEL: task.def @fetched(
task.def @fetched(%x: tensor<?x256xf32> {task.dims = #onnx.dims<["rows", ""]>}, %w: tensor<256x64xf32>) -> (tensor<?x64xf32> {task.dims = #onnx.dims<["rows", ""]>})
    attributes {schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>, #schedule.prefetch<nest = 0, buffer = 1>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 6>, #schedule.tile<nest = 0, dim = 2, size = 4>>} {
  %size = task.size "rows"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%size) : tensor<?x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x256xf32>, tensor<256x64xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x64xf32>
  task.return %y : tensor<?x64xf32>
}
