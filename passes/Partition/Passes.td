// Passes that partition the graph into tasks, the unit of scheduling, search and caching. README.md states the form of
// a task.
#ifndef CAMEO_PASSES_PARTITION_PASSES_TD
#define CAMEO_PASSES_PARTITION_PASSES_TD

include "mlir/Pass/PassBase.td"

def DeduplicateTasksPass : Pass<"deduplicate-tasks", "::mlir::ModuleOp"> {
  let summary = "Merge equal task definitions and give each a key and a weight";
  let description = [{
    Reorders bodies, arguments and results canonically, so that they depend neither on names nor on the order of fusion,
    and merges equal definitions. `key` is the hash of the canonical text, which is the same on every machine. `weight`
    is the number of calls.

    ```mlir
    task.def @relu_0(...) ...   // two definitions with the same body
    task.def @relu_1(...) ...
    ```
    becomes `task.def @relu_0(...) attributes {key = "...", weight = 2 : i64}`.

    Requires: `--form-tasks` or `--one-task-per-op`.
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def FormTasksPass : Pass<"form-tasks", "::mlir::ModuleOp"> {
  let summary = "Group operations into tasks";
  let description = [{
    A task is one operation with its own loops and the elementwise operations after it, or elementwise operations and
    reductions over the same rows. Operations that only change the shape of a tensor become `task.view`.

    ```mlir
    %0 = onnx.Conv %x, %w, %b {...} : ...
    %1 = onnx.Add %0, %y : ...
    %2 = onnx.Relu %1 : ...
    ```
    becomes `%2 = task.call @conv_add_relu_0(%x, %w, %b, %y)`.

    Ensures: functions hold only constants, task.call and task.view.
  }];
  let options = [Option<"joinsCopies", "join-copies", "bool", "true", "A product joins the task of the Concat that appends rows to its right matrix, an output, and of the Gather that takes a part of a table">];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def OneTaskPerOpPass : Pass<"one-task-per-op", "::mlir::ModuleOp"> {
  let summary = "Make each operation a task";
  let description = [{
    The partition of the naive path: nothing is fused, and only operations that change a shape become views.

    Ensures: functions hold only constants, task.call and task.view.
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def PlacePartsPass : Pass<"place-parts", "::mlir::func::FuncOp"> {
  let summary = "Make producers write the operands of a Concat into its result";
  let description = [{
    A Concat becomes `task.join` if its sizes are known from the axis on, loops compute its operands, and at most half of
    their elements are needed in separate buffers. Each operand is placed in a tensor of the result's shape, and its producer writes
    directly into it. Other users of an operand read a slice of the result. An earlier Concat of adjacent operands
    becomes such a slice too.

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
  let summary = "Write only the new rows of a cache in the caller's buffer";
  let description = [{
    A TensorScatter into an input of @main becomes `task.update` if nothing else reads the input and the result is an
    output. The caller may pass one buffer for both, and the run then writes only the new rows. Other TensorScatters
    stay tasks, which compute the whole cache.

    ```mlir
    %1 = onnx.TensorScatter %past, %rows, %places {axis = 2 : i64} : (tensor<1x4x64x8xf32>, tensor<1x4x1x8xf32>, tensor<1xi64>) -> tensor<1x4x64x8xf32>
    ```
    becomes `task.update %past, %rows at %places axis 2`.
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def SplitTasksPass : Pass<"split-tasks", "::mlir::ModuleOp"> {
  let summary = "Split fused tasks at the operation that an attribute names";
  let description = [{
    The attribute `split` of a task is the number of an operation of its body. The task is split into two: the first
    computes this operation and everything that it depends on, and its result is an operand of the second. No other
    value may pass from the first to the second; constants and views of operands are in both. A search records which
    splits are faster, as it records schedules.

    ```mlir
    task.def @mat_mul_gelu_0(%x: ...) -> ... attributes {split = 0 : i64} {
      %0 = onnx.MatMul %x, %w : ...
      %1 = onnx.Gelu %0 : ...
      task.return %1 : ...
    }
    ```
    becomes `@mat_mul_0` and `@gelu_0`, and each call of it becomes two calls.

    Requires: `--deduplicate-tasks`, because the numbers refer to its canonical order. It runs again afterwards, to
    merge the parts with equal tasks.
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def MergeNeighboursPass : Pass<"merge-neighbours", "::mlir::ModuleOp"> {
  let summary = "Merge calls of tasks into one where an attribute names them";
  let description = [{
    The attribute `merge` of a call is the number of an operand that another call computes. Both calls are merged into
    one call of a task that computes both. Results of the first task that have other uses are results of the merged task
    too. A search records which merges are faster, as it records schedules.

    ```mlir
    %0 = task.call @mat_mul_gelu_0(%x, %v) : ...
    %1 = task.call @mat_mul_0(%0, %w) {merge = 0 : i64} : ...
    ```
    becomes `%1 = task.call @mat_mul_gelu_mat_mul_0(%x, %v, %w)`.

    Requires: `--deduplicate-tasks`, which runs again afterwards to merge equal tasks.
  }];
  let dependentDialects = ["::cameo::task::TaskDialect"];
}

def SinkViewsPass : Pass<"sink-views", "::mlir::func::FuncOp"> {
  let summary = "Move reshapes after elementwise operations and before slices";
  let description = [{
    A reshape between a computation and the elementwise operations that follow would prevent their fusion into one task.

    ```mlir
    %1 = onnx.Reshape %gemm, %shape : (tensor<128x768xf32>, ...) -> tensor<1x128x768xf32>
    %2 = onnx.Gelu %1 : ...
    ```
    becomes a Gelu of the Gemm, and a reshape of its result. Where several operations use the reshaped value, all of them
    move, or none.

    A reshape that divides the dimension along which a slice takes a range moves before the slice if the range is one of
    whole parts. A reshape that removes the dimension along which a slice of a transpose has one element moves before
    both.
  }];
}

#endif
