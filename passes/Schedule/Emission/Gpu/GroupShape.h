// How many blocks and threads run the nests of a group, and what each of them has.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_GROUPSHAPE_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_GROUPSHAPE_H

#include "passes/Schedule/Emission/Gpu/EmitBlocks.h"
#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"

namespace cameo::schedule {

/// Threads of a block whose neighbours compute other points of the same nest: several blocks fit a multiprocessor,
/// whatever registers they need.
constexpr int64_t gridThreads = 128;

/// Whether the only nest has the grid for itself.
inline bool isGrid(const NestGroup &group) { return group.rowDims == 0 && group.nests.size() == 1; }

inline Lanes lanesOf(const NestSchedule &schedule) {
  return schedule.vectorDim ? Lanes{*schedule.vectorDim, schedule.lanes} : Lanes();
}

/// How the nests of a group lie on blocks and threads.
class GroupShape {
public:
  GroupShape(const NestGroup &group, BlockSchedules schedules) : group(group), schedules(schedules) {}

  bool isTiled() const {
    return isGrid(group) && schedule::isTiled(group.nests[0], schedules.loops[0], schedules.threads[0]);
  }
  /// Whether a block reduces one point of the only nest.
  bool isPointPerBlock() const { return isGrid(group) && reducesTogether(0); }
  /// Whether a warp does.
  bool isPointPerWarp() const { return isGrid(group) && reducesByWarp(0); }
  /// Whether each thread has one point.
  bool isPointPerThread() const { return isGrid(group) && !isTiled() && !isPointPerBlock() && !isPointPerWarp(); }
  /// Whether no thread reads what another one wrote.
  bool writesAlone() const { return isGrid(group) && !isPointPerBlock(); }
  bool reducesTogether(size_t nest) const {
    return schedule::reducesTogether(group.nests[nest], schedules.loops[nest], schedules.threads[nest]);
  }
  bool reducesByWarp(size_t nest) const {
    return schedule::reducesByWarp(group.nests[nest], schedules.loops[nest], schedules.threads[nest]);
  }
  /// The loop over a reduction that blocks divide.
  std::optional<Loop> split() const {
    return isGrid(group) ? splitLoop(group.nests[0], schedules.loops[0], schedules.threads[0]) : std::nullopt;
  }
  BlockTile tile() const { return tileOf(group.nests[0], schedules.loops[0], schedules.threads[0]); }

  /// As many as the largest nest has points for, or steps that are taken together, in whole warps; where that is
  /// dynamic, the most.
  int64_t threads() const;

  Size blocks() const;

private:
  const NestGroup &group;
  BlockSchedules schedules;
};

} // namespace cameo::schedule

#endif
