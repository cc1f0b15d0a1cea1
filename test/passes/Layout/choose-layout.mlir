// RUN: cameo-opt %s --choose-layout | FileCheck %s

// One transpose at the edge, a free reshape at the end.
// CHECK-LABEL: @convolution_network
// CHECK: %[[T:.*]] = onnx.Transpose %arg0 {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x3x8x8xf32>) -> tensor<1x8x8x3xf32>
// CHECK: %[[C:.*]] = onnx.Conv %[[T]], %arg1, %{{.*}} {channels_last} : {{.*}} -> tensor<1x6x6x16xf32>
// CHECK: %[[R:.*]] = onnx.Relu %[[C]] : (tensor<1x6x6x16xf32>)
// CHECK: %[[G:.*]] = onnx.GlobalAveragePool %[[R]] {channels_last} : {{.*}} -> tensor<1x1x1x16xf32>
// CHECK-NOT: onnx.Transpose
// CHECK: onnx.Reshape %[[G]], %{{.*}} -> tensor<1x16xf32>
func.func @convolution_network(%x: tensor<1x3x8x8xf32>, %w: tensor<16x3x3x3xf32>) -> tensor<1x16xf32> {
  %none = onnx.None
  %shape = onnx.Constant {value = dense<[1, 16]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Conv %x, %w, %none : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>, none) -> tensor<1x16x6x6xf32>
  %1 = onnx.Relu %0 : (tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %2 = onnx.GlobalAveragePool %1 : (tensor<1x16x6x6xf32>) -> tensor<1x16x1x1xf32>
  %3 = onnx.Reshape %2, %shape : (tensor<1x16x1x1xf32>, tensor<2xi64>) -> tensor<1x16xf32>
  return %3 : tensor<1x16xf32>
}

// CHECK-LABEL: @network_without_convolutions
// CHECK-NEXT: onnx.Transpose
// CHECK-NEXT: onnx.Relu
// CHECK-NEXT: return
func.func @network_without_convolutions(%x: tensor<1x3x8xf32>) -> tensor<1x8x3xf32> {
  %0 = onnx.Transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<1x3x8xf32>) -> tensor<1x8x3xf32>
  %1 = onnx.Relu %0 : (tensor<1x8x3xf32>) -> tensor<1x8x3xf32>
  return %1 : tensor<1x8x3xf32>
}

// Transposes around what passes over the data once or twice would take longer. Short rows fill a part of a vector.
// CHECK-LABEL: @reads_once_in_the_order_of_the_model
// CHECK-NOT: onnx.Transpose
// CHECK: onnx.InstanceNormalization %arg0, {{.*}} : (tensor<1x3x8x8xf32>
// CHECK: onnx.MaxPool {{.*}} -> (tensor<1x3x4x4xf32>, none)
// CHECK: %[[T:.*]] = onnx.Transpose
// CHECK: onnx.MaxPool %[[T]] {channels_last, {{.*}} -> (tensor<1x2x2x3xf32>, none)
func.func @reads_once_in_the_order_of_the_model(%x: tensor<1x3x8x8xf32>, %s: tensor<3xf32>) -> tensor<1x3x2x2xf32> {
  %0 = onnx.InstanceNormalization %x, %s, %s : (tensor<1x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x8x8xf32>
  %1, %i = onnx.MaxPool %0 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>) -> (tensor<1x3x4x4xf32>, none)
  %2, %j = onnx.MaxPool %1 {kernel_shape = array<i64: 3, 3>, strides = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>) -> (tensor<1x3x2x2xf32>, none)
  return %2 : tensor<1x3x2x2xf32>
}

// Places that nobody reads are not made here either.
// CHECK-LABEL: @long_rows_overlap_in_the_order_of_the_model
// CHECK-NOT: onnx.Transpose
// CHECK: onnx.MaxPool %arg0 {{.*}} -> (tensor<1x3x14x14xf32>, none)
func.func @long_rows_overlap_in_the_order_of_the_model(%x: tensor<1x3x16x16xf32>) -> tensor<1x3x14x14xf32> {
  %0, %i = onnx.MaxPool %x {kernel_shape = array<i64: 3, 3>} : (tensor<1x3x16x16xf32>) -> (tensor<1x3x14x14xf32>, tensor<1x3x14x14xi64>)
  return %0 : tensor<1x3x14x14xf32>
}

// Planes of unknown sizes are not padded on the stack.
// CHECK-LABEL: @overlapping_windows_of_unknown_planes
// CHECK: onnx.MaxPool {{.*}}channels_last
func.func @overlapping_windows_of_unknown_planes(%x: tensor<1x3x?x16xf32>) -> tensor<1x3x?x14xf32> {
  %0, %i = onnx.MaxPool %x {kernel_shape = array<i64: 3, 3>} : (tensor<1x3x?x16xf32>) -> (tensor<1x3x?x14xf32>, none)
  return %0 : tensor<1x3x?x14xf32>
}

// CHECK-LABEL: @results_keep_their_order
// CHECK: %[[M:.*]], %{{.*}} = onnx.MaxPool {{.*}}channels_last
// CHECK: %[[T:.*]] = onnx.Transpose %[[M]] {perm = array<i64: 0, 3, 1, 2>}
// CHECK: return %[[T]]
func.func @results_keep_their_order(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x7x7xf32> {
  %0, %i = onnx.MaxPool %x {kernel_shape = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>) -> (tensor<1x3x7x7xf32>, none)
  return %0 : tensor<1x3x7x7xf32>
}

// What is sampled at places lies as convolutions have it; the places do not move.
// CHECK-LABEL: @samples
// CHECK: %[[C:.*]] = onnx.Conv {{.*}}channels_last
// CHECK-NOT: onnx.Transpose
// CHECK: %[[S:.*]] = onnx.GridSample %[[C]], %arg2 {channels_last} : (tensor<1x6x6x16xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x16xf32>
// CHECK-NEXT: %[[R:.*]] = onnx.RoiAlign %[[S]], %arg3, %arg4 {channels_last, {{.*}}} : {{.*}} -> tensor<2x2x2x16xf32>
func.func @samples(%x: tensor<1x3x8x8xf32>, %w: tensor<16x3x3x3xf32>, %g: tensor<1x4x4x2xf32>, %r: tensor<2x4xf32>, %b: tensor<2xi64>) -> tensor<2x16x2x2xf32> {
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>, none) -> tensor<1x16x6x6xf32>
  %1 = onnx.GridSample %0, %g : (tensor<1x16x6x6xf32>, tensor<1x4x4x2xf32>) -> tensor<1x16x4x4xf32>
  %2 = onnx.RoiAlign %1, %r, %b {output_height = 2 : i64, output_width = 2 : i64} : (tensor<1x16x4x4xf32>, tensor<2x4xf32>, tensor<2xi64>) -> tensor<2x16x2x2xf32>
  return %2 : tensor<2x16x2x2xf32>
}

// What a network from a channels-last framework looks like: no transpose is left.
// CHECK-LABEL: @meets_written_transposes
// CHECK-NOT: onnx.Transpose
// CHECK: onnx.Relu %arg0 : (tensor<1x8x8x3xf32>)
// CHECK: onnx.Conv
// CHECK-NOT: onnx.Transpose
// CHECK: return
func.func @meets_written_transposes(%x: tensor<1x8x8x3xf32>, %w: tensor<16x3x1x1xf32>) -> tensor<1x8x8x16xf32> {
  %none = onnx.None
  %0 = onnx.Transpose %x {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x8x8x3xf32>) -> tensor<1x3x8x8xf32>
  %1 = onnx.Relu %0 : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %2 = onnx.Conv %1, %w, %none : (tensor<1x3x8x8xf32>, tensor<16x3x1x1xf32>, none) -> tensor<1x16x8x8xf32>
  %3 = onnx.Transpose %2 {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x16x8x8xf32>) -> tensor<1x8x8x16xf32>
  return %3 : tensor<1x8x8x16xf32>
}

// The constant per channel is written per innermost element; its ops are computed at compile time.
// CHECK-LABEL: @broadcast_operands_move_too
// CHECK: onnx.Mul %{{.*}}, %{{.*}} : (tensor<1x8x8x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x8x8x2xf32>
func.func @broadcast_operands_move_too(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x8x8xf32> {
  %none = onnx.None
  %c = onnx.Constant {value = dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>} : tensor<2x1x1xf32>
  %0 = onnx.Conv %x, %w, %none : (tensor<1x2x8x8xf32>, tensor<2x2x1x1xf32>, none) -> tensor<1x2x8x8xf32>
  %1 = onnx.Mul %0, %c : (tensor<1x2x8x8xf32>, tensor<2x1x1xf32>) -> tensor<1x2x8x8xf32>
  return %1 : tensor<1x2x8x8xf32>
}

// CHECK-LABEL: @axes_move
// CHECK: onnx.Concat {{.*}} {axis = 3 : i64} : {{.*}} -> tensor<1x8x8x4xf32>
// CHECK: onnx.Softmax {{.*}} {axis = 3 : i64}
// CHECK: onnx.Slice {{.*}} -> tensor<1x8x8x3xf32>
// CHECK: onnx.Pad {{.*}} -> tensor<1x10x8x3xf32>
// CHECK: %[[AXES:.*]] = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>}
// CHECK: onnx.ReduceMean %{{.*}}, %[[AXES]] : (tensor<1x10x8x3xf32>, tensor<2xi64>) -> tensor<1x1x1x3xf32>
func.func @axes_move(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x3xf32> {
  %none = onnx.None
  %c0 = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %c1 = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %c3 = onnx.Constant {value = dense<3> : tensor<1xi64>} : tensor<1xi64>
  %pads = onnx.Constant {value = dense<[0, 0, 1, 0, 0, 0, 1, 0]> : tensor<8xi64>} : tensor<8xi64>
  %plane = onnx.Constant {value = dense<[2, 3]> : tensor<2xi64>} : tensor<2xi64>
  %shape = onnx.Constant {value = dense<[1, 3]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Conv %x, %w, %none : (tensor<1x2x8x8xf32>, tensor<2x2x1x1xf32>, none) -> tensor<1x2x8x8xf32>
  %1 = onnx.Concat %0, %0 {axis = 1 : i64} : (tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>) -> tensor<1x4x8x8xf32>
  %2 = onnx.Softmax %1 {axis = 1 : i64} : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %3 = onnx.Slice %2, %c0, %c3, %c1, %none : (tensor<1x4x8x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<1x3x8x8xf32>
  %4 = onnx.Pad %3, %pads, %none, %none : (tensor<1x3x8x8xf32>, tensor<8xi64>, none, none) -> tensor<1x3x10x8xf32>
  %5 = onnx.ReduceMean %4, %plane : (tensor<1x3x10x8xf32>, tensor<2xi64>) -> tensor<1x3x1x1xf32>
  %6 = onnx.Reshape %5, %shape : (tensor<1x3x1x1xf32>, tensor<2xi64>) -> tensor<1x3xf32>
  return %6 : tensor<1x3xf32>
}

// Bounds of 32 bits become 64, as the axes that are made anew.
// CHECK-LABEL: @reversed_slice
// CHECK: onnx.Slice {{.*}} : (tensor<1x8x8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x8x8x2xf32>
func.func @reversed_slice(%x: tensor<1x2x8x8xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x8x8xf32> {
  %none = onnx.None
  %start = onnx.Constant {value = dense<-1> : tensor<1xi32>} : tensor<1xi32>
  %end = onnx.Constant {value = dense<-9> : tensor<1xi32>} : tensor<1xi32>
  %axis = onnx.Constant {value = dense<2> : tensor<1xi32>} : tensor<1xi32>
  %step = onnx.Constant {value = dense<-1> : tensor<1xi32>} : tensor<1xi32>
  %0 = onnx.Conv %x, %w, %none : (tensor<1x2x8x8xf32>, tensor<2x2x1x1xf32>, none) -> tensor<1x2x8x8xf32>
  %1 = onnx.Slice %0, %start, %end, %axis, %step : (tensor<1x2x8x8xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x2x8x8xf32>
  return %1 : tensor<1x2x8x8xf32>
}

// The map is flattened as it lies; the rows of the weight follow.
// CHECK-LABEL: @flattened_map_meets_weights
// CHECK: %[[C:.*]] = onnx.Conv
// CHECK: %[[F:.*]] = onnx.Reshape %[[C]], %{{.*}} : (tensor<1x2x2x3xf32>, tensor<2xi64>) -> tensor<1x12xf32>
// CHECK: onnx.Reshape %{{.*}} : (tensor<12x5xf32>, tensor<4xi64>) -> tensor<3x2x2x5xf32>
// CHECK: onnx.Transpose %{{.*}} {perm = array<i64: 1, 2, 0, 3>} : (tensor<3x2x2x5xf32>) -> tensor<2x2x3x5xf32>
// CHECK: %[[W:.*]] = onnx.Reshape %{{.*}} -> tensor<12x5xf32>
// CHECK: onnx.Gemm %[[F]], %[[W]]
func.func @flattened_map_meets_weights(%x: tensor<1x3x2x2xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<1x5xf32> {
  %none = onnx.None
  %b = onnx.Constant {value = dense<1.0> : tensor<12x5xf32>} : tensor<12x5xf32>
  %shape = onnx.Constant {value = dense<[1, 12]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Conv %x, %w, %none : (tensor<1x3x2x2xf32>, tensor<3x3x1x1xf32>, none) -> tensor<1x3x2x2xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<1x3x2x2xf32>, tensor<2xi64>) -> tensor<1x12xf32>
  %2 = onnx.Gemm %1, %b, %none : (tensor<1x12xf32>, tensor<12x5xf32>, none) -> tensor<1x5xf32>
  return %2 : tensor<1x5xf32>
}

// Patches to tokens: the transpose has happened already.
// CHECK-LABEL: @joins_spatial_dimensions
// CHECK: %[[C:.*]] = onnx.Conv
// CHECK: %[[R:.*]] = onnx.Reshape %[[C]], %{{.*}} : (tensor<1x4x4x16xf32>, tensor<3xi64>) -> tensor<1x16x16xf32>
// CHECK-NEXT: return %[[R]]
func.func @joins_spatial_dimensions(%x: tensor<1x3x4x4xf32>, %w: tensor<16x3x1x1xf32>) -> tensor<1x16x16xf32> {
  %none = onnx.None
  %shape = onnx.Constant {value = dense<[1, 16, 16]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Conv %x, %w, %none : (tensor<1x3x4x4xf32>, tensor<16x3x1x1xf32>, none) -> tensor<1x16x4x4xf32>
  %1 = onnx.Reshape %0, %shape : (tensor<1x16x4x4xf32>, tensor<3xi64>) -> tensor<1x16x16xf32>
  %2 = onnx.Transpose %1 {perm = array<i64: 0, 2, 1>} : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
  return %2 : tensor<1x16x16xf32>
}

// CHECK-LABEL: @joins_dynamic_spatial_dimensions
// CHECK: %[[C:.*]] = onnx.Conv {{.*}} -> tensor<?x?x?x16xf32, #onnx.dims<["b", "h", "w", ""]>>
// CHECK: %[[R:.*]] = onnx.Reshape %[[C]], {{.*}} -> tensor<?x?x16xf32, #onnx.dims<["b", "h*w", ""]>>
// CHECK-NEXT: return %[[R]]
func.func @joins_dynamic_spatial_dimensions(%x: tensor<?x3x?x?xf32, #onnx.dims<["b", "", "h", "w"]>>, %w: tensor<16x3x1x1xf32>) -> tensor<?x?x16xf32, #onnx.dims<["b", "h*w", ""]>> {
  %none = onnx.None
  %shape = onnx.Constant {value = dense<[0, 16, -1]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Conv %x, %w, %none : (tensor<?x3x?x?xf32, #onnx.dims<["b", "", "h", "w"]>>, tensor<16x3x1x1xf32>, none) -> tensor<?x16x?x?xf32, #onnx.dims<["b", "", "h", "w"]>>
  %1 = onnx.Reshape %0, %shape : (tensor<?x16x?x?xf32, #onnx.dims<["b", "", "h", "w"]>>, tensor<3xi64>) -> tensor<?x16x?xf32, #onnx.dims<["b", "", "h*w"]>>
  %2 = onnx.Transpose %1 {perm = array<i64: 0, 2, 1>} : (tensor<?x16x?xf32, #onnx.dims<["b", "", "h*w"]>>) -> tensor<?x?x16xf32, #onnx.dims<["b", "h*w", ""]>>
  return %2 : tensor<?x?x16xf32, #onnx.dims<["b", "h*w", ""]>>
}

// Channel shuffle: the only transpose is the shuffle itself.
// CHECK-LABEL: @shuffles_channels_where_they_lie
// CHECK: %[[C:.*]] = onnx.Conv
// CHECK: %[[S:.*]] = onnx.Reshape %[[C]], %{{.*}} -> tensor<1x4x4x2x3xf32>
// CHECK: %[[T:.*]] = onnx.Transpose %[[S]] {perm = array<i64: {{.*}}>}
// CHECK: onnx.Reshape %[[T]], %{{.*}} -> tensor<1x4x4x6xf32>
// CHECK-NOT: onnx.Transpose
// CHECK: onnx.Conv {{.*}} -> tensor<1x4x4x1xf32>
func.func @shuffles_channels_where_they_lie(%x: tensor<1x3x4x4xf32>, %w: tensor<6x3x1x1xf32>, %v: tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32> {
  %none = onnx.None
  %split = onnx.Constant {value = dense<[1, 2, 3, 4, 4]> : tensor<5xi64>} : tensor<5xi64>
  %join = onnx.Constant {value = dense<[1, 6, 4, 4]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.Conv %x, %w, %none : (tensor<1x3x4x4xf32>, tensor<6x3x1x1xf32>, none) -> tensor<1x6x4x4xf32>
  %1 = onnx.Reshape %0, %split : (tensor<1x6x4x4xf32>, tensor<5xi64>) -> tensor<1x2x3x4x4xf32>
  %2 = onnx.Transpose %1 {perm = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %3 = onnx.Reshape %2, %join : (tensor<1x3x2x4x4xf32>, tensor<4xi64>) -> tensor<1x6x4x4xf32>
  %4 = onnx.Conv %3, %v, %none : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>, none) -> tensor<1x1x4x4xf32>
  return %4 : tensor<1x1x4x4xf32>
}

// An op that insists on its order gets it.
// CHECK-LABEL: @transposes_back_for_others
// CHECK: %[[C:.*]] = onnx.Conv
// CHECK: %[[T:.*]] = onnx.Transpose %[[C]] {perm = array<i64: 0, 3, 1, 2>}
// CHECK: onnx.MatMul %[[T]], %[[T]]
func.func @transposes_back_for_others(%x: tensor<1x3x4x4xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none : (tensor<1x3x4x4xf32>, tensor<3x3x1x1xf32>, none) -> tensor<1x3x4x4xf32>
  %1 = onnx.MatMul %0, %0 : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %1 : tensor<1x3x4x4xf32>
}

// Places that nobody reads are not made.
// CHECK-LABEL: @drops_places_that_nobody_reads
// CHECK: onnx.MaxPool {{.*}}channels_last{{.*}} -> (tensor<1x7x7x3xf32>, none)
func.func @drops_places_that_nobody_reads(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x7x7xf32> {
  %0, %i = onnx.MaxPool %x {kernel_shape = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>) -> (tensor<1x3x7x7xf32>, tensor<1x3x7x7xi64>)
  return %0 : tensor<1x3x7x7xf32>
}

// What a run quantises keeps the order of the convolution before it; its scale and zero point are numbers.
// CHECK-LABEL: @quantised_by_the_run
// CHECK: %[[X:.*]] = onnx.Conv {{.*}} {channels_last
// CHECK-NEXT: %[[Q:.*]], %[[S:.*]], %[[ZERO:.*]] = onnx.DynamicQuantizeLinear %[[X]] : (tensor<1x6x6x4xf32>) -> (tensor<1x6x6x4xui8>, tensor<f32>, tensor<ui8>)
// CHECK-NOT: onnx.Transpose
// CHECK: onnx.ConvInteger %[[Q]], %arg2, %[[ZERO]], %{{.*}} {channels_last
// CHECK: return %{{.*}}, %[[S]]
func.func @quantised_by_the_run(%x: tensor<1x2x6x6xf32>, %w: tensor<4x2x1x1xf32>, %v: tensor<4x4x1x1xi8>) -> (tensor<1x4x6x6xi32>, tensor<f32>) {
  %none = onnx.None
  %0 = onnx.Conv %x, %w, %none : (tensor<1x2x6x6xf32>, tensor<4x2x1x1xf32>, none) -> tensor<1x4x6x6xf32>
  %q, %s, %z = onnx.DynamicQuantizeLinear %0 : (tensor<1x4x6x6xf32>) -> (tensor<1x4x6x6xui8>, tensor<f32>, tensor<ui8>)
  %1 = onnx.ConvInteger %q, %v, %z, %none : (tensor<1x4x6x6xui8>, tensor<4x4x1x1xi8>, tensor<ui8>, none) -> tensor<1x4x6x6xi32>
  return %1, %s : tensor<1x4x6x6xi32>, tensor<f32>
}
