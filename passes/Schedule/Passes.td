// Passes that choose and apply the schedules of tasks.
#ifndef CAMEO_PASSES_SCHEDULE_PASSES_TD
#define CAMEO_PASSES_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def BuildLoopsPass : Pass<"build-loops", "::mlir::ModuleOp"> {
  let summary = "Convert the bodies of tasks to loop nests";
  let description = [{
    Elementwise operations are fused into their producers or consumers. Each remaining operation becomes a nest of the
    loop dialect, or several nests in a group that is executed row by row.

    Requires: tasks lowered to linalg on tensors. Ensures: the body of each task that the emitter supports is a
    `loop.program`. For other tasks a remark states the reason.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::cameo::loop::LoopDialect", "::mlir::math::MathDialect"];
}

def ScheduleTasksPass : Pass<"schedule-tasks", "::mlir::ModuleOp"> {
  let summary = "Set the default schedule on each task without a schedule";
  let description = [{
    Rules choose the schedule from the structure of the task's loop nests and the description of the processor, without
    measurements. If the target has a GPU, the schedules are for its blocks and threads. Dynamic sizes are estimated. A
    product whose number of rows is dynamic gets variants for one row and for a few if these are faster
    (`join-variants`).

    Requires: tasks in loop form (`build-loops`). Ensures: each of them has a `schedule` attribute.
  }];
  let dependentDialects = ["::cameo::schedule::ScheduleDialect"];
  let options = [
    Option<"winograd", "winograd", "std::string", "\"auto\"",
           "Winograd's minimal filtering for 3x3 convolutions: off, f2, f4, or auto for what a rule finds best">
  ];
}

def LimitSchedulesPass : Pass<"limit-schedules", "::mlir::ModuleOp"> {
  let summary = "Replace schedules that exceed memory budgets";
  let description = [{
    Reduces the filters that are transformed at compile time by `saved-bytes` in total: convolutions change to smaller
    tiles, to filters that are transformed at run time, or to plain loops, in the order of the fewest cycles per saved
    byte.

    A task with the attribute `most_scratch` may use at most that many bytes of the arena besides its inputs and
    outputs: Winograd tiles are computed in blocks, and nests in overlapped tiles, even if the rules of `schedule-tasks`
    estimate this to be slower. A task with the attribute `most_registers` gets register blocks for a processor with
    that many registers, which need less code.

    A schedule within the limits does not change, also if it is from a tuning record. The same module and limits always
    give the same schedules.

    Requires: tasks with schedules. Ensures: each task whose nests are replaced states in `traded` the old and the new
    form and the cost by the model of the rules. If a limit cannot be met, the result is as close to it as replacements
    of nests allow.
  }];
  let dependentDialects = ["::cameo::schedule::ScheduleDialect"];
  let options = [
    Option<"savedBytes", "saved-bytes", "int64_t", "0",
           "Number of bytes by which the transformed filters must become smaller in total">,
    Option<"winograd", "winograd", "std::string", "\"auto\"",
           "As for schedule-tasks; limits only change the form of convolutions if it is auto">
  ];
}

def ApplySchedulePass : Pass<"apply-schedule", "::mlir::ModuleOp"> {
  let summary = "Apply the steps of schedules to loop nests";
  let description = [{
    Replaces nests, gives each nest a `loop.order`, and packs operands: non-constant operands are packed by copy nests,
    constants get a `task.packing`. With `steps`, only the first steps of each schedule are applied, which shows the
    effect of each step.

    Requires: tasks in loop form with a `schedule`. Ensures: each of their nests has an order, as `emit-kernels`
    requires, and no task has a schedule any more.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::cameo::loop::LoopDialect", "::mlir::math::MathDialect"];
  let options = [
    Option<"steps", "steps", "uint64_t", "~uint64_t(0)",
           "Number of steps of each schedule to apply; default: all">
  ];
}

def SharePackedConstantsPass : Pass<"share-packed-constants", "::mlir::ModuleOp"> {
  let summary = "Let gathers read the layout in which a product reads the same constant";
  let description = [{
    A language model often has one matrix for the embedding of its inputs and, transposed, for its last product, which
    packs it. If all other tasks that read the matrix gather few rows of it, their loads read the layout of the product
    as well, with a division of the row's index, and the matrix is stored once.

    Requires: tasks in loop form with their packings (`apply-schedule`). Ensures: nothing else changes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::cameo::loop::LoopDialect"];
}

def EmitKernelsPass : Pass<"emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Convert tasks in loop form to buffer form with kernels";
  let description = [{
    Emits one kernel for each group of nests, or for several groups that share a kernel.

    Requires: tasks in loop form with an order for each nest; tasks in other forms do not change (see `emit-naive`).
    Ensures: these tasks are in buffer form; their kernels are functions of scf, memref and vector operations.
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
    Functions without a polynomial remain, and become calls of the C library. Scalar functions remain too, except in
    kernels for GPUs, which have no C library.

    Requires: kernels. Ensures: no vector operation for exp, log, tanh, erf, sin, cos and similar functions of f32
    remains in kernels that `emit-kernels` has created.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def PrintNestsPass : Pass<"print-nests", "::mlir::ModuleOp"> {
  let summary = "Print the loop nests of each task";
  let description = [{
    Prints the nests in a short form to standard output, and changes nothing. If a task has a `schedule`, the pass
    prints the nests as they are after the steps that replace nests.

    Requires: tasks in loop form (`build-loops`).
  }];
}

def ChainTasksPass : Pass<"chain-tasks", "::mlir::ModuleOp"> {
  let summary = "Merge products with the products that read them, for a GPU";
  let description = [{
    Two tasks become one where the blocks of the product in the first one can compute the product of the second one, which reads its result as its left
    operand, and this is estimated to be faster than two launches. The task has a schedule with a step `chain`, and becomes one with a third product in
    the same way. If no other task reads the result, it is not stored to memory. Other tasks that have a schedule already, as of a record, do not change, nor do those that share launches with others.

    ```mlir
    %0 = task.call @conv_0(%x, %u) : ...
    %1 = task.call @conv_1(%0, %v) : ...
    ```
    becomes `%1 = task.call @conv_0_0(%x, %u, %v)`.

    Requires: tasks in loop form; a target with a GPU, or nothing is merged. Ensures: the results do not change.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::cameo::loop::LoopDialect", "::cameo::schedule::ScheduleDialect", "::mlir::math::MathDialect"];
}

def MergeTasksPass : Pass<"merge-tasks", "::mlir::ModuleOp"> {
  let summary = "Merge independent tasks, for a GPU";
  let description = [{
    A kernel with few points is limited by the launch latency and leaves multiprocessors idle. Tasks at the same
    distance from the inputs, counted in tasks, become one task, whose nests `emit-gpu-kernels` can execute in shared
    launches. Tasks that occupy the device for long do not change, and tasks of a branch of `task.choose` are merged
    only with each other. Key and description of a merged task consist of those of its members, joined by `+` and `|`.

    ```mlir
    %q, %k = task.call @mat_mul_0_0(%x, %u, %v) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
    ```

    Requires: tasks in loop form with orders; a target with a GPU, or nothing is merged. Ensures: the results do not change.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::cameo::loop::LoopDialect", "::mlir::math::MathDialect"];
}

def EmitGpuKernelsPass : Pass<"emit-gpu-kernels", "::mlir::ModuleOp"> {
  let summary = "Convert tasks to buffer form with kernels that run in blocks";
  let description = [{
    Blocks and threads execute the loops as the order of a nest states. Without an order, each thread computes one point
    of the parallel dimensions and runs the reductions in loops. Each row of a group is one block, whose nests are
    separated by barriers.

    ```mlir
    func.func private @relu.k0(%x: memref<4xf32>, %y: memref<4xf32>, %block: index) attributes {task.block = #task.block<threads = 128>}
    task.dispatch @relu.k0(%x, %y) extent 1 : memref<4xf32>, memref<4xf32>
    ```

    With `dependent-launch`, kernels with tiles fetch the first parts of constant operands, and blocks that divide a sum
    prefetch theirs. Then they wait for earlier launches (`nvvm.griddepcontrol wait`), and then access other memory. Kernels
    without a wait get one by `convert-blocks`. With `clusters`, blocks that divide a sum are a cluster where the order says
    so; else they divide it as other blocks do.

    Requires: tasks in loop form (`build-loops`), with orders for a GPU or without orders; tasks in other forms do not
    change (see `emit-naive`). Ensures: these tasks are in buffer form.
  }];
  let options = [
    Option<"dependentLaunch", "dependent-launch", "bool", "false", "Emit kernels whose launches may begin before earlier ones have ended">,
    Option<"clusters", "clusters", "bool", "false", "Emit kernels whose blocks may be clusters">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def JoinVariantsPass : Pass<"join-variants", "::mlir::ModuleOp"> {
  let summary = "Merge the variants of a task into one definition that chooses at run time";
  let description = [{
    The kernels of all variants become kernels of the base definition. In runs for whose sizes a variant is not meant,
    its kernels have an extent of 0. A constant that variants read in different layouts becomes one operand per layout.
    Variants share scratch memory of the same size.

    ```mlir
    task.def @relu(%x: memref<?xf32> {task.elements = #dim.expr<"n">}, %y: memref<?xf32> {task.elements = #dim.expr<"n">}) {
      task.dispatch @relu.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
    }
    task.def @relu.v1(...) attributes {variant_of = @relu, ranges = [[#dim.expr<"n">, 0, 8]]} {
      task.dispatch @relu.v1.k0(%x, %y) extent "n" : memref<?xf32>, memref<?xf32>
    }
    ```
    becomes one `@relu` with two dispatches: the extent of the second is `n` if n is at most 8, otherwise 0, and the
    extent of the first is `n` in all other runs, otherwise 0.

    Requires: tasks in buffer form; variants that satisfy the rules of dialects/Task/Variants.h. Ensures: no definition
    is a variant.
  }];
}

def ChooseHostTasksPass : Pass<"choose-host-tasks", "::mlir::ModuleOp"> {
  let summary = "Mark the tasks of a model for a GPU that the host executes";
  let description = [{
    These are the tasks that read or make strings, and those that call a function of the program. Tasks that only move
    strings stay on the GPU: an element of a tensor of strings is an address of 64 bits there.

    ```mlir
    task.def @cast(%x: tensor<4xf32>) -> tensor<4xi64> {
      ... task.text_area ...
    ```
    becomes `task.def @cast(%x: tensor<4xf32>) -> tensor<4xi64> attributes {task.host}`.

    Requires: tasks lowered to linalg. Ensures: each task that needs the host has `task.host`.
  }];
}

def RunOnOneThreadPass : Pass<"run-on-one-thread", "::mlir::ModuleOp"> {
  let summary = "Make kernels of plain loops run in one block of one thread";
  let description = [{
    Converts the kernels of tasks that `emit-gpu-kernels` does not support and `emit-naive` has emitted. The range of
    one iteration becomes the only block. Kernels of tasks with `task.host` keep their range, and have `task.host`, too.

    Requires: kernels that are dispatched with an extent of 1. Ensures: every kernel has `task.block` or `task.host`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def EmitNaivePass : Pass<"emit-naive", "::mlir::ModuleOp"> {
  let summary = "Convert tasks to buffer form by bufferisation and plain loops";
  let description = [{
    The reference path, and the fallback for tasks that the emitter does not support: one-shot bufferisation, then a
    scalar loop nest per operation in program order. Kernels hold `task.size` operations where addresses and bounds
    depend on dynamic sizes.

    Requires: tasks lowered to linalg, tensor and scf. Ensures: each task without a `schedule` is in buffer form.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif
