// Schedules between their two forms: the attribute that the IR and records hold, and the loops that the emitter walks.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_SCHEDULESTEPS_H
#define CAMEO_PASSES_SCHEDULE_STEPS_SCHEDULESTEPS_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"
#include "passes/Schedule/Steps/ScheduledProgram.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// Replacements of nests as steps, in their order.
llvm::SmallVector<mlir::Attribute> toSteps(mlir::MLIRContext *context, llvm::ArrayRef<Replacement> replacements);

/// Replacements of nests, then one schedule per nest that they leave, in order, as an attribute.
StepsAttr toSteps(mlir::MLIRContext *context, llvm::ArrayRef<Replacement> replacements,
                  llvm::ArrayRef<NestSchedule> schedules);

/// The same for a GPU, where no nests are replaced: `gpuSchedules` has one for each of `schedules`.
StepsAttr toSteps(mlir::MLIRContext *context, llvm::ArrayRef<NestSchedule> schedules,
                  llvm::ArrayRef<GpuSchedule> gpuSchedules);

/// The schedule that `text` spells; null when it spells none. Nothing is reported.
StepsAttr parseSteps(llvm::StringRef text, mlir::MLIRContext *context);

/// The first of `steps`: those that replace nests.
llvm::ArrayRef<mlir::Attribute> replacingSteps(StepsAttr steps);

/// Those of them that rules choose, as the rules have them.
std::vector<Replacement> replacementsOf(StepsAttr steps);

/// The nests of `program` with what `steps` make of them for `machine`, or for `gpu` if there is one, one step after
/// the other; an error says which does not fit.
llvm::Expected<ScheduledProgram> applySteps(StepsAttr steps, TaskProgram program, const Machine &machine,
                                            const GpuMachine *gpu = nullptr);

/// The first half of it: replaces nests of `program` as the first of `steps` say.
llvm::Error replaceNests(StepsAttr steps, TaskProgram &program, const Machine &machine);

/// The second half: the schedules of all nests of `program`, whose nests are replaced already.
llvm::Expected<std::vector<NestSchedule>> fromSteps(StepsAttr steps, const TaskProgram &program,
                                                    const Machine &machine);

} // namespace cameo::schedule

#endif
