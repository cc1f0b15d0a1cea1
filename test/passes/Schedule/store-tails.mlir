// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16 --build-loops --apply-schedule --emit-kernels | FileCheck %s --implicit-check-not=maskedstore
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=16,vector_registers=32 --build-loops --apply-schedule --emit-kernels | FileCheck %s --implicit-check-not=maskedstore
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --apply-schedule --emit-kernels | FileCheck %s --check-prefix=MASKS

#id = affine_map<(i, j) -> (i, j)>

// Seven lanes are four, two and one, unless the processor has registers of masks.
// CHECK-LABEL: func.func private @seven_columns.k0(
//       CHECK:   %[[FIRST:.*]] = vector.shuffle %[[ALL:.*]], %[[ALL]] [0, 1, 2, 3] : vector<8xf32>, vector<8xf32>
//       CHECK:   vector.store %[[FIRST]], %{{.*}} : memref<35xf32>, vector<4xf32>
//       CHECK:   %[[NEXT:.*]] = vector.shuffle %[[ALL]], %[[ALL]] [4, 5] : vector<8xf32>, vector<8xf32>
//       CHECK:   vector.store %[[NEXT]], %{{.*}} : memref<35xf32>, vector<2xf32>
//       CHECK:   %[[LAST:.*]] = vector.extract %[[ALL]][6] : f32 from vector<8xf32>
//       CHECK:   memref.store %[[LAST]], %{{.*}} : memref<35xf32>
// MASKS-LABEL: func.func private @seven_columns.k0(
//       MASKS:   vector.maskedstore
task.def @seven_columns(%x: tensor<5x7xf32>, %b: tensor<5x7xf32>) -> tensor<5x7xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 8>, #schedule.tile<nest = 0, dim = 0, size = 7>>} {
  %empty = tensor.empty() : tensor<5x7xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<5x7xf32>, tensor<5x7xf32>) outs(%empty : tensor<5x7xf32>) {
  ^bb0(%v: f32, %w: f32, %unused: f32):
    %n = arith.addf %v, %w : f32
    linalg.yield %n : f32
  } -> tensor<5x7xf32>
  task.return %r : tensor<5x7xf32>
}
