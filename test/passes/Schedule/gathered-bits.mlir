// RUN: cameo-opt %s --attach-target=machine=vector_bytes=64,vector_registers=32 --schedule-tasks | FileCheck %s

func.func @main(%x: tensor<4096x12x2xi1>, %i: tensor<64xi64>) -> tensor<4096x64x2xi1> {
  %y = task.call @bits(%x, %i) : (tensor<4096x12x2xi1>, tensor<64xi64>) -> tensor<4096x64x2xi1>
  return %y : tensor<4096x64x2xi1>
}

// Bits that are loaded or stored on their own are shifted to their places in a mask: two that lie beside each other are faster than 64 apart, and than eight
// whose places are computed.
// CHECK-LABEL: task.def @bits(
//  CHECK-SAME: #schedule.vectorize<nest = 0, dim = 2, lanes = 2>
task.def @bits(%x: tensor<4096x12x2xi1>, %i: tensor<64xi64>) -> tensor<4096x64x2xi1> {
  %0 = loop.program(%x, %i) : (tensor<4096x12x2xi1>, tensor<64xi64>) -> tensor<4096x64x2xi1> {
    %in0 = loop.buffer argument 0 : memref<98304xi1>
    %in1 = loop.buffer argument 1 : memref<64xi64>
    %out0 = loop.buffer result 0 : memref<524288xi1>
    loop.group {
      loop.nest "gather" (%d0: 4096, %d1: 64, %d2: 2) {
        %place = loop.load %in1[%d1] : memref<64xi64>
        %number = arith.index_cast %place : i64 to index
        %first = loop.index [0]
        %isBehind = arith.cmpi slt, %number, %first : index
        %count = loop.index [12]
        %behind = arith.addi %number, %count : index
        %any = arith.select %isBehind, %behind, %number : index
        %last = loop.index [11]
        %most = arith.minsi %any, %last : index
        %row = arith.maxsi %most, %first : index
        %bit = loop.load %in0[%d0 * 24 + %d2 + %row * 2] : memref<98304xi1>
        loop.store %bit, %out0[%d0 * 128 + %d1 * 2 + %d2] : memref<524288xi1>
      }
    }
  }
  task.return %0 : tensor<4096x64x2xi1>
}
