// Schedules of a task for runs with a single row, such as a decoder step of a model whose prompts have many rows.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEVARIANT_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEVARIANT_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// The schedules for runs in which all of `sizes` are 1.
struct SingleRow {
  llvm::SmallVector<DimExprAttr, 1> sizes; ///< exactly one
  std::vector<NestSchedule> schedules;     ///< of all nests of the task
};

/// Returns nothing if `schedules`, the default ones of `program`, are as good for a single row, or if other schedules
/// are impossible: nests that share a kernel with others keep theirs. Sets the width of packed constants in
/// `schedules`, so that both variants read the same layout.
std::optional<SingleRow> chooseSingleRow(const TaskProgram &program, std::vector<NestSchedule> &schedules,
                                         const Machine &machine);

} // namespace cameo::schedule

#endif
