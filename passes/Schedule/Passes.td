// Passes that choose and apply the schedules of tasks.
#ifndef CAMEO_PASSES_SCHEDULE_PASSES_TD
#define CAMEO_PASSES_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ScheduleTasksPass : Pass<"schedule-tasks", "::mlir::ModuleOp"> {
  let summary = "Give every task without a schedule the default one";
  let description = [{
    Rules over the structure of the task's loop nests and the description of the processor; no measurement.

    Sizes that only the run knows are estimated.

    Requires: tasks lowered to linalg on tensors. Ensures: each task that the emitter can handle has a `schedule`
    attribute; for the others a remark gives the reason.
  }];
  let dependentDialects = ["::cameo::schedule::ScheduleDialect"];
  let options = [
    Option<"winograd", "winograd", "std::string", "\"auto\"",
           "Winograd's minimal filtering for 3x3 convolutions: off, f2, f4, or auto for what a rule finds best">
  ];
}

def LimitSchedulesPass : Pass<"limit-schedules", "::mlir::ModuleOp"> {
  let summary = "Replace schedules that take more memory than budgets leave";
  let description = [{
    Filters that are transformed when the model is compiled become smaller by `saved-bytes`, all together: convolutions go over to smaller tiles, or to filters
    that are transformed as the model runs, or to plain loops, first where that costs the fewest cycles for a byte. A task with `most_scratch` may take so many bytes of
    the arena besides its inputs and outputs: tiles go through in blocks, nests run in bands, also where the rules of `schedule-tasks` find that slower. One with `most_registers` has
    register blocks for a processor that has no more, which are less code. What fits keeps its schedule, a record's, too. The same module and limits give the same schedules.

    Requires: tasks with schedules. Ensures: those whose nests were replaced by others say in `traded` what they are now and were, and what that costs by the rules' models; limits that cannot
    be kept are come as close to as replacements of nests can.
  }];
  let dependentDialects = ["::cameo::schedule::ScheduleDialect"];
  let options = [
    Option<"savedBytes", "saved-bytes", "int64_t", "0", "Bytes that all transformed filters must be smaller">,
    Option<"winograd", "winograd", "std::string", "\"auto\"", "As of schedule-tasks; only auto leaves a choice">
  ];
}

def ApplySchedulePass : Pass<"apply-schedule", "::mlir::ModuleOp"> {
  let summary = "Turn scheduled tasks into buffer form and kernels";
  let description = [{
    Requires: tasks lowered to linalg; those with a `schedule` are emitted, the others stay (see `emit-naive`).
    Ensures: every scheduled task is in buffer form; its kernels are functions of scf, memref and vector operations.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ApproximateMathPass : Pass<"approximate-math", "::mlir::ModuleOp"> {
  let summary = "Replace transcendental functions in kernels by polynomials";
  let description = [{
    What stays is what no polynomial is known for; it becomes a call into the C library.

    Requires: kernels. Ensures: no exp, log, tanh, erf, sin, cos and their kin of f32 remain in kernels that
    `apply-schedule` made.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def PrintNestsPass : Pass<"print-nests", "::mlir::ModuleOp"> {
  let summary = "Print the loop nests of every task";
  let description = [{
    Those that the first steps of a task's `schedule` leave, where it has one. Prints to standard output and changes nothing.
    Requires: tasks lowered to linalg.
  }];
}

def EmitNaivePass : Pass<"emit-naive", "::mlir::ModuleOp"> {
  let summary = "Turn tasks into buffer form by bufferisation and plain loops";
  let description = [{
    The reference path, and the fallback for what the emitter does not handle: one-shot bufferisation, then a scalar
    loop nest per operation, in program order. Kernels hold `task.size` operations where addresses and bounds depend on
    sizes that only the run knows.

    Requires: tasks lowered to linalg, tensor and scf. Ensures: every task without a `schedule` is in buffer form.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif
