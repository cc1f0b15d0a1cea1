// A model with dynamic sizes: y[b, i] = 2 * x[b, 2 * i] + past, z = x. The state is only there to give `past` a size.
func.func @main(%x: tensor<?x?xf32, #onnx.dims<["batch", "n"]>> {onnx.name = "x"},
                %state: tensor<?x2xf32, #onnx.dims<["past - 1", ""]>> {onnx.name = "state"})
    -> (tensor<?x?xf32, #onnx.dims<["batch", "floor((n)/2) + 1"]>> {onnx.name = "y"},
        tensor<?x?xf32, #onnx.dims<["batch", "n"]>> {onnx.name = "z"}) {
  %0 = task.call @twice(%x) : (tensor<?x?xf32, #onnx.dims<["batch", "n"]>>) -> tensor<?x?xf32, #onnx.dims<["batch", "n"]>>
  %1 = task.call @pairs(%0) : (tensor<?x?xf32, #onnx.dims<["batch", "n"]>>) -> tensor<?x?xf32, #onnx.dims<["batch", "floor((n)/2) + 1"]>>
  return %1, %x : tensor<?x?xf32, #onnx.dims<["batch", "floor((n)/2) + 1"]>>, tensor<?x?xf32, #onnx.dims<["batch", "n"]>>
}

// y = 2 * x, and one value per row in scratch memory, so that there is a static block too.
func.func private @twice.k0(%x: memref<?xf32>, %y: memref<?xf32>, %s: memref<4xf32>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  scf.for %b = %begin to %end step %c1 {
    %n = task.size "n"
    memref.store %two, %s[%c0] : memref<4xf32>
    scf.for %i = %c0 to %n step %c1 {
      %row = arith.muli %b, %n : index
      %at = arith.addi %row, %i : index
      %value = memref.load %x[%at] : memref<?xf32>
      %factor = memref.load %s[%c0] : memref<4xf32>
      %product = arith.mulf %value, %factor : f32
      memref.store %product, %y[%at] : memref<?xf32>
    }
  }
  return
}
task.def @twice(%x: memref<?xf32> {task.elements = #dim.expr<"batch*n">}, %y: memref<?xf32> {task.elements = #dim.expr<"batch*n">}) {
  %s = task.scratch : memref<4xf32>
  task.dispatch @twice.k0(%x, %y, %s) extent "batch" : memref<?xf32>, memref<?xf32>, memref<4xf32>
  task.return
}

// y[b, i] = x[b, 2 * i] + past, where the row has such an element; else past alone.
func.func private @pairs.k0(%x: memref<?xf32>, %y: memref<?xf32>, %begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = task.size "n"
  %m = task.size "1 + floor((n)/2)"
  %past = task.size "past"
  %pastInteger = arith.index_cast %past : index to i64
  %pastNumber = arith.sitofp %pastInteger : i64 to f32
  scf.for %b = %begin to %end step %c1 {
    scf.for %i = %c0 to %m step %c1 {
      %from = arith.muli %i, %c2 : index
      %inside = arith.cmpi slt, %from, %n : index
      %value = scf.if %inside -> f32 {
        %row = arith.muli %b, %n : index
        %at = arith.addi %row, %from : index
        %loaded = memref.load %x[%at] : memref<?xf32>
        scf.yield %loaded : f32
      } else {
        scf.yield %zero : f32
      }
      %sum = arith.addf %value, %pastNumber : f32
      %rowY = arith.muli %b, %m : index
      %atY = arith.addi %rowY, %i : index
      memref.store %sum, %y[%atY] : memref<?xf32>
    }
  }
  return
}
task.def @pairs(%x: memref<?xf32> {task.elements = #dim.expr<"batch*n">}, %y: memref<?xf32> {task.elements = #dim.expr<"batch + batch*floor((n)/2)">}) {
  task.dispatch @pairs.k0(%x, %y) extent "batch" : memref<?xf32>, memref<?xf32>
  task.return
}
