// Which neighbouring nests of a task run together, band by band.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEFUSION_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEFUSION_H

#include "passes/Schedule/Nests/ReplaceNests.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::schedule {

/// The steps for `program` beside `chosen`, whose nests are left as they are. A rule over sizes and the caches.
std::vector<FuseStep> chooseFusion(const TaskProgram &program, llvm::ArrayRef<WinogradStep> chosen, const Machine &machine);

/// All replacements by rule: convolutions as `winograd` says (see chooseWinograd), what runs in bands, then planes that are flattened.
std::vector<Replacement> chooseReplacements(const TaskProgram &program, llvm::StringRef winograd, const Machine &machine);

} // namespace cameo::schedule

#endif
