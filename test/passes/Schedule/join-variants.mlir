// RUN: cameo-opt %s --join-variants | FileCheck %s
// RUN: cameo-opt %s --join-variants --plan-buffers --resolve-sizes --fix-run-sizes=sizes=n=8 | FileCheck %s --check-prefixes=PLAN,SMALL
// RUN: cameo-opt %s --join-variants --plan-buffers --resolve-sizes --fix-run-sizes=sizes=n=9 | FileCheck %s --check-prefixes=PLAN,MIDDLE
// RUN: cameo-opt %s --join-variants --plan-buffers --resolve-sizes --fix-run-sizes=sizes=n=64 | FileCheck %s --check-prefixes=PLAN,WIDE
// RUN: cameo-opt %s --join-variants --plan-buffers --resolve-sizes --fix-run-sizes=sizes=n=65 | FileCheck %s --check-prefixes=PLAN,LARGE

// In each run one of the three extents is not 0: that of the variant whose range holds the size, or the task's own.
//  CHECK-LABEL: task.def @relu(
//   CHECK-SAME:   %[[X:.*]]: memref<?xf32> {task.elements = #dim.expr<"n">}, %[[Y:.*]]: memref<?xf32> {task.elements = #dim.expr<"n">})
//   CHECK-SAME:   attributes {description = "1 lane | where n from 0 to 8: 4 lanes | where n from 9 to 64: 8 lanes"}
//        CHECK:   task.dispatch @relu.k0(%[[X]], %[[Y]]) extent "min(floor((n)/65) - 1, 0)*n + n"
//        CHECK:   task.dispatch @relu.v0.k0(%[[X]], %[[Y]]) extent "0 - min(floor((n)/9) - 1, 0)*n"
//        CHECK:   task.dispatch @relu.v9.k0(%[[X]], %[[Y]]) extent "min(floor((n)/9) - 1, 0)*n - min(floor((n)/65) - 1, 0)*n"
//    CHECK-NOT: variant_of
//   PLAN-LABEL: func.func @main
//        SMALL:   task.dispatch @relu.k0({{.*}}) extent 0 {task.begin
//   SMALL-NEXT:   task.dispatch @relu.v0.k0({{.*}}) extent 8
//   SMALL-NEXT:   task.dispatch @relu.v9.k0({{.*}}) extent 0
//       MIDDLE:   task.dispatch @relu.k0({{.*}}) extent 0
//  MIDDLE-NEXT:   task.dispatch @relu.v0.k0({{.*}}) extent 0
//  MIDDLE-NEXT:   task.dispatch @relu.v9.k0({{.*}}) extent 9
//         WIDE:   task.dispatch @relu.k0({{.*}}) extent 0
//    WIDE-NEXT:   task.dispatch @relu.v0.k0({{.*}}) extent 0
//    WIDE-NEXT:   task.dispatch @relu.v9.k0({{.*}}) extent 64
//        LARGE:   task.dispatch @relu.k0({{.*}}) extent 65
//   LARGE-NEXT:   task.dispatch @relu.v0.k0({{.*}}) extent 0
//   LARGE-NEXT:   task.dispatch @relu.v9.k0({{.*}}) extent 0
task.def @relu(%x: memref<?xf32> {task.elements = #dim.expr<"n">}, %y: memref<?xf32> {task.elements = #dim.expr<"n">}) attributes {description = "1 lane"} {
  task.dispatch @relu.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
  task.return
}
task.def @relu.v0(%x: memref<?xf32> {task.elements = #dim.expr<"n">}, %y: memref<?xf32> {task.elements = #dim.expr<"n">})
    attributes {description = "4 lanes", variant_of = @relu, ranges = [[#dim.expr<"n">, 0, 8]]} {
  task.dispatch @relu.v0.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
  task.return
}
task.def @relu.v9(%x: memref<?xf32> {task.elements = #dim.expr<"n">}, %y: memref<?xf32> {task.elements = #dim.expr<"n">})
    attributes {description = "8 lanes", variant_of = @relu, ranges = [[#dim.expr<"n">, 9, 64]]} {
  task.dispatch @relu.v9.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
  task.return
}
func.func private @relu.k0(memref<?xf32>, memref<?xf32>, index, index)
func.func private @relu.v0.k0(memref<?xf32>, memref<?xf32>, index, index)
func.func private @relu.v9.k0(memref<?xf32>, memref<?xf32>, index, index)

// A constant is an input for each layout that it is read in, here two for three definitions; scratch memory of one size is shared, that of
// another is there beside it; and no input may be overwritten that some variant still reads.
//  CHECK-LABEL: task.def @scale(
//   CHECK-SAME:   %[[X:.*]]: memref<?xf32> {task.elements = #dim.expr<"n">}, %[[W:.*]]: memref<4xf32>, %[[PACKED:.*]]: memref<8xf32> {task.packing = #task.packing<elements = 8,
//   CHECK-SAME:   %[[Y:.*]]: memref<?xf32> {task.elements = #dim.expr<"n">})
//    CHECK-DAG:   %[[S:.*]] = task.scratch : memref<16xf32>
//    CHECK-DAG:   %[[T:.*]] = task.scratch : memref<32xf32>
//    CHECK-DAG:   task.dispatch @scale.k0(%[[X]], %[[W]], %[[S]], %[[Y]])
//    CHECK-DAG:   task.dispatch @scale.v0.k0(%[[X]], %[[PACKED]], %[[S]], %[[Y]])
//    CHECK-DAG:   task.dispatch @scale.v9.k0(%[[X]], %[[PACKED]], %[[T]], %[[Y]])
//    CHECK-NOT:   task.scratch
//  CHECK-LABEL: func.func @main(
//        CHECK:   %[[C:.*]] = arith.constant dense<[1.000000e+00
//        CHECK:   task.call @scale(%{{.*}}, %[[C]], %[[C]]) :
// PLAN: task.weight
// PLAN: task.weight
// PLAN-NOT: task.weight
task.def @scale(%x: memref<?xf32> {task.elements = #dim.expr<"n">, task.inplace = 0}, %w: memref<4xf32>, %y: memref<?xf32> {task.elements = #dim.expr<"n">}) {
  %s = task.scratch : memref<16xf32>
  task.dispatch @scale.k0(%x, %w, %s, %y) extent "n" : memref<?xf32>, memref<4xf32>, memref<16xf32>, memref<?xf32>
  task.return
}
task.def @scale.v0(%x: memref<?xf32> {task.elements = #dim.expr<"n">, task.inplace = 0}, %w: memref<8xf32> {task.packing = #task.packing<elements = 8, nests = [[0, 0, [4], [2], [1]]]>}, %y: memref<?xf32> {task.elements = #dim.expr<"n">})
    attributes {variant_of = @scale, ranges = [[#dim.expr<"n">, 0, 8]]} {
  %s = task.scratch : memref<16xf32>
  task.dispatch @scale.v0.k0(%x, %w, %s, %y) extent "n" : memref<?xf32>, memref<8xf32>, memref<16xf32>, memref<?xf32>
  task.return
}
task.def @scale.v9(%x: memref<?xf32> {task.elements = #dim.expr<"n">}, %w: memref<8xf32> {task.packing = #task.packing<elements = 8, nests = [[0, 0, [4], [2], [1]]]>}, %y: memref<?xf32> {task.elements = #dim.expr<"n">})
    attributes {variant_of = @scale, ranges = [[#dim.expr<"n">, 9, 64]]} {
  %s = task.scratch : memref<32xf32>
  task.dispatch @scale.v9.k0(%x, %w, %s, %y) extent "n" : memref<?xf32>, memref<8xf32>, memref<32xf32>, memref<?xf32>
  task.return
}
func.func private @scale.k0(memref<?xf32>, memref<4xf32>, memref<16xf32>, memref<?xf32>, index, index)
func.func private @scale.v0.k0(memref<?xf32>, memref<8xf32>, memref<16xf32>, memref<?xf32>, index, index)
func.func private @scale.v9.k0(memref<?xf32>, memref<8xf32>, memref<32xf32>, memref<?xf32>, index, index)

func.func @main(%x: tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>> {
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %y = task.call @relu(%x) : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  %z = task.call @scale(%y, %w) : (tensor<?xf32, #onnx.dims<["n"]>>, tensor<4xf32>) -> tensor<?xf32, #onnx.dims<["n"]>>
  return %z : tensor<?xf32, #onnx.dims<["n"]>>
}
