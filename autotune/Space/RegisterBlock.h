// The register block of a schedule, and whether it is worth emitting.
#ifndef CAMEO_AUTOTUNE_SPACE_REGISTERBLOCK_H
#define CAMEO_AUTOTUNE_SPACE_REGISTERBLOCK_H

#include "autotune/Space/NestTraits.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::autotune {

/// Returns the number of points that the loops leave of each dimension; 1 for row dimensions.
llvm::SmallVector<int64_t, 8> blockSizes(const NestTraits &traits, const schedule::NestSchedule &schedule);

/// Returns the number of vector registers for a block of `sizes`: accumulators, and the shared vectors of one operand.
/// 0 for nests without a reduction.
int64_t registersOf(const NestTraits &traits, const schedule::NestSchedule &schedule, llvm::ArrayRef<int64_t> sizes);

/// Returns the number of points, including reduction steps, for which code is emitted. Each size of the pieces of a
/// dimension counts.
int64_t emittedPoints(const NestTraits &traits, const schedule::NestSchedule &schedule);

/// Whether the block fits the registers and the code of the nest is small. Verification does not require this.
bool isReasonable(const NestTraits &traits, const schedule::NestSchedule &schedule);

/// Removes loops with a single iteration and makes the sizes of pieces exact, so that schedules with equal code are
/// equal.
void canonicalize(const NestTraits &traits, schedule::NestSchedule &schedule);

} // namespace cameo::autotune

#endif
