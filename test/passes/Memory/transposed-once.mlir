// RUN: cameo-opt %s --plan-buffers | FileCheck %s

// Equal constants that are transposed alike are stored once, whatever their names and shapes; transposed otherwise, once more.
// CHECK-COUNT-2: task.weight
// CHECK-NOT: task.weight
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = onnx.Constant {value = #onnx.transposed<dense_resource<a> : tensor<2x3xf32>, [1, 0]> : tensor<3x2xf32>} : tensor<3x2xf32>
  %b = onnx.Constant {value = #onnx.transposed<dense_resource<b> : tensor<2x1x3xf32>, [2, 1, 0]> : tensor<3x1x2xf32>} : tensor<3x1x2xf32>
  %c = onnx.Constant {value = #onnx.transposed<dense_resource<a> : tensor<3x2xf32>, [1, 0]> : tensor<2x3xf32>} : tensor<2x3xf32>
  %y = task.call @read(%x, %a, %b, %c) : (tensor<16xf32>, tensor<3x2xf32>, tensor<3x1x2xf32>, tensor<2x3xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func private @read.k0(memref<16xf32>, memref<6xf32>, memref<6xf32>, memref<6xf32>, memref<16xf32>, index, index)
task.def @read(%x: memref<16xf32>, %a: memref<6xf32>, %b: memref<6xf32>, %c: memref<6xf32>, %y: memref<16xf32>) {
  task.dispatch @read.k0(%x, %a, %b, %c, %y) extent 1 : memref<16xf32>, memref<6xf32>, memref<6xf32>, memref<6xf32>, memref<16xf32>
  task.return
}

{-#
  dialect_resources: {
    builtin: {
      a: "0x040000000000803F0000004000004040000080400000A0400000C040",
      b: "0x040000000000803F0000004000004040000080400000A0400000C040"
    }
  }
#-}
