// What a target has no instruction for is refused, also where another one's record or schedule asks for it.
// RUN: not cameo-opt %s --build-loops --apply-schedule 2>&1 | FileCheck %s
// RUN: not cameo-opt %s --attach-target=machine=byte_products=dotprod --build-loops --apply-schedule 2>&1 | FileCheck %s
// RUN: not cameo-opt %s --attach-target=machine=byte_products=i8mm --build-loops --apply-schedule 2>&1 | FileCheck %s
// RUN: not cameo-opt %s --attach-target=machine=vector_bytes=16,byte_products=pairs --build-loops --apply-schedule 2>&1 | FileCheck %s
// RUN: cameo-opt %s --attach-target=machine=byte_products=pairs --build-loops --apply-schedule --emit-kernels | FileCheck %s --check-prefix=CODE
// CHECK: error: the schedule cannot be applied: nest 0: expected bytes whose groups the target can multiply, got unsigned by signed bytes in vectors of 8
// CODE: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

func.func @main(%x: tensor<8x8xi8>) -> tensor<8x16xi32> {
  %w = arith.constant dense<1> : tensor<8x16xi8>
  %y = task.call @product(%x, %w) : (tensor<8x8xi8>, tensor<8x16xi8>) -> tensor<8x16xi32>
  return %y : tensor<8x16xi32>
}

task.def @product(%x: tensor<8x8xi8>, %w: tensor<8x16xi8>) -> tensor<8x16xi32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>, #schedule.dot<nest = 0, dim = 2>,
                               #schedule.tile<nest = 0, dim = 0, size = 1>, #schedule.tile<nest = 0, dim = 1, size = 8>, #schedule.tile<nest = 0, dim = 2, size = 4>>} {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x16xi32>) -> tensor<8x16xi32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<8x8xi8>, tensor<8x16xi8>) outs(%init : tensor<8x16xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extui %p : i8 to i32
    %s = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %s : i32
    %t = arith.addi %acc, %m : i32
    linalg.yield %t : i32
  } -> tensor<8x16xi32>
  task.return %r : tensor<8x16xi32>
}
