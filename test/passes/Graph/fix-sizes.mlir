// RUN: cameo-opt %s --fix-sizes=sizes=batch=1 --split-input-file | FileCheck %s

// Names in sums, and in the types that follow from what models compute of a shape.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<1x?x64xf32, #onnx.dims<["", "seq", ""]>> {onnx.name = "x"}) -> tensor<4x?x16xf32, #onnx.dims<["", "seq", ""]>>
// CHECK-NOT: onnx.Shape
// CHECK: onnx.Reshape %[[X]], %{{.*}} -> tensor<4x?x16xf32, #onnx.dims<["", "seq", ""]>>
func.func @main(%x: tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>> {onnx.name = "x"}) -> tensor<?x?x16xf32, #onnx.dims<["4*batch", "seq", ""]>> {
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %one = onnx.Constant {value = dense<1> : tensor<1xi64>} : tensor<1xi64>
  %four = onnx.Constant {value = dense<4> : tensor<1xi64>} : tensor<1xi64>
  %rest = onnx.Constant {value = dense<[-1, 16]> : tensor<2xi64>} : tensor<2xi64>
  %none = onnx.None
  %shape = onnx.Shape %x : (tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>) -> tensor<3xi64>
  %batch = onnx.Slice %shape, %zero, %one, %zero, %none : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<1xi64>
  %rows = onnx.Mul %batch, %four : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %all = onnx.Concat %rows, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
  %0 = onnx.Reshape %x, %all : (tensor<?x?x64xf32, #onnx.dims<["batch", "seq", ""]>>, tensor<3xi64>) -> tensor<?x?x16xf32, #onnx.dims<["4*batch", "seq", ""]>>
  return %0 : tensor<?x?x16xf32, #onnx.dims<["4*batch", "seq", ""]>>
}

// -----

// A number that depends on the size makes a type that nothing told before.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> tensor<3xf32>
// CHECK: onnx.Slice {{.*}} -> tensor<3xf32>
func.func @main(%x: tensor<?xf32, #onnx.dims<["batch"]>>, %y: tensor<8xf32>) -> tensor<?xf32> {
  %zero = onnx.Constant {value = dense<0> : tensor<1xi64>} : tensor<1xi64>
  %five = onnx.Constant {value = dense<5> : tensor<1xi64>} : tensor<1xi64>
  %six = onnx.Constant {value = dense<6> : tensor<1xi64>} : tensor<1xi64>
  %none = onnx.None
  %size = onnx.Shape %x : (tensor<?xf32, #onnx.dims<["batch"]>>) -> tensor<1xi64>
  %square = onnx.Mul %size, %size : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %sum = onnx.Add %square, %five : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %half = onnx.Div %sum, %six : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %begin = onnx.Mul %half, %five : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %end = onnx.Constant {value = dense<8> : tensor<1xi64>} : tensor<1xi64>
  %0 = onnx.Slice %y, %begin, %end, %zero, %none : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, none) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
