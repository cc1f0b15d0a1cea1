// Vectors along a dimension along which results are not contiguous.
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --schedule-tasks | FileCheck %s --check-prefix=STEPS
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=CODE

#image = affine_map<(x, c, k) -> (x + k)>
#filter = affine_map<(x, c, k) -> (c, k)>
#result = affine_map<(x, c, k) -> (x, c)>

func.func @main(%x: tensor<40xf64>, %two: tensor<2x9xf64>, %three: tensor<3x9xf64>) -> (tensor<32x2xf64>, tensor<32x3xf64>) {
  %y = task.call @two_channels(%x, %two) : (tensor<40xf64>, tensor<2x9xf64>) -> tensor<32x2xf64>
  %z = task.call @three_channels(%x, %three) : (tensor<40xf64>, tensor<3x9xf64>) -> tensor<32x3xf64>
  return %y, %z : tensor<32x2xf64>, tensor<32x3xf64>
}

// Two channels would fill a quarter of a vector in each of nine steps. Vectors of both channels are interleaved before they are stored.
// STEPS-LABEL: task.def @two_channels
//  STEPS-SAME: #schedule.vectorize<nest = 0, dim = 0, lanes = 8>
//  CODE-LABEL: func.func private @two_channels.k0
//    CODE-NOT: vector.extract
//        CODE: vector.interleave %{{.*}}, %{{.*}} : vector<8xf64> -> vector<16xf64>
//   CODE-NEXT: vector.store %{{.*}} : memref<64xf64>, vector<16xf64>
//    CODE-NOT: memref.store
task.def @two_channels(%x: tensor<40xf64>, %w: tensor<2x9xf64>) -> tensor<32x2xf64> {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<32x2xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<32x2xf64>) -> tensor<32x2xf64>
  %r = linalg.generic {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<40xf64>, tensor<2x9xf64>) outs(%init : tensor<32x2xf64>) {
  ^bb0(%p: f64, %q: f64, %acc: f64):
    %m = arith.mulf %p, %q : f64
    %s = arith.addf %acc, %m : f64
    linalg.yield %s : f64
  } -> tensor<32x2xf64>
  task.return %r : tensor<32x2xf64>
}

// Three vectors are no pairs: their lanes are stored one by one.
//  CODE-LABEL: func.func private @three_channels.k0
//    CODE-NOT: vector.interleave
//        CODE: vector.extract
//        CODE: memref.store
task.def @three_channels(%x: tensor<40xf64>, %w: tensor<3x9xf64>) -> tensor<32x3xf64> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 0, lanes = 8>, #schedule.tile<nest = 0, dim = 0, size = 8>>} {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<32x3xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<32x3xf64>) -> tensor<32x3xf64>
  %r = linalg.generic {indexing_maps = [#image, #filter, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<40xf64>, tensor<3x9xf64>) outs(%init : tensor<32x3xf64>) {
  ^bb0(%p: f64, %q: f64, %acc: f64):
    %m = arith.mulf %p, %q : f64
    %s = arith.addf %acc, %m : f64
    linalg.yield %s : f64
  } -> tensor<32x3xf64>
  task.return %r : tensor<32x3xf64>
}
