// Converts the loop dialect to the structures of rules, steps and emitters.
#ifndef CAMEO_PASSES_SCHEDULE_LOOPS_READLOOPS_H
#define CAMEO_PASSES_SCHEDULE_LOOPS_READLOOPS_H

#include "dialects/Loop/LoopDialect.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"
#include "passes/Schedule/Rules/Operands/PackOperands.h"

namespace cameo::schedule {

/// The contents of a task in loop form.
struct LoopForm {
  TaskProgram program;                          ///< its nodes apply operations of the task's body
  std::vector<NestSchedule> schedules;          ///< one per nest if all have an order, else empty
  std::map<unsigned, ConstantPacking> packings; ///< by argument number
  std::vector<GpuSchedule> gpuSchedules;        ///< as many as `schedules`, or empty if the target is a CPU
};

/// Returns the program in the body of `def`, or null if it is in another form.
loop::ProgramOp programOf(task::DefOp def);

/// Reads the loop form of `def`. The result points to operations of the body, which must outlive it.
LoopForm readLoops(task::DefOp def);

/// Reads the nests only.
inline TaskProgram readNests(task::DefOp def) { return readLoops(def).program; }

/// Returns the nests of `def` in loop form or in linalg form (see buildNests).
llvm::Expected<TaskProgram> nestsOf(task::DefOp def, llvm::ArrayRef<bool> constantArguments);

} // namespace cameo::schedule

#endif
