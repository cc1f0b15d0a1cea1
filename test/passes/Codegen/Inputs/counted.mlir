// What is above 1, and twice that: a task counts, and a kernel reads the size that it found.
func.func @main(%x: tensor<6xf32> {onnx.name = "x"})
    -> (tensor<?xf32, #onnx.dims<["n"]>> {onnx.name = "y"}, tensor<?xf32, #onnx.dims<["n"]>> {onnx.name = "twice"}, tensor<6xf32> {onnx.name = "x_again"}) {
  %0:2 = task.call @above(%x) : (tensor<6xf32>) -> (tensor<6xf32>, tensor<i64>)
  %1 = task.prefix %0#0, %0#1 : tensor<6xf32>, tensor<i64> -> tensor<?xf32, #onnx.dims<["n"]>>
  %2 = task.call @twice(%1) : (tensor<?xf32, #onnx.dims<["n"]>>) -> tensor<?xf32, #onnx.dims<["n"]>>
  return %1, %2, %x : tensor<?xf32, #onnx.dims<["n"]>>, tensor<?xf32, #onnx.dims<["n"]>>, tensor<6xf32>
}

func.func private @above.k0(%x: memref<6xf32>, %y: memref<6xf32>, %n: memref<1xi64>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %one = arith.constant 1.0 : f32
  %count = scf.for %i = %c0 to %c6 step %c1 iter_args(%found = %c0) -> index {
    %value = memref.load %x[%i] : memref<6xf32>
    memref.store %value, %y[%found] : memref<6xf32>
    %is_above = arith.cmpf ogt, %value, %one : f32
    %more = arith.addi %found, %c1 : index
    %next = arith.select %is_above, %more, %found : index
    scf.yield %next : index
  }
  %number = arith.index_cast %count : index to i64
  memref.store %number, %n[%c0] : memref<1xi64>
  return
}
task.def @above(%x: memref<6xf32>, %y: memref<6xf32>, %n: memref<1xi64>) {
  task.dispatch @above.k0(%x, %y, %n) extent 1 : memref<6xf32>, memref<6xf32>, memref<1xi64>
  task.return
}

func.func private @twice.k0(%x: memref<?xf32>, %y: memref<?xf32>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = task.size "n"
  scf.for %i = %c0 to %n step %c1 {
    %value = memref.load %x[%i] : memref<?xf32>
    %sum = arith.addf %value, %value : f32
    memref.store %sum, %y[%i] : memref<?xf32>
  }
  return
}
task.def @twice(%x: memref<?xf32> {task.elements = #dim.expr<"n">}, %y: memref<?xf32> {task.elements = #dim.expr<"n">}) {
  task.dispatch @twice.k0(%x, %y) extent 1 : memref<?xf32>, memref<?xf32>
  task.return
}
