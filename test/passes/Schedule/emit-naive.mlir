// RUN: cameo-opt %s --emit-naive | FileCheck %s

#id = affine_map<(m, n) -> (m, n)>

// Bytes hold truth values; nothing is allocated.
// CHECK-LABEL: func.func private @less.k0(
//  CHECK-SAME:   %[[X:.*]]: memref<6xf32>{{.*}}, %[[Y:.*]]: memref<6xf32>{{.*}}, %[[R:.*]]: memref<6xi8>
//   CHECK-NOT:   memref.alloc
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       arith.cmpf olt
// CHECK-LABEL: task.def @less(%{{.*}}: memref<6xf32>, %{{.*}}: memref<6xf32>, %{{.*}}: memref<6xi8>)
//       CHECK:   task.dispatch @less.k0({{.*}}) extent 1
task.def @less(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xi1> {
  %empty = tensor.empty() : tensor<2x3xi1>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<2x3xf32>, tensor<2x3xf32>) outs(%empty : tensor<2x3xi1>) {
  ^bb0(%a: f32, %b: f32, %unused: i1):
    %l = arith.cmpf olt, %a, %b : f32
    linalg.yield %l : i1
  } -> tensor<2x3xi1>
  task.return %r : tensor<2x3xi1>
}

#point = affine_map<(m, n) -> (m)>

// Sums are kept in double.
// CHECK-LABEL: func.func private @sum.k0(
//       CHECK:   %[[ELEMENT:.*]] = memref.load %{{.*}} : memref<600xf32>
//       CHECK:   %[[TERM:.*]] = arith.extf %[[ELEMENT]] : f32 to f64
//       CHECK:   arith.addf %{{.*}}, %[[TERM]] : f64
//       CHECK:   arith.truncf %{{.*}} : f64 to f32
task.def @sum(%x: tensor<2x300xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.generic {indexing_maps = [#id, #point], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x300xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  task.return %r : tensor<2xf32>
}

// Rows without elements take no time, however many there are, also inside of a loop whose trip count is known.
// CHECK-LABEL: func.func private @sum_symbolic.k0(
//       CHECK:   arith.extf
//       CHECK:   scf.for
//       CHECK:     %[[RUNS:.*]] = arith.cmpi slt, %{{.*}}, %[[COLUMNS:.*]] : index
//       CHECK:     %[[END:.*]] = arith.select %[[RUNS]], %{{.*}}, %{{.*}} : index
//       CHECK:     scf.for %{{.*}} = %{{.*}} to %[[END]]
//       CHECK:       scf.for %{{.*}} = %{{.*}} to %[[COLUMNS]]
task.def @sum_symbolic(%x: tensor<4x?x?xf32> {task.dims = #onnx.dims<["", "n", "m"]>}) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d, n, m) -> (d, n, m)>, affine_map<(d, n, m) -> (d)>],
                       iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<4x?x?xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  task.return %r : tensor<4xf32>
}

// Addresses and memory of dynamic sizes. A padding's memory has a size made from the task's.
// CHECK-LABEL: func.func private @pad_symbolic.k0(
//  CHECK-SAME:   %[[X:.*]]: memref<?xf32>{{.*}}, %[[R:.*]]: memref<?xf32>{{.*}}, %[[S:.*]]: memref<?xf32>
//   CHECK-DAG:   %[[N:.*]] = task.size "n"
//   CHECK-DAG:   %[[STRIDE:.*]] = task.size "m"
//       CHECK:   %[[ROWS:.*]] = arith.addi %[[N]]
//       CHECK:   %[[END:.*]] = arith.select %{{.*}}, %[[ROWS]], %{{.*}} : index
//       CHECK:   scf.for %{{.*}} = %{{.*}} to %[[END]]
//       CHECK:     scf.for %{{.*}} = %{{.*}} to %[[STRIDE]]
//       CHECK:   arith.muli %{{.*}}, %[[STRIDE]]
// CHECK-LABEL: task.def @pad_symbolic(%{{.*}}: memref<?xf32> {task.elements = #dim.expr<"m*n">}, %{{.*}}: memref<?xf32> {task.elements = #dim.expr<"m + m*n">})
//       CHECK:   %[[SCRATCH:.*]] = task.scratch elements "m + m*n" : memref<?xf32>
//       CHECK:   task.dispatch @pad_symbolic.k0(%{{.*}}, %{{.*}}, %[[SCRATCH]]) extent "min(m + m*n - 1, 0) + 1"
task.def @pad_symbolic(%x: tensor<?x?xf32> {task.dims = #onnx.dims<["n", "m"]>}) -> (tensor<?x?xf32> {task.dims = #onnx.dims<["n + 1", "m"]>}) {
  %zero = arith.constant 0.0 : f32
  %rows = task.size "n + 1"
  %columns = task.size "m"
  %padded = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %empty = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%padded : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %negated = arith.negf %a : f32
    linalg.yield %negated : f32
  } -> tensor<?x?xf32>
  task.return %r : tensor<?x?xf32>
}

// A run in which one size is 0 does nothing, however large the other is.
// CHECK-LABEL: task.def @nothing_beside_much(
//       CHECK:   task.dispatch @nothing_beside_much.k0({{.*}}) extent "min(m*n - 1, 0) + 1"
task.def @nothing_beside_much(%x: tensor<?x?xf32> {task.dims = #onnx.dims<["n", "m"]>}) -> (tensor<?x?xf32> {task.dims = #onnx.dims<["n", "m"]>}) {
  %n = task.size "n"
  %m = task.size "m"
  %empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%a: f32, %unused: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  task.return %r : tensor<?x?xf32>
}

// What takes but the sizes of a tensor gets no memory of it.
// CHECK-LABEL: func.func private @only_sizes.k0(
//  CHECK-SAME:   %[[R:.*]]: memref<1xi64> {llvm.noalias}, %{{.*}}: index, %{{.*}}: index)
// CHECK-LABEL: task.def @only_sizes(
//  CHECK-SAME:   %{{.*}}: memref<?xf32> {task.elements = #dim.expr<"n">}, %[[R:.*]]: memref<1xi64>)
//       CHECK:   task.dispatch @only_sizes.k0(%[[R]]) extent 1
task.def @only_sizes(%x: tensor<?xf32> {task.dims = #onnx.dims<["n"]>}) -> tensor<1xi64> {
  %n = task.size "n"
  %empty = tensor.empty() : tensor<1xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]} outs(%empty : tensor<1xi64>) {
  ^bb0(%unused: i64):
    %size = arith.index_cast %n : index to i64
    linalg.yield %size : i64
  } -> tensor<1xi64>
  task.return %r : tensor<1xi64>
}

// What begins with an argument begins as a copy of it in the output, also behind a reshape: there is no other memory.
// CHECK-LABEL: func.func private @write.k0(
//  CHECK-SAME:   %[[X:.*]]: memref<6xf32>{{.*}}, %[[AT:.*]]: memref<1xindex>{{.*}}, %[[R:.*]]: memref<6xf32>{{[^,]*}}, %{{[^:]*}}: index, %{{[^:]*}}: index)
//       CHECK:   %[[OLD:.*]] = memref.load %[[X]]
//       CHECK:   memref.store %[[OLD]], %[[R]]
//       CHECK:   memref.load %[[AT]]
//       CHECK:   memref.store %{{.*}}, %[[R]]
//   CHECK-NOT:   memref.store
// CHECK-LABEL: task.def @write
task.def @write(%x: tensor<6xf32>, %at: tensor<1xindex>) -> tensor<2x3xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %number = arith.constant 1.0 : f32
  %r = scf.for %i = %zero to %one step %one iter_args(%now = %x) -> tensor<6xf32> {
    %place = tensor.extract %at[%i] : tensor<1xindex>
    %next = tensor.insert %number into %now[%place] : tensor<6xf32>
    scf.yield %next : tensor<6xf32>
  }
  %reshaped = tensor.expand_shape %r [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  task.return %reshaped : tensor<2x3xf32>
}
