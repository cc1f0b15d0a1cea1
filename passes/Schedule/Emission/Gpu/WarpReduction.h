// Emits a nest in which the threads of a warp reduce one point together, on neighbouring steps of the reduction.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_WARPREDUCTION_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_WARPREDUCTION_H

#include "passes/Schedule/Emission/Gpu/ThreadNest.h"

namespace cameo::schedule {

/// Returns, in all threads of a warp, the combination of their values for reduction `number`. All threads must execute
/// this code; `value` must have a type that shuffles support.
mlir::Value reduceWarp(mlir::OpBuilder &builder, const LoopNest &nest, size_t number, mlir::Value value);

class WarpReduction : public ThreadNest {
public:
  /// `thread` is the number of the thread in its block; `dim` is the reduction dimension whose steps the threads of a
  /// warp share.
  WarpReduction(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers,
                llvm::ArrayRef<mlir::Value> rows, mlir::Value thread, unsigned dim)
      : ThreadNest(builder, nest, buffers, rows), thread(thread), dim(dim) {}

  /// Emits point number `number`, if it exists, by all threads of the warp. All threads of the block must execute this
  /// code.
  void emitPoint(mlir::Value number);
  /// Emits every `warps`-th point from number `warp` on, where a block has `warps` warps. All threads of the block must
  /// execute this code.
  void emitPoints(mlir::Value warp, int64_t warps);

  mlir::Value thread;
  unsigned dim;
};

} // namespace cameo::schedule

#endif
