// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-LABEL: task.def @index
// Indices are made to lie inside.
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: tensor.extract %arg0
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %arg0)
// CHECK: tensor.insert
// CHECK: arith.cmpf ugt
// NaN takes the place of a number, not of another one.
// CHECK-NEXT: arith.cmpf ord
task.def @index(%x: tensor<6x4xf32>, %i: tensor<3x2xi64>, %u: tensor<3x2xf32>) -> (tensor<3x2x4xf32>, tensor<6x4xf32>, tensor<6xi64>) {
  %0 = onnx.Gather %x, %i : (tensor<6x4xf32>, tensor<3x2xi64>) -> tensor<3x2x4xf32>
  %1 = onnx.ScatterElements %x, %i, %u {reduction = "add"} : (tensor<6x4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) -> tensor<6x4xf32>
  %2 = onnx.ArgMax %x {axis = 1 : i64, keepdims = 0 : i64} : (tensor<6x4xf32>) -> tensor<6xi64>
  task.return %0, %1, %2 : tensor<3x2x4xf32>, tensor<6x4xf32>, tensor<6xi64>
}

// Along other axes than the last a step is a slice.
// CHECK-LABEL: task.def @cumsum_of_rows
// CHECK: scf.for
// CHECK: tensor.extract_slice
// CHECK: arith.addf
task.def @cumsum_of_rows(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %a = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %0 = onnx.CumSum %x, %a : (tensor<4x6xf32>, tensor<i64>) -> tensor<4x6xf32>
  task.return %0 : tensor<4x6xf32>
}

// Along the last axis four rows are under way at once, of whatever dimensions; then each of the others.
// CHECK-LABEL: task.def @cumsum_in_rows
// CHECK: scf.for %{{.*}} = %{{.*}} to %c1{{.*}} iter_args
// CHECK: scf.for {{.*}} -> (tensor<6x5xf32>, f32, f32, f32, f32)
// CHECK-COUNT-4: arith.addf
// CHECK: scf.for %{{.*}} = %{{.*}} to %c2{{.*}} iter_args
// CHECK: scf.for {{.*}} -> (tensor<6x5xf32>, f32)
// CHECK: arith.addf
task.def @cumsum_in_rows(%x: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %a = onnx.Constant {value = dense<-1> : tensor<i64>} : tensor<i64>
  %0 = onnx.CumSum %x, %a : (tensor<2x3x5xf32>, tensor<i64>) -> tensor<2x3x5xf32>
  task.return %0 : tensor<2x3x5xf32>
}

// CHECK-LABEL: task.def @cumsum(
// CHECK: arith.addf
// Candidates are keys, of the bits of an element and its place. There are few: their ranks are counted.
// CHECK: scf.for {{.*}} -> (tensor<4x10xf32>, tensor<4x10xi64>, tensor<36xi32>, tensor<1xi32>, tensor<36xi64>)
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.shli
// CHECK: tensor.insert {{.*}} : tensor<36xi64>
// CHECK: arith.cmpi sgt, {{.*}} : index
// CHECK: tensor.insert {{.*}} : tensor<4x10xf32>
// CHECK: tensor.insert {{.*}} : tensor<4x10xi64>
// CHECK: task.return
task.def @cumsum(%x: tensor<4x36xf32>) -> (tensor<4x36xf32>, tensor<4x10xf32>, tensor<4x10xi64>) {
  %a = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %k = onnx.Constant {value = dense<10> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.CumSum %x, %a : (tensor<4x36xf32>, tensor<1xi64>) -> tensor<4x36xf32>
  %1, %2 = onnx.TopK %x, %k : (tensor<4x36xf32>, tensor<1xi64>) -> (tensor<4x10xf32>, tensor<4x10xi64>)
  task.return %0, %1, %2 : tensor<4x36xf32>, tensor<4x10xf32>, tensor<4x10xi64>
}

// Elements of 64 bits leave no room for a place: candidates are places, whose orders are compared.
// CHECK-LABEL: task.def @top_of_doubles
// CHECK: arith.bitcast {{.*}} : f64 to i64
// CHECK-NOT: arith.shli
task.def @top_of_doubles(%x: tensor<4x36xf64>) -> (tensor<4x10xf64>, tensor<4x10xi64>) {
  %k = onnx.Constant {value = dense<10> : tensor<1xi64>} : tensor<1xi64>
  %0, %1 = onnx.TopK %x, %k : (tensor<4x36xf64>, tensor<1xi64>) -> (tensor<4x10xf64>, tensor<4x10xi64>)
  task.return %0, %1 : tensor<4x10xf64>, tensor<4x10xi64>
}

// One element is an extremum; NaN is greater than all numbers, and so never the least one before them.
// CHECK-LABEL: task.def @least
// CHECK: arith.constant 0x7FC00000
// CHECK-NOT: scf.for
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: arith.cmpf ult
// CHECK: arith.cmpf ord, %[[IN:.*]], %[[IN]]
task.def @least(%x: tensor<4x6xf32>) -> (tensor<4x1xf32>, tensor<4x1xi64>) {
  %k = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %0, %1 = onnx.TopK %x, %k {largest = 0 : i64} : (tensor<4x6xf32>, tensor<1xi64>) -> (tensor<4x1xf32>, tensor<4x1xi64>)
  task.return %0, %1 : tensor<4x1xf32>, tensor<4x1xi64>
}

// Elements of a short axis are compared with each other: the number of those before one is its place.
// CHECK-LABEL: task.def @top_by_rank
// CHECK-NOT: scf.for
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.cmpi sgt
// CHECK: arith.cmpi eq
// CHECK: arith.addi
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.select {{.*}} : f32
// CHECK: arith.select {{.*}} : i64
task.def @top_by_rank(%x: tensor<8x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xi64>) {
  %k = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %0, %1 = onnx.TopK %x, %k {axis = 0 : i64} : (tensor<8x6xf32>, tensor<1xi64>) -> (tensor<2x6xf32>, tensor<2x6xi64>)
  task.return %0, %1 : tensor<2x6xf32>, tensor<2x6xi64>
}

// A threshold that the two best elements reach is found among the maxima of 64 columns; of many elements that equal it
// only the first ones are candidates; a heap orders candidates if there are many.
// CHECK-LABEL: task.def @top_of_long_row
// CHECK: tensor.empty() : tensor<64xi32>
// CHECK: arith.maxsi {{.*}} : i32
// CHECK: arith.cmpi uge
// CHECK: arith.cmpi sge, {{.*}} : i32
// CHECK: arith.cmpi sgt, {{.*}} : i32
// CHECK: arith.cmpi eq, {{.*}} : i32
// CHECK: %[[MOST:.*]] = arith.constant 512
// CHECK: arith.cmpi sle, %{{.*}}, %[[MOST]] : index
// CHECK: arith.cmpi sgt, %{{.*}}, %{{.*}} : index
task.def @top_of_long_row(%x: tensor<1x1000xf32>) -> (tensor<1x2xf32>, tensor<1x2xi64>) {
  %k = onnx.Constant {value = dense<2> : tensor<1xi64>} : tensor<1xi64>
  %0, %1 = onnx.TopK %x, %k : (tensor<1x1000xf32>, tensor<1xi64>) -> (tensor<1x2xf32>, tensor<1x2xi64>)
  task.return %0, %1 : tensor<1x2xf32>, tensor<1x2xi64>
}

// Elements behind what was read are zeros.
// CHECK-LABEL: task.def @max_unpool
// CHECK: linalg.fill {{.*}} tensor<16xf32>
// CHECK: tensor.insert {{.*}} : tensor<16xf32>
// CHECK: tensor.insert_slice {{.*}} into {{.*}} : tensor<1x1x4x4xf32> into tensor<1x1x5x5xf32>
task.def @max_unpool(%x: tensor<1x1x2x2xf32>, %i: tensor<1x1x2x2xi64>) -> tensor<1x1x5x5xf32> {
  %shape = onnx.Constant {value = dense<[1, 1, 5, 5]> : tensor<4xi64>} : tensor<4xi64>
  %0 = onnx.MaxUnpool %x, %i, %shape {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xi64>, tensor<4xi64>) -> tensor<1x1x5x5xf32>
  task.return %0 : tensor<1x1x5x5xf32>
}

// How many samples a bin has depends on the region; where they lie is the same for all channels.
// CHECK-LABEL: task.def @roi_align
// CHECK: math.ceil
// CHECK: scf.for {{.*}} -> (tensor<2xf32>)
// CHECK: arith.fptosi
// CHECK: scf.for {{.*}} -> (tensor<2xf32>)
// CHECK: tensor.insert {{.*}} : tensor<2xf32>
// CHECK: tensor.insert {{.*}} : tensor<3x2x2x2xf32>
task.def @roi_align(%x: tensor<1x2x8x8xf32>, %r: tensor<3x4xf32>, %b: tensor<3xi64>) -> tensor<3x2x2x2xf32> {
  %0 = onnx.RoiAlign %x, %r, %b {output_height = 2 : i64, output_width = 2 : i64} : (tensor<1x2x8x8xf32>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x2x2x2xf32>
  task.return %0 : tensor<3x2x2x2xf32>
}

// Axes known only at run time, where shapes do not tell them: what makes one result is read side by side.
// CHECK-LABEL: task.def @axes_of_the_run
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]
// CHECK: tensor.extract %arg1
// CHECK: tensor.extract %arg0
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
task.def @axes_of_the_run(%x: tensor<3x2x2xf32>, %axes: tensor<1xi64>) -> tensor<3x2xf32> {
  %0 = onnx.ReduceSum %x, %axes {keepdims = 0 : i64} : (tensor<3x2x2xf32>, tensor<1xi64>) -> tensor<3x2xf32>
  task.return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: task.def @axes_of_the_run_and_sizes_too
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel"]
// CHECK: tensor.extract %arg1
// CHECK: tensor.extract %arg0
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
task.def @axes_of_the_run_and_sizes_too(%x: tensor<?x?x?xf32, #onnx.dims<["m", "n", "n"]>>, %axes: tensor<1xi64>) -> tensor<3x2xf32> {
  %0 = onnx.ReduceSum %x, %axes {keepdims = 0 : i64} : (tensor<?x?x?xf32, #onnx.dims<["m", "n", "n"]>>, tensor<1xi64>) -> tensor<3x2xf32>
  task.return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: task.def @along_an_axis
// CHECK: arith.maxsi
// CHECK: tensor.extract %arg0[%{{.*}}, %{{.*}}] : tensor<2x8xf32>
// Places behind the length of a sequence are their own.
// CHECK: %[[LAST:.*]] = arith.subi
// CHECK: %[[BACK:.*]] = arith.subi %[[LAST]], %
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt
// CHECK: arith.select %[[INSIDE]], %[[BACK]]
// CHECK: tensor.extract %arg2
task.def @along_an_axis(%x: tensor<2x8xf32>, %i: tensor<2x3xi64>, %s: tensor<4x2x3xf32>, %lengths: tensor<2xi64>)
    -> (tensor<2x3xf32>, tensor<4x2x3xf32>) {
  %0 = onnx.GatherElements %x, %i {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  %1 = onnx.ReverseSequence %s, %lengths : (tensor<4x2x3xf32>, tensor<2xi64>) -> tensor<4x2x3xf32>
  task.return %0, %1 : tensor<2x3xf32>, tensor<4x2x3xf32>
}

// Slices in the order of the indices: of two for one place the last stays.
// CHECK-LABEL: task.def @scatter_nd
// CHECK: scf.for {{.*}} to %c3
// CHECK: tensor.extract %arg1
// CHECK: scf.for {{.*}} to %c8
// CHECK-NOT: tensor.extract %arg1
// CHECK: tensor.insert
task.def @scatter_nd(%x: tensor<2x8xf32>, %i: tensor<3x1xi64>, %u: tensor<3x8xf32>) -> tensor<2x8xf32> {
  %0 = onnx.ScatterND %x, %i, %u : (tensor<2x8xf32>, tensor<3x1xi64>, tensor<3x8xf32>) -> tensor<2x8xf32>
  task.return %0 : tensor<2x8xf32>
}

// Tuples of a length known only at run time: pairs, because the updates lack both dimensions.
// CHECK-LABEL: task.def @scatter_named
// CHECK-COUNT-2: tensor.extract %arg1
// CHECK-NOT: tensor.extract %arg1
// CHECK: tensor.insert
task.def @scatter_named(%x: tensor<2x8xf32>, %i: tensor<3x?xi64, #onnx.dims<["", "pair"]>>, %u: tensor<3xf32>) -> tensor<2x8xf32> {
  %0 = onnx.ScatterND %x, %i, %u : (tensor<2x8xf32>, tensor<3x?xi64, #onnx.dims<["", "pair"]>>, tensor<3xf32>) -> tensor<2x8xf32>
  task.return %0 : tensor<2x8xf32>
}

// CHECK-LABEL: task.def @extremum
// CHECK: arith.cmpf ult
// CHECK: %[[PLACE:.*]]:2 = linalg.generic {{.*}}"reduction"
// CHECK: linalg.generic {{.*}} ins(%[[PLACE]]#1
// CHECK: arith.cmpi eq
task.def @extremum(%x: tensor<2x8xf32>) -> (tensor<1x8xi64>, tensor<2x8xf32>) {
  %0 = onnx.ArgMin %x : (tensor<2x8xf32>) -> tensor<1x8xi64>
  %1 = onnx.Hardmax %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  task.return %0, %1 : tensor<1x8xi64>, tensor<2x8xf32>
}

// CHECK-LABEL: task.def @cumulative_product
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00
// CHECK: linalg.fill ins(%[[ONE]]
// CHECK: scf.for
// CHECK: arith.mulf
task.def @cumulative_product(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %axis = onnx.Constant {value = dense<0> : tensor<i64>} : tensor<i64>
  %0 = onnx.CumProd %x, %axis : (tensor<2x8xf32>, tensor<i64>) -> tensor<2x8xf32>
  task.return %0 : tensor<2x8xf32>
}

// A row is searched in columns, the best of which are compared with the rest of the row.
// CHECK-LABEL: task.def @largest_of_a_row
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<1x68x16xf32>) outs({{.*}} : tensor<1x1x16xf32>, tensor<1x1x16xi64>)
// CHECK: linalg.generic {{.*}} : tensor<1x16xf32>, tensor<1x16xi64>) outs({{.*}} : tensor<1x1xf32>, tensor<1x1xi64>)
// CHECK: linalg.generic {{.*}} : tensor<1x12xf32>) outs(
// CHECK: arith.constant 1088 : index
task.def @largest_of_a_row(%x: tensor<1x1100xf32>) -> tensor<1xi64> {
  %0 = onnx.ArgMax %x {axis = 1 : i64, keepdims = 0 : i64} : (tensor<1x1100xf32>) -> tensor<1xi64>
  task.return %0 : tensor<1xi64>
}

// Rows of dynamic length may be shorter than a vector: there are no steps then.
// CHECK-LABEL: task.def @largest_of_dynamic_rows
// CHECK: %[[REST:.*]] = task.size "n - 8*floor((n)/8)"
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<?x?x8xf32>) outs({{.*}} : tensor<?x1x8xf32>, tensor<?x1x8xi64>)
// CHECK: tensor.extract_slice %{{.*}}[0, %{{.*}}] [%{{.*}}, %[[REST]]]
task.def @largest_of_dynamic_rows(%x: tensor<?x?xf32, #onnx.dims<["b", "n"]>>) -> tensor<?xi64, #onnx.dims<["b"]>> {
  %0 = onnx.ArgMax %x {axis = 1 : i64, keepdims = 0 : i64} : (tensor<?x?xf32, #onnx.dims<["b", "n"]>>) -> tensor<?xi64, #onnx.dims<["b"]>>
  task.return %0 : tensor<?xi64, #onnx.dims<["b"]>>
}

// Eight short rows are lanes themselves.
// CHECK-LABEL: task.def @largest_of_short_rows
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<8x100xf32>) outs({{.*}} : tensor<8x1xf32>, tensor<8x1xi64>)
task.def @largest_of_short_rows(%x: tensor<8x100xf32>) -> tensor<8xi64> {
  %0 = onnx.ArgMax %x {axis = 1 : i64, keepdims = 0 : i64} : (tensor<8x100xf32>) -> tensor<8xi64>
  task.return %0 : tensor<8xi64>
}
