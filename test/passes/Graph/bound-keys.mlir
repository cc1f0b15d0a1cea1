// RUN: cameo-opt %s --bound-keys --split-input-file | FileCheck %s

// Nodes with the same lengths read as many rows.
// CHECK-LABEL: @rows_that_count
// CHECK: %[[LONGEST:.*]] = onnx.ReduceMax %[[LENGTHS:[^ ,]*]],
// CHECK: %[[MOST:.*]] = onnx.Max %[[LONGEST]]
// CHECK: %[[COUNT:.*]] = onnx.Min %[[MOST]]
// CHECK: %[[PREFIX:.*]] = onnx.Prefix %{{.*}}, %[[COUNT]] : {{.*}} -> tensor<?xi64, #onnx.dims<["rows_that_count.keys.0"]>>
// CHECK: %[[SIZE:.*]] = onnx.Shape %[[PREFIX]]
// CHECK: %[[K:.*]] = onnx.Slice %{{.*}}, %{{.*}}, %[[SIZE]]
// CHECK: %[[V:.*]] = onnx.Slice %{{.*}}, %{{.*}}, %[[SIZE]]
// CHECK: onnx.Attention %{{.*}}, %[[K]], %[[V]]
// CHECK-NOT: onnx.Prefix
// CHECK: %[[MASK:.*]] = onnx.Slice %{{.*}}, %{{.*}}, %[[SIZE]], %{{.*}} -> tensor<2x1x1x?xf32, #onnx.dims<["", "", "", "rows_that_count.keys.0"]>>
// CHECK: onnx.Attention %{{.*}}, %{{.*}}, %{{.*}}, %[[MASK]]
func.func @rows_that_count(%q: tensor<2x4x1x8xf32>, %k: tensor<2x2x256x8xf32>, %v: tensor<2x2x256x8xf32>, %lengths: tensor<2xi64>, %mask: tensor<2x1x1x256xf32>)
    -> (tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>) {
  %none = onnx.None
  %0, %pk0, %pv0, %qk0 = onnx.Attention %q, %k, %v, %none, %none, %none, %lengths : (tensor<2x4x1x8xf32>, tensor<2x2x256x8xf32>, tensor<2x2x256x8xf32>, none, none, none, tensor<2xi64>) -> (tensor<2x4x1x8xf32>, none, none, none)
  %1, %pk1, %pv1, %qk1 = onnx.Attention %q, %k, %v, %mask, %none, %none, %lengths : (tensor<2x4x1x8xf32>, tensor<2x2x256x8xf32>, tensor<2x2x256x8xf32>, tensor<2x1x1x256xf32>, none, none, tensor<2xi64>) -> (tensor<2x4x1x8xf32>, none, none, none)
  return %0, %1 : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>
}

// -----

// Scores of all keys are an output.
// CHECK-LABEL: @scores_of_all
// CHECK-NOT: onnx.Prefix
func.func @scores_of_all(%q: tensor<2x4x1x8xf32>, %k: tensor<2x4x256x8xf32>, %lengths: tensor<2xi64>) -> tensor<2x4x1x256xf32> {
  %none = onnx.None
  %0, %pk, %pv, %qk = onnx.Attention %q, %k, %k, %none, %none, %none, %lengths : (tensor<2x4x1x8xf32>, tensor<2x4x256x8xf32>, tensor<2x4x256x8xf32>, none, none, none, tensor<2xi64>) -> (tensor<2x4x1x8xf32>, none, none, tensor<2x4x1x256xf32>)
  return %qk : tensor<2x4x1x256xf32>
}

// -----

// CHECK-LABEL: @few_rows
// CHECK-NOT: onnx.Prefix
func.func @few_rows(%q: tensor<2x4x1x8xf32>, %k: tensor<2x4x32x8xf32>, %lengths: tensor<2xi64>) -> tensor<2x4x1x8xf32> {
  %none = onnx.None
  %0, %pk, %pv, %qk = onnx.Attention %q, %k, %k, %none, %none, %none, %lengths : (tensor<2x4x1x8xf32>, tensor<2x4x32x8xf32>, tensor<2x4x32x8xf32>, none, none, none, tensor<2xi64>) -> (tensor<2x4x1x8xf32>, none, none, none)
  return %0 : tensor<2x4x1x8xf32>
}

// -----

// The run makes the cache longer by the rows that it writes.
// CHECK-LABEL: @grown
// CHECK-NOT: onnx.Prefix
func.func @grown(%q: tensor<2x4x1x8xf32>, %past: tensor<2x4x255x8xf32>, %row: tensor<2x4x1x8xf32>, %lengths: tensor<2xi64>) -> tensor<2x4x1x8xf32> {
  %none = onnx.None
  %joined = onnx.Concat %past, %row {axis = 2 : i64} : (tensor<2x4x255x8xf32>, tensor<2x4x1x8xf32>) -> tensor<2x4x256x8xf32>
  %k = onnx.TensorScatter %joined, %row, %lengths {axis = 2 : i64} : (tensor<2x4x256x8xf32>, tensor<2x4x1x8xf32>, tensor<2xi64>) -> tensor<2x4x256x8xf32>
  %0, %pk, %pv, %qk = onnx.Attention %q, %k, %k, %none, %none, %none, %lengths : (tensor<2x4x1x8xf32>, tensor<2x4x256x8xf32>, tensor<2x4x256x8xf32>, none, none, none, tensor<2xi64>) -> (tensor<2x4x1x8xf32>, none, none, none)
  return %0 : tensor<2x4x1x8xf32>
}

// -----

// Nearly all rows count.
// CHECK-LABEL: @prompt
// CHECK-NOT: onnx.Prefix
func.func @prompt(%q: tensor<2x4x129x8xf32>, %k: tensor<2x4x256x8xf32>, %lengths: tensor<2xi64>) -> tensor<2x4x129x8xf32> {
  %none = onnx.None
  %0, %pk, %pv, %qk = onnx.Attention %q, %k, %k, %none, %none, %none, %lengths : (tensor<2x4x129x8xf32>, tensor<2x4x256x8xf32>, tensor<2x4x256x8xf32>, none, none, none, tensor<2xi64>) -> (tensor<2x4x129x8xf32>, none, none, none)
  return %0 : tensor<2x4x129x8xf32>
}
