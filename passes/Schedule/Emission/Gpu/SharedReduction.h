// Writes a nest with few points and long reductions so that all threads of a block reduce one point together.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDREDUCTION_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDREDUCTION_H

#include "passes/Schedule/Emission/Gpu/ThreadNest.h"

namespace cameo::schedule {

/// The type of memory in which the `threads` of a block hand on what they have of one reduction.
mlir::MemRefType sharedMemoryType(mlir::Type element, int64_t threads);

/// A block's threads while it reduces points together. All of these outlive the object.
struct ReducingBlock {
  mlir::Value thread;
  int64_t threads;                    ///< whole warps
  unsigned dim;                       ///< of the reduction, whose steps they share
  llvm::ArrayRef<mlir::Value> memory; ///< of each reduction, of `sharedMemoryType`
};

class SharedReduction : public ThreadNest {
public:
  SharedReduction(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers,
                  llvm::ArrayRef<mlir::Value> rows, const ReducingBlock &block)
      : ThreadNest(builder, nest, buffers, rows), block(block) {}

  /// Point number `number`. Every thread of the block comes here; behind it are others that read shared memory, unless
  /// a barrier is.
  void emitPoint(mlir::Value number);
  /// All points that are left, one after the other, with a barrier behind each.
  void emitPoints();

private:
  void shareReductions();
  void handOnWarps(size_t number, mlir::Value value);
  void handOnHalves(llvm::ArrayRef<size_t> numbers, llvm::ArrayRef<mlir::Value> partial);
  mlir::Value collect(size_t number);

  ReducingBlock block;
};

} // namespace cameo::schedule

#endif
