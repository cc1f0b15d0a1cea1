// RUN: cameo-opt %s --split-batch --split-input-file | FileCheck %s

// Independent rows: the model of one, with the same nodes. Of two symbols the other one stays for the run.
//       CHECK: module attributes {task.batch = "batch"}
//       CHECK: func.func @main(%{{.*}}: tensor<1x?xf32, #onnx.dims<["", "seq"]>> {onnx.name = "x", task.per_sample}, %{{.*}}: tensor<1xf32> {onnx.name = "b"})
//  CHECK-SAME:   -> (tensor<1x?xf32, #onnx.dims<["", "seq"]>> {onnx.name = "y", task.per_sample})
//  CHECK-NEXT:   %[[SUM:.*]] = onnx.Add
//  CHECK-NEXT:   onnx.Softmax %[[SUM]]
//  CHECK-NEXT:   return
//  CHECK-NEXT: }
//  CHECK-NEXT: {{^}$}}
func.func @main(%x: tensor<?x?xf32, #onnx.dims<["batch", "seq"]>> {onnx.name = "x"}, %b: tensor<1xf32> {onnx.name = "b"})
    -> (tensor<?x?xf32, #onnx.dims<["batch", "seq"]>> {onnx.name = "y"}) {
  %0 = onnx.Add %x, %b : (tensor<?x?xf32, #onnx.dims<["batch", "seq"]>>, tensor<1xf32>) -> tensor<?x?xf32, #onnx.dims<["batch", "seq"]>>
  %1 = onnx.Softmax %0 {axis = 1 : i64} : (tensor<?x?xf32, #onnx.dims<["batch", "seq"]>>) -> tensor<?x?xf32, #onnx.dims<["batch", "seq"]>>
  return %1 : tensor<?x?xf32, #onnx.dims<["batch", "seq"]>>
}

// -----

// A softmax over the samples mixes them.
//   CHECK-NOT: task.batch
//       CHECK: func.func @main(%{{.*}}: tensor<?x6xf32, #onnx.dims<["batch", ""]>>)
//       CHECK:   return
//  CHECK-NEXT: }
//  CHECK-NEXT: {{^}$}}
func.func @main(%x: tensor<?x6xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x6xf32, #onnx.dims<["batch", ""]>> {
  %0 = onnx.Softmax %x {axis = 0 : i64} : (tensor<?x6xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x6xf32, #onnx.dims<["batch", ""]>>
  return %0 : tensor<?x6xf32, #onnx.dims<["batch", ""]>>
}

// -----

// What has no code is no error here.
//   CHECK-NOT: task.batch
//       CHECK: onnx.Reshape
func.func @main(%x: tensor<?x6xf32, #onnx.dims<["batch", ""]>>, %shape: tensor<1xi64>) -> tensor<?xf32> {
  %0 = onnx.Reshape %x, %shape : (tensor<?x6xf32, #onnx.dims<["batch", ""]>>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// All sizes are known: there is nothing to prove.
//   CHECK-NOT: task.batch
//       CHECK: onnx.Relu %{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
