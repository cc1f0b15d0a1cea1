// Which convolutions of a task are computed by Winograd's minimal filtering, and in which blocks.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEWINOGRAD_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEWINOGRAD_H

#include "passes/Schedule/Nests/RewriteWinograd.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "llvm/ADT/StringRef.h"

namespace cameo::schedule {

bool isWinogradMode(llvm::StringRef mode);

/// The steps for `program`. `mode` is "off", "f2" or "f4" for what must be used wherever it fits, or "auto" for a rule.
std::vector<WinogradStep> chooseWinograd(const TaskProgram &program, llvm::StringRef mode, const Machine &machine);

} // namespace cameo::schedule

#endif
