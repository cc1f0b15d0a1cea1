// RUN: cameo-opt %s --lower-to-linalg --split-input-file | FileCheck %s

// Unsigned integers lose their sign everywhere; the arguments and results of @main remember it.
// CHECK-LABEL: task.def @unsigned(%{{.*}}: tensor<4xi8>, %{{.*}}: tensor<4xi8>) -> tensor<4xi8>
//       CHECK:   arith.maxui
// CHECK-LABEL: func.func @main(
//  CHECK-SAME:   %{{.*}}: tensor<4xi8> {onnx.name = "x", onnx.type = ui8}) -> (tensor<4xi8> {onnx.name = "y", onnx.type = ui8})
//       CHECK:   onnx.Constant {value = dense<[1, 2, 3, -1]> : tensor<4xi8>} : tensor<4xi8>
//       CHECK:   task.call @unsigned({{.*}}) : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
task.def @unsigned(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xui8> {
  %0 = onnx.Max %a, %b : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  task.return %0 : tensor<4xui8>
}
func.func @main(%x: tensor<4xui8> {onnx.name = "x"}) -> (tensor<4xui8> {onnx.name = "y"}) {
  %0 = onnx.Constant {value = dense<[1, 2, 3, 255]> : tensor<4xui8>} : tensor<4xui8>
  %1 = task.call @unsigned(%x, %0) : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  return %1 : tensor<4xui8>
}

// -----

// Parameters of operations leave nothing behind.
// CHECK-LABEL: task.def @parameters
//   CHECK-NOT:   onnx
//   CHECK-NOT:   arith.constant dense
//       CHECK:   tensor.collapse_shape
//       CHECK:   task.return
task.def @parameters(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %shape = onnx.Constant {value = dense<6> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Reshape %x, %shape : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<6xf32>
  task.return %0 : tensor<6xf32>
}

// -----

// What is in buffer form or lowered already stays.
// CHECK-LABEL: task.def @lowered
//  CHECK-NEXT:   task.return
task.def @lowered(%x: tensor<2xf32>) -> tensor<2xf32> {
  task.return %x : tensor<2xf32>
}
