// Complete schedules drawn from sketches.
#ifndef CAMEO_AUTOTUNE_SPACE_SAMPLENEST_H
#define CAMEO_AUTOTUNE_SPACE_SAMPLENEST_H

#include "autotune/Space/Random.h"
#include "autotune/Space/SketchRule.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::autotune {

/// A schedule of `sketch` with random sizes, orders and parallel loops: canonical, verified, its block in the
/// registers. Nothing when a number of attempts gave none that is.
std::optional<schedule::NestSchedule> sampleNest(const NestTraits &traits, const NestSketch &sketch, Random &random);

/// Sizes along `dim` that divide `extent` into different numbers of pieces, smallest first, at most `most` of them:
/// multiples of `unit`.
llvm::SmallVector<int64_t> pieceSizes(int64_t extent, int64_t unit, unsigned most);

/// What sizes of pieces of `dim` are multiples of: the lanes of a vector, the bytes of a group.
int64_t pieceUnit(const schedule::NestSchedule &schedule, unsigned dim);

/// The smallest number of outermost loops that gives every thread enough pieces; all that may be parallel when none
/// does.
unsigned enoughParallelLoops(const NestTraits &traits, const schedule::NestSchedule &schedule);

/// How many of the outermost loops inside of the repeated ones may be parallel at most: over parallel dimensions, each
/// of a different one.
unsigned mostParallelLoops(const NestTraits &traits, const schedule::NestSchedule &schedule);

/// Another number of parallel loops than `schedule` has, if there is one; with one thread none, or enough.
unsigned otherParallelLoops(const NestTraits &traits, const schedule::NestSchedule &schedule, Random &random);

/// Puts a loop with partial results around the longest loop over a reduction, `choosePart(terms)` of its terms in each
/// iteration; leaves the schedule as it is where there are too few. Before canonicalize().
void takeInParts(const NestTraits &traits, schedule::NestSchedule &schedule,
                 llvm::function_ref<int64_t(int64_t terms)> choosePart);

/// Whether the schedule can be emitted and is worth it; canonical already.
bool isValid(const NestTraits &traits, const schedule::NestSchedule &schedule);

} // namespace cameo::autotune

#endif
