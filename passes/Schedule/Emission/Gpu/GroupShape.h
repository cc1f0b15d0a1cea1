// The number of blocks and threads that run the nests of a group.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_GROUPSHAPE_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_GROUPSHAPE_H

#include "passes/Schedule/Emission/Gpu/EmitBlocks.h"
#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"

namespace cameo::schedule {

/// The number of threads in a block whose threads compute independent points: several such blocks fit a multiprocessor
/// for any number of registers.
constexpr int64_t gridThreads = 128;

/// Whether the group is a single nest that uses the whole grid.
inline bool isGrid(const NestGroup &group) { return group.rowDims == 0 && group.nests.size() == 1; }

/// Returns the points of a thread. Loops that nothing is bound to leave points along further dimensions.
inline Lanes lanesOf(const NestSchedule &schedule, const GpuSchedule &threads) {
  Lanes lanes = schedule.vectorDim ? Lanes{*schedule.vectorDim, schedule.lanes} : Lanes();
  if (threads.bound.empty())
    llvm::append_range(lanes.others, schedule.loops);
  return lanes;
}

/// Returns the types of a block's shared memory for the operands of a tiled nest, and for vectors behind its sums.
llvm::SmallVector<mlir::MemRefType> tileMemory(const LoopNest &nest, const GpuSchedule &threads, const BlockTile &tile);

/// Returns the products of a block with the tile, also those beyond the end of a dimension.
int64_t productsOf(const LoopNest &nest, const BlockTile &tile);

/// Maps the nests of a group to blocks and threads.
class GroupShape {
public:
  GroupShape(const NestGroup &group, BlockSchedules schedules) : group(group), schedules(schedules) {}

  bool isTiled() const {
    return isGrid(group) && schedule::isTiled(group.nests[0], schedules.loops[0], schedules.threads[0]);
  }
  /// Whether each block reduces one point of the only nest.
  bool isPointPerBlock() const { return isGrid(group) && reducesTogether(0); }
  /// Whether each warp reduces one point of the only nest.
  bool isPointPerWarp() const { return isGrid(group) && reducesByWarp(0); }
  /// Whether each thread computes one point.
  bool isPointPerThread() const { return isGrid(group) && !isTiled() && !isPointPerBlock() && !isPointPerWarp(); }
  /// Whether no thread reads what another one wrote.
  bool writesAlone() const { return isGrid(group) && !isPointPerBlock(); }
  bool reducesTogether(size_t nest) const {
    return schedule::reducesTogether(group.nests[nest], schedules.loops[nest], schedules.threads[nest]);
  }
  bool reducesByWarp(size_t nest) const {
    return schedule::reducesByWarp(group.nests[nest], schedules.loops[nest], schedules.threads[nest]);
  }
  /// Returns the reduction loop whose iterations are divided among blocks.
  std::optional<Loop> split() const {
    return isGrid(group) ? splitLoop(group.nests[0], schedules.loops[0], schedules.threads[0]) : std::nullopt;
  }
  /// Returns the dimension of a nest whose steps threads share.
  unsigned sharedDim(size_t nest) const;
  BlockTile tile() const { return tileOf(group.nests[0], schedules.loops[0], schedules.threads[0]); }

  /// Returns the number of threads of a block, in whole warps: as many as the largest nest has points, or steps that
  /// are reduced together; the maximum if that is dynamic.
  int64_t threads() const;

  Size blocks() const;

private:
  const NestGroup &group;
  BlockSchedules schedules;
};

} // namespace cameo::schedule

#endif
