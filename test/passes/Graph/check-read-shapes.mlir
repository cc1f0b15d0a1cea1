// RUN: cameo-opt %s --check-read-shapes --split-input-file | FileCheck %s
// RUN: cameo-opt %s --check-read-shapes --require-sizes --split-input-file | FileCheck %s --check-prefix=SIZES
// For GPUs, which have no counts.
// RUN: cameo-opt %s --pass-pipeline="builtin.module(func.func(check-read-shapes{compare-all=false}))" --split-input-file | FileCheck %s --check-prefix=GPU

// Both results end a run whose K is another number, so that either may be all that is used.
// CHECK-LABEL: func.func @a_count
// GPU-LABEL: func.func @a_count
// GPU: onnx.Prefix
// CHECK: %[[Y:.+]], %[[I:.+]] = onnx.TopK
// CHECK: onnx.Equal
// CHECK: %[[RIGHT:.+]] = onnx.ReduceMin
// CHECK: %[[WRONG:.+]] = onnx.Sub %{{.+}}, %[[RIGHT]]
// CHECK: %[[ROWS:.+]] = onnx.Shape %[[Y]] {end = 1 : i64}
// CHECK: %[[MORE:.+]] = onnx.Add %[[ROWS]]
// CHECK: %[[LESS:.+]] = onnx.Mul %[[WRONG]], %[[MORE]]
// CHECK: %[[DIFFERENCE:.+]] = onnx.Sub %[[ROWS]], %[[LESS]]
// CHECK: %[[COUNT:.+]] = onnx.Reshape %[[DIFFERENCE]]
// CHECK: %[[PREFIX:.+]] = onnx.Prefix %[[Y]], %[[COUNT]] : {{.*}} -> tensor<?x2xf32, #onnx.dims<["read.0", ""]>>
// CHECK: %[[FIRST:.+]] = onnx.Reshape %[[PREFIX]], {{.*}} -> tensor<3x2xf32>
// CHECK: onnx.Prefix %[[I]], {{.*}} -> tensor<?x2xi64, #onnx.dims<["read.1", ""]>>
// CHECK: %[[SECOND:.+]] = onnx.Reshape
// CHECK: return %[[FIRST]], %[[SECOND]]
// SIZES-LABEL: func.func @a_count
// SIZES-SAME: onnx.zero_sizes = [#dim.expr<"2*read.0 - 6">, #dim.expr<"2*read.1 - 6">]
func.func @a_count(%x: tensor<3x6xf32>, %k: tensor<1xi64>) -> (tensor<3x2xf32>, tensor<3x2xi64>) {
  %0:2 = "onnx.TopK"(%x, %k) : (tensor<3x6xf32>, tensor<1xi64>) -> (tensor<3x2xf32>, tensor<3x2xi64>)
  return %0#0, %0#1 : tensor<3x2xf32>, tensor<3x2xi64>
}

// -----

// CHECK-LABEL: func.func @known_axes_read_nothing
// CHECK-NOT: onnx.Prefix
// CHECK: return
func.func @known_axes_read_nothing(%x: tensor<3x4xf32>) -> tensor<3xf32> {
  %axes = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %0 = "onnx.ReduceSum"(%x, %axes) {keepdims = 0 : i64} : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// A result of rank 0 has one row.
// CHECK-LABEL: func.func @a_scalar
// CHECK: %[[Y:.+]] = onnx.ReduceSum
// CHECK: %[[ROW:.+]] = onnx.Reshape %[[Y]], {{.*}} -> tensor<1xf32>
// CHECK: onnx.Prefix %[[ROW]]
// CHECK: -> tensor<f32>
// CHECK: return
func.func @a_scalar(%x: tensor<3xf32>, %axes: tensor<1xi64>) -> tensor<f32> {
  %0 = "onnx.ReduceSum"(%x, %axes) {keepdims = 0 : i64} : (tensor<3xf32>, tensor<1xi64>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// The name of a dimension of the model is left to it.
// CHECK-LABEL: func.func @names_differ
// CHECK: onnx.Prefix {{.*}} -> tensor<?x4xf32, #onnx.dims<["read.1", ""]>>
func.func @names_differ(%x: tensor<?x2xf32, #onnx.dims<["read.0", ""]>>, %repeats: tensor<2xi64>) -> tensor<?x4xf32, #onnx.dims<["read.0", ""]>> {
  %0 = "onnx.Tile"(%x, %repeats) : (tensor<?x2xf32, #onnx.dims<["read.0", ""]>>, tensor<2xi64>) -> tensor<?x4xf32, #onnx.dims<["read.0", ""]>>
  return %0 : tensor<?x4xf32, #onnx.dims<["read.0", ""]>>
}

// -----

// The shape is the same along every axis, of which the run may name none.
// CHECK-LABEL: func.func @an_axis
// GPU-LABEL: func.func @an_axis
// GPU-NOT: onnx.Prefix
// CHECK: onnx.CumProd
// CHECK: onnx.Equal
// CHECK: onnx.Prefix
// CHECK: onnx.CumSum
// CHECK: onnx.Equal
// CHECK: onnx.Prefix
// CHECK: return
func.func @an_axis(%x: tensor<3x4xf32>, %axis: tensor<i64>) -> tensor<3x4xf32> {
  %0 = "onnx.CumProd"(%x, %axis) : (tensor<3x4xf32>, tensor<i64>) -> tensor<3x4xf32>
  %1 = "onnx.CumSum"(%0, %axis) : (tensor<3x4xf32>, tensor<i64>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// -----

// How many numbers are read is compared, too; as many as fit are looked at.
// CHECK-LABEL: func.func @an_open_count
// GPU-LABEL: func.func @an_open_count
// GPU-NOT: onnx.Prefix
// CHECK: onnx.Reshape
// CHECK-DAG: %[[COUNT:.+]] = onnx.Shape %arg1
// CHECK-DAG: onnx.Equal %[[COUNT]], %{{.+}}
// CHECK-DAG: %[[MORE:.+]] = onnx.Concat %arg1, %{{.+}}
// CHECK-DAG: onnx.Gather %[[MORE]], {{.*}} -> tensor<2xi64>
// CHECK: onnx.Prefix
func.func @an_open_count(%x: tensor<2x3xf32>, %shape: tensor<?xi64, #onnx.dims<["n"]>>) -> tensor<3x2xf32> {
  %0 = "onnx.Reshape"(%x, %shape) : (tensor<2x3xf32>, tensor<?xi64, #onnx.dims<["n"]>>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
