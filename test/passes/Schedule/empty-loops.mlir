// RUN: cameo-opt %s --emit-kernels | FileCheck %s

// No loop is around nothing, however often it runs: where one of two reductions has no steps, the other has none.
// CHECK-LABEL: func.func private @sum.k0(
//   CHECK-DAG:   %[[N:.*]] = task.size "min(m*n - 1, 0)*n + n"
//   CHECK-DAG:   %[[M:.*]] = task.size "m + m*min(m*n - 1, 0)"
//       CHECK:   %[[ROWS:.*]] = arith.divsi %[[N]]
//       CHECK:   scf.for %{{.*}} = %{{.*}} to %[[ROWS]]
//       CHECK:     %[[COLUMNS:.*]] = arith.divsi %[[M]]
//       CHECK:     scf.for %{{.*}} = %{{.*}} to %[[COLUMNS]]
// CHECK-LABEL: task.def @sum(
//       CHECK:   task.dispatch @sum.k0({{.*}}) extent 1
task.def @sum(%x: tensor<?x?xf32> {task.dims = #onnx.dims<["n", "m"]>}) -> tensor<f32> {
  %y = loop.program(%x) : (tensor<?x?xf32>) -> tensor<f32> {
    %in = loop.buffer argument 0 elements "m*n" : memref<?xf32>
    %out = loop.buffer result 0 : memref<1xf32>
    loop.group {
      loop.nest "sum" (%i: reduce "n", %j: reduce "m") order <loops = [[0, 1], [1, 1]]> {
        %zero = arith.constant 0.0 : f32
        %s = loop.reduce(%acc = %zero : f32) {
          %v = loop.load %in[%i + %j * "n"] : memref<?xf32>
          %a = arith.addf %acc, %v : f32
          loop.yield %a : f32
        }
        loop.store %s, %out[0] : memref<1xf32>
      }
    }
  }
  task.return %y : tensor<f32>
}

// A result that is there, and one beside it that is not: the kernel of each runs where it has points itself.
// CHECK-LABEL: task.def @beside(
//       CHECK:   task.dispatch @beside.k0({{.*}}) extent "min(m*n - 1, 0)*n + n"
//       CHECK:   task.dispatch @beside.k1({{.*}}) extent "k"
task.def @beside(%x: tensor<?x?xf32> {task.dims = #onnx.dims<["n", "m"]>}, %z: tensor<?xf32> {task.dims = #onnx.dims<["k"]>})
    -> (tensor<?x?xf32> {task.dims = #onnx.dims<["n", "m"]>}, tensor<?xf32> {task.dims = #onnx.dims<["k"]>}) {
  %y:2 = loop.program(%x, %z) : (tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
    %in0 = loop.buffer argument 0 elements "m*n" : memref<?xf32>
    %in1 = loop.buffer argument 1 elements "k" : memref<?xf32>
    %out0 = loop.buffer result 0 elements "m*n" : memref<?xf32>
    %out1 = loop.buffer result 1 elements "k" : memref<?xf32>
    loop.group {
      loop.nest "first" (%i: "n", %j: "m") order <loops = [[0, 1], [1, 1]], parallel = 1> {
        %v = loop.load %in0[%i + %j * "n"] : memref<?xf32>
        loop.store %v, %out0[%i + %j * "n"] : memref<?xf32>
      }
    }
    loop.group {
      loop.nest "second" (%i: "k") order <loops = [[0, 1]], parallel = 1> {
        %v = loop.load %in1[%i] : memref<?xf32>
        loop.store %v, %out1[%i] : memref<?xf32>
      }
    }
  }
  task.return %y#0, %y#1 : tensor<?x?xf32>, tensor<?xf32>
}
