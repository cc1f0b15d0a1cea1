// RUN: cameo-opt %s --plan-buffers --resolve-sizes --split-input-file | FileCheck %s

// Sizes of the run: each is in the table once, however it is spelled, and is loaded once per kernel.
// CHECK-LABEL: func.func private @grow.k0(
// CHECK-SAME: memref<?xf32>, %{{.*}}: memref<?xf32>, %[[TABLE:.*]]: memref<2xi64> {llvm.noalias, llvm.readonly}, %{{.*}}: index, %{{.*}}: index)
// CHECK: %[[AT0:.*]] = arith.constant 0
// CHECK: %[[LOADED:.*]] = memref.load %[[TABLE]][%[[AT0]]]
// CHECK: %[[N:.*]] = arith.index_cast %[[LOADED]] : i64 to index
// CHECK: arith.constant 1
// CHECK: memref.load %[[TABLE]]
// CHECK-NOT: memref.load %[[TABLE]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[N]]
// CHECK-NOT: task.size
func.func private @grow.k0(%x: memref<?xf32>, %y: memref<?xf32>, %begin: index, %end: index) {
  %n = task.size "n*4 + 1"
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %again = task.size "1 + 4*n"
    %n1 = task.size "n"
    %j = arith.minsi %n1, %again : index
    %0 = memref.load %x[%j] : memref<?xf32>
    memref.store %0, %y[%i] : memref<?xf32>
  }
  return
}

// A kernel that asks for no size keeps its arguments.
// CHECK-LABEL: func.func private @static.k0(
// CHECK-SAME: %{{.*}}: memref<4xf32>, %{{.*}}: index, %{{.*}}: index)
func.func private @static.k0(%x: memref<4xf32>, %begin: index, %end: index) {
  return
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[SIZES:[a-z0-9]*]]: memref<2xi64> {task.sizes = [#dim.expr<"4*n + 1">, #dim.expr<"n">]})
// CHECK: task.dispatch @grow.k0(%{{.*}}, %{{.*}}, %[[SIZES]]) extent "n"
// CHECK: task.dispatch @static.k0(%{{.*}}) extent 2
func.func @main(%x: tensor<?xf32, #onnx.dims<["n"]>>, %s: tensor<4xf32>) -> (tensor<?xf32, #onnx.dims<["4*n + 1"]>>) {
  %0 = task.call @grow(%x, %s) : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<4xf32>) -> tensor<?xf32, #onnx.dims<["4*n + 1"]>>
  return %0 : tensor<?xf32, #onnx.dims<["4*n + 1"]>>
}
task.def @grow(%x: memref<?xf32> {task.elements = #dim.expr<"n">}, %s: memref<4xf32>, %y: memref<?xf32> {task.elements = #dim.expr<"4*n + 1">}) {
  task.dispatch @grow.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
  task.dispatch @static.k0(%s) extent 2 : memref<4xf32>
  task.return
}
