// RUN: cameo-opt %s --pass-pipeline='builtin.module(func.func(place-parts))' --split-input-file | FileCheck %s
// RUN: cameo-opt %s --pass-pipeline='builtin.module(func.func(place-parts), form-tasks)' --split-input-file | FileCheck %s --check-prefix=TASKS

// Each part begins where its elements are in the first row of the whole.
// CHECK-LABEL: func.func @parts_along_the_innermost_axis
// CHECK: %[[R:.*]] = onnx.Relu %arg0
// CHECK-NEXT: %[[A:.*]] = task.place %[[R]] : tensor<1x2x2x16xf32> -> tensor<1x2x2x40xf32>
// CHECK-NEXT: %[[E:.*]] = onnx.Exp %arg1
// CHECK-NEXT: %[[B:.*]] = task.place %[[E]] : tensor<1x2x2x24xf32> -> tensor<1x2x2x40xf32>
// CHECK-NEXT: %[[W:.*]] = task.join %[[A]], %[[B]] offsets [0, 16] : tensor<1x2x2x40xf32>
// CHECK-NEXT: onnx.Neg %[[W]]
// TASKS-LABEL: func.func @parts_along_the_innermost_axis
// TASKS: %[[A:.*]] = task.call @relu_place_0(%arg0) : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x40xf32>
// TASKS: %[[B:.*]] = task.call @exp_place_0(%arg1) : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x40xf32>
// TASKS: %[[W:.*]] = task.join %[[A]], %[[B]] offsets [0, 16] : tensor<1x2x2x40xf32>
// TASKS: task.call @neg_0(%[[W]])
// TASKS-LABEL: task.def @relu_place_0
// What is stored: 64 elements that are read, and as many that are written.
// TASKS-SAME: bytes = 5.120000e+02
func.func @parts_along_the_innermost_axis(%x: tensor<1x2x2x16xf32>, %y: tensor<1x2x2x24xf32>) -> tensor<1x2x2x40xf32> {
  %0 = onnx.Relu %x : (tensor<1x2x2x16xf32>) -> tensor<1x2x2x16xf32>
  %1 = onnx.Exp %y : (tensor<1x2x2x24xf32>) -> tensor<1x2x2x24xf32>
  %2 = onnx.Concat %0, %1 {axis = -1 : i64} : (tensor<1x2x2x16xf32>, tensor<1x2x2x24xf32>) -> tensor<1x2x2x40xf32>
  %3 = onnx.Neg %2 : (tensor<1x2x2x40xf32>) -> tensor<1x2x2x40xf32>
  return %3 : tensor<1x2x2x40xf32>
}

// -----

// CHECK-LABEL: func.func @parts_along_the_first_axis
// CHECK: task.join {{.*}} offsets [0, 32, 48] : tensor<5x16xf32>
func.func @parts_along_the_first_axis(%x: tensor<2x16xf32>, %y: tensor<1x16xf32>) -> tensor<5x16xf32> {
  %0 = onnx.Relu %x : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %1 = onnx.Relu %y : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %2 = onnx.Exp %x : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %3 = onnx.Concat %0, %1, %2 {axis = 0 : i64} : (tensor<2x16xf32>, tensor<1x16xf32>, tensor<2x16xf32>) -> tensor<5x16xf32>
  %4 = onnx.Neg %3 : (tensor<5x16xf32>) -> tensor<5x16xf32>
  return %4 : tensor<5x16xf32>
}

// -----

// Half of the bytes are used elsewhere: they are copied by a task of their own.
// CHECK-LABEL: func.func @half_is_used_twice
// CHECK: task.join
// TASKS-LABEL: func.func @half_is_used_twice
// TASKS: %[[X:.*]] = task.call @relu_0(%arg0)
// TASKS: %[[A:.*]] = task.call @place_0(%[[X]])
// TASKS: %[[B:.*]] = task.call @exp_place_0(%arg0)
// TASKS: task.join %[[A]], %[[B]]
func.func @half_is_used_twice(%x: tensor<2x16xf32>) -> (tensor<2x16xf32>, tensor<4x16xf32>) {
  %0 = onnx.Relu %x : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %1 = onnx.Exp %x : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %2 = onnx.Concat %0, %1 {axis = 0 : i64} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<4x16xf32>
  %3 = onnx.Neg %2 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0, %3 : tensor<2x16xf32>, tensor<4x16xf32>
}

// -----

// Most is used elsewhere, the caller has memory for the result, a part is an input, a part is only read otherwise, a part begins where no vector may,
// or who comes next copies everything: it stays.
// CHECK-LABEL: func.func @most_is_used_twice
// CHECK: onnx.Concat
func.func @most_is_used_twice(%x: tensor<2x16xf32>, %y: tensor<1x16xf32>) -> (tensor<2x16xf32>, tensor<3x16xf32>) {
  %0 = onnx.Relu %x : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %1 = onnx.Exp %y : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %2 = onnx.Concat %0, %1 {axis = 0 : i64} : (tensor<2x16xf32>, tensor<1x16xf32>) -> tensor<3x16xf32>
  %3 = onnx.Neg %2 : (tensor<3x16xf32>) -> tensor<3x16xf32>
  return %0, %3 : tensor<2x16xf32>, tensor<3x16xf32>
}

// CHECK-LABEL: func.func @returned
// CHECK: onnx.Concat
func.func @returned(%x: tensor<2x16xf32>, %shape: tensor<1xi64>) -> tensor<64xf32> {
  %0 = onnx.Relu %x : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %1 = onnx.Exp %x : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %2 = onnx.Concat %0, %1 {axis = 0 : i64} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<4x16xf32>
  %3 = onnx.Reshape %2, %shape : (tensor<4x16xf32>, tensor<1xi64>) -> tensor<64xf32>
  return %3 : tensor<64xf32>
}

// CHECK-LABEL: func.func @input
// CHECK: onnx.Concat
func.func @input(%x: tensor<2x16xf32>) -> tensor<4x16xf32> {
  %0 = onnx.Relu %x : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %1 = onnx.Concat %0, %x {axis = 0 : i64} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<4x16xf32>
  %2 = onnx.Neg %1 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %2 : tensor<4x16xf32>
}

// CHECK-LABEL: func.func @transposed
// CHECK: onnx.Concat
func.func @transposed(%x: tensor<16x2xf32>, %y: tensor<2x16xf32>) -> tensor<4x16xf32> {
  %0 = onnx.Transpose %x {perm = array<i64: 1, 0>} : (tensor<16x2xf32>) -> tensor<2x16xf32>
  %1 = onnx.Relu %y : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %2 = onnx.Concat %0, %1 {axis = 0 : i64} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<4x16xf32>
  %3 = onnx.Neg %2 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// CHECK-LABEL: func.func @unaligned
// CHECK: onnx.Concat
func.func @unaligned(%x: tensor<2x8xf32>) -> tensor<2x16xf32> {
  %0 = onnx.Relu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %1 = onnx.Exp %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = onnx.Concat %0, %1 {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x16xf32>
  %3 = onnx.Neg %2 : (tensor<2x16xf32>) -> tensor<2x16xf32>
  return %3 : tensor<2x16xf32>
}

// CHECK-LABEL: func.func @padded
// CHECK: onnx.Concat
func.func @padded(%x: tensor<2x16xf32>) -> tensor<6x16xf32> {
  %none = onnx.None
  %pads = onnx.Constant {value = dense<[1, 0, 1, 0]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.Relu %x : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %1 = onnx.Exp %x : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %2 = onnx.Concat %0, %1 {axis = 0 : i64} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<4x16xf32>
  %3 = onnx.Pad %2, %pads, %none, %none : (tensor<4x16xf32>, tensor<4xi64>, none, none) -> tensor<6x16xf32>
  return %3 : tensor<6x16xf32>
}

// -----

// The sizes before the axis may be dynamic, and stated differently: they are equal in every run. A part whose sizes are stated as those of the
// whole may be read there.
// CHECK-LABEL: func.func @dynamic_rows
// CHECK: %[[P:.*]] = onnx.GlobalMaxPool
// CHECK: %[[A:.*]] = task.place %[[P]] : tensor<?x16x1xf32, #onnx.dims<["n", "", ""]>> -> tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>
// CHECK: %[[J:.*]] = task.join %[[A]] offsets [0]
// CHECK: %[[S:.*]] = onnx.Slice %[[J]], {{.*}} -> tensor<?x16x1xf32, #onnx.dims<["n", "", ""]>>
// CHECK: onnx.Abs %[[S]]
// CHECK: %[[B:.*]] = task.place %{{.*}} : tensor<?x32x1xf32, #onnx.dims<["m", "", ""]>> -> tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>
// CHECK: task.join %[[A]], %[[B]] offsets [0, 16]
func.func @dynamic_rows(%x: tensor<?x16x8xf32, #onnx.dims<["n", "", ""]>>, %y: tensor<?x32x1xf32, #onnx.dims<["m", "", ""]>>) -> (tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>, tensor<?x16x1xf32, #onnx.dims<["n", "", ""]>>) {
  %0 = onnx.GlobalMaxPool %x : (tensor<?x16x8xf32, #onnx.dims<["n", "", ""]>>) -> tensor<?x16x1xf32, #onnx.dims<["n", "", ""]>>
  %1 = onnx.Abs %0 : (tensor<?x16x1xf32, #onnx.dims<["n", "", ""]>>) -> tensor<?x16x1xf32, #onnx.dims<["n", "", ""]>>
  %2 = onnx.Exp %y : (tensor<?x32x1xf32, #onnx.dims<["m", "", ""]>>) -> tensor<?x32x1xf32, #onnx.dims<["m", "", ""]>>
  %3 = onnx.Concat %0, %2 {axis = 1 : i64} : (tensor<?x16x1xf32, #onnx.dims<["n", "", ""]>>, tensor<?x32x1xf32, #onnx.dims<["m", "", ""]>>) -> tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>
  %4 = onnx.Neg %3 : (tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>) -> tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>
  return %4, %1 : tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>, tensor<?x16x1xf32, #onnx.dims<["n", "", ""]>>
}

// The place of the second part is not known, nor would a part whose sizes are stated differently be a slice of the whole.
// CHECK-LABEL: func.func @dynamic_axis
// CHECK: onnx.Concat
func.func @dynamic_axis(%x: tensor<?x16xf32, #onnx.dims<["n", ""]>>) -> tensor<?x16xf32, #onnx.dims<["2*n", ""]>> {
  %0 = onnx.Relu %x : (tensor<?x16xf32, #onnx.dims<["n", ""]>>) -> tensor<?x16xf32, #onnx.dims<["n", ""]>>
  %1 = onnx.Exp %x : (tensor<?x16xf32, #onnx.dims<["n", ""]>>) -> tensor<?x16xf32, #onnx.dims<["n", ""]>>
  %2 = onnx.Concat %0, %1 {axis = 0 : i64} : (tensor<?x16xf32, #onnx.dims<["n", ""]>>, tensor<?x16xf32, #onnx.dims<["n", ""]>>) -> tensor<?x16xf32, #onnx.dims<["2*n", ""]>>
  %3 = onnx.Neg %2 : (tensor<?x16xf32, #onnx.dims<["2*n", ""]>>) -> tensor<?x16xf32, #onnx.dims<["2*n", ""]>>
  return %3 : tensor<?x16xf32, #onnx.dims<["2*n", ""]>>
}

// CHECK-LABEL: func.func @stated_differently
// CHECK: onnx.Concat
func.func @stated_differently(%x: tensor<?x16x4xf32, #onnx.dims<["n", "", ""]>>, %y: tensor<?x32x4xf32, #onnx.dims<["m", "", ""]>>) -> (tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>, tensor<?x32x1xf32, #onnx.dims<["m", "", ""]>>) {
  %0 = onnx.GlobalMaxPool %x : (tensor<?x16x4xf32, #onnx.dims<["n", "", ""]>>) -> tensor<?x16x1xf32, #onnx.dims<["n", "", ""]>>
  %1 = onnx.GlobalMaxPool %y : (tensor<?x32x4xf32, #onnx.dims<["m", "", ""]>>) -> tensor<?x32x1xf32, #onnx.dims<["m", "", ""]>>
  %2 = onnx.Abs %1 : (tensor<?x32x1xf32, #onnx.dims<["m", "", ""]>>) -> tensor<?x32x1xf32, #onnx.dims<["m", "", ""]>>
  %3 = onnx.Concat %0, %1 {axis = 1 : i64} : (tensor<?x16x1xf32, #onnx.dims<["n", "", ""]>>, tensor<?x32x1xf32, #onnx.dims<["m", "", ""]>>) -> tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>
  %4 = onnx.Neg %3 : (tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>) -> tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>
  return %4, %2 : tensor<?x48x1xf32, #onnx.dims<["n", "", ""]>>, tensor<?x32x1xf32, #onnx.dims<["m", "", ""]>>
}

// -----

// Others read a part where it lies, and an earlier Concat of its first two parts lies there, too.
// CHECK-LABEL: func.func @dense_block
// CHECK: %[[R:.*]] = onnx.GlobalMaxPool %arg0
// CHECK: %[[A:.*]] = task.place %[[R]] : tensor<2x16x1xf32> -> tensor<2x64x1xf32>
// CHECK: %[[JA:.*]] = task.join %[[A]] offsets [0] : tensor<2x64x1xf32>
// CHECK: %[[SA:.*]] = onnx.Slice %[[JA]], {{.*}} -> tensor<2x16x1xf32>
// CHECK: %[[E:.*]] = onnx.Exp %[[SA]]
// CHECK: %[[B:.*]] = task.place %[[E]] : tensor<2x16x1xf32> -> tensor<2x64x1xf32>
// CHECK: %[[JAB:.*]] = task.join %[[A]], %[[B]] offsets [0, 16] : tensor<2x64x1xf32>
// CHECK: %[[SAB:.*]] = onnx.Slice %[[JAB]], {{.*}} -> tensor<2x32x1xf32>
// CHECK: %[[N:.*]] = onnx.Neg %[[SAB]]
// CHECK: %[[C:.*]] = task.place %[[N]] : tensor<2x32x1xf32> -> tensor<2x64x1xf32>
// CHECK: task.join %[[A]], %[[B]], %[[C]] offsets [0, 16, 32] : tensor<2x64x1xf32>
// CHECK-NOT: onnx.Concat
// TASKS-LABEL: func.func @dense_block
// TASKS: %[[A:.*]] = task.call @global_max_pool_place_0(%arg0) : (tensor<2x16x8xf32>) -> tensor<2x64x1xf32>
// TASKS: %[[JA:.*]] = task.join %[[A]] offsets [0]
// TASKS: %[[B:.*]] = task.call @exp_place_0(%[[JA]])
// TASKS: %[[JAB:.*]] = task.join %[[A]], %[[B]] offsets [0, 16]
// TASKS: %[[C:.*]] = task.call @neg_place_0(%[[JAB]])
// TASKS: %[[W:.*]] = task.join %[[A]], %[[B]], %[[C]] offsets [0, 16, 32]
// TASKS: task.call @abs_0(%[[W]])
func.func @dense_block(%x: tensor<2x16x8xf32>) -> tensor<2x64x1xf32> {
  %0 = onnx.GlobalMaxPool %x : (tensor<2x16x8xf32>) -> tensor<2x16x1xf32>
  %1 = onnx.Exp %0 : (tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
  %2 = onnx.Concat %0, %1 {axis = 1 : i64} : (tensor<2x16x1xf32>, tensor<2x16x1xf32>) -> tensor<2x32x1xf32>
  %3 = onnx.Neg %2 : (tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
  %4 = onnx.Concat %0, %1, %3 {axis = 1 : i64} : (tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x32x1xf32>) -> tensor<2x64x1xf32>
  %5 = onnx.Abs %4 : (tensor<2x64x1xf32>) -> tensor<2x64x1xf32>
  return %5 : tensor<2x64x1xf32>
}

// -----

// Elementwise ops over a value that no anchor ends in share the loops of the one that makes it: they go on doing so, and the part is copied.
// CHECK-LABEL: func.func @shared_loops
// CHECK: %[[R:.*]] = onnx.Relu %arg0
// CHECK: onnx.Neg %[[R]]
// TASKS-LABEL: func.func @shared_loops
// TASKS: task.call @relu_neg_0(%arg0) : (tensor<2x16xf32>) -> (tensor<2x16xf32>, tensor<2x16xf32>)
// TASKS: task.call @place_0
func.func @shared_loops(%x: tensor<2x16xf32>, %y: tensor<2x16xf32>) -> (tensor<2x16xf32>, tensor<4x16xf32>) {
  %0 = onnx.Relu %x : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %1 = onnx.Neg %0 : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %2 = onnx.Exp %y : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %3 = onnx.Concat %0, %2 {axis = 0 : i64} : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<4x16xf32>
  %4 = onnx.Abs %3 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %1, %4 : tensor<2x16xf32>, tensor<4x16xf32>
}
