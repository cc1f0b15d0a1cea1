// Chooses the loops and the block of nests without reductions.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_ELEMENTWISEBLOCK_H
#define CAMEO_PASSES_SCHEDULE_RULES_ELEMENTWISEBLOCK_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// The number of vectors that a block computes side by side.
constexpr int64_t elementwiseVectors = 4;

/// Returns the parallel dimensions from `rowDims` on other than the vector dimension, outermost first.
llvm::SmallVector<unsigned> scalarDims(const LoopNest &nest, unsigned rowDims, const NestSchedule &schedule);

/// Whether the nest has no reduction and reads nothing, as one that fills a border.
bool storesConstants(const LoopNest &nest);

/// Whether `nest` mainly loads from addresses that are computed for each point along `dim`, as in decision trees: a
/// vector along `dim` would be gathered lane by lane.
bool walksTables(const LoopNest &nest, unsigned dim);

/// Returns the lanes of a vector of all points along `dim` of a nest that computes with their numbers, if its elements
/// fit one although the numbers may not: in a block of whole rows these are constants. Else 0.
unsigned lanesOfNumbers(const LoopNest &nest, unsigned dim, const Machine &machine);

/// Adds the loops of `nest`, which has no reduction, to `schedule`, which has its vector dimension. `isShared`: threads
/// share the nest, which is alone in its group.
void scheduleElementwise(const LoopNest &nest, unsigned rowDims, const Machine &machine, bool isShared,
                         NestSchedule &schedule);

} // namespace cameo::schedule

#endif
