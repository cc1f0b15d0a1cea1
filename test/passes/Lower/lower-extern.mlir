// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// Types lose signs and names; the call keeps those of the model.

// CHECK-LABEL: task.def @call(%arg0: tensor<?xi8> {task.dims = #onnx.dims<["N"]>}) -> (tensor<?xf32> {task.dims = #onnx.dims<["N"]>})
//       CHECK:   %[[CALL:.*]] = task.extern "acme_F"(%arg0) {
//  CHECK-SAME:     input_types = [tensor<?xui8, #onnx.dims<["N"]>>, none], missing = ["b"], operator_name = "acme.F-1", optional = ["b"],
//  CHECK-SAME:     output_types = [none, tensor<?xf32, #onnx.dims<["N"]>>], parameters = {a = 1 : i64, b = ""}} : (tensor<?xi8>) -> tensor<?xf32>
//       CHECK:   task.return %[[CALL]]
task.def @call(%x: tensor<?xui8, #onnx.dims<["N"]>>) -> tensor<?xf32, #onnx.dims<["N"]>> {
  %none = onnx.None
  %absent, %y = onnx.Extern %x, %none {operator_name = "acme.F-1", function = "acme_F", elements = [ui8, none, none, f32],
      parameters = {a = 1 : i64, b = ""}, optional = ["b"], missing = ["b"]}
      : (tensor<?xui8, #onnx.dims<["N"]>>, none) -> (none, tensor<?xf32, #onnx.dims<["N"]>>)
  task.return %y : tensor<?xf32, #onnx.dims<["N"]>>
}
