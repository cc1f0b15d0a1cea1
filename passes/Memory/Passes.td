// Passes that plan the memory of a model.
#ifndef CAMEO_PASSES_MEMORY_PASSES_TD
#define CAMEO_PASSES_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def FixRunSizesPass : Pass<"fix-run-sizes", "::mlir::ModuleOp"> {
  let summary = "Give sizes of the run the same numbers in all runs";
  let description = [{
    `@main` has numbers in place of the names, so that a run is told nothing. Kernels read them from the table of `resolve-sizes` as before: they are the code that a run of any
    sizes has. The tuner measures code of open sizes so.

    ```mlir
    func.func @main(..., %sizes: memref<1xi64> {task.sizes = [#dim.expr<"4*batch">]}) {
      task.dispatch @relu.k0(%x, %y, %sizes) extent "batch"
    ```
    becomes with `sizes=batch=8`
    ```mlir
    func.func @main(..., %sizes: memref<1xi64> {task.sizes = [32]}) {
      task.dispatch @relu.k0(%x, %y, %sizes) extent 8
    ```

    Requires: a module after resolve-sizes without loops and without sizes that tasks count.
  }];
  let options = [ListOption<"sizes", "sizes", "std::string", "NAME=SIZE, several with commas between them">];
}

def OrderTasksPass : Pass<"order-tasks", "::mlir::ModuleOp"> {
  let summary = "Run independent tasks in an order that needs a smaller arena";
  let description = [{
    Of the calls whose operands are there, the one comes next behind which the least is alive. Where the plan of that is no smaller than that of the
    given order, that stays; so it does with loops and with dynamic sizes.

    ```mlir
    %a = task.call @wide(%x)
    %b = task.call @wide(%x)
    %c = task.call @narrow(%a)
    ```
    has `@narrow` before the second `@wide`.

    Requires: all tasks in buffer form. Ensures: the same calls.
  }];
}

def PlanBuffersPass : Pass<"plan-buffers", "::mlir::ModuleOp"> {
  let summary = "Give every tensor a place in one arena, the outputs or the weights";
  let description = [{
    Values that are not alive together share memory; a task writes over an input that dies with it where it allows that;
    results are written straight into the caller's buffers. What is of a dynamic size lies in slots behind
    the arena, each shared by values that are not alive together and as large as the largest of them.

    Requires: all tasks in buffer form; `@main` made of constants, `task.texts`, `task.call`, `task.view`, `task.prefix` and a return.
    Ensures: `@main` takes inputs, outputs, arena, weights, one buffer per slot and, where there are constant texts, their addresses
    (`task.texts`) as memrefs and holds dispatches and, for sizes that tasks count, `task.bind`; the module holds
    one `task.weight` per constant and layout, one `task.text_table` per constant of texts and one `task.info` per task.
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

def PassTextAreaPass : Pass<"pass-text-area", "::mlir::ModuleOp"> {
  let summary = "Hand kernels the area for texts that a run makes";
  let description = [{
    The area is one more buffer of the kernels that ask for it, in front of their range; the others are left alone.

    ```mlir
    func.func private @cast.k0(%x: memref<4xf32>, %y: memref<4xi64>, %begin: index, %end: index) {
      %area = task.text_area
    ```
    becomes
    ```mlir
    func.func private @cast.k0(%x: memref<4xf32>, %y: memref<4xi64>, %texts: memref<1xi64>, %begin: index, %end: index) {
      %address = memref.extract_aligned_pointer_as_index %texts : memref<1xi64> -> index
      %area = arith.index_cast %address : index to i64
    ```

    Requires: a module after plan-buffers. Ensures: no kernel holds `task.text_area`; `@main` takes the area, if a kernel does, as its
    last argument, with the attribute `task.text_area`, and passes it on.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect", "::cameo::task::TaskDialect"];
}

#endif
