// Passes that plan the memory of a model.
#ifndef CAMEO_PASSES_MEMORY_PASSES_TD
#define CAMEO_PASSES_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def FixRunSizesPass : Pass<"fix-run-sizes", "::mlir::ModuleOp"> {
  let summary = "Replace the dynamic sizes of a planned module by numbers";
  let description = [{
    @main gets numbers in place of symbols, so that a run takes no sizes. Kernels still read the sizes from the table of
    `resolve-sizes`, so that they are the same code as for any other sizes. The tuner uses this to measure kernels with
    dynamic sizes.

    ```mlir
    func.func @main(..., %sizes: memref<1xi64> {task.sizes = [#dim.expr<"4*batch">]}) {
      task.dispatch @relu.k0(%x, %y, %sizes) extent "batch"
    ```
    becomes with `sizes=batch=8`
    ```mlir
    func.func @main(..., %sizes: memref<1xi64> {task.sizes = [32]}) {
      task.dispatch @relu.k0(%x, %y, %sizes) extent 8
    ```

    Requires: a module after resolve-sizes, without loops and without sizes that tasks count.
  }];
  let options = [ListOption<"sizes", "sizes", "std::string", "NAME=SIZE, several with commas between them">];
}

def OrderTasksPass : Pass<"order-tasks", "::mlir::ModuleOp"> {
  let summary = "Reorder independent tasks to reduce the size of the arena";
  let description = [{
    A list scheduler: among the calls whose operands have been computed, the next one is the call after which the least
    memory is live. If the arena does not become smaller, the given order stays. It also stays in modules with loops or
    dynamic sizes.

    ```mlir
    %a = task.call @wide(%x)
    %b = task.call @wide(%x)
    %c = task.call @narrow(%a)
    ```
    has `@narrow` before the second `@wide`.

    Requires: all tasks in buffer form. Ensures: the calls themselves do not change.
  }];
}

def PlanBuffersPass : Pass<"plan-buffers", "::mlir::ModuleOp"> {
  let summary = "Assign each tensor an offset in the arena, or a place in the outputs or the weights";
  let description = [{
    Values whose live ranges do not overlap share memory. A task overwrites an input in place if it is the last use and
    the task allows it. Results of the model are written directly into the buffers of the caller. Values of dynamic size
    are in slots after the arena. A slot is shared by values whose live ranges do not overlap, and is as large as the
    largest of them.

    Requires: all tasks in buffer form. `@main` consists of constants, `task.strings`, `task.call`, `task.view`,
    `task.prefix` and a return.

    Ensures: `@main` takes as memrefs the inputs, the outputs, the arena, the weights, one buffer per slot and, if there
    are constant strings, the table of their addresses (`task.strings`). It holds dispatches and, for sizes that tasks
    count, `task.bind`. The module holds one `task.weight` per constant and layout, one `task.string_table` per constant
    of strings, and one `task.info` per task.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect", "::cameo::task::TaskDialect"];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "Size of the arena">,
    Statistic<"liveBytes", "live-bytes", "Largest number of live bytes, a lower bound of the size of the arena">
  ];
}

def EmitRowKernelsPass : Pass<"emit-row-kernels", "::mlir::ModuleOp"> {
  let summary = "Write rows into caches by GPU kernels";
  let description = [{
    Replaces each `task.write_rows` by the dispatch of a kernel with one thread for each element of the new rows. The
    kernel reads the positions on the device, so the host does not wait for them. Writes of equal types and sizes share
    a kernel.

    ```mlir
    task.write_rows %r, %x at %p extents [1, 4, 64, 1, 8] : memref<32xf32>, memref<2048xf32>, memref<1xi64>
    ```
    becomes `task.dispatch @write_rows.k0(%r, %x, %p) extent 1`. Each kernel is a task with its `task.info`, so that
    profiles show it.

    Requires: a module after plan-buffers. Ensures: no `task.write_rows`; the kernels have `task.block`, and hold
    `task.size` where sizes are dynamic.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::cameo::task::TaskDialect"
  ];
}

def ResolveSizesPass : Pass<"resolve-sizes", "::mlir::ModuleOp"> {
  let summary = "Make kernels read dynamic sizes from a table that each run fills";
  let description = [{
    The table holds the value of each expression that kernels use, once. Kernels that use none do not change.

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

    Requires: a module after plan-buffers. Ensures: no kernel holds `task.size`. If there is a table, it is the last
    argument of `@main`, which has the expressions as its attribute `task.sizes`, and dispatches pass it to the kernels.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect", "::cameo::task::TaskDialect"];
}

def PassTextAreaPass : Pass<"pass-text-area", "::mlir::ModuleOp"> {
  let summary = "Pass kernels the memory for strings that a run creates";
  let description = [{
    The text area becomes a buffer argument of the kernels that use it, before their range. Other kernels do not change.

    ```mlir
    func.func private @cast.k0(%x: memref<4xf32>, %y: memref<4xi64>, %begin: index, %end: index) {
      %area = task.text_area
    ```
    becomes
    ```mlir
    func.func private @cast.k0(%x: memref<4xf32>, %y: memref<4xi64>, %strings: memref<1xi64>, %begin: index, %end: index) {
      %address = memref.extract_aligned_pointer_as_index %strings : memref<1xi64> -> index
      %area = arith.index_cast %address : index to i64
    ```

    Requires: a module after plan-buffers. Ensures: no kernel holds `task.text_area`. If a kernel uses the area, it is
    the last argument of `@main`, with the attribute `task.text_area`, and dispatches pass it to the kernels.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect", "::cameo::task::TaskDialect"];
}

#endif
