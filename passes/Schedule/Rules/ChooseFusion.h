// Chooses the neighbouring nests of a task that are fused in overlapped tiles.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_CHOOSEFUSION_H
#define CAMEO_PASSES_SCHEDULE_RULES_CHOOSEFUSION_H

#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"
#include "passes/Schedule/Rules/ChooseWinograd.h"

namespace cameo::schedule {

/// Returns the steps for `program`; nests of the steps in `chosen` are left as they are. The rule depends on sizes and
/// caches. If nests would still pass more than `mostScratch` bytes through the arena, it adds tilings that cost time.
std::vector<FuseStep> chooseFusion(const TaskProgram &program, llvm::ArrayRef<WinogradStep> chosen,
                                   const Machine &machine, int64_t mostScratch = TaskLimits().scratchBytes);

/// Returns the `most` cheapest tilings, whether they save anything or not: for each sequence of nests the tile size of
/// least cost. Tilings that repeat a whole nest in every tile are excluded.
std::vector<FuseStep> cheapestTilings(const TaskProgram &program, const Machine &machine, unsigned most);

/// Returns the bytes of the arena that nests of `program` need besides inputs and outputs. Requires known sizes.
int64_t scratchBytes(const TaskProgram &program);

/// Returns all replacements by rule: convolutions according to `winograd` (see chooseWinograd), tiles of several nests,
/// conversions that transforms take over, then flattened planes. Keeps `limits` where replacements can.
std::vector<Replacement> chooseReplacements(const TaskProgram &program, llvm::StringRef winograd,
                                            const Machine &machine, const TaskLimits &limits = {});

} // namespace cameo::schedule

#endif
