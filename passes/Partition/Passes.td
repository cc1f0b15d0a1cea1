// Passes that partition the graph into tasks, the unit of scheduling, search and caching. README.md states the form of
// a task.
#ifndef CAMEO_PASSES_PARTITION_PASSES_TD
#define CAMEO_PASSES_PARTITION_PASSES_TD

include "mlir/Pass/PassBase.td"

def DeduplicateTasksPass : Pass<"deduplicate-tasks", "::mlir::ModuleOp"> {
  let summary = "Keep one definition of equal tasks, with a key and a weight";
  let description = [{
    Bodies, arguments and results take a canonical order, which depends on neither names nor the order of fusion; equal definitions
    become one. `key` is the hash of the canonical text, the same on every machine; `weight` counts the calls.

    ```mlir
    task.def @relu_0(...) ...   // twice the same body
    task.def @relu_1(...) ...
    ```
    becomes `task.def @relu_0(...) attributes {key = "...", weight = 2 : i64}`.

    Requires: `--form-tasks` or `--one-task-per-op`.
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def FormTasksPass : Pass<"form-tasks", "::mlir::ModuleOp"> {
  let summary = "Group ops into tasks";
  let description = [{
    One op with loops of its own and the elementwise ops behind it, or elementwise ops and reductions over the same rows, become one
    task; ops that only give a tensor another shape become `task.view`.

    ```mlir
    %0 = onnx.Conv %x, %w, %b {...} : ...
    %1 = onnx.Add %0, %y : ...
    %2 = onnx.Relu %1 : ...
    ```
    becomes `%2 = task.call @conv_add_relu_0(%x, %w, %b, %y)`.

    Ensures: functions hold constants, task.call and task.view only.
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def OneTaskPerOpPass : Pass<"one-task-per-op", "::mlir::ModuleOp"> {
  let summary = "Make every op a task of its own";
  let description = [{
    The division of the naive path: nothing is fused, only shapes are views.

    Ensures: functions hold constants, task.call and task.view only.
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def PlacePartsPass : Pass<"place-parts", "::mlir::func::FuncOp"> {
  let summary = "Let the parts of a Concat be written where they belong";
  let description = [{
    A Concat of known shape becomes `task.join` where loops compute its parts and nobody needs the greater half of them at a place of its own: each is
    placed in a tensor of the result's shape, and whoever computes it writes it there. Other users read slices of it; an earlier Concat of
    neighbours is such a slice.

    ```mlir
    %2 = onnx.Concat %0, %1 {axis = 1} : (tensor<1x64x8xf32>, tensor<1x32x8xf32>) -> tensor<1x96x8xf32>
    ```
    becomes
    ```mlir
    %a = task.place %0 : tensor<1x64x8xf32> -> tensor<1x96x8xf32>
    %b = task.place %1 : tensor<1x32x8xf32> -> tensor<1x96x8xf32>
    %2 = task.join %a, %b offsets [0, 512] : tensor<1x96x8xf32>
    ```
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def UpdateCachesPass : Pass<"update-caches", "::mlir::func::FuncOp"> {
  let summary = "Write the rows of a cache that the caller has, and nothing else";
  let description = [{
    A TensorScatter into an input of @main that nothing else reads becomes `task.update` where its result is an output: the caller may hand one buffer for both, and the run then
    writes the rows alone. Others stay tasks, which compute the whole cache.

    ```mlir
    %1 = onnx.TensorScatter %past, %rows, %places {axis = 2 : i64} : (tensor<1x4x64x8xf32>, tensor<1x4x1x8xf32>, tensor<1xi64>) -> tensor<1x4x64x8xf32>
    ```
    becomes `task.update %past, %rows at %places axis 2`.
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def SplitTasksPass : Pass<"split-tasks", "::mlir::ModuleOp"> {
  let summary = "Divide fused tasks where an attribute says so";
  let description = [{
    A task with an attribute `split`, the number of an operation of its body, becomes two: one computes what that operation depends on and itself, and hands its result to the other. Nothing
    else may go on from the one to the other; constants and views of operands are in both. What is found to be faster so is written down by a search, as schedules are.

    ```mlir
    task.def @mat_mul_gelu_0(%x: ...) -> ... attributes {split = 0 : i64} {
      %0 = onnx.MatMul %x, %w : ...
      %1 = onnx.Gelu %0 : ...
      task.return %1 : ...
    }
    ```
    becomes `@mat_mul_0` and `@gelu_0`, and each call of it two.

    Requires: `--deduplicate-tasks`, whose order the numbers are of, and which merges parts with equal tasks when it runs again.
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def MergeNeighboursPass : Pass<"merge-neighbours", "::mlir::ModuleOp"> {
  let summary = "Make one task of neighbours where an attribute says so";
  let description = [{
    A call with an attribute `merge`, the number of an operand that another call computes, becomes one with that call: a task that computes what both did. Results of the first that others need are results of it, too. What is found
    to be faster so is written down by a search, as schedules are.

    ```mlir
    %0 = task.call @mat_mul_gelu_0(%x, %v) : ...
    %1 = task.call @mat_mul_0(%0, %w) {merge = 0 : i64} : ...
    ```
    becomes `%1 = task.call @mat_mul_gelu_mat_mul_0(%x, %v, %w)`.

    Requires: `--deduplicate-tasks`, which merges equal tasks when it runs again.
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def SinkViewsPass : Pass<"sink-views", "::mlir::func::FuncOp"> {
  let summary = "Move reshapes behind elementwise ops and before slices";
  let description = [{
    A reshape between a computation and the elementwise ops that follow would keep them in two tasks.

    ```mlir
    %1 = onnx.Reshape %gemm, %shape : (tensor<128x768xf32>, ...) -> tensor<1x128x768xf32>
    %2 = onnx.Gelu %1 : ...
    ```
    becomes a Gelu of the Gemm, and a reshape of that.

    A reshape that drops the dimension along which a slice has one element, perhaps of a transpose, goes before both.
  }];
}

#endif
