// The register block that the loops of a schedule leave, and whether it is worth emitting.
#ifndef CAMEO_AUTOTUNE_SPACE_REGISTERBLOCK_H
#define CAMEO_AUTOTUNE_SPACE_REGISTERBLOCK_H

#include "autotune/Space/NestTraits.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::autotune {

/// Points that the loops leave of each dimension; 1 for the rows of a group.
llvm::SmallVector<int64_t, 8> blockSizes(const NestTraits &traits, const schedule::NestSchedule &schedule);

/// Vector registers that a block of `sizes` keeps: running results, and what they share of one operand. 0 for nests
/// without a reduction.
int64_t registersOf(const NestTraits &traits, const schedule::NestSchedule &schedule, llvm::ArrayRef<int64_t> sizes);

/// Points, with those of the reduction, for which code is emitted: a dimension whose pieces have several sizes counts
/// each.
int64_t emittedPoints(const NestTraits &traits, const schedule::NestSchedule &schedule);

/// Whether the block fits the registers and the code of the nest stays small. Verifying does not ask for it.
bool isReasonable(const NestTraits &traits, const schedule::NestSchedule &schedule);

/// Drops loops of a single piece and makes the sizes of pieces exact, so that schedules that emit the same code are
/// equal.
void canonicalize(const NestTraits &traits, schedule::NestSchedule &schedule);

} // namespace cameo::autotune

#endif
