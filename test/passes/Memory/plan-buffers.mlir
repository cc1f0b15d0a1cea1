// RUN: cameo-opt %s --plan-buffers --split-input-file | FileCheck %s

// Values that are not alive together share memory: %2 takes the place of %0.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: memref<16xf32> {task.tensor = tensor<16xf32>}, %[[Y:.*]]: memref<16xf32> {task.tensor = tensor<16xf32>}
// CHECK-SAME: %[[ARENA:.*]]: memref<128xi8>, %{{.*}}: memref<0xi8>) attributes {task.inputs = 1 : i64, task.outputs = 1 : i64}
// CHECK: %[[C0:.*]] = arith.constant 0
// CHECK: %[[FIRST:.*]] = memref.view %[[ARENA]][%[[C0]]][] : memref<128xi8> to memref<16xf32>
// CHECK: task.dispatch @shares_memory.k0(%[[X]], %[[FIRST]]) extent 4 {task.begin, task_index = 0 : i64}
// CHECK: %[[C64:.*]] = arith.constant 64
// CHECK: %[[SECOND:.*]] = memref.view %[[ARENA]][%[[C64]]][]
// CHECK: task.dispatch @shares_memory.k0({{.*}}, %[[SECOND]])
// CHECK: arith.constant 64
// CHECK: %[[C0_AGAIN:.*]] = arith.constant 0
// CHECK: %[[THIRD:.*]] = memref.view %[[ARENA]][%[[C0_AGAIN]]][]
// CHECK: task.dispatch @shares_memory.k0({{.*}}, %[[THIRD]])
// CHECK: task.dispatch @shares_memory.k0({{.*}}, %[[Y]])
// CHECK-NOT: task.copy
// CHECK: task.info {bytes = 1.280000e+02 : f64, flops = 1.600000e+01 : f64, index = 0 : i64, key = "ab", name = "shares_memory"}
// CHECK-NOT: task.info
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = task.call @shares_memory(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = task.call @shares_memory(%0) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = task.call @shares_memory(%1) : (tensor<16xf32>) -> tensor<16xf32>
  %3 = task.call @shares_memory(%2) : (tensor<16xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}
func.func private @shares_memory.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @shares_memory(%x: memref<16xf32>, %y: memref<16xf32>) attributes {key = "ab", flops = 16.0 : f64, bytes = 128.0 : f64} {
  task.dispatch @shares_memory.k0(%x, %y) extent 4 : memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// A task may write over an input that dies, but not over the model's input, and not when the input is read later.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: memref<16xf32> {{.*}}, %{{.*}}: memref<16xf32> {{.*}}, %[[ARENA:.*]]: memref<128xi8>
// CHECK: %[[FIRST:.*]] = memref.view %[[ARENA]][%c0{{.*}}][]
// CHECK: task.dispatch @inplace.k0(%[[X]], %[[FIRST]])
// CHECK: %[[OVER:.*]] = memref.view %[[ARENA]][%c0{{.*}}][]
// CHECK: %[[OVER2:.*]] = memref.view %[[ARENA]][%c0{{.*}}][]
// CHECK: task.dispatch @inplace.k0(%[[OVER]], %[[OVER2]])
// CHECK: %[[STILL:.*]] = memref.view %[[ARENA]][%c0{{.*}}][]
// CHECK: %[[OTHER:.*]] = memref.view %[[ARENA]][%c64{{.*}}][]
// CHECK: task.dispatch @inplace.k0(%[[STILL]], %[[OTHER]])
// CHECK: task.dispatch @add.k0(
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = task.call @inplace(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = task.call @inplace(%0) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = task.call @inplace(%1) : (tensor<16xf32>) -> tensor<16xf32>
  %3 = task.call @add(%1, %2) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}
func.func private @inplace.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @inplace(%x: memref<16xf32> {task.inplace = 0}, %y: memref<16xf32>) {
  task.dispatch @inplace.k0(%x, %y) extent 1 : memref<16xf32>, memref<16xf32>
  task.return
}
func.func private @add.k0(memref<16xf32>, memref<16xf32>, memref<16xf32>, index, index)
task.def @add(%a: memref<16xf32>, %b: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @add.k0(%a, %b, %y) extent 1 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// Both operands are one value: writing over it would destroy the other operand.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: memref<128xi8>
// CHECK: task.dispatch @square.k0
// CHECK: %[[IN:.*]] = memref.view %[[ARENA]][%c0{{.*}}][]
// CHECK: %[[IN2:.*]] = memref.view %[[ARENA]][%c0{{.*}}][]
// CHECK: %[[OUT:.*]] = memref.view %[[ARENA]][%c64{{.*}}][]
// CHECK: task.dispatch @square.k0(%[[IN]], %[[IN2]], %[[OUT]])
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = task.call @square(%x, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = task.call @square(%0, %0) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %2 = task.call @square(%1, %x) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}
func.func private @square.k0(memref<16xf32>, memref<16xf32>, memref<16xf32>, index, index)
task.def @square(%a: memref<16xf32> {task.inplace = 0}, %b: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @square.k0(%a, %b, %y) extent 1 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// A result is written where the caller wants it and read from there; what is returned twice, an input or a constant is copied.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<6xf32>
// CHECK-SAME: %[[OUT0:[a-z0-9]*]]: memref<6xf32> {onnx.name = "first", task.tensor = tensor<6xf32>}
// CHECK-SAME: %[[OUT1:[a-z0-9]*]]: memref<6xf32> {task.tensor = tensor<2x3xf32>}
// CHECK-SAME: %[[OUT2:[a-z0-9]*]]: memref<6xf32>
// CHECK-SAME: %[[OUT3:[a-z0-9]*]]: memref<2xf32>
// CHECK-SAME: %[[OUT4:[a-z0-9]*]]: memref<6xf32>
// CHECK-SAME: memref<0xi8>, %[[WEIGHTS:[a-z0-9]*]]: memref<64xi8>
// CHECK: task.dispatch @outputs.k0(%[[X]], %[[OUT0]])
// CHECK: task.dispatch @outputs.k0(%[[OUT0]], %[[OUT4]])
// CHECK: task.copy %[[OUT0]], %[[OUT1]]
// CHECK: task.copy %[[X]], %[[OUT2]]
// CHECK: %[[CONSTANT:.*]] = memref.view %[[WEIGHTS]]
// CHECK: task.copy %[[CONSTANT]], %[[OUT3]]
// CHECK-NEXT: return
func.func @main(%x: tensor<6xf32>) -> (tensor<6xf32> {onnx.name = "first"}, tensor<2x3xf32>, tensor<6xf32>, tensor<2xf32>, tensor<6xf32>) {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = task.call @outputs(%x) : (tensor<6xf32>) -> tensor<6xf32>
  %1 = task.view %0 : tensor<6xf32> -> tensor<2x3xf32>
  %2 = task.view %1 : tensor<2x3xf32> -> tensor<6xf32>
  %3 = task.call @outputs(%2) : (tensor<6xf32>) -> tensor<6xf32>
  return %0, %1, %x, %c, %3 : tensor<6xf32>, tensor<2x3xf32>, tensor<6xf32>, tensor<2xf32>, tensor<6xf32>
}
func.func private @outputs.k0(memref<6xf32>, memref<6xf32>, index, index)
task.def @outputs(%x: memref<6xf32> {task.inplace = 0}, %y: memref<6xf32>) {
  task.dispatch @outputs.k0(%x, %y) extent 1 : memref<6xf32>, memref<6xf32>
  task.return
}

// -----

// A view keeps the memory behind it alive; scratch lives during its call only.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: memref<128xi8>
// CHECK: %[[FIRST:.*]] = memref.view %[[ARENA]][%c64{{.*}}][]
// CHECK: task.dispatch @plain.k0(%{{.*}}, %[[FIRST]])
// CHECK: %[[SCRATCH:.*]] = memref.view %[[ARENA]][%c0{{.*}}][] : memref<128xi8> to memref<16xf32>
// CHECK: task.dispatch @scratch.k0(%{{.*}}, %[[SCRATCH]], %{{.*}}) extent 1 {task.begin, task_index = 1 : i64}
// CHECK: task.dispatch @scratch.k1(%[[SCRATCH]], %{{.*}}) extent 1 {task_index = 1 : i64}
// CHECK: %[[VIEWED:.*]] = memref.view %[[ARENA]][%c64{{.*}}][]
// CHECK: %[[THIRD:.*]] = memref.view %[[ARENA]][%c0{{.*}}][]
// CHECK: task.dispatch @plain.k0(%[[VIEWED]], %[[THIRD]])
func.func @main(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = task.call @plain(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %view = task.view %0 : tensor<16xf32> -> tensor<4x4xf32>
  %1 = task.call @scratch(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = task.call @plain(%view) : (tensor<4x4xf32>) -> tensor<16xf32>
  %3 = task.call @plain(%2) : (tensor<16xf32>) -> tensor<16xf32>
  return %1, %3 : tensor<16xf32>, tensor<16xf32>
}
func.func private @plain.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @plain(%x: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @plain.k0(%x, %y) extent 1 : memref<16xf32>, memref<16xf32>
  task.return
}
func.func private @scratch.k0(memref<16xf32>, memref<16xf32>, memref<16xf32>, index, index)
func.func private @scratch.k1(memref<16xf32>, memref<16xf32>, index, index)
task.def @scratch(%x: memref<16xf32>, %y: memref<16xf32>) {
  %s = task.scratch : memref<16xf32>
  task.dispatch @scratch.k0(%x, %s, %y) extent 1 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  task.dispatch @scratch.k1(%s, %y) extent 1 : memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// Constants of equal contents are stored once per layout, and not at all where no kernel reads them.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[WEIGHTS:[a-z0-9]*]]: memref<128xi8>)
// CHECK: %[[PACKED:.*]] = memref.view %[[WEIGHTS]][%c0{{.*}}][] : memref<128xi8> to memref<6xf32>
// CHECK: task.dispatch @packed.k0(%{{.*}}, %[[PACKED]]
// CHECK: %[[SAME:.*]] = memref.view %[[WEIGHTS]][%c0{{.*}}][]
// CHECK: task.dispatch @packed.k0(%{{.*}}, %[[SAME]]
// CHECK: %[[LOGICAL:.*]] = memref.view %[[WEIGHTS]][%c64{{.*}}][] : memref<128xi8> to memref<4xf32>
// CHECK: task.dispatch @logical.k0(%[[LOGICAL]]
// CHECK: task.weight {bytes = 24 : i64, offset = 0 : i64, packing = #task.packing<{{.*}}>, value = dense<{{.*}}> : tensor<4xf32>}
// CHECK: task.weight {bytes = 16 : i64, offset = 64 : i64, value = dense<{{.*}}> : tensor<4xf32>}
// CHECK-NOT: task.weight
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %same = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %unread = arith.constant dense<9.0> : tensor<4xf32>
  %0 = task.call @packed(%x, %w, %unread) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = task.call @packed(%0, %same, %unread) : (tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = task.call @logical(%w, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @packed.k0(memref<4xf32>, memref<6xf32>, memref<4xf32>, index, index)
task.def @packed(%x: memref<4xf32>, %w: memref<6xf32> {task.packing = #task.packing<elements = 6, nests = [[0, 0, [2, 2], [3, 1], [2, 1]]]>},
                 %u: memref<4xf32>, %y: memref<4xf32>) {
  task.dispatch @packed.k0(%x, %w, %y) extent 1 : memref<4xf32>, memref<6xf32>, memref<4xf32>
  task.return
}
func.func private @logical.k0(memref<4xf32>, memref<4xf32>, memref<4xf32>, index, index)
task.def @logical(%w: memref<4xf32>, %x: memref<4xf32>, %y: memref<4xf32>) {
  task.dispatch @logical.k0(%w, %x, %y) extent 1 : memref<4xf32>, memref<4xf32>, memref<4xf32>
  task.return
}

// -----

// Booleans take a byte each, unsigned numbers lose their sign in memory, empty tensors take nothing.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: memref<3xi8> {task.tensor = tensor<3xi1>}, %{{.*}}: memref<3xi8> {task.tensor = tensor<3xui8>}
// CHECK-SAME: memref<0xf32> {task.tensor = tensor<0x4xf32>}
// CHECK-SAME: memref<0xi8>, %{{.*}}: memref<64xi8>
// CHECK: memref.view %{{.*}} : memref<64xi8> to memref<3xi8>
// CHECK: memref.view %{{.*}} : memref<0xi8> to memref<0xf32>
// CHECK: task.weight {bytes = 3 : i64, offset = 0 : i64, value = dense<[true, false, true]> : tensor<3xi1>}
func.func @main(%a: tensor<3xi1>, %b: tensor<3xui8>) -> tensor<0x4xf32> {
  %c = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %0 = task.call @types(%a, %b, %c) : (tensor<3xi1>, tensor<3xui8>, tensor<3xi1>) -> tensor<0xf32>
  %1 = task.call @empty(%0) : (tensor<0xf32>) -> tensor<0x4xf32>
  return %1 : tensor<0x4xf32>
}
func.func private @types.k0(memref<3xi8>, memref<3xi8>, memref<3xi8>, memref<0xf32>, index, index)
task.def @types(%a: memref<3xi8>, %b: memref<3xi8>, %c: memref<3xi8>, %y: memref<0xf32>) {
  task.dispatch @types.k0(%a, %b, %c, %y) extent 0 : memref<3xi8>, memref<3xi8>, memref<3xi8>, memref<0xf32>
  task.return
}
func.func private @empty.k0(memref<0xf32>, memref<0xf32>, index, index)
task.def @empty(%x: memref<0xf32>, %y: memref<0xf32>) {
  task.dispatch @empty.k0(%x, %y) extent 0 : memref<0xf32>, memref<0xf32>
  task.return
}

// -----

// Dynamic sizes lie in slots: %2 shares that of %0, and the scratch of the first call that of %1, whatever is
// larger. Within a step nothing is shared. What no run makes the largest is no size of the slot. Static memory stays in the arena.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<?xf32> {task.tensor = tensor<?x4xf32, #onnx.dims<["n", ""]>>}
// CHECK-SAME: memref<?xf32> {task.tensor = tensor<?xf32, #onnx.dims<["8*n"]>>}
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: memref<64xi8>, %{{[a-z0-9]*}}: memref<0xi8>
// CHECK-SAME: %[[SLOT0:[a-z0-9]*]]: memref<?xi8> {task.slot = [#dim.expr<"32*n">]}
// CHECK-SAME: %[[SLOT1:[a-z0-9]*]]: memref<?xi8> {task.slot = [#dim.expr<"32*n">, #dim.expr<"4*m + 4*n">]}
// CHECK-SAME: %[[SLOT2:[a-z0-9]*]]: memref<?xi8> {task.slot = [#dim.expr<"4*n">]}) attributes {task.dimensions = [#dim.expr<"n">, #dim.expr<"m">, #dim.expr<"8*n">]
// CHECK: %[[N:.*]] = task.size "8*n"
// CHECK: %[[FIRST:.*]] = memref.view %[[SLOT0]][%{{.*}}][%[[N]]] : memref<?xi8> to memref<?xf32>
// CHECK: memref.view %[[ARENA]]
// CHECK: memref.view %[[SLOT1]]
// CHECK: task.dispatch @step.k0(%[[X]], %[[FIRST]], %{{.*}}) extent "n"
// CHECK: memref.view %[[SLOT1]]
// CHECK: memref.view %[[SLOT2]]
// CHECK: task.dispatch @step.k0(
// CHECK: memref.view %[[SLOT0]]
// CHECK: task.dispatch @step.k0(
func.func @main(%x: tensor<?x4xf32, #onnx.dims<["n", ""]>>, %m: tensor<?xf32, #onnx.dims<["m"]>>) -> tensor<?xf32, #onnx.dims<["8*n"]>> {
  %0 = task.call @first(%x) : (tensor<?x4xf32, #onnx.dims<["n", ""]>>) -> tensor<?xf32, #onnx.dims<["8*n"]>>
  %1 = task.call @step(%0) : (tensor<?xf32, #onnx.dims<["8*n"]>>) -> tensor<?xf32, #onnx.dims<["8*n"]>>
  %2 = task.call @step(%1) : (tensor<?xf32, #onnx.dims<["8*n"]>>) -> tensor<?xf32, #onnx.dims<["8*n"]>>
  %3 = task.call @step(%2) : (tensor<?xf32, #onnx.dims<["8*n"]>>) -> tensor<?xf32, #onnx.dims<["8*n"]>>
  return %3 : tensor<?xf32, #onnx.dims<["8*n"]>>
}
func.func private @step.k0(memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<16xf32>, index, index)
task.def @first(%x: memref<?xf32> {task.elements = #dim.expr<"4*n">}, %y: memref<?xf32> {task.elements = #dim.expr<"8*n">}) {
  %s = task.scratch : memref<16xf32>
  %t = task.scratch elements "m + n" : memref<?xf32>
  task.dispatch @step.k0(%x, %y, %t, %s) extent "n" : memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<16xf32>
  task.return
}
task.def @step(%x: memref<?xf32> {task.elements = #dim.expr<"8*n">}, %y: memref<?xf32> {task.elements = #dim.expr<"8*n">}) {
  %s = task.scratch : memref<16xf32>
  %t = task.scratch elements "n" : memref<?xf32>
  task.dispatch @step.k0(%x, %y, %t, %s) extent "n" : memref<?xf32>, memref<?xf32>, memref<?xf32>, memref<16xf32>
  task.return
}

// -----

// A size that a task counts is bound where its prefix was; memory is planned for the most that it can be. The first output is the
// whole of what a task writes, the second a part of it: a copy.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: memref<6xf32> {{.*}}, %[[Y:.*]]: memref<?xf32> {{.*}}, %[[Z:.*]]: memref<?xf32> {{.*}}, %[[ARENA:.*]]: memref<128xi8>
// CHECK: %[[ALL:.*]] = memref.view %[[ARENA]]{{.*}} to memref<6xf32>
// CHECK: %[[COUNT:.*]] = memref.view %[[ARENA]]{{.*}} to memref<1xi64>
// CHECK: task.dispatch @count.k0(%[[X]], %[[ALL]], %[[COUNT]])
// CHECK: task.bind "n", %{{.*}} max 6 : memref<1xi64>
// CHECK: task.dispatch @scale.k0(%{{.*}}, %[[Y]]) extent "n"
// CHECK: task.copy %{{.*}}, %[[Z]]
func.func @main(%x: tensor<6xf32>) -> (tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>) {
  %0:2 = task.call @count(%x) : (tensor<6xf32>) -> (tensor<6xf32>, tensor<i64>)
  %1 = task.prefix %0#0, %0#1 : tensor<6xf32>, tensor<i64> -> tensor<?xf32, #onnx.dims<["n"]>>
  %2 = task.call @scale(%1) : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %3 = task.call @scale(%2) : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  return %2, %2 : tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>
}
func.func private @count.k0(memref<6xf32>, memref<6xf32>, memref<1xi64>, index, index)
task.def @count(%x: memref<6xf32>, %y: memref<6xf32>, %n: memref<1xi64>) {
  task.dispatch @count.k0(%x, %y, %n) extent 1 : memref<6xf32>, memref<6xf32>, memref<1xi64>
  task.return
}
func.func private @scale.k0(memref<?xf32>, memref<?xf32>, index, index)
task.def @scale(%x: memref<?xf32> {task.elements = #dim.expr<"n">}, %y: memref<?xf32> {task.elements = #dim.expr<"n">}) {
  task.dispatch @scale.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
  task.return
}

// -----

// So is the front of a constant.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[N:.*]]: memref<1xi64> {{.*}}, %{{.*}}: memref<?xf32> {{.*}}, %{{.*}}: memref<{{.*}}>, %[[WEIGHTS:.*]]: memref<
// CHECK: task.bind "n", %[[N]] max 3 : memref<1xi64>
// CHECK: %[[SIZE:.*]] = task.size "n"
// CHECK: memref.view %[[WEIGHTS]][%{{.*}}][%[[SIZE]]] : {{.*}} to memref<?xf32>
func.func @main(%n: tensor<i64>) -> tensor<?xf32, #onnx.dims<["n"]>> {
  %0 = onnx.Constant {value = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>} : tensor<3xf32>
  %1 = task.prefix %0, %n : tensor<3xf32>, tensor<i64> -> tensor<?xf32, #onnx.dims<["n"]>>
  %2 = task.call @scale(%1) : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  return %2 : tensor<?xf32, #onnx.dims<["n"]>>
}
func.func private @scale.k0(memref<?xf32>, memref<?xf32>, index, index)
task.def @scale(%x: memref<?xf32> {task.elements = #dim.expr<"n">}, %y: memref<?xf32> {task.elements = #dim.expr<"n">}) {
  task.dispatch @scale.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
  task.return
}

// -----

// A task is described by the names of the nodes of its first call.
// CHECK-LABEL: func.func @main(
// CHECK: task.info {bytes = 0.000000e+00 : f64, flops = 0.000000e+00 : f64, index = 0 : i64, key = "named", name = "Conv_0+Relu_1"}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = task.call @named(%x) : (tensor<4xf32>) -> tensor<4xf32> loc(fused["Conv_0"("net.onnx":1:1), "Relu_1"("net.onnx":2:1)])
  %1 = task.call @named(%0) : (tensor<4xf32>) -> tensor<4xf32> loc("Conv_2"("net.onnx":3:1))
  return %1 : tensor<4xf32>
}
func.func private @named.k0(memref<4xf32>, memref<4xf32>, index, index)
task.def @named(%x: memref<4xf32>, %y: memref<4xf32>) {
  task.dispatch @named.k0(%x, %y) extent 1 : memref<4xf32>, memref<4xf32>
  task.return
}

// -----

// Both inputs may share the result's memory, and only one does: two tensors are alive at once.
// CHECK-LABEL: func.func @main(
// CHECK: memref.view %{{.*}} : memref<128xi8> to memref<16xf32>
// CHECK: task.dispatch @sum.k0(
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = task.call @copy(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = task.call @copy(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = task.call @sum(%0, %1) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %3 = task.call @copy(%2) : (tensor<16xf32>) -> tensor<16xf32>
  return %3 : tensor<16xf32>
}
func.func private @copy.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @copy(%x: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @copy.k0(%x, %y) extent 1 : memref<16xf32>, memref<16xf32>
  task.return
}
func.func private @sum.k0(memref<16xf32>, memref<16xf32>, memref<16xf32>, index, index)
task.def @sum(%x: memref<16xf32> {task.inplace = 0}, %y: memref<16xf32> {task.inplace = 0}, %z: memref<16xf32>) {
  task.dispatch @sum.k0(%x, %y, %z) extent 1 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// A loop: a carried value is at one place, which the task that works in place writes again (no copy of %y2); the first value, the model's
// input, is copied there. Slices go behind each other, as many as are counted.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: memref<16xf32> {task.tensor = tensor<16xf32>}, %[[M:.*]]: memref<1xi64> {{.*}}, %[[Y:.*]]: memref<16xf32> {{.*}}, %[[ALL:.*]]: memref<?xf32>
// CHECK: task.copy %[[X]], %[[Y]] : memref<16xf32>, memref<16xf32>
// CHECK: %[[COUNT:.*]] = memref.view %{{.*}} : memref<{{.*}}xi8> to memref<1xi64>
// CHECK: task.repeat %[[COUNT]] trip_count %[[M]] attributes {max_trip_count = 5 : i64} {
// CHECK: task.dispatch @inplace.k0(%[[Y]], %[[Y]])
// CHECK: task.copy %[[Y]], %{{.*}} at %[[COUNT]] : memref<16xf32>, memref<80xf32>
// CHECK-NOT: task.copy
// CHECK: }
// CHECK: task.bind "rounds", %{{.*}} max 5
// CHECK-NOT: @round
func.func @main(%x: tensor<16xf32>, %m: tensor<i64>) -> (tensor<16xf32>, tensor<?x16xf32, #onnx.dims<["rounds", ""]>>) {
  %n, %y, %all = task.loop @round trip_count(%m) carries(%x) reads() {max_trip_count = 5 : i64} : (tensor<i64>, tensor<16xf32>) -> (tensor<i64>, tensor<16xf32>, tensor<5x16xf32>)
  %first = task.prefix %all, %n : tensor<5x16xf32>, tensor<i64> -> tensor<?x16xf32, #onnx.dims<["rounds", ""]>>
  return %y, %first : tensor<16xf32>, tensor<?x16xf32, #onnx.dims<["rounds", ""]>>
}
func.func private @round(%i: tensor<i64>, %y: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) attributes {task.body} {
  %y2 = task.call @inplace(%y) : (tensor<16xf32>) -> tensor<16xf32>
  return %y2, %y2 : tensor<16xf32>, tensor<16xf32>
}
func.func private @inplace.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @inplace(%x: memref<16xf32> {task.inplace = 0}, %y: memref<16xf32>) {
  task.dispatch @inplace.k0(%x, %y) extent 1 : memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// Values that change places are taken before one is overwritten.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: memref<4xf32> {task.tensor = tensor<4xf32>}, %[[Z:.*]]: memref<4xf32> {task.tensor = tensor<4xf32>}, %[[M:.*]]: memref<1xi64> {{.*}}, %[[A:.*]]: memref<4xf32> {{.*}}, %[[B:.*]]: memref<4xf32>
// CHECK: task.copy %[[X]], %[[A]]
// CHECK: task.copy %[[Z]], %[[B]]
// CHECK: task.repeat
// CHECK: task.copy %[[B]], %[[FIRST:.*]] :
// CHECK: task.copy %[[A]], %[[SECOND:.*]] :
// CHECK: task.copy %[[FIRST]], %[[A]]
// CHECK: task.copy %[[SECOND]], %[[B]]
func.func @main(%x: tensor<4xf32>, %z: tensor<4xf32>, %m: tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>) {
  %n, %a, %b = task.loop @swap trip_count(%m) carries(%x, %z) reads() : (tensor<i64>, tensor<4xf32>, tensor<4xf32>) -> (tensor<i64>, tensor<4xf32>, tensor<4xf32>)
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
func.func private @swap(%i: tensor<i64>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {task.body} {
  return %b, %a : tensor<4xf32>, tensor<4xf32>
}

// -----

// Parts are written into one buffer, each from its place on. It is alive from the first part to the last use; the value between them lies
// elsewhere, and no part takes the place of what its task reads.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: memref<16xf32> {{.*}}, %[[Y:.*]]: memref<16xf32> {{.*}}, %[[ARENA:.*]]: memref<128xi8>
// CHECK: %[[C0:.*]] = arith.constant 0
// CHECK: %[[FIRST:.*]] = memref.view %[[ARENA]][%[[C0]]][]
// CHECK: task.dispatch @inplace.k0(%[[X]], %[[FIRST]])
// CHECK: %[[C64:.*]] = arith.constant 64
// CHECK: %[[BETWEEN:.*]] = memref.view %[[ARENA]][%[[C64]]][]
// CHECK: task.dispatch @inplace.k0(%[[X]], %[[BETWEEN]])
// CHECK: %[[C32:.*]] = arith.constant 32
// CHECK: %[[SECOND:.*]] = memref.view %[[ARENA]][%[[C32]]][]
// CHECK: task.dispatch @inplace.k0(%{{.*}}, %[[SECOND]])
// CHECK: %[[WHOLE:.*]] = memref.view %[[ARENA]][%c0{{.*}}][]
// CHECK: task.dispatch @inplace.k0(%[[WHOLE]], %[[Y]])
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = task.call @inplace(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = task.call @inplace(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = task.call @inplace(%1) : (tensor<16xf32>) -> tensor<16xf32>
  %3 = task.join %0, %2 offsets [0, 8] : tensor<16xf32>
  %4 = task.call @inplace(%3) : (tensor<16xf32>) -> tensor<16xf32>
  return %4 : tensor<16xf32>
}
func.func private @inplace.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @inplace(%x: memref<16xf32> {task.inplace = 0 : i64}, %y: memref<16xf32>) {
  task.dispatch @inplace.k0(%x, %y) extent 4 : memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// Parts of a tensor of dynamic size begin at their offsets in its slot.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[SLOT:[a-z0-9]*]]: memref<?xi8> {task.slot = [#dim.expr<"128*n">]}
// CHECK: memref.view %[[SLOT]][%c0{{.*}}]
// CHECK: %[[C64:.*]] = arith.constant 64 : index
// CHECK: memref.view %[[SLOT]][%[[C64]]][%{{.*}}] : memref<?xi8> to memref<?xf32>
// CHECK: memref.view %[[SLOT]][%c0{{.*}}]
func.func @main(%x: tensor<?x32xf32, #onnx.dims<["n", ""]>>) -> tensor<?x32xf32, #onnx.dims<["n", ""]>> {
  %0 = task.call @part(%x) : (tensor<?x32xf32, #onnx.dims<["n", ""]>>) -> tensor<?x32xf32, #onnx.dims<["n", ""]>>
  %1 = task.call @part(%x) : (tensor<?x32xf32, #onnx.dims<["n", ""]>>) -> tensor<?x32xf32, #onnx.dims<["n", ""]>>
  %2 = task.join %0, %1 offsets [0, 16] : tensor<?x32xf32, #onnx.dims<["n", ""]>>
  %3 = task.call @part(%2) : (tensor<?x32xf32, #onnx.dims<["n", ""]>>) -> tensor<?x32xf32, #onnx.dims<["n", ""]>>
  return %3 : tensor<?x32xf32, #onnx.dims<["n", ""]>>
}
func.func private @part.k0(memref<?xf32>, memref<?xf32>, index, index)
task.def @part(%x: memref<?xf32> {task.elements = #dim.expr<"32*n">}, %y: memref<?xf32> {task.elements = #dim.expr<"32*n">}) {
  task.dispatch @part.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
  task.return
}

// -----

// What is returned is put together in the arena and copied.
// CHECK-LABEL: func.func @main(
// CHECK: task.copy %{{.*}}, %arg1 : memref<16xf32>, memref<16xf32>
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = task.call @half(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = task.call @half(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = task.join %0, %1 offsets [0, 8] : tensor<16xf32>
  return %2 : tensor<16xf32>
}
func.func private @half.k0(memref<16xf32>, memref<16xf32>, index, index)
task.def @half(%x: memref<16xf32>, %y: memref<16xf32>) {
  task.dispatch @half.k0(%x, %y) extent 4 : memref<16xf32>, memref<16xf32>
  task.return
}

// -----

// Each execution has counters of its own, in memory that nothing else has.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[COUNTERS:[a-z0-9]+]]: memref<24xi8> {task.counters})
// CHECK: memref.view %[[COUNTERS]][%{{.*}}][] : memref<24xi8> to memref<3xi32>
// CHECK: task.dispatch @counting.k0(
// CHECK: %[[NEXT:.*]] = arith.constant 12 : index
// CHECK: memref.view %[[COUNTERS]][%[[NEXT]]][] : memref<24xi8> to memref<3xi32>
// CHECK: task.dispatch @counting.k0(
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = task.call @counting(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = task.call @counting(%0) : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
func.func private @counting.k0(memref<16xf32>, memref<16xf32>, memref<3xi32>, index) attributes {task.block = #task.block<threads = 32>}
task.def @counting(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c = task.counters : memref<3xi32>
  task.dispatch @counting.k0(%x, %y, %c) extent 6 : memref<16xf32>, memref<16xf32>, memref<3xi32>
  task.return
}
