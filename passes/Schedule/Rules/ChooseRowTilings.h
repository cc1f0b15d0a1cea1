// Chooses fused groups whose rows become lanes, several rows at a time.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEROWTILINGS_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEROWTILINGS_H

#include "dialects/Target/Machine.h"
#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"

namespace cameo::schedule {

/// Returns steps that process several rows at a time if a row fills at most half of a vector: the rows become lanes.
/// Rows of eight elements are as fast one by one, unless they need long functions. A dynamic number of rows counts as
/// many.
std::vector<FuseStep> chooseShortRows(const TaskProgram &program, const Machine &machine);

/// Returns steps that process several rows at a time where sizes are dynamic and rows lie side by side, so that they
/// become lanes: one by one, each element of a row would be a load of its own. Rows that are `shortRows` have steps.
std::vector<FuseStep> chooseRowsSideBySide(const TaskProgram &program, const Machine &machine,
                                           llvm::ArrayRef<FuseStep> shortRows);

} // namespace cameo::schedule

#endif
