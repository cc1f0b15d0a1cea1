// RUN: cameo-opt %s --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %s
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-gpu-kernels 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-gpu-kernels --emit-naive --run-on-one-thread | FileCheck %s --check-prefix=ONE

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {

// A thread has one point, and runs through the reduction; the last block has threads without one.
// CHECK-LABEL: func.func private @matmul.k0(
//  CHECK-SAME:   %[[X:.*]]: memref<448xf32> {llvm.noalias}, %[[W:.*]]: memref<1536xf32> {llvm.noalias}, %[[Y:.*]]: memref<168xf32> {llvm.noalias}, %[[BLOCK:.*]]: index)
//  CHECK-SAME:   task.block = #task.block<threads = 128>
//   CHECK-DAG:   %[[THREADS:.*]] = arith.constant 128 : index
//   CHECK-DAG:   %[[THREAD:.*]] = gpu.thread_id x
//       CHECK:   %[[BEFORE:.*]] = arith.muli %[[BLOCK]], %[[THREADS]] : index
//       CHECK:   %[[POINT:.*]] = arith.addi %[[BEFORE]], %[[THREAD]] : index
//       CHECK:   %[[POINTS:.*]] = arith.constant 168 : index
//       CHECK:   %[[EXISTS:.*]] = arith.cmpi ult, %[[POINT]], %[[POINTS]] : index
//       CHECK:   scf.if %[[EXISTS]] {
//       CHECK:     %[[COLUMN:.*]] = arith.remui %[[POINT]]
//       CHECK:     %[[ROW:.*]] = arith.divui %[[POINT]]
//       CHECK:     %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}}) -> (f32)
//       CHECK:       memref.load %[[X]]
//       CHECK:       memref.load %[[W]]
//       CHECK:     memref.store %[[SUM]], %[[Y]]
//   CHECK-NOT:   gpu.barrier
// CHECK-LABEL: task.def @matmul(
//       CHECK:   task.dispatch @matmul.k0({{.*}}) extent 2
task.def @matmul(%x: tensor<7x64xf32>, %w: tensor<64x24xf32>) -> tensor<7x24xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x24xf32>) -> tensor<7x24xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<7x64xf32>, tensor<64x24xf32>) outs(%init : tensor<7x24xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<7x24xf32>
  task.return %r : tensor<7x24xf32>
}

// Nests of a row follow each other behind barriers. What they pass on lies in memory, a row for each block, and nothing is without alias: other threads write it.
// CHECK-LABEL: func.func private @normalize.k0(
//   CHECK-NOT:   noalias
//  CHECK-SAME:   %[[BLOCK:[a-z0-9]*]]: index) attributes {task.block = #task.block<threads = 64>}
//       CHECK:   memref.subview %{{.*}}[%{{.*}}] [1] [1]
//       CHECK:   gpu.thread_id x
//       CHECK:   scf.for
//       CHECK:     scf.for {{.*}} iter_args
//       CHECK:   gpu.barrier
//       CHECK:   scf.for
//   CHECK-NOT:   gpu.barrier
// CHECK-LABEL: task.def @normalize(
//       CHECK:   task.scratch : memref<80xf32>
//       CHECK:   task.dispatch @normalize.k0({{.*}}) extent 5
task.def @normalize(%x: tensor<5x40xf32>) -> tensor<5x40xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<5xf32>) -> tensor<5xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x40xf32>) outs(%init : tensor<5xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  %all = tensor.empty() : tensor<5x40xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<5x40xf32>, tensor<5xf32>) outs(%all : tensor<5x40xf32>) {
  ^bb0(%p: f32, %s: f32, %unused: f32):
    %d = arith.divf %p, %s : f32
    linalg.yield %d : f32
  } -> tensor<5x40xf32>
  task.return %r : tensor<5x40xf32>
}

// Few points with many steps have a block each. Threads take every 256th step, those of a warp exchange what they have, and the first one combines what the warps have.
// CHECK: memref.global "private" @dots.k0.shared0 : memref<256xf32, 3> = uninitialized
// CHECK-LABEL: func.func private @dots.k0(
//  CHECK-SAME:   %[[BLOCK:[a-z0-9]*]]: index) attributes {task.block = #task.block<threads = 256>}
//   CHECK-DAG:   %[[THREAD:.*]] = gpu.thread_id x
//   CHECK-DAG:   %[[SHARED:.*]] = memref.get_global @dots.k0.shared0
//       CHECK:   %[[STEP:.*]] = arith.constant 256 : index
//       CHECK:   %[[PART:.*]] = scf.for %{{.*}} = %[[THREAD]] to %{{.*}} step %[[STEP]] iter_args
//       CHECK:   %[[OTHER:.*]], %{{.*}} = gpu.shuffle xor %[[PART]]
//       CHECK:   arith.addf %[[PART]], %[[OTHER]]
// CHECK-COUNT-4: gpu.shuffle xor
//       CHECK:   %[[WARP:.*]] = arith.divui %[[THREAD]]
//       CHECK:   scf.if
//       CHECK:     memref.store %{{.*}}, %[[SHARED]][%[[WARP]]]
//       CHECK:   gpu.barrier
//   CHECK-NOT:   gpu.barrier
//       CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[THREAD]]
//       CHECK:   scf.if %[[FIRST]] {
// CHECK-COUNT-8: memref.load %[[SHARED]]
// CHECK-LABEL: task.def @dots(
//       CHECK:   task.dispatch @dots.k0({{.*}}) extent 5
task.def @dots(%x: tensor<5x1000xf32>) -> tensor<5xf32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.bind<nest = 0, loop = 0, to = block>,
                               #schedule.bind<nest = 0, loop = 1, to = thread>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<5xf32>) -> tensor<5xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x1000xf32>) outs(%init : tensor<5xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  task.return %sum : tensor<5xf32>
}

// Of a body that makes no nests the plain loops run in one block of one thread.
// REMARK: remark: is lowered on the naive path: tensor.extract: no loop nest is built from it
// ONE-LABEL: func.func private @walk.k0(
//  ONE-SAME:   %[[BLOCK:[a-z0-9]*]]: index) attributes {passthrough = ["cameo-plain-loops"], task.block = #task.block<threads = 1>}
//       ONE:   %[[ONE:.*]] = arith.constant 1 : index
//       ONE:   %[[BEHIND:.*]] = arith.addi %[[BLOCK]], %[[ONE]] : index
//       ONE:   scf.for %{{.*}} = %[[BLOCK]] to %[[BEHIND]]
task.def @walk(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %empty = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %zero to %eight step %one iter_args(%t = %empty) -> (tensor<8xf32>) {
    %e = tensor.extract %x[%i] : tensor<8xf32>
    %s = arith.mulf %e, %e : f32
    %next = tensor.insert %s into %t[%i] : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  task.return %r : tensor<8xf32>
}

}
