// Passes that decide where every buffer of a model lies.
#ifndef CAMEO_PASSES_MEMORY_PASSES_TD
#define CAMEO_PASSES_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanBuffersPass : Pass<"plan-buffers", "::mlir::ModuleOp"> {
  let summary = "Give every tensor a place in one arena, the outputs or the weights";
  let description = [{
    Values that are not alive together share memory; a task writes over an input that dies with it where it allows that;
    results are written straight into the caller's buffers. What is of a size that only the run knows lies in slots behind
    the arena, each shared by values that are not alive together and as large as the largest of them.

    Requires: all tasks in buffer form; `@main` made of constants, `task.call`, `task.view`, `task.prefix` and a return.
    Ensures: `@main` takes inputs, outputs, arena, weights and one buffer per slot as memrefs and holds dispatches
    and, for sizes that tasks count, `task.bind`; the module holds
    one `task.weight` per constant and layout and one `task.info` per task.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect", "::cameo::task::TaskDialect"];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "Size of the arena">,
    Statistic<"liveBytes", "live-bytes", "Most bytes that are alive at once: no arena can be smaller">
  ];
}

def ResolveSizesPass : Pass<"resolve-sizes", "::mlir::ModuleOp"> {
  let summary = "Let kernels read sizes from a table that the run fills";
  let description = [{
    The table holds the value of every expression that a kernel asks for, once. Kernels that ask for none are left alone.

    ```mlir
    func.func private @relu.k0(%x: memref<?xf32>, %y: memref<?xf32>, %begin: index, %end: index) {
      %n = task.size "4*batch"
    ```
    becomes
    ```mlir
    func.func private @relu.k0(%x: memref<?xf32>, %y: memref<?xf32>, %sizes: memref<1xi64>, %begin: index, %end: index) {
      %value = memref.load %sizes[%c0] : memref<1xi64>
      %n = arith.index_cast %value : i64 to index
    ```

    Requires: a module after plan-buffers. Ensures: no kernel holds `task.size`; `@main` takes the table, if there is one, as its last argument,
    with the expressions as `task.sizes`, and passes it on.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect", "::cameo::task::TaskDialect"];
}

#endif
