// RUN: cameo-opt %s --lower-to-linalg --find-batch --split-input-file | FileCheck %s
// RUN: cameo-opt %s --lower-to-linalg --find-batch=together=8 --split-input-file | FileCheck %s --check-prefix=EIGHT

// Rows of a matrix product, a reshape that keeps them outermost, a bias that all share.
//       CHECK: module attributes {task.batch = "batch"}
//       CHECK: func.func @main({{.*}} {task.per_sample}, %{{.*}}: tensor<6x64xf32>, %{{.*}}: tensor<64xf32>) -> ({{.*}} {task.per_sample})
func.func @main(%x: tensor<?x16x6xf32, #onnx.dims<["batch", "", ""]>>, %w: tensor<6x64xf32>, %b: tensor<64xf32>)
    -> tensor<?x64xf32, #onnx.dims<["16*batch", ""]>> {
  %flat = task.view %x : tensor<?x16x6xf32, #onnx.dims<["batch", "", ""]>> -> tensor<?x6xf32, #onnx.dims<["16*batch", ""]>>
  %y = task.call @rows(%flat, %w, %b) : (tensor<?x6xf32, #onnx.dims<["16*batch", ""]>>, tensor<6x64xf32>, tensor<64xf32>)
    -> tensor<?x64xf32, #onnx.dims<["16*batch", ""]>>
  return %y : tensor<?x64xf32, #onnx.dims<["16*batch", ""]>>
}
task.def @rows(%x: tensor<?x6xf32, #onnx.dims<["16*batch", ""]>>, %w: tensor<6x64xf32>, %b: tensor<64xf32>)
    -> tensor<?x64xf32, #onnx.dims<["16*batch", ""]>> {
  %0 = onnx.MatMul %x, %w : (tensor<?x6xf32, #onnx.dims<["16*batch", ""]>>, tensor<6x64xf32>) -> tensor<?x64xf32, #onnx.dims<["16*batch", ""]>>
  %1 = onnx.Add %0, %b : (tensor<?x64xf32, #onnx.dims<["16*batch", ""]>>, tensor<64xf32>) -> tensor<?x64xf32, #onnx.dims<["16*batch", ""]>>
  task.return %1 : tensor<?x64xf32, #onnx.dims<["16*batch", ""]>>
}

// -----

// The same with one row for each sample: all of them together read the weights once. Eight at a time fill a block.
// EIGHT: module attributes {task.batch = "batch"}
// EIGHT: func.func @main(%{{.*}}: tensor<?x2x3xf32, #onnx.dims<["batch", "", ""]>> {task.per_sample}
// CHECK: module {
// CHECK-NOT: task.batch
func.func @main(%x: tensor<?x2x3xf32, #onnx.dims<["batch", "", ""]>>, %w: tensor<6x64xf32>, %b: tensor<64xf32>)
    -> tensor<?x64xf32, #onnx.dims<["batch", ""]>> {
  %flat = task.view %x : tensor<?x2x3xf32, #onnx.dims<["batch", "", ""]>> -> tensor<?x6xf32, #onnx.dims<["batch", ""]>>
  %y = task.call @rows(%flat, %w, %b) : (tensor<?x6xf32, #onnx.dims<["batch", ""]>>, tensor<6x64xf32>, tensor<64xf32>)
    -> tensor<?x64xf32, #onnx.dims<["batch", ""]>>
  return %y : tensor<?x64xf32, #onnx.dims<["batch", ""]>>
}
task.def @rows(%x: tensor<?x6xf32, #onnx.dims<["batch", ""]>>, %w: tensor<6x64xf32>, %b: tensor<64xf32>)
    -> tensor<?x64xf32, #onnx.dims<["batch", ""]>> {
  %0 = onnx.MatMul %x, %w : (tensor<?x6xf32, #onnx.dims<["batch", ""]>>, tensor<6x64xf32>) -> tensor<?x64xf32, #onnx.dims<["batch", ""]>>
  %1 = onnx.Add %0, %b : (tensor<?x64xf32, #onnx.dims<["batch", ""]>>, tensor<64xf32>) -> tensor<?x64xf32, #onnx.dims<["batch", ""]>>
  task.return %1 : tensor<?x64xf32, #onnx.dims<["batch", ""]>>
}

// -----

// A softmax over the rows mixes them.
// CHECK: module {
// CHECK-NOT: task.batch
func.func @main(%x: tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["batch", ""]>> {
  %y = task.call @over_rows(%x) : (tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["batch", ""]>>
  return %y : tensor<?x2048xf32, #onnx.dims<["batch", ""]>>
}
task.def @over_rows(%x: tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["batch", ""]>> {
  %0 = onnx.Softmax %x {axis = 0 : i64} : (tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["batch", ""]>>
  task.return %0 : tensor<?x2048xf32, #onnx.dims<["batch", ""]>>
}

// -----

// A transpose puts the samples in an inner dimension.
// CHECK: module {
// CHECK-NOT: task.batch
func.func @main(%x: tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<2048x?xf32, #onnx.dims<["", "batch"]>> {
  %y = task.call @columns(%x) : (tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<2048x?xf32, #onnx.dims<["", "batch"]>>
  return %y : tensor<2048x?xf32, #onnx.dims<["", "batch"]>>
}
task.def @columns(%x: tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<2048x?xf32, #onnx.dims<["", "batch"]>> {
  %0 = onnx.Transpose %x {perm = array<i64: 1, 0>} : (tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<2048x?xf32, #onnx.dims<["", "batch"]>>
  task.return %0 : tensor<2048x?xf32, #onnx.dims<["", "batch"]>>
}

// -----

// The samples after the first see the one before.
// CHECK: module {
// CHECK-NOT: task.batch
func.func @main(%x: tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["batch", ""]>> {
  %y = task.call @running_sum(%x) : (tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["batch", ""]>>
  return %y : tensor<?x2048xf32, #onnx.dims<["batch", ""]>>
}
task.def @running_sum(%x: tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["batch", ""]>> {
  %axis = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %0 = onnx.CumSum %x, %axis : (tensor<?x2048xf32, #onnx.dims<["batch", ""]>>, tensor<i64>) -> tensor<?x2048xf32, #onnx.dims<["batch", ""]>>
  task.return %0 : tensor<?x2048xf32, #onnx.dims<["batch", ""]>>
}

// -----

// Of two symbols one counts samples; the other stays for the run.
// CHECK: module attributes {task.batch = "batch"}
func.func @main(%x: tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>) -> tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>> {
  %y = task.call @along(%x) : (tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>) -> tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>
  return %y : tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>
}
task.def @along(%x: tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>) -> tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>> {
  %0 = onnx.Softmax %x {axis = 2 : i64} : (tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>) -> tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>
  task.return %0 : tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>
}

// -----

// What all samples share is read at the number of the sample: alone it would be another one.
// CHECK: module {
// CHECK-NOT: task.batch
func.func @main(%x: tensor<?x2048xi8, #onnx.dims<["n", ""]>>, %scales: tensor<?x2xf32, #onnx.dims<["m", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["n", ""]>> {
  %y = task.call @scale(%x, %scales) : (tensor<?x2048xi8, #onnx.dims<["n", ""]>>, tensor<?x2xf32, #onnx.dims<["m", ""]>>)
    -> tensor<?x2048xf32, #onnx.dims<["n", ""]>>
  return %y : tensor<?x2048xf32, #onnx.dims<["n", ""]>>
}
task.def @scale(%x: tensor<?x2048xi8, #onnx.dims<["n", ""]>>, %scales: tensor<?x2xf32, #onnx.dims<["m", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["n", ""]>> {
  %none = onnx.None
  %0 = onnx.DequantizeLinear %x, %scales, %none {axis = 1 : i64, block_size = 1024 : i64}
    : (tensor<?x2048xi8, #onnx.dims<["n", ""]>>, tensor<?x2xf32, #onnx.dims<["m", ""]>>, none) -> tensor<?x2048xf32, #onnx.dims<["n", ""]>>
  task.return %0 : tensor<?x2048xf32, #onnx.dims<["n", ""]>>
}

// -----

// A shape that is computed from the number of samples, and that the names of dimensions state.
// CHECK: module attributes {task.batch = "n"}
func.func @main(%x: tensor<?x2048xf32, #onnx.dims<["n", ""]>>, %token: tensor<1x2048xf32>) -> tensor<?x2048xf32, #onnx.dims<["n", ""]>> {
  %n = task.call @count(%x) : (tensor<?x2048xf32, #onnx.dims<["n", ""]>>) -> tensor<1xi64>
  %shape = task.call @append(%n) : (tensor<1xi64>) -> tensor<2xi64>
  %y = task.call @expand(%token, %shape) : (tensor<1x2048xf32>, tensor<2xi64>) -> tensor<?x2048xf32, #onnx.dims<["n", ""]>>
  return %y : tensor<?x2048xf32, #onnx.dims<["n", ""]>>
}
task.def @count(%x: tensor<?x2048xf32, #onnx.dims<["n", ""]>>) -> tensor<1xi64> {
  %0 = onnx.Shape %x {end = 1 : i64} : (tensor<?x2048xf32, #onnx.dims<["n", ""]>>) -> tensor<1xi64>
  task.return %0 : tensor<1xi64>
}
task.def @append(%n: tensor<1xi64>) -> tensor<2xi64> {
  %columns = onnx.Constant {value = dense<2048> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Concat %n, %columns {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  task.return %0 : tensor<2xi64>
}
task.def @expand(%token: tensor<1x2048xf32>, %shape: tensor<2xi64>) -> tensor<?x2048xf32, #onnx.dims<["n", ""]>> {
  %0 = onnx.Expand %token, %shape : (tensor<1x2048xf32>, tensor<2xi64>) -> tensor<?x2048xf32, #onnx.dims<["n", ""]>>
  task.return %0 : tensor<?x2048xf32, #onnx.dims<["n", ""]>>
}

// -----

// The number of samples is added to each of them: alone they have another one.
// CHECK: module {
// CHECK-NOT: task.batch
func.func @main(%x: tensor<?x2048xi64, #onnx.dims<["n", ""]>>) -> tensor<?x2048xi64, #onnx.dims<["n", ""]>> {
  %n = task.call @count(%x) : (tensor<?x2048xi64, #onnx.dims<["n", ""]>>) -> tensor<1xi64>
  %y = task.call @add(%x, %n) : (tensor<?x2048xi64, #onnx.dims<["n", ""]>>, tensor<1xi64>) -> tensor<?x2048xi64, #onnx.dims<["n", ""]>>
  return %y : tensor<?x2048xi64, #onnx.dims<["n", ""]>>
}
task.def @count(%x: tensor<?x2048xi64, #onnx.dims<["n", ""]>>) -> tensor<1xi64> {
  %0 = onnx.Shape %x {end = 1 : i64} : (tensor<?x2048xi64, #onnx.dims<["n", ""]>>) -> tensor<1xi64>
  task.return %0 : tensor<1xi64>
}
task.def @add(%x: tensor<?x2048xi64, #onnx.dims<["n", ""]>>, %n: tensor<1xi64>) -> tensor<?x2048xi64, #onnx.dims<["n", ""]>> {
  %0 = onnx.Add %x, %n : (tensor<?x2048xi64, #onnx.dims<["n", ""]>>, tensor<1xi64>) -> tensor<?x2048xi64, #onnx.dims<["n", ""]>>
  task.return %0 : tensor<?x2048xi64, #onnx.dims<["n", ""]>>
}
// -----

// Rows of a few numbers fill vectors together.
// CHECK: module {
// CHECK-NOT: task.batch
func.func @main(%x: tensor<?x6xf32, #onnx.dims<["n", ""]>>) -> tensor<?x6xf32, #onnx.dims<["n", ""]>> {
  %y = task.call @rows(%x) : (tensor<?x6xf32, #onnx.dims<["n", ""]>>) -> tensor<?x6xf32, #onnx.dims<["n", ""]>>
  return %y : tensor<?x6xf32, #onnx.dims<["n", ""]>>
}
task.def @rows(%x: tensor<?x6xf32, #onnx.dims<["n", ""]>>) -> tensor<?x6xf32, #onnx.dims<["n", ""]>> {
  %0 = onnx.Softmax %x {axis = 1 : i64} : (tensor<?x6xf32, #onnx.dims<["n", ""]>>) -> tensor<?x6xf32, #onnx.dims<["n", ""]>>
  task.return %0 : tensor<?x6xf32, #onnx.dims<["n", ""]>>
}

// -----

// But not in windows, which want known sizes.
// CHECK: module attributes {task.batch = "n"}
func.func @main(%x: tensor<?x6xf32, #onnx.dims<["n", ""]>>) -> tensor<?x8xf32, #onnx.dims<["n", ""]>> {
  %y = task.call @pad(%x) : (tensor<?x6xf32, #onnx.dims<["n", ""]>>) -> tensor<?x8xf32, #onnx.dims<["n", ""]>>
  return %y : tensor<?x8xf32, #onnx.dims<["n", ""]>>
}
task.def @pad(%x: tensor<?x6xf32, #onnx.dims<["n", ""]>>) -> tensor<?x8xf32, #onnx.dims<["n", ""]>> {
  %pads = onnx.Constant {value = dense<[0, 1, 0, 1]> : tensor<4xi64>} : tensor<4xi64>
  %none = onnx.None
  %0 = onnx.Pad %x, %pads, %none, %none {mode = "reflect"} : (tensor<?x6xf32, #onnx.dims<["n", ""]>>, tensor<4xi64>, none, none) -> tensor<?x8xf32, #onnx.dims<["n", ""]>>
  task.return %0 : tensor<?x8xf32, #onnx.dims<["n", ""]>>
}
