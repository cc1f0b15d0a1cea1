// RUN: cameo-opt %s --plan-buffers --split-input-file | FileCheck %s

// What one branch alone needs runs where that is chosen, and its last task writes what the branches make. One in the other branch, and one that both need.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[C:[^:]*]]: memref<1xi8> {{.*}}, %[[X:[^:]*]]: memref<16xf32> {{.*}}, %[[Y:[^:]*]]: memref<16xf32> {{.*}}, %[[ARENA:[^:]*]]: memref<128xi8>
// CHECK-NOT: task.if
// CHECK: task.dispatch @step.k0(%[[X]], %{{.*}}) extent 1
// CHECK: task.if %[[C]] {
// CHECK: task.dispatch @step.k0
// CHECK: task.dispatch @step.k0(%{{.*}}, %[[Y]])
// CHECK-NEXT: {{^ +[}]}}
// CHECK: task.if not %[[C]] {
// CHECK: task.dispatch @step.k0(%{{.*}}, %[[Y]])
// CHECK-NEXT: {{^ +[}]}}
// CHECK-NEXT: return
func.func @main(%c: tensor<i1>, %x: tensor<16xf32>) -> tensor<16xf32> {
  %both = task.call @step(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %0 = task.call @step(%both) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = task.call @step(%0) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = task.call @step(%both) : (tensor<16xf32>) -> tensor<16xf32>
  %y = task.choose %c, %1, %2 counts() : tensor<i1>, tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func private @step.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @step(%x: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @step.k0(%x, %y) extent 1 : memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// What is needed elsewhere, and what no task makes, is copied where it is chosen. A branch in a branch is entered in both; the same condition is asked once.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[C:[^:]*]]: memref<1xi8> {{.*}}, %[[D:[^:]*]]: memref<1xi8> {{.*}}, %[[X:[^:]*]]: memref<16xf32> {{.*}}, %[[Y:[^:]*]]: memref<16xf32> {{.*}}, %[[Z:[^:]*]]: memref<16xf32>
// CHECK: task.dispatch @step.k0(%[[X]], %[[Z]])
// CHECK: task.if %[[C]] {
// CHECK-NEXT: task.if %[[D]] {
// CHECK: task.dispatch @step.k0(%[[X]], %[[Y]])
// CHECK-NEXT: {{^ +[}]}}
// CHECK: task.if not %[[D]] {
// CHECK: task.copy %[[X]], %[[Y]]
// CHECK-NEXT: {{^ +[}]}}
// CHECK-NEXT: {{^ +[}]}}
// CHECK: task.if not %[[C]] {
// CHECK: task.copy %[[Z]], %[[Y]]
// CHECK-NEXT: {{^ +[}]}}
func.func @main(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %z = task.call @step(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %0 = task.call @step(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = task.choose %d, %0, %x counts() : tensor<i1>, tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  %y = task.choose %c, %1, %z counts() : tensor<i1>, tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  return %y, %z : tensor<16xf32>, tensor<16xf32>
}
func.func private @step.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @step(%x: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @step.k0(%x, %y) extent 1 : memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// No task writes over an input of its own where the other branch writes, too: there that is still to be read.
// CHECK-LABEL: func.func @main(
// CHECK: task.if %{{.*}} {
// CHECK: task.if not %{{.*}} {
// CHECK: task.if %{{.*}} {
// CHECK: %[[FROM:.*]] = memref.view %{{.*}}[%c0{{.*}}][]
// CHECK: %[[TO:.*]] = memref.view %{{.*}}[%c64{{.*}}][]
// CHECK: task.dispatch @inplace.k0(%[[FROM]], %[[TO]])
func.func @main(%c: tensor<i1>, %x: tensor<16xf32>) -> tensor<16xf32> {
  %both = task.call @step(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %0 = task.call @step(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = task.call @inplace(%both) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = task.choose %c, %1, %0 counts() : tensor<i1>, tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  %y = task.call @step(%2) : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func private @step.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @step(%x: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @step.k0(%x, %y) extent 1 : memref<16xf32>, memref<16xf32>
  task.return
}
func.func private @inplace.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @inplace(%x: memref<16xf32> {task.inplace = 0}, %y: memref<16xf32>) {
  task.dispatch @inplace.k0(%x, %y) extent 1 : memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// A size that a branch counts is bound where everybody sees it, as far as the branch is chosen.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[C:[^:]*]]: memref<1xi8>
// CHECK: task.if %[[C]] {
// CHECK: task.dispatch @count.k0
// CHECK-NEXT: {{^ +[}]}}
// CHECK: task.bind "found", %{{.*}} max 16 if(%[[C]]) is [true] : memref<1xi64>
// CHECK: task.if %[[C]] {
// CHECK: task.dispatch @sum.k0
// CHECK-NEXT: {{^ +[}]}}
// CHECK: task.if not %[[C]] {
func.func @main(%c: tensor<i1>, %x: tensor<16xf32>) -> tensor<16xf32> {
  %0:2 = task.call @count(%x) : (tensor<16xf32>) -> (tensor<16xf32>, tensor<i64>)
  %1 = task.prefix %0#0, %0#1 : tensor<16xf32>, tensor<i64> -> tensor<?xf32, #onnx.dims<["found"]>>
  %2 = task.call @sum(%1) : (tensor<?xf32, #onnx.dims<["found"]>>) -> tensor<16xf32>
  %3 = task.call @step(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %y = task.choose %c, %2, %3 counts() : tensor<i1>, tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func private @step.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @step(%x: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @step.k0(%x, %y) extent 1 : memref<16xf32>, memref<16xf32>
  task.return
}
func.func private @count.k0(memref<16xf32>, memref<16xf32>, memref<1xi64>, index, index)
task.def @count(%x: memref<16xf32>, %y: memref<16xf32>, %n: memref<1xi64>) {
  task.dispatch @count.k0(%x, %y, %n) extent 1 : memref<16xf32>, memref<16xf32>, memref<1xi64>
  task.return
}
func.func private @sum.k0(memref<?xf32>, memref<16xf32>, index, index)
task.def @sum(%x: memref<?xf32> {task.elements = #dim.expr<"found">}, %y: memref<16xf32>) {
  task.dispatch @sum.k0(%x, %y) extent 1 : memref<?xf32>, memref<16xf32>
  task.return
}
