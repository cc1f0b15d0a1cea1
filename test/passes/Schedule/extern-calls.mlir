// RUN: cameo-opt %s --build-loops --schedule-tasks --apply-schedule --emit-kernels --emit-naive | FileCheck %s
// RUN: cameo-opt %s --emit-naive --plan-buffers | FileCheck %s --check-prefix=PLAN

// A call of a function of the program has no loops to schedule: the task passes its buffers on, in the order of the function. Outputs that
// the task does not return are scratch, of a dynamic size where that is so.

// CHECK-LABEL: task.def @call(%arg0: memref<4xf32>, %arg1: memref<?xi64> {task.elements = #dim.expr<"N">}, %arg2: memref<4xi8>)
//       CHECK:   %[[UNREAD:.*]] = task.scratch elements "2*N" : memref<?xf32>
//       CHECK:   task.extern_call "acme_F"(%arg1, %arg0, %[[UNREAD]], %arg2) {{.*}} : memref<?xi64>, memref<4xf32>, memref<?xf32>, memref<4xi8>
//   CHECK-NOT:   schedule
task.def @call(%x: tensor<4xf32>, %n: tensor<?xi64> {task.dims = #onnx.dims<["N"]>}) -> tensor<4xi1> attributes {key = "ca11"} {
  %unread, %y = task.extern "acme_F"(%n, %x) {operator_name = "acme.F-1", parameters = {}, optional = [], missing = [],
      input_types = [tensor<?xi64, #onnx.dims<["N"]>>, none, tensor<4xf32>], output_types = [tensor<?x2xf32, #onnx.dims<["N", ""]>>, tensor<4xi1>]}
      : (tensor<?xi64>, tensor<4xf32>) -> (tensor<?x2xf32>, tensor<4xi1>)
  task.return %y : tensor<4xi1>
}

// The step knows its task, so that profiles have it.
// PLAN-LABEL: func.func @main
//       PLAN:   task.extern_call "acme_F"({{.*}}) {{.*}}task.begin, task_index = 0 : i64
//       PLAN: task.info {{.*}}key = "ca11"
func.func @main(%x: tensor<4xf32>, %n: tensor<?xi64, #onnx.dims<["N"]>>) -> tensor<4xi1> {
  %0 = task.call @call(%x, %n) : (tensor<4xf32>, tensor<?xi64, #onnx.dims<["N"]>>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
