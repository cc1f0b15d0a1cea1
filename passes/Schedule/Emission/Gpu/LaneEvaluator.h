// Computes neighbouring points of one GPU thread: contiguous elements are loaded and stored by one access of up to 16
// bytes.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_LANEEVALUATOR_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_LANEEVALUATOR_H

#include "passes/Schedule/Emission/Shared/NodeEvaluator.h"

namespace cameo::schedule {

/// The points of a thread along `dim`: `count` of them, a power of two, starting at a multiple of `count`.
struct Lanes {
  unsigned dim = 0;
  int64_t count = 1;
};

/// Returns the maximum number of elements of `type` per access.
int64_t mostLanes(mlir::Type type);

class LaneEvaluator : public NodeEvaluator {
public:
  LaneEvaluator(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers,
                llvm::ArrayRef<Position> positions, Lanes lanes)
      : NodeEvaluator(builder, nest.loc, nest, buffers, positions), lanes(lanes) {}

  /// Stores `output` at the lanes from `first` on; `accumulators` has the running results of each lane.
  void storeLanes(const Output &output, const Point &first,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> accumulators);

  /// Loads what outputs at the lanes from `first` on read, apart from gathers, so that later stores do not delay it.
  void loadLanes(const Point &first);

  /// Brings the cache line of what `node`, a load, reads at `point` to the second-level cache.
  void prefetch(const Node &node, const Point &point);

protected:
  mlir::Value load(const Node &node, const Point &point) override;

private:
  /// Returns the number of elements per access to `form` in `buffer` at the lanes from `first` on; 1 if they are
  /// accessed one by one.
  int64_t widthOf(const LinearForm &form, const Point &first, unsigned buffer) const;

  Lanes lanes;
  std::map<std::pair<NodeId, Size>, mlir::Value> vectors; ///< by the constant part of their addresses
};

} // namespace cameo::schedule

#endif
