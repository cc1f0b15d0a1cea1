// RUN: cameo-opt %s --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS
// RUN: cameo-opt %s --build-loops --schedule-tasks --apply-schedule | FileCheck %s --check-prefix=LOOPS
// RUN: cameo-opt %s --build-loops --schedule-tasks --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=KERNEL

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#image = affine_map<(y, x, f, i, j, c) -> (y + i, x + j, c)>
#filter = affine_map<(y, x, f, i, j, c) -> (i, j, c, f)>
#plane = affine_map<(y, x, f, i, j, c) -> (y, x, f)>
#channels = affine_map<(y, x, c, i, j) -> (y + i, x + j, c)>
#window = affine_map<(y, x, c, i, j) -> (i, j, c)>
#pixel = affine_map<(y, x, c, i, j) -> (y, x, c)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {

// A large product: blocks of 64 x 128 points, 8 steps in shared memory at once, 8 x 8 points per thread in two by two parts of 4 x 4 neighbours. What is fetched is read as
// vectors of 16 bytes, once per block; neighbours of a transposed operand are stored one by one, and both are read as vectors again.
// STEPS-LABEL: task.def @matmul
//  STEPS-SAME:   #schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 128>, #schedule.tile<nest = 0, dim = 2, size = 8>,
//  STEPS-SAME:   #schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 4>,
//  STEPS-SAME:   #schedule.tile<nest = 0, dim = 1, size = 4>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>,
//  STEPS-SAME:   #schedule.bind<nest = 0, loop = 3, to = vthread>, #schedule.bind<nest = 0, loop = 4, to = vthread>, #schedule.bind<nest = 0, loop = 5, to = thread>,
//  STEPS-SAME:   #schedule.bind<nest = 0, loop = 6, to = thread>, #schedule.cache<nest = 0, buffer = 0, stages = 2>, #schedule.cache<nest = 0, buffer = 1, stages = 2>>
// LOOPS-LABEL: task.def @matmul
//  LOOPS-SAME:   description = "d0/64 d1/128, sum d2/8, d0/32 d1/64 d0/4 d1/4; shared memory, two stages; 512 blocks of 128 threads with 64 points each"
//       LOOPS:   order <loops = {{\[\[}}0, 64], [1, 128], [2, 8], [0, 32], [1, 64], [0, 4], [1, 4]], bound = {{\[\[}}0, 0], [1, 0], [3, 1], [4, 1], [5, 2], [6, 2]], cached = [0, 1], stages = 2>
//   KERNEL-DAG: memref.global "private" @matmul.k0.shared0 : memref<1088xf32, 3> = uninitialized
//   KERNEL-DAG: memref.global "private" @matmul.k0.shared1 : memref<2112xf32, 3> = uninitialized
// KERNEL-LABEL: func.func private @matmul.k0(
//  KERNEL-SAME:   task.block = #task.block<threads = 128>
//       KERNEL:   vector.load %arg0{{.*}} {alignment = 16 : i64} : memref<1048576xf32>, vector<4xf32>
//       KERNEL:   memref.store
//       KERNEL:   gpu.barrier
//       KERNEL:   scf.for {{.*}} iter_args
//   KERNEL-NOT:   memref.load
//       KERNEL:     vector.load %arg0
//       KERNEL:     vector.load %arg1
//   KERNEL-NOT:   memref.load
//       KERNEL:     vector.load {{.*}} : memref<1088xf32, 3>, vector<4xf32>
//       KERNEL:     vector.load {{.*}} : memref<2112xf32, 3>, vector<4xf32>
//       KERNEL:     gpu.barrier
//   KERNEL-NOT:   gpu.barrier
//       KERNEL:   vector.store {{.*}}, %arg2{{.*}} {alignment = 16 : i64}
// KERNEL-LABEL: task.def @matmul(
//       KERNEL:   task.dispatch @matmul.k0({{.*}}) extent 512
task.def @matmul(%x: tensor<2048x512xf32>, %w: tensor<512x2048xf32>) -> tensor<2048x2048xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2048x2048xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2048x512xf32>, tensor<512x2048xf32>) outs(%init : tensor<2048x2048xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<2048x2048xf32>
  task.return %r : tensor<2048x2048xf32>
}

// A small one has smaller tiles, so that more blocks work, and more steps at once. Beyond the edges it computes with what is there or, along the sum, with zeros, and stores nothing.
// STEPS-LABEL: task.def @edges
//  STEPS-SAME:   #schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 2, size = 32>
// KERNEL-LABEL: func.func private @edges.k0(
//       KERNEL:   arith.minui
//       KERNEL:   %[[BYTES:.*]] = arith.select {{.*}} : i32
//       KERNEL:   nvvm.cp.async.shared.global {{.*}}, 4, cache ={{ *}}ca, %[[BYTES]]
//       KERNEL:   scf.if
//       KERNEL:     memref.store {{.*}}, %arg2
task.def @edges(%x: tensor<37x53xf32>, %w: tensor<53x29xf32>) -> tensor<37x29xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<37x29xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<37x29xf32>) -> tensor<37x29xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<37x53xf32>, tensor<53x29xf32>) outs(%init : tensor<37x29xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<37x29xf32>
  task.return %r : tensor<37x29xf32>
}

// A convolution is a product of its pixels and filters: the window and the channels are the depth, of which those that lie side by side are fetched at once.
// STEPS-LABEL: task.def @convolution
//  STEPS-SAME:   #schedule.tile<nest = 0, dim = 0, size = 4>, #schedule.tile<nest = 0, dim = 1, size = 4>, #schedule.tile<nest = 0, dim = 2, size = 32>,
//  STEPS-SAME:   #schedule.tile<nest = 0, dim = 3, size = 1>, #schedule.tile<nest = 0, dim = 4, size = 32>,
//  STEPS-SAME:   #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>
// With fewer blocks than multiprocessors nothing else hides a fetch: two parts are on their way past the registers while one is used. The operand that is turned around is copied by elements.
// LOOPS-LABEL: task.def @convolution
//  LOOPS-SAME:   shared memory, 3 stages of asynchronous copies; 98 blocks of 128 threads with 4 points each
//       LOOPS:   cached = [0, 1], stages = 3, async = true>
//   KERNEL-DAG: memref.global "private" @convolution.k0.shared0 : memref<1920xf32, 3>
// KERNEL-LABEL: func.func private @convolution.k0(
//       KERNEL:   nvvm.cp.async.shared.global {{.*}}, 4, cache ={{ *}}ca
//       KERNEL:   nvvm.cp.async.shared.global {{.*}}, 16, cache ={{ *}}cg
//       KERNEL:   nvvm.cp.async.commit.group
//       KERNEL:   nvvm.cp.async.commit.group
//       KERNEL:   scf.for
//       KERNEL:     nvvm.cp.async.wait.group 1
//  KERNEL-NEXT:     gpu.barrier
//       KERNEL:     scf.if
//       KERNEL:       nvvm.cp.async.shared.global
//       KERNEL:     nvvm.cp.async.commit.group
//   KERNEL-NOT:     gpu.barrier
//       KERNEL:     scf.yield
task.def @convolution(%x: tensor<30x30x32xf32>, %w: tensor<3x3x32x64xf32>) -> tensor<28x28x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<28x28x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<28x28x64xf32>) -> tensor<28x28x64xf32>
  %r = linalg.generic {indexing_maps = [#image, #filter, #plane], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<30x30x32xf32>, tensor<3x3x32x64xf32>) outs(%init : tensor<28x28x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<28x28x64xf32>
  task.return %r : tensor<28x28x64xf32>
}

// Few tiles and a long sum: blocks divide it, each leaves its part of every point, and the last one to come adds up the parts in their order. What they hand on is not without alias.
// STEPS-LABEL: task.def @deep
//  STEPS-SAME:   #schedule.tile<nest = 0, dim = 2, size = [[SHARE:[0-9]+]]>, #schedule.tile<nest = 0, dim = 2, size =
//  STEPS-SAME:   #schedule.bind<nest = 0, loop = 2, to = block>
// LOOPS-LABEL: task.def @deep
//  LOOPS-SAME:   , of which [[SPLITS:[0-9]+]] divide a sum"
// KERNEL-LABEL: func.func private @deep.k0(%arg0: memref<100352xf32> {llvm.noalias}, %arg1: memref<1048576xf32> {llvm.noalias}, %arg2: memref<25088xf32> {llvm.noalias},
//  KERNEL-SAME:   %[[PARTS:arg3]]: memref<{{[0-9]+}}xf32>, %[[COUNTERS:arg4]]: memref<{{[0-9]+}}xi32>, %[[BLOCK:arg5]]: index)
//       KERNEL:   arith.divui %[[BLOCK]]
//       KERNEL:   %[[OWN:.*]] = arith.remui %[[BLOCK]]
//       KERNEL:   vector.store {{.*}}, %[[PARTS]]{{.*}} {alignment = 16 : i64}
//       KERNEL:   gpu.barrier
//       KERNEL:   scf.if
//       KERNEL:     task.arrive %[[COUNTERS]][%[[OWN]]] of
//       KERNEL:   gpu.barrier
//       KERNEL:   scf.if
//       KERNEL:     scf.for
//       KERNEL:       vector.load %[[PARTS]]
//       KERNEL:       arith.addf
//       KERNEL:     vector.store {{.*}}, %arg2
// KERNEL-LABEL: task.def @deep(
//   KERNEL-DAG:   %[[MEMORY:.*]] = task.scratch
//   KERNEL-DAG:   %[[COUNTS:.*]] = task.counters
//       KERNEL:   task.dispatch @deep.k0(%arg0, %arg1, %arg2, %[[MEMORY]], %[[COUNTS]])
//   KERNEL-NOT:   task.dispatch
task.def @deep(%x: tensor<49x2048xf32>, %w: tensor<2048x512xf32>) -> tensor<49x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<49x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<49x512xf32>) -> tensor<49x512xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<49x2048xf32>, tensor<2048x512xf32>) outs(%init : tensor<49x512xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<49x512xf32>
  task.return %r : tensor<49x512xf32>
}

// By channel nothing is read by several columns: each thread has the points of a vector of channels. Those of four pixels read six for each row of the window.
// STEPS-LABEL: task.def @depthwise
//  STEPS-SAME:   schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 2, lanes = 4>, #schedule.tile<nest = 0, dim = 1, size = 4>, #schedule.unroll<nest = 0, factor = 3>>
// LOOPS-LABEL: task.def @depthwise
//  LOOPS-SAME:   description = "4 x 4 points of d2, d1 per thread; 3 steps at once"
// KERNEL-LABEL: func.func private @depthwise.k0(
// KERNEL-COUNT-2:   scf.for
// KERNEL-COUNT-9:   vector.load %arg{{[01]}}{{.*}} {alignment = 16 : i64}
//   KERNEL-NOT:     vector.load
// KERNEL-COUNT-4: vector.store {{.*}}, %arg2{{.*}} {alignment = 16 : i64}
task.def @depthwise(%x: tensor<58x58x256xf32>, %w: tensor<3x3x256xf32>) -> tensor<56x56x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<56x56x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<56x56x256xf32>) -> tensor<56x56x256xf32>
  %r = linalg.generic {indexing_maps = [#channels, #window, #pixel], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<58x58x256xf32>, tensor<3x3x256xf32>) outs(%init : tensor<56x56x256xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<56x56x256xf32>
  task.return %r : tensor<56x56x256xf32>
}

// Few points with many steps have a block each, whose threads share the steps.
// STEPS-LABEL: task.def @dots
//  STEPS-SAME:   #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = thread>
task.def @dots(%x: tensor<5x1000xf32>) -> tensor<5xf32> {
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

// In a row the block is that of the row, one warp of which is enough for its sum. What its nests pass on lies in shared memory.
// STEPS-LABEL: task.def @normalize
//  STEPS-SAME:   schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 1, size = 1>, #schedule.bind<nest = 0, loop = 0, to = warp>, #schedule.vectorize<nest = 1, dim = 1, lanes = 4>>
// LOOPS-LABEL: task.def @normalize
//       LOOPS:   loop.buffer temporary per_row : memref<1xf32, #loop.space<shared>>
//       KERNEL: memref.global "private" @normalize.k0.shared{{.*}} : memref<1xf32, 3>
task.def @normalize(%x: tensor<5x400xf32>) -> tensor<5x400xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<5xf32>) -> tensor<5xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x400xf32>) outs(%init : tensor<5xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  %all = tensor.empty() : tensor<5x400xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<5x400xf32>, tensor<5xf32>) outs(%all : tensor<5x400xf32>) {
  ^bb0(%p: f32, %s: f32, %unused: f32):
    %d = arith.divf %p, %s : f32
    linalg.yield %d : f32
  } -> tensor<5x400xf32>
  task.return %r : tensor<5x400xf32>
}

}
