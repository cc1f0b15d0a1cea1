// Products of bytes that the matrix unit of a GPU multiplies: what the step makes of kernels, and when rules choose it.
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %s --check-prefix=KERNEL
// RUN: cameo-opt %s -split-input-file --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {

// Four neighbours along the depth are a register: 32 steps of 16 points are four matrices. Signs are those of the operands, and sums wrap around.
// KERNEL-LABEL: func.func private @product.k0(
//       KERNEL:   nvvm.cp.async.shared.global {{.*}}, 16, cache ={{ *}}cg
//       KERNEL:   scf.for {{.*}} iter_args
// KERNEL-COUNT-8:   nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
// KERNEL-COUNT-16:  nvvm.mma.sync {{.*}}intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>{{.*}}multiplicandAPtxType = #nvvm.mma_type<u8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 32>{{.*}} -> !llvm.struct<(i32, i32, i32, i32)>
//   KERNEL-NOT:     nvvm.mma.sync
//       KERNEL:     scf.yield
task.def @product(%x: tensor<256x128xi8>, %w: tensor<192x128xi8>) -> tensor<256x192xi32> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 64>, #schedule.tile<nest = 0, dim = 1, size = 64>, #schedule.tile<nest = 0, dim = 2, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.bind<nest = 0, loop = 4, to = warp>, #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 32>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<256x192xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<256x192xi32>) -> tensor<256x192xi32>
  %r = linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x128xi8>, tensor<192x128xi8>) outs(%init : tensor<256x192xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %v = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %v : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<256x192xi32>
  task.return %r : tensor<256x192xi32>
}

// Rules take it for a large product.
// STEPS-LABEL: task.def @chosen
//  STEPS-SAME:   to = warp>, {{.*}}#schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 32>
task.def @chosen(%x: tensor<1024x512xi8>, %w: tensor<1024x512xi8>) -> tensor<1024x1024xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1024x1024xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1024x1024xi32>) -> tensor<1024x1024xi32>
  %r = linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1024x512xi8>, tensor<1024x512xi8>) outs(%init : tensor<1024x1024xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extsi %p : i8 to i32
    %v = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %v : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<1024x1024xi32>
  task.return %r : tensor<1024x1024xi32>
}

// What lies along the columns nothing turns around: threads multiply four bytes at once.
// STEPS-LABEL: task.def @columns
//   STEPS-NOT:   #schedule.tensor
//       STEPS:   #schedule.dot
task.def @columns(%x: tensor<1024x512xi8>, %w: tensor<512x1024xi8>) -> tensor<1024x1024xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1024x1024xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1024x1024xi32>) -> tensor<1024x1024xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1024x512xi8>, tensor<512x1024xi8>) outs(%init : tensor<1024x1024xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extsi %p : i8 to i32
    %v = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %v : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<1024x1024xi32>
  task.return %r : tensor<1024x1024xi32>
}
}
