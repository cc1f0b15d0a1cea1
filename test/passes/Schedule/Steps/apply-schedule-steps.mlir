// RUN: cameo-opt %s --build-loops --apply-schedule | FileCheck %s --check-prefixes=ALL,CHECK
// RUN: cameo-opt %s --build-loops --apply-schedule=steps=4 | FileCheck %s --check-prefixes=FOUR,CHECK
// RUN: cameo-opt %s --build-loops --apply-schedule | cameo-opt --emit-kernels -o %t.via-text
// RUN: cameo-opt %s --build-loops --apply-schedule --emit-kernels -o %t.at-once
// RUN: diff %t.via-text %t.at-once

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// The nest has the loops that the steps say, or the first of them; the operand that is packed has its layout at compile time.
// CHECK-LABEL: task.def @constant(
//   CHECK-NOT: schedule
//       CHECK: %in1 = loop.buffer argument 1 packable {task.packing = #task.packing<elements = 2048
//         ALL: loop.nest "nest0" (%d0: 7, %d1: 24, %d2: reduce 64) order <loops = {{\[\[}}1, 16], [0, 4], [2, 2]], parallel = 1, vector = 1, lanes = 16, packed = [1]> {
//        FOUR: loop.nest "nest0" (%d0: 7, %d1: 24, %d2: reduce 64) order <loops = {{\[\[}}1, 16], [0, 4]], vector = 1, lanes = 16, packed = [1]> {
//       CHECK: loop.load %in1[%d1 + %d2 * 24] {packed = #loop.packed<offset = 0, block_stride = 64, group = 1, fixed = [0, 0, 0], per_width = [0, 0, 1]>}
task.def @constant(%x: tensor<7x64xf32>, %w: tensor<64x24xf32>) -> tensor<7x24xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>,
                               #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 4>,
                               #schedule.tile<nest = 0, dim = 2, size = 2>, #schedule.parallel<nest = 0, loops = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x24xf32>) -> tensor<7x24xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<7x64xf32>, tensor<64x24xf32>) outs(%init : tensor<7x24xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<7x24xf32>
  task.return %r : tensor<7x24xf32>
}

// What is no constant is copied by a nest of its own, with loops of its own, into memory of the arena.
// CHECK-LABEL: task.def @copied(
//       CHECK: %[[COPY:.*]] = loop.buffer temporary : memref<2048xf32, #loop.space<arena>>
//       CHECK: loop.nest "nest0.pack" ({{.*}}) order <loops = {{.*}}> {
//       CHECK:   loop.store %{{.*}}, %[[COPY]][
//         ALL: loop.nest "nest0" ({{.*}}) order <loops = {{.*}}, packed = [{{[0-9]+}}]> {
//       CHECK:   loop.load %[[COPY]][{{.*}} {packed = #loop.packed
task.def @copied(%x: tensor<7x64xf32>, %w: tensor<64x24xf32>) -> tensor<7x24xf32> attributes {
    schedule = #schedule.steps<#schedule.vectorize<nest = 0, dim = 1, lanes = 16>, #schedule.pack<nest = 0, buffer = 1>,
                               #schedule.tile<nest = 0, dim = 1, size = 16>, #schedule.tile<nest = 0, dim = 0, size = 4>,
                               #schedule.tile<nest = 0, dim = 2, size = 2>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7x24xf32>) -> tensor<7x24xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<7x64xf32>, tensor<64x24xf32>) outs(%init : tensor<7x24xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<7x24xf32>
  task.return %r : tensor<7x24xf32>
}

func.func @main(%x: tensor<7x64xf32>, %v: tensor<64x24xf32>) -> tensor<7x24xf32> {
  %w = arith.constant dense<1.0> : tensor<64x24xf32>
  %y = task.call @constant(%x, %w) : (tensor<7x64xf32>, tensor<64x24xf32>) -> tensor<7x24xf32>
  %z = task.call @copied(%x, %v) : (tensor<7x64xf32>, tensor<64x24xf32>) -> tensor<7x24xf32>
  return %y : tensor<7x24xf32>
}

#row = affine_map<(m, k) -> (m)>
#all = affine_map<(m, k) -> (m, k)>
#column = affine_map<(m, k) -> (k, m)>

// What one nest has packed others read where it lies now, behind the blocks: the buffer has the elements of the layout.
// CHECK-LABEL: task.def @read_twice(
//       CHECK: %in0 = loop.buffer argument 0 packable {task.packing = #task.packing<elements = [[LAYOUT:[0-9]+]]{{.*}}} : memref<[[LAYOUT]]xf32>
task.def @read_twice(%w: tensor<40x40xf32>) -> (tensor<40xf32>, tensor<40x40xf32>) attributes {
    schedule = #schedule.steps<#schedule.tile<nest = 1, dim = 0, size = 8>, #schedule.vectorize<nest = 0, dim = 0, lanes = 8>,
                               #schedule.pack<nest = 0, buffer = 0>, #schedule.tile<nest = 0, dim = 0, size = 32>,
                               #schedule.tile<nest = 0, dim = 1, size = 1>>} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<40xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<40xf32>) -> tensor<40xf32>
  %sums = linalg.generic {indexing_maps = [#column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%w : tensor<40x40xf32>) outs(%init : tensor<40xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<40xf32>
  %plane = tensor.empty() : tensor<40x40xf32>
  %negative = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<40x40xf32>) outs(%plane : tensor<40x40xf32>) {
  ^bb0(%a: f32, %old: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<40x40xf32>
  task.return %sums, %negative : tensor<40xf32>, tensor<40x40xf32>
}

func.func @twice() -> tensor<40x40xf32> {
  %w = arith.constant dense<1.0> : tensor<40x40xf32>
  %y:2 = task.call @read_twice(%w) : (tensor<40x40xf32>) -> (tensor<40xf32>, tensor<40x40xf32>)
  return %y#1 : tensor<40x40xf32>
}
