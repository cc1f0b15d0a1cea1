// Computes neighbouring points of one thread of a GPU: what they read and write side by side is one access of up to 16
// bytes.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_LANEEVALUATOR_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_LANEEVALUATOR_H

#include "passes/Schedule/Emission/Shared/NodeEvaluator.h"

namespace cameo::schedule {

/// Points `count`, a power of two, along `dim` that a thread has, the first of them at a multiple of that.
struct Lanes {
  unsigned dim = 0;
  int64_t count = 1;
};

/// The most elements of `type` that one access takes.
int64_t mostLanes(mlir::Type type);

class LaneEvaluator : public NodeEvaluator {
public:
  LaneEvaluator(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers,
                llvm::ArrayRef<Position> positions, Lanes lanes)
      : NodeEvaluator(builder, nest.loc, nest, buffers, positions), lanes(lanes) {}

  /// Stores `output` at the lanes from `first` on; `accumulators` has the running results of each.
  void storeLanes(const Output &output, const Point &first,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> accumulators);

protected:
  mlir::Value load(const Node &node, const Point &point) override;

private:
  /// Elements at once of those that `form` gives to the lanes from `first` on in `buffer`; 1: one by one.
  int64_t widthOf(const LinearForm &form, const Point &first, unsigned buffer) const;

  Lanes lanes;
  std::map<std::pair<NodeId, Size>, mlir::Value> vectors; ///< by the constant part of their addresses
};

} // namespace cameo::schedule

#endif
