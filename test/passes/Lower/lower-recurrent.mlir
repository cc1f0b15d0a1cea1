// RUN: cameo-opt %s --lower-to-linalg --split-input-file | FileCheck %s

// The input's share of all steps is one product, with both biases; a step adds the share of the state before it. The first one, which
// begins with zeros, has no product.
// CHECK-LABEL: task.def @forward
//       CHECK:   %[[SHARE:.*]] = linalg.generic {{.*}}"reduction"{{.*}} ins(%arg0, %{{.*}} : tensor<5x2x3xf32>, tensor<16x3xf32>)
//       CHECK:   %[[GATES:.*]] = linalg.generic {{.*}} ins(%[[SHARE]], %{{.*}}, %{{.*}} : tensor<5x2x16xf32>, tensor<16xf32>, tensor<16xf32>)
//       CHECK:   tensor.extract_slice %[[GATES]][%[[FIRST:.*]], 0, 0] [1, 2, 16]
//   CHECK-NOT:   "reduction"
//       CHECK:   %[[BEGUN:.*]] = tensor.insert_slice %[[OUTPUT:.*]] into %{{.*}}[%[[FIRST]], 0, 0, 0] [1, 1, 2, 4]
//       CHECK:   scf.for %[[STEP:[a-z0-9]+]] = %{{.*}} to %{{.*}} iter_args(%[[ALL:[a-z0-9]+]] = %[[BEGUN]], %[[H:[a-z0-9]+]] = %[[OUTPUT]], %[[C:[a-z0-9]+]] = %{{.*}})
//       CHECK:     %[[NEXT:.*]] = arith.addi %[[STEP]], %{{.*}}
//       CHECK:     tensor.extract_slice %[[GATES]][%[[NEXT]], 0, 0] [1, 2, 16]
//       CHECK:     linalg.generic {{.*}}"reduction"{{.*}} ins(%[[H]], %{{.*}} : tensor<2x4xf32>, tensor<16x4xf32>)
//   CHECK-NOT:     "reduction"
//       CHECK:     tensor.insert_slice %{{.*}} into %[[ALL]][%[[NEXT]], 0, 0, 0] [1, 1, 2, 4]
//       CHECK:     scf.yield
task.def @forward(%x: tensor<5x2x3xf32>, %w: tensor<1x16x3xf32>, %r: tensor<1x16x4xf32>, %b: tensor<1x32xf32>) -> tensor<5x1x2x4xf32> {
  %none = onnx.None
  %y, %h, %c = onnx.LSTM %x, %w, %r, %b, %none, %none, %none, %none : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, tensor<1x32xf32>, none, none, none, none) -> (tensor<5x1x2x4xf32>, none, none)
  task.return %y : tensor<5x1x2x4xf32>
}

// -----

// Gates that fill vectors are sums of one loop. What is given as a state has a product in every step.
// CHECK-LABEL: task.def @whole_vectors
//       CHECK:   scf.for %[[STEP:[a-z0-9]+]] = %{{.*}} to %{{.*}} iter_args(%{{[a-z0-9]+}} = %{{.*}}, %[[H:[a-z0-9]+]] = %{{.*}}, %{{[a-z0-9]+}} = %{{.*}})
//       CHECK:     tensor.extract_slice %{{.*}}[%[[STEP]], 0, 0] [1, 2, 64]
//       CHECK:     %[[I:.*]]:4 = linalg.generic {{.*}}"reduction"{{.*}} ins(%[[H]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>)
//       CHECK:     linalg.generic {{.*}} ins({{.*}}, %[[I]]#0, %{{.*}}, %[[I]]#2, %{{.*}}, %[[I]]#3 :
task.def @whole_vectors(%x: tensor<5x2x3xf32>, %w: tensor<1x64x3xf32>, %r: tensor<1x64x16xf32>, %state: tensor<1x2x16xf32>) -> tensor<5x1x2x16xf32> {
  %none = onnx.None
  %y, %h, %c = onnx.LSTM %x, %w, %r, %none, %none, %state, %none, %none : (tensor<5x2x3xf32>, tensor<1x64x3xf32>, tensor<1x64x16xf32>, none, none, tensor<1x2x16xf32>, none, none) -> (tensor<5x1x2x16xf32>, none, none)
  task.return %y : tensor<5x1x2x16xf32>
}

// -----

// A reset before the product makes two products of a step: of two gates, and of the third.
// CHECK-LABEL: task.def @reset_before
//       CHECK:   scf.for
//       CHECK:     "reduction"{{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x4xf32>, tensor<8x4xf32>)
//       CHECK:     "reduction"{{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x4xf32>, tensor<4x4xf32>)
task.def @reset_before(%x: tensor<5x2x3xf32>, %w: tensor<1x12x3xf32>, %r: tensor<1x12x4xf32>) -> tensor<1x2x4xf32> {
  %none = onnx.None
  %y, %h = onnx.GRU %x, %w, %r, %none, %none, %none : (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, none, none, none) -> (none, tensor<1x2x4xf32>)
  task.return %h : tensor<1x2x4xf32>
}

// -----

// One after the product scales the recurrence's bias too.
// CHECK-LABEL: task.def @reset_after
//       CHECK:   scf.for
//       CHECK:     %[[PRODUCT:.*]] = linalg.generic {{.*}}"reduction"{{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x4xf32>, tensor<12x4xf32>)
//       CHECK:     %[[LAST:.*]] = tensor.extract_slice %[[PRODUCT]][0, 8] [2, 4]
//       CHECK:     linalg.generic {{.*}} ins(%[[LAST]], %{{.*}} : tensor<2x4xf32>, tensor<4xf32>)
//   CHECK-NOT:     "reduction"
task.def @reset_after(%x: tensor<5x2x3xf32>, %w: tensor<1x12x3xf32>, %r: tensor<1x12x4xf32>, %b: tensor<1x24xf32>) -> tensor<1x2x4xf32> {
  %none = onnx.None
  %y, %h = onnx.GRU %x, %w, %r, %b, %none, %none {linear_before_reset = 1 : i64} : (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<1x24xf32>, none, none) -> (none, tensor<1x2x4xf32>)
  task.return %h : tensor<1x2x4xf32>
}

// -----

// Backwards, steps behind a sequence's end leave the state as it is and give zeros.
// CHECK-LABEL: task.def @backwards
//       CHECK:   %[[LAST:.*]] = arith.constant 4 : index
//       CHECK:   %[[FIRST:[0-9]+]] = arith.subi %[[LAST]], %{{.*}}
//       CHECK:   tensor.insert_slice %{{.*}}[%[[FIRST]], 0, 0, 0]
//       CHECK:   scf.for %[[STEP:[a-z0-9]+]] =
//       CHECK:     %[[NEXT:[0-9]+]] = arith.addi %[[STEP]], %{{.*}}
//       CHECK:     %[[TIME:[0-9]+]] = arith.subi %{{.*}}, %[[NEXT]]
//       CHECK:     math.tanh
//       CHECK:     arith.cmpi slt, %[[TIME]]
//       CHECK:     arith.select
//       CHECK:     tensor.insert_slice %{{.*}}[%[[TIME]], 0, 0, 0]
task.def @backwards(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %n: tensor<2xi32>) -> tensor<5x1x2x4xf32> {
  %none = onnx.None
  %y, %h = onnx.RNN %x, %w, %r, %none, %n, %none {direction = "reverse"} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, none, tensor<2xi32>, none) -> (tensor<5x1x2x4xf32>, none)
  task.return %y : tensor<5x1x2x4xf32>
}
