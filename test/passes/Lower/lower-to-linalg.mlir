// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// Signs leave the types; operations keep them.
// CHECK-LABEL: task.def @unsigned
// CHECK-SAME: (%{{.*}}: tensor<8xi8>, %{{.*}}: tensor<8xi8>) -> tensor<8xi8>
// CHECK: arith.divui
// CHECK: arith.maxui
// CHECK: func.func @main
// CHECK-SAME: onnx.type = ui8
// CHECK: onnx.Constant {value = dense<-1> : tensor<8xi8>}
task.def @unsigned(%x: tensor<8xui8>, %y: tensor<8xui8>) -> tensor<8xui8> {
  %0 = onnx.Div %x, %y : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xui8>
  %1 = onnx.Max %0, %y : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xui8>
  task.return %1 : tensor<8xui8>
}
func.func @main(%x: tensor<8xui8> {onnx.name = "x"}) -> (tensor<8xui8> {onnx.name = "y"}) {
  %c = onnx.Constant {value = dense<255> : tensor<8xui8>} : tensor<8xui8>
  %0 = task.call @unsigned(%x, %c) : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xui8>
  return %0 : tensor<8xui8>
}
