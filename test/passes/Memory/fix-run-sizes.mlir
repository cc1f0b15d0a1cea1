// RUN: cameo-opt %s --plan-buffers --resolve-sizes --fix-run-sizes=sizes=n=8 | FileCheck %s
// RUN: not cameo-opt %s --fix-run-sizes=sizes=n 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: fix-run-sizes: expected NAME=SIZE, got 'n'

// The kernel still reads what it has to know.
// CHECK-LABEL: func.func private @grow.k0(
// CHECK-SAME: memref<?xf32>, %{{.*}}: memref<?xf32>, %[[TABLE:.*]]: memref<2xi64>
// CHECK: memref.load %[[TABLE]]
func.func private @grow.k0(%x: memref<?xf32>, %y: memref<?xf32>, %begin: index, %end: index) {
  %n = task.size "4*n + 1"
  %m = task.size "m"
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %x[%m] : memref<?xf32>
    memref.store %0, %y[%i] : memref<?xf32>
  }
  return
}

// Of two names one is left to the run.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: task.tensor = tensor<8x?xf32, #onnx.dims<["", "m"]>>}
// CHECK-SAME: task.tensor = tensor<33xf32>}
// CHECK-SAME: {task.slot = [132]}
// CHECK-SAME: %[[SIZES:[a-z0-9]*]]: memref<2xi64> {task.sizes = [33, #dim.expr<"m">]})
// CHECK-SAME: task.dimensions = [8, #dim.expr<"m">, 33]
// CHECK: task.dispatch @grow.k0({{.*}}) extent 8
// CHECK: task.dispatch @grow.k0({{.*}}) extent 8
func.func @main(%x: tensor<?x?xf32, #onnx.dims<["n", "m"]>>) -> (tensor<?xf32, #onnx.dims<["4*n + 1"]>>) {
  %0 = task.call @grow(%x) : (tensor<?x?xf32, #onnx.dims<["n", "m"]>>) -> tensor<?xf32, #onnx.dims<["4*n + 1"]>>
  %1 = task.call @again(%0) : (tensor<?xf32, #onnx.dims<["4*n + 1"]>>) -> tensor<?xf32, #onnx.dims<["4*n + 1"]>>
  return %1 : tensor<?xf32, #onnx.dims<["4*n + 1"]>>
}
task.def @grow(%x: memref<?xf32> {task.elements = #dim.expr<"m*n">}, %y: memref<?xf32> {task.elements = #dim.expr<"4*n + 1">}) {
  task.dispatch @grow.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
  task.return
}
task.def @again(%x: memref<?xf32> {task.elements = #dim.expr<"4*n + 1">}, %y: memref<?xf32> {task.elements = #dim.expr<"4*n + 1">}) {
  task.dispatch @grow.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
  task.return
}
