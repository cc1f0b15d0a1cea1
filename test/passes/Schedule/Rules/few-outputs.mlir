// Where few outputs would leave most lanes of a vector empty, the steps of their sums are its lanes.
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16,l2_bytes=524288 --build-loops --schedule-tasks | FileCheck %s
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16,l2_bytes=524288 --build-loops --schedule-tasks=winograd=f4 | FileCheck %s --check-prefix=F4
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=32,vector_registers=16,l2_bytes=524288 --build-loops --schedule-tasks --apply-schedule --emit-kernels | FileCheck %s --check-prefix=SUMS
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=16,vector_registers=32 --build-loops --schedule-tasks=winograd=off | FileCheck %s --check-prefix=MULTIPLIES-LANES
// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32,multiply_adds=1 --build-loops --schedule-tasks=winograd=off | FileCheck %s --check-prefix=ONE-UNIT

#image = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh + kh, ow + kw, ic)>
#filter = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (oc, ic, kh, kw)>
#result = affine_map<(n, oh, ow, oc, ic, kh, kw) -> (n, oh, ow, oc)>

func.func @main(%x_three: tensor<1x66x66x64xf32>, %x_one: tensor<1x66x66x64xf32>, %x_four: tensor<1x66x66x64xf32>, %x_seven: tensor<1x66x66x64xf32>) {
  %w_three = arith.constant dense<1.0> : tensor<3x64x3x3xf32>
  %y_three = task.call @three(%x_three, %w_three) : (tensor<1x66x66x64xf32>, tensor<3x64x3x3xf32>) -> tensor<1x64x64x3xf32>
  %w_one = arith.constant dense<1.0> : tensor<1x64x3x3xf32>
  %y_one = task.call @one(%x_one, %w_one) : (tensor<1x66x66x64xf32>, tensor<1x64x3x3xf32>) -> tensor<1x64x64x1xf32>
  %w_four = arith.constant dense<1.0> : tensor<4x64x3x3xf32>
  %y_four = task.call @four(%x_four, %w_four) : (tensor<1x66x66x64xf32>, tensor<4x64x3x3xf32>) -> tensor<1x64x64x4xf32>
  %w_seven = arith.constant dense<1.0> : tensor<7x64x3x3xf32>
  %y_seven = task.call @seven(%x_seven, %w_seven) : (tensor<1x66x66x64xf32>, tensor<7x64x3x3xf32>) -> tensor<1x64x64x7xf32>
  return
}

// Three outputs of 64 channels: all lanes are used, and filtering saves no more. The weights are laid out for it.
// CHECK-LABEL: task.def @three(
//   CHECK-NOT:   winograd
//  CHECK-SAME:   #schedule.vectorize<nest = 0, dim = 3, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>
//  CHECK-SAME:   #schedule.tile<nest = 0, dim = 1, size = 4>, #schedule.tile<nest = 0, dim = 2, size = 3>
//  CHECK-SAME:   #schedule.tile<nest = 0, dim = 3, size = 8>
// F4-LABEL: task.def @three(
//  F4-SAME:   #schedule.winograd<nest = 0, outputs = 4
// Where a multiply-add takes a lane, three of four lanes load less.
// MULTIPLIES-LANES-LABEL: task.def @three(
//  MULTIPLIES-LANES-SAME:   #schedule.vectorize<nest = 0, dim = 2, lanes = 4>
// ONE-UNIT-LABEL: task.def @three(
//  ONE-UNIT-SAME:   #schedule.vectorize<nest = 0, dim = 3, lanes = 16>
// Twelve sums, whose lanes are added up together in the end.
// SUMS-LABEL: func.func private @three.k0(
//        SUMS: scf.for
//        SUMS: scf.for
//        SUMS: scf.for
// SUMS-COUNT-12: vector.fma
//    SUMS-NOT: vector.fma
// SUMS-COUNT-7: arith.addf {{.*}} : vector<8xf32>
task.def @three(%x: tensor<1x66x66x64xf32>, %w: tensor<3x64x3x3xf32>) -> tensor<1x64x64x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x64x64x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x64x3xf32>) -> tensor<1x64x64x3xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x66x66x64xf32>, tensor<3x64x3x3xf32>) outs(%init : tensor<1x64x64x3xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x64x64x3xf32>
  task.return %conv : tensor<1x64x64x3xf32>
}

// One output: of as many pixels as there are registers for.
// CHECK-LABEL: task.def @one(
//  CHECK-SAME:   #schedule.vectorize<nest = 0, dim = 2, lanes = 8>, #schedule.pack<nest = 0, buffer = 1>
//  CHECK-SAME:   #schedule.tile<nest = 0, dim = 1, size = 13>
task.def @one(%x: tensor<1x66x66x64xf32>, %w: tensor<1x64x3x3xf32>) -> tensor<1x64x64x1xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x64x64x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x64x1xf32>) -> tensor<1x64x64x1xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x66x66x64xf32>, tensor<1x64x3x3xf32>) outs(%init : tensor<1x64x64x1xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x64x64x1xf32>
  task.return %conv : tensor<1x64x64x1xf32>
}

// Four are taken by two, with more pixels: a vector that waits for other points takes a register.
// CHECK-LABEL: task.def @four(
//  CHECK-SAME:   #schedule.vectorize<nest = 0, dim = 3, lanes = 8>
//  CHECK-SAME:   #schedule.tile<nest = 0, dim = 1, size = 6>, #schedule.tile<nest = 0, dim = 2, size = 2>
task.def @four(%x: tensor<1x66x66x64xf32>, %w: tensor<4x64x3x3xf32>) -> tensor<1x64x64x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x64x64x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x64x4xf32>) -> tensor<1x64x64x4xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x66x66x64xf32>, tensor<4x64x3x3xf32>) outs(%init : tensor<1x64x64x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x64x64x4xf32>
  task.return %conv : tensor<1x64x64x4xf32>
}

// Seven fill seven of eight lanes; half vectors are as fast where a core begins one whole multiply-add in a cycle, but blocks with steps in lanes are faster.
// CHECK-LABEL: task.def @seven(
//  CHECK-SAME:   winograd
// ONE-UNIT-LABEL: task.def @seven(
//  ONE-UNIT-SAME:   #schedule.vectorize<nest = 0, dim = 3, lanes = 16>
task.def @seven(%x: tensor<1x66x66x64xf32>, %w: tensor<7x64x3x3xf32>) -> tensor<1x64x64x7xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x64x64x7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x64x64x7xf32>) -> tensor<1x64x64x7xf32>
  %conv = linalg.generic {indexing_maps = [#image, #filter, #result],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x66x66x64xf32>, tensor<7x64x3x3xf32>) outs(%init : tensor<1x64x64x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x64x64x7xf32>
  task.return %conv : tensor<1x64x64x7xf32>
}

#rows = affine_map<(m, n, k) -> (m, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#product = affine_map<(m, n, k) -> (m, n)>

func.func @products(%x: tensor<200x768xf32>) -> tensor<200x6xf32> {
  %w = arith.constant dense<1.0> : tensor<768x6xf32>
  %y = task.call @six_columns(%x, %w) : (tensor<200x768xf32>, tensor<768x6xf32>) -> tensor<200x6xf32>
  return %y : tensor<200x6xf32>
}

// A product of one unit for whole multiply-adds, too: six columns leave lanes of a half vector empty, and each step broadcasts a factor for it.
// ONE-UNIT-LABEL: task.def @six_columns(
//  ONE-UNIT-SAME:   #schedule.vectorize<nest = 0, dim = 2, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>
task.def @six_columns(%x: tensor<200x768xf32>, %w: tensor<768x6xf32>) -> tensor<200x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<200x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<200x6xf32>) -> tensor<200x6xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #product], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<200x768xf32>, tensor<768x6xf32>) outs(%init : tensor<200x6xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<200x6xf32>
  task.return %r : tensor<200x6xf32>
}
