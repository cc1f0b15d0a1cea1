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
