// Writes a nest so that the threads of a warp reduce one point together, side by side along the reduction.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_WARPREDUCTION_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_WARPREDUCTION_H

#include "passes/Schedule/Emission/Gpu/ThreadNest.h"

namespace cameo::schedule {

/// What all threads of a warp have of reduction `number` together, in each of them. All of them come here; `value` is
/// of a type that they exchange.
mlir::Value reduceWarp(mlir::OpBuilder &builder, const LoopNest &nest, size_t number, mlir::Value value);

class WarpReduction : public ThreadNest {
public:
  /// Of the thread number `thread` of its block; `dim` is the reduction whose steps the threads of a warp share.
  WarpReduction(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers,
                llvm::ArrayRef<mlir::Value> rows, mlir::Value thread, unsigned dim)
      : ThreadNest(builder, nest, buffers, rows), thread(thread), dim(dim) {}

  /// Point number `number`, if there is one, by all threads of the warp. Every thread of the block comes here.
  void emitPoint(mlir::Value number);
  /// Every so manieth of the points that are left, from number `warp` on, where a block has `warps`. As above.
  void emitPoints(mlir::Value warp, int64_t warps);

  mlir::Value thread;
  unsigned dim;
};

} // namespace cameo::schedule

#endif
