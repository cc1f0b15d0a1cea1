// Schedules of a task for runs with one row or a few, such as decoder steps of a model whose prompts have many rows.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEVARIANT_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEVARIANT_H

#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// The schedules for runs in which all of `sizes` are from `least` to `most`.
struct RowsVariant {
  llvm::SmallVector<DimExprAttr, 1> sizes; ///< at least one
  int64_t least, most;
  std::vector<NestSchedule> schedules;        ///< of all nests of the task
  std::vector<Replacement> replacements = {}; ///< of nests of the task, before `schedules`
};

/// Returns the variants for one row and for a few, with ranges that do not overlap: none if `schedules`, the default
/// ones of `program`, are as good for these, or if other schedules are impossible: nests that share a kernel with
/// others keep theirs. `replacements` are those that made `program` of the task's nests; each variant has them, or
/// others where there are none. Sets the width of packed constants in `schedules`, so that all variants read the same
/// layout.
llvm::SmallVector<RowsVariant, 2> chooseVariants(const TaskProgram &program, llvm::ArrayRef<Replacement> replacements,
                                                 std::vector<NestSchedule> &schedules, const Machine &machine);

} // namespace cameo::schedule

#endif
