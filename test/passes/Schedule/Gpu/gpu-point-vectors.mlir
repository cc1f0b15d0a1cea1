// Vectors that are added and multiplied behind the sums of a product: blocks have their part in shared memory where a thread would load many elements.
// RUN: cameo-opt %s -split-input-file --build-loops --apply-schedule --emit-gpu-kernels | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_90a">} {

// A thread would load 32 of 128 factors of its row; 32 threads copy four each, those before column 200. They arrive with the first step. The other operand of the same size is read as it is, since a block has
// a number of it for each row and column.
//   CHECK-DAG: memref.global "private" @scaled.k0.shared2 : memref<128xf32, 3> = uninitialized {alignment = 64 : i64}
//   CHECK-NOT: shared3
// CHECK-LABEL: func.func private @scaled.k0(
//   CHECK-DAG:   %[[ROWS:.*]] = memref.get_global @scaled.k0.shared2
//       CHECK:   scf.for %[[NUMBER:.*]] = %{{.*}} to %c32{{.*}} step %c256
//       CHECK:     %[[FIRST:.*]] = arith.muli %[[NUMBER]], %c4
//       CHECK:     %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[FIRST]]
//       CHECK:     arith.cmpi ult, %[[COLUMN]], %c200
//       CHECK:     nvvm.cp.async.shared.global {{.*}}, 16, cache ={{ *}}cg
//       CHECK:   nvvm.cp.async.commit.group
//       CHECK:   nvvm.cp.async.wait.group 1
//       CHECK:   task.await_products 0 of
//   CHECK-DAG:   vector.load %[[ROWS]][%{{.*}}] {alignment = 8 : i64} : memref<128xf32, 3>, vector<2xf32>
//   CHECK-DAG:   vector.load %{{.*}} {alignment = 8 : i64} : memref<51200xf32>, vector<2xf32>
//       CHECK:   vector.store
task.def @scaled(%x: tensor<256x512xf16>, %w: tensor<512x200xf16>, %f: tensor<200xf32>, %r: tensor<256x200xf32>) -> tensor<256x200xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 128>, #schedule.tile<nest = 0, dim = 1, size = 128>, #schedule.tile<nest = 0, dim = 2, size = 64>, #schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 4, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 4, copy = async>, #schedule.tensor<nest = 0, kind = wgmma, m = 64, n = 128, k = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x200xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x200xf32>) -> tensor<256x200xf32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<256x512xf16>, tensor<512x200xf16>) outs(%init : tensor<256x200xf32>) {
  ^bb0(%l: f16, %q: f16, %acc: f32):
    %u = arith.extf %l : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x200xf32>
  %out = tensor.empty() : tensor<256x200xf16>
  %n = linalg.generic {indexing_maps = [#id, #column, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %f, %r : tensor<256x200xf32>, tensor<200xf32>, tensor<256x200xf32>) outs(%out : tensor<256x200xf16>) {
  ^bb0(%l: f32, %by: f32, %more: f32, %unused: f16):
    %m = arith.mulf %l, %by : f32
    %s = arith.addf %m, %more : f32
    %o = arith.truncf %s : f32 to f16
    linalg.yield %o : f16
  } -> tensor<256x200xf16>
  task.return %n : tensor<256x200xf16>
}

}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {

// Of 32 columns of a warp a thread loads 8, and would copy 4: that saves too little.
// CHECK-LABEL: func.func private @narrow.k0(
//   CHECK-NOT:   memref<32xf32, 3>
//       CHECK:   vector.load %{{.*}} {alignment = 8 : i64} : memref<64xf32>, vector<2xf32>
task.def @narrow(%x: tensor<64x256xf16>, %w: tensor<256x64xf16>, %f: tensor<64xf32>) -> tensor<64x64xf16> attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 32>, #schedule.tile<nest = 0, dim = 1, size = 32>, #schedule.tile<nest = 0, dim = 2, size = 32>, #schedule.tile<nest = 0, dim = 0, size = 16>, #schedule.bind<nest = 0, loop = 0, to = block>, #schedule.bind<nest = 0, loop = 1, to = block>, #schedule.bind<nest = 0, loop = 3, to = warp>,
                               #schedule.cache<nest = 0, buffer = 0, stages = 3, copy = async>, #schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>, #schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x256xf16>, tensor<256x64xf16>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%l: f16, %q: f16, %acc: f32):
    %u = arith.extf %l : f16 to f32
    %v = arith.extf %q : f16 to f32
    %m = arith.mulf %u, %v : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %out = tensor.empty() : tensor<64x64xf16>
  %n = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %f : tensor<64x64xf32>, tensor<64xf32>) outs(%out : tensor<64x64xf16>) {
  ^bb0(%l: f32, %by: f32, %unused: f16):
    %m = arith.mulf %l, %by : f32
    %o = arith.truncf %m : f32 to f16
    linalg.yield %o : f16
  } -> tensor<64x64xf16>
  task.return %n : tensor<64x64xf16>
}

}
