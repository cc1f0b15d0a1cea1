// Products of a single row, or of a few, have schedules of their own where the run chooses the rows.
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16,l2_bytes=524288 --build-loops --schedule-tasks | FileCheck %s
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16,l2_bytes=524288 --build-loops --schedule-tasks --apply-schedule --emit-kernels --join-variants | FileCheck %s --check-prefix=JOINED

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#t = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<?x256xf32, #onnx.dims<["rows", ""]>>, %k: tensor<?x256xf32, #onnx.dims<["past", ""]>>) -> (tensor<?x70xf32, #onnx.dims<["rows", ""]>>, tensor<?x?xf32, #onnx.dims<["rows", "past"]>>) {
  %w = arith.constant dense<1.0> : tensor<256x70xf32>
  %y = task.call @constants(%x, %w) : (tensor<?x256xf32, #onnx.dims<["rows", ""]>>, tensor<256x70xf32>) -> tensor<?x70xf32, #onnx.dims<["rows", ""]>>
  %z = task.call @keys(%x, %k) : (tensor<?x256xf32, #onnx.dims<["rows", ""]>>, tensor<?x256xf32, #onnx.dims<["past", ""]>>) -> tensor<?x?xf32, #onnx.dims<["rows", "past"]>>
  return %y, %z : tensor<?x70xf32, #onnx.dims<["rows", ""]>>, tensor<?x?xf32, #onnx.dims<["rows", "past"]>>
}

func.func @grouped(%x: tensor<?x256xf32, #onnx.dims<["3*rows", ""]>>, %k: tensor<?x256xf32, #onnx.dims<["past", ""]>>) -> tensor<?x?xf32, #onnx.dims<["3*rows", "past"]>> {
  %y = task.call @heads(%x, %k) : (tensor<?x256xf32, #onnx.dims<["3*rows", ""]>>, tensor<?x256xf32, #onnx.dims<["past", ""]>>) -> tensor<?x?xf32, #onnx.dims<["3*rows", "past"]>>
  return %y : tensor<?x?xf32, #onnx.dims<["3*rows", "past"]>>
}

// Both read one layout, the single row as many blocks of it at once as there are registers for.
// CHECK-LABEL: task.def @constants(
//  CHECK-SAME: #schedule.pack<nest = 0, buffer = 1, width = 24>, #schedule.prefetch<nest = 0, buffer = 1>
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 24>
// CHECK-LABEL: task.def @constants.v1(
//  CHECK-SAME: ranges = {{.*}}#dim.expr<"rows">, 1, 1]
//  CHECK-SAME: #schedule.pack<nest = 0, buffer = 1, width = 24>
//   CHECK-NOT: prefetch
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 72>
//  CHECK-SAME: variant_of = @constants
// As many rows as a block has read each block of the constants as a stream, too.
// CHECK-LABEL: task.def @constants.v2(
//  CHECK-SAME: ranges = {{.*}}#dim.expr<"rows">, 2, 3]
//  CHECK-SAME: #schedule.pack<nest = 0, buffer = 1, width = 24>
//   CHECK-NOT: prefetch
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 1, size = 24>, #schedule.tile<nest = 0, dim = 0, size = 3>
//  CHECK-SAME: variant_of = @constants
// One buffer of the constants, three blocks of 24 columns, of which the last is padded.
// Of a block that more rows share than one pass has, each step fetches its part of the next; of one that few share, several lines.
// One pass reads a block as a stream: the lines that follow are nearer than the next block.
// JOINED-LABEL: func.func private @constants.k0(
//       JOINED: %[[ONCE:.*]] = arith.cmpi ule, %{{.*}}, %c3
//       JOINED: arith.select %[[ONCE]], %c0{{.*}}, %c4096
//       JOINED: arith.cmpi ugt, %{{.*}}, %c3
//  JOINED-NEXT: scf.if
//  JOINED-NEXT: memref.prefetch
//       JOINED: arith.cmpi ult, %{{.*}}, %c18
//  JOINED-NEXT: scf.if
// JOINED-COUNT-5: memref.prefetch
// JOINED-LABEL: task.def @constants(
//  JOINED-SAME: %{{[^ ]*}}: memref<?xf32> {{[^%]*}}%{{[^ ]*}}: memref<18432xf32> {task.packing{{[^%]*}}%{{[^ ]*}}: memref<?xf32>
//       JOINED: task.dispatch @constants.k0
//       JOINED: task.dispatch @constants.v1.k0
//       JOINED: task.dispatch @constants.v2.k0
// JOINED-LABEL: func.func private @constants.v1.k0(
//       JOINED: scf.for {{.*}} iter_args({{(%[^ ]* = %[^ ]*, ){8}%[^ ]* = %[^ )]*}})
task.def @constants(%x: tensor<?x256xf32> {task.dims = #onnx.dims<["rows", ""]>}, %w: tensor<256x70xf32>) -> (tensor<?x70xf32> {task.dims = #onnx.dims<["rows", ""]>}) {
  %size = task.size "rows"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%size) : tensor<?x70xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x70xf32>) -> tensor<?x70xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x256xf32>, tensor<256x70xf32>) outs(%init : tensor<?x70xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x70xf32>
  task.return %y : tensor<?x70xf32>
}

// Keys are copied for many queries, and read where they are for one and for as few as the rules say. A key is used for all of
// these, two at a time.
// CHECK-LABEL: task.def @keys(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>
// CHECK-LABEL: task.def @keys.v1(
//  CHECK-SAME: ranges = {{.*}}#dim.expr<"rows">, 1, 1]
//   CHECK-NOT: pack
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 2, lanes = 8>
//  CHECK-SAME: variant_of = @keys
// CHECK-LABEL: task.def @keys.v2(
//  CHECK-SAME: ranges = {{.*}}#dim.expr<"rows">, 2, 7]
//   CHECK-NOT: pack
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 2, lanes = 8>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.tile<nest = 0, dim = 0, size = 2>
//  CHECK-SAME: variant_of = @keys
task.def @keys(%x: tensor<?x256xf32> {task.dims = #onnx.dims<["rows", ""]>}, %k: tensor<?x256xf32> {task.dims = #onnx.dims<["past", ""]>}) -> (tensor<?x?xf32> {task.dims = #onnx.dims<["rows", "past"]>}) {
  %rows = task.size "rows"
  %past = task.size "past"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%rows, %past) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#a, #t, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<?x256xf32>, tensor<?x256xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  task.return %y : tensor<?x?xf32>
}

// Three heads share keys: a single row is three points, and a few rows are a multiple of them.
// CHECK-LABEL: task.def @heads(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>
// CHECK-LABEL: task.def @heads.v1(
//  CHECK-SAME: ranges = {{.*}}#dim.expr<"rows">, 1, 1]
//   CHECK-NOT: pack
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 2, lanes = 8>, #schedule.tile<nest = 0, dim = 0, size = 3>
//  CHECK-SAME: variant_of = @heads
// CHECK-LABEL: task.def @heads.v2(
//  CHECK-SAME: ranges = {{.*}}#dim.expr<"rows">, 2, 2]
//  CHECK-SAME: #schedule.tile<nest = 0, dim = 0, size = 6>
//  CHECK-SAME: variant_of = @heads
task.def @heads(%x: tensor<?x256xf32> {task.dims = #onnx.dims<["3*rows", ""]>}, %k: tensor<?x256xf32> {task.dims = #onnx.dims<["past", ""]>}) -> (tensor<?x?xf32> {task.dims = #onnx.dims<["3*rows", "past"]>}) {
  %rows = task.size "3*rows"
  %past = task.size "past"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%rows, %past) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.generic {indexing_maps = [#a, #t, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<?x256xf32>, tensor<?x256xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  task.return %y : tensor<?x?xf32>
}

// Variants flatten the nest that all runs flatten.
// CHECK-LABEL: task.def @flattened(
//  CHECK-SAME: #schedule.steps<#schedule.flatten<nest = 1, dim = 0>
// CHECK-LABEL: task.def @flattened.v1(
//  CHECK-SAME: #schedule.steps<#schedule.flatten<nest = 1, dim = 0>
// CHECK-LABEL: task.def @flattened.v2(
//  CHECK-SAME: #schedule.steps<#schedule.flatten<nest = 1, dim = 0>
// JOINED-LABEL: task.def @flattened(
//       JOINED: task.dispatch @flattened.v2.k1
#e = affine_map<(m, n) -> (m, n)>
#r = affine_map<(m, n) -> (m, 0)>
task.def @flattened(%v: tensor<?x4xf32> {task.dims = #onnx.dims<["rows", ""]>}, %x: tensor<?x256xf32> {task.dims = #onnx.dims<["rows", ""]>}, %w: tensor<256x70xf32>) -> (tensor<?x4xf32> {task.dims = #onnx.dims<["rows", ""]>}, tensor<?x70xf32> {task.dims = #onnx.dims<["rows", ""]>}) {
  %size = task.size "rows"
  %zero = arith.constant 0.0 : f32
  %sums = tensor.empty(%size) : tensor<?x1xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%sums : tensor<?x1xf32>) -> tensor<?x1xf32>
  %sum = linalg.generic {indexing_maps = [#e, #r], iterator_types = ["parallel", "reduction"]} ins(%v : tensor<?x4xf32>) outs(%zeros : tensor<?x1xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %p = math.exp %in : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x1xf32>
  %shares = tensor.empty(%size) : tensor<?x4xf32>
  %share = linalg.generic {indexing_maps = [#e, #r, #e], iterator_types = ["parallel", "parallel"]} ins(%v, %sum : tensor<?x4xf32>, tensor<?x1xf32>) outs(%shares : tensor<?x4xf32>) {
  ^bb0(%in: f32, %of: f32, %out: f32):
    %p = math.exp %in : f32
    %s = arith.divf %p, %of : f32
    linalg.yield %s : f32
  } -> tensor<?x4xf32>
  %empty = tensor.empty(%size) : tensor<?x70xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x70xf32>) -> tensor<?x70xf32>
  %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x256xf32>, tensor<256x70xf32>) outs(%init : tensor<?x70xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x70xf32>
  task.return %share, %y : tensor<?x4xf32>, tensor<?x70xf32>
}

func.func @main_flattened(%v: tensor<?x4xf32, #onnx.dims<["rows", ""]>>, %x: tensor<?x256xf32, #onnx.dims<["rows", ""]>>) -> (tensor<?x4xf32, #onnx.dims<["rows", ""]>>, tensor<?x70xf32, #onnx.dims<["rows", ""]>>) {
  %w = arith.constant dense<1.0> : tensor<256x70xf32>
  %s, %y = task.call @flattened(%v, %x, %w) : (tensor<?x4xf32, #onnx.dims<["rows", ""]>>, tensor<?x256xf32, #onnx.dims<["rows", ""]>>, tensor<256x70xf32>) -> (tensor<?x4xf32, #onnx.dims<["rows", ""]>>, tensor<?x70xf32, #onnx.dims<["rows", ""]>>)
  return %s, %y : tensor<?x4xf32, #onnx.dims<["rows", ""]>>, tensor<?x70xf32, #onnx.dims<["rows", ""]>>
}
