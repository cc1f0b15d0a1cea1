// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Shapes that change while the order of the elements stays.

// CHECK-LABEL: @reshape
// CHECK: return {{.*}} : tensor<4x6xf32>
func.func @reshape(%arg0: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[4, 6]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Reshape %arg0, %c1 : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @reshape_minus_one
// CHECK: return {{.*}} : tensor<2x12xf32>
func.func @reshape_minus_one(%arg0: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[2, -1]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Reshape %arg0, %c1 : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @reshape_zero_copies
// CHECK: return {{.*}} : tensor<2x3x2x2xf32>
func.func @reshape_zero_copies(%arg0: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[0, 0, 2, 2]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.Reshape %arg0, %c1 : (tensor<2x3x4xf32>, tensor<4xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @reshape_allowzero
// CHECK: return {{.*}} : tensor<3x0xf32>
func.func @reshape_allowzero(%arg0: tensor<0x3xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[3, 0]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Reshape %arg0, %c1 {allowzero = 1 : i64} : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @reshape_zero_sized
// CHECK: return {{.*}} : tensor<0x3xf32>
func.func @reshape_zero_sized(%arg0: tensor<0x3xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-1, 3]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Reshape %arg0, %c1 : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @reshape_scalar
// CHECK: return {{.*}} : tensor<f32>
func.func @reshape_scalar(%arg0: tensor<1xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<> : tensor<0xi64>} : tensor<0xi64>
  %0 = onnx.Reshape %arg0, %c1 : (tensor<1xf32>, tensor<0xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @reshape_named_batch_copied
// CHECK: return {{.*}} : tensor<?x48xf32, #onnx.dims<["batch", ""]>>
func.func @reshape_named_batch_copied(%arg0: tensor<?x12x4xf32, #onnx.dims<["batch", "", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Reshape %arg0, %c1 : (tensor<?x12x4xf32, #onnx.dims<["batch", "", ""]>>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @reshape_unknown_batch_copied
// CHECK: return {{.*}} : tensor<?x24x2xf32>
func.func @reshape_unknown_batch_copied(%arg0: tensor<?x12x4xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[0, -1, 2]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Reshape %arg0, %c1 : (tensor<?x12x4xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @reshape_named_product
// CHECK: return {{.*}} : tensor<?x64xf32, #onnx.dims<["batch*seq", ""]>>
func.func @reshape_named_product(%arg0: tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-1, 64]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Reshape %arg0, %c1 : (tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @reshape_named_product_parted
// CHECK: return {{.*}} : tensor<?x8x8xf32, #onnx.dims<["batch*seq", "", ""]>>
func.func @reshape_named_product_parted(%arg0: tensor<?x64xf32, #onnx.dims<["batch*seq", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-1, 8, 8]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Reshape %arg0, %c1 : (tensor<?x64xf32, #onnx.dims<["batch*seq", ""]>>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// What the open size is divided by has a name, and one in common with the elements.
// CHECK-LABEL: @reshape_named_rows_parted
// CHECK: return {{.*}} : tensor<?x4x?xf32, #onnx.dims<["floor((rows)/4)", "", "seq"]>>
func.func @reshape_named_rows_parted(%arg0: tensor<?x?xf32, #onnx.dims<["rows", "seq"]>>) -> (tensor<*xf32>) {
  %open = onnx.Constant {value = dense<[-1, 4]> : tensor<2xi64>} : tensor<2xi64>
  %columns = onnx.Shape %arg0 {start = 1 : i64} : (tensor<?x?xf32, #onnx.dims<["rows", "seq"]>>) -> tensor<1xi64>
  %shape = onnx.Concat %open, %columns {axis = 0 : i64} : (tensor<2xi64>, tensor<1xi64>) -> tensor<3xi64>
  %0 = onnx.Reshape %arg0, %shape : (tensor<?x?xf32, #onnx.dims<["rows", "seq"]>>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @reshape_unknown_shape_keeps_rank
// CHECK: return {{.*}} : tensor<?x?x?xf32>
func.func @reshape_unknown_shape_keeps_rank(%arg0: tensor<2x3xf32>, %arg1: tensor<3xi64>) -> (tensor<*xf32>) {
  %0 = onnx.Reshape %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @reshape_unknown_rank
// CHECK: return {{.*}} : tensor<*xf32>
func.func @reshape_unknown_rank(%arg0: tensor<2x3xf32>, %arg1: tensor<?xi64>) -> (tensor<*xf32>) {
  %0 = onnx.Reshape %arg0, %arg1 : (tensor<2x3xf32>, tensor<?xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @flatten
// CHECK: return {{.*}} : tensor<2x12xf32>
func.func @flatten(%arg0: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Flatten %arg0 : (tensor<2x3x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @flatten_axis_zero
// CHECK: return {{.*}} : tensor<1x6xf32>
func.func @flatten_axis_zero(%arg0: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = onnx.Flatten %arg0 {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @flatten_named
// CHECK: return {{.*}} : tensor<?x12xf32, #onnx.dims<["batch", ""]>>
func.func @flatten_named(%arg0: tensor<?x3x4xf32, #onnx.dims<["batch", "", ""]>>) -> (tensor<*xf32>) {
  %0 = onnx.Flatten %arg0 : (tensor<?x3x4xf32, #onnx.dims<["batch", "", ""]>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @squeeze
// CHECK: return {{.*}} : tensor<3xf32>
func.func @squeeze(%arg0: tensor<1x3x1xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[0, -1]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Squeeze %arg0, %c1 : (tensor<1x3x1xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @squeeze_all
// CHECK: return {{.*}} : tensor<3xf32>
func.func @squeeze_all(%arg0: tensor<1x3x1xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Squeeze %arg0, %none : (tensor<1x3x1xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @unsqueeze
// CHECK: return {{.*}} : tensor<1x3x?x1xf32, #onnx.dims<["", "", "n", ""]>>
func.func @unsqueeze(%arg0: tensor<3x?xf32, #onnx.dims<["", "n"]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-1, 0]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Unsqueeze %arg0, %c1 : (tensor<3x?xf32, #onnx.dims<["", "n"]>>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @shape_of
// CHECK: return {{.*}} : tensor<2xi64>
func.func @shape_of(%arg0: tensor<2x?xf32>) -> (tensor<*xi64>) {
  %0 = onnx.Shape %arg0 : (tensor<2x?xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @shape_slice
// CHECK: return {{.*}} : tensor<2xi64>
func.func @shape_slice(%arg0: tensor<2x3x4x5xf32>) -> (tensor<*xi64>) {
  %0 = onnx.Shape %arg0 {start = -3 : i64, end = -1 : i64} : (tensor<2x3x4x5xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @shape_empty_slice
// CHECK: return {{.*}} : tensor<0xi64>
func.func @shape_empty_slice(%arg0: tensor<2x3xf32>) -> (tensor<*xi64>) {
  %0 = onnx.Shape %arg0 {start = 5 : i64} : (tensor<2x3xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @size_of
// CHECK: return {{.*}} : tensor<i64>
func.func @size_of(%arg0: tensor<2x?xf32>) -> (tensor<*xi64>) {
  %0 = onnx.Size %arg0 : (tensor<2x?xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// CHECK-LABEL: @reshape_named_rest
// CHECK: return {{.*}} : tensor<?x2x4xf32, #onnx.dims<["floor((3*n)/8)", "", ""]>>
func.func @reshape_named_rest(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-1, 2, 4]> : tensor<3xi64>} : tensor<3xi64>
  %0 = onnx.Reshape %arg0, %c1 : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
