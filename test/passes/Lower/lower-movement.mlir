// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-DAG: #[[TRANSPOSED:.*]] = affine_map<(d0, d1, d2) -> (d2, d1, d0)>
// CHECK-DAG: #[[BACKWARDS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2 * -2 + 3)>

// CHECK-LABEL: task.def @movement
// CHECK: linalg.generic {indexing_maps = [#[[TRANSPOSED]],
// CHECK: tensor.insert_slice %arg0 into {{.*}}[0, 0, 0] [2, 3, 4] [1, 1, 1]
// CHECK: tensor.insert_slice %arg1 into {{.*}}[0, 3, 0] [2, 1, 4] [1, 1, 1]
// CHECK: tensor.extract_slice %arg0[0, 2, 0] [2, 1, 4] [1, 1, 1]
// CHECK: linalg.generic {indexing_maps = [#[[BACKWARDS]],
// CHECK: %[[BEFORE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x1x4xf32>)
// CHECK: tensor.extract %arg0
// CHECK: tensor.insert_slice %[[BEFORE]] into {{.*}}[0, 0, 0] [2, 1, 4] [1, 1, 1]
// CHECK: %[[SAME:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x4xf32>)
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}, %{{.*}}]
// CHECK: tensor.insert_slice %[[SAME]] into {{.*}}[0, 1, 0] [2, 3, 4] [1, 1, 1]
// CHECK: %[[BEHIND:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x1x4xf32>)
// CHECK: tensor.insert_slice %[[BEHIND]] into {{.*}}[0, 4, 0] [2, 1, 4] [1, 1, 1]
// CHECK: tensor.collapse_shape %arg0 {{\[\[}}0, 1, 2]]
task.def @movement(%x: tensor<2x3x4xf32>, %y: tensor<2x1x4xf32>) -> (tensor<4x3x2xf32>, tensor<2x4x4xf32>, tensor<2x1x4xf32>, tensor<2x3x2xf32>, tensor<2x5x4xf32>, tensor<24xf32>) {
  %0 = onnx.Transpose %x : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %1 = onnx.Concat %x, %y {axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x4x4xf32>
  %n = onnx.None
  %2, %3 = onnx.Split %x, %n {axis = 1 : i64, num_outputs = 2 : i64} : (tensor<2x3x4xf32>, none) -> (tensor<2x2x4xf32>, tensor<2x1x4xf32>)
  %s = onnx.Constant {value = dense<-1> : tensor<1xi64>} : tensor<1xi64>
  %e = onnx.Constant {value = dense<-100> : tensor<1xi64>} : tensor<1xi64>
  %ax = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %st = onnx.Constant {value = dense<-2> : tensor<1xi64>} : tensor<1xi64>
  %4 = onnx.Slice %x, %s, %e, %ax, %st : (tensor<2x3x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3x2xf32>
  %p = onnx.Constant {value = dense<[0, 1, 0, 0, 1, 0]> : tensor<6xi64>} : tensor<6xi64>
  %5 = onnx.Pad %x, %p, %n, %n {mode = "reflect"} : (tensor<2x3x4xf32>, tensor<6xi64>, none, none) -> tensor<2x5x4xf32>
  %sh = onnx.Constant {value = dense<24> : tensor<1xi64>} : tensor<1xi64>
  %6 = onnx.Reshape %x, %sh : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<24xf32>
  task.return %0, %1, %3, %4, %5, %6 : tensor<4x3x2xf32>, tensor<2x4x4xf32>, tensor<2x1x4xf32>, tensor<2x3x2xf32>, tensor<2x5x4xf32>, tensor<24xf32>
}

// Rows that fill cache lines are read at a place of each; what is added before a row goes backwards.
// CHECK-LABEL: task.def @pads_by_index
// CHECK: arith.constant dense<[1, 0, 1, 2, 1]> : tensor<5xi64>
// CHECK: tensor.extract %arg0
// CHECK-NOT: tensor.insert_slice
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x2xf32>)
// CHECK: %[[BACK:.*]] = arith.muli %{{.*}}, %c-1
// CHECK: %[[FROM:.*]] = arith.addi %[[BACK]], %c2
// CHECK: tensor.extract %arg1[%{{.*}}, %[[FROM]]]
// CHECK: tensor.insert_slice {{.*}}[0, 0] [3, 2] [1, 1]
// CHECK: tensor.insert_slice {{.*}}[0, 2] [3, 8] [1, 1]
task.def @pads_by_index(%x: tensor<3x16xf32>, %y: tensor<3x8xf32>) -> (tensor<5x16xf32>, tensor<3x10xf32>) {
  %n = onnx.None
  %p = onnx.Constant {value = dense<[1, 0, 1, 0]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.Pad %x, %p, %n, %n {mode = "reflect"} : (tensor<3x16xf32>, tensor<4xi64>, none, none) -> tensor<5x16xf32>
  %q = onnx.Constant {value = dense<[0, 2, 0, 0]> : tensor<4xi64>} : tensor<4xi64>
  %1 = onnx.Pad %y, %q, %n, %n {mode = "reflect"} : (tensor<3x8xf32>, tensor<4xi64>, none, none) -> tensor<3x10xf32>
  task.return %0, %1 : tensor<5x16xf32>, tensor<3x10xf32>
}

// Axes that the run reads: what is added before every dimension is found first.
// CHECK-LABEL: task.def @pads_read_axes
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3xi64>)
// CHECK: tensor.extract %arg2
// CHECK: tensor.extract %arg1
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x5x4xf32>)
// CHECK: tensor.extract %arg0
task.def @pads_read_axes(%x: tensor<2x3x4xf32>, %pads: tensor<2xi64>, %axes: tensor<1xi64>) -> tensor<2x5x4xf32> {
  %n = onnx.None
  %0 = onnx.Pad %x, %pads, %n, %axes : (tensor<2x3x4xf32>, tensor<2xi64>, none, tensor<1xi64>) -> tensor<2x5x4xf32>
  task.return %0 : tensor<2x5x4xf32>
}

// CHECK-LABEL: task.def @resize
// Whole repetitions are read without tables.
// CHECK-NOT: tensor.extract
// CHECK: tensor.collapse_shape
// CHECK: arith.constant dense<[0, 0, 0, 1, 0, 1, 1, 2, 1, 2, 2, 2]> : tensor<12xi64>
// CHECK: tensor.extract
task.def @resize(%x: tensor<1x2x3x3xf32>) -> (tensor<1x2x6x6xf32>, tensor<1x2x6x6xf32>) {
  %n = onnx.None
  %s = onnx.Constant {value = dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>} : tensor<4xf32>
  %0 = onnx.Resize %x, %n, %s, %n {coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"} : (tensor<1x2x3x3xf32>, none, tensor<4xf32>, none) -> tensor<1x2x6x6xf32>
  %1 = onnx.Resize %x, %n, %s, %n {mode = "linear"} : (tensor<1x2x3x3xf32>, none, tensor<4xf32>, none) -> tensor<1x2x6x6xf32>
  task.return %0, %1 : tensor<1x2x6x6xf32>, tensor<1x2x6x6xf32>
}

// Where the scale is known only at run time, the task computes indices and weights of each dimension before it reads the data.
// CHECK-LABEL: task.def @resize_by_scales_of_the_run
// CHECK: arith.divf %{{.*}} : f64
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<6x2xi64>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<6x2xf32>)
// CHECK: outs(%{{.*}} : tensor<1x2x6xf32>)
task.def @resize_by_scales_of_the_run(%x: tensor<1x2x3xf32>, %s: tensor<3xf32>) -> tensor<1x2x6xf32> {
  %n = onnx.None
  %0 = onnx.Resize %x, %n, %s, %n {mode = "linear"} : (tensor<1x2x3xf32>, none, tensor<3xf32>, none) -> tensor<1x2x6xf32>
  task.return %0 : tensor<1x2x6xf32>
}

// So does a size whose tables would fill the object.
// CHECK-LABEL: task.def @resize_to_millions
// CHECK-NOT: arith.constant dense
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3000000x2xi64>)
task.def @resize_to_millions(%x: tensor<7xf32>) -> tensor<3000000xf32> {
  %n = onnx.None
  %s = onnx.Constant {value = dense<3000000> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Resize %x, %n, %n, %s {mode = "linear"} : (tensor<7xf32>, none, none, tensor<1xi64>) -> tensor<3000000xf32>
  task.return %0 : tensor<3000000xf32>
}

// CHECK-LABEL: task.def @space_to_depth
// CHECK: tensor.expand_shape %arg0 {{.*}} into tensor<1x4x3x2x3x2xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x2x4x3x3xf32>)
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x16x3x3xf32>
task.def @space_to_depth(%x: tensor<1x4x6x6xf32>) -> tensor<1x16x3x3xf32> {
  %0 = onnx.SpaceToDepth %x {blocksize = 2 : i64} : (tensor<1x4x6x6xf32>) -> tensor<1x16x3x3xf32>
  task.return %0 : tensor<1x16x3x3xf32>
}

// A signal of any length: what lies inside is copied, and two elements before it and one behind have places.
// CHECK-LABEL: task.def @reflects_ends
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x2xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [%{{.*}}, 2] [1, 1] : tensor<?x2xf32> into tensor<?x?xf32>
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[0, 2] {{.*}} : tensor<?x?xf32> into tensor<?x?xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x1xf32>)
// CHECK: tensor.insert_slice {{.*}} : tensor<?x1xf32> into tensor<?x?xf32>
task.def @reflects_ends(%x: tensor<?x?xf32, #onnx.dims<["b", "n"]>>) -> tensor<?x?xf32, #onnx.dims<["b", "n + 3"]>> {
  %p = onnx.Constant {value = dense<[0, 2, 0, 1]> : tensor<4xi64>} : tensor<4xi64>
  %n = onnx.None
  %0 = onnx.Pad %x, %p, %n, %n {mode = "reflect"} : (tensor<?x?xf32, #onnx.dims<["b", "n"]>>, tensor<4xi64>, none, none) -> tensor<?x?xf32, #onnx.dims<["b", "n + 3"]>>
  task.return %0 : tensor<?x?xf32, #onnx.dims<["b", "n + 3"]>>
}
