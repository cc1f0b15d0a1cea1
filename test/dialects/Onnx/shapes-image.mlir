// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of interpolation.

// CHECK-LABEL: @resize_scales
// CHECK: return {{.*}} : tensor<1x1x4x10xf32>
func.func @resize_scales(%arg0: tensor<1x1x2x4xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %c2 = onnx.Constant {value = dense<[1.0, 1.0, 2.0, 2.6]> : tensor<4xf32>} : tensor<4xf32>
  %0 = onnx.Resize %arg0, %none, %c2, %none : (tensor<1x1x2x4xf32>, none, tensor<4xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @resize_sizes
// CHECK: return {{.*}} : tensor<1x1x7x8xf32>
func.func @resize_sizes(%arg0: tensor<1x1x2x4xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[1, 1, 7, 8]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.Resize %arg0, %none, %none, %c3 : (tensor<1x1x2x4xf32>, none, none, tensor<4xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @resize_axes
// CHECK: return {{.*}} : tensor<1x1x9x3xf32>
func.func @resize_axes(%arg0: tensor<1x1x2x4xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[3, 9]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Resize %arg0, %none, %none, %c3 {axes = array<i64: 3, 2>} : (tensor<1x1x2x4xf32>, none, none, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @resize_not_larger
// CHECK: return {{.*}} : tensor<1x1x4x8xf32>
func.func @resize_not_larger(%arg0: tensor<1x1x2x4xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[7, 8]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Resize %arg0, %none, %none, %c3 {axes = array<i64: 2, 3>, keep_aspect_ratio_policy = "not_larger"} : (tensor<1x1x2x4xf32>, none, none, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @resize_not_smaller
// CHECK: return {{.*}} : tensor<1x1x7x14xf32>
func.func @resize_not_smaller(%arg0: tensor<1x1x2x4xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[7, 8]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Resize %arg0, %none, %none, %c3 {axes = array<i64: 2, 3>, keep_aspect_ratio_policy = "not_smaller"} : (tensor<1x1x2x4xf32>, none, none, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// One scale for both sides: where they are known only at run time, so is the size that it gives each, halves rounded up.
// CHECK-LABEL: @resize_not_larger_named
// CHECK: return {{.*}} : tensor<?x3x?x?xf32, #onnx.dims<["n", "", "min(floor((448*h + w)/(2*w)) - 224, 0) + 224", "min(floor((h + 448*w)/(2*h)) - 224, 0) + 224"]>>
func.func @resize_not_larger_named(%arg0: tensor<?x3x?x?xf32, #onnx.dims<["n", "", "h", "w"]>>) -> (tensor<*xf32>) {
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[224, 224]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Resize %arg0, %none, %none, %c3 {axes = array<i64: 2, 3>, keep_aspect_ratio_policy = "not_larger"} : (tensor<?x3x?x?xf32, #onnx.dims<["n", "", "h", "w"]>>, none, none, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @resize_not_smaller_named
// CHECK: return {{.*}} : tensor<1x?x?xf32, #onnx.dims<["", "floor((16*h + 5)/10) - min(floor((16*h + 5)/10) - 1, 0)", "floor((h + 10)/(2*h)) - min(floor((h + 10)/(2*h)) - 8, 0)"]>>
func.func @resize_not_smaller_named(%arg0: tensor<1x?x5xf32, #onnx.dims<["", "h", ""]>>) -> (tensor<*xf32>) {
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[1, 8]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Resize %arg0, %none, %none, %c3 {axes = array<i64: 1, 2>, keep_aspect_ratio_policy = "not_smaller"} : (tensor<1x?x5xf32, #onnx.dims<["", "h", ""]>>, none, none, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// A size that is a multiple of its own side has the scale of that multiple, and so has the other side.
// CHECK-LABEL: @resize_not_larger_than_twice
// CHECK: return {{.*}} : tensor<1x?x?xf32, #onnx.dims<["", "2*h", "2*w"]>>
func.func @resize_not_larger_than_twice(%arg0: tensor<1x?x?xf32, #onnx.dims<["", "h", "w"]>>) -> (tensor<*xf32>) {
  %none = onnx.None
  %two = onnx.Constant {value = dense<2> : tensor<2xi64>} : tensor<2xi64>
  %shape = onnx.Shape %arg0 {start = 1 : i64} : (tensor<1x?x?xf32, #onnx.dims<["", "h", "w"]>>) -> tensor<2xi64>
  %sizes = onnx.Mul %shape, %two : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %0 = onnx.Resize %arg0, %none, %none, %sizes {axes = array<i64: 1, 2>, keep_aspect_ratio_policy = "not_larger"} : (tensor<1x?x?xf32, #onnx.dims<["", "h", "w"]>>, none, none, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @resize_named
// CHECK: return {{.*}} : tensor<1x1x?x8xf32, #onnx.dims<["", "", "2*height", ""]>>
func.func @resize_named(%arg0: tensor<1x1x?x4xf32, #onnx.dims<["", "", "height", ""]>>) -> (tensor<*xf32>) {
  %none = onnx.None
  %c2 = onnx.Constant {value = dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>} : tensor<4xf32>
  %0 = onnx.Resize %arg0, %none, %c2, %none : (tensor<1x1x?x4xf32, #onnx.dims<["", "", "height", ""]>>, none, tensor<4xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @resize_channels_last
// CHECK: return {{.*}} : tensor<1x4x8x3xf32>
func.func @resize_channels_last(%arg0: tensor<1x2x4x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %c2 = onnx.Constant {value = dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>} : tensor<4xf32>
  %0 = onnx.Resize %arg0, %none, %c2, %none {channels_last} : (tensor<1x2x4x3xf32>, none, tensor<4xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @resize_unknown_sizes
// CHECK: return {{.*}} : tensor<?x?x?x?xf32>
func.func @resize_unknown_sizes(%arg0: tensor<1x1x2x4xf32>, %arg3: tensor<4xi64>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Resize %arg0, %none, %none, %arg3 : (tensor<1x1x2x4xf32>, none, none, tensor<4xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @grid_sample
// CHECK: return {{.*}} : tensor<2x3x6x7xf32>
func.func @grid_sample(%arg0: tensor<2x3x4x4xf32>, %arg1: tensor<2x6x7x2xf32>) -> (tensor<*xf32>) {
  %0 = onnx.GridSample %arg0, %arg1 : (tensor<2x3x4x4xf32>, tensor<2x6x7x2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// The grid keeps its order.
// CHECK-LABEL: @grid_sample_channels_last
// CHECK: return {{.*}} : tensor<2x6x7x3xf32>
func.func @grid_sample_channels_last(%arg0: tensor<2x4x4x3xf32>, %arg1: tensor<2x6x7x2xf32>) -> (tensor<*xf32>) {
  %0 = onnx.GridSample %arg0, %arg1 {channels_last} : (tensor<2x4x4x3xf32>, tensor<2x6x7x2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @resize_named_by_half
// CHECK: return {{.*}} : tensor<?x?xf32, #onnx.dims<["floor((h)/2)", "floor((3*w)/2)"]>>
func.func @resize_named_by_half(%arg0: tensor<?x?xf32, #onnx.dims<["h", "w"]>>) -> (tensor<*xf32>) {
  %none = onnx.None
  %c1 = onnx.Constant {value = dense<[0.5, 1.5]> : tensor<2xf32>} : tensor<2xf32>
  %0 = onnx.Resize %arg0, %none, %c1, %none : (tensor<?x?xf32, #onnx.dims<["h", "w"]>>, none, tensor<2xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// A fraction where products in f32 round to no other size: 90 times 1.3 is less than 117.
// CHECK-LABEL: @resize_named_by_fractions
// CHECK: return {{.*}} : tensor<?x?x?xf32, #onnx.dims<["floor((17*h)/10)", "floor((w)/3)", "floor(float(d)*1.3)"]>>
func.func @resize_named_by_fractions(%arg0: tensor<?x?x?xf32, #onnx.dims<["h", "w", "d"]>>) -> (tensor<*xf32>) {
  %none = onnx.None
  %c1 = onnx.Constant {value = dense<[1.7, 0.333333333, 1.3]> : tensor<3xf32>} : tensor<3xf32>
  %0 = onnx.Resize %arg0, %none, %c1, %none : (tensor<?x?x?xf32, #onnx.dims<["h", "w", "d"]>>, none, tensor<3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @roi_align
// CHECK: return {{.*}} : tensor<?x2x5x7xf32, #onnx.dims<["regions", "", "", ""]>>
func.func @roi_align(%arg0: tensor<1x2x8x8xf32>, %arg1: tensor<?x4xf32, #onnx.dims<["regions", ""]>>, %arg2: tensor<?xi64, #onnx.dims<["regions"]>>) -> (tensor<*xf32>) {
  %0 = onnx.RoiAlign %arg0, %arg1, %arg2 {output_height = 5 : i64, output_width = 7 : i64} : (tensor<1x2x8x8xf32>, tensor<?x4xf32, #onnx.dims<["regions", ""]>>, tensor<?xi64, #onnx.dims<["regions"]>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @roi_align_channels_last
// CHECK: return {{.*}} : tensor<3x5x7x2xf32>
func.func @roi_align_channels_last(%arg0: tensor<1x8x8x2xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3xi64>) -> (tensor<*xf32>) {
  %0 = onnx.RoiAlign %arg0, %arg1, %arg2 {channels_last, output_height = 5 : i64, output_width = 7 : i64} : (tensor<1x8x8x2xf32>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @affine_grid
// CHECK: return {{.*}} : tensor<2x4x5x6x3xf32>
func.func @affine_grid(%arg0: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[2, 1, 4, 5, 6]> : tensor<5xi64>} : tensor<5xi64>
  %0 = onnx.AffineGrid %arg0, %c1 : (tensor<2x3x4xf32>, tensor<5xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @col2im
// CHECK: return {{.*}} : tensor<1x2x5x5xf32>
func.func @col2im(%arg0: tensor<1x10x5xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[5, 5]> : tensor<2xi64>} : tensor<2xi64>
  %c2 = onnx.Constant {value = dense<[1, 5]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Col2Im %arg0, %c1, %c2 : (tensor<1x10x5xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// As PyTorch wrote interpolation to another's size: scales are quotients of sizes.
// CHECK-LABEL: @resize_by_quotients
// CHECK: return {{.*}} : tensor<?xf32, #onnx.dims<["floor(float(h)*(float(g)/float(h)))"]>>
func.func @resize_by_quotients(%arg0: tensor<?xf32, #onnx.dims<["h"]>>, %arg1: tensor<?xf32, #onnx.dims<["g"]>>) -> (tensor<*xf32>) {
  %none = onnx.None
  %own = onnx.Shape %arg0 : (tensor<?xf32, #onnx.dims<["h"]>>) -> tensor<1xi64>
  %asked = onnx.Shape %arg1 : (tensor<?xf32, #onnx.dims<["g"]>>) -> tensor<1xi64>
  %from = onnx.Cast %own {to = 1 : i64} : (tensor<1xi64>) -> tensor<1xf32>
  %to = onnx.Cast %asked {to = 1 : i64} : (tensor<1xi64>) -> tensor<1xf32>
  %scales = onnx.Div %to, %from : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %0 = onnx.Resize %arg0, %none, %scales, %none : (tensor<?xf32, #onnx.dims<["h"]>>, none, tensor<1xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
