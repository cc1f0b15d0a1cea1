// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// One step of all trees per level, then the sum of the leaves.
// CHECK-LABEL: task.def @trees
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: arith.cmpf ole
// CHECK-NOT: scf.if
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.addf
task.def @trees(%x: tensor<20x5xf32>, %f: tensor<6xi32>, %s: tensor<6xf32>, %t: tensor<6xi32>, %e: tensor<6xi32>, %r: tensor<2xi32>,
                %l: tensor<8x3xf32>) -> tensor<20x3xf32> {
  %none = onnx.None
  %0 = onnx.TreeEnsemble %x, %f, %s, %t, %e, %none, %r, %l {depth = 2 : i64}
      : (tensor<20x5xf32>, tensor<6xi32>, tensor<6xf32>, tensor<6xi32>, tensor<6xi32>, none, tensor<2xi32>, tensor<8x3xf32>) -> tensor<20x3xf32>
  task.return %0 : tensor<20x3xf32>
}

// Trees that are leaves compare nothing.
// CHECK-LABEL: task.def @leaves
// CHECK-NOT: scf.for
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
task.def @leaves(%x: tensor<20x5xf32>, %f: tensor<0xi32>, %s: tensor<0xf32>, %t: tensor<0xi32>, %e: tensor<0xi32>, %r: tensor<2xi32>,
                 %l: tensor<2x1xf32>) -> tensor<20x1xf32> {
  %none = onnx.None
  %0 = onnx.TreeEnsemble %x, %f, %s, %t, %e, %none, %r, %l {depth = 0 : i64}
      : (tensor<20x5xf32>, tensor<0xi32>, tensor<0xf32>, tensor<0xi32>, tensor<0xi32>, none, tensor<2xi32>, tensor<2x1xf32>) -> tensor<20x1xf32>
  task.return %0 : tensor<20x1xf32>
}
