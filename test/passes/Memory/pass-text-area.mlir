// RUN: cameo-opt %s --plan-buffers --pass-text-area | FileCheck %s

// The area is one more buffer of the kernels that ask for it.
// CHECK-LABEL: func.func private @number.k0(
// CHECK-SAME: memref<4xi64>, %{{.*}}: memref<4xi64>, %[[AREA:.*]]: memref<1xi64>, %{{.*}}: index, %{{.*}}: index)
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[AREA]]
// CHECK: %[[AT:.*]] = arith.index_cast %[[ADDRESS]] : index to i64
// CHECK: task.invoke "cameo_text_from_int64"(%[[AT]],
// CHECK-NOT: task.text_area
func.func private @number.k0(%x: memref<4xi64>, %y: memref<4xi64>, %begin: index, %end: index) {
  %area = task.text_area
  %c0 = arith.constant 0 : index
  %0 = memref.load %x[%c0] : memref<4xi64>
  %1 = task.invoke "cameo_text_from_int64"(%area, %0) : (i64, i64) -> i64
  memref.store %1, %y[%c0] : memref<4xi64>
  return
}

// CHECK-LABEL: func.func private @copy.k0(
// CHECK-SAME: memref<4xi64>, %{{.*}}: memref<4xi64>, %{{.*}}: index, %{{.*}}: index)
func.func private @copy.k0(%x: memref<4xi64>, %y: memref<4xi64>, %begin: index, %end: index) {
  return
}

// Constant strings have a table of addresses; equal constants have one place in it.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[STRINGS:[a-z0-9]*]]: memref<32xi8> {task.strings}, %[[MADE:[a-z0-9]*]]: memref<1xi64> {task.text_area})
// CHECK: task.dispatch @number.k0(%{{.*}}, %{{.*}}, %[[MADE]])
// CHECK: memref.view %[[STRINGS]]
// CHECK: task.dispatch @copy.k0(%{{.*}}, %{{.*}}) extent 1
// CHECK: task.string_table {offset = 0 : i64, value = dense<["a", "b", "", "c"]> : tensor<4x!onnx.string>}
// CHECK-NOT: task.string_table
func.func @main(%x: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) {
  %t = task.strings dense<["a", "b", "", "c"]> : tensor<4x!onnx.string> -> tensor<4xi64>
  %same = task.strings dense<["a", "b", "", "c"]> : tensor<4x!onnx.string> -> tensor<4xi64>
  %0 = task.call @number(%x) : (tensor<4xi64>) -> tensor<4xi64>
  %1 = task.call @copy(%t) : (tensor<4xi64>) -> tensor<4xi64>
  %2 = task.call @copy(%same) : (tensor<4xi64>) -> tensor<4xi64>
  return %0, %1, %2 : tensor<4xi64>, tensor<4xi64>, tensor<4xi64>
}

task.def @number(%x: memref<4xi64>, %y: memref<4xi64>) {
  task.dispatch @number.k0(%x, %y) extent 1 : memref<4xi64>, memref<4xi64>
  task.return
}

task.def @copy(%x: memref<4xi64>, %y: memref<4xi64>) {
  task.dispatch @copy.k0(%x, %y) extent 1 : memref<4xi64>, memref<4xi64>
  task.return
}
