// Rules give windows of bytes no more steps than their verifier takes: a position has twice as many of them as of halves.
// RUN: cameo-opt %s --build-loops --schedule-tasks --apply-schedule | FileCheck %s

#x = affine_map<(y, x, o, c, i, j) -> (y + i, x + j, c)>
#w = affine_map<(y, x, o, c, i, j) -> (o, i, j, c)>
#y = affine_map<(y, x, o, c, i, j) -> (y, x, o)>

module attributes {cameo.target = #cameo.target<gpu = "sm_80">} {
// CHECK-LABEL: task.def @few_pixels
//  CHECK-SAME:   windows of {{[0-9]+}} positions
task.def @few_pixels(%x: tensor<6x6x128xi8>, %w: tensor<128x3x3x128xi8>) -> tensor<4x4x128xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<4x4x128xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<4x4x128xi32>) -> tensor<4x4x128xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<6x6x128xi8>, tensor<128x3x3x128xi8>) outs(%init : tensor<4x4x128xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %u = arith.extsi %p : i8 to i32
    %v = arith.extsi %q : i8 to i32
    %m = arith.muli %u, %v : i32
    %s = arith.addi %acc, %m : i32
    linalg.yield %s : i32
  } -> tensor<4x4x128xi32>
  task.return %r : tensor<4x4x128xi32>
}
}
