// RUN: cameo-opt %s --decompose-ops | FileCheck %s

// CHECK-LABEL: @writes_out_same_padding
// CHECK: onnx.Conv {{.*}} {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 0, 0, 1, 1>, strides = array<i64: 2, 2>}
func.func @writes_out_same_padding(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32> {
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, none) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: @turns_output_shape_into_pads
// CHECK: onnx.ConvTranspose {{.*}} output_padding = array<i64: 0>, pads = array<i64: 1, 0>, strides = array<i64: 2>}
func.func @turns_output_shape_into_pads(%x: tensor<1x2x4xf32>, %w: tensor<2x3x3xf32>) -> tensor<1x3x8xf32> {
  %none = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %none {output_shape = array<i64: 8>, strides = array<i64: 2>} : (tensor<1x2x4xf32>, tensor<2x3x3xf32>, none) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// The last window hangs over the end: that is padding.
// CHECK-LABEL: @pads_for_ceil_mode
// CHECK: onnx.MaxPool %arg0 {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 0, 0, 1, 1>, strides = array<i64: 2, 2>}
func.func @pads_for_ceil_mode(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32> {
  %0, %1 = onnx.MaxPool %x {ceil_mode = 1 : i64, kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x2x8x8xf32>) -> (tensor<1x2x4x4xf32>, none)
  return %0 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_ceil_mode_where_padding_counts
// CHECK: onnx.AveragePool {{.*}}ceil_mode = 1
func.func @keeps_ceil_mode_where_padding_counts(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32> {
  %0 = onnx.AveragePool %x {ceil_mode = 1 : i64, count_include_pad = 1 : i64, kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @frees_gemm_of_factors_and_transposition
// CHECK: %[[W:.*]] = onnx.Constant {value = dense<1.000000e+00> : tensor<4x3xf32>}
// CHECK: onnx.Gemm %arg0, %[[W]], %{{.*}} : (tensor<2x4xf32>, tensor<4x3xf32>, none) -> tensor<2x3xf32>
func.func @frees_gemm_of_factors_and_transposition(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %none = onnx.None
  %w = onnx.Constant {value = dense<2.0> : tensor<3x4xf32>} : tensor<3x4xf32>
  %0 = onnx.Gemm %x, %w, %none {alpha = 0.5 : f32, beta = 2.0 : f32, transB = 1 : i64} : (tensor<2x4xf32>, tensor<3x4xf32>, none) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @writes_split_as_slices
// CHECK: onnx.Slice %arg0, {{.*}} -> tensor<2x2xf32>
// CHECK: onnx.Slice %arg0, {{.*}} -> tensor<2x3xf32>
// CHECK-NOT: onnx.Split
func.func @writes_split_as_slices(%x: tensor<2x5xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>) {
  %sizes = onnx.Constant {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  %0:2 = onnx.Split %x, %sizes {axis = -1 : i64} : (tensor<2x5xf32>, tensor<2xi64>) -> (tensor<2x2xf32>, tensor<2x3xf32>)
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: @takes_one_index_as_slice
// CHECK-DAG: dense<2> : tensor<1xi64>
// CHECK-DAG: dense<3> : tensor<1xi64>
// CHECK: %[[S:.*]] = onnx.Slice %arg0, {{.*}} -> tensor<2x1x5xf32>
// CHECK: onnx.Reshape %[[S]]{{.*}} -> tensor<2x5xf32>
func.func @takes_one_index_as_slice(%x: tensor<2x3x5xf32>) -> tensor<2x5xf32> {
  %index = onnx.Constant {value = dense<-1> : tensor<i64>} : tensor<i64>
  %0 = onnx.Gather %x, %index {axis = 1 : i64} : (tensor<2x3x5xf32>, tensor<i64>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// CHECK-LABEL: @reshapes_around_a_transpose_for_depth_to_space
// CHECK: onnx.Reshape %arg0{{.*}} -> tensor<1x2x2x3x4x5xf32>
// CHECK: onnx.Transpose {{.*}} {perm = array<i64: 0, 3, 4, 1, 5, 2>}
// CHECK: onnx.Reshape {{.*}} -> tensor<1x3x8x10xf32>
func.func @reshapes_around_a_transpose_for_depth_to_space(%x: tensor<1x12x4x5xf32>) -> tensor<1x3x8x10xf32> {
  %0 = onnx.DepthToSpace %x {blocksize = 2 : i64} : (tensor<1x12x4x5xf32>) -> tensor<1x3x8x10xf32>
  return %0 : tensor<1x3x8x10xf32>
}

// CHECK-LABEL: @keeps_reduced_dimensions
// CHECK: %[[R:.*]] = onnx.ReduceMean %arg0, %{{.*}} : (tensor<2x3x5xf32>, tensor<1xi64>) -> tensor<2x3x1xf32>
// CHECK: onnx.Reshape %[[R]], {{.*}} -> tensor<2x3xf32>
func.func @keeps_reduced_dimensions(%x: tensor<2x3x5xf32>) -> tensor<2x3xf32> {
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.ReduceMean %x, %axes {keepdims = 0 : i64} : (tensor<2x3x5xf32>, tensor<1xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// The dimensions that these change are known, whatever the others are.
// CHECK-LABEL: @decomposes_with_dynamic_sizes
// CHECK-DAG: onnx.Slice %arg0, {{.*}} -> tensor<?x?x2xf32, #onnx.dims<["b", "s", ""]>>
// CHECK-DAG: onnx.Slice %arg0, {{.*}} -> tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>
// CHECK-DAG: %[[S:.*]] = onnx.Slice %arg1, {{.*}} -> tensor<1x?x?x4xf32, #onnx.dims<["", "b", "s", ""]>>
// CHECK-DAG: onnx.Reshape %[[S]], {{.*}} -> tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>
// CHECK-DAG: %[[R:.*]] = onnx.ReduceMax {{.*}} -> tensor<?x?x1xf32, #onnx.dims<["b", "s", ""]>>
// CHECK-DAG: onnx.Reshape %[[R]], {{.*}} -> tensor<?x?xf32, #onnx.dims<["b", "s"]>>
// CHECK-DAG: %[[A:.*]] = onnx.Add %arg2, %arg2
// CHECK-DAG: onnx.Add %[[A]], %arg2
// CHECK-DAG: onnx.Reshape %arg3, {{.*}} -> tensor<?x?xf32, #onnx.dims<["b", "3*w"]>>
// CHECK: return
func.func @decomposes_with_dynamic_sizes(%x: tensor<?x?x6xf32, #onnx.dims<["b", "s", ""]>>, %y: tensor<3x?x?x4xf32, #onnx.dims<["", "b", "s", ""]>>, %z: tensor<?x4xf32, #onnx.dims<["n", ""]>>, %f: tensor<?x3x?xf32, #onnx.dims<["b", "", "w"]>>) -> (tensor<?x?x2xf32, #onnx.dims<["b", "s", ""]>>, tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>, tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>, tensor<?x?xf32, #onnx.dims<["b", "s"]>>, tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<?x?xf32, #onnx.dims<["b", "3*w"]>>) {
  %sizes = onnx.Constant {value = dense<[2, 4]> : tensor<2xi64>} : tensor<2xi64>
  %index = onnx.Constant {value = dense<1> : tensor<i64>} : tensor<i64>
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %0:2 = onnx.Split %x, %sizes {axis = -1 : i64} : (tensor<?x?x6xf32, #onnx.dims<["b", "s", ""]>>, tensor<2xi64>) -> (tensor<?x?x2xf32, #onnx.dims<["b", "s", ""]>>, tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>)
  %1 = onnx.Gather %y, %index : (tensor<3x?x?x4xf32, #onnx.dims<["", "b", "s", ""]>>, tensor<i64>) -> tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>
  %2 = onnx.ReduceMax %x, %axes {keepdims = 0 : i64} : (tensor<?x?x6xf32, #onnx.dims<["b", "s", ""]>>, tensor<1xi64>) -> tensor<?x?xf32, #onnx.dims<["b", "s"]>>
  %3 = onnx.Sum %z, %z, %z : (tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<?x4xf32, #onnx.dims<["n", ""]>>) -> tensor<?x4xf32, #onnx.dims<["n", ""]>>
  %4 = onnx.Flatten %f : (tensor<?x3x?xf32, #onnx.dims<["b", "", "w"]>>) -> tensor<?x?xf32, #onnx.dims<["b", "3*w"]>>
  return %0#0, %0#1, %1, %2, %3, %4 : tensor<?x?x2xf32, #onnx.dims<["b", "s", ""]>>, tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>, tensor<?x?x4xf32, #onnx.dims<["b", "s", ""]>>, tensor<?x?xf32, #onnx.dims<["b", "s"]>>, tensor<?x4xf32, #onnx.dims<["n", ""]>>, tensor<?x?xf32, #onnx.dims<["b", "3*w"]>>
}

// CHECK-LABEL: @transposes_dynamic_planes_for_depth_to_space
// CHECK: %[[R:.*]] = onnx.Reshape %arg0, {{.*}} -> tensor<?x2x2x3x?x?xf32, #onnx.dims<["b", "", "", "", "h", "w"]>>
// CHECK: %[[T:.*]] = onnx.Transpose %[[R]] {perm = array<i64: 0, 3, 4, 1, 5, 2>}
// CHECK: onnx.Reshape %[[T]], {{.*}} -> tensor<?x3x?x?xf32, #onnx.dims<["b", "", "2*h", "2*w"]>>
func.func @transposes_dynamic_planes_for_depth_to_space(%x: tensor<?x12x?x?xf32, #onnx.dims<["b", "", "h", "w"]>>) -> tensor<?x3x?x?xf32, #onnx.dims<["b", "", "2*h", "2*w"]>> {
  %0 = onnx.DepthToSpace %x {blocksize = 2 : i64} : (tensor<?x12x?x?xf32, #onnx.dims<["b", "", "h", "w"]>>) -> tensor<?x3x?x?xf32, #onnx.dims<["b", "", "2*h", "2*w"]>>
  return %0 : tensor<?x3x?x?xf32, #onnx.dims<["b", "", "2*h", "2*w"]>>
}

// CHECK-LABEL: @chains_sums
// CHECK: %[[A:.*]] = onnx.Add %arg0, %arg1
// CHECK: onnx.Add %[[A]], %arg2
func.func @chains_sums(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = onnx.Sum %a, %b, %c : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @counts_axes_from_the_front
// CHECK: onnx.Softmax %arg0 {axis = 1 : i64}
func.func @counts_axes_from_the_front(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Softmax %x {axis = -1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @clamps_slice_bounds
// CHECK-DAG: %[[START:.*]] = onnx.Constant {value = dense<1> : tensor<1xi64>}
// CHECK-DAG: %[[END:.*]] = onnx.Constant {value = dense<5> : tensor<1xi64>}
// CHECK: onnx.Slice %arg0, %[[START]], %[[END]], %[[START]], %[[START]]
func.func @clamps_slice_bounds(%x: tensor<3x5xf32>) -> tensor<3x4xf32> {
  %none = onnx.None
  %starts = onnx.Constant {value = dense<[0, -4]> : tensor<2xi64>} : tensor<2xi64>
  %ends = onnx.Constant {value = dense<9223372036854775807> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Slice %x, %starts, %ends, %none, %none : (tensor<3x5xf32>, tensor<2xi64>, tensor<2xi64>, none, none) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: @states_pads_of_all_dimensions
// CHECK-DAG: %[[PADS:.*]] = onnx.Constant {value = dense<[0, 1, 0, 2]> : tensor<4xi64>}
// CHECK-DAG: %[[NONE:.*]] = onnx.None
// CHECK: onnx.Pad %arg0, %[[PADS]], %[[NONE]], %[[NONE]]
func.func @states_pads_of_all_dimensions(%x: tensor<3x5xf32>) -> tensor<3x8xf32> {
  %pads = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %axes = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<f32>} : tensor<f32>
  %0 = onnx.Pad %x, %pads, %zero, %axes : (tensor<3x5xf32>, tensor<2xi64>, tensor<f32>, tensor<1xi64>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// CHECK-LABEL: @attends_with_shared_heads
// Two query heads are rows of the product with one head of keys.
// CHECK: %[[SCALED:.*]] = onnx.Mul %arg0
// CHECK: %[[ROWS:.*]] = onnx.Reshape %[[SCALED]], {{.*}} -> tensor<1x2x6x8xf32>
// CHECK: %[[KEYS:.*]] = onnx.Transpose %arg1 {perm = array<i64: 0, 1, 3, 2>}
// CHECK: %[[PRODUCT:.*]] = onnx.MatMul %[[ROWS]], %[[KEYS]]
// CHECK: %[[SCORES:.*]] = onnx.Reshape %[[PRODUCT]], {{.*}} -> tensor<1x4x3x5xf32>
// CHECK-NOT: onnx.ReduceMax
// CHECK: %[[WEIGHTS:.*]] = onnx.Softmax %[[SCORES]]
// CHECK: onnx.MatMul {{.*}}, %arg2
func.func @attends_with_shared_heads(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>) -> tensor<1x4x3x6xf32> {
  %none = onnx.None
  %0:4 = onnx.Attention %q, %k, %v, %none, %none, %none, %none
      : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>, none, none, none, none) -> (tensor<1x4x3x6xf32>, none, none, none)
  return %0#0 : tensor<1x4x3x6xf32>
}

// CHECK-LABEL: @guards_rows_without_keys
// CHECK: %[[MASKED:.*]] = onnx.Where %arg3
// CHECK: onnx.ReduceMax %[[MASKED]]
// CHECK: %[[WEIGHTS:.*]] = onnx.Softmax
// CHECK: onnx.Where {{.*}}, %[[WEIGHTS]]
func.func @guards_rows_without_keys(%q: tensor<1x2x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x6xf32>, %m: tensor<3x5xi1>) -> tensor<1x2x3x6xf32> {
  %none = onnx.None
  %0:4 = onnx.Attention %q, %k, %v, %m, %none, %none, %none
      : (tensor<1x2x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>, tensor<3x5xi1>, none, none, none) -> (tensor<1x2x3x6xf32>, none, none, none)
  return %0#0 : tensor<1x2x3x6xf32>
}

// CHECK-LABEL: @rotates_interleaved_pairs
// CHECK: onnx.Reshape %arg0, {{.*}} -> tensor<1x2x3x2x2xf32>
// CHECK: onnx.Sub
// CHECK: onnx.Add
// CHECK: onnx.Concat
func.func @rotates_interleaved_pairs(%x: tensor<1x2x3x4xf32>, %c: tensor<1x3x2xf32>) -> tensor<1x2x3x4xf32> {
  %none = onnx.None
  %0 = onnx.RotaryEmbedding %x, %c, %c, %none {interleaved = 1 : i64}
      : (tensor<1x2x3x4xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>, none) -> tensor<1x2x3x4xf32>
  return %0 : tensor<1x2x3x4xf32>
}

// CHECK-LABEL: @convolves_the_past
// CHECK: %[[WHOLE:.*]] = onnx.Concat %arg2, %arg0 {axis = 2 : i64}
// CHECK: onnx.Conv %[[WHOLE]], %arg1, {{.*}}group = 3 : i64
// CHECK: onnx.Swish
// CHECK: onnx.Slice %[[WHOLE]], {{.*}} -> tensor<1x3x3xf32>
func.func @convolves_the_past(%x: tensor<1x3x5xf32>, %w: tensor<3x1x4xf32>, %past: tensor<1x3x3xf32>) -> (tensor<1x3x5xf32>, tensor<1x3x3xf32>) {
  %none = onnx.None
  %0:2 = onnx.CausalConvWithState %x, %w, %none, %past {activation = "silu"}
      : (tensor<1x3x5xf32>, tensor<3x1x4xf32>, none, tensor<1x3x3xf32>) -> (tensor<1x3x5xf32>, tensor<1x3x3xf32>)
  return %0#0, %0#1 : tensor<1x3x5xf32>, tensor<1x3x3xf32>
}

// The size of the state does not depend on that of the input.
// CHECK-LABEL: @convolves_any_length
// CHECK: %[[WHOLE:.*]] = onnx.Concat %arg2, %arg0
// CHECK: onnx.Conv %[[WHOLE]], %arg1, {{.*}} -> tensor<1x3x?xf32, #onnx.dims<["", "", "n"]>>
// CHECK: onnx.Slice %[[WHOLE]], {{.*}} -> tensor<1x3x3xf32>
func.func @convolves_any_length(%x: tensor<1x3x?xf32, #onnx.dims<["", "", "n"]>>, %w: tensor<3x1x4xf32>, %past: tensor<1x3x3xf32>)
    -> (tensor<1x3x?xf32, #onnx.dims<["", "", "n"]>>, tensor<1x3x3xf32>) {
  %none = onnx.None
  %0:2 = onnx.CausalConvWithState %x, %w, %none, %past
      : (tensor<1x3x?xf32, #onnx.dims<["", "", "n"]>>, tensor<3x1x4xf32>, none, tensor<1x3x3xf32>)
      -> (tensor<1x3x?xf32, #onnx.dims<["", "", "n"]>>, tensor<1x3x3xf32>)
  return %0#0, %0#1 : tensor<1x3x?xf32, #onnx.dims<["", "", "n"]>>, tensor<1x3x3xf32>
}

// What data decides is counted in a result of the largest size; then it is one more name of a dimension.
// CHECK-LABEL: @counts_what_is_not_zero
// CHECK: %[[ROWS:.*]], %[[COUNT:.*]] = onnx.CountedNonZero %arg0 : (tensor<2x3xf32>) -> (tensor<6x2xi64>, tensor<i64>)
// CHECK: %[[FOUND:.*]] = onnx.Prefix %[[ROWS]], %[[COUNT]] : (tensor<6x2xi64>, tensor<i64>) -> tensor<?x2xi64, #onnx.dims<["n", ""]>>
// CHECK: onnx.Transpose %[[FOUND]] {perm = array<i64: 1, 0>} : {{.*}} -> tensor<2x?xi64, #onnx.dims<["", "n"]>>
func.func @counts_what_is_not_zero(%x: tensor<2x3xf32>) -> tensor<2x?xi64, #onnx.dims<["", "n"]>> {
  %0 = onnx.NonZero %x : (tensor<2x3xf32>) -> tensor<2x?xi64, #onnx.dims<["", "n"]>>
  return %0 : tensor<2x?xi64, #onnx.dims<["", "n"]>>
}

// CHECK-LABEL: @gathers_what_a_condition_selects
// CHECK: %[[ROWS:.*]], %[[COUNT:.*]] = onnx.CountedNonZero %arg1 : (tensor<3xi1>) -> (tensor<3x1xi64>, tensor<i64>)
// CHECK: %[[FOUND:.*]] = onnx.Prefix %[[ROWS]], %[[COUNT]]
// CHECK: %[[INDICES:.*]] = onnx.Reshape %[[FOUND]], {{.*}} -> tensor<?xi64, #onnx.dims<["n"]>>
// CHECK: onnx.Gather %arg0, %[[INDICES]] {axis = 1 : i64} : {{.*}} -> tensor<2x?xf32, #onnx.dims<["", "n"]>>
func.func @gathers_what_a_condition_selects(%x: tensor<2x3xf32>, %condition: tensor<3xi1>) -> tensor<2x?xf32, #onnx.dims<["", "n"]>> {
  %0 = onnx.Compress %x, %condition {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xi1>) -> tensor<2x?xf32, #onnx.dims<["", "n"]>>
  return %0 : tensor<2x?xf32, #onnx.dims<["", "n"]>>
}

// CHECK-LABEL: @gathers_what_a_constant_selects
// CHECK: %[[INDICES:.*]] = onnx.Constant {value = dense<[0, 2]> : tensor<2xi64>}
// CHECK: onnx.Gather %arg0, %[[INDICES]] {axis = 1 : i64} : {{.*}} -> tensor<2x2xf32>
func.func @gathers_what_a_constant_selects(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %condition = onnx.Constant {value = dense<[true, false, true]> : tensor<3xi1>} : tensor<3xi1>
  %0 = onnx.Compress %x, %condition {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xi1>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: @counts_distinct_elements
// CHECK: %[[INDICES:.*]], %[[INVERSE:.*]], %{{.*}}, %[[COUNT:.*]] = onnx.CountedUnique %arg0
// CHECK: %[[FOUND:.*]] = onnx.Prefix %[[INDICES]], %[[COUNT]]
// CHECK: onnx.Gather %{{.*}}, %[[FOUND]] : (tensor<6xf32>, {{.*}} -> tensor<?xf32, #onnx.dims<["n"]>>
// CHECK: return {{.*}}, %[[INVERSE]]
func.func @counts_distinct_elements(%x: tensor<2x3xf32>) -> (tensor<?xf32, #onnx.dims<["n"]>>, tensor<6xi64>) {
  %0:4 = onnx.Unique %x : (tensor<2x3xf32>) -> (tensor<?xf32, #onnx.dims<["n"]>>, none, tensor<6xi64>, none)
  return %0#0, %0#2 : tensor<?xf32, #onnx.dims<["n"]>>, tensor<6xi64>
}

// CHECK-LABEL: @counts_boxes
// CHECK: %[[BOXES:.*]], %[[COUNT:.*]] = onnx.CountedNonMaxSuppression %arg0, %arg1, {{.*}} {center_point_box = 1 : i64}
// CHECK: onnx.Prefix %[[BOXES]], %[[COUNT]] : (tensor<8x3xi64>, tensor<i64>) -> tensor<?x3xi64, #onnx.dims<["n", ""]>>
func.func @counts_boxes(%boxes: tensor<1x8x4xf32>, %scores: tensor<1x1x8xf32>, %limit: tensor<i64>) -> tensor<?x3xi64, #onnx.dims<["n", ""]>> {
  %none = onnx.None
  %0 = onnx.NonMaxSuppression %boxes, %scores, %limit, %none, %none {center_point_box = 1 : i64} : (tensor<1x8x4xf32>, tensor<1x1x8xf32>, tensor<i64>, none, none) -> tensor<?x3xi64, #onnx.dims<["n", ""]>>
  return %0 : tensor<?x3xi64, #onnx.dims<["n", ""]>>
}

// Strings that are no stop words, and an empty one where none is left.
// CHECK-LABEL: @drops_stop_words
// CHECK: %[[WORDS:.*]] = onnx.Constant {value = dense<["a", "the"]>
// CHECK: %[[UPPER:.*]] = onnx.ChangeCase %arg0 {action = "UPPER"}
// CHECK: onnx.ChangeCase %arg0 {action = "LOWER"}
// CHECK: onnx.Equal %{{.*}}, %[[WORDS]] : {{.*}} -> tensor<4x2xi1>
// CHECK: %[[KEPT:.*]] = onnx.Not %{{.*}} : (tensor<4xi1>)
// CHECK: %[[CONDITION:.*]] = onnx.Concat %[[KEPT]], %{{.*}} -> tensor<5xi1>
// CHECK: %[[STRINGS:.*]] = onnx.Concat %[[UPPER]], %{{.*}} -> tensor<5x!onnx.string>
// CHECK: onnx.CountedNonZero %[[CONDITION]]
// CHECK: onnx.Gather %[[STRINGS]], %{{.*}} -> tensor<?x!onnx.string, #onnx.dims<["n"]>>
func.func @drops_stop_words(%x: tensor<4x!onnx.string>) -> tensor<?x!onnx.string, #onnx.dims<["n"]>> {
  %0 = onnx.StringNormalizer %x {case_change_action = "UPPER", stopwords = ["The", "a"]} : (tensor<4x!onnx.string>) -> tensor<?x!onnx.string, #onnx.dims<["n"]>>
  return %0 : tensor<?x!onnx.string, #onnx.dims<["n"]>>
}

// All parts that there may be; as many count as the string with most parts has.
// CHECK-LABEL: @splits_strings
// CHECK: %[[NUMBERS:.*]] = onnx.Constant {value = dense<{{.}}[0], [1], [2], [3], [4]]> : tensor<5x1xi64>}
// CHECK: %[[COUNTS:.*]] = onnx.CountParts %arg0 {delimiter = ","}
// CHECK: %[[MOST:.*]] = onnx.Max
// CHECK: %[[PARTS:.*]] = onnx.TakePart %{{.*}}, %[[NUMBERS]] {delimiter = ","} : {{.*}} -> tensor<5x2x!onnx.string>
// CHECK: %[[TAKEN:.*]] = onnx.Prefix %[[PARTS]], %[[MOST]]
// CHECK: %[[RESULT:.*]] = onnx.Transpose %[[TAKEN]] {perm = array<i64: 1, 0>}
// CHECK: return %[[RESULT]], %[[COUNTS]]
func.func @splits_strings(%x: tensor<2x!onnx.string>) -> (tensor<2x?x!onnx.string, #onnx.dims<["", "n"]>>, tensor<2xi64>) {
  %0:2 = onnx.StringSplit %x {delimiter = ",", max_parts = 5 : i64} : (tensor<2x!onnx.string>) -> (tensor<2x?x!onnx.string, #onnx.dims<["", "n"]>>, tensor<2xi64>)
  return %0#0, %0#1 : tensor<2x?x!onnx.string, #onnx.dims<["", "n"]>>, tensor<2xi64>
}

// Where it is known only at run time how many heads share keys, each head gets its own.
// CHECK-LABEL: @repeats_keys_of_named_heads
// CHECK: %[[PLACES:.*]] = onnx.Div
// CHECK: %[[KEYS:.*]] = onnx.Gather %arg1, %[[PLACES]] {axis = 1 : i64} : {{.*}} -> tensor<1x?x5x8xf32, #onnx.dims<["", "h", "", ""]>>
// CHECK: onnx.Transpose %[[KEYS]]
func.func @repeats_keys_of_named_heads(%q: tensor<1x?x3x8xf32, #onnx.dims<["", "h", "", ""]>>, %k: tensor<1x?x5x8xf32, #onnx.dims<["", "s", "", ""]>>) -> tensor<1x?x3x8xf32, #onnx.dims<["", "h", "", ""]>> {
  %none = onnx.None
  %0:4 = onnx.Attention %q, %k, %k, %none, %none, %none, %none
      : (tensor<1x?x3x8xf32, #onnx.dims<["", "h", "", ""]>>, tensor<1x?x5x8xf32, #onnx.dims<["", "s", "", ""]>>, tensor<1x?x5x8xf32, #onnx.dims<["", "s", "", ""]>>, none, none, none, none) -> (tensor<1x?x3x8xf32, #onnx.dims<["", "h", "", ""]>>, none, none, none)
  return %0#0 : tensor<1x?x3x8xf32, #onnx.dims<["", "h", "", ""]>>
}

// The rotated part is as long as the attribute says, whatever the size of a head.
// CHECK-LABEL: @rotates_a_part_of_a_named_size
// CHECK: onnx.Slice %arg0, {{.*}} -> tensor<1x2x3x4xf32>
// CHECK: onnx.Concat {{.*}}, tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "n - 4"]>>) -> tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "n"]>>
func.func @rotates_a_part_of_a_named_size(%x: tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "n"]>>, %c: tensor<1x3x2xf32>) -> tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "n"]>> {
  %none = onnx.None
  %0 = onnx.RotaryEmbedding %x, %c, %c, %none {rotary_embedding_dim = 4 : i64}
      : (tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "n"]>>, tensor<1x3x2xf32>, tensor<1x3x2xf32>, none) -> tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "n"]>>
  return %0 : tensor<1x2x3x?xf32, #onnx.dims<["", "", "", "n"]>>
}

// A short transform is one product with a matrix.
// CHECK-LABEL: @transforms_by_one_product
// CHECK: onnx.MatMul {{.*}} : (tensor<3x8xf32>, tensor<8x10xf32>) -> tensor<3x10xf32>
// CHECK: onnx.Reshape {{.*}} -> tensor<3x5x2xf32>
// CHECK-NOT: onnx.DFT
func.func @transforms_by_one_product(%x: tensor<3x8x1xf32>) -> tensor<3x5x2xf32> {
  %none = onnx.None
  %0 = onnx.DFT %x, %none, %none {onesided = 1 : i64} : (tensor<3x8x1xf32>, none, none) -> tensor<3x5x2xf32>
  return %0 : tensor<3x5x2xf32>
}

// 400 = 20 * 20: the second pass has the first half of the spectrum only.
// CHECK-LABEL: @transforms_by_factors
// CHECK: onnx.MatMul {{.*}} : (tensor<?x20x20xf32, {{.*}}>, tensor<20x40xf32>) -> tensor<?x20x40xf32
// CHECK: onnx.Mul {{.*}} tensor<20x1x20x1xf32>
// CHECK: onnx.Mul {{.*}} tensor<20x2x20x1xf32>
// CHECK: onnx.MatMul {{.*}} : (tensor<22x40xf32>, tensor<?x1x40x20xf32
// CHECK: onnx.Slice {{.*}} -> tensor<?x201x2xf32
// CHECK-NOT: onnx.DFT
func.func @transforms_by_factors(%x: tensor<?x400x1xf32, #onnx.dims<["b", "", ""]>>) -> tensor<?x201x2xf32, #onnx.dims<["b", "", ""]>> {
  %none = onnx.None
  %0 = onnx.DFT %x, %none, %none {onesided = 1 : i64} : (tensor<?x400x1xf32, #onnx.dims<["b", "", ""]>>, none, none) -> tensor<?x201x2xf32, #onnx.dims<["b", "", ""]>>
  return %0 : tensor<?x201x2xf32, #onnx.dims<["b", "", ""]>>
}

// A factor of 1021 would be a matrix of megabytes.
// CHECK-LABEL: @keeps_transforms_with_large_factors
// CHECK: onnx.DFT
func.func @keeps_transforms_with_large_factors(%x: tensor<1021x1xf32>) -> tensor<1021x2xf32> {
  %none = onnx.None
  %0 = onnx.DFT %x, %none, %none : (tensor<1021x1xf32>, none, none) -> tensor<1021x2xf32>
  return %0 : tensor<1021x2xf32>
}

// Half precision is computed in f32.
// CHECK-LABEL: @transforms_frames
// CHECK: onnx.Frames {{.*}} {length = 16 : i64, step = 8 : i64} : (tensor<1x128x1xf32>) -> tensor<1x15x16x1xf32>
// CHECK: onnx.Mul
// CHECK: onnx.MatMul {{.*}} : (tensor<1x15x16xf32>, tensor<16x18xf32>)
// CHECK: onnx.Cast {{.*}} -> tensor<1x15x9x2xf16>
func.func @transforms_frames(%x: tensor<1x128x1xf16>, %window: tensor<16xf16>) -> tensor<1x15x9x2xf16> {
  %none = onnx.None
  %step = onnx.Constant {value = dense<8> : tensor<i64>} : tensor<i64>
  %0 = onnx.STFT %x, %step, %window, %none : (tensor<1x128x1xf16>, tensor<i64>, tensor<16xf16>, none) -> tensor<1x15x9x2xf16>
  return %0 : tensor<1x15x9x2xf16>
}

// Elements of a stride are channels of one convolution where there would be more phases than lowering has.
// CHECK-LABEL: @makes_channels_of_large_strides
// CHECK: %[[W:.*]] = onnx.Reshape {{.*}} -> tensor<240x8x4xf32>
// CHECK: %[[C:.*]] = onnx.Conv %arg0, %[[W]], {{.*}} pads = array<i64: 3, 3>, strides = array<i64: 1>} : {{.*}} -> tensor<1x240x?xf32
// CHECK: %[[S:.*]] = onnx.Reshape %[[C]]
// CHECK: %[[T:.*]] = onnx.Transpose %[[S]] {perm = array<i64: 0, 1, 3, 2>}
// CHECK: %[[J:.*]] = onnx.Reshape %[[T]]
// CHECK: onnx.Slice %[[J]]
// CHECK-NOT: onnx.ConvTranspose
func.func @makes_channels_of_large_strides(%x: tensor<1x8x?xf32, #onnx.dims<["", "", "t"]>>, %w: tensor<8x3x320xf32>) -> tensor<1x3x?xf32, #onnx.dims<["", "", "80 * t + 240"]>> {
  %none = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %none {strides = array<i64: 80>} : (tensor<1x8x?xf32, #onnx.dims<["", "", "t"]>>, tensor<8x3x320xf32>, none) -> tensor<1x3x?xf32, #onnx.dims<["", "", "80 * t + 240"]>>
  return %0 : tensor<1x3x?xf32, #onnx.dims<["", "", "80 * t + 240"]>>
}

// CHECK-LABEL: @keeps_transposed_convolutions_of_few_phases
// CHECK: onnx.ConvTranspose
func.func @keeps_transposed_convolutions_of_few_phases(%x: tensor<1x8x5xf32>, %w: tensor<8x3x16xf32>) -> tensor<1x3x48xf32> {
  %none = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %none {strides = array<i64: 8>} : (tensor<1x8x5xf32>, tensor<8x3x16xf32>, none) -> tensor<1x3x48xf32>
  return %0 : tensor<1x3x48xf32>
}

// The last two have fewer values than the first two, and their product is not rounded to halves.
// CHECK-LABEL: @multiplies_in_pairs
// CHECK: %[[A:.*]] = onnx.Cast %arg0
// CHECK: %[[BC:.*]] = onnx.Einsum {{.*}} {equation = "bc,cd->bd"} : (tensor<32x48xf32>, tensor<48x16xf32>) -> tensor<32x16xf32>
// CHECK: %[[D:.*]] = onnx.Einsum %[[A]], %[[BC]] {equation = "ab,bd->ad"}
// CHECK: onnx.Cast %[[D]] {{.*}} -> tensor<64x16xf16>
func.func @multiplies_in_pairs(%x: tensor<64x32xf16>, %y: tensor<32x48xf16>, %z: tensor<48x16xf16>) -> tensor<64x16xf16> {
  %0 = onnx.Einsum %x, %y, %z {equation = "ij,jk,kl->il"} : (tensor<64x32xf16>, tensor<32x48xf16>, tensor<48x16xf16>) -> tensor<64x16xf16>
  return %0 : tensor<64x16xf16>
}

// CHECK-LABEL: @compares_places
// CHECK: %[[M:.*]] = onnx.ArgMax %arg0 {axis = 1 : i64} : (tensor<?x3x5xf32, {{.*}}>) -> tensor<?x1x5xi64
// CHECK: %[[E:.*]] = onnx.Equal %[[M]], %{{.*}} : (tensor<?x1x5xi64, {{.*}}>, tensor<3x1xi64>)
// CHECK: onnx.Cast %[[E]]
func.func @compares_places(%x: tensor<?x3x5xf32, #onnx.dims<["b", "", ""]>>) -> tensor<?x3x5xf32, #onnx.dims<["b", "", ""]>> {
  %0 = onnx.Hardmax %x {axis = 1 : i64} : (tensor<?x3x5xf32, #onnx.dims<["b", "", ""]>>) -> tensor<?x3x5xf32, #onnx.dims<["b", "", ""]>>
  return %0 : tensor<?x3x5xf32, #onnx.dims<["b", "", ""]>>
}

// CHECK-LABEL: @compares_counted_places
// CHECK: onnx.Shape %arg0 {end = 2 : i64, start = 1 : i64}
// CHECK: %[[P:.*]] = onnx.Range
// CHECK: %[[M:.*]] = onnx.ArgMax %arg0
// CHECK: onnx.Equal %[[M]], %[[P]]
func.func @compares_counted_places(%x: tensor<2x?xf32, #onnx.dims<["", "n"]>>) -> tensor<2x?xf32, #onnx.dims<["", "n"]>> {
  %0 = onnx.Hardmax %x {axis = 1 : i64} : (tensor<2x?xf32, #onnx.dims<["", "n"]>>) -> tensor<2x?xf32, #onnx.dims<["", "n"]>>
  return %0 : tensor<2x?xf32, #onnx.dims<["", "n"]>>
}

// CHECK-LABEL: @keeps_what_is_empty
// CHECK: onnx.ConvTranspose
// CHECK: onnx.Hardmax
func.func @keeps_what_is_empty(%x: tensor<1x8x0xf32>, %w: tensor<8x3x100xf32>, %y: tensor<2x0xf32>) -> (tensor<1x3x0xf32>, tensor<2x0xf32>) {
  %none = onnx.None
  %0 = onnx.ConvTranspose %x, %w, %none {strides = array<i64: 100>} : (tensor<1x8x0xf32>, tensor<8x3x100xf32>, none) -> tensor<1x3x0xf32>
  %1 = onnx.Hardmax %y : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %0, %1 : tensor<1x3x0xf32>, tensor<2x0xf32>
}

// An image is padded to whole windows of 4; what is added above it is known.
// CHECK-LABEL: @concatenates_dynamic_padding
// CHECK: %[[ABOVE:.*]] = onnx.Pad %arg0, {{.*}} -> tensor<?x?xf32, #onnx.dims<["h + 1", "w"]>>
// CHECK: %[[RIGHT:.*]] = onnx.Expand {{.*}} -> tensor<?x?xf32, #onnx.dims<["h + 1", "4*floor((w + 3)/4) - w"]>>
// CHECK: onnx.Concat %[[ABOVE]], %[[RIGHT]] {axis = 1 : i64}
func.func @concatenates_dynamic_padding(%x: tensor<?x?xf32, #onnx.dims<["h", "w"]>>) -> tensor<?x?xf32, #onnx.dims<["h + 1", "4*floor((w + 3)/4)"]>> {
  %none = onnx.None
  %above = onnx.Constant {value = dense<[1, 0, 0]> : tensor<3xi64>} : tensor<3xi64>
  %three = onnx.Constant {value = dense<3> : tensor<1xi64>} : tensor<1xi64>
  %four = onnx.Constant {value = dense<4> : tensor<1xi64>} : tensor<1xi64>
  %w = onnx.Shape %x {start = 1 : i64} : (tensor<?x?xf32, #onnx.dims<["h", "w"]>>) -> tensor<1xi64>
  %0 = onnx.Add %w, %three : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %1 = onnx.Div %0, %four : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %2 = onnx.Mul %1, %four : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %right = onnx.Sub %2, %w : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %pads = onnx.Concat %above, %right {axis = 0 : i64} : (tensor<3xi64>, tensor<1xi64>) -> tensor<4xi64>
  %y = onnx.Pad %x, %pads, %none, %none : (tensor<?x?xf32, #onnx.dims<["h", "w"]>>, tensor<4xi64>, none, none) -> tensor<?x?xf32, #onnx.dims<["h + 1", "4*floor((w + 3)/4)"]>>
  return %y : tensor<?x?xf32, #onnx.dims<["h + 1", "4*floor((w + 3)/4)"]>>
}

// A shape with -1 has no meaning for a tensor without elements, so sizes of an empty batch are stated.
// CHECK-LABEL: @splits_heads_of_an_empty_batch
// CHECK: onnx.Reshape {{.*}} {allowzero = 1 : i64} : (tensor<0x?x32xf32{{.*}} -> tensor<0x?x4x8xf32
// CHECK: onnx.Reshape {{.*}} {allowzero = 1 : i64} : (tensor<0x4x?x8xf32{{.*}} -> tensor<0x2x?x8xf32
// CHECK-NOT: onnx.Attention
func.func @splits_heads_of_an_empty_batch(%q: tensor<0x?x32xf32, #onnx.dims<["", "s", ""]>>, %k: tensor<0x?x16xf32, #onnx.dims<["", "t", ""]>>) -> tensor<0x?x32xf32, #onnx.dims<["", "s", ""]>> {
  %none = onnx.None
  %0:4 = onnx.Attention %q, %k, %k, %none, %none, %none, %none {q_num_heads = 4 : i64, kv_num_heads = 2 : i64} : (tensor<0x?x32xf32, #onnx.dims<["", "s", ""]>>, tensor<0x?x16xf32, #onnx.dims<["", "t", ""]>>, tensor<0x?x16xf32, #onnx.dims<["", "t", ""]>>, none, none, none, none) -> (tensor<0x?x32xf32, #onnx.dims<["", "s", ""]>>, none, none, none)
  return %0#0 : tensor<0x?x32xf32, #onnx.dims<["", "s", ""]>>
}

// The rows of the operand have an element that no window covers: the indices count it.
// CHECK-LABEL: @unpools_to_the_places_of_the_pool
// CHECK: %[[ZEROS:.*]] = onnx.Constant {value = dense<0.000000e+00> : tensor<35xf32>}
// CHECK: onnx.ScatterElements %[[ZEROS]], {{.*}} -> tensor<35xf32>
// CHECK: onnx.Reshape {{.*}} -> tensor<1x1x5x7xf32>
func.func @unpools_to_the_places_of_the_pool(%x: tensor<1x1x5x7xf32>) -> tensor<1x1x5x7xf32> {
  %shape = onnx.Constant {value = dense<[1, 1, 5, 7]> : tensor<4xi64>} : tensor<4xi64>
  %0, %1 = onnx.MaxPool %x {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x5x7xf32>) -> (tensor<1x1x2x3xf32>, tensor<1x1x2x3xi64>)
  %2 = onnx.MaxUnpool %0, %1, %shape {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x2x3xf32>, tensor<1x1x2x3xi64>, tensor<4xi64>) -> tensor<1x1x5x7xf32>
  return %2 : tensor<1x1x5x7xf32>
}

// CHECK-LABEL: @keeps_an_unpool_of_other_indices
// CHECK: onnx.MaxUnpool
func.func @keeps_an_unpool_of_other_indices(%x: tensor<1x1x2x3xf32>, %i: tensor<1x1x2x3xi64>) -> tensor<1x1x5x7xf32> {
  %shape = onnx.Constant {value = dense<[1, 1, 5, 7]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.MaxUnpool %x, %i, %shape {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x2x3xf32>, tensor<1x1x2x3xi64>, tensor<4xi64>) -> tensor<1x1x5x7xf32>
  return %0 : tensor<1x1x5x7xf32>
}
