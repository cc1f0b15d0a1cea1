// Emits a nest with few points and long reductions: all threads of a block reduce one point together.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDREDUCTION_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SHAREDREDUCTION_H

#include "passes/Schedule/Emission/Gpu/ThreadNest.h"

namespace cameo::schedule {

/// Returns the type of the shared memory in which the `threads` threads of a block exchange partial results of one
/// reduction.
mlir::MemRefType sharedMemoryType(mlir::Type element, int64_t threads);

/// The threads of a block that reduce points together. All values must outlive this object.
struct ReducingBlock {
  mlir::Value thread;
  int64_t threads;                    ///< a multiple of the warp size
  unsigned dim;                       ///< the reduction dimension whose steps the threads share
  llvm::ArrayRef<mlir::Value> memory; ///< for each reduction, of type `sharedMemoryType`
};

class SharedReduction : public ThreadNest {
public:
  SharedReduction(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers,
                  llvm::ArrayRef<mlir::Value> rows, const ReducingBlock &block)
      : ThreadNest(builder, nest, buffers, rows), block(block) {}

  /// Emits point number `number`. All threads of the block must execute this code. A barrier is required before shared
  /// memory is used again.
  void emitPoint(mlir::Value number);
  /// Emits all points of the nest, one after the other, with a barrier after each.
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
