// RUN: cameo-opt %s --emit-row-kernels | FileCheck %s
// RUN: cameo-opt %s --emit-row-kernels --resolve-sizes | FileCheck %s --check-prefix=SIZES

// A thread stores one element of the new rows, if its row is inside of the cache. Equal writes share a kernel.
// CHECK-LABEL: func.func @main(
// CHECK: task.copy
// CHECK: task.dispatch @[[KERNEL:[a-z_.0-9]*]](%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) extent 1 {task.begin, task_index = 0 : i64}
// CHECK: task.dispatch @[[KERNEL]](%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) extent 1 {task.begin, task_index = 0 : i64}
// CHECK: task.dispatch @[[OPEN:[a-z_.0-9]*]](%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) extent "{{.*}}new{{.*}}"
// CHECK-NOT: task.write_rows
// CHECK: func.func private @[[KERNEL]](%[[ROWS:.*]]: memref<32xf32>, %[[CACHE:.*]]: memref<2048xf32>, %[[PLACES:.*]]: memref<1xi64>, %[[BLOCK:.*]]: index) attributes {task.block = #task.block<threads = 128>}
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: scf.if
// CHECK: memref.load %[[PLACES]]
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: memref.load %[[ROWS]]
// CHECK: memref.store %{{.*}}, %[[CACHE]]
// Each kernel is a task of its own in profiles.
// CHECK: task.info {bytes = 2.560000e+02 : f64, {{.*}}index = 0 : i64, key = "write_rows"
// CHECK: func.func private @[[OPEN]](
// CHECK: task.size "new"
// CHECK: task.info {bytes = -1.000000e+00 : f64, {{.*}}index = 1 : i64, key = "write_rows"

// SIZES: task.dispatch @{{.*}}(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) extent "{{.*}}new{{.*}}"
// SIZES-NOT: task.size
func.func @main(%past: memref<2048xf32>, %rows: memref<32xf32>, %places: memref<1xi64>, %open: memref<?xf32>, %present: memref<2048xf32>, %other: memref<2048xf32>) {
  task.copy %past, %present unless_same : memref<2048xf32>, memref<2048xf32>
  task.write_rows %rows, %present at %places extents [1, 4, 64, 1, 8] : memref<32xf32>, memref<2048xf32>, memref<1xi64>
  task.write_rows %rows, %other at %places extents [1, 4, 64, 1, 8] : memref<32xf32>, memref<2048xf32>, memref<1xi64>
  task.write_rows %open, %other at %places extents [1, 4, 64, #dim.expr<"new">, 8] : memref<?xf32>, memref<2048xf32>, memref<1xi64>
  return
}
