// RUN: cameo-opt %s --order-tasks --split-input-file | FileCheck %s
// RUN: cameo-opt %s --order-tasks --plan-buffers --split-input-file | FileCheck %s --check-prefix=ARENA

// What frees the most comes next: one wide tensor is alive at once instead of two.
// CHECK-LABEL: func.func @main(
// CHECK: %[[A:.*]] = task.call @widen
// CHECK: %[[C:.*]] = task.call @narrow(%[[A]])
// CHECK: %[[B:.*]] = task.call @widen
// CHECK: %[[D:.*]] = task.call @narrow(%[[B]])
// CHECK: task.call @add(%[[C]], %[[D]])
// ARENA: memref<1152xi8>, %{{.*}}: memref<0xi8>
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = task.call @widen(%x) : (tensor<16xf32>) -> tensor<256xf32>
  %b = task.call @widen(%x) : (tensor<16xf32>) -> tensor<256xf32>
  %c = task.call @narrow(%a) : (tensor<256xf32>) -> tensor<16xf32>
  %d = task.call @narrow(%b) : (tensor<256xf32>) -> tensor<16xf32>
  %y = task.call @add(%c, %d) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func private @widen.k0(memref<16xf32>, memref<256xf32>, index, index)
task.def @widen(%x: memref<16xf32>, %y: memref<256xf32>) {
  task.dispatch @widen.k0(%x, %y) extent 4 : memref<16xf32>, memref<256xf32>
  task.return
}
func.func private @narrow.k0(memref<256xf32>, memref<16xf32>, index, index)
task.def @narrow(%x: memref<256xf32>, %y: memref<16xf32>) {
  task.dispatch @narrow.k0(%x, %y) extent 4 : memref<256xf32>, memref<16xf32>
  task.return
}
func.func private @add.k0(memref<16xf32>, memref<16xf32>, memref<16xf32>, index, index)
task.def @add(%a: memref<16xf32>, %b: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @add.k0(%a, %b, %y) extent 4 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// An order that is no better is left alone.
// CHECK-LABEL: func.func @main(
// CHECK: %[[A:.*]] = task.call @same(%arg0)
// CHECK: %[[B:.*]] = task.call @same(%arg0)
// CHECK: task.call @add(%[[A]], %[[B]])
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = task.call @same(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = task.call @same(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %y = task.call @add(%a, %b) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func private @same.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @same(%x: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @same.k0(%x, %y) extent 4 : memref<16xf32>, memref<16xf32>
  task.return
}
func.func private @add.k0(memref<16xf32>, memref<16xf32>, memref<16xf32>, index, index)
task.def @add(%a: memref<16xf32>, %b: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @add.k0(%a, %b, %y) extent 4 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// A condition comes before what is computed only where it holds, however much memory another order would free.
// CHECK-LABEL: func.func @main(
// CHECK: %[[C:.*]] = task.call @ask
// CHECK: task.call @widen(%arg0)
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %c = task.call @ask(%x) : (tensor<16xf32>) -> tensor<i1>
  %a = task.call @widen(%x) : (tensor<16xf32>) -> tensor<256xf32>
  %b = task.call @widen(%x) : (tensor<16xf32>) -> tensor<256xf32>
  %d = task.call @narrow(%a) : (tensor<256xf32>) -> tensor<16xf32>
  %e = task.call @narrow(%b) : (tensor<256xf32>) -> tensor<16xf32>
  %f = task.call @add(%d, %e) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %y = task.choose %c, %f, %x counts() : tensor<i1>, tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func private @ask.k0(memref<16xf32>, memref<1xi8>, memref<4096xf32>, index, index)
task.def @ask(%x: memref<16xf32>, %y: memref<1xi8>) {
  %0 = task.scratch : memref<4096xf32>
  task.dispatch @ask.k0(%x, %y, %0) extent 4 : memref<16xf32>, memref<1xi8>, memref<4096xf32>
  task.return
}
func.func private @widen.k0(memref<16xf32>, memref<256xf32>, index, index)
task.def @widen(%x: memref<16xf32>, %y: memref<256xf32>) {
  task.dispatch @widen.k0(%x, %y) extent 4 : memref<16xf32>, memref<256xf32>
  task.return
}
func.func private @narrow.k0(memref<256xf32>, memref<16xf32>, index, index)
task.def @narrow(%x: memref<256xf32>, %y: memref<16xf32>) {
  task.dispatch @narrow.k0(%x, %y) extent 4 : memref<256xf32>, memref<16xf32>
  task.return
}
func.func private @add.k0(memref<16xf32>, memref<16xf32>, memref<16xf32>, index, index)
task.def @add(%a: memref<16xf32>, %b: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @add.k0(%a, %b, %y) extent 4 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  task.return
}
