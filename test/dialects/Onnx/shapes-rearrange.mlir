// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of operators that move elements.

// CHECK-LABEL: @transpose_default
// CHECK: return {{.*}} : tensor<4x3x2xf32>
func.func @transpose_default(%arg0: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Transpose %arg0 : (tensor<2x3x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @transpose_named
// CHECK: return {{.*}} : tensor<?x?x3xf32, #onnx.dims<["batch", "seq", ""]>>
func.func @transpose_named(%arg0: tensor<?x3x?xf32, #onnx.dims<["batch", "", "seq"]>>) -> (tensor<*xf32>) {
  %0 = onnx.Transpose %arg0 {perm = array<i64: 0, 2, 1>} : (tensor<?x3x?xf32, #onnx.dims<["batch", "", "seq"]>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @concat
// CHECK: return {{.*}} : tensor<2x7xf32>
func.func @concat(%arg0: tensor<2x3xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x0xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Concat %arg0, %arg1, %arg2 {axis = -1 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x0xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @concat_named_axis
// CHECK: return {{.*}} : tensor<1x?xf32, #onnx.dims<["", "past + 1"]>>
func.func @concat_named_axis(%arg0: tensor<1x?xf32, #onnx.dims<["", "past"]>>, %arg1: tensor<1x1xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Concat %arg0, %arg1 {axis = 1 : i64} : (tensor<1x?xf32, #onnx.dims<["", "past"]>>, tensor<1x1xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// The two parts of a roll: a run of one row, for which the first part would be negative, is refused.
// CHECK-LABEL: @concat_parts
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["n", ""]>>
func.func @concat_parts(%arg0: tensor<?x3xf32, #onnx.dims<["n - 2", ""]>>, %arg1: tensor<?x3xf32, #onnx.dims<["min(n - 2, 0) + 2", ""]>>) -> (tensor<*xf32>) {
  %0 = onnx.Concat %arg0, %arg1 {axis = 0 : i64} : (tensor<?x3xf32, #onnx.dims<["n - 2", ""]>>, tensor<?x3xf32, #onnx.dims<["min(n - 2, 0) + 2", ""]>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @concat_learns_dims
// CHECK: return {{.*}} : tensor<2x7xf32>
func.func @concat_learns_dims(%arg0: tensor<?x3xf32>, %arg1: tensor<2x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Concat %arg0, %arg1 {axis = 1 : i64} : (tensor<?x3xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @split_equal
// CHECK: return {{.*}} : tensor<3x2xf32>, tensor<3x2xf32>
func.func @split_equal(%arg0: tensor<6x2xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:2 = onnx.Split %arg0, %none {num_outputs = 2 : i64} : (tensor<6x2xf32>, none) -> (tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @split_last_smaller
// CHECK: return {{.*}} : tensor<3xf32>, tensor<3xf32>, tensor<1xf32>
func.func @split_last_smaller(%arg0: tensor<7xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:3 = onnx.Split %arg0, %none {num_outputs = 3 : i64} : (tensor<7xf32>, none) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @split_sizes
// CHECK: return {{.*}} : tensor<2x4xf32>, tensor<2x2xf32>, tensor<2x0xf32>
func.func @split_sizes(%arg0: tensor<2x6xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[4, 2, 0]> : tensor<3xi64>} : tensor<3xi64>
  %0:3 = onnx.Split %arg0, %c1 {axis = 1 : i64} : (tensor<2x6xf32>, tensor<3xi64>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @split_named
// CHECK: return {{.*}} : tensor<?x2xf32, #onnx.dims<["n", ""]>>, tensor<?x2xf32, #onnx.dims<["n", ""]>>
func.func @split_named(%arg0: tensor<?x2xf32, #onnx.dims<["2*n", ""]>>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:2 = onnx.Split %arg0, %none {num_outputs = 2 : i64} : (tensor<?x2xf32, #onnx.dims<["2*n", ""]>>, none) -> (tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @expand
// CHECK: return {{.*}} : tensor<2x3x4xf32>
func.func @expand(%arg0: tensor<3x1xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 1, 4]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Expand %arg0, %c1 : (tensor<3x1xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// Of two names the one that is asked for counts.
// CHECK-LABEL: @expand_named
// CHECK: return {{.*}} : tensor<?x4xf32, #onnx.dims<["m", ""]>>
func.func @expand_named(%arg0: tensor<?x?xf32, #onnx.dims<["n", "k"]>>, %arg1: tensor<?xf32, #onnx.dims<["m"]>>) -> (tensor<*xf32>) {
  %m = onnx.Shape %arg1 : (tensor<?xf32, #onnx.dims<["m"]>>) -> tensor<1xi64>
  %four = onnx.Constant {value = dense<4> : tensor<1xi64>} : tensor<1xi64>
  %shape = onnx.Concat %m, %four {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %0 = onnx.Expand %arg0, %shape : (tensor<?x?xf32, #onnx.dims<["n", "k"]>>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @expand_smaller_shape
// CHECK: return {{.*}} : tensor<3x4xf32>
func.func @expand_smaller_shape(%arg0: tensor<3x4xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Expand %arg0, %c1 : (tensor<3x4xf32>, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @tile
// CHECK: return {{.*}} : tensor<4x3xf32>
func.func @tile(%arg0: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 1]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Tile %arg0, %c1 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @tile_named
// CHECK: return {{.*}} : tensor<?x0xf32, #onnx.dims<["2*n", ""]>>
func.func @tile_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 0]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Tile %arg0, %c1 : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @depth_to_space
// CHECK: return {{.*}} : tensor<1x2x4x6xf32>
func.func @depth_to_space(%arg0: tensor<1x8x2x3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.DepthToSpace %arg0 {blocksize = 2 : i64} : (tensor<1x8x2x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @space_to_depth
// CHECK: return {{.*}} : tensor<1x8x2x3xf32>
func.func @space_to_depth(%arg0: tensor<1x2x4x6xf32>) -> (tensor<*xf32>) {
  %0 = onnx.SpaceToDepth %arg0 {blocksize = 2 : i64} : (tensor<1x2x4x6xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @split_named_with_rest
// CHECK: return {{.*}} : tensor<?xf32, #onnx.dims<["floor((n + 1)/2)"]>>, tensor<?xf32, #onnx.dims<["n - floor((n + 1)/2)"]>>
func.func @split_named_with_rest(%arg0: tensor<?xf32, #onnx.dims<["n"]>>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %0:2 = onnx.Split %arg0, %none {num_outputs = 2 : i64} : (tensor<?xf32, #onnx.dims<["n"]>>, none) -> (tensor<*xf32>, tensor<*xf32>)
  return %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @space_to_depth_named
// CHECK: return {{.*}} : tensor<1x4x?x3xf32, #onnx.dims<["", "", "floor((h)/2)", ""]>>
func.func @space_to_depth_named(%arg0: tensor<1x1x?x6xf32, #onnx.dims<["", "", "h", ""]>>) -> (tensor<*xf32>) {
  %0 = onnx.SpaceToDepth %arg0 {blocksize = 2 : i64} : (tensor<1x1x?x6xf32, #onnx.dims<["", "", "h", ""]>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
