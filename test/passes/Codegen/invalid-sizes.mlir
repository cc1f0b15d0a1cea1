// RUN: not cameo-opt %s --emit-object="output=%t.o" -o /dev/null 2>&1 | FileCheck %s

// A name that no input has is not known when the run begins.
// CHECK: error: expected sizes that follow from the dimensions of the inputs, got 'found'
func.func @main(%x: memref<?xf32> {task.tensor = tensor<?xf32, #onnx.dims<["n"]>>}, %y: memref<?xf32> {task.tensor = tensor<?xf32, #onnx.dims<["found"]>>},
                %arena: memref<0xi8>, %weights: memref<0xi8>)
    attributes {task.inputs = 1 : i64, task.outputs = 1 : i64, task.dimensions = [#dim.expr<"n">, #dim.expr<"found">]} {
  return
}
