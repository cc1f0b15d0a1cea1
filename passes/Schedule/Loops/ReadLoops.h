// From the loop dialect to the structures that rules, steps and emission work on.
#ifndef CAMEO_PASSES_SCHEDULE_LOOPS_READLOOPS_H
#define CAMEO_PASSES_SCHEDULE_LOOPS_READLOOPS_H

#include "dialects/Loop/LoopDialect.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"
#include "passes/Schedule/Rules/PackOperands.h"

namespace cameo::schedule {

/// What a task in loop form holds.
struct LoopForm {
  TaskProgram program;                          ///< its nodes apply operations of the task's body
  std::vector<NestSchedule> schedules;          ///< one per nest, where all have an order; else none
  std::map<unsigned, ConstantPacking> packings; ///< of arguments
  std::vector<GpuSchedule> gpuSchedules;        ///< as many as `schedules`, or none where the target is a processor
};

/// The program that is the body of `def`; null where it is in another form.
loop::ProgramOp programOf(task::DefOp def);

/// The loop form of `def`, which has one. What it points to in the body must outlive it.
LoopForm readLoops(task::DefOp def);

/// The nests alone.
inline TaskProgram readNests(task::DefOp def) { return readLoops(def).program; }

/// The nests of `def` in loop form or in linalg; see buildNests of the latter.
llvm::Expected<TaskProgram> nestsOf(task::DefOp def, llvm::ArrayRef<bool> constantArguments);

} // namespace cameo::schedule

#endif
