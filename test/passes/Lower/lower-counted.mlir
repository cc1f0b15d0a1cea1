// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// One row per element, and how many of them count: what does not is written over by the next one.
// CHECK-LABEL: task.def @non_zero
// CHECK: %[[ROWS:.*]] = tensor.empty() : tensor<6x2xi64>
// CHECK: %[[OUTER:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[ROWS]], %{{.*}} = %c0{{.*}}) -> (tensor<6x2xi64>, index)
// CHECK: scf.for
// CHECK: arith.cmpf une
// CHECK: tensor.insert {{.*}} : tensor<i64>
task.def @non_zero(%x: tensor<2x3xf32>) -> (tensor<6x2xi64>, tensor<i64>) {
  %0:2 = onnx.CountedNonZero %x : (tensor<2x3xf32>) -> (tensor<6x2xi64>, tensor<i64>)
  task.return %0#0, %0#1 : tensor<6x2xi64>, tensor<i64>
}

// All elements leave a heap in order.
// CHECK-LABEL: task.def @unique
// CHECK: scf.for
// CHECK: arith.cmpf olt
// CHECK: scf.for
// CHECK: tensor.insert
task.def @unique(%x: tensor<2x3xf32>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<i64>) {
  %0:4 = onnx.CountedUnique %x : (tensor<2x3xf32>) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<i64>)
  task.return %0#0, %0#1, %0#2, %0#3 : tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<i64>
}

// A limit that the data gives. Candidates are keys; corners and areas of selected boxes are side by side.
// CHECK-LABEL: task.def @boxes
// CHECK: %[[LIMIT:.*]] = tensor.extract %arg2
// CHECK: scf.for {{.*}} -> (tensor<8x3xi64>, index)
// CHECK: arith.shli
// CHECK: %[[MEASURES:.*]] = tensor.empty() : tensor<5x8xf32>
// CHECK: scf.for {{.*}} = %[[MEASURES]]) -> (tensor<8x3xi64>, index, tensor<8xi64>, tensor<5x8xf32>)
// CHECK: arith.divf
// CHECK: arith.ori
task.def @boxes(%boxes: tensor<1x8x4xf32>, %scores: tensor<1x1x8xf32>, %limit: tensor<i64>) -> (tensor<8x3xi64>, tensor<i64>) {
  %none = onnx.None
  %0:2 = onnx.CountedNonMaxSuppression %boxes, %scores, %limit, %none, %none : (tensor<1x8x4xf32>, tensor<1x1x8xf32>, tensor<i64>, none, none) -> (tensor<8x3xi64>, tensor<i64>)
  task.return %0#0, %0#1 : tensor<8x3xi64>, tensor<i64>
}

// More elements are sorted by their digits: as many passes as the distance of the greatest element has bytes. True comes
// after false.
// CHECK-LABEL: task.def @unique_by_digits
// CHECK: arith.extui {{.*}} : i1 to i32
// CHECK: %[[LEAST:.*]] = arith.minsi
// CHECK: scf.for
// CHECK: arith.shrui
// CHECK: scf.for {{.*}} -> (tensor<2x100xi64>, tensor<2x100xi64>, tensor<256xi64>)
// CHECK: arith.andi %{{.*}}, %c255{{.*}} : i64
// CHECK-NOT: math
task.def @unique_by_digits(%x: tensor<100xi1>) -> (tensor<100xi64>, tensor<100xi64>, tensor<100xi64>, tensor<i64>) {
  %0:4 = onnx.CountedUnique %x : (tensor<100xi1>) -> (tensor<100xi64>, tensor<100xi64>, tensor<100xi64>, tensor<i64>)
  task.return %0#0, %0#1, %0#2, %0#3 : tensor<100xi64>, tensor<100xi64>, tensor<100xi64>, tensor<i64>
}
