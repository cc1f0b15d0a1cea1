// RUN: cameo-opt %s -split-input-file -verify-diagnostics --emit-kernels | FileCheck %s

// Loops that a person wrote become a kernel: a parallel range of two blocks of rows, vectors along the columns.
// CHECK-LABEL: func.func private @by_hand.k0(
//  CHECK-SAME:   %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64xf32>, %[[BEGIN:.*]]: index, %[[END:.*]]: index)
//       CHECK:   scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
//       CHECK:     vector.load %[[X]]{{.*}} vector<8xf32>
//       CHECK:     arith.negf %{{.*}} : vector<8xf32>
// CHECK-LABEL: task.def @by_hand(
//       CHECK: task.dispatch @by_hand.k0({{.*}}) extent 2
task.def @by_hand(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = loop.program(%x) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
    %in = loop.buffer argument 0 : memref<64xf32>
    %out = loop.buffer result 0 : memref<64xf32>
    loop.group {
      loop.nest "negate" (%i: 8, %j: 8) order <loops = [[0, 4]], parallel = 1, vector = 1, lanes = 8> {
        %v = loop.load %in[%i * 8 + %j] : memref<64xf32>
        %m = arith.negf %v : f32
        loop.store %m, %out[%i * 8 + %j] : memref<64xf32>
      }
    }
  }
  task.return %y : tensor<8x8xf32>
}

// -----

// expected-error @below {{the loops cannot be emitted: expected each nest to have an order}}
task.def @without_order(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<8xf32> {
    %in = loop.buffer argument 0 : memref<8xf32>
    %out = loop.buffer result 0 : memref<8xf32>
    loop.group {
      loop.nest "copy" (%i: 8) {
        %v = loop.load %in[%i] : memref<8xf32>
        loop.store %v, %out[%i] : memref<8xf32>
      }
    }
  }
  task.return %y : tensor<8xf32>
}

// -----

// expected-error @below {{the loops cannot be emitted: nest 0: loop 0 over a reduction cannot be parallel}}
task.def @parallel_reduction(%x: tensor<8xf32>) -> tensor<f32> {
  %y = loop.program(%x) : (tensor<8xf32>) -> tensor<f32> {
    %in = loop.buffer argument 0 : memref<8xf32>
    %out = loop.buffer result 0 : memref<1xf32>
    loop.group {
      loop.nest "sum" (%i: reduce 8) order <loops = [[0, 1]], parallel = 1> {
        %zero = arith.constant 0.0 : f32
        %s = loop.reduce(%acc = %zero : f32) {
          %v = loop.load %in[%i] : memref<8xf32>
          %a = arith.addf %acc, %v : f32
          loop.yield %a : f32
        }
        loop.store %s, %out[0] : memref<1xf32>
      }
    }
  }
  task.return %y : tensor<f32>
}

// -----

// expected-error @below {{the loops cannot be emitted: nest 0: units of pieces in a parallel range whose pieces have one size}}
task.def @even_pieces(%x: tensor<32xf32>) -> tensor<32xf32> {
  %y = loop.program(%x) : (tensor<32xf32>) -> tensor<32xf32> {
    %in = loop.buffer argument 0 : memref<32xf32>
    %out = loop.buffer result 0 : memref<32xf32>
    loop.group {
      loop.nest "copy" (%i: 32) order <loops = [[0, 16]], parallel = 1, vector = 0, lanes = 8, piece_units = [2, 1]> {
        %v = loop.load %in[%i] : memref<32xf32>
        loop.store %v, %out[%i] : memref<32xf32>
      }
    }
  }
  task.return %y : tensor<32xf32>
}

// -----

// expected-error @below {{the loops cannot be emitted: nest 0: a loop over the results of blocks that are no vectors of sums}}
task.def @no_sums(%x: tensor<32xf32>) -> tensor<32xf32> {
  %y = loop.program(%x) : (tensor<32xf32>) -> tensor<32xf32> {
    %in = loop.buffer argument 0 : memref<32xf32>
    %out = loop.buffer result 0 : memref<32xf32>
    loop.group {
      loop.nest "copy" (%i: 32) order <loops = [[0, 8]], vector = 0, lanes = 8, functions_in_turns = 4, finishes_in_loop = true> {
        %v = loop.load %in[%i] : memref<32xf32>
        loop.store %v, %out[%i] : memref<32xf32>
      }
    }
  }
  task.return %y : tensor<32xf32>
}

// -----

// expected-error @below {{the loops cannot be emitted: nest 0: steps that are combined first, of a nest without reductions that allow it}}
task.def @no_steps(%x: tensor<32xf32>) -> tensor<32xf32> {
  %y = loop.program(%x) : (tensor<32xf32>) -> tensor<32xf32> {
    %in = loop.buffer argument 0 : memref<32xf32>
    %out = loop.buffer result 0 : memref<32xf32>
    loop.group {
      loop.nest "copy" (%i: 32) order <loops = [[0, 8]], vector = 0, lanes = 8, combines_steps = true> {
        %v = loop.load %in[%i] : memref<32xf32>
        loop.store %v, %out[%i] : memref<32xf32>
      }
    }
  }
  task.return %y : tensor<32xf32>
}
