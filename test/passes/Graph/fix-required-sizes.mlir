// RUN: cameo-opt %s --require-sizes --fix-required-sizes --split-input-file | FileCheck %s

// Weights have four channels, so no other number runs. The argument keeps the name by which callers give it.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<?x?x?xf32, #onnx.dims<["n", "c", "l"]>>) -> tensor<?x8x?xf32, #onnx.dims<["n", "", "l"]>>
// CHECK-SAME: onnx.zero_sizes = [#dim.expr<"c - 4">
// CHECK: %[[FIXED:.*]] = onnx.Reshape %[[X]], {{.*}} -> tensor<?x4x?xf32, #onnx.dims<["n", "", "l"]>>
// CHECK: %[[RELU:.*]] = onnx.Relu %[[FIXED]] : {{.*}} -> tensor<?x4x?xf32, #onnx.dims<["n", "", "l"]>>
// CHECK: onnx.Conv %[[RELU]]
func.func @main(%x: tensor<?x?x?xf32, #onnx.dims<["n", "c", "l"]>>) -> tensor<?x8x?xf32, #onnx.dims<["n", "", "l"]>> {
  %w = onnx.Constant {value = dense<1.0> : tensor<8x4x1xf32>} : tensor<8x4x1xf32>
  %none = onnx.None
  %0 = onnx.Relu %x : (tensor<?x?x?xf32, #onnx.dims<["n", "c", "l"]>>) -> tensor<?x?x?xf32, #onnx.dims<["n", "c", "l"]>>
  %1 = onnx.Conv %0, %w, %none : (tensor<?x?x?xf32, #onnx.dims<["n", "c", "l"]>>, tensor<8x4x1xf32>, none) -> tensor<?x8x?xf32, #onnx.dims<["n", "", "l"]>>
  return %1 : tensor<?x8x?xf32, #onnx.dims<["n", "", "l"]>>
}

// -----

// A multiple of the size is a number.
// CHECK-LABEL: func.func @main
// CHECK: onnx.Reshape %{{.*}} -> tensor<2x4xf32>
// CHECK: onnx.Reshape %{{.*}} -> tensor<8xf32>
func.func @main(%x: tensor<?x4xf32, #onnx.dims<["n", ""]>>) -> tensor<8xf32> {
  %shape = onnx.Constant {value = dense<8> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Reshape %x, %shape : (tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// No number makes seven elements of rows of four, two numbers have this square, and a sum is no name.
// CHECK-LABEL: func.func @main
// CHECK-NOT: onnx.Reshape %x
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}} : tensor<7xf32>, tensor<4xf32>, tensor<5xf32>
func.func @main(%x: tensor<?x4xf32, #onnx.dims<["n", ""]>>, %y: tensor<?x?xf32, #onnx.dims<["m", "m"]>>, %z: tensor<?xf32, #onnx.dims<["a + b"]>>) -> (tensor<7xf32>, tensor<4xf32>, tensor<5xf32>) {
  %seven = onnx.Constant {value = dense<7> : tensor<1xi64>} : tensor<1xi64>
  %four = onnx.Constant {value = dense<4> : tensor<1xi64>} : tensor<1xi64>
  %five = onnx.Constant {value = dense<5> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Reshape %x, %seven : (tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>) -> tensor<7xf32>
  %1 = onnx.Reshape %y, %four : (tensor<?x?xf32, #onnx.dims<["m", "m"]>>, tensor<1xi64>) -> tensor<4xf32>
  %2 = onnx.Reshape %z, %five : (tensor<?xf32, #onnx.dims<["a + b"]>>, tensor<1xi64>) -> tensor<5xf32>
  return %0, %1, %2 : tensor<7xf32>, tensor<4xf32>, tensor<5xf32>
}

// -----

// Runs that take this branch are refused in it, and others are not: the module stays as it is.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<?xf32, #onnx.dims<["n"]>>, tensor<4xf32>)
// CHECK-NOT: tensor<4xf32>, tensor<5xf32>
func.func @main(%c: tensor<i1>, %x: tensor<?xf32, #onnx.dims<["n"]>>, %a: tensor<4xf32>, %b: tensor<5xf32>) -> (tensor<?xf32, #onnx.dims<["n"]>>, tensor<4xf32>) {
  %0 = onnx.Add %x, %b : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<5xf32>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %1 = onnx.Choose %c, %0, %x : (tensor<i1>, tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %2 = onnx.Add %x, %a : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<?xf32, #onnx.dims<["n"]>>, tensor<4xf32>
}

// -----

// What a run counts keeps its name.
// CHECK-LABEL: func.func @main
// CHECK: onnx.Prefix {{.*}} -> tensor<?xf32, #onnx.dims<["read.0"]>>
// CHECK: onnx.Add
func.func @main(%x: tensor<8xf32>, %count: tensor<i64>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Prefix %x, %count : (tensor<8xf32>, tensor<i64>) -> tensor<?xf32, #onnx.dims<["read.0"]>>
  %1 = onnx.Add %0, %a : (tensor<?xf32, #onnx.dims<["read.0"]>>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
