// Converts schedules between attributes, for records and the IR, and the loops that emitters use.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_SCHEDULESTEPS_H
#define CAMEO_PASSES_SCHEDULE_STEPS_SCHEDULESTEPS_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"
#include "passes/Schedule/Steps/ScheduledProgram.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// Converts replacements to steps, in their order.
llvm::SmallVector<mlir::Attribute> toSteps(mlir::MLIRContext *context, llvm::ArrayRef<Replacement> replacements);

/// Converts replacements, and a schedule for each nest after them, in order.
StepsAttr toSteps(mlir::MLIRContext *context, llvm::ArrayRef<Replacement> replacements,
                  llvm::ArrayRef<NestSchedule> schedules);

/// Converts schedules for a GPU, without replacements; `gpuSchedules` has one for each of `schedules`.
StepsAttr toSteps(mlir::MLIRContext *context, llvm::ArrayRef<NestSchedule> schedules,
                  llvm::ArrayRef<GpuSchedule> gpuSchedules);

/// Parses `text`; returns null without a diagnostic if it is not a schedule.
StepsAttr parseSteps(llvm::StringRef text, mlir::MLIRContext *context);

/// Returns the leading steps, which replace nests.
llvm::ArrayRef<mlir::Attribute> replacingSteps(StepsAttr steps);

/// Returns those of the replacing steps that rules can choose, in their form.
std::vector<Replacement> replacementsOf(StepsAttr steps);

/// Applies `steps` to `program` for `machine`, or for `gpu` if it is not null, one after the other. The error names the
/// step that does not fit.
llvm::Expected<ScheduledProgram> applySteps(StepsAttr steps, TaskProgram program, const Machine &machine,
                                            const GpuMachine *gpu = nullptr);

/// Applies only the steps that replace nests.
llvm::Error replaceNests(StepsAttr steps, TaskProgram &program, const Machine &machine);

/// Returns the schedules of all nests of `program`, after replaceNests.
llvm::Expected<std::vector<NestSchedule>> fromSteps(StepsAttr steps, const TaskProgram &program,
                                                    const Machine &machine);

} // namespace cameo::schedule

#endif
