// Writes the points of a nest that one thread computes.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_THREADNEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_THREADNEST_H

#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"

namespace cameo::schedule {

class ThreadNest {
public:
  /// `rows` are the indices of the first dimensions, which the nest's group has fixed. All of these outlive the object;
  /// the code goes to the builder's insertion point. With `lanes` neighbours along a dimension go together, as one
  /// point; `unroll` as in GpuSchedule.
  ThreadNest(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers,
             llvm::ArrayRef<mlir::Value> rows, Lanes lanes = {}, int64_t unroll = 0);

  /// Points of the parallel dimensions behind the first `rowDims`.
  static Size pointsOf(const LoopNest &nest, unsigned rowDims);
  /// Their number where `lanes` go together.
  static Size pointsOf(const LoopNest &nest, unsigned rowDims, Lanes lanes);

  /// Point number `first` of the parallel dimensions that are left, if there is one, the last dimension varying
  /// fastest.
  void emitPoint(mlir::Value first);
  /// Every `step`-th of them from `first` on.
  void emitPoints(mlir::Value first, mlir::Value step);

protected:
  using Values = llvm::SmallVector<mlir::Value>;
  /// What a thread has of a reduction dimension: every `step`-th point from `begin` on, to the end where there is no
  /// `end`.
  struct Share {
    unsigned dim;
    mlir::Value begin;
    int64_t step;
    mlir::Value end = {};
  };

  void locate(mlir::Value number);
  /// `accumulators` are those of the first lane, then of the next.
  Values emitReduction(unsigned dim, Values accumulators);
  /// What the reductions of all lanes begin with.
  Values emitInitial();
  /// Stores what `accumulators` are at the end.
  void emitResults(llvm::ArrayRef<mlir::Value> accumulators);
  LaneEvaluator evaluator() { return LaneEvaluator(builder, nest, buffers, positions, lanes); }

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  llvm::ArrayRef<mlir::Value> buffers;
  unsigned rowDims;
  llvm::SmallVector<Position> positions;
  const Point origin; ///< where the lanes begin
  Lanes lanes;
  int64_t unroll;
  std::optional<Share> share; ///< none: all of every dimension

private:
  Size extentOf(unsigned dim) const;
  Point laneAt(int64_t lane) const;
  Values takeStep(int64_t step, Values accumulators);
  void emitBody(mlir::Value number);
};

} // namespace cameo::schedule

#endif
