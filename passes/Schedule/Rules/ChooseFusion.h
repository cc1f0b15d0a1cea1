// Which neighbouring nests of a task run together, tile by tile.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEFUSION_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEFUSION_H

#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"
#include "passes/Schedule/Rules/ChooseWinograd.h"

namespace cameo::schedule {

/// The steps for `program` beside `chosen`, whose nests are left as they are. A rule over sizes and the caches; beyond
/// it, tiles that cost time where nests pass on more than `mostScratch` bytes through the arena.
std::vector<FuseStep> chooseFusion(const TaskProgram &program, llvm::ArrayRef<WinogradStep> chosen,
                                   const Machine &machine, int64_t mostScratch = TaskLimits().scratchBytes);

/// Tiles that compute no nest as a whole again and again, for each run of nests those that cost least; of all these the
/// `most` cheapest, whatever they save.
std::vector<FuseStep> cheapestTilings(const TaskProgram &program, const Machine &machine, unsigned most);

/// Of the arena, which nests of `program` need besides inputs and outputs. Not for dynamic sizes.
int64_t scratchBytes(const TaskProgram &program);

/// All replacements by rule: convolutions as `winograd` says (see chooseWinograd), what runs in overlapped tiles, then
/// planes that are flattened. `limits` are kept where replacements can.
std::vector<Replacement> chooseReplacements(const TaskProgram &program, llvm::StringRef winograd,
                                            const Machine &machine, const TaskLimits &limits = {});

} // namespace cameo::schedule

#endif
