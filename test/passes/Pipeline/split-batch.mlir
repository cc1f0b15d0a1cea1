// RUN: cameo-opt %s --split-batch --split-input-file | FileCheck %s

// Independent rows: the model of one, with the same nodes. Of two symbols the other one stays for the run.
//       CHECK: module attributes {task.batch = "batch"}
//       CHECK: func.func @main(%{{.*}}: tensor<1x?x64xf32, #onnx.dims<["", "seq", ""]>> {onnx.name = "x", task.per_sample}, %{{.*}}: tensor<1xf32> {onnx.name = "b"})
//  CHECK-SAME:   -> (tensor<1x?x64xf32, #onnx.dims<["", "seq", ""]>> {onnx.name = "y", task.per_sample})
//  CHECK-NEXT:   %[[SUM:.*]] = onnx.Add
//  CHECK-NEXT:   onnx.Softmax %[[SUM]]
//  CHECK-NEXT:   return
//  CHECK-NEXT: }
//  CHECK-NEXT: {{^}$}}
func.func @main(%x: tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>> {onnx.name = "x"}, %b: tensor<1xf32> {onnx.name = "b"})
    -> (tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>> {onnx.name = "y"}) {
  %0 = onnx.Add %x, %b : (tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>, tensor<1xf32>) -> tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>
  %1 = onnx.Softmax %0 {axis = 2 : i64} : (tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>) -> tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>
  return %1 : tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>
}

// -----

// A softmax over the samples mixes them.
//   CHECK-NOT: task.batch
//       CHECK: func.func @main(%{{.*}}: tensor<?x2048xf32, #onnx.dims<["batch", ""]>>)
//       CHECK:   return
//  CHECK-NEXT: }
//  CHECK-NEXT: {{^}$}}
func.func @main(%x: tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["batch", ""]>> {
  %0 = onnx.Softmax %x {axis = 0 : i64} : (tensor<?x2048xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x2048xf32, #onnx.dims<["batch", ""]>>
  return %0 : tensor<?x2048xf32, #onnx.dims<["batch", ""]>>
}

// -----

// What has no code is no error here.
//   CHECK-NOT: task.batch
//       CHECK: onnx.Reshape
func.func @main(%x: tensor<?x2048xf32, #onnx.dims<["batch", ""]>>, %shape: tensor<1xi64>) -> tensor<?xf32> {
  %0 = onnx.Reshape %x, %shape : (tensor<?x2048xf32, #onnx.dims<["batch", ""]>>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// All sizes are known, and the caches hold all samples.
//   CHECK-NOT: task.batch
//       CHECK: onnx.Relu %{{.*}} : (tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What the caller has in memory is read and written once either way.
//   CHECK-NOT: task.batch
//       CHECK: onnx.AveragePool
func.func @main(%x: tensor<3x32x128x128xf32>) -> tensor<3x32x128x128xf32> {
  %0 = onnx.AveragePool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<3x32x128x128xf32>) -> tensor<3x32x128x128xf32>
  return %0 : tensor<3x32x128x128xf32>
}

// -----

// A known number of large samples runs one by one: what the pools of one exchange are 2 MB.
//       CHECK: module attributes {task.batch = 3 : i64}
//       CHECK: func.func @main(%{{.*}}: tensor<1x32x128x128xf32> {task.per_sample}) -> (tensor<1x32x128x128xf32> {task.per_sample})
func.func @main(%x: tensor<3x32x128x128xf32>) -> tensor<3x32x128x128xf32> {
  %p = onnx.AveragePool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<3x32x128x128xf32>) -> tensor<3x32x128x128xf32>
  %0 = onnx.AveragePool %p {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<3x32x128x128xf32>) -> tensor<3x32x128x128xf32>
  return %0 : tensor<3x32x128x128xf32>
}

// -----

// Of small ones as many run together as the caches hold.
//       CHECK: module attributes {task.batch = 2 : i64}
//       CHECK: tensor<8x32x64x64xf32> {task.per_sample}
func.func @main(%x: tensor<16x32x64x64xf32>) -> tensor<16x32x64x64xf32> {
  %p = onnx.AveragePool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<16x32x64x64xf32>) -> tensor<16x32x64x64xf32>
  %0 = onnx.AveragePool %p {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<16x32x64x64xf32>) -> tensor<16x32x64x64xf32>
  return %0 : tensor<16x32x64x64xf32>
}

// -----

// The other inputs are the same for all samples. What a Reshape and an Expand state follows the number of samples.
//       CHECK: module attributes {task.batch = 4 : i64}
//       CHECK: func.func @main(%{{.*}}: tensor<1x32x128x128xf32> {task.per_sample}, %{{.*}}: tensor<1x32x1x1xf32>)
//  CHECK-SAME:   -> (tensor<2x16x16384xf32> {task.per_sample}, tensor<1x32xf32> {task.per_sample})
func.func @main(%x: tensor<4x32x128x128xf32>, %b: tensor<1x32x1x1xf32>) -> (tensor<8x16x16384xf32>, tensor<4x32xf32>) {
  %p = onnx.AveragePool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<4x32x128x128xf32>) -> tensor<4x32x128x128xf32>
  %0 = onnx.AveragePool %p {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<4x32x128x128xf32>) -> tensor<4x32x128x128xf32>
  %1 = onnx.Add %0, %b : (tensor<4x32x128x128xf32>, tensor<1x32x1x1xf32>) -> tensor<4x32x128x128xf32>
  %shape = onnx.Constant {value = dense<[8, 16, 16384]> : tensor<3xi64>} : tensor<3xi64>
  %2 = onnx.Reshape %1, %shape : (tensor<4x32x128x128xf32>, tensor<3xi64>) -> tensor<8x16x16384xf32>
  %token = onnx.Constant {value = dense<1.0> : tensor<1x32xf32>} : tensor<1x32xf32>
  %each = onnx.Constant {value = dense<[4, 32]> : tensor<2xi64>} : tensor<2xi64>
  %3 = onnx.Expand %token, %each : (tensor<1x32xf32>, tensor<2xi64>) -> tensor<4x32xf32>
  return %2, %3 : tensor<8x16x16384xf32>, tensor<4x32xf32>
}

// -----

// A constant has values for each of the samples.
//   CHECK-NOT: task.batch
//       CHECK: onnx.AveragePool
func.func @main(%x: tensor<4x32x128x128xf32>) -> tensor<4x32x128x128xf32> {
  %p = onnx.AveragePool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<4x32x128x128xf32>) -> tensor<4x32x128x128xf32>
  %0 = onnx.AveragePool %p {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<4x32x128x128xf32>) -> tensor<4x32x128x128xf32>
  %1 = onnx.Constant {value = dense<[[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]]> : tensor<4x1x1x1xf32>} : tensor<4x1x1x1xf32>
  %2 = onnx.Add %0, %1 : (tensor<4x32x128x128xf32>, tensor<4x1x1x1xf32>) -> tensor<4x32x128x128xf32>
  return %2 : tensor<4x32x128x128xf32>
}

// -----

// Results of all samples follow each other, then all of them again.
//   CHECK-NOT: task.batch
//       CHECK: onnx.AveragePool
func.func @main(%x: tensor<4x32x128x128xf32>) -> tensor<128x4x16384xf32> {
  %p = onnx.AveragePool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<4x32x128x128xf32>) -> tensor<4x32x128x128xf32>
  %0 = onnx.AveragePool %p {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<4x32x128x128xf32>) -> tensor<4x32x128x128xf32>
  %shape = onnx.Constant {value = dense<[32, 4, 16384]> : tensor<3xi64>} : tensor<3xi64>
  %1 = onnx.Reshape %0, %shape : (tensor<4x32x128x128xf32>, tensor<3xi64>) -> tensor<32x4x16384xf32>
  %2 = onnx.Concat %1, %1, %1, %1 {axis = 0 : i64} : (tensor<32x4x16384xf32>, tensor<32x4x16384xf32>, tensor<32x4x16384xf32>, tensor<32x4x16384xf32>) -> tensor<128x4x16384xf32>
  return %2 : tensor<128x4x16384xf32>
}

// -----

// Rows of two samples become one.
//   CHECK-NOT: task.batch
//       CHECK: onnx.AveragePool
func.func @main(%x: tensor<4x32x128x128xf32>) -> tensor<2x64x16384xf32> {
  %p = onnx.AveragePool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<4x32x128x128xf32>) -> tensor<4x32x128x128xf32>
  %0 = onnx.AveragePool %p {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<4x32x128x128xf32>) -> tensor<4x32x128x128xf32>
  %shape = onnx.Constant {value = dense<[2, 64, 16384]> : tensor<3xi64>} : tensor<3xi64>
  %1 = onnx.Reshape %0, %shape : (tensor<4x32x128x128xf32>, tensor<3xi64>) -> tensor<2x64x16384xf32>
  return %1 : tensor<2x64x16384xf32>
}

// -----

// Tiles of small planes are counted over all images.
//   CHECK-NOT: task.batch
//       CHECK: onnx.Conv %{{.*}} : (tensor<?x32x8x8xf32
func.func @main(%x: tensor<?x32x8x8xf32, #onnx.dims<["batch", "", "", ""]>>) -> (tensor<?x32x8x8xf32, #onnx.dims<["batch", "", "", ""]>>) {
  %w = onnx.Constant {value = dense<1.0> : tensor<32x32x3x3xf32>} : tensor<32x32x3x3xf32>
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x32x8x8xf32, #onnx.dims<["batch", "", "", ""]>>, tensor<32x32x3x3xf32>, none) -> tensor<?x32x8x8xf32, #onnx.dims<["batch", "", "", ""]>>
  return %0 : tensor<?x32x8x8xf32, #onnx.dims<["batch", "", "", ""]>>
}

// -----

// Larger planes have tiles enough in one image.
//       CHECK: module attributes {task.batch = "batch"}
//       CHECK: onnx.Conv %{{.*}} : (tensor<1x32x9x8xf32
func.func @main(%x: tensor<?x32x9x8xf32, #onnx.dims<["batch", "", "", ""]>>) -> (tensor<?x32x9x8xf32, #onnx.dims<["batch", "", "", ""]>>) {
  %w = onnx.Constant {value = dense<1.0> : tensor<32x32x3x3xf32>} : tensor<32x32x3x3xf32>
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none {pads = array<i64: 1, 1, 1, 1>} : (tensor<?x32x9x8xf32, #onnx.dims<["batch", "", "", ""]>>, tensor<32x32x3x3xf32>, none) -> tensor<?x32x9x8xf32, #onnx.dims<["batch", "", "", ""]>>
  return %0 : tensor<?x32x9x8xf32, #onnx.dims<["batch", "", "", ""]>>
}
