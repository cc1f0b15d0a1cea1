// Emits the kernels of one scheduled task and converts the task to buffer form.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_EMITTASK_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_EMITTASK_H

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Emission/Cpu/EmitNest.h"
#include "passes/Schedule/Rules/Operands/PackOperands.h"

namespace cameo::schedule {

/// Emits `program`, whose operands are packed, with one schedule per nest. `packings` has the packed layouts of
/// constant arguments by number. `machine` determines the available instructions.
void emitTask(task::DefOp def, const TaskProgram &program, llvm::ArrayRef<NestSchedule> schedules,
              const std::map<unsigned, ConstantPacking> &packings, const Machine &machine);

} // namespace cameo::schedule

#endif
