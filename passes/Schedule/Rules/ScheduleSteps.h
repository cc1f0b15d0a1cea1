// Schedules between their two forms: the attribute that the IR and records hold, and the loops that the emitter walks.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_SCHEDULESTEPS_H
#define CAMEO_PASSES_SCHEDULE_RULES_SCHEDULESTEPS_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Nests/ReplaceNests.h"
#include "passes/Schedule/Rules/NestSchedule.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// Replacements of nests, then one schedule per nest that they leave, in order, as an attribute.
StepsAttr toSteps(mlir::MLIRContext *context, llvm::ArrayRef<Replacement> replacements,
                  llvm::ArrayRef<NestSchedule> schedules);

/// The schedule that `text` spells; null when it spells none. Nothing is reported.
StepsAttr parseSteps(llvm::StringRef text, mlir::MLIRContext *context);

/// The replacements that the first of `steps` are.
std::vector<Replacement> replacementsOf(StepsAttr steps);

/// Replaces nests of `program` as the first of `steps` say.
llvm::Error replaceNests(StepsAttr steps, TaskProgram &program);

/// The schedules of all nests of `program`, whose nests are replaced already, for `machine`; an error says which step
/// does not fit.
llvm::Expected<std::vector<NestSchedule>> fromSteps(StepsAttr steps, const TaskProgram &program, const Machine &machine);

} // namespace cameo::schedule

#endif
