// Schedules of a task for runs with a single row: a decoder's step, of a model whose prompts have many.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEVARIANT_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEVARIANT_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// What a task does in runs where all of `sizes` are 1.
struct SingleRow {
  llvm::SmallVector<DimExprAttr, 1> sizes; ///< there is one
  std::vector<NestSchedule> schedules;     ///< of all nests
};

/// Nothing where `schedules`, the default ones of `program`, are as good for a single row, or where they can have no
/// others: nests that run in one kernel with others keep theirs. Gives packed constants a width in `schedules`, so that
/// both read them in one layout.
std::optional<SingleRow> chooseSingleRow(const TaskProgram &program, std::vector<NestSchedule> &schedules,
                                         const Machine &machine);

} // namespace cameo::schedule

#endif
