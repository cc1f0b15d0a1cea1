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
