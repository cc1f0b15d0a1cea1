// Samples complete schedules from sketches.
#ifndef CAMEO_AUTOTUNE_SPACE_SAMPLENEST_H
#define CAMEO_AUTOTUNE_SPACE_SAMPLENEST_H

#include "autotune/Space/Random.h"
#include "autotune/Space/SketchRule.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::autotune {

/// Returns a schedule of `sketch` with random sizes, orders and parallel loops. It is canonical, valid, and its block
/// fits the registers. Returns nothing if a number of attempts failed.
std::optional<schedule::NestSchedule> sampleNest(const NestTraits &traits, const NestSketch &sketch, Random &random);

/// Returns at most `most` piece sizes along `dim`, smallest first, that are multiples of `unit` and divide `extent`
/// into different numbers of pieces.
llvm::SmallVector<int64_t> pieceSizes(int64_t extent, int64_t unit, unsigned most);

/// Returns the unit of the piece sizes of `dim`: the lanes of a vector, of as many as flattened rows take to begin with
/// the first lane again, or the bytes of a group.
int64_t pieceUnit(const schedule::LoopNest &nest, const schedule::NestSchedule &schedule, unsigned dim);

/// Returns the smallest number of outermost loops that gives every thread enough pieces, or the largest possible
/// number.
unsigned enoughParallelLoops(const NestTraits &traits, const schedule::NestSchedule &schedule);

/// Returns the maximum number of parallel loops inside of the repeated ones: the outermost loops over different
/// parallel dimensions.
unsigned mostParallelLoops(const NestTraits &traits, const schedule::NestSchedule &schedule);

/// Returns a number of parallel loops that differs from that of `schedule`, if there is one; with one thread, none or
/// enough.
unsigned otherParallelLoops(const NestTraits &traits, const schedule::NestSchedule &schedule, Random &random);

/// Adds a loop with partial results around the longest reduction loop, with `choosePart(terms)` of its terms per
/// iteration. Does nothing if there are too few terms. Must be called before canonicalize().
void takeInParts(const NestTraits &traits, schedule::NestSchedule &schedule,
                 llvm::function_ref<int64_t(int64_t terms)> choosePart);

/// Whether the canonical schedule is valid and worth emitting.
bool isValid(const NestTraits &traits, const schedule::NestSchedule &schedule);

} // namespace cameo::autotune

#endif
