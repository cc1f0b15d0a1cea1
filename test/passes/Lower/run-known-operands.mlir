// Operands that state sizes and positions, and are inputs of the run: also vectors whose length has a name.
// RUN: cameo-opt %s --lower-to-linalg --split-input-file | FileCheck %s

// As many statements as axes at most; one that the run does not have applies to no axis.
// CHECK-LABEL: task.def @slice
// CHECK-SAME: %[[X:.*]]: tensor<?x5xf32>
// CHECK: linalg.generic
// CHECK-COUNT-6: tensor.extract %arg{{[134]}}[
// CHECK: tensor.extract %[[X]]
// CHECK-NOT: tensor.extract
task.def @slice(%x: tensor<?x5xf32, #onnx.dims<["n", ""]>>, %s: tensor<?xi64, #onnx.dims<["k"]>>, %e: tensor<?xi64, #onnx.dims<["k"]>>,
                %a: tensor<?xi64, #onnx.dims<["k"]>>, %t: tensor<?xi64, #onnx.dims<["k"]>>) -> tensor<2x3xf32> {
  %0 = onnx.Slice %x, %s, %e, %a, %t : (tensor<?x5xf32, #onnx.dims<["n", ""]>>, tensor<?xi64, #onnx.dims<["k"]>>, tensor<?xi64, #onnx.dims<["k"]>>, tensor<?xi64, #onnx.dims<["k"]>>, tensor<?xi64, #onnx.dims<["k"]>>) -> tensor<2x3xf32>
  task.return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: task.def @tile
// CHECK: linalg.generic
// CHECK: arith.remsi
// CHECK: tensor.extract %arg0
task.def @tile(%x: tensor<?xf32, #onnx.dims<["n"]>>, %r: tensor<1xi64>) -> tensor<6xf32> {
  %0 = onnx.Tile %x, %r : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<1xi64>) -> tensor<6xf32>
  task.return %0 : tensor<6xf32>
}

// -----

// The input has one row or as many as the result.
// CHECK-LABEL: task.def @expand
// CHECK: linalg.generic
// CHECK: arith.remsi
// CHECK-NOT: arith.remsi
// CHECK: tensor.extract %arg0
task.def @expand(%x: tensor<?x?xf32, #onnx.dims<["n", "k"]>>, %s: tensor<3xi64>) -> tensor<2x?x?xf32, #onnx.dims<["", "m", "k"]>> {
  %0 = onnx.Expand %x, %s : (tensor<?x?xf32, #onnx.dims<["n", "k"]>>, tensor<3xi64>) -> tensor<2x?x?xf32, #onnx.dims<["", "m", "k"]>>
  task.return %0 : tensor<2x?x?xf32, #onnx.dims<["", "m", "k"]>>
}

// -----

// The result lacks what a tuple of indices has.
// CHECK-LABEL: task.def @gather_nd
// CHECK: linalg.generic {{.*}} ins(%arg1, %arg1 :
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}] : tensor<2x3xf32>
task.def @gather_nd(%x: tensor<2x3xf32>, %i: tensor<4x?xi64, #onnx.dims<["", "k"]>>) -> tensor<4xf32> {
  %0 = onnx.GatherND %x, %i : (tensor<2x3xf32>, tensor<4x?xi64, #onnx.dims<["", "k"]>>) -> tensor<4xf32>
  task.return %0 : tensor<4xf32>
}

// -----

// A size of 3 that the model states is what the run must have in that dimension: only size 1 says that it was reduced.
// CHECK-LABEL: task.def @reduce
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%arg0 : tensor<?x?x?xf32>)
task.def @reduce(%x: tensor<?x?x?xf32, #onnx.dims<["m", "n", "n"]>>, %a: tensor<?xi64, #onnx.dims<["k"]>>) -> tensor<3x1x2xf32> {
  %0 = onnx.ReduceSum %x, %a {keepdims = 1 : i64} : (tensor<?x?x?xf32, #onnx.dims<["m", "n", "n"]>>, tensor<?xi64, #onnx.dims<["k"]>>) -> tensor<3x1x2xf32>
  task.return %0 : tensor<3x1x2xf32>
}

// -----

// CHECK-LABEL: task.def @resize
// CHECK: linalg.generic {{.*}} ins(%arg1 : tensor<?xf32>)
task.def @resize(%x: tensor<1x?xf32, #onnx.dims<["", "w"]>>, %s: tensor<?xf32, #onnx.dims<["k"]>>) -> tensor<1x6xf32> {
  %n = onnx.None
  %0 = onnx.Resize %x, %n, %s, %n {mode = "linear"} : (tensor<1x?xf32, #onnx.dims<["", "w"]>>, none, tensor<?xf32, #onnx.dims<["k"]>>, none) -> tensor<1x6xf32>
  task.return %0 : tensor<1x6xf32>
}
