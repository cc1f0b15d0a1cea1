// Where a multiply-add takes a lane of a register, factors of four steps are one load, and blocks are of the sums that leave registers for them.
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=16,vector_registers=32,byte_products=dotprod --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=16,vector_registers=32,byte_products=dotprod --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=LANES
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=16,vector_registers=16,byte_products=pairs --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=ONE

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<112x16xf32>, %b: tensor<112x32xi8>) -> (tensor<112x96xf32>, tensor<112x96xf32>, tensor<112x96xi32>) {
  %w = arith.constant dense<1.0> : tensor<16x96xf32>
  %v = arith.constant dense<1> : tensor<32x96xi8>
  %y = task.call @columns(%x, %w) : (tensor<112x16xf32>, tensor<16x96xf32>) -> tensor<112x96xf32>
  %d = task.call @differences(%x, %w) : (tensor<112x16xf32>, tensor<16x96xf32>) -> tensor<112x96xf32>
  %z = task.call @bytes(%b, %v) : (tensor<112x32xi8>, tensor<32x96xi8>) -> tensor<112x96xi32>
  return %y, %d, %z : tensor<112x96xf32>, tensor<112x96xf32>, tensor<112x96xi32>
}

// STEPS-LABEL: task.def @columns(
//  STEPS-SAME: #schedule.tile<nest = 0, dim = 0, size = 5>, #schedule.tile<nest = 0, dim = 1, size = 16>,
// LANES-LABEL: func.func private @columns.k0
//       LANES: %[[FOUR:.*]] = vector.load %{{.*}} : memref<1792xf32>, vector<4xf32>
//       LANES: vector.extract %[[FOUR]][0] : f32 from vector<4xf32>
//       LANES: vector.extract %[[FOUR]][3] : f32 from vector<4xf32>
//   ONE-LABEL: func.func private @columns.k0
//     ONE-NOT: memref<1792xf32>, vector
//         ONE: memref.load %{{.*}} : memref<1792xf32>
task.def @columns(%x: tensor<112x16xf32>, %w: tensor<16x96xf32>) -> tensor<112x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<112x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<112x96xf32>) -> tensor<112x96xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<112x16xf32>, tensor<16x96xf32>) outs(%init : tensor<112x96xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<112x96xf32>
  task.return %r : tensor<112x96xf32>
}

// What is not multiplied is needed as a number, or in all lanes.
// LANES-LABEL: func.func private @differences.k0
//   LANES-NOT: memref<1792xf32>, vector
//       LANES: memref.load %{{.*}} : memref<1792xf32>
task.def @differences(%x: tensor<112x16xf32>, %w: tensor<16x96xf32>) -> tensor<112x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<112x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<112x96xf32>) -> tensor<112x96xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<112x16xf32>, tensor<16x96xf32>) outs(%init : tensor<112x96xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %d = arith.subf %p, %q : f32
    %n = math.absf %d : f32
    %s = arith.addf %acc, %n : f32
    linalg.yield %s : f32
  } -> tensor<112x96xf32>
  task.return %r : tensor<112x96xf32>
}

// Four groups of four bytes.
// LANES-LABEL: func.func private @bytes.k0
//       LANES: %[[GROUPS:.*]] = vector.load %{{.*}} : memref<3584xi8>, vector<16xi8>
//       LANES: %[[WORDS:.*]] = vector.bitcast %[[GROUPS]] : vector<16xi8> to vector<4xi32>
//       LANES: vector.extract %[[WORDS]][0] : i32 from vector<4xi32>
//       LANES: llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"
task.def @bytes(%x: tensor<112x32xi8>, %w: tensor<32x96xi8>) -> tensor<112x96xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<112x96xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<112x96xi32>) -> tensor<112x96xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<112x32xi8>, tensor<32x96xi8>) outs(%init : tensor<112x96xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extsi %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<112x96xi32>
  task.return %r : tensor<112x96xi32>
}
