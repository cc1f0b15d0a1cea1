// RUN: cameo-opt %s --infer-shapes | FileCheck %s

// Sizes of operators that keep or add to a part.

// CHECK-LABEL: @pad
// CHECK: return {{.*}} : tensor<5x4xf32>
func.func @pad(%arg0: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[1, 0, 2, 1]> : tensor<4xi64>} : tensor<4xi64>
  %none = onnx.None
  %0 = onnx.Pad %arg0, %c1, %none, %none : (tensor<2x3xf32>, tensor<4xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @pad_axes_crops
// CHECK: return {{.*}} : tensor<2x3xf32>
func.func @pad_axes_crops(%arg0: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-1, 1]> : tensor<2xi64>} : tensor<2xi64>
  %none = onnx.None
  %c3 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Pad %arg0, %c1, %none, %c3 : (tensor<2x3xf32>, tensor<2xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @pad_named
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["n + 2", ""]>>
func.func @pad_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[1, 0, 1, 0]> : tensor<4xi64>} : tensor<4xi64>
  %none = onnx.None
  %0 = onnx.Pad %arg0, %c1, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<4xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @pad_unknown
// CHECK: return {{.*}} : tensor<?x?xf32>
func.func @pad_unknown(%arg0: tensor<2x3xf32>, %arg1: tensor<4xi64>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Pad %arg0, %arg1, %none, %none : (tensor<2x3xf32>, tensor<4xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice
// CHECK: return {{.*}} : tensor<3x10x5xf32>
func.func @slice(%arg0: tensor<20x10x5xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[0, 0]> : tensor<2xi64>} : tensor<2xi64>
  %c2 = onnx.Constant {value = dense<[3, 10]> : tensor<2xi64>} : tensor<2xi64>
  %c3 = onnx.Constant {value = dense<[0, 1]> : tensor<2xi64>} : tensor<2xi64>
  %c4 = onnx.Constant {value = dense<[1, 1]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.Slice %arg0, %c1, %c2, %c3, %c4 : (tensor<20x10x5xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_end_clamped
// CHECK: return {{.*}} : tensor<9xf32>
func.func @slice_end_clamped(%arg0: tensor<10xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[1000]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %none : (tensor<10xf32>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_start_beyond
// CHECK: return {{.*}} : tensor<0xf32>
func.func @slice_start_beyond(%arg0: tensor<10xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[1000]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[1000]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %none : (tensor<10xf32>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_negative_bounds
// CHECK: return {{.*}} : tensor<2xf32>
func.func @slice_negative_bounds(%arg0: tensor<10xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-3]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %none : (tensor<10xf32>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_backwards
// CHECK: return {{.*}} : tensor<5xf32>
func.func @slice_backwards(%arg0: tensor<20xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[20]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[-4]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<20xf32>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_backwards_to_the_first
// CHECK: return {{.*}} : tensor<5xf32>
func.func @slice_backwards_to_the_first(%arg0: tensor<5xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[-9223372036854775807]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_least_step
// CHECK: return {{.*}} : tensor<1xf32>
func.func @slice_least_step(%arg0: tensor<5xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[4]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[-100]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[-9223372036854775807]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_zero_sized
// CHECK: return {{.*}} : tensor<0xf32>
func.func @slice_zero_sized(%arg0: tensor<0xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[-100]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<0xf32>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_whole_named
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["n", ""]>>
func.func @slice_whole_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[9223372036854775807]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_part_of_named
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["n - 1", ""]>>
func.func @slice_part_of_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[9223372036854775807]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// Behind the first of two that were joined is the second; behind more rows than there are is nothing.
// CHECK-LABEL: @slice_behind_named
// CHECK: return {{.*}} : tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n - m - min(n - m, 0)"]>>
func.func @slice_behind_named(%arg0: tensor<?xf32, #onnx.dims<["m"]>>, %arg1: tensor<?xf32, #onnx.dims<["n"]>>) -> (tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %end = onnx.Constant {value = dense<9223372036854775807> : tensor<1xi64>} : tensor<1xi64>
  %m = onnx.Shape %arg0 : (tensor<?xf32, #onnx.dims<["m"]>>) -> tensor<1xi64>
  %both = onnx.Concat %arg0, %arg1 {axis = 0 : i64} : (tensor<?xf32, #onnx.dims<["m"]>>, tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["m + n"]>>
  %0 = onnx.Slice %both, %m, %end, %none, %none : (tensor<?xf32, #onnx.dims<["m + n"]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  %1 = onnx.Slice %arg1, %m, %end, %none, %none : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @slice_both_ends_of_named
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["n - 3", ""]>>
func.func @slice_both_ends_of_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[-2]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// Bounds that depend on the size alone are clamped: n + 1 and 4*floor((n + 3)/4) are never less than n, 2*n - 7 may be.
// CHECK-LABEL: @slice_beyond_named
// CHECK: return {{.*}} : tensor<?xf32, #onnx.dims<["n - 2"]>>, tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["min(7 - n, 0) + 2*n - 7"]>>, tensor<?xf32, #onnx.dims<["m - 1"]>>
func.func @slice_beyond_named(%arg0: tensor<?xf32, #onnx.dims<["n"]>>, %arg1: tensor<?xf32, #onnx.dims<["m"]>>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %two = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %three = onnx.Constant {value = dense<3> : tensor<1xi64>} : tensor<1xi64>
  %four = onnx.Constant {value = dense<4> : tensor<1xi64>} : tensor<1xi64>
  %seven = onnx.Constant {value = dense<7> : tensor<1xi64>} : tensor<1xi64>
  %n = onnx.Shape %arg0 : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<1xi64>
  %m = onnx.Shape %arg1 : (tensor<?xf32, #onnx.dims<["m"]>>) -> tensor<1xi64>
  %more = onnx.Add %n, %one : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %over = onnx.Add %n, %three : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %count = onnx.Div %over, %four : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %padded = onnx.Mul %count, %four : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %twice = onnx.Mul %n, %two : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %less = onnx.Sub %twice, %seven : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %0 = onnx.Slice %arg0, %two, %more, %zero, %none : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xf32>
  %1 = onnx.Slice %arg0, %zero, %padded, %zero, %none : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xf32>
  %2 = onnx.Slice %arg0, %zero, %less, %zero, %none : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xf32>
  %3 = onnx.Slice %arg0, %one, %m, %zero, %none : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xf32>
  return %0, %1, %2, %3 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// Sizes with a minus count from the end.
// CHECK-LABEL: @slice_by_a_size_from_the_end
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["s", ""]>>, tensor<?x3xf32, #onnx.dims<["n - s", ""]>>, tensor<?x3xf32, #onnx.dims<["s - 1", ""]>>, tensor<?xf32, #onnx.dims<["s"]>>
func.func @slice_by_a_size_from_the_end(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>, %arg1: tensor<?xf32, #onnx.dims<["s"]>>, %arg2: tensor<9xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %none = onnx.None
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %last = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<9223372036854775807> : tensor<1xi64>} : tensor<1xi64>
  %size = onnx.Shape %arg1 : (tensor<?xf32, #onnx.dims<["s"]>>) -> tensor<1xi64>
  %back = onnx.Neg %size : (tensor<1xi64>) -> tensor<1xi64>
  %0 = onnx.Slice %arg0, %back, %end, %zero, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xf32>
  %1 = onnx.Slice %arg0, %zero, %back, %zero, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xf32>
  %2 = onnx.Slice %arg0, %back, %last, %zero, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xf32>
  %3 = onnx.Slice %arg2, %back, %end, %zero, %none : (tensor<9xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xf32>
  return %0, %1, %2, %3 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// Of the first or last three, and of those in between, those that are there.
// CHECK-LABEL: @slice_some_of_named
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["min(n - 3, 0) + 3", ""]>>, tensor<?x3xf32, #onnx.dims<["min(n - 3, 0) + 3", ""]>>, tensor<?x3xf32, #onnx.dims<["min(n - 5, 0) + 3 - min(n - 2, 0)", ""]>>, tensor<?x3xf32, #onnx.dims<["min(n - 5, 0) + 3 - min(n - 2, 0)", ""]>>
func.func @slice_some_of_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %c0 = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c3 = onnx.Constant {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  %m3 = onnx.Constant {value = dense<[-3]> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<[9223372036854775807]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  %c5 = onnx.Constant {value = dense<[5]> : tensor<1xi64>} : tensor<1xi64>
  %m5 = onnx.Constant {value = dense<[-5]> : tensor<1xi64>} : tensor<1xi64>
  %m2 = onnx.Constant {value = dense<[-2]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %0 = onnx.Slice %arg0, %c0, %c3, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  %1 = onnx.Slice %arg0, %m3, %end, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  %2 = onnx.Slice %arg0, %c2, %c5, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  %3 = onnx.Slice %arg0, %m5, %m2, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return %0, %1, %2, %3 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// There are as many: the cache of a stream.
// CHECK-LABEL: @slice_some_of_enough
// CHECK: return {{.*}} : tensor<3x3xf32>, tensor<3x3xf32>
func.func @slice_some_of_enough(%arg0: tensor<?x3xf32, #onnx.dims<["n + 4", ""]>>) -> (tensor<*xf32>, tensor<*xf32>) {
  %c0 = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c3 = onnx.Constant {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  %m3 = onnx.Constant {value = dense<[-3]> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<[9223372036854775807]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %0 = onnx.Slice %arg0, %c0, %c3, %none, %none : (tensor<?x3xf32, #onnx.dims<["n + 4", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  %1 = onnx.Slice %arg0, %m3, %end, %none, %none : (tensor<?x3xf32, #onnx.dims<["n + 4", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// One element is there: a run without it is refused.
// CHECK-LABEL: @slice_one_of_named
// CHECK: return {{.*}} : tensor<1x3xf32>, tensor<1x3xf32>
func.func @slice_one_of_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>, tensor<*xf32>) {
  %zero = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %one = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %last = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %end = onnx.Constant {value = dense<[9223372036854775807]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %0 = onnx.Slice %arg0, %zero, %one, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  %1 = onnx.Slice %arg0, %last, %end, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @slice_one_inside_of_named
// CHECK: return {{.*}} : tensor<1x3xf32>, tensor<1x3xf32>
func.func @slice_one_inside_of_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>, tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  %m2 = onnx.Constant {value = dense<[-2]> : tensor<1xi64>} : tensor<1xi64>
  %m1 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  %1 = onnx.Slice %arg0, %m2, %m1, %none, %none : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, none) -> tensor<*xf32>
  return %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: @slice_every_second_of_named
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["floor((n + 1)/2)", ""]>>
func.func @slice_every_second_of_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[0]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[9223372036854775807]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[2]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_every_third_behind_the_first_of_named
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["floor((n + 2)/3) - 1", ""]>>
func.func @slice_every_third_behind_the_first_of_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[-2]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// The least number says "to the first" where the size is not known.
// CHECK-LABEL: @slice_reversed_named
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["n", ""]>>
func.func @slice_reversed_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[-9223372036854775808]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_every_second_backward_of_named
// CHECK: return {{.*}} : tensor<?x3xf32, #onnx.dims<["floor((n)/2) - 1", ""]>>
func.func @slice_every_second_backward_of_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[-2]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[-2]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// Nothing tells that there are four.
// CHECK-LABEL: @slice_backward_from_a_limit_of_named
// CHECK: return {{.*}} : tensor<?x3xf32>
func.func @slice_backward_from_a_limit_of_named(%arg0: tensor<?x3xf32, #onnx.dims<["n", ""]>>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[-9223372036854775808]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<?x3xf32, #onnx.dims<["n", ""]>>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_to_least
// CHECK: return {{.*}} : tensor<4x3xf32>
func.func @slice_to_least(%arg0: tensor<5x3xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[3]> : tensor<1xi64>} : tensor<1xi64>
  %c2 = onnx.Constant {value = dense<[-9223372036854775808]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %c4 = onnx.Constant {value = dense<[-1]> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %arg0, %c1, %c2, %none, %c4 : (tensor<5x3xf32>, tensor<1xi64>, tensor<1xi64>, none, tensor<1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @slice_unknown_bounds
// CHECK: return {{.*}} : tensor<2x?xf32>
func.func @slice_unknown_bounds(%arg0: tensor<2x3xf32>, %arg1: tensor<1xi64>, %arg2: tensor<1xi64>) -> (tensor<*xf32>) {
  %c3 = onnx.Constant {value = dense<[1]> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %0 = onnx.Slice %arg0, %arg1, %arg2, %c3, %none : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @trilu
// CHECK: return {{.*}} : tensor<2x3x3xf32>
func.func @trilu(%arg0: tensor<2x3x3xf32>) -> (tensor<*xf32>) {
  %none = onnx.None
  %0 = onnx.Trilu %arg0, %none : (tensor<2x3x3xf32>, none) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// CHECK-LABEL: @center_crop_pad
// CHECK: return {{.*}} : tensor<10x10x9xf32>
func.func @center_crop_pad(%arg0: tensor<20x10x3xf32>) -> (tensor<*xf32>) {
  %c1 = onnx.Constant {value = dense<[10, 9]> : tensor<2xi64>} : tensor<2xi64>
  %0 = onnx.CenterCropPad %arg0, %c1 {axes = array<i64: 0, -1>} : (tensor<20x10x3xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
