// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,byte_products=vnni --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,byte_products=vnni --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefixes=CODE,VNNI
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,byte_products=pairs --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefixes=CODE,PAIRS
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=16,vector_registers=32,byte_products=dotprod --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefixes=CODE,SDOT

#x = affine_map<(m, n, b, k) -> (m, b, 0, k)>
#y = affine_map<(m, n, b, k) -> (m, b, 1, k)>
#t = affine_map<(m, n, b, k) -> (m, b)>
#w = affine_map<(m, n, b, k) -> (b, k, n)>
#o = affine_map<(m, n, b, k) -> (m, b)>
#s = affine_map<(m, n, b, k) -> (b, n)>
#r = affine_map<(m, n, b, k) -> (m, n)>

func.func @main(%x: tensor<4x3x2x8xi8>, %t: tensor<4x3xf32>, %o: tensor<4x3xi32>) -> tensor<4x16xf32> {
  %w = arith.constant dense<1> : tensor<3x8x16xi8>
  %s = arith.constant dense<0.5> : tensor<3x16xf32>
  %y = task.call @scaled(%x, %t, %w, %s, %o) : (tensor<4x3x2x8xi8>, tensor<4x3xf32>, tensor<3x8x16xi8>, tensor<3x16xf32>, tensor<4x3xi32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// Bytes of a block are one step of the loops; of the packed operands only bytes lie in groups.
// STEPS-LABEL: task.def @scaled
//  STEPS-SAME: #schedule.pack<nest = 0, buffer = 2>, #schedule.pack<nest = 0, buffer = 3>
//  STEPS-SAME: #schedule.dot<nest = 0, dim = 3>
//  STEPS-SAME: #schedule.tile<nest = 0, dim = 3, size = 8>

// Sums of integers begin with what the first byte of a block adds. Only the sum of a block becomes a float.
// CODE-LABEL: func.func private @scaled.k0
//       VNNI: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i32
//       VNNI: vector.broadcast %{{.*}} : i32 to vector<16xi32>
//       VNNI: arith.andi %{{.*}} : vector<64xi8>
//       VNNI: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
//       VNNI: arith.shrui %{{.*}} : vector<64xi8>
//       VNNI: arith.sitofp %{{.*}} : vector<16xi32> to vector<16xf32>
//       VNNI: vector.fma
// PAIRS-COUNT-4: llvm.call_intrinsic "llvm.x86.avx2.pmadd.ub.sw"
//      PAIRS: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
//      PAIRS: arith.sitofp %{{.*}} : vector<8xi32> to vector<8xf32>
//       SDOT: llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"
//   SDOT-NOT: udot
//       SDOT: arith.sitofp %{{.*}} : vector<4xi32> to vector<4xf32>
//       CODE: task.def @scaled(
//  CODE-SAME: memref<384xi8> {task.packing = #task.packing<elements = 384,
//  CODE-SAME: memref<48xf32> {task.packing = #task.packing<elements = 48,
task.def @scaled(%x: tensor<4x3x2x8xi8>, %t: tensor<4x3xf32>, %w: tensor<3x8x16xi8>, %s: tensor<3x16xf32>, %o: tensor<4x3xi32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %mask = arith.constant 15 : i32
  %empty = tensor.empty() : tensor<4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %r = linalg.generic {indexing_maps = [#x, #y, #t, #w, #s, #o, #r], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %x, %t, %w, %s, %o : tensor<4x3x2x8xi8>, tensor<4x3x2x8xi8>, tensor<4x3xf32>, tensor<3x8x16xi8>, tensor<3x16xf32>, tensor<4x3xi32>) outs(%init : tensor<4x16xf32>) {
  ^bb0(%p: i8, %q: i8, %step: f32, %byte: i8, %scale: f32, %offset: i32, %acc: f32):
    %number = arith.extui %byte : i8 to i32
    %low = arith.andi %number, %mask : i32
    %high = arith.shrui %number, %four : i32
    %place = linalg.index 3 : index
    %begin = arith.constant 0 : index
    %is_first = arith.cmpi eq, %place, %begin : index
    %start = arith.select %is_first, %offset, %none : i32
    %u = arith.extsi %p : i8 to i32
    %v = arith.extsi %q : i8 to i32
    %a = arith.muli %low, %u : i32
    %b = arith.muli %high, %v : i32
    %c = arith.addi %start, %a : i32
    %sum = arith.addi %c, %b : i32
    %float = arith.sitofp %sum : i32 to f32
    %f = arith.mulf %float, %step : f32
    %g = arith.mulf %f, %scale : f32
    %next = arith.addf %acc, %g : f32
    linalg.yield %next : f32
  } -> tensor<4x16xf32>
  task.return %r : tensor<4x16xf32>
}
