// RUN: cameo-opt %s | cameo-opt | FileCheck %s
// RUN: cameo-opt %s --mlir-print-op-generic | cameo-opt | FileCheck %s

// What is special about the text of the dialect; the operators' own attributes appear in the other tests.

// CHECK-LABEL: @absent_operand_and_result
// CHECK: %[[NONE:.*]] = onnx.None
// CHECK: onnx.MaxPool %{{.*}} {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> (tensor<1x4x7x7xf32>, none)
// CHECK: onnx.Conv %{{.*}}, %{{.*}}, %[[NONE]] : (tensor<1x4x7x7xf32>, tensor<6x4x3x3xf32>, none) -> tensor<1x6x5x5xf32>
func.func @absent_operand_and_result(%x: tensor<1x4x8x8xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x5x5xf32> {
  %none = onnx.None
  %y, %indices = onnx.MaxPool %x {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>) -> (tensor<1x4x7x7xf32>, none)
  %0 = onnx.Conv %y, %w, %none : (tensor<1x4x7x7xf32>, tensor<6x4x3x3xf32>, none) -> tensor<1x6x5x5xf32>
  return %0 : tensor<1x6x5x5xf32>
}

// CHECK-LABEL: @default_attributes_are_not_printed
// CHECK: onnx.Softmax %{{.*}} : (tensor<2x3xf32>)
// CHECK: onnx.Softmax %{{.*}} {axis = 0 : i64} : (tensor<2x3xf32>)
func.func @default_attributes_are_not_printed(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = onnx.Softmax %x {axis = -1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = onnx.Softmax %0 {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: @channels_last
// CHECK: onnx.GlobalAveragePool %{{.*}} {channels_last} : (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32>
func.func @channels_last(%x: tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32> {
  %0 = onnx.GlobalAveragePool %x {channels_last} : (tensor<1x8x8x4xf32>) -> tensor<1x1x1x4xf32>
  return %0 : tensor<1x1x1x4xf32>
}

// CHECK-LABEL: @named_dimensions
// CHECK-SAME: tensor<?x128xf32, #onnx.dims<["batch", ""]>>
func.func @named_dimensions(%x: tensor<?x128xf32, #onnx.dims<["batch", ""]>>)
    -> tensor<?x128xf32, #onnx.dims<["batch", ""]>> {
  %0 = onnx.Relu %x : (tensor<?x128xf32, #onnx.dims<["batch", ""]>>) -> tensor<?x128xf32, #onnx.dims<["batch", ""]>>
  return %0 : tensor<?x128xf32, #onnx.dims<["batch", ""]>>
}

// CHECK-LABEL: @constants
// CHECK: onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
// CHECK: onnx.Constant {value = dense_resource<weights> : tensor<2xf32>} : tensor<2xf32>
// CHECK: onnx.Constant {value = dense<["a", "b"]> : tensor<2x!onnx.string>} : tensor<2x!onnx.string>
func.func @constants() -> (tensor<2xi64>, tensor<2xf32>, tensor<2x!onnx.string>) {
  %0 = onnx.Constant {value = dense<[1, 2]> : tensor<2xi64>} : tensor<2xi64>
  %1 = onnx.Constant {value = dense_resource<weights> : tensor<2xf32>} : tensor<2xf32>
  %2 = onnx.Constant {value = dense<["a", "b"]> : tensor<2x!onnx.string>} : tensor<2x!onnx.string>
  return %0, %1, %2 : tensor<2xi64>, tensor<2xf32>, tensor<2x!onnx.string>
}

// CHECK-LABEL: @any_number_of_operands_and_results
// CHECK: onnx.Concat %{{.*}}, %{{.*}}, %{{.*}} {axis = 0 : i64}
// CHECK: onnx.Split %{{.*}}, %{{.*}} {num_outputs = 3 : i64} : (tensor<6xf32>, none) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
func.func @any_number_of_operands_and_results(%x: tensor<2xf32>) -> tensor<2xf32> {
  %none = onnx.None
  %0 = onnx.Concat %x, %x, %x {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<6xf32>
  %1:3 = onnx.Split %0, %none {num_outputs = 3 : i64} : (tensor<6xf32>, none) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %1#2 : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040"
    }
  }
#-}
