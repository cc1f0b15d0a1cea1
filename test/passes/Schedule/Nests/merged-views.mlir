// What merges dimensions is stored in its part of a larger tensor: there its dimensions have strides of their own.
// RUN: cameo-opt %s --attach-target --build-loops | FileCheck %s --implicit-check-not=temporary

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: task.def @merged(
//       CHECK: loop.nest "nest0" (%[[ROW:.*]]: "2*h", %[[COLUMN:.*]]: 4)
//       CHECK: loop.store %{{.*}}, %out0[%[[ROW]] * 8 + %[[COLUMN]] + 4]
task.def @merged(%x: tensor<?x2x4xf32> {task.dims = #onnx.dims<["h", "", ""]>}) -> (tensor<?x8xf32> {task.dims = #onnx.dims<["2*h", ""]>}) {
  %h = task.size "h"
  %rows = task.size "2*h"
  %empty = tensor.empty(%h) : tensor<?x2x4xf32>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x2x4xf32>) outs(%empty : tensor<?x2x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<?x2x4xf32>
  %merged = tensor.collapse_shape %y [[0, 1], [2]] : tensor<?x2x4xf32> into tensor<?x4xf32>
  %whole = tensor.empty(%rows) : tensor<?x8xf32>
  %part = tensor.insert_slice %merged into %whole[0, 4] [%rows, 4] [1, 1] : tensor<?x4xf32> into tensor<?x8xf32>
  task.return %part : tensor<?x8xf32>
}
