// RUN: cameo-opt %s --plan-buffers -split-input-file -verify-diagnostics | FileCheck %s

// The cache is copied where the caller has two buffers, and rows are written behind that.
// CHECK-LABEL: func.func @main
// CHECK: task.copy %arg0, %arg3 unless_same : memref<?xf32>, memref<?xf32>
// CHECK: task.write_rows %arg1, %arg3 at %arg2 extents [2, 4, #dim.expr<"rows">, 3, 8] : memref<192xf32>, memref<?xf32>, memref<2xi64>
func.func @main(%past: tensor<2x4x?x8xf32, #onnx.dims<["", "", "rows", ""]>>, %rows: tensor<2x4x3x8xf32>, %places: tensor<2xi64>)
    -> tensor<2x4x?x8xf32, #onnx.dims<["", "", "rows", ""]>> {
  %0 = task.update %past, %rows at %places axis 2
      : tensor<2x4x?x8xf32, #onnx.dims<["", "", "rows", ""]>>, tensor<2x4x3x8xf32>, tensor<2xi64> -> tensor<2x4x?x8xf32, #onnx.dims<["", "", "rows", ""]>>
  return %0 : tensor<2x4x?x8xf32, #onnx.dims<["", "", "rows", ""]>>
}

// -----

func.func @main(%past: tensor<2x64x8xf32>, %rows: tensor<2x3x8xf32>, %places: tensor<2xi64>) -> (tensor<2x64x8xf32>, tensor<2x64x8xf32>) {
  // expected-error @below {{expected an input of @main without other uses, and a result that is an output of @main}}
  %0 = task.update %past, %rows at %places axis 1 : tensor<2x64x8xf32>, tensor<2x3x8xf32>, tensor<2xi64> -> tensor<2x64x8xf32>
  return %0, %past : tensor<2x64x8xf32>, tensor<2x64x8xf32>
}
