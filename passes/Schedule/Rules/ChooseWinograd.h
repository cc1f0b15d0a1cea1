// Chooses the convolutions that use Winograd's minimal filtering, and their blocks of tiles.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEWINOGRAD_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEWINOGRAD_H

#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/TaskLimits.h"

#include "llvm/ADT/StringRef.h"

namespace cameo::schedule {

bool isWinogradMode(llvm::StringRef mode);

/// Returns the steps for `program`. `mode` is "off", "f2" or "f4" to use that transform wherever it applies, or "auto"
/// for a rule, which keeps `limits`.
std::vector<WinogradStep> chooseWinograd(const TaskProgram &program, llvm::StringRef mode, const Machine &machine,
                                         const TaskLimits &limits = {});

/// The cost of the convolutions of `program` that could be replaced, with the Winograd steps among `replacements`.
struct WinogradUse {
  double cycles = 0;                         ///< the sum over all of them, by the cost model of the rule
  int64_t filterBytes = 0, scratchBytes = 0; ///< as in TaskLimits
};
WinogradUse winogradUse(const TaskProgram &program, llvm::ArrayRef<Replacement> replacements, const Machine &machine);

} // namespace cameo::schedule

#endif
