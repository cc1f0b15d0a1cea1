// Passes that choose and apply the schedules of tasks.
#ifndef CAMEO_PASSES_SCHEDULE_PASSES_TD
#define CAMEO_PASSES_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def BuildLoopsPass : Pass<"build-loops", "::mlir::ModuleOp"> {
  let summary = "Make loop nests of the bodies of tasks";
  let description = [{
    Elementwise operations are fused into their producers or consumers; what stays becomes a nest of the loop dialect, or several in a group that runs row by row.

    Requires: tasks lowered to linalg on tensors. Ensures: the body of each task that the emitter can handle is a `loop.program`; for the others a remark gives the reason.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::cameo::loop::LoopDialect", "::mlir::math::MathDialect"];
}

def ScheduleTasksPass : Pass<"schedule-tasks", "::mlir::ModuleOp"> {
  let summary = "Give every task without a schedule the default one";
  let description = [{
    Rules over the structure of the task's loop nests and the description of the processor; no measurement.

    Dynamic sizes are estimated. A product whose rows are known only at run time has a variant for a single row where that is faster (`join-variants`). Where the target has a GPU, these are schedules for its blocks and threads.

    Requires: tasks in loop form (`build-loops`). Ensures: each of them has a `schedule` attribute.
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
    the arena besides its inputs and outputs: tiles of Winograd go through in blocks, nests run in overlapped tiles, also where the rules of `schedule-tasks` find that slower. One with `most_registers` has
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
  let summary = "Give nests the loops that the steps of schedules say";
  let description = [{
    Replaces nests, gives each an order, and lays out anew what is packed: copies are nests of their own, constants have a `task.packing`.

    Requires: tasks with a `schedule` in loop form. Ensures: each of their nests has an order, as `emit-kernels` wants it, and no task has a schedule any more. With `steps` only so
    many of the steps of a task are applied, to see what each of them does.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::cameo::loop::LoopDialect", "::mlir::math::MathDialect"];
  let options = [Option<"steps", "steps", "uint64_t", "~uint64_t(0)", "Apply so many of the steps of each schedule; default: all">];
}

def EmitKernelsPass : Pass<"emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn tasks in loop form into buffer form and kernels";
  let description = [{
    Requires: tasks in loop form with an order for each nest; tasks in other forms stay (see `emit-naive`).
    Ensures: these are in buffer form; their kernels are functions of scf, memref and vector operations.
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
    What stays is what no polynomial is known for; it becomes a call into the C library. Scalars are left to that as well, but in kernels for GPUs, which have none.

    Requires: kernels. Ensures: no exp, log, tanh, erf, sin, cos and their kin of f32 remain in kernels that
    `apply-schedule` made.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def PrintNestsPass : Pass<"print-nests", "::mlir::ModuleOp"> {
  let summary = "Print the loop nests of every task";
  let description = [{
    Those that the first steps of a task's `schedule` leave, where it has one, in a short form. Prints to standard output and changes nothing.
    Requires: tasks in loop form (`build-loops`).
  }];
}

def MergeTasksPass : Pass<"merge-tasks", "::mlir::ModuleOp"> {
  let summary = "Make one task of several that do not depend on each other, for a GPU";
  let description = [{
    A run with few points waits for launches, and one task leaves multiprocessors idle. Tasks that are as many tasks away from the inputs become one, of which `emit-gpu-kernels` lets pieces share launches; those
    with so much work that they keep a device busy stay alone. Key and description of such a task name those of its members, with `+` and `|` between them.

    ```mlir
    %q, %k = task.call @mat_mul_0_0(%x, %u, %v) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
    ```

    Requires: tasks in loop form, with orders. Ensures: the same results.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::cameo::loop::LoopDialect", "::mlir::math::MathDialect"];
}

def EmitGpuKernelsPass : Pass<"emit-gpu-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn tasks into buffer form and kernels that run by block";
  let description = [{
    Blocks and threads do what the order of a nest says; without one a thread computes one point of the parallel dimensions, its reductions in loops. Rows of a group are a block each,
    whose nests follow each other behind barriers.

    ```mlir
    func.func private @relu.k0(%x: memref<4xf32>, %y: memref<4xf32>, %block: index) attributes {task.block = #task.block<threads = 128>}
    task.dispatch @relu.k0(%x, %y) extent 1 : memref<4xf32>, memref<4xf32>
    ```

    Requires: tasks in loop form (`build-loops`), with orders that were made for a GPU or none; those in other forms stay for `emit-naive`. Ensures: these are in buffer form.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def JoinVariantsPass : Pass<"join-variants", "::mlir::ModuleOp"> {
  let summary = "Let each run find the variant of a task that is for its sizes";
  let description = [{
    The kernels of all variants become those of the definition they stand in for, each over nothing in runs that it is not for. A constant that variants read in
    several layouts is one more input for each. Scratch memory of one size is shared.

    ```mlir
    task.def @relu(%x: memref<?xf32> {task.elements = #dim.expr<"n">}, %y: memref<?xf32> {task.elements = #dim.expr<"n">}) {
      task.dispatch @relu.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
    }
    task.def @relu.v1(...) attributes {variant_of = @relu, ranges = [[#dim.expr<"n">, 0, 8]]} {
      task.dispatch @relu.v1.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
    }
    ```
    becomes one `@relu`, whose second extent is `n` where n is at most 8 and 0 elsewhere, and the first the other way round.

    Requires: tasks in buffer form; variants that keep the rules of dialects/Task/Variants.h. Ensures: no definition is a variant.
  }];
}

def RunOnOneThreadPass : Pass<"run-on-one-thread", "::mlir::ModuleOp"> {
  let summary = "Make kernels of plain loops run by block, of one thread";
  let description = [{
    For what `emit-gpu-kernels` leaves to `emit-naive`: the kernel's range of one iteration becomes the only block.

    Requires: kernels that are dispatched with an extent of 1. Ensures: every kernel has `task.block`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def EmitNaivePass : Pass<"emit-naive", "::mlir::ModuleOp"> {
  let summary = "Turn tasks into buffer form by bufferisation and plain loops";
  let description = [{
    The reference path, and the fallback for what the emitter does not handle: one-shot bufferisation, then a scalar
    loop nest per operation, in program order. Kernels hold `task.size` operations where addresses and bounds depend on
    dynamic sizes.

    Requires: tasks lowered to linalg, tensor and scf. Ensures: every task without a `schedule` is in buffer form.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif
