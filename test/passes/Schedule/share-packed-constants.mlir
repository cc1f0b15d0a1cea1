// RUN: cameo-opt %s -split-input-file --share-packed-constants | FileCheck %s
// RUN: cameo-opt %s -split-input-file --share-packed-constants --emit-kernels --plan-buffers | FileCheck %s --check-prefix=PLAN

// A matrix of 40 rows and 2 columns is stored once: row v and column k of blocks of 16 rows are at v / 16 * 32 + k * 16 + v % 16, and from row 32 on, in a
// block of 8, at 64 + k * 8 + v - 32.
//    PLAN-LABEL: func.func @main
//  PLAN-COUNT-1: task.weight
//      PLAN-NOT: task.weight
// CHECK-LABEL: task.def @gather(
//       CHECK:   %[[M:.*]] = loop.buffer argument 0 packable {task.packing = #task.packing<elements = 80, nests = {{\[\[}}0, 0, [2, 2, 16], [32, 16, 1], [32, 1, 2]], [64, 64, [1, 2, 8], [16, 8, 1], [0, 1, 2]]]>}
//       CHECK:   loop.nest "gather" (%[[D:.*]]: 2)
//   CHECK-DAG:     %[[V:.*]] = arith.index_cast
//   CHECK-DAG:     %[[C16:.*]] = arith.constant 16
//   CHECK-DAG:     %[[BLOCK:.*]] = arith.divui %[[V]], %[[C16]]
//   CHECK-DAG:     %[[C32:.*]] = arith.constant 32
//   CHECK-DAG:     %[[LAST:.*]] = arith.divui %[[V]], %[[C32]]
//   CHECK-DAG:     %[[COLUMN:.*]] = loop.index [%[[D]]]
//   CHECK-DAG:     %[[LAST_COLUMN:.*]] = arith.muli %[[LAST]], %[[COLUMN]]
//       CHECK:     loop.load %[[M]][%[[D]] * 16 + %[[V]] + %[[BLOCK]] * 16 + %[[LAST_COLUMN]] * -8]
func.func @main(%v: tensor<1xi64>, %x: tensor<2xi8>) -> (tensor<2xi8>, tensor<40xi8>) {
  %m = onnx.Constant {value = dense_resource<matrix> : tensor<40x2xi8>} : tensor<40x2xi8>
  %t = onnx.Constant {value = #onnx.transposed<dense_resource<matrix> : tensor<40x2xi8>, [1, 0]> : tensor<2x40xi8>} : tensor<2x40xi8>
  %0 = task.call @gather(%m, %v) : (tensor<40x2xi8>, tensor<1xi64>) -> tensor<2xi8>
  %1 = task.call @product(%x, %t) : (tensor<2xi8>, tensor<2x40xi8>) -> tensor<40xi8>
  return %0, %1 : tensor<2xi8>, tensor<40xi8>
}
task.def @gather(%m: tensor<40x2xi8>, %v: tensor<1xi64>) -> tensor<2xi8> {
  %y = loop.program(%m, %v) : (tensor<40x2xi8>, tensor<1xi64>) -> tensor<2xi8> {
    %in0 = loop.buffer argument 0 packable : memref<80xi8>
    %in1 = loop.buffer argument 1 : memref<1xi64>
    %out = loop.buffer result 0 : memref<2xi8>
    loop.group {
      loop.nest "gather" (%d: 2) order <loops = [[0, 2]], parallel = 0> {
        %r = loop.load %in1[0] : memref<1xi64>
        %row = arith.index_cast %r : i64 to index
        %e = loop.load %in0[%d + %row * 2] : memref<80xi8>
        loop.store %e, %out[%d] : memref<2xi8>
      }
    }
  }
  task.return %y : tensor<2xi8>
}
task.def @product(%x: tensor<2xi8>, %w: tensor<2x40xi8>) -> tensor<40xi8> {
  %y = loop.program(%x, %w) : (tensor<2xi8>, tensor<2x40xi8>) -> tensor<40xi8> {
    %in0 = loop.buffer argument 0 : memref<2xi8>
    %in1 = loop.buffer argument 1 packable {task.packing = #task.packing<elements = 80, nests = [[0, 0, [2, 2, 16], [32, 16, 1], [16, 40, 1]], [64, 32, [1, 2, 8], [16, 8, 1], [8, 40, 1]]]>} : memref<80xi8>
    %out = loop.buffer result 0 : memref<40xi8>
    loop.group {
      loop.nest "product" (%i: 40, %k: reduce 2) order <loops = [[0, 16], [1, 1]], parallel = 1, vector = 0, lanes = 8, packed = [1]> {
        %zero = arith.constant 0 : i8
        %s = loop.reduce(%acc = %zero : i8) {
          %a = loop.load %in0[%k] : memref<2xi8>
          %b = loop.load %in1[%i + %k * 40] {packed = #loop.packed<offset = 0, block_stride = 2, group = 1, fixed = [0, 0], per_width = [0, 1]>} : memref<80xi8>
          %p = arith.muli %a, %b : i8
          %n = arith.addi %acc, %p : i8
          loop.yield %n : i8
        }
        loop.store %s, %out[%i] : memref<40xi8>
      }
    }
  }
  task.return %y : tensor<40xi8>
}

{-#
  dialect_resources: {
    builtin: {
      matrix: "0x01000000000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F"
    }
  }
#-}

// -----

// A gather that reads a large part of the matrix has a matrix of its own: in a packed layout, each element is in another cache line.
// CHECK-LABEL: task.def @gather_many(
//       CHECK:   loop.buffer argument 0 packable : memref<80xi8>
//       CHECK:   loop.load %{{.*}}[%{{.*}} + %{{.*}} * 2] : memref<80xi8>

// So do gathers of few rows then, because their matrix is stored anyway.
//    PLAN-LABEL: func.func @main
//  PLAN-COUNT-2: task.weight
// CHECK-LABEL: task.def @gather(
//       CHECK:   loop.load %{{.*}}[%{{.*}} + %{{.*}} * 2] : memref<80xi8>
func.func @main(%v: tensor<1xi64>, %w: tensor<20xi64>, %x: tensor<2xi8>) -> (tensor<2xi8>, tensor<20x2xi8>, tensor<40xi8>) {
  %m = onnx.Constant {value = dense_resource<matrix> : tensor<40x2xi8>} : tensor<40x2xi8>
  %t = onnx.Constant {value = #onnx.transposed<dense_resource<matrix> : tensor<40x2xi8>, [1, 0]> : tensor<2x40xi8>} : tensor<2x40xi8>
  %0 = task.call @gather(%m, %v) : (tensor<40x2xi8>, tensor<1xi64>) -> tensor<2xi8>
  %1 = task.call @gather_many(%m, %w) : (tensor<40x2xi8>, tensor<20xi64>) -> tensor<20x2xi8>
  %2 = task.call @product(%x, %t) : (tensor<2xi8>, tensor<2x40xi8>) -> tensor<40xi8>
  return %0, %1, %2 : tensor<2xi8>, tensor<20x2xi8>, tensor<40xi8>
}
task.def @gather_many(%m: tensor<40x2xi8>, %v: tensor<20xi64>) -> tensor<20x2xi8> {
  %y = loop.program(%m, %v) : (tensor<40x2xi8>, tensor<20xi64>) -> tensor<20x2xi8> {
    %in0 = loop.buffer argument 0 packable : memref<80xi8>
    %in1 = loop.buffer argument 1 : memref<20xi64>
    %out = loop.buffer result 0 : memref<40xi8>
    loop.group {
      loop.nest "gather_many" (%n: 20, %d: 2) order <loops = [[0, 1], [1, 2]], parallel = 0> {
        %r = loop.load %in1[%n] : memref<20xi64>
        %row = arith.index_cast %r : i64 to index
        %e = loop.load %in0[%d + %row * 2] : memref<80xi8>
        loop.store %e, %out[%n * 2 + %d] : memref<40xi8>
      }
    }
  }
  task.return %y : tensor<20x2xi8>
}
task.def @gather(%m: tensor<40x2xi8>, %v: tensor<1xi64>) -> tensor<2xi8> {
  %y = loop.program(%m, %v) : (tensor<40x2xi8>, tensor<1xi64>) -> tensor<2xi8> {
    %in0 = loop.buffer argument 0 packable : memref<80xi8>
    %in1 = loop.buffer argument 1 : memref<1xi64>
    %out = loop.buffer result 0 : memref<2xi8>
    loop.group {
      loop.nest "gather" (%d: 2) order <loops = [[0, 2]], parallel = 0> {
        %r = loop.load %in1[0] : memref<1xi64>
        %row = arith.index_cast %r : i64 to index
        %e = loop.load %in0[%d + %row * 2] : memref<80xi8>
        loop.store %e, %out[%d] : memref<2xi8>
      }
    }
  }
  task.return %y : tensor<2xi8>
}
task.def @product(%x: tensor<2xi8>, %w: tensor<2x40xi8>) -> tensor<40xi8> {
  %y = loop.program(%x, %w) : (tensor<2xi8>, tensor<2x40xi8>) -> tensor<40xi8> {
    %in0 = loop.buffer argument 0 : memref<2xi8>
    %in1 = loop.buffer argument 1 packable {task.packing = #task.packing<elements = 80, nests = [[0, 0, [2, 2, 16], [32, 16, 1], [16, 40, 1]], [64, 32, [1, 2, 8], [16, 8, 1], [8, 40, 1]]]>} : memref<80xi8>
    %out = loop.buffer result 0 : memref<40xi8>
    loop.group {
      loop.nest "product" (%i: 40, %k: reduce 2) order <loops = [[0, 16], [1, 1]], parallel = 1, vector = 0, lanes = 8, packed = [1]> {
        %zero = arith.constant 0 : i8
        %s = loop.reduce(%acc = %zero : i8) {
          %a = loop.load %in0[%k] : memref<2xi8>
          %b = loop.load %in1[%i + %k * 40] {packed = #loop.packed<offset = 0, block_stride = 2, group = 1, fixed = [0, 0], per_width = [0, 1]>} : memref<80xi8>
          %p = arith.muli %a, %b : i8
          %n = arith.addi %acc, %p : i8
          loop.yield %n : i8
        }
        loop.store %s, %out[%i] : memref<40xi8>
      }
    }
  }
  task.return %y : tensor<40xi8>
}

{-#
  dialect_resources: {
    builtin: {
      matrix: "0x01000000000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F"
    }
  }
#-}
