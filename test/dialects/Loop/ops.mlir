// RUN: cameo-opt %s | cameo-opt | FileCheck %s
// RUN: cameo-opt %s --emit-bytecode | cameo-opt | FileCheck %s

// CHECK-LABEL: task.def @product(
//       CHECK: %[[Y:.*]] = loop.program(%{{.*}}, %{{.*}}) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32> {
//  CHECK-NEXT:   %in0 = loop.buffer argument 0 : memref<32xf32>
//  CHECK-NEXT:   %in1 = loop.buffer argument 1 packable : memref<32xf32>
//  CHECK-NEXT:   %out0 = loop.buffer result 0 : memref<16xf32>
//  CHECK-NEXT:   loop.group {
//  CHECK-NEXT:     loop.nest "nest0" (%d0: 4, %d1: 4, %d2: reduce 8) order <loops = {{\[\[}}0, 2], [2, 1]], parallel = 1, vector = 1, lanes = 4, packed = [1]> {
//  CHECK-NEXT:       %[[ZERO:.*]] = arith.constant 0.0
//  CHECK-NEXT:       %[[SUM:.*]] = loop.reduce(%acc0 = %[[ZERO]] : f32) {
//  CHECK-NEXT:         loop.load %in0[%d0 * 8 + %d2] : memref<32xf32>
//  CHECK-NEXT:         loop.load %in1[%d1 + %d2 * 4] : memref<32xf32>
//       CHECK:         loop.yield %{{.*}} : f32
//  CHECK-NEXT:       }
//  CHECK-NEXT:       loop.store %[[SUM]], %out0[%d0 * 4 + %d1] : memref<16xf32>
//       CHECK: task.return %[[Y]]
task.def @product(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %y = loop.program(%x, %w) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32> {
    %a = loop.buffer argument 0 : memref<32xf32>
    %b = loop.buffer argument 1 packable : memref<32xf32>
    %c = loop.buffer result 0 : memref<16xf32>
    loop.group {
      loop.nest "nest0" (%i: 4, %j: 4, %k: reduce 8) order <loops = [[0, 2], [2, 1]], parallel = 1, vector = 1, lanes = 4, packed = [1]> {
        %zero = arith.constant 0.0 : f32
        %sum = loop.reduce(%acc = %zero : f32) {
          %l = loop.load %a[%i * 8 + %k] : memref<32xf32>
          %r = loop.load %b[%j + %k * 4] : memref<32xf32>
          %m = arith.mulf %l, %r : f32
          %s = arith.addf %acc, %m : f32
          loop.yield %s : f32
        }
        loop.store %sum, %c[%i * 4 + %j] : memref<16xf32>
      }
    }
  }
  task.return %y : tensor<4x4xf32>
}

// Sizes of the run, computed places, tables and memory of a thread; several rows, in order.
// CHECK-LABEL: task.def @gather(
//       CHECK:   %in0 = loop.buffer argument 0 elements "4*n" : memref<?xf32>
//  CHECK-NEXT:   %table = loop.buffer table holds dense<[1, 0]> : tensor<2xindex> : memref<2xindex>
//  CHECK-NEXT:   %row = loop.buffer temporary per_row : memref<4xf32, #loop.space<stack>>
//  CHECK-NEXT:   %scratch = loop.buffer temporary : memref<4xf32, #loop.space<arena>>
//  CHECK-NEXT:   %row_0 = loop.buffer temporary per_row : memref<8xf32, #loop.space<arena>>
//  CHECK-NEXT:   %out0 = loop.buffer result 0 elements "4*n" : memref<?xf32>
//  CHECK-NEXT:   loop.group rows 1 ordered 1 {
//  CHECK-NEXT:     loop.nest "first" (%d0: "n", %d1: 2) {
//  CHECK-NEXT:       %[[I:.*]] = loop.load %table[%d1] : memref<2xindex>
//  CHECK-NEXT:       loop.load %in0[%d0 * 4 + %[[I]] * 2 + 1]
//       CHECK:       loop.index [%d1 * 3 + 5]
//  CHECK-NEXT:       loop.index [7]
//       CHECK:   loop.group rows 1 continues shares_matrix {
//       CHECK:       loop.store %{{.*}}, %out0[%d0 * 4 + %d1 + "4*n-4"]
task.def @gather(%x: tensor<?x4xf32> {task.dims = #onnx.dims<["n", ""]>}) -> (tensor<?x4xf32> {task.dims = #onnx.dims<["n", ""]>}) {
  %y = loop.program(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32> {
    %a = loop.buffer argument 0 elements "4*n" : memref<?xf32>
    %t = loop.buffer table holds dense<[1, 0]> : tensor<2xindex> : memref<2xindex>
    %r = loop.buffer temporary per_row : memref<4xf32, #loop.space<stack>>
    %s = loop.buffer temporary : memref<4xf32, #loop.space<arena>>
    %large = loop.buffer temporary per_row : memref<8xf32, #loop.space<arena>>
    %c = loop.buffer result 0 elements "4*n" : memref<?xf32>
    loop.group rows 1 ordered 1 {
      loop.nest "first" (%i: "n", %j: 2) {
        %place = loop.load %t[%j] : memref<2xindex>
        %v = loop.load %a[%i * 4 + %place * 2 + 1] : memref<?xf32>
        %p = loop.index [%j * 3 + 5]
        %q = loop.index [7]
        loop.store %v, %r[%j] : memref<4xf32, #loop.space<stack>>
      }
    }
    loop.group rows 1 continues shares_matrix {
      loop.nest "second" (%i: 1, %j: 4) {
        %v = loop.load %s[%j] : memref<4xf32, #loop.space<arena>>
        loop.store %v, %c[%i * 4 + %j + "4*n-4"] : memref<?xf32>
      }
    }
  }
  task.return %y : tensor<?x4xf32>
}

// What loads say beyond their address.
// CHECK-LABEL: task.def @layouts(
//       CHECK: loop.load %in0[%d0 * 2 + %d1] {run = #loop.run<length = 4, offset = 0, strides = [4, "n"]>}
//       CHECK: loop.load %in0[%d0] {transforms = [#loop.transform<dim = 1, columns = 2, denominator = 3, entries = [1, 2, 3, 4]>]}
//       CHECK: loop.load %in0[%d0] {packed = #loop.packed<offset = 8, block_stride = 4, group = 1, width = 8, fixed = [0, 16], per_width = [1, 0], prefetched = true>}
task.def @layouts(%x: tensor<64xf32>) -> tensor<4xf32> {
  %y = loop.program(%x) : (tensor<64xf32>) -> tensor<4xf32> {
    %a = loop.buffer argument 0 : memref<64xf32>
    %c = loop.buffer result 0 : memref<4xf32>
    loop.group {
      loop.nest "nest0" (%i: 4, %j: 1) {
        %u = loop.load %a[%i * 2 + %j] {run = #loop.run<length = 4, offset = 0, strides = [4, "n"]>} : memref<64xf32>
        %v = loop.load %a[%i] {transforms = [#loop.transform<dim = 1, columns = 2, denominator = 3, entries = [1, 2, 3, 4]>]} : memref<64xf32>
        %w = loop.load %a[%i] {packed = #loop.packed<offset = 8, block_stride = 4, group = 1, width = 8, fixed = [0, 16], per_width = [1, 0], prefetched = true>} : memref<64xf32>
        loop.store %w, %c[%i] : memref<4xf32>
      }
    }
  }
  task.return %y : tensor<4xf32>
}
