#include "autotune/Space/RegisterBlock.h"

#include "passes/Schedule/Rules/FactorLanes.h"
#include "passes/Schedule/Rules/Operands/OperandTraffic.h"

#include "llvm/Support/MathExtras.h"

using namespace cameo::schedule;

namespace cameo::autotune {

/// With more points, compiling takes several times as long as measuring, and the code exceeds the instruction cache.
constexpr int64_t maxEmittedPoints = 512;
constexpr int64_t maxPointwiseBlock = 64;

llvm::SmallVector<int64_t, 8> blockSizes(const NestTraits &traits, const NestSchedule &schedule) {
  llvm::SmallVector<int64_t, 8> sizes;
  for (const Dimension &dim : traits.nest->dims)
    sizes.push_back(sizes.size() < traits.rowDims ? 1 : int64_t(dim.extent));
  for (const Loop &loop : schedule.loops)
    sizes[loop.dim] = std::min(sizes[loop.dim], loop.size);
  return sizes;
}

/// Returns the number of vectors along the vector dimension, of groups along the dot dimension, or of points along
/// others.
static int64_t stepsOf(const NestSchedule &schedule, unsigned dim, int64_t size) {
  if (schedule.dotDim == dim)
    return llvm::divideCeil(size, dotGroup);
  return schedule.vectorDim == dim ? llvm::divideCeil(size, schedule.lanes) : size;
}

int64_t registersOf(const NestTraits &traits, const NestSchedule &schedule, llvm::ArrayRef<int64_t> sizes) {
  const LoopNest &nest = *traits.nest;
  if (!nest.hasReduction())
    return 0;
  int64_t accumulators = nest.reductions.size() * (schedule.partialLoop ? 2 : 1), held = 0;
  for (unsigned dim : traits.parallel)
    accumulators *= stepsOf(schedule, dim, sizes[dim]);
  if (schedule.vectorDim && traits.isReduction(*schedule.vectorDim))
    accumulators *= std::min<int64_t>(8, stepsOf(schedule, *schedule.vectorDim, sizes[*schedule.vectorDim]));
  else if (schedule.vectorDim)
    for (NodeId id : traits.loads)
      if (variesAlong(nest, id, *schedule.vectorDim)) // of what no points share only one is live
        held = std::max(held, readsNothingTwice(nest, traits.rowDims)
                                  ? 1
                                  : stepsOf(schedule, *schedule.vectorDim, sizes[*schedule.vectorDim]));
  // A load of factors for several steps stays in a register for all of them.
  for (NodeId id : traits.loads)
    if (factorLanes(nest, schedule, traits.machine, id)) {
      int64_t points = 1;
      for (unsigned dim : traits.parallel)
        points *= variesAlong(nest, id, dim) ? sizes[dim] : 1;
      held += points;
    }
  return accumulators + held + 1;
}

int64_t emittedPoints(const NestTraits &traits, const NestSchedule &schedule) {
  int64_t total = 1;
  for (unsigned dim = traits.rowDims; dim < traits.nest->dims.size(); ++dim) {
    llvm::SmallVector<int64_t> sizes = {traits.extent(dim)};
    for (const Loop &loop : schedule.loops) {
      if (loop.dim != dim)
        continue;
      llvm::SmallVector<int64_t> pieces;
      for (int64_t size : sizes)
        for (const Segment &segment : segmentsOf(*traits.nest, schedule, loop, size))
          pieces.push_back(segment.size);
      sizes = std::move(pieces);
    }
    int64_t points = 0;
    for (int64_t size : sizes)
      points += stepsOf(schedule, dim, size);
    if (points > maxEmittedPoints)
      return points;
    total = std::min(total * points, 2 * maxEmittedPoints);
  }
  return total;
}

/// Whether the loops divide the vector dimension into pieces of one size, if its vectors are full. Long dimensions may
/// have no such division.
static bool cutsVectorsEvenly(const NestTraits &traits, const NestSchedule &schedule) {
  int64_t left = schedule.vectorDim ? traits.extent(*schedule.vectorDim) : 0;
  if (left % std::max<int64_t>(1, schedule.lanes) != 0 || left > maxPointwiseBlock * schedule.lanes)
    return true;
  for (const Loop &loop : schedule.loops)
    if (schedule.vectorDim == loop.dim && loop.size < left) {
      if (left % loop.size != 0)
        return false;
      left = loop.size;
    }
  return true;
}

bool isReasonable(const NestTraits &traits, const NestSchedule &schedule) {
  llvm::SmallVector<int64_t, 8> sizes = blockSizes(traits, schedule);
  if (emittedPoints(traits, schedule) > maxEmittedPoints)
    return false;
  if (traits.nest->hasReduction()) {
    // The smallest block is always accepted, because some nests have more accumulators than there are registers.
    bool isSmallest =
        llvm::all_of(traits.parallel, [&](unsigned dim) { return stepsOf(schedule, dim, sizes[dim]) == 1; });
    return isSmallest || registersOf(traits, schedule, sizes) <= traits.machine.vectorRegisters;
  }
  int64_t points = 1;
  for (unsigned dim : traits.parallel)
    points *= stepsOf(schedule, dim, sizes[dim]);
  // A remainder of another size duplicates the code, and without accumulators there is no benefit.
  return points * static_cast<int64_t>(traits.nest->outputs.size()) <= maxPointwiseBlock &&
         cutsVectorsEvenly(traits, schedule);
}

void canonicalize(const NestTraits &traits, NestSchedule &schedule) {
  llvm::SmallVector<int64_t, 8> left;
  for (const Dimension &dim : traits.nest->dims)
    left.push_back(left.size() < traits.rowDims ? 1 : int64_t(dim.extent));
  llvm::SmallVector<Loop> loops;
  unsigned parallel = schedule.parallelLoops, repeated = schedule.repeatedLoops;
  std::optional<unsigned> partial;
  for (auto [number, loop] : llvm::enumerate(schedule.loops)) {
    bool isPartial = schedule.partialLoop == number;
    if (loop.size >= left[loop.dim] && !isPartial) {
      if (number < schedule.parallelEnd())
        --(number < schedule.repeatedLoops ? repeated : parallel);
      continue;
    }
    bool isDividedEvenly = !traits.isReduction(loop.dim) && schedule.vectorDim != loop.dim;
    if (isDividedEvenly && left[loop.dim] == traits.extent(loop.dim))
      loop.size = llvm::divideCeil(left[loop.dim], llvm::divideCeil(left[loop.dim], loop.size));
    if (isPartial)
      partial = loops.size();
    left[loop.dim] = std::min(left[loop.dim], loop.size);
    loops.push_back(loop);
  }
  schedule.loops = std::move(loops);
  schedule.parallelLoops = parallel;
  schedule.repeatedLoops = repeated;
  schedule.partialLoop = partial;
}

} // namespace cameo::autotune
