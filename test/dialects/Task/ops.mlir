// RUN: cameo-opt %s | cameo-opt | FileCheck %s
// RUN: cameo-opt %s --mlir-print-op-generic | cameo-opt | FileCheck %s

// CHECK-LABEL: task.def @scale(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> attributes {bytes = 4.800000e+01 : f64, flops = 4.000000e+00 : f64, key = "5ca1e", weight = 2 : i64}
// CHECK: task.return %{{.*}} : tensor<4xf32>
task.def @scale(%x: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> attributes {key = "5ca1e", weight = 2 : i64, flops = 4.0 : f64, bytes = 48.0 : f64} {
  %0 = arith.mulf %x, %s : tensor<4xf32>
  task.return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @tensor_form
func.func @tensor_form(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %s = arith.constant dense<2.0> : tensor<4xf32>
  // CHECK: %[[VIEW:.*]] = task.view %{{.*}} : tensor<2x2xf32> -> tensor<4xf32>
  %0 = task.view %x : tensor<2x2xf32> -> tensor<4xf32>
  // CHECK: task.call @scale(%[[VIEW]], %{{.*}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = task.call @scale(%0, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = task.view %1 : tensor<4xf32> -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

func.func private @product.k0(memref<4xf32>, memref<8xf32>, memref<16xf32>, memref<2xf32>, index, index)

// CHECK-LABEL: task.def @product
// CHECK-SAME: %arg0: memref<4xf32> {task.inplace = 0 : i64}
// CHECK-SAME: %arg1: memref<8xf32> {task.packing = #task.packing<elements = 8, nests = {{\[\[}}0, 0, [2, 3], [4, 1], [1, 2]]]>}
task.def @product(%x: memref<4xf32> {task.inplace = 0},
                  %w: memref<8xf32> {task.packing = #task.packing<elements = 8, nests = [[0, 0, [2, 3], [4, 1], [1, 2]]]>},
                  %y: memref<2xf32>) attributes {key = "ab12"} {
  // CHECK: %[[SCRATCH:.*]] = task.scratch : memref<16xf32>
  %s = task.scratch : memref<16xf32>
  // CHECK: task.dispatch @product.k0(%arg0, %arg1, %[[SCRATCH]], %arg2) extent 2 : memref<4xf32>, memref<8xf32>, memref<16xf32>, memref<2xf32>
  task.dispatch @product.k0(%x, %w, %s, %y) extent 2 : memref<4xf32>, memref<8xf32>, memref<16xf32>, memref<2xf32>
  // CHECK: task.return
  task.return
}

// CHECK-LABEL: func.func @buffer_form_called_with_tensors
func.func @buffer_form_called_with_tensors(%x: tensor<4xf32>) -> tensor<1x2xf32> {
  %w = arith.constant dense<2.0> : tensor<3x2xf32>
  // CHECK: task.call @product(%{{.*}}, %{{.*}}) : (tensor<4xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
  %0 = task.call @product(%x, %w) : (tensor<4xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// CHECK-LABEL: task.def @repeat(%arg0: tensor<?x4xf32> {task.dims = #onnx.dims<["batch", ""]>}) -> (tensor<?xf32> {task.dims = #onnx.dims<["4*batch"]>})
task.def @repeat(%x: tensor<?x4xf32> {task.dims = #onnx.dims<["batch", ""]>}) -> (tensor<?xf32> {task.dims = #onnx.dims<["4*batch"]>}) {
  // CHECK: %[[SIZE:.*]] = task.size "4*batch"
  // CHECK: tensor.empty(%[[SIZE]]) : tensor<?xf32>
  %n = task.size "4*batch"
  %0 = tensor.empty(%n) : tensor<?xf32>
  task.return %0 : tensor<?xf32>
}

func.func private @sum.k0(memref<?xf32>, memref<?xf32>, memref<1xf32>, index, index)

// CHECK-LABEL: task.def @sum
// CHECK-SAME: (%arg0: memref<?xf32> {task.elements = #dim.expr<"8*batch">}, %arg1: memref<1xf32>)
task.def @sum(%x: memref<?xf32> {task.elements = #dim.expr<"8*batch">}, %y: memref<1xf32>) {
  // CHECK: %[[SCRATCH:.*]] = task.scratch elements "batch" : memref<?xf32>
  %s = task.scratch elements "batch" : memref<?xf32>
  // CHECK: task.dispatch @sum.k0(%arg0, %[[SCRATCH]], %arg1) extent "4*batch" : memref<?xf32>, memref<?xf32>, memref<1xf32>
  task.dispatch @sum.k0(%x, %s, %y) extent "4*batch" : memref<?xf32>, memref<?xf32>, memref<1xf32>
  task.return
}

// CHECK-LABEL: func.func @sizes_known_when_it_runs
func.func @sizes_known_when_it_runs(%x: tensor<?x4xf32, #onnx.dims<["batch", ""]>>) -> tensor<1xf32> {
  // CHECK: task.call @repeat(%{{.*}}) : (tensor<?x4xf32, #onnx.dims<["batch", ""]>>) -> tensor<?xf32, #onnx.dims<["4*batch"]>>
  %0 = task.call @repeat(%x) : (tensor<?x4xf32, #onnx.dims<["batch", ""]>>) -> tensor<?xf32, #onnx.dims<["4*batch"]>>
  %1 = task.call @sum(%0) : (tensor<?xf32, #onnx.dims<["4*batch"]>>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
}

// CHECK: task.weight {{.*}}packing = #task.packing<elements = 4, nests = {{\[\[}}0, 0, [4], [1], [1], [0, 2, [2, 0, 0], [1, 1, 1], [1, -1, 1], [0, 0, 2]]]]>
task.weight {value = dense<1.0> : tensor<3xf32>, offset = 0 : i64, bytes = 16 : i64,
             packing = #task.packing<elements = 4, nests = [[0, 0, [4], [1], [1], [0, 2, [2, 0, 0], [1, 1, 1], [1, -1, 1], [0, 0, 2]]]]>}

// CHECK: task.weight {bytes = 16 : i64, offset = 64 : i64, value = dense<1.000000e+00> : tensor<4xf32>}
task.weight {value = dense<1.0> : tensor<4xf32>, offset = 64 : i64, bytes = 16 : i64}

// CHECK: task.info {bytes = 4.800000e+01 : f64, flops = 4.000000e+00 : f64, index = 0 : i64, key = "5ca1e", name = "Mul_0"}
task.info {index = 0 : i64, name = "Mul_0", key = "5ca1e", flops = 4.0 : f64, bytes = 48.0 : f64}

// CHECK-LABEL: func.func @planned
func.func @planned(%arena: memref<128xi8>, %weights: memref<64xi8>) attributes {task.inputs = 0 : i64, task.outputs = 0 : i64} {
  %c0 = arith.constant 0 : index
  %0 = memref.view %arena[%c0][] : memref<128xi8> to memref<4xf32>
  %1 = memref.view %weights[%c0][] : memref<64xi8> to memref<4xf32>
  // CHECK: task.copy %{{.*}}, %{{.*}} : memref<4xf32>, memref<4xf32>
  task.copy %1, %0 : memref<4xf32>, memref<4xf32>
  return
}

// CHECK-LABEL: func.func @loops
func.func @loops(%m: tensor<i64>, %go: tensor<i1>, %x: tensor<4xf32>) -> tensor<?x4xf32, #onnx.dims<["n", ""]>> {
  // CHECK: %count, %values:3 = task.loop @half trip_count(%{{.*}}) carries(%{{.*}}, %{{.*}}) reads(%{{.*}}) {conditional, max_trip_count = #dim.expr<"n">} : (tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<?x4xf32, #onnx.dims<["n", ""]>>)
  %n, %last, %y, %all = task.loop @half trip_count(%m) carries(%go, %x) reads(%x) {conditional, max_trip_count = #dim.expr<"n">} : (tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<?x4xf32, #onnx.dims<["n", ""]>>)
  return %all : tensor<?x4xf32, #onnx.dims<["n", ""]>>
}
func.func private @half(%i: tensor<i64>, %go: tensor<i1>, %x: tensor<4xf32>, %all: tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>, tensor<4xf32>) attributes {task.body} {
  return %go, %x, %all : tensor<i1>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @planned_loop
func.func @planned_loop(%i: memref<1xi64>, %m: memref<1xi64>, %go: memref<1xi8>, %x: memref<4xf32>, %y: memref<20xf32>) {
  // CHECK: task.repeat %arg0 trip_count %arg1 while %arg2 attributes {max_trip_count = 5 : i64} {
  task.repeat %i trip_count %m while %go attributes {max_trip_count = 5 : i64} {
    // CHECK: task.copy %arg3, %arg4 at %arg0 : memref<4xf32>, memref<20xf32>
    task.copy %x, %y at %i : memref<4xf32>, memref<20xf32>
  }
  // CHECK: task.repeat %arg0 while %arg2 {
  task.repeat %i while %go {
  }
  return
}

// CHECK-LABEL: func.func @parts
func.func @parts(%x: tensor<2x4xf32>, %y: tensor<2x8xf32>) -> tensor<2x12xf32> {
  // CHECK: %[[A:.*]] = task.place %arg0 : tensor<2x4xf32> -> tensor<2x12xf32>
  %0 = task.place %x : tensor<2x4xf32> -> tensor<2x12xf32>
  // CHECK: %[[B:.*]] = task.place %arg1 : tensor<2x8xf32> -> tensor<2x12xf32>
  %1 = task.place %y : tensor<2x8xf32> -> tensor<2x12xf32>
  // CHECK: task.join %[[A]], %[[B]] offsets [0, 4] : tensor<2x12xf32>
  %2 = task.join %0, %1 offsets [0, 4] : tensor<2x12xf32>
  return %2 : tensor<2x12xf32>
}

// CHECK-LABEL: func.func @branches
func.func @branches(%c: tensor<i1>, %n: tensor<?xi64, #onnx.dims<["rows"]>>, %x: tensor<2x4xf32>, %y: tensor<8x4xf32>) -> tensor<?x4xf32, #onnx.dims<["rows", ""]>> {
  // CHECK: task.choose %arg0, %arg2, %arg2 counts() : tensor<i1>, tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
  %0 = task.choose %c, %x, %x counts() : tensor<i1>, tensor<2x4xf32>, tensor<2x4xf32> -> tensor<2x4xf32>
  // CHECK: task.choose %arg0, %arg2, %arg3 counts(%arg1 : tensor<?xi64, #onnx.dims<["rows"]>>)
  %1 = task.choose %c, %x, %y counts(%n : tensor<?xi64, #onnx.dims<["rows"]>>) : tensor<i1>, tensor<2x4xf32>, tensor<8x4xf32> -> tensor<?x4xf32, #onnx.dims<["rows", ""]>>
  return %1 : tensor<?x4xf32, #onnx.dims<["rows", ""]>>
}

// CHECK-LABEL: func.func @planned_branches
func.func @planned_branches(%c: memref<1xi8>, %n: memref<1xi64>, %x: memref<4xf32>, %y: memref<4xf32>) {
  // CHECK: task.if %arg0 {
  task.if %c {
    task.copy %x, %y : memref<4xf32>, memref<4xf32>
  }
  // CHECK: task.if not %arg0 {
  task.if not %c {
  }
  // CHECK: task.bind "rows", %arg1 max 6 if(%arg0, %arg0) is [true, false] : memref<1xi64>
  task.bind "rows", %n max 6 if (%c, %c) is [true, false] : memref<1xi64>
  return
}

// CHECK-LABEL: func.func @caches
func.func @caches(%x: tensor<1x4x64x8xf32>, %r: tensor<1x4x1x8xf32>, %p: tensor<1xi64>) -> tensor<1x4x64x8xf32> {
  // CHECK: task.update %arg0, %arg1 at %arg2 axis 2 : tensor<1x4x64x8xf32>, tensor<1x4x1x8xf32>, tensor<1xi64> -> tensor<1x4x64x8xf32>
  %0 = task.update %x, %r at %p axis 2 : tensor<1x4x64x8xf32>, tensor<1x4x1x8xf32>, tensor<1xi64> -> tensor<1x4x64x8xf32>
  return %0 : tensor<1x4x64x8xf32>
}

// CHECK-LABEL: func.func @planned_caches
func.func @planned_caches(%x: memref<2048xf32>, %r: memref<32xf32>, %p: memref<1xi64>, %y: memref<2048xf32>) {
  // CHECK: task.copy %arg0, %arg3 unless_same : memref<2048xf32>, memref<2048xf32>
  task.copy %x, %y unless_same : memref<2048xf32>, memref<2048xf32>
  // CHECK: task.write_rows %arg1, %arg3 at %arg2 extents [1, 4, #dim.expr<"rows">, 1, 8] : memref<32xf32>, memref<2048xf32>, memref<1xi64>
  task.write_rows %r, %y at %p extents [1, 4, #dim.expr<"rows">, 1, 8] : memref<32xf32>, memref<2048xf32>, memref<1xi64>
  return
}

// CHECK-LABEL: task.def @counted
task.def @counted(%x: memref<4xf32>) {
  // CHECK: %[[COUNTERS:.*]] = task.counters : memref<3xi32>
  %c = task.counters : memref<3xi32>
  // CHECK: task.dispatch @counting(%arg0, %[[COUNTERS]]) extent 12
  task.dispatch @counting(%x, %c) extent 12 : memref<4xf32>, memref<3xi32>
  task.return
}

// CHECK-LABEL: func.func private @multiplying(
func.func private @multiplying(%at: !llvm.ptr<3>, %x: f32, %block: index) attributes {task.block = #task.block<threads = 128>} {
  // CHECK: %[[R:.*]]:8 = task.multiply_group %arg0 [32, 128, 1024, 0, 0], %arg0 [0, 128, 1024, 8192, 1], %arg1, {{.*}} of bf16 : !llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32
  %r:8 = task.multiply_group %at [32, 128, 1024, 0, 0], %at [0, 128, 1024, 8192, 1], %x, %x, %x, %x, %x, %x, %x, %x of bf16 : !llvm.ptr<3>, f32, f32, f32, f32, f32, f32, f32, f32
  // CHECK: task.await_products 1
  task.await_products 1
  // CHECK: task.await_products 0 of %[[R]]#0, %[[R]]#1 : f32, f32
  %s:2 = task.await_products 0 of %r#0, %r#1 : f32, f32
  return
}

// CHECK-LABEL: func.func private @meeting(
//  CHECK-SAME:   task.block = #task.block<threads = 128, cluster = 4>
func.func private @meeting(%at: !llvm.ptr<3>, %n: i32, %block: index) attributes {task.block = #task.block<threads = 128, cluster = 4>} {
  // CHECK: task.meet_cluster of 4
  task.meet_cluster of 4
  // CHECK: task.read_neighbour %arg0 of %arg1 : !llvm.ptr<3>, vector<4xf32>
  %v = task.read_neighbour %at of %n : !llvm.ptr<3>, vector<4xf32>
  return
}

// CHECK-LABEL: func.func private @counting(
func.func private @counting(%x: memref<4xf32>, %c: memref<3xi32>, %block: index) attributes {task.block = #task.block<threads = 32>} {
  // CHECK: task.arrive %arg1[%arg2] of 4 : memref<3xi32>
  %last = task.arrive %c[%block] of 4 : memref<3xi32>
  return
}
