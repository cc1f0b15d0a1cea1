// RUN: rm -rf %t && mkdir %t
// RUN: cameo-opt %s --plan-buffers --emit-object="output=%t/net.o header=%t/net.h weights=%t/net.weights prefix=net" -o /dev/null
// RUN: od -A n -w16 -v -t f4 -j 64 -N 320 %t/net.weights | FileCheck %s

// Two filters of three taps become four numbers each, by a matrix along one dimension: (2a, a+b+c, a-b+c, 2c) / 2. Filters lie side
// by side then.
// CHECK:      1 10
// CHECK-SAME: 3 30
// CHECK-NEXT: 1 10
// CHECK-SAME: 3 30

// A matrix along both dimensions of a 2x2 block: sums and differences of rows and columns.
// CHECK:      10 -2
// CHECK-SAME: -4 0

// All elements of this one are 2; its matrix has one row.
// CHECK:      6 6

// Elements of f16 and bf16 are stored as f32, also those without a matrix. Equal bytes of both are other numbers.
// CHECK:      1 3
// CHECK-SAME: 1 3
// CHECK-NEXT: 2 3
// CHECK:      0.0078125 17.00390{{[0-9]+}}
// CHECK-SAME: 15.00390{{[0-9]+}} 32
// CHECK-NEXT: 2 32
func.func @main(%x: tensor<16xf32> {onnx.name = "x"}) -> (tensor<16xf32> {onnx.name = "y"}) {
  %taps = arith.constant dense<[[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]> : tensor<2x3xf32>
  %block = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %splat = arith.constant dense<2.0> : tensor<2x3xf32>
  %halves = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf16>
  %brains = arith.constant dense<[0.0078125, 2.0, 32.0]> : tensor<3xbf16>
  %y = task.call @read(%x, %taps, %block, %splat, %halves, %brains) : (tensor<16xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<3xf16>, tensor<3xbf16>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

task.def @read(%x: memref<16xf32>,
               %taps: memref<8xf32> {task.packing = #task.packing<elements = 8, nests = [
                   [0, 0, [4, 2], [2, 1], [1, 3], [0, 2, [2, 0, 0], [1, 1, 1], [1, -1, 1], [0, 0, 2]]]]>},
               %block: memref<4xf32> {task.packing = #task.packing<elements = 4, nests = [
                   [0, 0, [2, 2], [2, 1], [2, 1], [0, 1, [1, 1], [1, -1]], [1, 1, [1, 1], [1, -1]]]]>},
               %splat: memref<2xf32> {task.packing = #task.packing<elements = 2, nests = [
                   [0, 0, [2, 1], [1, 1], [3, 1], [1, 1, [1, 1, 1]]]]>},
               %halves: memref<6xf32> {task.packing = #task.packing<elements = 6, nests = [
                   [0, 0, [4], [1], [1], [0, 2, [2, 0, 0], [1, 1, 1], [1, -1, 1], [0, 0, 2]]], [4, 1, [2], [1], [1]]]>},
               %brains: memref<6xf32> {task.packing = #task.packing<elements = 6, nests = [
                   [0, 0, [4], [1], [1], [0, 2, [2, 0, 0], [1, 1, 1], [1, -1, 1], [0, 0, 2]]], [4, 1, [2], [1], [1]]]>},
               %y: memref<16xf32>) attributes {key = "4ead", flops = 0.0 : f64, bytes = 0.0 : f64} {
  task.dispatch @read.k0(%x, %taps, %block, %splat, %halves, %brains, %y) extent 1 : memref<16xf32>, memref<8xf32>, memref<4xf32>, memref<2xf32>, memref<6xf32>, memref<6xf32>, memref<16xf32>
  task.return
}
func.func private @read.k0(%x: memref<16xf32>, %taps: memref<8xf32>, %block: memref<4xf32>, %splat: memref<2xf32>, %halves: memref<6xf32>, %brains: memref<6xf32>, %y: memref<16xf32>,
                           %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %a = vector.load %taps[%c0] : memref<8xf32>, vector<8xf32>
  vector.store %a, %y[%c0] : memref<16xf32>, vector<8xf32>
  return
}
