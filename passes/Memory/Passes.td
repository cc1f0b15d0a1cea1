// Passes that decide where every buffer of a model lies.
#ifndef CAMEO_PASSES_MEMORY_PASSES_TD
#define CAMEO_PASSES_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanBuffersPass : Pass<"plan-buffers", "::mlir::ModuleOp"> {
  let summary = "Give every tensor a place in one arena, the outputs or the weights";
  let description = [{
    Values that are not alive together share memory; a task writes over an input that dies with it where it allows that;
    results are written straight into the caller's buffers.

    Requires: all tasks in buffer form; `@main` made of constants, `task.call`, `task.view` and a return.
    Ensures: `@main` takes inputs, outputs, arena and weights as memrefs and holds dispatches; the module holds one
    `task.weight` per constant and layout and one `task.info` per task.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect", "::cameo::task::TaskDialect"];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "Size of the arena">,
    Statistic<"liveBytes", "live-bytes", "Most bytes that are alive at once: no arena can be smaller">
  ];
}

#endif
