// Emits the points of a nest that one thread computes.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_THREADNEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_THREADNEST_H

#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"

namespace cameo::schedule {

class ThreadNest {
public:
  /// `rows` are the indices of the row dimensions of the nest's group. All arguments must outlive this object; code is
  /// inserted at the builder's insertion point. The points of `lanes` are computed together, as one point. `unroll` as
  /// in GpuSchedule.
  ThreadNest(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers,
             llvm::ArrayRef<mlir::Value> rows, Lanes lanes = {}, int64_t unroll = 0);

  /// Returns the number of points of the parallel dimensions after the first `rowDims`.
  static Size pointsOf(const LoopNest &nest, unsigned rowDims);
  /// Returns the number of groups of `lanes` points.
  static Size pointsOf(const LoopNest &nest, unsigned rowDims, Lanes lanes);

  /// Returns how many neighbouring steps along `dim`, a reduction, each of the threads that share them takes at once:
  /// those that one access reads, as long as `threads` threads have work.
  static int64_t stepsAtOnce(const LoopNest &nest, unsigned dim, int64_t threads);

  /// Emits point number `first` of the parallel dimensions, if it exists; the last dimension varies fastest.
  void emitPoint(mlir::Value first);
  /// Emits every `step`-th point from `first` on.
  void emitPoints(mlir::Value first, mlir::Value step);

protected:
  using Values = llvm::SmallVector<mlir::Value>;
  /// The steps of a reduction dimension that a thread executes: every `step`-th one from `begin` to `end`, or to the
  /// end of the dimension if `end` is null. Where the thread takes several neighbours at once, as `stepsAtOnce` says,
  /// it is every `step`-th group of them, and there is no `end`.
  struct Share {
    unsigned dim;
    mlir::Value begin;
    int64_t step;
    mlir::Value end = {};
    int64_t atOnce = 1;
  };

  void locate(mlir::Value number);
  /// `accumulators` has those of the first lane, then those of the next one.
  Values emitReduction(unsigned dim, Values accumulators);
  /// Returns the initial accumulators of all lanes.
  Values emitInitial();
  /// Stores the outputs for the final `accumulators`.
  void emitResults(llvm::ArrayRef<mlir::Value> accumulators);
  LaneEvaluator evaluator() { return LaneEvaluator(builder, nest, buffers, positions, lanes); }

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  llvm::ArrayRef<mlir::Value> buffers;
  unsigned rowDims;
  llvm::SmallVector<Position> positions;
  const Point origin; ///< the offsets of the first lane
  Lanes lanes;
  int64_t unroll;
  std::optional<Share> share; ///< none: all steps of all dimensions

private:
  Size extentOf(unsigned dim) const;
  Values takeSteps(int64_t count, Values accumulators);
  Values takeTogether(Values accumulators);
  void emitBody(mlir::Value number);
};

} // namespace cameo::schedule

#endif
