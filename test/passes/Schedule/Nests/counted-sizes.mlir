// Dynamic sizes: nests, schedules and loops over them.
// RUN: cameo-opt %s --build-loops --print-nests -o /dev/null | FileCheck %s --check-prefix=NESTS
// RUN: cameo-opt %s --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS
// RUN: cameo-opt %s --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#t = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#swapped = affine_map<(m, n) -> (n, m)>
#column = affine_map<(m, n) -> (m, 0)>

func.func @main(%x: tensor<?x64xf32, #onnx.dims<["seq", ""]>>) -> tensor<?x64xf32, #onnx.dims<["seq", ""]>> {
  %w = arith.constant dense<1.0> : tensor<64x64xf32>
  %y = task.call @rows(%x, %w) : (tensor<?x64xf32, #onnx.dims<["seq", ""]>>, tensor<64x64xf32>) -> tensor<?x64xf32, #onnx.dims<["seq", ""]>>
  return %y : tensor<?x64xf32, #onnx.dims<["seq", ""]>>
}

// Blocks of six rows, of four, two and one what is left. The weights are packed as for any other number of rows.
// NESTS-LABEL: task @rows
//  NESTS-NEXT: for d0 in seq d1 in 64 d2 in reduce 64:
// STEPS-LABEL: task.def @rows
//  STEPS-SAME: #schedule.pack<nest = 0, buffer = 1>
//  STEPS-SAME: #schedule.tile<nest = 0, dim = 0, size = 6>
// CHECK-LABEL: func.func private @rows.k0
//       CHECK: %[[SEQ:.*]] = task.size "seq"
//       CHECK: arith.minsi {{.*}}, %c6
//       CHECK: scf.for {{.*}} iter_args({{.*}}) -> ({{(vector<8xf32>, )+}}vector<8xf32>)
//       CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
//       CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>) {
// CHECK-LABEL: task.def @rows
//  CHECK-SAME: %{{.*}}: memref<?xf32> {task.elements = #dim.expr<"64*seq">}, %{{.*}}: memref<4096xf32> {task.packing
//       CHECK: task.dispatch @rows.k0({{.*}}) extent "floor(
task.def @rows(%x: tensor<?x64xf32> {task.dims = #onnx.dims<["seq", ""]>}, %w: tensor<64x64xf32>) -> (tensor<?x64xf32> {task.dims = #onnx.dims<["seq", ""]>}) {
  %size = task.size "seq"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%size) : tensor<?x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x64xf32>) -> tensor<?x64xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x64xf32>, tensor<64x64xf32>) outs(%init : tensor<?x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x64xf32>
  task.return %r : tensor<?x64xf32>
}

// Both sides of the result are open: the operand that would be strided is transposed, vectors end with a mask.
// NESTS-LABEL: task @scores
//  NESTS-NEXT: for d0 in seq d1 in seq d2 in reduce 64:
//       NESTS: out0[seq*d0 + d1] = acc0
// STEPS-LABEL: task.def @scores
//  STEPS-SAME: #schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>
// CHECK-LABEL: func.func private @scores.k1
//       CHECK: vector.store
//       CHECK: vector.create_mask
//       CHECK: vector.maskedstore
// CHECK-LABEL: task.def @scores
//       CHECK: %[[COPY:.*]] = task.scratch elements "64*seq + 16"
//       CHECK: task.dispatch @scores.k0({{.*}}, %[[COPY]])
//       CHECK: task.dispatch @scores.k1({{.*}}%[[COPY]]
task.def @scores(%x: tensor<?x64xf32> {task.dims = #onnx.dims<["seq", ""]>}, %y: tensor<?x64xf32> {task.dims = #onnx.dims<["seq", ""]>})
    -> (tensor<?x?xf32> {task.dims = #onnx.dims<["seq", "seq"]>}) {
  %size = task.size "seq"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%size, %size) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#a, #t, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x64xf32>, tensor<?x64xf32>) outs(%init : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  task.return %r : tensor<?x?xf32>
}

// Rows of open length run one after the other, each in a part of the arena of its own; their lanes are combined under a mask.
// NESTS-LABEL: task @centred
//  NESTS-NEXT: rows 1:
//       NESTS: row{{.*}}[d1] = exp(in0[(seq + 1)*d0 + d1])
// CHECK-LABEL: func.func private @centred.k0
//       CHECK: memref.subview %{{.*}} : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
//       CHECK: vector.create_mask
//       CHECK: arith.select
//       CHECK: vector.reduction <add>
// CHECK-LABEL: task.def @centred
//       CHECK: task.scratch elements "16*floor((seq)/16)*seq + 16*seq"
//   CHECK-NOT: task.scratch
//       CHECK: task.dispatch @centred.k0({{.*}}) extent "seq"
task.def @centred(%x: tensor<?x?xf32> {task.dims = #onnx.dims<["seq", "seq + 1"]>}) -> (tensor<?x?xf32> {task.dims = #onnx.dims<["seq", "seq + 1"]>}) {
  %rows = task.size "seq"
  %columns = task.size "seq + 1"
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %sums = tensor.empty(%rows) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%sums : tensor<?xf32>) -> tensor<?xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%p: f32, %unused: f32):
    %v = math.exp %p : f32
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<?x?xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : tensor<?x?xf32>, tensor<?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %unused: f32):
    %d = arith.divf %p, %q : f32
    linalg.yield %d : f32
  } -> tensor<?x?xf32>
  task.return %r : tensor<?x?xf32>
}

// Slices that each step of a loop puts into a tensor which nobody reads are not put there.
// NESTS-LABEL: task @unread
//       NESTS: rows 1 in order:
//  NESTS-NEXT: for d0 in 3 d1 in seq d2 in reduce 32:
//  NESTS-NEXT: acc0 =
//  NESTS-NEXT: scratch[[NEXT:[0-9]+]][d1] = acc0
//  NESTS-NEXT: for d0 in 3 d1 in seq:
//  NESTS-NEXT: out0[d1] = scratch[[NEXT]][d1]
//   NESTS-NOT: for
// STEPS-LABEL: task.def @unread
// CHECK-LABEL: task.def @unread
task.def @unread(%x: tensor<?x32xf32> {task.dims = #onnx.dims<["seq", ""]>}) -> (tensor<?x1xf32> {task.dims = #onnx.dims<["seq", ""]>}) {
  %size = task.size "seq"
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %one = tensor.empty(%size) : tensor<?x1xf32>
  %start = linalg.fill ins(%zero : f32) outs(%one : tensor<?x1xf32>) -> tensor<?x1xf32>
  %all = tensor.empty(%size) : tensor<?x3xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %start, %kept = %all) -> (tensor<?x1xf32>, tensor<?x3xf32>) {
    %init = linalg.fill ins(%zero : f32) outs(%one : tensor<?x1xf32>) -> tensor<?x1xf32>
    %next = linalg.generic {indexing_maps = [#id, #column, #column], iterator_types = ["parallel", "reduction"]}
        ins(%x, %sum : tensor<?x32xf32>, tensor<?x1xf32>) outs(%init : tensor<?x1xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<?x1xf32>
    %more = tensor.insert_slice %next into %kept[0, %i] [%size, 1] [1, 1] : tensor<?x1xf32> into tensor<?x3xf32>
    scf.yield %next, %more : tensor<?x1xf32>, tensor<?x3xf32>
  }
  task.return %r#0 : tensor<?x1xf32>
}

// A run of many columns and no rows computes nothing, and goes through nothing.
// NESTS-LABEL: task @turned
// CHECK-LABEL: task.def @turned
//       CHECK: task.dispatch @turned.k0({{.*}}) extent "{{.*}}min({{.*}}
task.def @turned(%x: tensor<?x?xf32> {task.dims = #onnx.dims<["n", "m"]>}) -> (tensor<?x?xf32> {task.dims = #onnx.dims<["m", "n"]>}) {
  %n = task.size "n"
  %m = task.size "m"
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%p: f32, %out: f32):
    linalg.yield %p : f32
  } -> tensor<?x?xf32>
  task.return %r : tensor<?x?xf32>
}
