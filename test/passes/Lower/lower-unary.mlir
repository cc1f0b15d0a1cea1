// RUN: cameo-opt %s --lower-to-linalg | FileCheck %s

// CHECK-LABEL: task.def @trigonometry
// CHECK: math.sin {{.*}} : f32
// CHECK: math.cos {{.*}} : f32
// CHECK: math.tan {{.*}} : f32
// CHECK: math.asin {{.*}} : f32
// CHECK: math.acos {{.*}} : f32
// CHECK: math.atan {{.*}} : f32
// CHECK: math.sinh {{.*}} : f32
// CHECK: math.cosh {{.*}} : f32
// CHECK: math.asinh {{.*}} : f32
// CHECK: math.acosh {{.*}} : f32
// CHECK: math.atanh {{.*}} : f32
task.def @trigonometry(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = onnx.Sin %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Cos %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Tan %1 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = onnx.Asin %2 : (tensor<8xf32>) -> tensor<8xf32>
  %4 = onnx.Acos %3 : (tensor<8xf32>) -> tensor<8xf32>
  %5 = onnx.Atan %4 : (tensor<8xf32>) -> tensor<8xf32>
  %6 = onnx.Sinh %5 : (tensor<8xf32>) -> tensor<8xf32>
  %7 = onnx.Cosh %6 : (tensor<8xf32>) -> tensor<8xf32>
  %8 = onnx.Asinh %7 : (tensor<8xf32>) -> tensor<8xf32>
  %9 = onnx.Acosh %8 : (tensor<8xf32>) -> tensor<8xf32>
  %10 = onnx.Atanh %9 : (tensor<8xf32>) -> tensor<8xf32>
  task.return %10 : tensor<8xf32>
}

// Half goes to the even number.
// CHECK-LABEL: task.def @rounding
// CHECK: math.ceil
// CHECK: math.floor
// CHECK: math.roundeven
task.def @rounding(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = onnx.Ceil %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Floor %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Round %1 : (tensor<8xf32>) -> tensor<8xf32>
  task.return %2 : tensor<8xf32>
}

// CHECK-LABEL: task.def @logarithm
// CHECK: math.log
// CHECK: arith.negf
// CHECK: %[[SIZE:.*]] = math.absf
// CHECK: %[[MORE:.*]] = arith.addf {{.*}}, %[[SIZE]]
// CHECK: arith.divf {{.*}}, %[[MORE]]
task.def @logarithm(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = onnx.Log %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Neg %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Softsign %1 : (tensor<8xf32>) -> tensor<8xf32>
  task.return %2 : tensor<8xf32>
}

// Nothing is to be done for unsigned numbers.
// CHECK-LABEL: task.def @abs
// CHECK: math.absf
// CHECK: %[[NEGATIVE:.*]] = arith.subi %{{.*}}, %[[IN:.*]] : i32
// CHECK: arith.maxsi %[[IN]], %[[NEGATIVE]]
// CHECK-NOT: arith
// CHECK: task.return
task.def @abs(%x: tensor<8xf32>, %i: tensor<8xi32>, %u: tensor<8xui8>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xui8>) {
  %0 = onnx.Abs %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Abs %i : (tensor<8xi32>) -> tensor<8xi32>
  %2 = onnx.Abs %u : (tensor<8xui8>) -> tensor<8xui8>
  task.return %0, %1, %2 : tensor<8xf32>, tensor<8xi32>, tensor<8xui8>
}

// What is neither above nor below zero is zero or no number, and stays.
// CHECK-LABEL: task.def @sign
// CHECK: %[[ABOVE:.*]] = arith.cmpf ogt, %[[IN:.*]], %
// CHECK: %[[BELOW:.*]] = arith.cmpf olt
// CHECK: %[[REST:.*]] = arith.select %[[BELOW]], %{{.*}}, %[[IN]]
// CHECK: arith.select %[[ABOVE]], %{{.*}}, %[[REST]]
// CHECK: arith.cmpi ugt
task.def @sign(%x: tensor<8xf32>, %u: tensor<8xui8>) -> (tensor<8xf32>, tensor<8xui8>) {
  %0 = onnx.Sign %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Sign %u : (tensor<8xui8>) -> tensor<8xui8>
  task.return %0, %1 : tensor<8xf32>, tensor<8xui8>
}

// CHECK-LABEL: task.def @complement
// CHECK: %[[ONES:.*]] = arith.constant -1 : i8
// CHECK: arith.xori %{{.*}}, %[[ONES]]
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: arith.xori %{{.*}}, %[[TRUE]]
task.def @complement(%i: tensor<8xi8>, %b: tensor<8xi1>) -> (tensor<8xi8>, tensor<8xi1>) {
  %0 = onnx.BitwiseNot %i : (tensor<8xi8>) -> tensor<8xi8>
  %1 = onnx.Not %b : (tensor<8xi1>) -> tensor<8xi1>
  task.return %0, %1 : tensor<8xi8>, tensor<8xi1>
}

// CHECK-LABEL: task.def @infinities
// CHECK: %[[SIZE:.*]] = math.absf
// CHECK: arith.cmpf oeq, %[[SIZE]]
// CHECK: %[[NEGATIVE:.*]] = arith.negf
// CHECK: arith.cmpf oeq, %[[NEGATIVE]]
task.def @infinities(%x: tensor<8xf32>) -> (tensor<8xi1>, tensor<8xi1>) {
  %0 = onnx.IsInf %x : (tensor<8xf32>) -> tensor<8xi1>
  %1 = onnx.IsInf %x {detect_positive = 0 : i64} : (tensor<8xf32>) -> tensor<8xi1>
  task.return %0, %1 : tensor<8xi1>, tensor<8xi1>
}
