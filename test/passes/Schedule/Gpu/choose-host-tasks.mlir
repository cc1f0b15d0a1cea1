// RUN: cameo-opt %s --choose-host-tasks --emit-naive --run-on-one-thread --plan-buffers --resolve-sizes --pass-text-area | FileCheck %s

// A task that creates strings runs on the host, and keeps its range. One that moves them runs on the GPU.
// CHECK-LABEL: func.func private @number.k0(
// CHECK-SAME: %{{.*}}: index, %{{.*}}: index) attributes {passthrough = ["cameo-plain-loops"], task.host}
// CHECK: task.invoke "cameo_text_from_int64"
// CHECK-LABEL: func.func private @move.k0(
// CHECK-SAME: %{{.*}}: index) attributes {passthrough = ["cameo-plain-loops"], task.block = #task.block<threads = 1>}
#same = affine_map<(d0) -> (d0)>
task.def @number(%x: tensor<4xi64>) -> tensor<4xi64> {
  %empty = tensor.empty() : tensor<4xi64>
  %0 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%empty : tensor<4xi64>) {
  ^bb0(%in: i64, %out: i64):
    %area = task.text_area
    %string = task.invoke "cameo_text_from_int64"(%area, %in) : (i64, i64) -> i64
    linalg.yield %string : i64
  } -> tensor<4xi64>
  task.return %0 : tensor<4xi64>
}

task.def @move(%x: tensor<4xi64>) -> tensor<4xi64> {
  %empty = tensor.empty() : tensor<4xi64>
  %0 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%empty : tensor<4xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<4xi64>
  task.return %0 : tensor<4xi64>
}

// Dynamic sizes are expressions.
task.def @open(%x: tensor<?xi64> {task.dims = #onnx.dims<["n"]>}) -> (tensor<?xi64> {task.dims = #onnx.dims<["n"]>}) {
  %size = task.size "n"
  %empty = tensor.empty(%size) : tensor<?xi64>
  %0 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%x : tensor<?xi64>) outs(%empty : tensor<?xi64>) {
  ^bb0(%in: i64, %out: i64):
    %area = task.text_area
    %string = task.invoke "cameo_text_from_int64"(%area, %in) : (i64, i64) -> i64
    linalg.yield %string : i64
  } -> tensor<?xi64>
  task.return %0 : tensor<?xi64>
}

// A function of the program is called by the host, with memory for an output that the task does not return.
task.def @function(%x: tensor<?xi64> {task.dims = #onnx.dims<["n"]>}) -> tensor<4xi64> {
  %0, %1 = task.extern "acme_F"(%x) {operator_name = "acme.F-1", parameters = {}, optional = [], missing = [],
      input_types = [tensor<?xi64, #onnx.dims<["n"]>>], output_types = [tensor<4xi64>, tensor<?xi8, #onnx.dims<["n"]>>]} : (tensor<?xi64>) -> (tensor<4xi64>, tensor<?xi8>)
  task.return %0 : tensor<4xi64>
}

// A dispatch says how the host accesses each buffer; the sizes and the text area follow.
// CHECK-LABEL: func.func @main(
// CHECK: task.dispatch @number.k0(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) extent 1 {{.*}}task.host = {{\[\[}}"read", 4], ["written", 4]]
// CHECK: task.dispatch @move.k0(%{{[^,]*}}, %{{[^,]*}}) extent 1
// CHECK-NOT: task.host
// CHECK: task.dispatch @open.k0(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}) extent {{.*}}task.host = {{\[\[}}"read", #dim.expr<"n">], ["written", #dim.expr<"n">]]
// CHECK: task.extern_call "acme_F"({{.*}}) {{.*}}task.host = {{\[\[}}"read", #dim.expr<"n">], ["written", 4], ["local", #dim.expr<"n">]]
func.func @main(%x: tensor<4xi64>, %y: tensor<?xi64, #onnx.dims<["n"]>>) -> (tensor<4xi64>, tensor<?xi64, #onnx.dims<["n"]>>, tensor<4xi64>) {
  %0 = task.call @number(%x) : (tensor<4xi64>) -> tensor<4xi64>
  %1 = task.call @move(%0) : (tensor<4xi64>) -> tensor<4xi64>
  %2 = task.call @open(%y) : (tensor<?xi64, #onnx.dims<["n"]>>) -> tensor<?xi64, #onnx.dims<["n"]>>
  %3 = task.call @function(%2) : (tensor<?xi64, #onnx.dims<["n"]>>) -> tensor<4xi64>
  return %1, %2, %3 : tensor<4xi64>, tensor<?xi64, #onnx.dims<["n"]>>, tensor<4xi64>
}
